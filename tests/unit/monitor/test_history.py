"""History: files as rows."""

from datetime import UTC, datetime

import numpy as np
import polars as pl
import pytest

from roclab.errors import ColumnError, InputError
from roclab.monitor.schema import shown_identifier
from tests.unit.monitor.fleet import DAY, HOUR
from tests.unit.monitor.histories import NOON, microseconds, read, read_text


def of_time(values, **options):
    """The times of a file with some values in its column of times."""
    count = len(values)
    frame = {"t": values, "p": np.linspace(0, 1, count), "y": [0, 1] * (count // 2)}
    return read(frame, **options).time.tolist()


# Times


@pytest.mark.parametrize(
    "written",
    [
        pl.Series([NOON, NOON], dtype=pl.Datetime("us", "UTC")),
        pl.Series([NOON, NOON], dtype=pl.Datetime("ms", "UTC")),
        pl.Series([NOON, NOON]).dt.convert_time_zone("Asia/Tokyo"),
        pl.Series([NOON.replace(tzinfo=None)] * 2, dtype=pl.Datetime("ns")),
        ["2026-01-31T12:00:00Z", "2026-01-31 13:00:00+01:00"],
        ["2026-01-31T12:00:00", "2026-01-31T12"],
        ["20260131T120000Z", "1769860800"],
        [1_769_860_800, 1_769_860_800],
        [1_769_860_800.0, 1_769_860_800.0],
    ],
    ids=str,
)
def test_times_of_all_kinds(written):
    assert of_time(written) == [microseconds(NOON)] * 2


@pytest.mark.parametrize("written", [[20_260_131] * 2, ["2026-01-31"] * 2, [NOON.date()] * 2])
def test_dates_are_midnight(written):
    assert of_time(written) == [microseconds(NOON) - 12 * HOUR] * 2
    # In January, Berlin is an hour ahead of UTC.
    assert of_time(written, time_zone="Europe/Berlin") == [microseconds(NOON) - 13 * HOUR] * 2


@pytest.mark.parametrize("kind", [pl.String, pl.Datetime("us")])
def test_times_without_a_zone_are_of_the_one_that_is_named(kind):
    # Berlin shows 02:30 twice on this day; the first is summer time.
    series = pl.Series(["2025-07-01T12:00:00", "2025-10-26T02:30:00"]).str.to_datetime()
    written = series if kind != pl.String else series.dt.strftime("%Y-%m-%dT%H:%M:%S")
    expected = [datetime(2025, 7, 1, 10, tzinfo=UTC), datetime(2025, 10, 26, 0, 30, tzinfo=UTC)]
    assert of_time(written, time_zone="Europe/Berlin") == [microseconds(one) for one in expected]


def test_fractions_of_seconds_are_kept_to_the_microsecond():
    text = "t,p,y\n1769860800.25,0.1,0\n2026-01-31T12:00:00.250001Z,0.2,1\n"
    assert read_text(text).time.tolist() == [
        microseconds(NOON) + 250_000,
        microseconds(NOON) + 250_001,
    ]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("yesterday", "row 2: time 'yesterday' is no time"),
        ("1769860800000", "row 2: time '1769860800000' is no time"),
        ("2126-01-01", "row 2: time '2126-01-01T00:00:00Z' is more than 300 s in the future"),
        ("1971-12-31", "row 2: time '1971-12-31T00:00:00Z' is before 1972"),
    ],
)
def test_a_row_whose_time_is_none_is_refused_and_named(written, said):
    found = read_text(f"t,p,y\n2026-01-31,0.1,0\n{written},0.2,1\n2026-01-30,0.3,1\n")
    assert (len(found), found.rejected) == (2, 1)
    assert said in found.reason


def test_a_local_time_that_the_clock_skips_is_refused():
    written = pl.Series(["2025-03-30T02:30:00", "2025-03-30T03:30:00"]).str.to_datetime()
    found = read({"t": written, "p": [0.1, 0.2], "y": [0, 1]}, time_zone="Europe/Berlin")
    assert "skipped by the clock of Europe/Berlin" in found.reason
    assert len(found) == 1


def test_a_column_that_cannot_be_times():
    with pytest.raises(InputError, match="Column `t` holds Boolean; times are text in ISO 8601"):
        of_time([True, False])


# Labels, segments and ids


