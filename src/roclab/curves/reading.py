"""Rates of a ROC curve between its points, where it is linear."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from roclab.curves.roc import ROCCurve

Floats = npt.NDArray[np.float64]

# Rates are rounded: a place that the curve misses by less is reached.
_SLACK = 1e-12


def tpr_at(curve: ROCCurve, fpr: Floats, *, lowest: bool = False) -> Floats:
    """The TPR at each FPR: the highest where the curve is vertical, or the lowest."""
    return _read(fpr, curve.fpr, curve.tpr, first=lowest)


def fpr_at(curve: ROCCurve, tpr: Floats) -> Floats:
    """The lowest FPR that reaches each TPR."""
    return _read(tpr, curve.tpr, curve.fpr, first=True)


def tpr_along(curve: ROCCurve, places: Floats, *, across: float, up: float) -> Floats:
    """The TPR where ``across * fpr + up * tpr`` has each of the values; both factors positive."""
    return _read(places, across * curve.fpr + up * curve.tpr, curve.tpr, first=False)


def _read(wanted: Floats, along: Floats, rates: Floats, *, first: bool) -> Floats:
    """The rate where a rising column first, or last, reaches the wanted values."""
    slack = _SLACK * along[-1]
    end = (
        along.searchsorted(wanted - slack, "left")
        if first
        else along.searchsorted(wanted + slack, "right")
    )
    after = np.clip(end, 1, len(along) - 1)
    before = after - 1
    step = along[after] - along[before]
    share = np.divide(wanted - along[before], step, out=np.ones_like(wanted), where=step > 0)
    between = rates[before] + np.clip(share, 0, 1) * (rates[after] - rates[before])
    inside = np.where(end == len(along), rates[-1], between)
    return np.asarray(np.where(end == 0, rates[0], inside))
