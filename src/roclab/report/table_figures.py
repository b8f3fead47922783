"""Pictures of all models of a table, by kind: what ``roclab plot`` draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from roclab import curves
from roclab.checks.choices import PlotKind
from roclab.data.ranking import Ranking
from roclab.data.table import ScoreTable
from roclab.decisions import calibration_curve, decision_curve
from roclab.errors import InputError, SmallSampleWarning
from roclab.formatting import listed, one_line
from roclab.inference import compare, evaluate
from roclab.measures import gains_table
from roclab.report.document import figure
from roclab.report.documents.evaluation import evaluation_figure
from roclab.report.documents.table import roc_figure, table_colors
from roclab.report.figure import Figure
from roclab.report.together import combined, worst_last

Colors = Mapping[str, int | None]

MOST_PANELS = 12
MOST_BANDS = 3  # more of them cover each other
_WITH_BANDS: tuple[PlotKind, ...] = ("roc", "decision")
# Kinds that show one model each.
_OF_ONE: dict[PlotKind, Callable[[Ranking], Any]] = {
    "thresholds": curves.operating_points,
    "scores": lambda ranking: ranking,
}
# Kinds that show models together.
_OF_SEVERAL: dict[PlotKind, Callable[[Ranking], Any]] = {
    "pr": curves.precision_recall_curve,
    "pr-gain": curves.precision_recall_gain_curve,
    "det": curves.det_curve,
    "calibration": calibration_curve,
    "gains": gains_table,
    "cost": curves.cost_curve,
    "margin": curves.margin_curve,
    "hull": curves.roc_hull,
}
# Kinds whose legends have numbers that are not those of the curve.
_WITH_EXAMPLES: tuple[PlotKind, ...] = ("pr", "calibration")


def table_figures(
    table: ScoreTable, kind: PlotKind, *, by: str | None = None, band: bool = False
) -> list[Figure]:
    """The pictures of a table, to be drawn side by side.

    A model has the same colour in every kind: of many models, those with the highest AUCs in the
    whole table have one. Groups of several models have a picture each, those of one model a colour.

    Parameters
    ----------
    table : ScoreTable
        Labels and scores.
    kind : str
        What to draw.
    by : str, optional
        Group column.
    band : bool, default False
        Whether to draw confidence bands.
    """
    if band:
        _check_band(table, kind)
    colors = table_colors(table)
    if kind == "forest":
        return [evaluation_figure(evaluate(table, by=by), colors)]
    if kind == "pairs":
        return [figure(compare(table, by=by))]
    groups = (
        [("", table)]
        if by is None
        else [(one_line(group), part) for group, part in table.split(by).items()]
    )
    titles = [f"{one_line(by)}: {group}" if group else "" for group, _ in groups]
    if kind in _OF_ONE:
        return _panels(
            [
                (", ".join(filter(None, (title, one_line(name)))), _of_one(part, name, kind))
                for title, (_, part) in zip(titles, groups, strict=True)
                for name in part
            ]
        )
    shown = [
        _together(part, kind, colors, title, band=band)
        for title, (_, part) in zip(titles, groups, strict=True)
    ]
    if len(table.names) == 1:
        return [combined(shown, [group for group, _ in groups])]
    return _panels(list(zip(titles, shown, strict=True)))


def _check_band(table: ScoreTable, kind: PlotKind) -> None:
    if kind not in _WITH_BANDS:
        raise InputError(
            found="Pictures of {kind=}{given} have no band",
            fix="Leave {band} out, or use {kind=}roc or {kind=}decision.",
            given=kind,
        )
    if len(table.names) > MOST_BANDS:
        raise InputError(
            found="Bands of {count} models cover each other",
            needed="at most {most} models are drawn with bands",
            fix="Choose models with {y_score}, or leave {band} out.",
            count=f"{len(table.names):,}",
            most=MOST_BANDS,
        )


def _of_one(table: ScoreTable, name: str, kind: PlotKind) -> Figure:
    return figure(_OF_ONE[kind](table.ranking(name)))


def _together(
    table: ScoreTable, kind: PlotKind, colors: Colors, title: str, *, band: bool
) -> Figure:
    """All models in one picture."""
    if kind == "roc":
        return roc_figure(table, colors=colors, band=band)
    if kind == "decision":
        figures = [figure(decision_curve(table.ranking(name)), bands=band) for name in table]
    else:
        figures = [_of_several(table, name, kind, colors[name]) for name in table]
    # The best first, as in the picture of a table.
    order = sorted(range(len(figures)), key=lambda at: worst_last(figures[at].quality))
    figures, names = [figures[at] for at in order], [table.names[at] for at in order]
    _warn_of_missing_intervals(names, figures, title)
    return combined(figures, names, colors)


def _warn_of_missing_intervals(names: Sequence[str], figures: Sequence[Figure], title: str) -> None:
    """Say once for all models why the legend has no intervals of them."""
    for reason in dict.fromkeys(one.no_interval for one in figures if one.no_interval):
        pairs = zip(names, figures, strict=True)
        SmallSampleWarning(
            found="No interval for {names}: {reason}",
            names=listed(one_line(name) for name, one in pairs if one.no_interval == reason)
            + f" ({title})" * bool(title),
            reason=reason,
        ).issue()


def _of_several(table: ScoreTable, name: str, kind: PlotKind, color: int | None) -> Figure:
    ranking = table.ranking(name)
    # What the legend says of the examples takes time, and only models with a colour are in it.
    known = {"ranking": ranking} if kind in _WITH_EXAMPLES and color is not None else {}
    return figure(_OF_SEVERAL[kind](ranking), **known)


def _panels(shown: list[tuple[str, Figure]]) -> list[Figure]:
    """Pictures with titles, of which only a number fits on a page."""
    if len(shown) > MOST_PANELS:
        raise InputError(
            found="{count} pictures do not fit on a page",
            needed="at most {most} are drawn",
            fix="Choose models with {y_score}, or a column {by} with fewer values.",
            count=f"{len(shown):,}",
            most=MOST_PANELS,
        )
    return [replace(one, title=title or one.title) for title, one in shown]
