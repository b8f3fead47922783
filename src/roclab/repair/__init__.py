"""Repair: concavities of a ROC curve, found, tested on other data and mended.

A module for each noun: `inversions` (concavities and their test), `section` and `score_repair` (the
map of scores), `fit` (which sections, from data), `checked` (keep only what holds up),
`explanation`, `point` (three classifiers made into a fourth), and `classifier` with `heldout` (all
of it around a scikit-learn classifier). Classifiers need scikit-learn, which is loaded with them
only.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from roclab.repair.checked import CheckedRepair, RepairDecision, checked_repair
from roclab.repair.explanation import RepairExplanation, SectionEffect
from roclab.repair.fit import repair_section
from roclab.repair.inversions import concavities
from roclab.repair.score_repair import ScoreRepair
from roclab.repair.section import RepairedSection

if TYPE_CHECKING:
    from roclab.repair.classifier import RepairedClassifierCV
    from roclab.repair.point import PointRepairedClassifier, repair_point

__all__ = [
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
]

_HOMES = {
    "PointRepairedClassifier": "roclab.repair.point",
    "RepairedClassifierCV": "roclab.repair.classifier",
    "repair_point": "roclab.repair.point",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'roclab.repair' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
