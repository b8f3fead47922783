"""How often the tests across groups reject a true null hypothesis.

All groups have the same normal populations: two models with equal AUCs, which err together.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import asdict, dataclass

import numpy as np
from scipy.special import ndtri

import roclab as rl

SEED = 20_261_119
ERROR = 0.05
CORRELATION = 0.5
AUCS = (0.6, 0.8, 0.93, 0.98)
# Positives and negatives of each group.
DESIGNS = {
    "two of 10+ 10-": ((10, 10),) * 2,
    "five of 10+ 10-": ((10, 10),) * 5,
    "10+ 10- and 100+ 100-": ((10, 10), (100, 100)),
    "10+ 100- and 100+ 10-": ((10, 100), (100, 10)),
    "three of 10+ 10-, 200+ 200-": ((10, 10),) * 3 + ((200, 200),),
    "three of 30+ 30-": ((30, 30),) * 3,
}
TESTS = ("homogeneity", "interaction")
RUNS = 1000


@dataclass(frozen=True, kw_only=True)
class Question:
    """A test, and the groups it is tried on."""

    method: str
    design: str
    auc: float
    runs: int

    @property
    def file(self) -> str:
        """Where its answer is kept."""
        return self.method

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * sum(map(sum, DESIGNS[self.design]))

    def __str__(self) -> str:
        return f"{self.method}, {self.design}, AUC {self.auc:g}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was found, in numbers of samples.

    Attributes
    ----------
    rejected : int
        The p-value is below 0.05.
    """

    rejected: int


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    return [
        Question(method=test, design=design, auc=auc, runs=RUNS // fewer)
        for test in TESTS
        for design in DESIGNS
        for auc in AUCS
    ]


def answer(question: Question) -> Answer:
    """Test and count."""
    groups = DESIGNS[question.design]
    cell = (list(DESIGNS).index(question.design), round(1000 * question.auc))
    rng = np.random.default_rng([SEED, *cell])
    y = np.concatenate([np.repeat([1, 0], pair) for pair in groups])
    group = np.repeat(np.arange(len(groups)), [sum(pair) for pair in groups])
    distance = math.sqrt(2) * float(ndtri(question.auc))
    rejected = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(question.runs):
            common = math.sqrt(CORRELATION) * rng.standard_normal(len(y)) + distance * y
            own = math.sqrt(1 - CORRELATION) * rng.standard_normal((2, len(y)))
            table = rl.ScoreTable(
                y, {"a": common + own[0], "b": common + own[1]}, groups={"group": group}
            )
            rejected += _pvalue(question.method, table) < ERROR
    return Answer(**asdict(question), rejected=rejected)


def _pvalue(test: str, table: rl.ScoreTable) -> float:
    if test == "homogeneity":
        return rl.evaluate(table, by="group").homogeneity[0].pvalue
    return rl.compare(table, by="group").interactions[0].pvalue
