"""Simulated installations driven day by day through the monitor itself, with a clock that is set.

Predictions and labels come as they would, cohorts become mature, are frozen and joined, and change
rules judge them. Where the horizon is given, blocks and alarms must be those of `false_alarms`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

import numpy as np

from roclab.monitor.installation import Installation
from roclab.monitor.schema import Label, Prediction
from roclab.monitor.settings import ModelSettings, Settings
from roclab.monitor.store.sqlite import SQLiteStore
from roclab_studies.monitor.false_alarms import SETTINGS
from roclab_studies.monitor.fleets import (
    DAY,
    HORIZON,
    NEVER,
    SEGMENTS,
    START,
    Rows,
    Setting,
    StreamBlocks,
    blocks_of,
    made_fleet,
)
from roclab_studies.monitor.judging import judged, reference_blocks

MONTHS = 2
_REFERENCE = reference_blocks("default", "day")
_SAME = 1e-12


@dataclass(frozen=True, kw_only=True)
class Question:
    """One installation.

    The method is the horizon: known, and then no cohort is mature before it, however many of its
    labels have come; or estimated from delays of labels, with the defaults of the monitor.
    """

    setting: str
    method: str
    number: int
    months: int

    @property
    def cost(self) -> float:
        """Rough time."""
        return self.months

    @property
    def seed(self) -> list[int]:
        """The same rows as in `false_alarms`."""
        return [33, list(SETTINGS).index(self.setting), self.number]


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was seen.

    Of so many `blocks`, `same` have the AUC and the cohorts that they have in `false_alarms`; of
    `alarms`, `agreeing` are raised there as well by the same block, and `missing` only there.
    `coverage` is the mean share of labels of frozen cohorts of whole models, of the first ten
    days and of those after the reference, and `auc` their mean AUC; `wait` is the mean number of
    days until they were frozen.
    """

    rows: int
    stream_months: float
    blocks: int
    same: int
    whole_alarms: int
    segment_alarms: int
    agreeing: int
    missing: int
    early_coverage: float
    late_coverage: float
    early_auc: float
    late_auc: float
    early_wait: float
    late_wait: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, fewer installations."""
    months = MONTHS if fewer == 1 else 1
    return [
        Question(setting=setting, method=method, number=number, months=months)
        for method, setting, count in (
            ("known", "calm", 1),
            ("known", "year, 0.02", 1),
            ("estimated", "calm", 1),
            ("estimated", "week and year, 0.02 each", 1),
        )
        for number in range(count if fewer == 1 else 1)
    ]


def answer(question: Question) -> Answer:
    """Drive one installation."""
    setting = SETTINGS[question.setting]
    cohorts = _REFERENCE + round(question.months * setting.per_month)
    fleet = list(made_fleet(setting, question.seed, cohorts))
    with tempfile.TemporaryDirectory() as directory:
        store = SQLiteStore(Path(directory), synchronous="normal")
        try:
            chosen = ModelSettings(horizon=timedelta(days=HORIZON), coverage=1.0)
            if question.method == "estimated":
                chosen = ModelSettings()
            installation = driven(Settings(defaults=chosen), store, fleet, cohorts + 2 * HORIZON)
            return _compared(question, setting, fleet, installation)
        finally:
            store.close()


def name(model: int) -> str:
    """Name of a model; the order of names is that of numbers."""
    return f"model {model:02}"


def driven(settings: Settings, store: SQLiteStore, fleet: list[Rows], days: int) -> Installation:
    """Feed the rows of a fleet day by day, with labels as they come, and a tick at midnight."""
    now = START
    installation = Installation(settings, store, lambda: now)
    batches = [_days(model, rows, days) for model, rows in enumerate(fleet)]
    for day in range(days):
        end = START + (day + 1) * DAY
        now = end - 1
        with store.transaction():
            for model, of_model in enumerate(batches):
                predictions, labels = next(of_model)
                if predictions:
                    installation.predictions(name(model), predictions, now)
                if labels:
                    installation.labels(name(model), labels, now)
        installation.committed()
        now = end
        with store.transaction():
            installation.tick()
        installation.committed()
        if day % 10 == 9:
            store.checkpoint()
    return installation


def _days(model: int, rows: Rows, days: int) -> Iterator[tuple[list[Prediction], list[Label]]]:
    made = np.searchsorted(rows.time // DAY, np.arange(days + 1))
    came = np.where(rows.arrival == NEVER, days, rows.arrival // DAY)
    order = np.argsort(came, kind="stable")
    arrived = np.searchsorted(came[order], np.arange(days + 1))
    segments = [(("segment", f"s{one}"),) for one in range(SEGMENTS)]
    ids = [f"{model}-{row}" for row in range(len(rows.time))]
    for day in range(days):
        some = range(made[day], made[day + 1])
        predictions = [
            Prediction(
                ids[row],
                float(rows.score[row]),
                START + int(rows.time[row]),
                None,
                segments[rows.segment[row]],
                None,
                None,
            )
            for row in some
        ]
        labels = [
            Label(ids[row], bool(rows.label[row]), START + int(rows.arrival[row]))
            for row in order[arrived[day] : arrived[day + 1]].tolist()
        ]
        yield predictions, labels


def _compared(
    question: Question, setting: Setting, fleet: list[Rows], installation: Installation
) -> Answer:
    counts = dict.fromkeys(
        ("blocks", "same", "whole_alarms", "segment_alarms", "agreeing", "missing"), 0
    )
    months = 0.0
    coverage: dict[str, list[float]] = {"early": [], "late": []}
    aucs: dict[str, list[float]] = {"early": [], "late": []}
    waits: dict[str, list[float]] = {"early": [], "late": []}
    raised: dict[int, set[int]] = {}
    for alert in installation.store.alerts(limit=100_000):
        raised.setdefault(alert.stream, set()).add(alert.fired)
    for model, rows in enumerate(fleet):
        streams = installation.models[name(model)].streams
        keys = [("", ""), *(("segment", f"s{one}") for one in range(SEGMENTS))]
        for key, expected in zip(keys, blocks_of(setting, rows), strict=True):
            number = streams[key].record.number
            found = [block for _, block in installation.store.blocks(number)]
            counts["blocks"] += len(found)
            counts["same"] += sum(
                _equal(block.cohorts, block.auc, expected, place)
                for place, block in enumerate(found)
            )
            months += max(0, len(found) - _REFERENCE) / setting.per_month
            alarms = raised.get(number, set())
            # Fewer alarms may be raised early on, when fewer streams were known: none so early.
            also = {
                START + (int(expected.last[one.block]) + 1 + HORIZON) * DAY
                for one in judged(expected, setting.run_length).alarms
            }
            counts["segment_alarms" if key[0] else "whole_alarms"] += len(alarms)
            counts["agreeing"] += len(alarms & also)
            counts["missing"] += len(also - alarms)
            if not key[0]:
                at = installation.store.frozen_at(number)
                for cohort, reading in installation.store.readings(number, frozen=True):
                    day = (cohort - START) // DAY
                    if day < 10 or day >= _REFERENCE:
                        when = "early" if day < 10 else "late"
                        coverage[when].append(reading["coverage"])
                        aucs[when].append(reading["auc"])
                        waits[when].append((at[cohort] - cohort) / DAY - 1)
    return Answer(
        **asdict(question),
        **counts,
        rows=sum(len(rows.time) for rows in fleet),
        stream_months=months,
        **{
            f"{when}_{what}": float(np.mean(values[when]))
            for what, values in (("coverage", coverage), ("auc", aucs), ("wait", waits))
            for when in ("early", "late")
        },
    )


def _equal(cohorts: tuple[int, ...], auc: float, expected: StreamBlocks, place: int) -> bool:
    if place >= len(expected.auc):
        return False
    days = range(int(expected.first[place]), int(expected.last[place]) + 1)
    return bool(
        cohorts == tuple(START + day * DAY for day in days)
        and abs(auc - expected.auc[place]) < _SAME
    )
