"""Text: tables for the terminal, Markdown, CSV."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from roclab.errors import MissingExtraError
from roclab.report import comparison, evaluation, measures, power, repair, selection
from roclab.report.sheet import Page, Sheet, is_nan

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from roclab.inference import AUCPlan, Comparison, Evaluation, GroupedComparison
    from roclab.measures import MeasureList
    from roclab.repair import CheckedRepair, RepairExplanation
    from roclab.selection import ModelSelection

    Result = (
        Evaluation
        | MeasureList
        | Comparison
        | GroupedComparison
        | CheckedRepair
        | RepairExplanation
        | ModelSelection
        | AUCPlan
    )

__all__ = ["notes", "to_csv", "to_markdown", "to_table"]

# Where the name of a measure may go on in the next line: before its options, each of them and its
# part.
_BREAKS = re.compile(r"(?<=\w)(?=\()|(?<=,) (?=[a-z]\w*=)|(?=\.[a-z]\w*$)")
# What Markdown takes for formatting inside a line; `_` only where it is not inside a word.
_MARKS = re.compile(r"[\\`*<>\[\]|~$&]|(?<![^\W_])_|_(?![^\W_])")


def to_table(result: Result) -> RenderableType:
    """A result as a rich renderable: tables with notes below them.

    Names are shown as they are, never read as rich's markup, with control characters escaped.

    Raises
    ------
    MissingExtraError
        rich is not installed.
    """
    try:
        from rich.console import Group
        from rich.text import Text
    except ModuleNotFoundError:
        raise MissingExtraError("rich", extra="cli", purpose="A table for the terminal") from None

    page = _page(result.to_dict(), matrix=True)
    parts: list[RenderableType] = []
    for sheet in page.sheets:
        parts += [Text(sheet.title)] if sheet.title is not None else []
        parts += [_laid_out(sheet), Text()]
    return Group(*parts, *map(Text, page.notes))


def _laid_out(sheet: Sheet) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column, title in enumerate(sheet.header):
        if column < sheet.names:
            whole = column < sheet.whole
            least = _widest(title, sheet, column)
            least = least if whole else min(8, least)
            table.add_column(Text(title), overflow="fold", no_wrap=whole, min_width=least)
        elif sheet.wraps:
            least = _widest("", sheet, column)
            table.add_column(Text(title), justify="right", overflow="fold", min_width=least)
        else:
            folded = _BREAKS.sub("\n", title)
            least = _widest(folded, sheet, column)
            table.add_column(Text(folded), justify="right", no_wrap=True, min_width=least)
    for row in sheet.rows:
        table.add_row(*map(Text, row))
    return table


def to_markdown(result: Result) -> str:
    """A result as Markdown tables with notes below them."""
    page = _page(result.to_dict(), matrix=False)
    blocks = []
    for sheet in page.sheets:
        blocks += [_escaped(sheet.title)] if sheet.title is not None else []
        blocks.append(_markdown_table(sheet))
    return "\n\n".join([*blocks, *map(_escaped, page.notes)]) + "\n"


def _markdown_table(sheet: Sheet) -> str:
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
    return "\n".join(lines)


def to_csv(result: Result) -> str:
    """A result as CSV: one line a row, every digit; what is not defined is an empty field.

    The column `group` is there if it was made by groups.
    """
    data = result.to_dict()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rows = _kind(data).records(data)
    if rows or _kind(data) in (comparison, repair):
        writer.writerow(rows[0] if rows else _kind(data).columns(data))
    for row in rows:
        writer.writerow("" if is_nan(value) else value for value in row.values())
    return text.getvalue()


def notes(
    result: Evaluation | Comparison | GroupedComparison | CheckedRepair | ModelSelection,
) -> tuple[str, ...]:
    """What should be said beside the numbers, for formats that hold numbers only."""
    data = result.to_dict()
    return tuple(_kind(data).warnings(data))


def _page(data: dict[str, Any], *, matrix: bool) -> Page:
    if _kind(data) is comparison:
        return comparison.page(data, matrix=matrix)
    page: Page = _kind(data).page(data)
    return page


def _kind(data: dict[str, Any]) -> Any:
    """The module that knows results of this kind."""
    if "contenders" in data:
        return selection
    if "decisions" in data or "affected" in data:
        return repair
    if "solved_for" in data:
        return power
    if "pairs" in data or "parts" in data:
        return comparison
    return evaluation if "rows" in data else measures


def _escaped(cell: str) -> str:
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", cell)


def _widest(title: str, sheet: Sheet, column: int) -> int:
    lines = [title, *(row[column] for row in sheet.rows)]
    return max(len(line) for text in lines for line in text.split("\n"))
