"""A document as an HTML fragment, for notebooks."""

from __future__ import annotations

from html import escape

from roclab.report.document import Document, Table
from roclab.report.svg import to_svg


def to_html(document: Document) -> str:
    """The first picture, tables, and notes below them; every text is escaped."""
    pictures = [to_svg(figure) for figure in document.figures[:1]]
    tables = [_table(table) for table in document.tables if table.visible]
    notes = [f"<p>{escape(note.text)}</p>" for note in document.notes]
    return f'<div class="roclab">{"".join([*pictures, *tables, *notes])}</div>'


def _table(table: Table) -> str:
    styles = [
        ' style="text-align:right"' if column.kind == "number" else ' style="text-align:left"'
        for column in table.columns
    ]
    title = "" if table.title is None else f"<caption>{escape(table.title)}</caption>"
    head = "".join(
        f'<th{style} title="{escape(column.meaning)}">{escape(column.title)}</th>'
        for style, column in zip(styles, table.columns, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td{style}>{escape(cell)}</td>" for style, cell in zip(styles, row, strict=True)
        )
        + "</tr>"
        for row in table.cells
    )
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
