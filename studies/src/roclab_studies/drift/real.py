"""Drift detectors on real streams, each scored by two frozen models, and on the same rows shuffled.

The truth is fixed by windows of 2,000 events, in which no detector has a part: see `Truth`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

import roclab as rl
from roclab_studies.drift.detectors import METHODS, detector_of, quantile
from roclab_studies.drift.streams import MODELS, REAL, scored, truth

SHUFFLES = 12


@dataclass(frozen=True, kw_only=True)
class Question:
    """A detector on a real stream, or on its rows shuffled, so many times."""

    kind: str
    method: str
    data: str
    model: str
    streams: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.streams * (1 + list(REAL).index(self.data))


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was seen.

    Of real streams: `falls`, how many of them were `found` and how many would be `by_chance`, the
    events that it took (`delay`: median and 90 %), the calm `events`, the false `alarms` in them,
    and alarms that are `undecided`: in windows whose AUC is lower, but not surely by 0.05. Of
    shuffled rows all events are calm. `per_class`, `block_mean` and `pooled_auc` are those of the
    reference, of the first stream.
    """

    refused: int
    per_class: int
    block_mean: float
    pooled_auc: float
    falls: int
    found: int
    by_chance: float
    delay: float
    delay_90: float
    events: int
    alarms: int
    undecided: int


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, of so many times fewer shuffles."""
    return [
        Question(kind=kind, method=method, data=data, model=model, streams=streams)
        for kind, streams in (("real", 1), ("shuffled", max(2, SHUFFLES // fewer)))
        for data in REAL
        for model in MODELS
        for method in METHODS
        if (kind, method) != ("shuffled", "pooled")
    ]


def answer(question: Question) -> Answer:
    """Run the streams of a question."""
    labels, scores = scored(question.data, question.model)
    size = REAL[question.data]
    counts = dict.fromkeys(("refused", "falls", "found", "events", "alarms", "undecided"), 0)
    first: rl.DriftReference | None = None
    delays: list[int] = []
    by_chance = np.nan
    for number in range(question.streams):
        if question.kind == "shuffled":
            order = np.random.default_rng(number).permutation(len(labels))
            labels, scores = labels[order], scores[order]
        events = labels[:size], scores[:size]
        try:
            reference = rl.DriftReference(*events)
        except rl.InputError:
            counts["refused"] += 1
            continue
        first = first or reference
        detector = detector_of(question.method, reference, events)
        alarms = [one.event for one in detector.update_many(labels[size:], scores[size:])]
        if question.kind == "shuffled":
            counts["events"] += len(labels) - size
            counts["alarms"] += len(alarms)
            continue
        true = truth(question.data, question.model)
        delays, by_chance = true.found(alarms), true.by_chance(alarms)
        false, undecided = true.false(alarms)
        counts |= {"falls": len(true.falls), "found": len(delays), "events": true.calm_events}
        counts |= {"alarms": false, "undecided": undecided}
    return Answer(
        **asdict(question),
        **counts,
        per_class=first.per_class if first else 0,
        block_mean=first.block_mean if first else np.nan,
        pooled_auc=first.pooled_auc if first else np.nan,
        by_chance=by_chance,
        delay=quantile(delays, 0.5),
        delay_90=quantile(delays, 0.9),
    )
