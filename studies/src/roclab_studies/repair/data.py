"""Flach and Wu's experiment with RepairSection, on their data sets and on larger ones.

The data are read from the folder that ROCLAB_DATA names; nothing of them is stored here. A set is
cut into ten folds. Each is once the test fold; of the others some validate and the rest train the
model and find the largest concavity. A repair that is kept is then tried on the test fold.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import ttest_1samp
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

import roclab as rl
from roclab_studies.repair.learners import LEARNERS
from roclab_studies.two_classes import LARGE, SETS, read

# Rule: scores in which the concavity is found, validation folds, and what is kept.
RULES = {
    "no validation": ("training", 1, None),
    "rises in 1 fold": ("training", 1, "every_fold"),
    "rises in 3 folds": ("training", 3, "every_fold"),
    "significant": ("out of fold", 3, "significant"),
}
FOLDS, REPETITIONS, LARGE_REPETITIONS = 10, 10, 1
INNER_FOLDS = 3
SEED = 20_240_707

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class Question:
    """A rule, a learner and a data set."""

    method: str
    learner: str
    data: str
    repetitions: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        out_of_fold = 1 + INNER_FOLDS * (RULES[self.method][0] == "out of fold")
        return out_of_fold * (100 if self.data in LARGE else self.repetitions)

    def __str__(self) -> str:
        return f"{self.method}, {self.learner}, {self.data}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was found.

    Attributes
    ----------
    tests : int
        Test folds, over all repetitions.
    found : int
        Those whose training data had a concavity.
    kept : int
        Those whose model was repaired.
    auc, repaired : float
        Mean AUC of the test folds before and after, where a repair was kept; nan if none was.
    gain : float
        Mean rise over all test folds, those without repair included.
    pvalue : float
        Of Student's paired test of the kept repairs, as in the paper; nan of fewer than two. Test
        folds of one set share their training data, so it is too small.
    """

    tests: int
    found: int
    kept: int
    auc: float
    repaired: float
    gain: float
    pvalue: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of repetitions divided by `fewer`."""
    return [
        Question(
            method=method,
            learner=learner,
            data=data,
            repetitions=max(1, (LARGE_REPETITIONS if data in LARGE else REPETITIONS) // fewer),
        )
        for data, learner, method in itertools.product((*SETS, *LARGE), LEARNERS, RULES)
    ]


def splits(
    labels: Labels, validation: int, repetitions: int
) -> Iterator[tuple[Rows, list[Rows], Rows]]:
    """Training rows, validation folds and test rows; the test rows are the same for all rules."""
    # Every fold should have both classes.
    count = min(FOLDS, int(labels.sum()), int((~labels).sum()))
    for repetition in range(repetitions):
        cut = StratifiedKFold(count, shuffle=True, random_state=SEED + repetition)
        folds = [test for _, test in cut.split(labels, labels)]
        for at in range(count):
            turned = folds[at:] + folds[:at]
            checks, training = turned[1 : 1 + validation], turned[1 + validation :]
            yield np.concatenate(training), checks, turned[0]


def answer(question: Question) -> Answer:
    """Train, find, validate, and try what was kept on the test fold."""
    table = read(question.data)
    labels, learner = table.labels, LEARNERS[question.learner]
    values = learner.columns(table)
    scores_of, validation, keep = RULES[question.method]
    before, after, kept, found = [], [], [], 0
    for training, checks, test in splits(labels, validation, question.repetitions):
        model = learner.make(table)
        own = labels[training]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn's, of small folds
            model.fit(values[training], own)
            if scores_of == "training":
                scores = model.predict_proba(values[training])[:, 1]
            else:
                scores = _out_of_fold(model, values[training], own)
            ranking = rl.Ranking(own, scores)
            if keep is None:
                repair = rl.repair_section(ranking)
                found += len(repair) > 0
            else:
                rows = [
                    rl.Ranking(labels[fold], model.predict_proba(values[fold])[:, 1])
                    for fold in checks
                ]
                checked = rl.checked_repair(ranking, rows, keep=keep)
                repair = checked.repair
                found += len(checked.decisions) > 0
            tested = rl.Ranking(labels[test], model.predict_proba(values[test])[:, 1])
        before.append(tested.summary.auc)
        after.append(repair.apply_to_ranking(tested).summary.auc)
        kept.append(len(repair) > 0)
    return _summed(question, np.array(before), np.array(after), np.array(kept), found)


def _out_of_fold(model: Any, values: Floats, labels: Labels) -> Floats:
    """Scores of rows by models of the same kind that did not see them."""
    scores = np.empty(len(labels))
    folds = StratifiedKFold(INNER_FOLDS, shuffle=True, random_state=SEED)
    for others, rows in folds.split(values, labels):
        part = clone(model).fit(values[others], labels[others])
        scores[rows] = part.predict_proba(values[rows])[:, 1]
    return scores


def _summed(
    question: Question,
    before: Floats,
    after: Floats,
    kept: Labels,
    found: int,
) -> Answer:
    gains = after - before
    pvalue = math.nan
    if kept.sum() > 1 and np.ptp(gains[kept]) > 0:
        pvalue = float(ttest_1samp(gains[kept], 0).pvalue)
    return Answer(
        **asdict(question),
        tests=len(kept),
        found=found,
        kept=int(kept.sum()),
        auc=_short(before[kept]),
        repaired=_short(after[kept]),
        gain=_short(gains),
        pvalue=float(f"{pvalue:.3g}"),
    )


def _short(values: Floats) -> float:
    return float(f"{values.mean():.5g}") if len(values) else math.nan
