"""ROC analysis for people who ship classifiers: exact, with error bars."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

# Where each public name lives. Rooms are imported when a name of theirs is first used, so that
# `import roclab` is quick and brings in no optional package.
_HOMES = {
    "roclab.curves": (
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
    ),
    "roclab.errors": (
        "ColumnError",
        "DegenerateIntervalWarning",
        "FileFormatError",
        "InputError",
        "MissingExtraError",
        "RoclabError",
        "SerializationError",
        "UndefinedMeasureWarning",
    ),
    "roclab.inference": (
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
    ),
    "roclab.learning": ("AUCSplitTreeClassifier", "AUCtronClassifier", "MSEtronClassifier"),
    "roclab.measures": (
        "AUCGivenErrors",
        "BrierParts",
        "CalibrationError",
        "GranularAUC",
        "GranularParts",
        "Measure",
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
    ),
    "roclab.ranking": ("Ranking",),
    "roclab.readers": ("read_scores",),
    "roclab.repair": (
        "CheckedRepair",
        "PointRepairedClassifier",
        "RepairDecision",
        "RepairExplanation",
        "RepairedClassifierCV",
        "RepairedSection",
        "ScoreRepair",
        "SectionEffect",
        "checked_repair",
        "concavities",
        "repair_point",
        "repair_section",
    ),
    "roclab.report": ("plot",),
    "roclab.selection": (
        "MeasureScorer",
        "ModelSelection",
        "ModelStanding",
        "ScorerRegistry",
        "SimplestContender",
        "scorers",
        "select_model",
    ),
    "roclab.streaming": (
        "AUCBounds",
        "Alarm",
        "ApproximateWindowAUC",
        "BlockCUSUM",
        "BlockDriftTest",
        "CompressedRanking",
        "CumulativeAUC",
        "DecayedAUC",
        "JoinCounts",
        "LabelledScore",
        "PendingLabels",
        "RiverAUC",
        "SegmentInterval",
        "SegmentedWindow",
        "StreamingAUC",
        "TimeWindowAUC",
        "WindowAUC",
        "compressed_ranking",
    ),
    "roclab.summary": ("RangeSummary",),
    "roclab.table": ("MissingValues", "ScoreTable"),
}
# Rooms with names of their own that are not at the top level: rl.datasets.load.
_ROOMS = ("datasets", "learning")
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

# For type checkers the names are in __init__.pyi.
__all__ = sorted(_HOME_OF)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"roclab.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'roclab' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
