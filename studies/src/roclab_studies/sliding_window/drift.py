"""Whether rounding errors pile up in a window that has slid ten million times.

Every so often the window's values are compared with those of a `Ranking` of the events that are in
it, which knows nothing of those that have left.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

import roclab as rl

Noise = npt.NDArray[np.float64]

SLIDES = 10**7
CHECKS = 100
SIZES = (1000, 100_000)
POSITIVES = 0.3
SEED = 20_240_706
# What becomes of noise that is normal, positives shifted by one, at a time that runs from 0 to 1.
SCORES: dict[str, Callable[[Noise, Noise], Noise]] = {
    "distinct": lambda noise, _: noise,
    "tied": lambda noise, _: noise.round(1),
    "far": lambda noise, _: 1e6 + noise,
    "far and tied": lambda noise, _: 1e9 + noise.round(1),
    "moving away": lambda noise, time: noise + 1e6 * time,
    "many magnitudes": lambda noise, _: np.exp(4 * noise),
}
# And of noise that is uniform from 0 to 1.
WEIGHTS: dict[str, Callable[[Noise, Noise], Noise] | None] = {
    "none": None,
    "alike": lambda noise, _: 0.5 + noise,
    "many magnitudes": lambda noise, _: 10 ** (12 * noise - 6),
    "falling": lambda noise, time: (0.5 + noise) * 10 ** (6 - 12 * time),
}


@dataclass(frozen=True, kw_only=True)
class Question:
    """A window and a stream."""

    weights: str
    scores: str
    size: int
    slides: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.weights

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.slides * (1 if self.weights == "none" else 3)

    def __str__(self) -> str:
        return f"{self.size} scores {self.scores}, weights {self.weights}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """The largest differences from the batch, of all comparisons.

    Attributes
    ----------
    auc : float
        Absolute.
    auc_variance, scored_auc, scored_auc_variance : float
        Relative.
    """

    auc: float
    auc_variance: float
    scored_auc: float
    scored_auc_variance: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of slides divided by `fewer`."""
    return [
        Question(weights=weights, scores=scores, size=size, slides=SLIDES // fewer)
        for weights, scores, size in itertools.product(WEIGHTS, SCORES, SIZES)
    ]


def answer(question: Question) -> Answer:
    """Slide, and compare every so often."""
    rng = np.random.default_rng([SEED, list(SCORES).index(question.scores), question.size])
    window = rl.WindowAUC(question.size)
    many = question.slides // CHECKS
    kept: list[npt.NDArray[np.float64]] = [np.empty(0)] * 3
    worst = np.zeros(4)
    for check in range(CHECKS + 1):
        # The first comparison is of a window that has just been filled.
        events = _events(question, rng, many if check else question.size, check / CHECKS)
        window.update_many(*events[:2], sample_weight=events[2] if _weighs(question) else None)
        kept = [np.concatenate(both)[-question.size :] for both in zip(kept, events, strict=True)]
        worst = np.fmax(worst, _differences(question, window, kept))
    names = ("auc", "auc_variance", "scored_auc", "scored_auc_variance")
    found = {name: float(f"{value:.2g}") for name, value in zip(names, worst, strict=True)}
    return Answer(**asdict(question), **found)


def _events(
    question: Question, rng: np.random.Generator, count: int, time: float
) -> list[npt.NDArray[np.float64]]:
    """Labels, scores and weights of the next events; the last of them at that time."""
    labels = (rng.random(count) < POSITIVES).astype(np.float64)
    times = time - np.arange(count)[::-1] / question.slides
    scores = SCORES[question.scores](rng.standard_normal(count) + labels, times)
    weigh = WEIGHTS[question.weights]
    return [labels, scores, weigh(rng.random(count), times) if weigh else np.ones(count)]


def _weighs(question: Question) -> bool:
    return WEIGHTS[question.weights] is not None


def _differences(
    question: Question, window: rl.WindowAUC, kept: list[npt.NDArray[np.float64]]
) -> npt.NDArray[np.float64]:
    """Of the four values from those of the batch; infinite where only the batch has one."""
    labels, scores, weights = kept
    batch = rl.Ranking(labels, scores, sample_weight=weights if _weighs(question) else None).summary
    found = np.array(
        [window.auc, window.auc_variance, window.scored_auc, window.scored_auc_variance]
    )
    right = np.array([batch.auc, batch.auc_variance, batch.scored_auc, batch.scored_auc_variance])
    differences = np.abs(found - right) / np.array([1, *right[1:]])
    return np.where(np.isnan(found) & ~np.isnan(right), np.inf, differences)
