"""Inference: how sure the numbers are."""

from roclab.inference.any_measure import interval
from roclab.inference.auc import auc_interval
from roclab.inference.evaluation import Evaluation, EvaluationRow, evaluate
from roclab.inference.interval_result import Interval
from roclab.inference.scored_auc import scored_auc_interval

__all__ = [
    "Evaluation",
    "EvaluationRow",
    "Interval",
    "auc_interval",
    "evaluate",
    "interval",
    "scored_auc_interval",
]
