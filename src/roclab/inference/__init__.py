"""Inference: how sure the numbers are."""

from roclab.inference.evaluation import Evaluation, EvaluationRow, evaluate
from roclab.inference.interval import AUCInterval, auc_interval

__all__ = ["AUCInterval", "Evaluation", "EvaluationRow", "auc_interval", "evaluate"]
