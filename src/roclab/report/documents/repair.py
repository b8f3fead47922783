"""Documents of repairs: what was found and kept, and what it does to each example."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np

from roclab.curves import roc_curve, roc_hull
from roclab.data.ranking import Ranking
from roclab.formatting import range_text
from roclab.repair import CheckedRepair, RepairDecision, RepairExplanation, ScoreRepair
from roclab.report.document import Column, Document, Note, Table, document, figure
from roclab.report.documents.rows import N_NEG, N_POS
from roclab.report.figure import Figure, Line, Polygon
from roclab.report.formats import count, interval, number, percent, plain, yes_or_no

_SHOWN_EXAMPLES = 20
_DONE = {"mirror": "mirrored", "flatten": "flattened"}
_DECISION = tuple(one.name for one in fields(RepairDecision) if one.name != "gains")


def _range(low: float, high: float) -> str:
    if math.isinf(high):
        return "all" if math.isinf(low) else f"from {low:.6g}"
    return f"below {high:.6g}" if math.isinf(low) else range_text(low, high, digits=6)


_SCORES = Column("scores", ("low", "high"), _range, kind="text")


@document.register
def _(result: CheckedRepair) -> Document:
    data = result.to_dict()
    table = Table(
        name="decisions",
        records=tuple({name: row[name] for name in _DECISION} for row in data["decisions"]),
        columns=(
            _SCORES,
            Column("repaired", ("kept",), yes_or_no, kind="text"),
            Column("why", ("reason",), str, kind="name"),
            N_POS,
            N_NEG,
            Column("area", ("area",), number(4)),
        ),
        fields=_DECISION,
        shown=None if result.decisions else 0,
    )
    notes = [Note(text, severity="warning") for text in _outcome(result)]
    shown = [figure(result)] if result.repair.ranking is not None else []
    return Document(data=data, parts=(table, *shown, *notes))


def _outcome(result: CheckedRepair) -> list[str]:
    found = len(result.decisions)
    if not found:
        return ["No concavity was found, so there is nothing to repair."]
    nouns = "concavity is" if found == 1 else "concavities are"
    said = [f"{len(result.kept):,} of {found:,} {nouns} repaired."]
    gain = result.gain
    if gain is None:
        return [*said, "All scores stay unchanged."]
    ends = interval(3)(gain.low, gain.high)
    said.append(
        f"AUC of the checked examples: {gain.value_b:.3f} before, {gain.value_a:.3f} after, "
        f"difference {number(3, sign='+')(gain.difference)} {ends} "
        f"({percent(gain.confidence_level)})."
    )
    return [*said, "They also decided what is repaired, so expect a smaller gain on new data."]


@document.register
def _(result: RepairExplanation) -> Document:
    data = result.to_dict()
    sections = Table(
        name="sections",
        records=tuple(data["sections"]),
        columns=(
            _SCORES,
            Column("done", ("method",), _DONE.__getitem__, kind="text"),
            N_POS,
            N_NEG,
            Column("AUC inside", ("auc",), number(3)),
            Column("after", ("repaired_auc",), number(3)),
        ),
        shown=None if data["sections"] else 0,
    )
    examples = Table(
        name="examples",
        records=tuple(data["affected"]),
        columns=(
            Column("row", ("row",), count),
            Column("label", ("y_true",), lambda label: "+" if label else "-"),
            Column("score", ("score",), plain),
            Column("repaired", ("repaired",), plain),
        ),
        fields=("row", "y_true", "score", "repaired"),
        shown=_SHOWN_EXAMPLES if data["sections"] else 0,
    )
    affected = len(data["affected"])
    three = number(3)
    text = f"{affected:,} of {data['n']:,} examples are in a repaired section. AUC "
    text += f"{three(data['auc'])} before, {three(data['repaired_auc'])} after."
    notes = [Note(text)]
    if affected > _SHOWN_EXAMPLES:
        notes.append(Note(f"The first {_SHOWN_EXAMPLES} are shown."))
    return Document(data=data, parts=(sections, examples, *notes), main="examples")


@document.register
def _(result: ScoreRepair, ranking: Ranking | None = None) -> Document:
    shown = figure(result, ranking=ranking)
    explained = document(result.explain(result.known_ranking(ranking, "plot")))
    return Document(data=result.to_dict(), parts=(shown, *explained.parts), main=explained.main)


@figure.register
def _(result: CheckedRepair) -> Figure:
    return figure(result.repair)


@figure.register
def _(result: ScoreRepair, ranking: Ranking | None = None) -> Figure:
    before = result.known_ranking(ranking, "plot")
    after = result.apply_to_ranking(before)
    old, new, hull = roc_curve(before), roc_curve(after), roc_hull(before)
    areas: list[Any] = []
    for section in result.steps[0] if result.steps else ():
        inside = (section.low <= old.thresholds) & (old.thresholds < section.high)
        if inside.any():
            # From the point at which the curve enters the section to the one at which it leaves.
            start = max(int(np.argmax(inside)) - 1, 0)
            points = slice(start, start + 1 + int(np.count_nonzero(inside)))
            ends = slice(points.start, points.stop, max(1, points.stop - points.start - 1))
            areas.append(
                Polygon(
                    x=np.concatenate((old.fpr[points], old.fpr[ends][::-1])),
                    y=np.concatenate((old.tpr[points], old.tpr[ends][::-1])),
                    label="" if areas else "repaired",
                )
            )
    label = f"hull, AUC {hull.auc:.3f}"
    return Figure(
        series=(
            *areas,
            Line(x=hull.fpr, y=hull.tpr, label=label, role="reference", dashed=True),
            Line(x=new.fpr, y=new.tpr, label=f"after, AUC {after.summary.auc:.3f}", role="changed"),
            Line(x=old.fpr, y=old.tpr, label=f"before, AUC {before.summary.auc:.3f}"),
        )
    )
