"""Inference: how sure the numbers are."""

from roclab.inference.any_measure import interval
from roclab.inference.auc import auc_interval
from roclab.inference.average_roc import AverageROC, average_roc
from roclab.inference.binormal import BinormalFit, binormal_fit
from roclab.inference.comparison import (
    AUCComparison,
    compare_auc,
    compare_independent_auc,
    compare_to_value,
)
from roclab.inference.cross_validation import CrossValidatedAUC, FoldAUC, cross_validated_auc
from roclab.inference.evaluation import Evaluation, EvaluationRow, evaluate
from roclab.inference.fold_scores import FoldScores, fold_scores
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
    "AverageROC",
    "BinormalFit",
    "Comparison",
    "CrossValidatedAUC",
    "Evaluation",
    "EvaluationRow",
    "FoldAUC",
    "FoldScores",
    "GroupedComparison",
    "Interval",
    "ModelPair",
    "ModelValue",
    "Omnibus",
    "OperatingPointInterval",
    "PowerSimulation",
    "ROCBand",
    "StratifiedInterval",
    "auc_interval",
    "auc_power",
    "auc_sample_size",
    "average_roc",
    "binormal_fit",
    "compare",
    "compare_auc",
    "compare_independent_auc",
    "compare_to_value",
    "cross_validated_auc",
    "evaluate",
    "fold_scores",
    "interval",
    "operating_point_interval",
    "plan_auc_study",
    "roc_band",
    "scored_auc_interval",
    "sensitivity_at",
    "specificity_at",
    "stratified_auc_interval",
]
