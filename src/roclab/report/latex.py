"""A document as LaTeX."""

from __future__ import annotations

import re

from roclab.report.document import Document, Table

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # Characters that pdflatex has no glyph for in its default fonts.
    "\N{MINUS SIGN}": "$-$",
    "\N{LESS-THAN OR EQUAL TO}": r"$\leq$",
    "\N{GREATER-THAN OR EQUAL TO}": r"$\geq$",
    "\N{INFINITY}": r"$\infty$",
}
_MARKS = re.compile("|".join(map(re.escape, _SPECIAL)))
# The sign of a number; a hyphen inside a name stays one.
_SIGN = re.compile(r"(?<![\w.-])-(?=[\d.])")


def to_latex(document: Document) -> str:
    """Tables with the rules of the package booktabs, and notes below them."""
    blocks = []
    for table in document.tables:
        if table.visible:
            title = "" if table.title is None else f"{_escaped(table.title)}\n\n"
            blocks.append(title + _table(table))
    head = "% \\usepackage{booktabs}\n" * bool(blocks)
    return head + "\n\n".join([*blocks, *(_escaped(note.text) for note in document.notes)]) + "\n"


def _table(table: Table) -> str:
    sides = "".join("r" if column.kind == "number" else "l" for column in table.columns)
    rows = [
        [
            _number(cell) if column.kind == "number" else _escaped(cell)
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in table.cells
    ]
    header, *lines = map(_line, [[_escaped(column.title) for column in table.columns], *rows])
    body = "\n".join((r"\toprule", header, r"\midrule", *lines, r"\bottomrule"))
    return f"\\begin{{tabular}}{{{sides}}}\n{body}\n\\end{{tabular}}"


def _line(cells: list[str]) -> str:
    first, *others = cells
    # In braces, or it would be an argument of the line's end above it.
    first = f"{{{first}}}" if first.startswith(("[", "*")) else first
    return " & ".join([first, *others]) + r" \\"


def _number(cell: str) -> str:
    return _SIGN.sub("$-$", _escaped(cell))


def _escaped(text: str) -> str:
    return _MARKS.sub(lambda mark: _SPECIAL[mark[0]], text)
