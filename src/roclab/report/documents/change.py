"""Documents of changes between two periods."""

from __future__ import annotations

import numpy as np

from roclab.formatting import one_line
from roclab.inference.change import AUCChange
from roclab.report.document import Column, Document, Note, Table, document, figure
from roclab.report.figure import Axes, Bars, Figure, Role, Rule
from roclab.report.formats import count, decimals_for, interval, number, p_equals, percent

_SHOWN = 20
_BARS: tuple[tuple[str, Role, float], ...] = (
    ("mix", "curve", 0.19),
    ("ranking", "changed", -0.19),
)


@document.register
def _(result: AUCChange) -> Document:
    digits = decimals_for([result.high - result.low])
    signed = number(digits, sign="+")
    level = f"{percent(result.confidence_level)} interval"
    parts = Table(
        name="parts",
        records=tuple(
            {"part": part, "change": change, "low": low, "high": high}
            for part, change, low, high in (
                ("all", result.difference, result.low, result.high),
                ("mix", result.mix, result.mix_low, result.mix_high),
                ("ranking", result.ranking, result.ranking_low, result.ranking_high),
            )
        ),
        columns=(
            Column("part", ("part",), str, kind="text"),
            Column("change of AUC", ("change",), signed),
            Column(level, ("low", "high"), interval(digits)),
        ),
    )
    segments = Table(
        name="segments",
        records=tuple(one.to_dict() for one in result.segments),
        columns=(
            Column(one_line(result.by), ("segment",), one_line, kind="name"),
            Column("share", ("share",), signed, "Share of the whole change."),
            Column("mix", ("mix",), signed, "Because other rows came."),
            Column("ranking", ("ranking",), signed, "Because rows are ranked differently."),
            Column("AUC before", ("auc_before",), number(digits)),
            Column("AUC after", ("auc_after",), number(digits)),
            Column("n+ (before, after)", ("n_pos_before", "n_pos_after"), _counts),
            Column("n- (before, after)", ("n_neg_before", "n_neg_after"), _counts),
        ),
        shown=_SHOWN if len(result.segments) > _SHOWN else None,
    )
    notes = (
        Note(
            f"AUC {number(digits)(result.auc_before)} before, "
            f"{number(digits)(result.auc_after)} after; "
            f"{p_equals(result.pvalue)} for no change."
        ),
        Note("mix: other segments came; ranking: the same segments are ranked differently."),
    )
    return Document(
        data=result.to_dict(), parts=(parts, segments, figure(result), *notes), main="segments"
    )


@figure.register
def _(result: AUCChange) -> Figure:
    shown = result.segments[:_SHOWN][::-1]
    places = np.arange(len(shown), dtype=np.float64)
    return Figure(
        series=(
            Rule(x=0.0),
            *(
                Bars(
                    x=np.array([getattr(one, part) for one in shown]),
                    y=places + shift,
                    label=part,
                    role=role,
                )
                for part, role, shift in reversed(_BARS)
            ),
        ),
        axes=Axes(
            x="share of the change of the AUC",
            y="",
            names=tuple(one_line(one.segment) for one in shown),
        ),
        title=f"AUC {result.auc_before:.3f} to {result.auc_after:.3f}",
    )


def _counts(before: int, after: int) -> str:
    return f"{count(before)}, {count(after)}"
