"""Rows that are written together leave what they leave one by one."""

import re
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roclab.monitor.schema import Label, Prediction
from roclab.monitor.store import events
from roclab.monitor.store.sqlite import SQLiteStore
from roclab.monitor.streams import Window

DAY = 86_400 * 10**6
IDS = [*"abcdef", bytes(16), bytes(range(16))]
NORTH, SOUTH = (("region", "north"),), (("region", "south"),)
COLUMNS = (
    "id, cohort, time, score, version.name, content, received, label, label_time, "
    "label_received, implicit"
)


@st.composite
def predictions(draw):
    place = draw(st.integers(0, len(IDS) - 1))
    label = draw(st.none() | st.booleans())
    return Prediction(
        IDS[place],
        draw(st.sampled_from([place / 8, place / 8, 0.5])),
        DAY + place * DAY // 4,
        draw(st.sampled_from([None, "1", "2"])),
        draw(st.sampled_from([(), NORTH, SOUTH])) if draw(st.booleans()) else NORTH,
        label,
        None if label is None else DAY + draw(st.integers(0, 2)),
    )


labels = st.builds(
    Label, st.sampled_from(IDS), st.booleans(), st.sampled_from([3 * DAY, 3 * DAY, 4 * DAY])
)
batches = st.lists(
    st.tuples(st.just("append"), st.lists(predictions(), max_size=9), st.booleans())
    | st.tuples(st.just("add_labels"), st.lists(labels, max_size=9), st.booleans())
    | st.tuples(st.just("fill_missing"), st.just([]), st.booleans()),
    max_size=6,
)


@pytest.fixture(scope="module")
def store():
    with tempfile.TemporaryDirectory() as directory:
        made = SQLiteStore(Path(directory), synchronous="normal")
        yield made
        made.close()


class Written:
    """A model, and the window of its labels."""

    def __init__(self, store, name):
        self.store, self.model = store, store.add_model(name, "day", "UTC", 0)
        self.window = Window(timedelta(days=7))
        self.window.advance(6 * DAY)

    def write(self, kind, rows, now):
        if kind == "fill_missing":
            self.window.update(self.store.fill_missing(self.model.number, DAY, 5 * DAY))
            return []
        cohorts = ([row.time // DAY * DAY for row in rows],) if kind == "append" else ()
        outcomes, changes = getattr(self.store, kind)(self.model, rows, *cohorts, now)
        self.window.update(changes)
        return outcomes

    def content(self):
        read, number = self.store._read, self.model.number
        joined = (
            "event LEFT JOIN version ON version.number = event.version "
            "LEFT JOIN segments ON segments.number = event.segments"
        )
        return {
            "events": sorted(
                read(f"SELECT {COLUMNS} FROM {joined} WHERE event.model = ?", (number,)), key=repr
            ),
            "cohorts": read("SELECT cohort, n, labelled FROM cohort WHERE model = ?", (number,)),
            "corrections": sorted(
                read(
                    "SELECT id, correction.label, correction.received, until FROM correction "
                    "JOIN event ON event.number = correction.event WHERE model = ?",
                    (number,),
                ),
                key=repr,
            ),
            "window": self.window.read(),
        }


@settings(max_examples=200, deadline=None)
@given(batches=batches)
def test_a_batch_is_its_rows_one_by_one(store, batches):
    with store.transaction():
        for model in store.models():
            store.forget_model(model.number)
        together, apart = Written(store, "together"), Written(store, "apart")
        for place, (kind, rows, history) in enumerate(batches):
            now = None if history else 3 * DAY + place
            outcomes = together.write(kind, rows, now)
            if kind == "fill_missing":
                apart.write(kind, rows, now)
            else:
                assert outcomes == [apart.write(kind, [row], now)[0] for row in rows]
            assert together.content() == apart.content()


@pytest.mark.parametrize("count", [1, 2, 1023, 1024, 3000])
def test_batches_of_all_lengths(store, count):
    with store.transaction():
        for model in store.models():
            store.forget_model(model.number)
        model = store.add_model("m", "day", "UTC", 0)
        rows = [Prediction(f"{row}", row / 7, row, None, NORTH, None, None) for row in range(count)]
        outcomes, changes = store.append(model, rows, [0] * count, 1)
        assert (outcomes, len(changes)) == (["accepted"] * count, 0)
        known = [Label(f"{row}", row % 3 == 0, row) for row in reversed(range(count))]
        outcomes, changes = store.add_labels(model, known, 1)
        assert outcomes == ["accepted"] * count
        assert dict(zip(changes.time.tolist(), changes.after.tolist(), strict=True)) == {
            row: row % 3 == 0 for row in range(count)
        }
        found = store.rows(model.number, [0])
        assert found.label.tolist() == [row % 3 == 0 for row in range(count)]
        assert [(one.n, one.labelled) for one in store.cohorts(model.number)] == [(count, count)]
        again, changes = store.add_labels(model, known, 1)
        assert (again, len(changes)) == (["duplicate"] * count, 0)


def test_no_statement_has_numbered_parameters():
    """Python refuses them from 3.14 on, where values come as a sequence."""
    texts = [text for text in vars(events).values() if isinstance(text, str) and "?" in text]
    assert len(texts) >= 8
    assert not [text for text in texts if re.search(r"\?\d", text)]
