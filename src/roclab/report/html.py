"""A document as an HTML fragment, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from roclab.report.document import Column, Document, Table
from roclab.report.formats import decimals_for, interval, number, percent, plain
from roclab.report.svg import to_svg

_MOST_COLUMNS = 7
_UNSAID = (("alternative", "two-sided"), ("paired", True))  # what is usual
_RIGHT = "text-align:right;white-space:nowrap;padding:2px 8px"
_LEFT = "text-align:left;padding:2px 8px"


def to_html(document: Document) -> str:
    """The first picture, tables, and notes below them; every text is escaped.

    A result without a table that people see shows its fields, in rows of seven.
    """
    pictures = [to_svg(figure) for figure in document.figures[:1]]
    tables = [_table(table) for table in document.tables if table.visible and table.records]
    tables = tables or [_fields(document.tables)]
    notes = [f"<p>{escape(note.text)}</p>" for note in document.notes]
    return f'<div class="roclab">{"".join([*pictures, *tables, *notes])}</div>'


def _fields(tables: list[Table]) -> str:
    """The values of tables of one record, as the first table has them; an estimate comes first."""
    values: dict[str, Any] = {}
    for table in tables:
        for record in table.records if len(table.records) == 1 else ():
            values = {**record, **values}
    values = {name: value for name, value in values.items() if (name, value) not in _UNSAID}
    values = {name: value for name, value in values.items() if value is not None}
    first = _estimate(values)
    used = {key for column in first for key in column.keys}
    used |= {"confidence_level"} if len(first) > 1 else set()
    columns = [*first, *(_column(name, values[name]) for name in values if name not in used)]
    starts = range(0, len(columns), _MOST_COLUMNS)
    parts = [tuple(columns[start : start + _MOST_COLUMNS]) for start in starts]
    return "".join(_table(Table(name="fields", records=(values,), columns=one)) for one in parts)


def _estimate(values: Mapping[str, Any]) -> list[Column]:
    """The columns of a value or a difference and its interval, after what was measured."""
    name = next((name for name in ("value", "difference") if name in values), None)
    if name is None:
        return []
    found = [Column("measure", ("measure",), plain, kind="name")] if "measure" in values else []
    if not {"low", "high"} <= values.keys():
        return [*found, Column(name, (name,), plain)]
    digits = 1 + decimals_for([values["high"] - values["low"]])
    level = values.get("confidence_level")
    title = "interval" if level is None else f"{percent(level)} interval"
    return [
        *found,
        Column(name, (name,), number(digits)),
        Column(title, ("low", "high"), interval(digits)),
    ]


def _column(name: str, value: Any) -> Column:
    return Column(
        name.replace("_", " "), (name,), plain, kind="name" if isinstance(value, str) else "number"
    )


def _table(table: Table) -> str:
    styles = [
        f' style="{_RIGHT if column.kind == "number" else _LEFT}"' for column in table.columns
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
