"""Rows as they were known at a time, against a twin that keeps every label that ever came."""

import tempfile
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roclab.monitor.schema import Label, Prediction
from roclab.monitor.store.sqlite import SQLiteStore

IDS, COHORTS = "abcde", (100, 200)
ids, labels, later = st.sampled_from(IDS), st.booleans(), st.integers(0, 3)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("prediction"), ids, st.none() | labels, later),
        st.tuples(st.just("label"), ids, labels, later),
        st.tuples(st.just("horizon"), st.sampled_from(COHORTS), later, later),
    ),
    max_size=25,
)


@pytest.fixture(scope="module")
def store():
    with tempfile.TemporaryDirectory() as directory:
        made = SQLiteStore(Path(directory), synchronous="normal")
        yield made
        made.close()


class Twin:
    """When predictions came, and all labels since they were known."""

    def __init__(self):
        self.came = {}
        self.known = defaultdict(list)
        self.filled = set()

    def prediction(self, key, label, now):
        self.came.setdefault(key, now)
        if label is not None:
            self.label(key, label, now)

    def label(self, key, label, now):
        implicit = self.known[key] and self.known[key][-1] == self._implicit(key)
        if not self.known[key] or self.known[key][-1][1] != label or implicit:
            self.known[key].append((now, label))

    def _implicit(self, key):
        return next(((at - 1, False) for cohort, at in self.filled if cohort == of(key)), None)

    def horizon(self, cohort, at):
        self.filled.add((cohort, at))
        for key, came in self.came.items():
            if of(key) == cohort and came < at and not any(t < at for t, _ in self.known[key]):
                self.known[key].insert(0, (at - 1, False))

    def rows(self, cohort, as_of):
        found = {}
        for key, came in self.came.items():
            if of(key) == cohort and came < as_of:
                before = [label for time, label in self.known[key] if time < as_of]
                found[key] = int(before[-1]) if before else -1
        return found


def of(key):
    """The cohort of an id."""
    return COHORTS[IDS.index(key) % 2]


def predicted(key, label):
    time = of(key) + IDS.index(key)
    return Prediction(key, float(IDS.index(key)), time, None, (), label, label and time)


@settings(max_examples=150, deadline=None)
@given(steps=steps)
def test_rows_at_every_time_are_those_that_were_known_before_it(store, steps):
    """Predictions, labels, corrections and implicit negatives in any order, many at one time."""
    twin, now = Twin(), 1000
    with store.transaction():
        for model in store.models():
            store.forget_model(model.number)
        model = store.add_model("m", "hour", "UTC", 0)
        for kind, what, value, wait in steps:
            now += wait
            if kind == "prediction":
                store.append(model, [predicted(what, value)], [of(what)], now)
                twin.prediction(what, value, now)
            elif kind == "label":
                store.add_labels(model, [Label(what, value, now)], now)
                twin.label(what, value, now)
            elif what not in {cohort for cohort, _ in twin.filled}:
                at = now - value  # looked at late, from what was known then
                store.fill_missing(model.number, what, at)
                twin.horizon(what, at)
    for as_of in range(995, now + 3):
        for cohort in COHORTS:
            expected = twin.rows(cohort, as_of)
            rows = store.rows(model.number, [cohort], as_of=as_of)
            found = {
                IDS[int(score)]: label
                for score, label in zip(rows.score.tolist(), rows.label.tolist(), strict=True)
            }
            assert found == expected
            assert store.known_counts(model.number, cohort, as_of) == (
                len(expected),
                sum(label >= 0 for label in expected.values()),
            )
    if not twin.filled:
        check_delays(store, model, twin, now)
    rows = store.rows(model.number, COHORTS)
    everything = twin.rows(COHORTS[0], now + 1) | twin.rows(COHORTS[1], now + 1)
    assert sorted(everything.values()) == sorted(rows.label.tolist())


def check_delays(store, model, twin, now):
    """Delays are those of the first label, with the class that it had then."""
    for as_of in range(995, now + 3):
        made, label, came = store.delays(model.number, 0, as_of, 1)
        expected = [
            (of(key) + IDS.index(key), twin_label(known, as_of), known[0][0])
            for key, known in twin.known.items()
            if known and known[0][0] < as_of and twin.came.get(key, as_of) < as_of
        ]
        assert sorted(zip(made.tolist(), label.tolist(), came.tolist(), strict=True)) == sorted(
            expected
        )


def twin_label(known, as_of):
    return int([label for time, label in known if time < as_of][-1])
