"""A document on a terminal, laid out by rich; names that are too long are folded."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from roclab.errors import needs_extra
from roclab.formatting import one_line
from roclab.report.document import Document, Note, Table

if TYPE_CHECKING:
    import rich.table
    from rich.console import Group, RenderableType

# Where the specification of a measure may be broken: before its options, each of them and its part.
_BREAKS = re.compile(r"(?<=\w)(?=\()|(?<=,) (?=[a-z]\w*=)|(?=\.[a-z]\w*$)")


def to_terminal(document: Document, *, narrow: bool = False, stacked: bool = False) -> Group:
    """A rich renderable: tables, and notes below them.

    Names are shown literally, never read as rich's markup, with control characters escaped. If
    `narrow`, columns are closer to each other, their titles are broken at spaces, and tables that
    have blocks are shown in them. If `stacked`, intervals are below their values where a cell has
    both.

    Raises
    ------
    MissingExtraError
        rich is not installed.
    """
    with needs_extra("cli", "A table for the terminal", "rich"):
        from rich.console import Group
        from rich.text import Text

    parts: list[RenderableType] = []
    for table in document.tables:
        if table.visible:
            parts += [Text(table.title)] if table.title is not None else []
            if narrow and table.block:
                parts += _blocks(table)
                continue
            parts += [
                _matrix(table, narrow) if table.matrix else _list(table, narrow, stacked),
                Text(),
            ]
    return Group(*parts, *(Text(part.text) for part in document.parts if isinstance(part, Note)))


def least_width(shown: Group) -> int:
    """The width that a narrow renderable needs: less would cut a number."""
    from rich.table import Table

    tables = [part for part in shown.renderables if isinstance(part, Table)]
    widths = [[column.min_width or 0 for column in table.columns] for table in tables]
    return max((sum(columns) + 2 * (len(columns) - 1) for columns in widths), default=0)


def _new_table(narrow: bool) -> rich.table.Table:
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=narrow)


def _list(table: Table, narrow: bool, stacked: bool) -> rich.table.Table:
    from rich.text import Text

    laid_out, cells = _new_table(narrow), table.cells
    if stacked:
        numbers = [column.kind == "number" for column in table.columns]
        cells = [
            tuple(
                cell.replace(" [", "\n[") if number else cell
                for cell, number in zip(row, numbers, strict=True)
            )
            for row in cells
        ]
    for place, column in enumerate(table.columns):
        title = column.title if column.kind != "number" else _BREAKS.sub("\n", column.title)
        content = _widest(row[place] for row in cells)
        if narrow and column.kind == "number" and len(title) > content:
            title = title.replace(" ", "\n")
        widest = max(content, _widest([title]))
        if column.kind == "name":
            laid_out.add_column(Text(title), overflow="fold", min_width=min(8, widest))
        else:
            laid_out.add_column(
                Text(title),
                justify="right" if column.kind == "number" else "left",
                no_wrap=True,
                min_width=widest,
            )
    for row in cells:
        laid_out.add_row(*map(Text, row))
    return laid_out


def _blocks(table: Table) -> list[RenderableType]:
    """A block of lines for each record, folded at spaces."""
    from rich.padding import Padding
    from rich.text import Text

    blocks: list[RenderableType] = []
    for record in table.records[: table.shown]:
        first, *others = filter(None, (column.show(record) for column in table.block))
        below = [Padding(Text(one), (0, 0, 0, 4), expand=False) for one in others]
        blocks += [Text(first), *below, Text()]
    return blocks


def _matrix(table: Table, narrow: bool) -> rich.table.Table:
    """One field of the records as columns, another as rows, and all else in the cells."""
    from rich.text import Text

    across, down = table.matrix or ("", "")
    lines = [column for column in table.columns if not {across, down} & set(column.keys)]
    cells = {
        (record[down], record[across]): "\n".join(_line(c.title, c.show(record)) for c in lines)
        for record in table.records
    }
    columns = list(dict.fromkeys(record[across] for record in table.records))
    rows = list(dict.fromkeys(record[down] for record in table.records))
    laid_out = _new_table(narrow)
    corner = "difference\n(column - row)"
    laid_out.add_column(Text(corner), overflow="fold", min_width=8)
    for column in columns:
        widest = _widest(cells.get((row, column), "") for row in rows)
        title = Text(one_line(column))
        laid_out.add_column(title, justify="right", overflow="fold", min_width=widest)
    for row in rows:
        laid_out.add_row(*map(Text, [one_line(row), *(cells.get((row, c), "") for c in columns)]))
    return laid_out


def _line(title: str, cell: str) -> str:
    """A p-value says what it is; a difference and its interval do by themselves."""
    if not title.endswith("p") or not cell[:1].isdigit() | cell.startswith("<"):
        return cell
    return f"p {cell}" if cell.startswith("<") else f"p = {cell}"


def _widest(texts: Iterable[str]) -> int:
    return max((len(line) for text in texts for line in text.split("\n")), default=0)
