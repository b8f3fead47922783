"""A document as Markdown, or as plain text."""

from __future__ import annotations

import re

from roclab.report.document import Document, Table

# What Markdown takes for formatting inside a line; `_` only where it is not inside a word.
_MARKS = re.compile(r"[\\`*<>\[\]|~$&]|(?<![^\W_])_|_(?![^\W_])")


def to_markdown(document: Document) -> str:
    """Tables, with notes below them."""
    blocks = []
    for table in document.tables:
        if table.visible:
            blocks += [_escaped(table.title)] if table.title is not None else []
            blocks.append(_table(table))
    return "\n\n".join([*blocks, *(_escaped(note.text) for note in document.notes)]) + "\n"


def _table(table: Table) -> str:
    names = [column.kind != "number" for column in table.columns]
    rows = [tuple(_escaped(column.title) for column in table.columns)]
    rows += [
        tuple(_escaped(cell) if named else cell for cell, named in zip(row, names, strict=True))
        for row in table.cells
    ]
    widths = [max(3, *map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * w if n else "-" * (w - 1) + ":" for w, n in zip(widths, names, strict=True)]
    first, *others = (f"| {' | '.join(row)} |" for row in _aligned(rows, widths, names))
    return "\n".join([first, f"| {' | '.join(rule)} |", *others])


def to_text(document: Document) -> str:
    """Plain text: what `print` shows of a result."""
    blocks = []
    for table in document.tables:
        if table.visible:
            names = [column.kind != "number" for column in table.columns]
            rows = [tuple(column.title for column in table.columns), *table.cells]
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            lines = ["  ".join(row).rstrip() for row in _aligned(rows, widths, names)]
            lines.insert(1, "-" * (sum(widths) + 2 * len(widths) - 2))
            blocks.append("\n".join(([table.title] if table.title is not None else []) + lines))
    notes = "\n".join(note.text for note in document.notes)
    return "\n\n".join([*blocks, *([notes] if notes else [])]) + "\n"


def _aligned(
    rows: list[tuple[str, ...]], widths: list[int], names: list[bool]
) -> list[tuple[str, ...]]:
    return [
        tuple(
            cell.ljust(width) if named else cell.rjust(width)
            for cell, width, named in zip(row, widths, names, strict=True)
        )
        for row in rows
    ]


def _escaped(cell: str) -> str:
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", cell)