def test_rows_without_a_label_are_kept_and_those_without_a_score_left_out():
    found = read_text(
        "t,p,y\n2026-01-02,0.1,0\n2026-01-01,0.2,1\n2026-01-03,0.3,\n2026-01-04,,1\n,0.5,1\n"
    )
    assert found.score.tolist() == [0.2, 0.1, 0.3]  # in the order of time
    assert found.label.tolist() == [1, 0, -1]
    assert found.left_out == "2 of 5 rows left out, values missing: t 1, p 1"


def test_labels_of_another_kind():
    found = read_text("t,p,y\n2026-01-01,1,good\n2026-01-02,2,bad\n", positive="bad")
    assert found.label.tolist() == [0, 1]


def test_labels_become_known_when_the_column_says_and_not_before_the_prediction():
    found = read_text(
        "t,p,y,lt\n2026-01-01,1,1,2026-01-05\n2026-01-02,2,0,2026-01-01\n2026-01-03,3,,\n"
        "2026-01-04,4,1,\n2026-01-04,5,1,soon\n",
        label_time="lt",
    )
    day = microseconds(datetime(2026, 1, 1, tzinfo=UTC))
    assert found.label_time[:2].tolist() == [day + 4 * DAY, day + DAY]
    assert found.label.tolist() == [1, 0, -1]
    assert found.rejected == 2
    assert found.reason == "the first is row 4: the row has a label, but no time in column lt"


def test_segments_are_texts_and_may_be_missing():
    frame = {
        "t": [20_260_101] * 4,
        "p": [0.1, 0.2, 0.3, 0.4],
        "y": [0, 1, 0, 1],
        "region": ["n", None, "n", "s"],
        "new": [True, True, True, None],
    }
    found = read(frame, segments=["region,new"])
    assert [found.combinations[one] for one in found.segments] == [
        (("new", "true"), ("region", "n")),
        (("new", "true"),),
        (("new", "true"), ("region", "n")),
        (("region", "s"),),
    ]
    assert read(frame, segments=["region", "new"]).combinations == found.combinations


def test_a_segment_with_control_characters_refuses_its_rows():
    frame = {"t": [20_260_101] * 4, "p": [1, 2, 3, 4], "y": [0, 1, 0, 1], "a": ["\x1b", "b"] * 2}
    found = read(frame, segments=["a"])
    assert (len(found), found.rejected) == (2, 2)
    assert "holds control characters" in found.reason


def test_the_same_file_gives_the_same_ids_and_equal_rows_differ():
    text = "t,p,y\n" + "2026-01-01,0.5,1\n" * 3 + "2026-01-02,0.5,0\n"
    first, second = read_text(text), read_text(text)
    assert first.ids == second.ids
    assert len(set(first.ids)) == 4
    assert [key[:8] for key in first.ids] == sorted(key[:8] for key in first.ids)
    assert all(len(shown_identifier(one)) == 36 for one in first.ids)


def test_ids_and_versions_of_columns():
    text = (
        "t,p,y,i,v\n2026-01-01,1,1,007,1.0\n2026-01-02,2,0,f81d4fae-7dec-11d0-a765-00a0c91e6bf6,\n"
    )
    found = read_text(text, id="i", version="v")
    assert [shown_identifier(one) for one in found.ids] == [
        "007",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    ]
    assert found.version == ["1.0", None]


def test_scores_that_are_not_finite_are_refused():
    found = read_text("t,p,y\n2026-01-01,inf,1\n2026-01-02,-0.0,0\n2026-01-02,1,1\n")
    assert found.reason == "the first is row 1: score is inf; a finite number is needed"
    assert np.signbit(found.score).tolist() == [False, False]


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"time": "p"}, InputError, "Column `p` is named twice, in score and time"),
        ({"segments": ["a,t"]}, InputError, "Column `t` is named twice, in time and segments"),
        ({"segments": ["b"]}, ColumnError, "No column `b`"),
        ({"time": "e"}, InputError, "Column `e` is missing in all 2 rows"),
        ({"score": "p,q"}, InputError, "score names 2 columns; a model has one score"),
        ({"segments": ["a", "c,d,e,f,g"]}, InputError, "6 segments are named; at most 5"),
    ],
)
def test_columns_that_cannot_be_used(options, error, said):
    text = "t,p,q,y,a,c,d,e,f,g\n2026-01-01,1,1,1,x,x,x,,x,x\n2026-01-01,2,1,0,x,x,x,,x,x\n"
    with pytest.raises(error, match=said):
        read_text(text, **options)
