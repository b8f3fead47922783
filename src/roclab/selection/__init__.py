"""Selection: choose among models on little data, and know how sure the choice is.

A module for each noun: `select` (the choice among scored models), `model_selection` (its outcome),
`criterion` (what is chosen by) and `contenders` (which models may be the best). For searches of
scikit-learn: `scorer` (a measure as it scores models) and `scorer_registry` (all of them by word),
which load scikit-learn, and `simplest_contender` (which candidate of a search to refit).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from roclab.selection.model_selection import ModelSelection, ModelStanding
from roclab.selection.select import select_model
from roclab.selection.simplest_contender import SimplestContender

if TYPE_CHECKING:
    from roclab.selection.scorer import MeasureScorer
    from roclab.selection.scorer_registry import ScorerRegistry, scorers

__all__ = [
    "MeasureScorer",
    "ModelSelection",
    "ModelStanding",
    "ScorerRegistry",
    "SimplestContender",
    "scorers",
    "select_model",
]

_HOMES = {
    "MeasureScorer": "roclab.selection.scorer",
    "ScorerRegistry": "roclab.selection.scorer_registry",
    "scorers": "roclab.selection.scorer_registry",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'roclab.selection' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
