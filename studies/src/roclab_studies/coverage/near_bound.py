"""Coverage of intervals by half-sampling where the measure is near its upper bound."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

import roclab as rl
from roclab.measures import find_measure
from roclab_studies.comparison.other_populations import OtherPopulation
from roclab_studies.coverage.panel_populations import PanelPopulation
from roclab_studies.populations import labels_of

Floats = npt.NDArray[np.float64]

AVERAGE_PRECISION, H_MEASURE = "average_precision", "h_measure"
PARTIAL_AUC = "partial_auc(fpr_range=(0, 0.2))"
# Measure, family, AUC, and numbers of examples.
CELLS = (
    (AVERAGE_PRECISION, "spike", 0.998, 200, 200),
    (AVERAGE_PRECISION, "five", 0.998, 200, 200),
    (AVERAGE_PRECISION, "t3", 0.95, 200, 200),
    (H_MEASURE, "equal", 0.95, 5, 200),
    (H_MEASURE, "t3", 0.95, 5, 200),
    (PARTIAL_AUC, "five", 0.994, 10, 1000),
    (PARTIAL_AUC, "spike", 0.96, 10, 1000),
)
RUNS, HALVES = 200, 60
TRUTH_ROWS = 1_000_000  # of each class, for populations whose true values have no other form
SEED = 998


@dataclass(frozen=True, kw_only=True)
class Question:
    """A measure, a population, and numbers of examples."""

    measure: str
    family: str
    auc: float
    n_pos: int
    n_neg: int
    runs: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.measure

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * (self.n_pos + self.n_neg)

    def __str__(self) -> str:
        return f"{self.measure}, {self.family} {self.auc:g}, {self.n_pos}+{self.n_neg}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was found.

    Attributes
    ----------
    truth : float
        True value.
    covered, warned : int
        Samples whose interval contains it, and with a `SmallSampleWarning`.
    median_width : float
        Of the intervals.
    """

    truth: float
    covered: int
    warned: int
    median_width: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of samples divided by `fewer`."""
    return [
        Question(
            measure=measure, family=family, auc=auc, n_pos=n_pos, n_neg=n_neg, runs=RUNS // fewer
        )
        for measure, family, auc, n_pos, n_neg in CELLS
    ]


def answer(question: Question) -> Answer:
    """Coverage over samples."""
    place = [(one.measure, one.family) for one in questions()].index(
        (question.measure, question.family)
    )
    rng = np.random.default_rng([SEED, place])
    labels = labels_of(question.n_pos, question.n_neg)
    truth = true_value(question)
    covered, warned, widths = 0, 0, []
    for run in range(question.runs):
        scores = draw(question, rng, question.n_pos, question.n_neg)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            found = rl.interval(
                labels, scores, measure=question.measure, n_resamples=HALVES, rng=run
            )
        covered += found.low <= truth <= found.high
        warned += any(issubclass(one.category, rl.SmallSampleWarning) for one in seen)
        widths.append(found.high - found.low)
    return Answer(
        **asdict(question),
        truth=round(truth, 6),
        covered=int(covered),
        warned=int(warned),
        median_width=float(f"{np.median(widths):.4g}"),
    )


def draw(question: Question, rng: np.random.Generator, n_pos: int, n_neg: int) -> Floats:
    """Scores of a sample, positives first."""
    if question.family == "spike":
        population = OtherPopulation(family="spike", auc=question.auc)
        return population.scores(rng.normal(size=n_pos + n_neg), labels_of(n_pos, n_neg))
    pos, neg = PanelPopulation(family=question.family, auc=question.auc).draw(rng, n_pos, n_neg, 1)
    return np.concatenate([pos[0], neg[0]])


def true_value(question: Question) -> float:
    """Value of the measure in the population, at the sample's share of positives."""
    entry, options = find_measure(question.measure)
    share = question.n_pos / (question.n_pos + question.n_neg)

    def value(labels: npt.ArrayLike, scores: npt.ArrayLike, sample_weight: npt.ArrayLike) -> float:
        ranking = rl.Ranking(labels, scores, sample_weight=sample_weight)
        return float(entry.value_of(ranking, **options))

    if question.family != "spike":
        population = PanelPopulation(family=question.family, auc=question.auc)
        return population.value(value, share)
    labels = labels_of(TRUTH_ROWS, TRUTH_ROWS)
    scores = draw(question, np.random.default_rng(SEED), TRUTH_ROWS, TRUTH_ROWS)
    return value(labels, scores, np.where(labels, share, 1 - share))
