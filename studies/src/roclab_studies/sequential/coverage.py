"""How often confidence sequences ever miss the mean AUC of blocks, and how long they are.

Beside them: the interval of Student's t of the same blocks, which holds at one time only, looked at
after each block; and roclab's default interval of the AUC over all pairs.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np
from scipy.special import stdtrit

import roclab as rl
from roclab.streaming.sequences.empirical_bernstein import EmpiricalBernstein
from roclab.streaming.sequences.hedged_capital import HedgedCapital
from roclab_studies.sequential.streams import (
    POPULATIONS,
    Floats,
    cut,
    expected_aucs,
    made,
    true_mean,
)

METHODS = ("hedged_capital", "empirical_bernstein", "student", "pooled")
AUCS = (0.75, 0.95)
STREAMS = 200
LOOKS = (1_000, 5_000, 20_000)
_ERROR = 0.05
_FIRST_LOOK = 10  # blocks that Student's t waits for


@dataclass(frozen=True, kw_only=True)
class Question:
    """A method on streams of one population."""

    method: str
    population: str
    auc: float
    streams: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return float(METHODS.index(self.method) < 2)


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """The `true` mean, streams that ever `missed` it, that `missed_last`, and mean `lengths`.

    What the empirical-Bernstein sequence should hold is the running mean of the expectations of
    blocks, given the series that they depend on; of independent events that is the same. `empty`
    streams had no constant mean left. Lengths are those after 1,000, 5,000 and 20,000 events, of
    intervals that are not empty.
    """

    true: float
    missed: int
    missed_last: int
    empty: int
    lengths: tuple[float, ...]


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, of so many times fewer streams."""
    return [
        Question(method=method, population=population, auc=auc, streams=max(2, STREAMS // fewer))
        for population in POPULATIONS
        for auc in AUCS
        for method in METHODS
    ]


def answer(question: Question) -> Answer:
    """Run the streams of a question."""
    true = true_mean(question.population, question.auc)
    missed = missed_last = empty = 0
    lengths = []
    for number in range(question.streams):
        rng = np.random.default_rng([POPULATIONS.index(question.population), number])
        stream = made(question.population, rng, (question.auc,), LOOKS[-1])
        labels, [scores] = stream.labels, stream.scores
        target: Floats | float = true
        if question.method == "pooled":
            found = [rl.auc_interval(labels[:n], scores[:n]) for n in LOOKS]
            lows, highs = (
                np.array([getattr(one, end) for one in found]) for end in ("low", "high")
            )
            looks = np.arange(len(LOOKS))
        else:
            aucs, last = cut(labels, scores)
            lows, highs = intervals(question.method, aucs).T
            looks = np.searchsorted(last, LOOKS, side="right") - 1
            if question.method == "empirical_bernstein":
                expected = expected_aucs(question.population, stream, question.auc)
                target = np.cumsum(expected) / np.arange(1, len(expected) + 1)
        held = (lows <= target) & (target <= highs)  # an interval that is nan holds nothing
        missed += not held.all()
        missed_last += not held[-1]
        empty += bool(np.isnan(lows[-1]))
        # Before the first block, nothing is known.
        lengths.append([highs[i] - lows[i] if i >= 0 else 1.0 for i in looks])
    return Answer(
        **asdict(question),
        true=true,
        missed=missed,
        missed_last=missed_last,
        empty=empty,
        lengths=tuple(float(one) for one in np.nanmean(lengths, axis=0).round(5)),
    )


def intervals(method: str, values: Floats) -> Floats:
    """Return the interval after each value; nan if no mean is left."""
    if method == "student":
        return _student(values)
    sequence = HedgedCapital(_ERROR) if method == "hedged_capital" else EmpiricalBernstein(_ERROR)
    ends = np.empty((len(values), 2))
    for place, x in enumerate(values.tolist()):
        sequence.add(x)
        ends[place] = (math.nan, math.nan) if sequence.empty else (sequence.low, sequence.high)
    return ends


def _student(values: Floats) -> Floats:
    n = np.arange(1, len(values) + 1)
    mean = np.cumsum(values) / n
    squares = np.maximum(np.cumsum(values**2) - n * mean**2, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        half = stdtrit(n - 1, 1 - _ERROR / 2) * np.sqrt(squares / (n - 1) / n)
    half[: _FIRST_LOOK - 1] = np.inf
    return np.clip(np.column_stack([mean - half, mean + half]), 0, 1)
