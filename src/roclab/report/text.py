"""Text: a table for the terminal, Markdown, CSV."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from roclab.errors import MissingExtraError
from roclab.wording import listed

if TYPE_CHECKING:
    from rich.console import RenderableType

    from roclab.inference import Evaluation
    from roclab.measures import MeasureList

__all__ = ["notes", "printable", "to_csv", "to_markdown", "to_table"]

_MEASURES = {"auc": "AUC"}
_UNDEFINED = "undefined"
_NEEDS = {"finite": "finite scores", "probability": "probabilities"}
_DIGITS = (3, 6)
# Where the name of a measure may go on in the next line: before its options, each of them and its
# part.
_BREAKS = re.compile(r"(?<=\w)(?=\()|(?<=,) (?=[a-z]\w*=)|(?=\.[a-z]\w*$)")
# What Markdown takes for formatting inside a line; `_` only where it is not inside a word.
_MARKS = re.compile(r"[\\`*<>\[\]|~$&]|(?<![^\W_])_|_(?![^\W_])")


@dataclass(frozen=True, kw_only=True)
class _Sheet:
    """An evaluation as cells of text, rounded alike for every format that rounds."""

    header: tuple[str, ...]
    names: int  # so many columns, from the left, hold names; the others hold numbers
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    whole: int = 0  # so many of the columns of names are never folded


def to_table(result: Evaluation | MeasureList) -> RenderableType:
    """A result as a rich renderable: a table with notes below it.

    Names are shown as they are, never read as rich's markup, with control characters escaped.

    Raises
    ------
    MissingExtraError
        rich is not installed.
    """
    try:
        from rich import box
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text
    except ModuleNotFoundError:
        raise MissingExtraError("rich", extra="cli", purpose="A table for the terminal") from None

    sheet = _sheet(result.to_dict())
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column, title in enumerate(sheet.header):
        if column < sheet.names:
            whole = column < sheet.whole
            least = (
                _widest(title, sheet, column) if whole else min(8, _widest(title, sheet, column))
            )
            table.add_column(Text(title), overflow="fold", no_wrap=whole, min_width=least)
        else:
            folded = _BREAKS.sub("\n", title)
            least = _widest(folded, sheet, column)
            table.add_column(Text(folded), justify="right", no_wrap=True, min_width=least)
    for row in sheet.rows:
        table.add_row(*map(Text, row))
    return Group(table, Text(), *map(Text, sheet.notes))


def to_markdown(result: Evaluation | MeasureList) -> str:
    """A result as a Markdown table with notes below it."""
    sheet = _sheet(result.to_dict())
    names = sheet.names
    cells = [tuple(map(_escaped, sheet.header))]
    cells += [(*map(_escaped, row[:names]), *row[names:]) for row in sheet.rows]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = [
            cell.ljust(width) if column < names else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(f"| {' | '.join(padded)} |")
    rule = [
        "-" * width if column < names else "-" * (width - 1) + ":"
        for column, width in enumerate(widths)
    ]
    lines.insert(1, f"| {' | '.join(rule)} |")
    for note in sheet.notes:
        lines += ["", _escaped(note)]
    return "\n".join(lines) + "\n"


def to_csv(result: Evaluation | MeasureList) -> str:
    """A result as CSV: one line a row, every digit; what is not defined is an empty field.

    The column `group` is there if an evaluation was made by groups.
    """
    data = result.to_dict()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if "rows" in data:
        hidden = "group" if data["by"] is None else None
        rows = [{k: v for k, v in row.items() if k != hidden} for row in data["rows"]]
    else:
        rows = [
            measure | {"options": _options(measure), "parts": ", ".join(measure["parts"])}
            for measure in data["measures"]
        ]
    if rows:
        writer.writerow(rows[0])
    for row in rows:
        writer.writerow("" if _is_nan(value) else value for value in row.values())
    return text.getvalue()


def notes(evaluation: Evaluation) -> tuple[str, ...]:
    """What should be said beside the numbers, for formats that hold numbers only."""
    data = evaluation.to_dict()
    return tuple(_missing_notes(data["missing"]) + _reversed_notes(data))


def printable(value: object) -> str:
    """A name on one line, harmless to a terminal: what cannot be printed is escaped."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in str(value)
    )


def _sheet(data: dict[str, Any]) -> _Sheet:
    return _evaluation_sheet(data) if "rows" in data else _measures_sheet(data["measures"])


def _measures_sheet(measures: list[dict[str, Any]]) -> _Sheet:
    return _Sheet(
        header=("measure", "options", "range", "meaning", "reference"),
        names=5,
        whole=1,
        rows=tuple(
            (
                measure["name"],
                _options(measure),
                f"{_end(measure['low'])} to {_end(measure['high'])}"
                + (", lower is better" if measure["better"] == "lower" else ""),
                measure["meaning"] + _remarks(measure),
                measure["reference"],
            )
            for measure in measures
        ),
        notes=(
            "Print them with: roclab evaluate FILE --label COLUMN --measures "
            '"NAME,NAME(OPTION=VALUE)"',
            'Options without a value must be given: "margin_auc(margin=0.2)".',
        ),
    )


