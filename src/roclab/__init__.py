"""ROC analysis for people who ship classifiers: exact, with error bars."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roclab.curves import ROCCurve, roc_curve
    from roclab.errors import (
        ColumnError,
        DegenerateIntervalWarning,
        FileFormatError,
        InputError,
        MissingExtraError,
        RoclabError,
        SerializationError,
        UndefinedMeasureWarning,
    )
    from roclab.inference import (
        AUCInterval,
        Evaluation,
        EvaluationRow,
        auc_interval,
        evaluate,
    )
    from roclab.measures import auc
    from roclab.ranking import Ranking
    from roclab.readers import read_scores
    from roclab.summary import RangeSummary
    from roclab.table import MissingValues, ScoreTable

__version__ = "0.1.0"

# Where each public name lives. Rooms are imported when a name of theirs is first used, so that
# `import roclab` is quick and brings in no optional package.
_HOMES = {
    "roclab.curves": ("ROCCurve", "roc_curve"),
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
        "AUCInterval",
        "Evaluation",
        "EvaluationRow",
        "auc_interval",
        "evaluate",
    ),
    "roclab.measures": ("auc",),
    "roclab.ranking": ("Ranking",),
    "roclab.readers": ("read_scores",),
    "roclab.summary": ("RangeSummary",),
    "roclab.table": ("MissingValues", "ScoreTable"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "AUCInterval",
    "ColumnError",
    "DegenerateIntervalWarning",
    "Evaluation",
    "EvaluationRow",
    "FileFormatError",
    "InputError",
    "MissingExtraError",
    "MissingValues",
    "ROCCurve",
    "RangeSummary",
    "Ranking",
    "RoclabError",
    "ScoreTable",
    "SerializationError",
    "UndefinedMeasureWarning",
    "auc",
    "auc_interval",
    "evaluate",
    "read_scores",
    "roc_curve",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'roclab' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
