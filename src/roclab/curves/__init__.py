"""Curves: what a ranking shows at every threshold."""

from roclab.curves.roc import ROCCurve, roc_curve

__all__ = ["ROCCurve", "roc_curve"]
