"""How much test AUC each rule of choosing a model gains over choice by AUC, by validation size.

Twenty models of one kind are trained on the same rows, each without a third of the attributes drawn
at random. A rule looks at their scores of the validation rows and chooses one; its AUC on the test
rows is what counts. Where several models share the best value, it is their mean. All rules see the
same models, and so do all sizes; a smaller validation sample is part of the larger ones.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

import roclab as rl
from roclab_studies.gain_ratio_trees import Attributes
from roclab_studies.real_data import load_known
from roclab_studies.subset_learners import LEARNERS

MODELS = 20
KEPT = 2 / 3  # of the attributes
REPETITIONS = 120
SIZES = (20, 50, 100, 200, 500)
# Training and validation rows: a share of the set, and no more than so many.
TRAINING, MOST_TRAINING = 0.35, 400
VALIDATION, MOST_VALIDATION = 0.3, SIZES[-1]
MOST_TEST = 3000
SEED = 20_241_116
# The sets of Wu, Flach and Ferri and of Dong and others, with their numbers of rows.
DATA = {
    "monk1": 556,
    "monk2": 601,
    "monk3": 554,
    "tic-tac-toe": 958,
    "credit-a": 690,
    "credit-g": 1000,
    "house-votes-84": 435,
    "breast-cancer": 286,
    "breast-w": 699,
    "colic": 368,
    "heart-statlog": 270,
    "kr-vs-kp": 3196,
    "spambase": 4601,
    "sick": 3772,
    "caravan": 5822,
    "hypothyroid": 3163,
    "mushroom": 8124,
    "sonar": 208,
    "abalone": 731,
    "vehicle": 846,
    "vowel": 990,
    "satimage": 6435,
}
# Rule: what is highest for the best model.
RULES: dict[str, Callable[[rl.Ranking], float]] = {
    "auc": rl.auc,
    "scored_auc": rl.scored_auc,
    "lambda_auc": rl.lambda_auc,
    "rho_auc": partial(rl.rho_auc, grid=50),
    "probabilistic_auc": rl.probabilistic_auc,
    "brier_score": lambda ranking: -rl.brier_score(ranking),
    "h_measure": rl.h_measure,
}
TIE_BROKEN = "auc_then_scored"

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class Question:
    """A data set, a learner, and the number of validation rows."""

    data: str
    learner: str
    size: int
    repetitions: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.data

    @property
    def cost(self) -> float:
        """Rough time of training; sizes of one set are answered together, from the same models."""
        return min(DATA[self.data], MOST_TRAINING / TRAINING) + list(DATA).index(self.data) / 100

    def __str__(self) -> str:
        return f"{self.data}, {self.learner}, {self.size} validation rows"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Means over repetitions.

    Attributes
    ----------
    training, positives, test : int
        Training rows; positives among the validation rows; test rows.
    auc, random, best : float
        Test AUC of the model chosen by AUC, of a random one, and of the best on the test rows.
    scored_auc, lambda_auc, rho_auc, probabilistic_auc, brier_score, h_measure : float
        Test AUC gained over the choice by AUC.
    auc_then_scored : float
        The same for the highest scored AUC among those of the highest AUC.
    scored_auc_error, lambda_auc_error, rho_auc_error, probabilistic_auc_error, brier_score_error,
    h_measure_error, auc_then_scored_error : float
        Standard errors of the gains over repetitions.
    tied : float
        Models that share the highest validation AUC.
    """

    training: int
    positives: int
    test: int
    auc: float
    random: float
    best: float
    scored_auc: float
    lambda_auc: float
    rho_auc: float
    probabilistic_auc: float
    brier_score: float
    h_measure: float
    auc_then_scored: float
    scored_auc_error: float
    lambda_auc_error: float
    rho_auc_error: float
    probabilistic_auc_error: float
    brier_score_error: float
    h_measure_error: float
    auc_then_scored_error: float
    tied: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of repetitions divided by `fewer`."""
    return [
        Question(data=data, learner=learner, size=size, repetitions=max(2, REPETITIONS // fewer))
        for data, learner in itertools.product(DATA, LEARNERS)
        for size in SIZES
        if size <= round(VALIDATION * DATA[data])
    ]


@dataclass(frozen=True, kw_only=True, eq=False)
class Trial:
    """The models of one repetition: scores of the validation rows, positives first; test AUCs."""

    n_pos: int
    scores: Floats
    test_aucs: Floats

    def part(self, size: int) -> tuple[Labels, Floats]:
        """Labels and scores of so many validation rows, with the classes in proportion."""
        rows = self.scores.shape[1]
        pos = min(max(round(size * self.n_pos / rows), 1), size - 1)
        places = np.r_[0:pos, self.n_pos : self.n_pos + size - pos]
        return places < self.n_pos, self.scores[:, places]


@lru_cache(maxsize=1)
def trials(data: str, learner: str, repetitions: int) -> tuple[list[Trial], int, int]:
    """All repetitions, and the numbers of training and test rows; the same for all sizes."""
    source = load_known(data)
    sizes = [0 if words is None else len(words) for words in source.categories]
    attributes = Attributes(values=source.X, sizes=np.array(sizes))
    found = []
    for repetition in range(repetitions):
        rng = np.random.default_rng([SEED, list(DATA).index(data), repetition])
        training, validation, test = parts(source.y, rng)
        kept = subsets(len(sizes), rng)
        judged = np.concatenate((validation, test))
        scores = LEARNERS[learner](attributes, source.y, training, judged, kept)
        split = len(validation)
        found.append(
            Trial(
                n_pos=int(source.y[validation].sum()),
                scores=scores[:, :split],
                test_aucs=np.array([rl.auc(source.y[test], row) for row in scores[:, split:]]),
            )
        )
    return found, len(training), len(test)


def parts(labels: Labels, rng: np.random.Generator) -> tuple[Rows, Rows, Rows]:
    """Training, validation and test rows, positives first, with the classes in proportion."""
    training = min(round(TRAINING * len(labels)), MOST_TRAINING)
    validation = min(round(VALIDATION * len(labels)), MOST_VALIDATION)
    test = min(len(labels) - training - validation, MOST_TEST)
    ends = np.cumsum([0, training, validation, test]) / len(labels)
    groups = [rng.permutation(np.flatnonzero(group)) for group in (labels, ~labels)]
    # One class rounds up where the other one rounds down, so that the sums are right.
    cuts = np.round(ends * len(groups[0])).astype(int)
    others = np.round(ends * len(labels)).astype(int) - cuts
    first, second, third = (
        np.concatenate((groups[0][cuts[k] : cuts[k + 1]], groups[1][others[k] : others[k + 1]]))
        for k in range(3)
    )
    return first, second, third


def subsets(count: int, rng: np.random.Generator) -> Labels:
    """Which attributes each model may use."""
    return rng.random((MODELS, count)).argsort(axis=1) < round(KEPT * count)


def answer(question: Question) -> Answer:
    """Choose by each rule, and look at the test rows."""
    found, training, test = trials(question.data, question.learner, question.repetitions)
    won: dict[str, list[float]] = {rule: [] for rule in (*RULES, TIE_BROKEN)}
    tied = []
    for trial in found:
        labels, scores = trial.part(question.size)
        rankings = [rl.Ranking(labels, row) for row in scores]
        with warnings.catch_warnings():
            # Of a model that ranks all wrong, some have no value.
            warnings.simplefilter("ignore", rl.UndefinedMeasureWarning)
            values = {
                rule: np.array([measure(ranking) for ranking in rankings])
                for rule, measure in RULES.items()
            }
        highest = values["auc"] == values["auc"].max()
        values[TIE_BROKEN] = np.where(highest, values["scored_auc"], np.nan)
        for rule, measured in values.items():
            won[rule].append(float(trial.test_aucs[measured == np.nanmax(measured)].mean()))
        tied.append(np.count_nonzero(highest))
    base = np.array(won.pop("auc"))
    gains = {rule: np.array(aucs) - base for rule, aucs in won.items()}
    count = len(found)
    means = {
        "auc": base.mean(),
        "random": np.mean([trial.test_aucs.mean() for trial in found]),
        "best": np.mean([trial.test_aucs.max() for trial in found]),
        "tied": np.mean(tied),
        **{rule: gain.mean() for rule, gain in gains.items()},
        **{f"{rule}_error": gain.std(ddof=1) / np.sqrt(count) for rule, gain in gains.items()},
    }
    return Answer(
        **asdict(question),
        training=training,
        positives=int(labels.sum()),
        test=test,
        **{name: float(f"{value:.5g}") for name, value in means.items()},
    )
