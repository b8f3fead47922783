"""Events until champion and challenger are decided between, and how often wrongly."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from scipy.special import ndtri

import roclab as rl
from roclab_studies.drift.detectors import quantile
from roclab_studies.sequential.streams import POPULATIONS, made

METHODS = ("hedged_capital", "empirical_bernstein")
LEADS = (0.0, 0.01, 0.02, 0.05)
BASE = 0.85
STREAMS = 50
LONGEST = 60_000
_CHUNK = 2_000
_SAMPLE = 200_000


@dataclass(frozen=True, kw_only=True)
class Question:
    """A method on streams of two models, of which A leads by so much, or by nothing."""

    method: str
    population: str
    lead: float
    streams: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return -self.lead


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Streams that are decided `right` or `wrong`, and the events that it took.

    `median` and `late` (90 %) are of all streams, infinite where undecided after 60,000 events.
    `fixed` is the number of events that DeLong's test, once, needs for a power of 90 %.
    """

    right: int
    wrong: int
    median: float
    late: float
    fixed: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, of so many times fewer streams."""
    return [
        Question(method=method, population=population, lead=lead, streams=max(2, STREAMS // fewer))
        for population in POPULATIONS
        for lead in LEADS
        for method in METHODS
    ]


def answer(question: Question) -> Answer:
    """Run the streams of a question."""
    aucs = (BASE + question.lead, BASE)
    found, events = [], []
    for number in range(question.streams):
        rng = np.random.default_rng([9, POPULATIONS.index(question.population), number])
        stream = made(question.population, rng, aucs, LONGEST)
        duel = rl.SequentialComparison(method=question.method)
        for first in range(0, LONGEST, _CHUNK):
            part = slice(first, first + _CHUNK)
            duel.update_many(stream.labels[part], *(column[part] for column in stream.scores))
            if duel.decided:
                break
        found.append(duel.decided)
        events.append(duel.interval().decided_event or np.inf)
    right = found.count("a") if question.lead else 0
    return Answer(
        **asdict(question),
        right=right,
        wrong=sum(one is not None for one in found) - right,
        median=quantile(events, 0.5),
        late=quantile(events, 0.9),
        fixed=_fixed(question, aucs),
    )


def _fixed(question: Question, aucs: tuple[float, float]) -> float:
    """Return the events of a test of fixed size, from the variance of a large sample."""
    if not question.lead:
        return np.nan
    rng = np.random.default_rng([8, POPULATIONS.index(question.population)])
    stream = made(question.population, rng, aucs, _SAMPLE)
    found = rl.compare_auc(stream.labels, *stream.scores)
    error = (found.high - found.low) / (2 * ndtri(0.975))
    return float(np.ceil(_SAMPLE * (error * (ndtri(0.975) + ndtri(0.9)) / question.lead) ** 2))
