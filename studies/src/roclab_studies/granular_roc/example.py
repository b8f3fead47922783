"""The two classifiers of table 3 of Dong and others, in each reading of their algorithm."""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass

import numpy as np

import roclab as rl
from roclab_studies.granular_roc.readings import low_as_printed

GRANULARITY = 0.02
DECIMALS = 3
TRUTH = np.array([1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0], dtype=bool)
SCORES = {
    "A": "0.9 0.8 0.7 0.6 0.55 0.54 0.53 0.52 0.51 0.505 0.495 0.4 0.38 0.35 0.34 0.33 0.32 0.31 "
    "0.2 0.1",
    "B": "0.9 0.8 0.7 0.6 0.57 0.55 0.53 0.51 0.48 0.45 0.4 0.38 0.36 0.34 0.32 0.3 0.25 0.15 0.12 "
    "0.1",
}
# Classifier: AUC, lower and upper AUC as printed.
PRINTED = {"A": (0.69, 0.645, 0.735), "B": (0.69, 0.674, 0.691)}
# Reading: definition, and whether sums are decimal numbers or doubles.
DEFINITIONS = {
    "published, doubles": ("published", None),
    "published, decimals": ("published", DECIMALS),
    "clean, doubles": ("clean", None),
    "clean, decimals": ("clean", DECIMALS),
}
AS_PRINTED = "low as printed, doubles"


@dataclass(frozen=True, kw_only=True)
class Question:
    """A classifier and a reading."""

    classifier: str
    method: str

    @property
    def cost(self) -> float:
        """All take no time."""
        return 0.0

    def __str__(self) -> str:
        return f"{self.classifier}, {self.method}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """AUC, lower and upper AUC."""

    auc: float
    low: float
    up: float


def questions(fewer: int = 1) -> list[Question]:  # noqa: ARG001
    """All that is asked."""
    readings = (*DEFINITIONS, AS_PRINTED)
    return [
        Question(classifier=name, method=method)
        for name, method in itertools.product(SCORES, readings)
    ]


def answer(question: Question) -> Answer:
    """Calculate."""
    scores = np.array(SCORES[question.classifier].split(), dtype=float)
    ranking = rl.Ranking(TRUTH, scores)
    if question.method == AS_PRINTED:
        low, up = low_as_printed(TRUTH, scores, GRANULARITY)
    else:
        definition, decimals = DEFINITIONS[question.method]
        found = rl.granular_auc(
            ranking, granularity=GRANULARITY, definition=definition, decimals=decimals
        )
        low, up = found.low, found.up
    return Answer(
        **asdict(question), auc=rl.auc(ranking), low=float(f"{low:.6g}"), up=float(f"{up:.6g}")
    )
