"""Real streams replayed through the monitor with its defaults: what it says, and when.

Also the same rows in random order, through the change rule alone: whatever is said then is false.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from roclab.monitor import answers
from roclab.monitor.history import History
from roclab.monitor.installation import Installation
from roclab.monitor.replay import replay
from roclab.monitor.settings import ModelSettings, Settings
from roclab.monitor.store.sqlite import SQLiteStore
from roclab.streaming.drift.reference import DriftReference
from roclab_studies.monitor.fleets import (
    DAY,
    LENGTHS,
    Floats,
    Integers,
    StreamBlocks,
    joined_blocks,
)
from roclab_studies.monitor.judging import judged
from roclab_studies.monitor.real_streams import (
    LAYOUTS,
    MODELS,
    RealStream,
    arrivals,
    scored,
)

SHUFFLES = 5
_AFTER = 30  # cohorts after an alarm, to see whether the drop lasts
_MOST_SHOWN = 12
_RUN = 10
_FOREVER = 2**62


@dataclass(frozen=True, kw_only=True)
class Question:
    """A real stream, and its rows in so many random orders. The method is the model."""

    layout: str
    method: str
    shuffles: int

    @property
    def cost(self) -> float:
        """Rough time."""
        return 1.0 + list(LAYOUTS).index(self.layout)


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was said.

    `cohorts` of the whole model were frozen, over so many `months` after the reference; `learning`
    streams never had one. `slow` is 1 if the reference of the whole model says that its AUC varies
    slowly, and `notice` the number of cohorts in which it could notice a drop of 0.05. `firing` is
    the share of the judged blocks of the whole model at which an alarm was open. `shuffled` counts
    the alarms of all streams with the same rows in random orders, and `no_ceiling` those of the
    whole model if AUCs far above the reference counted as they are. `said`
    has the alarms of the whole model as JSON, with the mean AUC of the 30 blocks after each, and
    the lowest mean of ten in a row while it was open; `times` and `aucs` are the days and AUCs of
    all its blocks.
    """

    rows: int
    streams: int
    learning: int
    cohorts: int
    months: float
    reference: float
    slow: int
    notice: float
    whole_alarms: int
    segment_alarms: int
    firing: float
    shuffled: int
    no_ceiling: int
    said: str
    times: tuple[float, ...]
    aucs: tuple[float, ...]


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, of fewer random orders."""
    shuffles = max(1, SHUFFLES // fewer)
    return [
        Question(layout=layout, method=model, shuffles=shuffles)
        for layout in LAYOUTS
        for model in MODELS
    ]


def answer(question: Question) -> Answer:
    """Replay a stream."""
    stream = scored(question.layout, question.method)
    came = arrivals(stream, question.layout, np.random.default_rng(35))
    cohort = LAYOUTS[question.layout].cohort
    end = int(stream.time[-1]) + 400 * DAY
    with tempfile.TemporaryDirectory() as directory:
        store = SQLiteStore(Path(directory), synchronous="normal")
        try:
            chosen = Settings(defaults=ModelSettings(cohort=cohort))  # type: ignore[arg-type]
            installation = Installation(chosen, store, lambda: end)
            replay(installation, "model", _history(stream, came))
            return _seen(question, stream, installation)
        finally:
            store.close()


def _history(stream: RealStream, came: Integers) -> History:
    values, segments = np.unique(stream.values, return_inverse=True)
    return History(
        ids=[str(row) for row in range(len(stream.time))],
        time=stream.time,
        score=stream.score,
        label=np.where(came < 0, -1, stream.label).astype(np.int8),
        label_time=np.where(came < 0, stream.time, came),
        segments=segments,
        combinations=tuple(((stream.segment, str(one)),) for one in values),
    )


def _seen(question: Question, stream: RealStream, installation: Installation) -> Answer:
    state = installation.models["model"]
    whole = state.whole
    alerts = sorted(installation.store.alerts(limit=100_000), key=lambda one: one.number)
    mine = [one for one in alerts if one.stream == whole.record.number]
    blocks = [*whole.rule.reference, *whole.rule.blocks]
    aucs = np.array([block.auc for block in blocks])
    begins = np.array([block.since for block in blocks])
    moments = np.array([block.judged for block in blocks])
    said = []
    for one in mine:
        alarm = one.content["alarm"]
        after = aucs[begins >= one.fired][:_AFTER]
        said.append(
            {
                "since": one.since,
                "fired": one.fired,
                "ended": one.ended,
                "mean": round(alarm["mean"], 4),
                "after": round(float(after.mean()), 4) if len(after) else None,
                "lowest": _lowest(
                    aucs, (moments >= one.fired) & (moments < (one.ended or _FOREVER))
                ),
                "why": one.content["why"]["sentence"],
            }
        )
    live = moments[len(whole.rule.reference) :].tolist()
    open_at = [any(one.fired <= at < (one.ended or _FOREVER) for one in mine) for at in live]
    notice = answers.notice(installation, state, whole)
    rule = whole.rule.state()
    reference = [block.auc for block in whole.rule.reference]
    cohort = LAYOUTS[question.layout].cohort
    run_length = len(state.streams) * state.calendar.per_month
    return Answer(
        **asdict(question),
        rows=len(stream.time),
        streams=len(state.streams),
        learning=sum(one.rule.learning for one in state.streams.values()),
        cohorts=len(installation.store.readings(whole.record.number, frozen=True)),
        months=len(live) / state.calendar.per_month,
        reference=rule.get("reference_mean", float("nan")),
        slow=_slow(reference),
        notice=float(notice[0]["cohorts"] or np.inf) if notice else float("nan"),
        whole_alarms=len(mine),
        segment_alarms=len(alerts) - len(mine),
        firing=float(np.mean(open_at)) if open_at else 0.0,
        shuffled=_shuffled(question, stream, installation),
        no_ceiling=len(
            judged(_as_stream(aucs), run_length, cohort=cohort, method="no ceiling").alarms
        ),
        said=json.dumps(said[:_MOST_SHOWN]),
        times=tuple(round(float(one) / DAY, 3) for one in begins),
        aucs=tuple(round(float(one), 4) for one in aucs),
    )


def _lowest(aucs: Floats, inside: npt.NDArray[np.bool_]) -> float | None:
    """The lowest mean of ten blocks in a row, of those inside."""
    values = aucs[inside]
    if len(values) < _RUN:
        return None
    return round(float(np.convolve(values, np.full(_RUN, 1 / _RUN), "valid").min()), 4)


def _as_stream(aucs: Floats) -> StreamBlocks:
    places = np.arange(len(aucs))
    return StreamBlocks(aucs, places, places)


def _slow(reference: list[float]) -> int:
    return int(DriftReference.from_blocks(reference).varies_slowly) if len(reference) >= 30 else 0


def _shuffled(question: Question, stream: RealStream, installation: Installation) -> int:
    """Alarms of all streams with the same rows in random order, all labels known at once."""
    cohort = LAYOUTS[question.layout].cohort
    _, group = np.unique(stream.time // LENGTHS[cohort], return_inverse=True)
    state = installation.models["model"]
    run_length = len(state.streams) * state.calendar.per_month
    values = np.array(stream.values)
    count, cohorts = 0, int(group[-1]) + 1
    for number in range(question.shuffles):
        order = np.random.default_rng([36, number]).permutation(len(group))
        label, score, value = stream.label[order], stream.score[order], values[order]
        for chosen in (slice(None), *(value == one for one in np.unique(values))):
            at = group[chosen]
            blocks = joined_blocks(at, at, label[chosen], score[chosen], cohorts)
            count += len(judged(blocks, run_length, cohort=cohort).alarms)
    return count
