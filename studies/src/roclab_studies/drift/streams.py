"""Streams of the drift study: made ones, and real ones whose truth is fixed by their windows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.signal import lfilter
from scipy.special import ndtri

from roclab import _core
from roclab_studies.real_data import load_known

Labels = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

MADE = ("independent", "positive rate", "autocorrelated", "difficulty", "mixture")
RATE = 0.3
# Events for training; as many follow for the reference, and the rest is watched.
REAL = {"electricity": 8_000, "airlines": 20_000, "covertype": 30_000}
MODELS = ("logistic regression", "gradient boosting")
WINDOW = 2_000
FALL = 0.05
_RESAMPLES, _RESAMPLED = 200, 100  # of windows, in stretches of so many events


def made(
    kind: str, rng: np.random.Generator, auc: float, events: int, drop: float = 0.0
) -> tuple[Labels, Floats]:
    """Return a stream without memory of its past, or with one, whose AUC falls by `drop`.

    "positive rate" varies between 10 % and 50 % in 5,000 events. "autocorrelated": scores of both
    classes wander together, with a correlation of 0.95 from event to event and the same spread as
    in a class. "difficulty": the distance of the classes wanders by a fifth, with a correlation of
    0.998. "mixture": one positive in ten has the scores of negatives.
    """
    rate: Floats = np.full(events, RATE)
    if kind == "positive rate":
        phase = rng.random() * 2 * math.pi
        rate = RATE + 0.2 * np.sin(phase + 2 * math.pi * np.arange(events) / 5_000)
    labels = rng.random(events) < rate
    distance: Floats = np.full(events, math.sqrt(2) * ndtri(auc - drop))
    if kind == "mixture":
        distance = np.where(rng.random(events) < 0.1, 0.0, math.sqrt(2) * ndtri((auc - 0.05) / 0.9))
        distance = distance * (1 - drop / (auc - 0.5))
    if kind == "difficulty":
        distance = distance * (1 + 0.2 * wandering(rng, events, 0.998))
    scores = rng.normal(size=events) + distance * labels
    if kind == "autocorrelated":
        scores += wandering(rng, events, 0.95)
    return labels, scores


def wandering(rng: np.random.Generator, events: int, correlation: float) -> Floats:
    """Return an autoregressive series of variance 1."""
    noise = rng.normal(size=events) * math.sqrt(1 - correlation**2)
    start = np.array([correlation * rng.normal()])
    values: Floats = lfilter([1.0], [1.0, -correlation], noise, zi=start)[0]
    return values


@cache
def scored(name: str, model: str) -> tuple[Labels, Floats]:
    """Return labels and scores after the training events, by a model frozen after these."""
    # Here, since they take their time and not every study needs them.
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    data = load_known(name)
    size = REAL[name]
    features, fitted = data.X, HistGradientBoostingClassifier(random_state=0)
    if model == "logistic regression":
        nominal = OneHotEncoder(handle_unknown="ignore")
        columns = [
            ("number", StandardScaler(), data.numeric),
            ("nominal", nominal, ~data.numeric),
        ]
        fitted = make_pipeline(ColumnTransformer(columns), LogisticRegression(max_iter=1000))
    fitted.fit(features[:size], data.y[:size])
    return data.y[size:], fitted.decision_function(features[size:])


@dataclass(frozen=True)
class Truth:
    """Windows of a stream after its reference: calm, lower or fallen.

    The interval of a fallen window lies wholly below the reference by 0.05; that of a calm window
    holds the reference, or lies above it. A fall begins with a fallen window and ends with the next
    calm one. The reference is the mean AUC of its own windows of the same length.
    """

    reference: float
    states: tuple[str, ...]

    @property
    def falls(self) -> list[tuple[int, int]]:
        """First and last event of each fall."""
        found, first = [], None
        for place, state in enumerate((*self.states, "calm")):
            if state == "fallen" and first is None:
                first = place
            if state == "calm" and first is not None:
                found.append((first * WINDOW + 1, place * WINDOW))
                first = None
        return found

    @property
    def calm_events(self) -> int:
        """Number of events in calm windows."""
        return WINDOW * self.states.count("calm")

    def found(self, alarms: list[int]) -> list[int]:
        """Return events to the first alarm of each fall that has one, until a window after it."""
        delays = []
        for first, last in self.falls:
            within = [event for event in alarms if first <= event <= last + WINDOW]
            delays += [within[0] - first + 1] if within else []
        return delays

    def by_chance(self, alarms: list[int]) -> float:
        """Return how many falls alarms would hit that are as frequent as outside of falls."""
        lengths = [last - first + 1 + WINDOW for first, last in self.falls]
        outside = WINDOW * len(self.states) - sum(lengths)
        rate = sum(self.false(alarms)) / max(outside, 1)
        return sum(1 - math.exp(-rate * length) for length in lengths)

    def false(self, alarms: list[int]) -> tuple[int, int]:
        """Return alarms in calm windows after calm windows, and others outside of falls."""
        outside = [
            event
            for event in alarms
            if not any(first <= event <= last + WINDOW for first, last in self.falls)
        ]
        calm = 0
        for event in outside:
            place = min((event - 1) // WINDOW, len(self.states) - 1)
            calm += {*self.states[max(place - 1, 0) : place + 1]} == {"calm"}
        return calm, len(outside) - calm


@cache
def truth(name: str, model: str) -> Truth:
    """Return the truth of a real stream, which no detector has a part in."""
    labels, scores = scored(name, model)
    size = REAL[name]
    of_reference = [_auc(labels, scores, np.arange(at, at + WINDOW)) for at in _starts(0, size)]
    reference = float(np.mean(of_reference))
    rng = np.random.default_rng(0)
    states = []
    for at in _starts(size, len(labels)):
        first = rng.integers(0, WINDOW, (_RESAMPLES, WINDOW // _RESAMPLED, 1))
        rows = at + (first + np.arange(_RESAMPLED)).reshape(_RESAMPLES, WINDOW) % WINDOW
        aucs = np.array([_auc(labels, scores, drawn) for drawn in rows])
        # Without both classes there is no AUC: such a window neither begins nor ends a fall.
        high = math.nan if np.isnan(aucs).any() else float(np.quantile(aucs, 0.975))
        calm = high >= reference
        states.append("fallen" if high < reference - FALL else "calm" if calm else "lower")
    return Truth(reference, tuple(states))


def _starts(first: int, last: int) -> range:
    return range(first, last - WINDOW + 1, WINDOW)


def _auc(labels: Labels, scores: Floats, rows: npt.NDArray[np.int64]) -> float:
    return _core.count_pairs(labels[rows].view(np.uint8), scores[rows], False, 1).auc
