"""A document as an HTML fragment, for notebooks."""

from __future__ import annotations

from html import escape

from roclab.report.document import Column, Document, Table
from roclab.report.formats import plain
from roclab.report.svg import to_svg


def to_html(document: Document) -> str:
    """The first picture, tables, and notes below them; every text is escaped.

    A result without a table that people see shows its fields, one a row.
    """
    pictures = [to_svg(figure) for figure in document.figures[:1]]
    tables = [_table(table) for table in document.tables if table.visible and table.records]
    tables = tables or [_fields(document.tables)]
    notes = [f"<p>{escape(note.text)}</p>" for note in document.notes]
    return f'<div class="roclab">{"".join([*pictures, *tables, *notes])}</div>'


def _fields(tables: list[Table]) -> str:
    """The values of tables of one record, one below the other, as the first table has them."""
    values: dict[str, object] = {}
    for table in tables:
        for record in table.records if len(table.records) == 1 else ():
            values = {**record, **values}
    records = tuple(
        {"field": name, "value": value} for name, value in values.items() if value is not None
    )
    columns = (Column("field", ("field",), plain, kind="name"), Column("value", ("value",), plain))
    return _table(Table(name="fields", records=records, columns=columns))


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
