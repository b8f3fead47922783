"""Readings of cohorts: of the whole model, and of each segment that occurs in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import numpy as np

from roclab.monitor.cohorts import Reading, read_cohort
from roclab.monitor.state import ModelState, StreamState
from roclab.monitor.store.records import CohortCount, Rows
from roclab.monitor.store.sqlite import SQLiteStore

Readings = list[tuple[StreamState, Reading]]


def read_streams(store: SQLiteStore, state: ModelState, rows: Rows) -> Readings:
    """Read a cohort: the whole model, and the segments that occur in it."""
    streams = {state.whole.record.number: state.whole}
    for segments in np.unique(rows.segments).tolist():
        streams |= {one.record.number: one for one in streams_of(store, state, segments)}
    return [
        (one, read_cohort(rows_of(store, one, rows), store.reference_scores(number)))
        for number, one in streams.items()
    ]


def streams_of(store: SQLiteStore, state: ModelState, segments: int) -> list[StreamState]:
    """Streams of a combination of segments, besides the whole model."""
    found = state.of_segments.get(segments)
    if found is None:
        keys = store.segments.get(segments, ())
        found = [state.streams[key] for key in keys if key in state.streams]
        state.of_segments[segments] = found
    return found


def rows_of(store: SQLiteStore, stream: StreamState, rows: Rows) -> Rows:
    """The rows of a stream."""
    if stream.whole:
        return rows
    key = (stream.record.segment, stream.record.value)
    numbers = [
        one for one in np.unique(rows.segments).tolist() if key in store.segments.get(one, ())
    ]
    return rows.where(np.isin(rows.segments, numbers))


def changed_cohorts(
    store: SQLiteStore, models: Mapping[str, ModelState]
) -> Iterator[tuple[ModelState, CohortCount]]:
    """Cohorts that have changed since they were read."""
    for state in list(models.values()):
        for count in store.cohorts(state.record.number, unread=True):
            yield state, count


def as_text(reading: Reading) -> str:
    """A reading for the store."""
    return json.dumps(reading.to_dict())
