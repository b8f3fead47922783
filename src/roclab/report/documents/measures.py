"""Documents of measures: the list of them, and tables by bins."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab.formatting import distinct_texts
from roclab.measures import GainsTable, MeasureList
from roclab.report.document import Column, Document, Note, Table, document, figure
from roclab.report.figure import Axes, Figure, Line
from roclab.report.formats import count, number, percentage

_NEEDS = {"finite": "finite scores", "probability": "probabilities"}


@document.register
def _(result: MeasureList) -> Document:
    data = result.to_dict()
    table = Table(
        name="measures",
        records=tuple(
            measure
            | {"options": _options(measure)}
            | {field: ", ".join(measure[field]) for field in ("parts", "aliases")}
            for measure in data["measures"]
        ),
        columns=(
            Column("measure", ("name",), str, kind="text"),
            Column("options", ("options",), str, kind="name"),
            Column("range", ("low", "high", "better"), _range, kind="name"),
            Column("meaning", ("meaning", "parts", "scores", "aliases"), _meaning, kind="name"),
            Column("reference", ("reference",), str, kind="name"),
        ),
        block=(
            Column("measure", ("name", "options"), _specification, kind="name"),
            Column(
                "meaning",
                ("meaning", "parts", "scores", "aliases", "low", "high", "better"),
                lambda *of: f"{_meaning(*of[:4])}; {_range(*of[4:])}",
                kind="name",
            ),
            Column("reference", ("reference",), str, kind="name"),
        ),
    )
    notes = (
        Note(
            "Evaluate them with: roclab evaluate FILE --label COLUMN "
            '--measure "NAME,NAME(OPTION=VALUE)"'
        ),
        Note('Options without a value are required: "margin_auc(margin=0.2)".'),
    )
    return Document(data=data, parts=(table, *notes))


def _options(measure: dict[str, Any]) -> str:
    return ", ".join(
        option["name"] if option["required"] else f"{option['name']}={option['default']!r}"
        for option in measure["options"]
    )


def _specification(name: str, options: str) -> str:
    """What `--measure` takes."""
    return f"{name}({options})" if options else name


def _range(low: float, high: float, better: str) -> str:
    ends = f"{_end(low)} to {_end(high)}"
    return ends + ", lower is better" * (better == "lower")


def _meaning(meaning: str, parts: str, scores: str, aliases: str) -> str:
    remarks = [f"parts: {parts}"] if parts else []
    remarks += [_NEEDS[scores]] if scores in _NEEDS else []
    remarks += [f"also called {aliases}"] if aliases else []
    return meaning + (f" ({'; '.join(remarks)})" if remarks else "")


def _end(value: float) -> str:
    return f"{value:g}".replace("inf", "infinity")


@document.register
def _(result: GainsTable) -> Document:
    data = result.to_dict()
    rows = [dict(zip(data, row, strict=True)) for row in zip(*data.values(), strict=True)]
    ends = [*data["low"], *data["high"]]
    shown = dict(zip(ends, distinct_texts(*ends), strict=True))

    def scores(low: float, high: float) -> str:
        return shown[low] if low == high else f"{shown[low]} to {shown[high]}"

    table = Table(
        name="bins",
        records=tuple({"bin": place, **row} for place, row in enumerate(rows, start=1)),
        columns=(
            Column("bin", ("bin",), count),
            Column("scores", ("low", "high"), scores),
            Column("n", ("count",), count),
            Column("positives", ("positives",), count),
            Column("response rate", ("response_rate",), percentage),
            Column("lift", ("lift",), number(2)),
            Column("cumulative share", ("share",), percentage),
            Column("capture", ("capture",), percentage),
            Column("cumulative lift", ("cumulative_lift",), number(2)),
            Column("KS", ("ks",), number(3)),
        ),
        fields=("bin", *data),
    )
    text = (
        "Bins from the highest scores to the lowest. Capture: share of all positives in the bins "
        "so far; lift: response rate divided by that of all examples."
    )
    return Document(data=data, parts=(figure(result), table, Note(text)))


@figure.register
def _(result: GainsTable) -> Figure:
    line = Line(
        x=np.append(0.0, result.share), y=np.append(0.0, result.capture), label="", markers=True
    )
    axes = Axes(x="share of examples", y="share of positives", square=True)
    return Figure(series=(line,), axes=axes)
