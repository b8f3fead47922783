"""Documents of estimates without labels."""

from __future__ import annotations

from roclab.inference.label_free import ExpectedAUC
from roclab.report.document import Document, Note, document, with_fields
from roclab.report.formats import number, p_equals

_SIGNIFICANT = 0.05


@document.register
def _(result: ExpectedAUC) -> Document:
    notes = [Note(repr(result)), *_calibration(result)]
    text = "It cannot detect a change of the relation between features and labels."
    return with_fields(result, *notes, Note(text, severity="warning"))


def _calibration(result: ExpectedAUC) -> list[Note]:
    """Whether the assumption was checked, and with what result."""
    check = result.check
    if check is None:
        text = f"Not checked: that {result.assumption}. Pass rows with labels to check it."
        return [Note(text, severity="warning")]
    notes = [Note(f"Spiegelhalter's test of calibration: {p_equals(check.pvalue)}.")]
    error = check.expected - check.observed.value
    if check.pvalue < _SIGNIFICANT:
        side = "high" if error > 0 else "low"
        text = (
            f"On the labelled rows the probabilities are not calibrated, and the expected AUC is "
            f"{number(3)(abs(error))} too {side}."
        )
        notes.append(Note(text, severity="warning"))
    return notes
