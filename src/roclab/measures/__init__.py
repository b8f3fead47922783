"""Measures: numbers read off a ranking."""

from roclab.measures.area import auc, gini
from roclab.measures.calibration import (
    CalibrationError,
    calibration_error,
)
from roclab.measures.coherent import h_measure, ks_statistic
from roclab.measures.cost import expected_cost
from roclab.measures.fixed_error import (
    AUCGivenErrors,
    auc_given_errors,
)
from roclab.measures.granular import GranularAUC, granular_auc, lambda_auc
from roclab.measures.granular_rho import GranularParts, granular_parts, rho_auc
from roclab.measures.measure import (
    MEASURES,
    Measure,
    MeasureFunction,
    MeasureList,
    list_measures,
)
from roclab.measures.multiclass import (
    multiclass_auc,
)
from roclab.measures.options import MeasureOption
from roclab.measures.partial import partial_auc
from roclab.measures.probabilistic import probabilistic_auc, soft_auc
from roclab.measures.probability import (
    BrierParts,
    accuracy,
    brier_parts,
    brier_score,
    log_loss,
)
from roclab.measures.retrieval import (
    average_precision,
    average_precision_gain,
    capture_at,
    lift_at,
    precision_at,
)
from roclab.measures.scored import ScoredParts, margin_auc, scored_auc, scored_parts
from roclab.measures.specification import find_measure, find_measures, word_of
from roclab.measures.stratified import stratified_auc

__all__ = [
    "MEASURES",
    "AUCGivenErrors",
    "BrierParts",
    "CalibrationError",
    "GranularAUC",
    "GranularParts",
    "Measure",
    "MeasureFunction",
    "MeasureList",
    "MeasureOption",
    "ScoredParts",
    "accuracy",
    "auc",
    "auc_given_errors",
    "average_precision",
    "average_precision_gain",
    "brier_parts",
    "brier_score",
    "calibration_error",
    "capture_at",
    "expected_cost",
    "find_measure",
    "find_measures",
    "gini",
    "granular_auc",
    "granular_parts",
    "h_measure",
    "ks_statistic",
    "lambda_auc",
    "lift_at",
    "list_measures",
    "log_loss",
    "margin_auc",
    "multiclass_auc",
    "partial_auc",
    "precision_at",
    "probabilistic_auc",
    "rho_auc",
    "scored_auc",
    "scored_parts",
    "soft_auc",
    "stratified_auc",
    "word_of",
]
