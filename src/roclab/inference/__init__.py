"""Inference: how sure the numbers are."""

from roclab.inference.bands.average_roc import AverageROC, average_roc
from roclab.inference.bands.binormal import BinormalFit, binormal_fit
from roclab.inference.bands.roc_band import ROCBand, roc_band
from roclab.inference.comparison.auc_tests import (
    AUCComparison,
    compare_auc,
    compare_independent_auc,
    compare_to_value,
)
from roclab.inference.comparison.pairwise import (
    Comparison,
    GroupedComparison,
    ModelPair,
    ModelValue,
    Omnibus,
    compare,
)
from roclab.inference.evaluation import Evaluation, EvaluationRow, evaluate
from roclab.inference.folds.cross_validation import CrossValidatedAUC, FoldAUC, cross_validated_auc
from roclab.inference.folds.fold_scores import FoldScores, fold_scores
from roclab.inference.intervals.any_measure import interval
from roclab.inference.intervals.auc import auc_interval
from roclab.inference.intervals.interval import Interval
from roclab.inference.intervals.operating_point import (
    OperatingPointInterval,
    operating_point_interval,
    sensitivity_at,
    specificity_at,
)
from roclab.inference.intervals.scored_auc import scored_auc_interval
from roclab.inference.intervals.stratified import StratifiedInterval, stratified_auc_interval
from roclab.inference.planning.study import (
    AUCPlan,
    PowerSimulation,
    auc_power,
    auc_sample_size,
    plan_auc_study,
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
