"""Documents of curves."""

from __future__ import annotations

import numpy as np

from roclab.curves import ROCCurve, ROCHull
from roclab.report.document import Document, Figure, Line, document, with_fields


@document.register
def _(result: ROCCurve) -> Document:
    area = np.sum(np.diff(result.fpr) * (result.tpr[1:] + result.tpr[:-1])) / 2
    line = Line(x=result.fpr, y=result.tpr, label=f"AUC {area:.3f}")
    return with_fields(result, Figure(series=(line,)))


@document.register
def _(result: ROCHull) -> Document:
    label = f"hull, AUC {result.auc:.3f}"
    line = Line(x=result.fpr, y=result.tpr, label=label, role="reference", markers=True)
    return with_fields(result, Figure(series=(line,)))
