"""Batches that are checked by columns say what the same rows say one by one."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.monitor.columns import check_labels, check_predictions
from roclab.monitor.schema import (
    Checker,
    LabelRow,
    Prediction,
    PredictionRow,
    Predictions,
    Rejected,
)
from roclab.monitor.settings import Limits
from roclab.streaming.calendar import iso, microseconds

NOW = microseconds(datetime(2026, 5, 1, 12, tzinfo=UTC))
LIMITS = Limits(identifier=50, segments=2)
MANY = 20  # rows of a batch that is checked by columns

uuids = st.uuids().map(str)
moments = st.integers(NOW - 10**14, NOW + 10**9)
zones = st.sampled_from(["", "Z", "+00:00", "-00:00", "+05:45", "-11:00", "+23:59"])
iso_times = st.builds(
    lambda at, cut, between, zone: iso(at).rstrip("Z")[:cut].replace("T", between) + zone,
    moments,
    st.sampled_from([10, 16, 19, 23, 26]),
    st.sampled_from("TTT x"),
    zones,
)
odd_times = st.sampled_from(
    [
        *(
            "2026-02-30T00:00:00",
            "2026-04-01T24:00:00",
            "2026-04-01T00:60:00",
            "0000-01-01T00:00:00",
        ),
        *("2026-04-01T00:00:00,123", "2026-04-01T00:00:00+24:00", "2026-04-01T00:00:00,00:00"),
        *(
            "2026-04-01T00:00:00+00:60",
            "1971-12-31T23:59:59Z",
            "2026-05-01T12:05:01",
            "2026-W14-3T",
        ),
        *("2026-04-01t00:00:00z", "\uff12026-04-01T00:00:00", "", "now", "20260401T000000Z"),
        *("2026-04-01T00:00:00.1234567", "2026-04-01T00:00:00.12", "2026-04-01T00:00:00+0000"),
    ]
)
seconds = st.floats(1e9, NOW / 1e6 + 400) | st.sampled_from([0.0, 1e11, -1e300, 1.7e9])
times = st.none() | iso_times | odd_times | seconds
ids = (
    uuids
    | uuids.map(str.upper)
    | uuids.map("{{{}}}".format)
    | st.text("ab-0 \x00\u200b", max_size=60)
    | st.text("0123456789abcdef-", min_size=36, max_size=36)
    | st.sampled_from(["0" * 36, "x" * 36, " " * 36, "a\n" + "b" * 34, "é" * 36])
)
names = st.sampled_from(["credit", "fraud", None, "", "a/b", "..", " x", "x" * 51, "a\nb"])
labels = st.sampled_from([0.0, 1.0, True, False, 0.5, 2.0, -1.0])
values = st.sampled_from(["north", "south", 1, True, None, "", " x", "1", "true", "y" * 51])
segments = st.dictionaries(st.sampled_from(["region", "b", "c", " d"]), values, max_size=3)
odd_predictions = st.builds(
    PredictionRow,
    id=ids,
    score=st.floats(allow_nan=True, allow_infinity=True),
    model=names,
    time=times,
    version=st.sampled_from([None, "1", "2", "", "1\n"]),
    segments=st.none() | segments,
    label=st.none() | labels,
    label_time=times,
)
odd_labels = st.builds(LabelRow, id=ids, label=labels, model=names, time=times)


good_predictions = st.builds(
    PredictionRow,
    id=uuids,
    score=st.floats(-1e9, 1e9),
    model=st.sampled_from(["credit", "fraud"]),
    time=moments.map(iso),
    segments=st.fixed_dictionaries({"region": st.sampled_from(["north", "south"])}),
)
good_labels = st.builds(
    LabelRow,
    id=uuids,
    label=st.sampled_from([0.0, 1.0, True, False]),
    model=st.sampled_from(["credit", "fraud"]),
)


def mixed(good, odd):
    """Mostly good rows, or mostly odd ones, and some that could not be decoded."""
    bad = st.just(Rejected("not JSON"))
    return st.lists(good, min_size=MANY, max_size=40) | st.lists(
        st.one_of(good, good, good, odd, bad), min_size=MANY, max_size=40
    )


def outcomes(check, rows, checker):
    """For each row why it is refused, or its model and what became of it."""
    checked = check(rows, "of the address", checker, NOW)
    found = dict(checked.refused.items())
    for name, (places, columns) in checked.groups.items():
        assert len(places) == len(columns)
        found.update(zip(places, ((name, one) for one in columns), strict=True))
    assert checked.count == len(rows)
    return [found[place] for place in range(len(rows))]


def one_by_one(check, rows, checker):
    return [outcome for row in rows for outcome in outcomes(check, [row], checker)]


@given(mixed(good_predictions, odd_predictions))
def test_predictions_are_as_one_by_one(rows):
    expected = one_by_one(check_predictions, rows, Checker(LIMITS))
    assert repr(outcomes(check_predictions, rows, Checker(LIMITS))) == repr(expected)


@given(mixed(good_labels, odd_labels))
def test_labels_are_as_one_by_one(rows):
    expected = one_by_one(check_labels, rows, Checker(LIMITS))
    assert repr(outcomes(check_labels, rows, Checker(LIMITS))) == repr(expected)


@given(st.lists(iso_times | odd_times, min_size=1, max_size=2), st.integers(0, MANY))
def test_times_of_each_format_are_as_one_by_one(given_times, place):
    usual, *other = given_times
    rows = [LabelRow(str(UUID(int=row)), 1.0, "credit", usual) for row in range(MANY + 1)]
    for one in other:
        rows[place].time = one
    expected = one_by_one(check_labels, rows, Checker(LIMITS))
    assert outcomes(check_labels, rows, Checker(LIMITS)) == expected


# Beyond 500 rows, numpy crashes where it should raise.
@pytest.mark.parametrize("zone", ["", "Z", "+05:45"])
@pytest.mark.parametrize(
    "one",
    [
        "2026-02-29",
        "2100-02-29",
        "2024-02-29",
        "2000-02-29",
        "2026-13-01",
        "2026-00-01",
        "2026-01-00",
        "2026-04-31",
        "2026-01-01T24",
        "2026-01-01T00:60",
        "2026-01-01T00:00:60",
    ],
)
def test_a_date_that_there_is_not_among_many(one, zone):
    usual = "2026-01-01T00:00:00"
    rows = [LabelRow(str(UUID(int=row)), 1.0, "credit", usual + zone) for row in range(700)]
    rows[600].time = one + usual[len(one) :] + zone
    expected = one_by_one(check_labels, rows, Checker(LIMITS))
    assert outcomes(check_labels, rows, Checker(LIMITS)) == expected


@given(st.lists(seconds, min_size=MANY, max_size=MANY))
def test_times_in_seconds_are_as_one_by_one(given_times):
    rows = [LabelRow(str(row), 1.0, "credit", one) for row, one in enumerate(given_times)]
    expected = one_by_one(check_labels, rows, Checker(LIMITS))
    assert outcomes(check_labels, rows, Checker(LIMITS)) == expected


@pytest.mark.parametrize("cut", [1, 17, 35])
def test_ids_of_other_lengths_are_not_joined(cut):
    # Together they read as UUIDs, one after the other.
    text = "".join(str(UUID(int=row)) for row in range(MANY))
    parts = [text[: 36 - cut], *(text[at : at + 36] for at in range(36 - cut, len(text), 36))]
    rows = [LabelRow(one, 1.0, "credit") for one in parts]
    expected = one_by_one(check_labels, rows, Checker(LIMITS))
    assert outcomes(check_labels, rows, Checker(LIMITS)) == expected


def test_a_uuid_is_16_bytes():
    keys = [UUID(int=7**row) for row in range(MANY)]
    rows = [LabelRow(str(one).upper(), 1.0, "credit") for one in keys]
    _, columns = check_labels(rows, None, Checker(LIMITS), NOW).groups["credit"]
    assert columns.id == [one.bytes for one in keys]


def test_values_that_are_equal_and_not_the_same():
    given_segments = [{"a": 1}, {"a": True}, {"a": "1"}, {"a": 1}] * 5
    rows = [PredictionRow("x", 0.5, segments=one) for one in given_segments]
    _, columns = check_predictions(rows, "credit", Checker(LIMITS), NOW).groups["credit"]
    assert [one.segments[0][1] for one in columns] == ["1", "true", "1", "1"] * 5


def test_columns_of_rows_are_the_rows():
    rows = [
        Prediction("a", 0.5, 1, None, (), None, None),
        Prediction("b", 0.5, 1, "2", (("region", "north"),), True, 3),
        Prediction("c", 0.7, 2, None, (), None, None),
    ]
    assert list(Predictions.of(rows)) == rows
    assert Predictions.of(Predictions.of(rows)).combinations == ((), (("region", "north"),))
    assert list(Predictions.of([])) == []