def _options(measure: dict[str, Any]) -> str:
    return ", ".join(
        option["name"] if option["required"] else f"{option['name']}={option['default']!r}"
        for option in measure["options"]
    )


def _remarks(measure: dict[str, Any]) -> str:
    remarks = [f"parts: {', '.join(measure['parts'])}"] if measure["parts"] else []
    remarks += [_NEEDS[measure["scores"]]] if measure["scores"] in _NEEDS else []
    return f" ({'; '.join(remarks)})" if remarks else ""


def _end(value: float) -> str:
    return f"{value:g}".replace("inf", "infinity")


def _evaluation_sheet(data: dict[str, Any]) -> _Sheet:
    rows: list[dict[str, Any]] = data["rows"]
    measure, ends = "AUC", "interval"
    if rows:
        measure = _MEASURES[rows[0]["measure"]]
        ends = f"{_percent(rows[0]['confidence_level'])} interval"
    groups = () if data["by"] is None else (printable(data["by"]),)
    digits = _digits(rows)
    further = data["measures"]
    return _Sheet(
        header=(*groups, "model", measure, ends, "n+", "n-", *further),
        names=len(groups) + 1,
        rows=tuple(
            (*_cells(row, bool(groups), digits), *(_number(row[name], digits) for name in further))
            for row in rows
        ),
        notes=tuple(
            _method_notes(rows)
            + _undefined_notes(rows)
            + _reversed_notes(data)
            + _missing_notes(data["missing"])
            + _skipped_notes(data["missing"])
        ),
    )


def _cells(row: dict[str, Any], grouped: bool, digits: int) -> tuple[str, ...]:
    value, low, high = row["value"], row["low"], row["high"]
    if _is_nan(value):
        interval = ""
    elif _is_nan(low):
        interval = _UNDEFINED
    else:
        interval = f"[{low:.{digits}f}, {high:.{digits}f}]"
    return (
        *((printable(row["group"]),) if grouped else ()),
        printable(row["model"]),
        _number(value, digits),
        interval,
        f"{row['n_pos']:,}",
        f"{row['n_neg']:,}",
    )


def _number(value: float, digits: int) -> str:
    return _UNDEFINED if _is_nan(value) else f"{value:.{digits}f}"


def _digits(rows: Sequence[dict[str, Any]]) -> int:
    """As many decimals as give the narrowest interval two different figures, three at least."""
    fewest, most = _DIGITS
    widths = [row["high"] - row["low"] for row in rows]
    narrowest = min((width for width in widths if width > 0), default=1.0)
    return min(most, max(fewest, 1 - math.floor(math.log10(narrowest))))


def _method_notes(rows: Sequence[dict[str, Any]]) -> list[str]:
    kinds = dict.fromkeys((row["confidence_level"], row["method"]) for row in rows)
    return [
        f"{_percent(level)} confidence intervals, method {method}; "
        "n+, n-: positive, negative examples."
        for level, method in kinds
    ]


def _undefined_notes(rows: Sequence[dict[str, Any]]) -> list[str]:
    found = []
    if any(_is_nan(row["value"]) for row in rows):
        found.append("Undefined AUC: a class has no examples.")
    if any(_is_nan(row["low"]) and not _is_nan(row["value"]) for row in rows):
        found.append("Undefined interval: fewer than two examples of a class.")
    return found


def _reversed_notes(data: dict[str, Any]) -> list[str]:
    names = [
        printable(row["model"])
        + (f" ({printable(row['group'])})" if data["by"] is not None else "")
        for row in data["rows"]
        if row["high"] < 0.5
    ]
    if not names:
        return []
    return [f"Whole interval below one half: {listed(names)}. Are the scores reversed?"]


def _missing_notes(missing: dict[str, Any]) -> list[str]:
    if not missing["rows_dropped"]:
        return []
    counts = sorted(missing["by_column"].items(), key=lambda item: -item[1])
    columns = listed(f"{printable(name)} {count:,}" for name, count in counts)
    return [
        f"{missing['rows_dropped']:,} of {missing['rows_read']:,} rows left out; values missing: "
        f"{columns}.",
    ]


def _skipped_notes(missing: dict[str, Any]) -> list[str]:
    skipped = [printable(name) for name in missing["columns_skipped"]]
    return [f"Not numeric, so not taken for scores: {listed(skipped)}."] if skipped else []


def _percent(level: float) -> str:
    return f"{100 * level:.10g} %"


def _escaped(cell: str) -> str:
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", cell)


def _widest(title: str, sheet: _Sheet, column: int) -> int:
    return max(map(len, (*title.split("\n"), *(row[column] for row in sheet.rows))))


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)
