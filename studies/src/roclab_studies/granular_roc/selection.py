"""Table 5 and figure 4 of Dong and others: which measure picks the best of 100 bootstrap models.

A data set is cut at random into 60 % for training, 20 % for validation and 20 % for testing, with
the classes in proportion. Naive Bayes models of bootstrap samples of the training rows are compared
on the validation rows, and the test AUC of the best is what counts. Where several share the best
value, it is their mean. The paper shows one such cut; here are many, the same for all measures.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from scipy.stats import rankdata

import roclab as rl
from roclab_studies import datasets
from roclab_studies.granular_roc.bootstrap_bayes import bootstrap_weights, log_odds
from roclab_studies.real_data import load_known

MODELS, FEW_MODELS = 100, 20
REPETITIONS = 200
SEED = 20_130_110
# The paper's names: the data set here, and which version of it.
DATA: dict[str, tuple[str, str | None]] = {
    "Monk2": ("monk2", "training file"),
    "Sonar": ("sonar", None),
    "Breast-W": ("breast-w", None),
    "Abalone": ("abalone", "18 against 9"),
    "Vehicle": ("vehicle", "van"),
    "Vowel": ("vowel", "hed"),
    "Satimage": ("satimage", "damp grey soil"),
}
LARGE = "Satimage"
WITH_WORDS = ("Monk2", "Abalone", "Vowel")
# How naive Bayes takes an attribute; the paper says only that it was that of Matlab 2010a.
LEARNERS = {
    "normal": "numbers normal, nominal values counted",
    "normal throughout": "all normal, nominal values as numbers",
    "bins": "numbers in ten bins, counted as nominal values are",
}
BINS = 10
GRID = 50  # intervals of rho's trapezoids
# What is highest for the best model.
MEASURES: dict[str, Callable[..., float]] = {
    "AUC": rl.auc,
    "scored AUC": rl.scored_auc,
    "lambda AUC": rl.lambda_auc,
    "rho AUC": partial(rl.rho_auc, grid=GRID),
    "lambda AUC, published": partial(rl.lambda_auc, definition="published"),
    "rho AUC, published": partial(rl.rho_auc, grid=GRID, definition="published"),
    "lambda AUC at 0.1": partial(rl.lambda_auc, granularity=0.1),
}

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class Question:
    """A measure to choose by, a data set, a kind of naive Bayes, and the number of models."""

    method: str
    data: str
    learner: str
    models: int
    repetitions: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        slow = 5 if "rho" in self.method else 1
        return slow * self.models * self.repetitions * (5 if self.data == LARGE else 1)

    def __str__(self) -> str:
        return f"{self.method}, {self.data}, {self.learner}, {self.models} models"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Means over repetitions, and how much single ones differ.

    Attributes
    ----------
    validation : int
        Validation rows.
    auc, auc_sd : float
        Test AUC of the chosen model, and its standard deviation.
    low, high : float
        What 2.5 % and 97.5 % of the repetitions are below.
    over_auc, over_auc_sd : float
        Difference from the model chosen by AUC.
    better, worse : int
        Repetitions in which that difference was above and below 0.
    random, best, all_rows : float
        Test AUC of a random model, of the one that is best on test, and of a model of all training
        rows, without bootstrap.
    random_sd, best_sd, all_rows_sd : float
        Standard deviations of their differences from the model chosen by AUC.
    higher, random_higher : float
        Models with a higher test AUC than the chosen one, and than a random one.
    tied : float
        Models that share the best value.
    correlation, correlation_low, correlation_high : float
        Spearman's, of the validated measure with the test AUC over the models, and the middle 95 %
        of it.
    correlation_over_auc, correlation_over_auc_sd : float
        Difference from the correlation of the validated AUC.
    certain : float
        Share of test scores that are exactly 1: so near that doubles cannot tell the difference.
    """

    validation: int
    auc: float
    auc_sd: float
    low: float
    high: float
    over_auc: float
    over_auc_sd: float
    better: int
    worse: int
    random: float
    best: float
    all_rows: float
    random_sd: float
    best_sd: float
    all_rows_sd: float
    higher: float
    random_higher: float
    tied: float
    correlation: float
    correlation_low: float
    correlation_high: float
    correlation_over_auc: float
    correlation_over_auc_sd: float
    certain: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of repetitions divided by `fewer`."""
    cells = [
        (data, learner, MODELS)
        for learner in LEARNERS
        for data in (WITH_WORDS if learner == "normal throughout" else DATA)
    ]
    cells.append(("Sonar", "normal", FEW_MODELS))
    return [
        Question(
            method=method,
            data=data,
            learner=learner,
            models=models,
            repetitions=max(2, repetitions_of(data, learner) // fewer),
        )
        for (data, learner, models), method in itertools.product(cells, MEASURES)
    ]


def repetitions_of(data: str, learner: str) -> int:
    """Fewer for the large set, and for what is only compared with the first kind of learner."""
    return REPETITIONS // (5 if data == LARGE else 1) // (1 if learner == "normal" else 4)


@dataclass(frozen=True, kw_only=True)
class Cut:
    """One repetition: scores of each model, the last one being that of all training rows."""

    validation: Labels
    validated: Floats
    test: Labels
    tested: Floats


def cuts(data: datasets.Dataset, question: Question) -> Iterator[Cut]:
    """The repetitions; the same for all measures."""
    for repetition in range(question.repetitions):
        rng = np.random.default_rng([SEED, list(DATA).index(question.data), repetition])
        training, validation, test = thirds(data.y, rng)
        weights = bootstrap_weights(len(training), MODELS, rng)[: question.models]
        weights = np.vstack((weights, np.ones(len(training))))
        X, numeric = data.X, data.numeric
        if question.learner == "normal throughout":
            numeric = np.ones_like(numeric)
        elif question.learner == "bins":
            X, numeric = binned(X, numeric, training), np.zeros_like(numeric)
        scores = expit(log_odds(X, data.y, numeric, weights, training))
        yield Cut(
            validation=data.y[validation],
            validated=scores[:, validation],
            test=data.y[test],
            tested=scores[:, test],
        )


def thirds(labels: Labels, rng: np.random.Generator) -> tuple[Rows, Rows, Rows]:
    """60 %, 20 % and 20 % of the rows of each class."""
    parts: list[list[Rows]] = [[], [], []]
    for group in (labels, ~labels):
        rows = rng.permutation(np.flatnonzero(group))
        ends = np.round(np.array([0.6, 0.8]) * len(rows)).astype(int)
        for part, piece in zip(parts, np.split(rows, ends), strict=True):
            part.append(piece)
    first, second, third = (np.sort(np.concatenate(part)) for part in parts)
    return first, second, third


def binned(X: Floats, numeric: Labels, training: Rows) -> Floats:
    """Numbers by their place among ten bins that hold about as many training rows each."""
    result = X.copy()
    for column in np.flatnonzero(numeric):
        edges = np.nanquantile(X[training, column], np.arange(1, BINS) / BINS)
        places = np.searchsorted(np.unique(edges), X[:, column]).astype(np.float64)
        result[:, column] = np.where(np.isnan(X[:, column]), math.nan, places)
    return result


def answer(question: Question) -> Answer:
    """Train, choose, test, again and again."""
    name, version = DATA[question.data]
    data = load_known(name, version=version)
    measure = MEASURES[question.method]
    rows = []
    for cut in cuts(data, question):
        *test_aucs, all_rows = (rl.auc(cut.test, scores) for scores in cut.tested)
        tested = np.array(test_aucs)
        aucs, measured = (
            np.array([one(cut.validation, scores) for scores in cut.validated[:-1]])
            for one in (rl.auc, measure)
        )
        own, by_auc = chosen(measured, tested), chosen(aucs, tested)
        related = correlation(measured, tested)
        rows.append(
            {
                "auc": own,
                "over_auc": own - by_auc,
                "random": tested.mean() - by_auc,
                "best": tested.max() - by_auc,
                "all_rows": all_rows - by_auc,
                "higher": np.count_nonzero(tested > own),
                "random_higher": np.mean(tested > tested[:, None]) * len(tested),
                "tied": np.count_nonzero(measured == measured.max()),
                "correlation": related,
                "correlation_over_auc": related - correlation(aucs, tested),
                "certain": np.mean(cut.tested[:-1] == 1),
            }
        )
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    # Models may all have the same validation AUC, and then no correlation.
    means = {name: np.nanmean(values) for name, values in columns.items()}
    for yardstick in ("random", "best", "all_rows"):
        means[yardstick] += means["auc"] - means["over_auc"]
    for name in ("auc", "over_auc", "random", "best", "all_rows", "correlation_over_auc"):
        means[f"{name}_sd"] = np.nanstd(columns[name], ddof=1)
    means["low"], means["high"] = np.quantile(columns["auc"], (0.025, 0.975))
    ends = np.nanquantile(columns["correlation"], (0.025, 0.975))
    means["correlation_low"], means["correlation_high"] = ends
    return Answer(
        **asdict(question),
        validation=len(cut.validation),
        better=int(np.count_nonzero(columns["over_auc"] > 0)),
        worse=int(np.count_nonzero(columns["over_auc"] < 0)),
        **{name: float(f"{value:.5g}") for name, value in means.items()},
    )


def chosen(measured: Floats, tested: Floats) -> float:
    """Test AUC of the model with the highest value; the mean of those that share it."""
    return float(tested[measured == measured.max()].mean())


def correlation(measured: Floats, tested: Floats) -> float:
    """Spearman's; nan if all models have the same value."""
    if np.ptp(measured) == 0 or np.ptp(tested) == 0:
        return math.nan
    return float(np.corrcoef(rankdata(measured), rankdata(tested))[0, 1])
