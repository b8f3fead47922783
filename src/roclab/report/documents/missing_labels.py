"""Documents of results about missing labels."""

from __future__ import annotations

from roclab.inference.missing_labels import AUCBounds, ExpectedAUC
from roclab.report.document import Document, Note, document, with_fields
from roclab.report.formats import number, p_equals, percent


@document.register
def _(result: AUCBounds) -> Document:
    notes = [Note(repr(result))]
    if result.confidence_level is not None:
        ends = f"{number(3)(result.interval_low)} to {number(3)(result.interval_high)}"
        level = percent(result.confidence_level)
        notes.append(Note(f"With sampling error, {level} confidence: {ends}."))
    return with_fields(result, *notes)


@document.register
def _(result: ExpectedAUC) -> Document:
    notes = [Note(repr(result))]
    if result.check is not None:
        test = p_equals(result.check.pvalue)
        notes.append(Note(f"Spiegelhalter's test of calibration: {test}."))
    text = (
        "It assumes calibrated probabilities and cannot detect a change of the relation between "
        "features and labels."
    )
    return with_fields(result, *notes, Note(text, severity="warning"))
