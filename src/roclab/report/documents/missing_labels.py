"""Documents of bounds over missing labels."""

from __future__ import annotations

from roclab.inference.missing_labels import MissingLabelBounds
from roclab.report.document import Document, Note, document, with_fields
from roclab.report.formats import number, percent


@document.register
def _(result: MissingLabelBounds) -> Document:
    notes = [Note(repr(result))]
    if result.confidence_level is not None:
        ends = f"{number(3)(result.interval_low)} to {number(3)(result.interval_high)}"
        level = percent(result.confidence_level)
        notes.append(Note(f"With sampling error, {level} confidence: {ends}."))
    return with_fields(result, *notes)
