"""Inference: how sure the numbers are."""

from roclab.inference.any_measure import interval
from roclab.inference.auc import auc_interval
from roclab.inference.binormal import BinormalFit, binormal_fit
from roclab.inference.comparison import (
    AUCComparison,
    compare_auc,
    compare_independent_auc,
    compare_to_value,
)
from roclab.inference.evaluation import Evaluation, EvaluationRow, evaluate
from roclab.inference.interval_result import Interval
from roclab.inference.power import (
    AUCPlan,
    PowerSimulation,
    auc_power,
    auc_sample_size,
    plan_auc_study,
)
from roclab.inference.rate_interval import (
    OperatingPointInterval,
    operating_point_interval,
    sensitivity_at,
    specificity_at,
)
from roclab.inference.roc_band import ROCBand, roc_band
from roclab.inference.scored_auc import scored_auc_interval
from roclab.inference.table_comparison import (
    Comparison,
    GroupedComparison,
    ModelPair,
    ModelValue,
    Omnibus,
    compare,
)

__all__ = [
    "AUCComparison",
    "AUCPlan",
    "BinormalFit",
    "Comparison",
    "Evaluation",
    "EvaluationRow",
    "GroupedComparison",
    "Interval",
    "ModelPair",
    "ModelValue",
    "Omnibus",
    "OperatingPointInterval",
    "PowerSimulation",
    "ROCBand",
    "auc_interval",
    "auc_power",
    "auc_sample_size",
    "binormal_fit",
    "compare",
    "compare_auc",
    "compare_independent_auc",
    "compare_to_value",
    "evaluate",
    "interval",
    "operating_point_interval",
    "plan_auc_study",
    "roc_band",
    "scored_auc_interval",
    "sensitivity_at",
    "specificity_at",
]
