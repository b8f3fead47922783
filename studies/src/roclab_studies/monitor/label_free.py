"""The label-free estimate of the AUC, shown only where it was nearer to the truth before.

At each cohort, the monitor looks at the cohorts that are mature by then. It shows the estimate if
its mean error was less than that of "nothing changed", which is the mean AUC of the reference.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
from scipy.special import expit

import roclab as rl
from roclab.monitor.cohorts import FEWEST, Reading, label_free_errors
from roclab_studies.monitor.fleets import LENGTHS, Floats
from roclab_studies.monitor.real_streams import LAYOUTS, MODELS, scored

REFERENCE = 30
DAYS = 365
ROWS = 300
REPETITIONS = 20
_BROKEN_AT = 200
# Cohorts until labels are known: simulated streams, and real ones by the period of a cohort.
LAGS = {"simulated": 21, "day": 5, "hour": 24}
SIMULATED = (
    "stable",
    "overconfident",
    "mix varies",
    "mix varies, overconfident",
    "ranking decays",
    "mix varies, then ranking decays",
)


@dataclass(frozen=True, kw_only=True)
class Question:
    """A kind of simulated stream, so many times, or a real one with a frozen model as method."""

    stream: str
    method: str
    repetitions: int

    @property
    def cost(self) -> float:
        """Rough time."""
        return 100.0 if self.stream in LAYOUTS else self.repetitions


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was seen.

    Of `cohorts` for which the monitor could decide, the estimate is shown for `shown`. There
    `error` is its mean error, and `unchanged` that of "nothing changed"; `error_all` and
    `unchanged_all` are those of all these cohorts.
    """

    cohorts: int
    shown: int
    error: float
    unchanged: float
    error_all: float
    unchanged_all: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, so many times fewer simulated streams."""
    count = max(2, REPETITIONS // fewer)
    asked = [Question(stream=one, method="simulated", repetitions=count) for one in SIMULATED]
    asked += [
        Question(stream=layout, method=model, repetitions=1)
        for layout in LAYOUTS
        for model in MODELS
    ]
    return asked


def answer(question: Question) -> Answer:
    """Decide cohort by cohort."""
    real = question.stream in LAYOUTS
    lag = LAGS[LAYOUTS[question.stream].cohort if real else "simulated"]
    errors: list[tuple[bool, float, float]] = []
    for number in range(question.repetitions):
        cohorts = (
            _real(question)
            if real
            else _simulated(question.stream, np.random.default_rng([37, number]))
        )
        errors += judged([reading(*one) for one in cohorts], lag)
    shown = np.array([one for one, _, _ in errors])
    mine, unchanged = (np.array([one[place] for one in errors]) for place in (1, 2))
    return Answer(
        **asdict(question),
        cohorts=len(errors),
        shown=int(shown.sum()),
        error=_mean(mine[shown]),
        unchanged=_mean(unchanged[shown]),
        error_all=_mean(mine),
        unchanged_all=_mean(unchanged),
    )


def judged(readings: list[Reading], lag: int) -> list[tuple[bool, float, float]]:
    """Whether the estimate of each cohort is shown, its error, and that of "nothing changed"."""
    mean = float(np.mean([one.auc for one in readings[:REFERENCE]]))
    found = []
    for place in range(REFERENCE + lag + FEWEST, len(readings)):
        one = readings[place]
        past = label_free_errors(readings[REFERENCE : place - lag], mean)
        if past is not None and one.auc is not None and one.expected_auc is not None:
            errors = abs(one.expected_auc - one.auc), abs(mean - one.auc)
            found.append((past[0] < past[1], *errors))
    return found


def reading(labels: np.ndarray, scores: Floats) -> Reading:
    """A cohort with all labels."""
    n_pos = int(labels.sum())
    expected = float(rl.expected_auc(scores).value)
    return Reading(
        n=len(labels),
        n_labelled=len(labels),
        n_pos=n_pos,
        n_neg=len(labels) - n_pos,
        auc=float(rl.auc(labels, scores)),
        expected_auc=expected if math.isfinite(expected) else None,
    )


def _simulated(kind: str, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, Floats]]:
    """Cohorts whose labels follow the probabilities, unless the ranking decays.

    "mix varies": probabilities are more or less spread, in a wave of 90 days. "overconfident":
    what is shown is half as far again from even odds. "ranking decays": from day 200 on, odds of
    labels are those to the power of 0.6.
    """
    for day in range(DAYS):
        spread = 1.2
        if "mix" in kind:
            spread += 0.4 * math.sin(2 * math.pi * day / 90)
        odds = rng.normal(-0.7, spread, ROWS)
        power = 0.6 if "decays" in kind and day >= _BROKEN_AT else 1.0
        labels = rng.random(ROWS) < expit(power * odds)
        yield labels, expit(odds * (1.5 if "overconfident" in kind else 1.0))


def _real(question: Question) -> Iterator[tuple[np.ndarray, Floats]]:
    stream = scored(question.stream, question.method)
    length = LENGTHS[LAYOUTS[question.stream].cohort]
    cohort = stream.time // length
    ends = np.flatnonzero(np.append(np.diff(cohort) != 0, True)) + 1
    for begin, end in zip(np.append(0, ends[:-1]).tolist(), ends.tolist(), strict=True):
        labels = stream.label[begin:end]
        if FEWEST <= labels.sum() <= len(labels) - FEWEST:
            yield labels, stream.score[begin:end]


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else math.nan
