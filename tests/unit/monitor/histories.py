"""Histories of models, from files and made up, and what a monitor says about them."""

import io
from datetime import UTC, datetime, timedelta

import numpy as np
import polars as pl

from roclab.monitor.history import History, read_history
from roclab.monitor.settings import Settings
from roclab.readers.opening import FileOptions
from tests.unit.monitor.fleet import DAY, HOUR, maker

NAMES = {"label": "y", "score": "p", "time": "t"}
NOON = datetime(2026, 1, 31, 12, 0, 0, tzinfo=UTC)


def microseconds(time):
    return (time - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def read(frame, **options):
    """Read a frame that was written as Parquet."""
    file = io.BytesIO()
    pl.DataFrame(frame).write_parquet(file)
    file.seek(0)
    return read_file(file, "parquet", **options)


def read_text(text, **options):
    """Read CSV."""
    return read_file(io.BytesIO(text.encode()), "csv", **options)


def read_file(file, format, **options):
    now, limits = microseconds(NOON) + 10 * DAY, Settings().limits
    chosen = {**NAMES, **options}
    return read_history(file, **chosen, now=now, limits=limits, options=FileOptions(format=format))


def made_history(days, *, delay=HOUR, unlabelled=0.0, seed=0, **options):
    """Days of a made-up model as history, and as rows with labels."""
    make = maker(seed, **options)
    rows, labels = [], []
    for day in range(days):
        some, of_some = make(day)
        rows += some
        labels += of_some.tolist()
    rng = np.random.default_rng(seed + 1)
    known = rng.random(len(rows)) >= unlabelled
    late = rng.exponential(delay, len(rows)).astype(np.int64)
    combinations = tuple(dict.fromkeys(row.segments for row in rows))
    time = np.array([row.time for row in rows])
    return History(
        ids=[row.id for row in rows],
        time=time,
        score=np.array([row.score for row in rows]),
        label=np.where(known, labels, -1).astype(np.int8),
        label_time=time + late,
        segments=np.array([combinations.index(row.segments) for row in rows]),
        combinations=combinations,
        version=[row.version for row in rows],
    )


def said(world, model="credit"):
    """Everything that was said about a model: as known now, as frozen, and its alerts."""
    store = world.store
    state = world.installation.models[model]
    return {
        key: (
            [(cohort, without_psi(one)) for cohort, one in store.readings(stream.record.number)],
            store.readings(stream.record.number, frozen=True),
            store.frozen_at(stream.record.number),
            [block for _, block in store.blocks(stream.record.number)],
            [
                (alert.rule, alert.since, alert.fired, alert.ended, alert.content["sentence"])
                for alert in store.alerts()
                if alert.stream == stream.record.number
            ],
        )
        for key, stream in sorted(state.streams.items())
    }


def without_psi(reading):
    """A reading as known now, which has a PSI if it was read when there was a reference."""
    return {name: value for name, value in reading.items() if not name.startswith("psi")}
