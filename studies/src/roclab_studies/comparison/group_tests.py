"""How often the tests across groups reject a true null hypothesis.

All groups have the same population: two models with equal AUCs, which err together. The tests were
chosen on normal populations; exponential ones judge.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtri

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
FAMILIES = ("normal", "exponential")
TESTS = ("homogeneity", "interaction")
RUNS = 600


@dataclass(frozen=True, kw_only=True)
class Question:
    """A test, and the groups it is tried on."""

    method: str
    family: str
    design: str
    auc: float
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * sum(map(sum, DESIGNS[self.design]))

    def __str__(self) -> str:
        return f"{self.method}, {self.family}, {self.design}, AUC {self.auc:g}"


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
        Question(method=test, family=family, design=design, auc=auc, runs=RUNS // fewer)
        for test in TESTS
        for family in FAMILIES
        for design in DESIGNS
        for auc in AUCS
    ]


def answer(question: Question) -> Answer:
    """Test and count."""
    groups = DESIGNS[question.design]
    family = FAMILIES.index(question.family)
    cell = (family, list(DESIGNS).index(question.design), round(1000 * question.auc))
    rng = np.random.default_rng([SEED, *cell])
    y = np.concatenate([np.repeat([1, 0], pair) for pair in groups])
    group = np.repeat(np.arange(len(groups)), [sum(pair) for pair in groups])
    rejected = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(question.runs):
            common = math.sqrt(CORRELATION) * rng.standard_normal(len(y))
            noise = common + math.sqrt(1 - CORRELATION) * rng.standard_normal((2, len(y)))
            scores = _scores(question.family, question.auc, y, noise)
            columns = dict(zip("ab", scores, strict=True))
            table = rl.ScoreTable(y, columns, groups={"group": group})
            rejected += _pvalue(question.method, table) < ERROR
    return Answer(**asdict(question), rejected=rejected)


def _scores(
    family: str, auc: float, y: npt.NDArray[np.int64], noise: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Scores with this AUC, from standard normal noise."""
    if family == "normal":
        return np.asarray(noise + math.sqrt(2) * float(ndtri(auc)) * y)
    # The positives of an exponential distribution have auc / (1 - auc) times the scale.
    return np.asarray(-log_ndtr(-noise) * np.where(y == 1, auc / (1 - auc), 1.0))


def _pvalue(test: str, table: rl.ScoreTable) -> float:
    if test == "homogeneity":
        return rl.evaluate(table, by="group").homogeneity[0].pvalue
    return rl.compare(table, by="group").interactions[0].pvalue
