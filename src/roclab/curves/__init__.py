"""Curves: what a ranking shows at every threshold."""

from roclab.curves.cost import CostCurve, cost_curve
from roclab.curves.granular import GranularROC, granular_roc
from roclab.curves.hull import Concavity, ROCHull, roc_hull
from roclab.curves.margin import MarginCurve, margin_curve
from roclab.curves.operating import OperatingPoint, OperatingPoints, operating_points
from roclab.curves.precision_recall import (
    PrecisionRecallCurve,
    PrecisionRecallGainCurve,
    precision_recall_curve,
    precision_recall_gain_curve,
)
from roclab.curves.roc import ROCCurve, roc_curve

__all__ = [
    "Concavity",
    "CostCurve",
    "GranularROC",
    "MarginCurve",
    "OperatingPoint",
    "OperatingPoints",
    "PrecisionRecallCurve",
    "PrecisionRecallGainCurve",
    "ROCCurve",
    "ROCHull",
    "cost_curve",
    "granular_roc",
    "margin_curve",
    "operating_points",
    "precision_recall_curve",
    "precision_recall_gain_curve",
    "roc_curve",
    "roc_hull",
]
