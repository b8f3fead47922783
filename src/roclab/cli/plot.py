"""``roclab plot``: a picture of the models in a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from roclab.checks.choices import PictureFormat, PlotKind
from roclab.cli.table import (
    Decimal,
    File,
    InputFormatOption,
    Label,
    Positive,
    Score,
    Separator,
    Weight,
    named_source,
    note_missing,
    optional,
    read_table,
)
from roclab.data.output_file import check_output, write_output
from roclab.errors import InputError

if TYPE_CHECKING:
    from roclab.data.ranking import Ranking
    from roclab.data.table import ScoreTable

EXAMPLE = "Example: roclab plot scores.csv --label outcome --kind pr -o pr.svg"

_PANELS: tuple[PlotKind, ...] = ("thresholds", "scores")  # of models side by side


def plot(
    label: Label,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Picture to write: .png, .svg or .pdf."
        ),
    ],
    file: File = None,
    kind: Annotated[
        PlotKind,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="roc: ROC curves with AUCs; pr: precision and recall; pr-gain: their gains; det: "
            "both error rates; calibration: observed rates by probability; decision: net benefit; "
            "gains: capture by share of examples; cost: cost curves; thresholds: rates at every "
            "threshold; margin: AUC by margin; hull: ROC hulls; scores: distributions by class; "
            "forest: AUCs with intervals; pairs: differences of AUC.",
        ),
    ] = "roc",
    score: Score = None,
    positive: Positive = None,
    weight: Weight = None,
    by: Annotated[
        str | None, optional("--by", "COLUMN", "Draw each value of this column separately.")
    ] = None,
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Draw the models of a file."""
    # Imported here so that --help is fast.
    from roclab.report.plots import write_picture

    source = named_source(file, example="roclab plot --label COLUMN -o roc.png < scores.csv")
    check_output(output, source)
    format = _format(output)
    table = read_table(
        "plot",
        file,
        label=label,
        score=score,
        positive=positive,
        weight=weight,
        by=by,
        input_format=input_format,
        separator=separator,
        decimal=decimal,
    )
    note_missing(table)
    drawn = _kinds()[kind](table, by)
    panels = kind in _PANELS
    write_output(output, lambda picture: write_picture(drawn, picture, format, panels=panels))


def _kinds() -> dict[PlotKind, Callable[[ScoreTable, str | None], Any]]:
    """What each kind draws of a table, by the groups of a column if there is one."""
    from roclab import curves
    from roclab.decisions import calibration_curve, decision_curve
    from roclab.inference import compare, evaluate
    from roclab.measures import gains_table

    return {
        "roc": lambda table, by: table if by is None else table.split(by),
        "pr": _of_each(curves.precision_recall_curve),
        "pr-gain": _of_each(curves.precision_recall_gain_curve),
        "det": _of_each(curves.det_curve),
        "calibration": _of_each(calibration_curve),
        "decision": _of_each(decision_curve),
        "gains": _of_each(gains_table),
        "cost": _of_each(curves.cost_curve),
        "thresholds": _of_each(curves.operating_points),
        "margin": _of_each(curves.margin_curve),
        "hull": _of_each(curves.roc_hull),
        "scores": _of_each(lambda ranking: ranking),
        "forest": lambda table, by: evaluate(table, by=by),
        "pairs": lambda table, by: compare(table, by=by),
    }


def _of_each(made_of: Callable[[Ranking], Any]) -> Callable[[ScoreTable, str | None], Any]:
    """Something of each model, in each group."""

    def of_table(table: ScoreTable, by: str | None) -> dict[str, Any]:
        parts = {"": table} if by is None else table.split(by)
        return {
            ", ".join(filter(None, (str(group), name))): made_of(part.ranking(name))
            for group, part in parts.items()
            for name in part
        }

    return of_table


def _format(output: str) -> PictureFormat:
    known: dict[str, PictureFormat] = {f".{one}": one for one in get_args(PictureFormat)}
    suffix = Path(output).suffix.lower()
    if suffix not in known:
        raise InputError(
            found="The suffix of `{output}` is not that of a known picture format",
            fix="Name the output with one of these suffixes: {known}.",
            output=output,
            known=", ".join(known),
        )
    return known[suffix]
