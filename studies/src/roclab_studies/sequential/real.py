"""Confidence sequences on real streams, scored by two frozen models, and on the rows shuffled.

On real streams no mean is constant, so there is no truth to hold: what is recorded is when the
sequence says so, and whether the model that it declares better is ahead later on.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import roclab as rl
from roclab_studies.drift.detectors import quantile
from roclab_studies.drift.streams import MODELS, REAL, WINDOW, Floats, Labels, scored

METHODS = ("hedged_capital", "empirical_bernstein")
TARGETS = (*MODELS, "difference")
BLOCKS = (5, 40)
SHUFFLES = 20


@dataclass(frozen=True, kw_only=True)
class Question:
    """A sequence on a real stream, or on its rows shuffled, so many times.

    The target is a model, or the difference of gradient boosting and logistic regression.
    """

    kind: str
    method: str
    data: str
    target: str
    per_class: int
    streams: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.streams * (1 + list(REAL).index(self.data))


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was seen.

    `events` of the stream; `value`, `low` and `high` at its end (of the first stream), `pooled` the
    AUC or difference over all pairs of the stream; `changed`, the event by which no constant was
    left (median of the streams where this happened, which are `empty`); streams in which an
    interval `missed` the pooled value at the end; streams decided for either model (`boosting`,
    `logistic`), and the event (median). `ahead`: share of the windows of 2,000 events after the
    decision in which the model that was declared better has the larger AUC.
    """

    events: int
    value: float
    low: float
    high: float
    pooled: float
    empty: int
    changed: float
    missed: int
    boosting: int
    logistic: int
    decided: float
    ahead: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, of so many times fewer shuffles."""
    shuffles = max(2, SHUFFLES // fewer)
    return [
        Question(
            kind=kind, method=method, data=data, target=target, per_class=block, streams=streams
        )
        for data in REAL
        for target in TARGETS
        for method in METHODS
        for kind, block, streams in (
            *(("real", block, 1) for block in BLOCKS),
            ("shuffled", 5, shuffles),
        )
        if kind == "real" or target == "difference"
    ]


def answer(question: Question) -> Answer:
    """Run the streams of a question."""
    labels, logistic = scored(question.data, MODELS[0])
    boosting = scored(question.data, MODELS[1])[1]
    columns = {MODELS[0]: [logistic], MODELS[1]: [boosting]}.get(
        question.target, [boosting, logistic]
    )
    aucs = [rl.auc(labels, column) for column in columns]
    pooled = aucs[0] - aucs[1] if len(aucs) == 2 else aucs[0]
    found = []
    for number in range(question.streams):
        order = np.arange(len(labels))
        if question.kind == "shuffled":
            order = np.random.default_rng(number).permutation(len(labels))
        sequence: Any = rl.BlockConfidenceSequence(
            method=question.method, per_class=question.per_class
        )
        if len(columns) == 2:
            sequence = rl.SequentialComparison(
                method=question.method, per_class=question.per_class, names=("boosting", "logistic")
            )
        sequence.update_many(labels[order], *(column[order] for column in columns))
        found.append(sequence.interval())
    decisions = [getattr(one, "decided", None) for one in found]
    changed = [one.changed_event for one in found if one.changed_event is not None]
    decided = [one.decided_event for one in found if getattr(one, "decided", None)]
    first = found[0]
    ahead = np.nan
    if question.kind == "real" and decided:
        models = (boosting, logistic) if decisions[0] == "boosting" else (logistic, boosting)
        ahead = _ahead(labels, *models, decided[0])
    return Answer(
        **asdict(question),
        events=len(labels),
        value=first.value if len(columns) == 1 else first.difference,
        low=first.low,
        high=first.high,
        pooled=pooled,
        empty=len(changed),
        changed=quantile(changed, 0.5),
        missed=sum(not one.low <= pooled <= one.high for one in found),
        boosting=decisions.count("boosting"),
        logistic=decisions.count("logistic"),
        decided=quantile(decided, 0.5),
        ahead=ahead,
    )


def _ahead(labels: Labels, better: Floats, other: Floats, event: int) -> float:
    """Return the share of windows after an event in which the better model is ahead."""
    leads = []
    for first in range(event, len(labels) - WINDOW + 1, WINDOW):
        part = slice(first, first + WINDOW)
        if 0 < np.count_nonzero(labels[part]) < WINDOW:
            leads.append(rl.auc(labels[part], better[part]) > rl.auc(labels[part], other[part]))
    return float(np.mean(leads)) if leads else np.nan
