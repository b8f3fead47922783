"""Selection: scikit-learn searches by roclab's measures.

A module for each noun: `scorer` (a measure as scikit-learn scores models) and `scorer_registry`
(all of them by word), which need scikit-learn and load it; `simplest_contender` (which candidate of
a search to refit).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from roclab.selection.simplest_contender import SimplestContender

if TYPE_CHECKING:
    from roclab.selection.scorer import MeasureScorer
    from roclab.selection.scorer_registry import ScorerRegistry, scorers

__all__ = ["MeasureScorer", "ScorerRegistry", "SimplestContender", "scorers"]

_HOMES = {
    "MeasureScorer": "roclab.selection.scorer",
    "ScorerRegistry": "roclab.selection.scorer_registry",
    "scorers": "roclab.selection.scorer_registry",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'roclab.selection' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
