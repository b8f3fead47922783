"""Inference: how sure the numbers are."""

from roclab.inference.any_measure import interval
from roclab.inference.auc import auc_interval
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
from roclab.inference.scored_auc import scored_auc_interval
from roclab.inference.stratified import StratifiedInterval, stratified_auc_interval
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
    "Comparison",
    "Evaluation",
    "EvaluationRow",
    "GroupedComparison",
    "Interval",
    "ModelPair",
    "ModelValue",
    "Omnibus",
    "PowerSimulation",
    "StratifiedInterval",
    "auc_interval",
    "auc_power",
    "auc_sample_size",
    "compare",
    "compare_auc",
    "compare_independent_auc",
    "compare_to_value",
    "evaluate",
    "interval",
    "plan_auc_study",
    "scored_auc_interval",
    "stratified_auc_interval",
]
