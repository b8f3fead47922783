"""Power predicted for two curves of a pilot: by roclab, by pROC's formula, and in resamples.

The pilot are pairs of markers of aSAH, the data of pROC. Its `power.roc.test` takes twice the
variance of the first curve under the null hypothesis, so that its power depends on the order.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from statistics import NormalDist

import numpy as np

import roclab as rl
from roclab.inference import auc_covariance
from roclab_studies.real_data import load_known

MARKERS = ("ndka", "wfns", "s100b")
RUNS = 4000
ALPHA = 0.05
SEED = 41_072


@dataclass(frozen=True, kw_only=True)
class Question:
    """A pair of markers, and how many samples are drawn."""

    first: str
    second: str
    runs: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return "delong"

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs

    def __str__(self) -> str:
        return f"{self.first}, {self.second}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Predicted powers, and how many of the samples were significant.

    Attributes
    ----------
    predicted : float
        By `plan_auc_study` with the data as its pilot.
    proc_first, proc_second : float
        By pROC's formula, with the first or the second curve named first.
    rejected : int
        Samples of the same size, drawn from the rows of each class, in which DeLong's test rejects.
    """

    predicted: float
    proc_first: float
    proc_second: float
    rejected: int


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of samples divided by `fewer`."""
    pairs = (("ndka", "wfns"), ("ndka", "s100b"), ("wfns", "s100b"))
    return [Question(first=a, second=b, runs=RUNS // fewer) for a, b in pairs]


def answer(question: Question) -> Answer:
    """Predict, and draw samples."""
    data = load_known("asah")
    scores = {
        name: data.X[:, data.feature_names.index(name)]
        for name in (question.first, question.second)
    }
    table = rl.ScoreTable(data.y, scores)
    pos, neg = np.flatnonzero(data.y), np.flatnonzero(~data.y)
    rng = np.random.default_rng(
        [SEED, MARKERS.index(question.first), MARKERS.index(question.second)]
    )
    rejected = 0
    for _ in range(question.runs):
        rows = np.concatenate([rng.choice(pos, len(pos)), rng.choice(neg, len(neg))])
        test = rl.compare_auc(
            data.y[rows], *(column[rows] for column in scores.values()), method="delong"
        )
        rejected += test.pvalue < ALPHA
    plan = rl.plan_auc_study(pilot=table, n_pos=len(pos), n_neg=len(neg))
    return Answer(
        **asdict(question),
        predicted=round(plan.power, 6),
        proc_first=round(power_of_proc(table, 0), 6),
        proc_second=round(power_of_proc(table, 1), 6),
        rejected=int(rejected),
    )


def power_of_proc(table: rl.ScoreTable, first: int) -> float:
    """Power with twice the variance of one curve under the null hypothesis."""
    joint = auc_covariance(table)
    between = float(joint.covariance[0, 1])
    distance = abs(float(joint.values[0] - joint.values[1]))
    error = math.sqrt(float(np.trace(joint.covariance)) - 2 * between)
    under_null = math.sqrt(2 * float(joint.covariance[first, first]) - 2 * between)
    z = NormalDist().inv_cdf(1 - ALPHA / 2)
    return NormalDist().cdf((distance - z * under_null) / error)
