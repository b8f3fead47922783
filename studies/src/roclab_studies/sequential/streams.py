"""Streams of two models: independent events of three shapes, and events that depend on each other.

None of them was used to choose the constants of the sequences; these were chosen on normal scores
of equal variance with 30 % positives.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from roclab.streaming.drift.blocks import BlockCutter, BlockRule
from roclab_studies.drift.streams import wandering

Labels = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

INDEPENDENT = ("skewed", "graded", "rare positives")
DEPENDENT = ("autocorrelated", "difficulty")
POPULATIONS = (*INDEPENDENT, *DEPENDENT)
_RATES = {"rare positives": 0.03}
_CORRELATION = 0.6  # of the noise of two models
_CUTS = np.array([-0.5, 0.2, 0.9, 1.6])  # between five grades
_TRUTH = 2_000_000


@dataclass(frozen=True)
class Stream:
    """Labels, the scores of each model, and the series that all events depend on."""

    labels: Labels
    scores: list[Floats]
    slow: Floats


def made(population: str, rng: np.random.Generator, aucs: tuple[float, ...], events: int) -> Stream:
    """Return a stream with a model of each AUC.

    "skewed": exponential scores of both classes. "graded": five grades, so that most pairs tie
    often. "rare positives": 3 % of normal scores. "autocorrelated" and "difficulty": those of the
    drift study, common to all models, where the expectation of a block depends on the past.
    """
    labels = rng.random(events) < _RATES.get(population, 0.4)
    common = rng.normal(size=events)
    slow = np.zeros(events)
    if population in DEPENDENT:
        slow = wandering(rng, events, 0.95 if population == "autocorrelated" else 0.998)
    scores = []
    for auc in aucs:
        own = rng.normal(size=events)
        z = math.sqrt(_CORRELATION) * common + math.sqrt(1 - _CORRELATION) * own
        scores.append(_scores(population, labels, z, slow, auc))
    return Stream(labels, scores, slow)


def _scores(population: str, labels: Labels, z: Floats, slow: Floats, auc: float) -> Floats:
    if population == "skewed":
        return -np.log(ndtr(-z)) * np.where(labels, auc / (1 - auc), 1.0)
    if population == "graded":
        return np.searchsorted(_CUTS, z + _shift(auc) * labels).astype(float)
    distance = math.sqrt(2) * ndtri(auc)
    if population == "difficulty":
        return z + distance * (1 + 0.2 * slow) * labels
    return z + distance * labels + (slow if population == "autocorrelated" else 0.0)


@cache
def _shift(auc: float) -> float:
    """Return the shift of normal scores by which their grades have this AUC."""

    def missing(shift: float) -> float:
        edges = np.concatenate([[-np.inf], _CUTS, [np.inf]])
        neg, pos = np.diff(ndtr(edges)), np.diff(ndtr(edges - shift))
        below = np.cumsum(neg) - neg
        return float(np.sum(pos * (below + neg / 2)) - auc)

    return float(brentq(missing, 0.0, 8.0))


def cut(labels: Labels, scores: Floats) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return the AUC of each block, and the number of events at its end."""
    blocks = list(BlockCutter(BlockRule.of(5, None)).add_many(labels, scores))
    return (
        np.array([block.auc for block in blocks]),
        np.array([block.last_event for block in blocks], np.int64),
    )


@cache
def true_mean(population: str, auc: float) -> float:
    """Return the mean AUC of blocks: known for independent events, else of a long stream."""
    if population in INDEPENDENT:
        return auc
    rng = np.random.default_rng([77, POPULATIONS.index(population)])
    stream = made(population, rng, (auc,), _TRUTH)
    return float(cut(stream.labels, stream.scores[0])[0].mean())


def expected_aucs(population: str, stream: Stream, auc: float) -> Floats:
    """Return the expectation of the AUC of each block, given the series that it depends on.

    Scores of a pair then are normal, so that the better one is positive with a known probability.
    """
    _, ends = cut(stream.labels, stream.scores[0])
    if population in INDEPENDENT:
        return np.full(len(ends), auc)
    distance, found = math.sqrt(2) * ndtri(auc), []
    for first, last in pairwise([0, *ends.tolist()]):
        labels, slow = stream.labels[first:last], stream.slow[first:last]
        if population == "difficulty":
            gaps = distance * (1 + 0.2 * slow[labels])
        else:
            gaps = distance + np.subtract.outer(slow[labels], slow[~labels])
        found.append(ndtr(gaps / math.sqrt(2)).mean())
    return np.array(found)
