"""Which rule keeps a repair where there is an inversion, and leaves the scores alone elsewhere.

Concavities are found in one sample and checked on another of the same size and population; the
repair that is kept is then tried on a large third one. All rules see the same samples.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

import roclab as rl

BAND = (0.3, 0.7)
# Population: its AUC inside the band, where the scores outside it rank well.
PLANTED = {"inverted 0.25": 0.25, "inverted 0.35": 0.35, "inverted 0.40": 0.40, "flat band": 0.5}
POPULATIONS = ("no skill", "binormal", *PLANTED)
# Rule: what `checked_repair` is asked, and into how many folds the checked sample is cut.
RULES = {
    "significant": ({"keep": "significant"}, 1),
    "significant, all sections": ({"keep": "significant", "sections": "all"}, 1),
    "rises in 1 fold": ({"keep": "every_fold"}, 1),
    "rises in 2 folds": ({"keep": "every_fold"}, 2),
    "rises in 4 folds": ({"keep": "every_fold"}, 4),
    "rises in most of 3": ({"keep": "most_folds"}, 3),
}
SIZES = (250, 500, 1000)
RUNS = 1000
TEST = 50_000
SEED = 20_240_706

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Question:
    """A rule, a population, and the size of the sample in which concavities are found."""

    method: str
    population: str
    n: int
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * self.n

    def __str__(self) -> str:
        return f"{self.method}, {self.population}, {self.n}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was found, in numbers of runs.

    Attributes
    ----------
    kept : int
        Something was repaired.
    inside : float
        Mean number of checked examples in the largest concavity.
    gain : float
        Mean rise of the AUC of other data over all runs, those without repair included.
    gain_kept : float
        The same over runs with a repair; nan without any.
    lowered : int
        Runs whose repair lowered the AUC of other data.
    """

    kept: int
    inside: float
    gain: float
    gain_kept: float
    lowered: int

    @property
    def share(self) -> float:
        """Share of runs in which something was repaired."""
        return self.kept / self.runs

    @property
    def standard_error(self) -> float:
        """That of the share, from the number of runs."""
        return math.sqrt(self.share * (1 - self.share) / self.runs)


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    return [
        Question(method=method, population=population, n=n, runs=RUNS // fewer)
        for population, n, method in itertools.product(POPULATIONS, SIZES, RULES)
    ]


def draw(population: str, n: int, rng: np.random.Generator) -> tuple[Labels, Floats]:
    """Labels and scores.

    Planted scores are uniform. Outside the band 4 of 5 are positive above it and 1 of 5 below. In
    it the share of positives is 1/2 - c t, where t runs from -1/2 to 1/2, which makes the AUC
    inside 1/2 - c/3.
    """
    if population == "no skill":
        return rng.random(n) < 0.5, rng.standard_normal(n)
    if population == "binormal":
        labels = rng.random(n) < 0.5
        return labels, rng.standard_normal(n) + labels
    scores = rng.random(n)
    low, high = BAND
    c = 3 * (0.5 - PLANTED[population])
    place = (scores - low) / (high - low) - 0.5
    share = np.where(scores < low, 0.2, np.where(scores < high, 0.5 - c * place, 0.8))
    return rng.random(n) < share, scores


def samples(question: Question) -> Iterator[tuple[rl.Ranking, Labels, Floats]]:
    """The sample for finding, and labels and scores for checking; the same for all rules."""
    cell = (POPULATIONS.index(question.population), question.n)
    for run in range(question.runs):
        rng = np.random.default_rng([SEED, *cell, run])
        found = rl.Ranking(*draw(question.population, question.n, rng))
        yield found, *draw(question.population, question.n, rng)


def answer(question: Question) -> Answer:
    """Find, check, repair, and try the repair on other data."""
    options, folds = RULES[question.method]
    rng = np.random.default_rng([SEED, POPULATIONS.index(question.population)])
    test = rl.Ranking(*draw(question.population, TEST, rng))
    gains, inside, kept = [], [], []
    for found, labels, scores in samples(question):
        checks = [rl.Ranking(labels[k::folds], scores[k::folds]) for k in range(folds)]
        checked = rl.checked_repair(found, checks, **options)
        largest = max(checked.decisions, key=lambda one: one.area)
        inside.append(largest.checked_pos + largest.checked_neg)
        kept.append(len(checked.kept) > 0)
        after = checked.repair.apply_to_ranking(test).summary.auc
        gains.append(after - test.summary.auc)
    gain = np.array(gains)
    return Answer(
        **asdict(question),
        kept=sum(kept),
        inside=float(f"{np.mean(inside):.4g}"),
        gain=float(f"{gain.mean():.4g}"),
        gain_kept=float(f"{gain[kept].mean():.4g}") if any(kept) else math.nan,
        lowered=int(np.count_nonzero(gain < 0)),
    )
