"""AUCtron against logistic regression, both with their defaults.

Eight data sets are divided in halves at random, repeatedly: one half to train on, one to test on.
Simulated populations are drawn again each time, with many rows to test on. All learners see the
same rows, with the same columns, standardised as the training rows are.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import StratifiedShuffleSplit

import roclab as rl
from roclab_studies import datasets
from roclab_studies.auctron.rankers import Encoding, Floats, Labels
from roclab_studies.real_data import load_known

SPLITS = 16
TESTS_PER_TRAINING = 1.0
SEED = 18
TEST_ROWS = 40_000
# With their versions in `datasets`.
DATA: dict[str, str | None] = {
    "ionosphere": None,
    "caravan": None,
    "credit-g": None,
    "wpbc": None,
    "heart-cleveland": None,
    "pima": None,
    "spambase": None,
    "abalone": "18 against 9",
}
LEARNERS: dict[str, Callable[[], Any]] = {
    "AUCtronClassifierCV": rl.AUCtronClassifierCV,
    "LogisticRegressionCV": lambda: LogisticRegressionCV(scoring="roc_auc", cv=5, max_iter=1000),
    "AUCtronClassifier": lambda: rl.AUCtronClassifier(random_state=0),
    "LogisticRegression": lambda: LogisticRegression(max_iter=1000),
    "AUCtronClassifier, alpha=0": lambda: rl.AUCtronClassifier(
        alpha=0, tol=1e-5, max_iter=1000, random_state=0
    ),
}
Examples = tuple[Floats, Labels]


def _normal(rng: np.random.Generator, positives: int, negatives: int) -> Examples:
    """Logistic regression is the right model."""
    y = np.repeat([True, False], [positives, negatives])
    X = rng.normal(size=(len(y), 10))
    X[y, :3] += 0.7
    return X, y


def _outliers(rng: np.random.Generator, positives: int, negatives: int) -> Examples:
    """One negative in fifty lies far out, on the side of the positives."""
    y = np.repeat([True, False], [positives, negatives])
    X = rng.normal(size=(len(y), 5))
    X[y, :2] += (1.0, 0.5)
    X[~y & (rng.random(len(y)) < 0.02), 0] += 8
    return X, y


def _heavy_tails(rng: np.random.Generator, positives: int, negatives: int) -> Examples:
    """Features have Student's distribution with two degrees of freedom."""
    y = np.repeat([True, False], [positives, negatives])
    X = rng.standard_t(2, size=(len(y), 10))
    X[y, :3] += 1
    return X, y


# A population, and the numbers of positives and negatives to train on.
SIMULATED: dict[str, tuple[Callable[[np.random.Generator, int, int], Examples], int, int]] = {
    "normal, 50 positives": (_normal, 50, 950),
    "normal, 10 positives": (_normal, 10, 490),
    "outliers, 40 positives": (_outliers, 40, 3960),
    "outliers, 10 positives": (_outliers, 10, 990),
    "heavy tails, 50 positives": (_heavy_tails, 50, 950),
    "heavy tails, 10 positives": (_heavy_tails, 10, 490),
}


@dataclass(frozen=True, kw_only=True)
class Question:
    """A learner and a data set or population."""

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
        return 10.0 if self.learner.endswith("CV") else 1.0

    def __str__(self) -> str:
        return f"{self.learner}, {self.data}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was found, on rows that were left out.

    Attributes
    ----------
    rows, positives : int
        To train on.
    aucs : tuple of float
        One for each split.
    """

    rows: int
    positives: int
    aucs: tuple[float, ...]


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of splits divided by `fewer`."""
    return [
        Question(learner=learner, data=data, splits=max(2, SPLITS // fewer))
        for data, learner in product([*DATA, *SIMULATED], LEARNERS)
    ]


@lru_cache(maxsize=2)
def examples(data: str) -> datasets.Dataset:
    """A data set by its name."""
    return load_known(data, version=DATA[data])


def parts(data: str, splits: int) -> Iterator[tuple[Floats, Labels, Floats, Labels]]:
    """Training rows and test rows; fewer splits are the first of more."""
    if data in SIMULATED:
        draw, positives, negatives = SIMULATED[data]
        for split in range(splits):
            rng = np.random.default_rng((SEED, split))
            X, y = draw(rng, positives, negatives)
            share = positives / (positives + negatives)
            new, truth = draw(rng, round(share * TEST_ROWS), round((1 - share) * TEST_ROWS))
            yield X, y, new, truth
        return
    table = examples(data)
    cut = StratifiedShuffleSplit(splits, test_size=0.5, random_state=SEED)
    for learn, judge in cut.split(table.y, table.y):
        yield table.X[learn], table.y[learn], table.X[judge], table.y[judge]


def answer(question: Question) -> Answer:
    """Train and judge, once for each split."""
    aucs = []
    for X, y, new, truth in parts(question.data, question.splits):
        rows, positives = len(y), int(y.sum())
        numeric = (
            examples(question.data).numeric
            if question.data in DATA
            else np.ones(X.shape[1], dtype=bool)
        )
        encoding = Encoding.of(X, numeric)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of fits that end after their iterations
            model = LEARNERS[question.learner]().fit(encoding.columns(X), y)
        aucs.append(rl.auc(truth, model.decision_function(encoding.columns(new))))
    return Answer(
        **asdict(question),
        rows=rows,
        positives=positives,
        aucs=tuple(float(f"{auc:.6g}") for auc in aucs),
    )
