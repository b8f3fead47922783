"""Castro and Braga's Tables 1 and 2, on their data sets, with more learners and with intervals.

The data are read from the folder that ROCLAB_DATA names; nothing of them is stored here. Rows are
parted at random into 70 % to learn from and 30 % to judge by, with the same shares of the classes,
again and again; all learners see the same parts. Whatever is learned of the columns is learned from
the training rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import compress, product

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import StratifiedShuffleSplit

import roclab as rl
from roclab_studies import datasets
from roclab_studies.auctron.rankers import RANKERS, Encoding, Floats, Labels, scores_of

SPLITS = 50
TEST_SHARE = 0.3
TESTS_PER_TRAINING = TEST_SHARE / (1 - TEST_SHARE)
SEED = 2008
# By their names in `datasets`, with what is left out.
DATA: dict[str, tuple[str, tuple[str, ...]]] = {
    "wpbc": ("wpbc", ()),
    "wpbc without time": ("wpbc", ("time",)),
    "pima": ("pima", ()),
    "faulty spectf": ("spectf-incorrect-test", ()),
    "spectf": ("spectf", ()),
    "ionosphere": ("ionosphere", ()),
    "cleveland": ("heart-cleveland", ()),
    "hungarian": ("heart-hungarian", ()),
}
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class Question:
    """A learner and a data set."""

    learner: str
    data: str
    splits: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.data

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        ranker = RANKERS[self.learner]
        return max(len(ranker.settings), 10 * (self.learner == "gradient boosting"), 1)

    def __str__(self) -> str:
        return f"{self.learner}, {self.data}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was found, on rows that were left out.

    Attributes
    ----------
    rows, positives : int
        Of the data set.
    aucs : tuple of float
        One for each split.
    sensitivity, specificity : float
        Means at the learner's own threshold: an output of one half.
    best_sensitivity, best_specificity : float
        Means at the threshold at which their sum is largest on the training rows.
    setting : float
        Median of those chosen; nan if there was nothing to choose.
    """

    rows: int
    positives: int
    aucs: tuple[float, ...]
    sensitivity: float
    specificity: float
    best_sensitivity: float
    best_specificity: float
    setting: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of splits divided by `fewer`."""
    return [
        Question(learner=learner, data=data, splits=max(2, SPLITS // fewer))
        for data, learner in product(DATA, RANKERS)
    ]


@lru_cache(maxsize=2)
def examples(data: str) -> datasets.Dataset:
    """A data set by the name it has here."""
    name, left_out = DATA[data]
    found = datasets.load(name)
    kept = np.array([feature not in left_out for feature in found.feature_names])
    return replace(
        found,
        X=found.X[:, kept],
        numeric=found.numeric[kept],
        feature_names=tuple(compress(found.feature_names, kept)),
        categories=tuple(compress(found.categories, kept)),
    )


def splits(labels: Labels, count: int) -> Iterator[tuple[Rows, Rows]]:
    """Training rows and test rows; fewer splits are the first of more."""
    cut = StratifiedShuffleSplit(count, test_size=TEST_SHARE, random_state=SEED)
    return cut.split(labels, labels)


def answer(question: Question) -> Answer:
    """Train and judge, once for each split."""
    table = examples(question.data)
    labels, ranker = table.y, RANKERS[question.learner]
    aucs, rates, settings = [], [], []
    for learn, judge in splits(labels, question.splits):
        X, new = table.X[learn], table.X[judge]
        if not ranker.raw:
            encoding = Encoding.of(X, table.numeric)
            X, new = encoding.columns(X), encoding.columns(new)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of descents that end after their epochs
            model, setting = ranker.trained(X, labels[learn], ~table.numeric)
        known, scores = scores_of(model, X), scores_of(model, new)
        best = (
            rl.operating_points(rl.Ranking(labels[learn], known)).best(criterion="youden").threshold
        )
        aucs.append(rl.auc(labels[judge], scores))
        rates.append([*_rates(labels[judge], scores, 0), *_rates(labels[judge], scores, best)])
        settings.append(setting)
    means = np.mean(rates, axis=0)
    return Answer(
        **asdict(question),
        rows=len(labels),
        positives=int(labels.sum()),
        aucs=tuple(float(f"{auc:.6g}") for auc in aucs),
        sensitivity=_short(means[0]),
        specificity=_short(means[1]),
        best_sensitivity=_short(means[2]),
        best_specificity=_short(means[3]),
        setting=_short(np.median(settings)),
    )


def _rates(labels: Labels, scores: Floats, threshold: float) -> tuple[float, float]:
    """Sensitivity and specificity."""
    called = scores >= threshold
    return float(called[labels].mean()), float((~called)[~labels].mean())


def _short(value: float) -> float:
    return float(f"{value:.4g}")
