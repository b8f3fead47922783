"""The main table of a document as CSV."""

from __future__ import annotations

import csv
import io
import math

from roclab.report.document import Document


def to_csv(document: Document) -> str:
    """One line a record, every digit; an undefined value is an empty field."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    table = document.main_table
    if table.header:
        writer.writerow(table.header)
        for record in table.records:
            writer.writerow("" if _undefined(value) else value for value in record.values())
    return text.getvalue()


def _undefined(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)
