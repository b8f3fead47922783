"""Labels and groups are values of Python, whatever library and engine they come through."""

import uuid
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import roclab as rl
from roclab import InputError, read_scores

pytestmark = pytest.mark.usefixtures("engine")

MOMENTS = [datetime(2020, 1, 1, 1), datetime(2020, 1, 2, 0, 0, 0, 5)] * 2
SPANS = [timedelta(days=1), timedelta(microseconds=3)] * 2
TIMES = [time(1, 2, 3, 4), time(5)] * 2
DAYS = [one.date() for one in MOMENTS]
VIENNA = [one.replace(tzinfo=timezone(timedelta(hours=1))) for one in MOMENTS]
UTC = [one.replace(tzinfo=UTC) for one in MOMENTS]
moments = pd.Series(MOMENTS)
whole = [one.replace(microsecond=0) for one in MOMENTS]

COLUMNS = {
    "pandas, ns": (moments.astype("datetime64[ns]"), MOMENTS),
    "pandas, us": (moments.astype("datetime64[us]"), MOMENTS),
    "pandas, s": (moments.astype("datetime64[s]"), whole),
    "pandas, in Vienna": (moments.dt.tz_localize("Europe/Vienna"), VIENNA),
    "pandas, in UTC": (moments.dt.tz_localize("UTC"), UTC),
    "pandas, with an offset": (moments.dt.tz_localize("+01:00"), VIENNA),
    "pandas, Arrow": (moments.astype("timestamp[ns][pyarrow]"), MOMENTS),
    "pandas, objects": (pd.Series(MOMENTS, dtype=object), MOMENTS),
    "pandas, its objects": (pd.Series([*map(pd.Timestamp, MOMENTS)], dtype=object), MOMENTS),
    "pandas, categories": (moments.astype("category"), MOMENTS),
    "pandas, spans": (pd.Series(SPANS), SPANS),
    "pandas, its spans": (pd.Series([*map(pd.Timedelta, SPANS)], dtype=object), SPANS),
    "pandas, days": (pd.Series(DAYS, dtype=object), DAYS),
    "pandas, times": (pd.Series(TIMES).astype("time64[us][pyarrow]"), TIMES),
    "pandas, NumPy's integers": (pd.Series(np.array([3, 4, 3, 4]), dtype=object), [3, 4, 3, 4]),
    "polars, us": (pl.Series(MOMENTS), MOMENTS),
    "polars, ns": (pl.Series(MOMENTS, dtype=pl.Datetime("ns")), MOMENTS),
    "polars, ms": (pl.Series(whole, dtype=pl.Datetime("ms")), whole),
    "polars, in Vienna": (pl.Series(MOMENTS).dt.replace_time_zone("Europe/Vienna"), VIENNA),
    "polars, spans": (pl.Series(SPANS, dtype=pl.Duration("ns")), SPANS),
    "polars, times": (pl.Series(TIMES), TIMES),
    "polars, days": (pl.Series(DAYS), DAYS),
    "Arrow, ns": (pa.array(MOMENTS, pa.timestamp("ns")), MOMENTS),
    "Arrow, s": (pa.array(whole, pa.timestamp("s")), whole),
    "Arrow, in Vienna": (pa.array(VIENNA, pa.timestamp("us", "Europe/Vienna")), VIENNA),
    "Arrow, spans": (pa.array(SPANS, pa.duration("ns")), SPANS),
    "Arrow, times": (pa.array(TIMES, pa.time64("ns")), TIMES),
    "Arrow, days": (pa.array(DAYS, pa.date32()), DAYS),
}
NANOSECOND = "2020-01-01 00:00:00.000000001"
late = np.array(["2020-01-01T00:00:00", "2020-01-01T00:00:00.000000001"] * 2, "M8[ns]")
ODD = {
    "pandas, ns": (pd.Series(late), NANOSECOND),
    "pandas, in Vienna": (
        pd.Series(late).dt.tz_localize("UTC").dt.tz_convert("Europe/Vienna"),
        f"{NANOSECOND} UTC",
    ),
    "pandas, its objects": (pd.Series([*pd.Series(late)], dtype=object), NANOSECOND),
    "pandas, spans": (pd.Series(np.array([0, 1] * 2, "m8[ns]")), "1 nanoseconds"),
    "polars, ns": (pl.Series(late), NANOSECOND),
    "polars, spans": (pl.Series([0, 1] * 2).cast(pl.Duration("ns")), "1 nanoseconds"),
    "polars, times": (pl.Series([0, 1] * 2).cast(pl.Time), "00:00:00.000000001"),
    "polars, far": (pl.Series([0, 4 * 10**17] * 2).cast(pl.Datetime("ms")), "12677465-05-27"),
    "polars, far days": (pl.Series([0, 10**8] * 2).cast(pl.Int32).cast(pl.Date), "275760-09-13"),
    "polars, before": (pl.Series([0, -(10**14)] * 2).cast(pl.Datetime("ms")), "-1199-02-15"),
    "polars, long": (pl.Series([0, 10**17] * 2).cast(pl.Duration("ms")), "10{17} milliseconds"),
    "Arrow, ns": (pa.array(late), NANOSECOND),
    "Arrow, times": (pa.array([0, 1] * 2, pa.time64("ns")), "00:00:00.000000001"),
    "Arrow, far": (pa.array([0, 4 * 10**14] * 2, pa.timestamp("s")), "12677465-05-27"),
}
OBJECTS = {
    "UUID": [uuid.UUID(int=1), uuid.UUID(int=2)] * 2,
    "Fraction": [Fraction(1, 3), Fraction(1, 2)] * 2,
    "Period": pd.Series([*pd.period_range("2020", periods=2)] * 2),
    "Interval": pd.Series([pd.Interval(0, 1), pd.Interval(1, 2)] * 2),
    "tuple": [(1, 2), (1, 3)] * 2,
    "frozenset": [frozenset([1]), frozenset([2])] * 2,
    "complex": [1j, 2j] * 2,
}


def table(column, **columns):
    """A frame of the library that the column is of."""
    if isinstance(column, pa.Array):
        return pa.table(
            {name: pa.array(values) for name, values in columns.items()} | {"k": column}
        )
    frame = pl.DataFrame if isinstance(column, pl.Series) else pd.DataFrame
    return frame({**columns, "k": column})


@pytest.mark.parametrize("name", COLUMNS)
def test_groups_are_of_one_type(name):
    column, values = COLUMNS[name]
    source = table(column, y=[1, 0, 0, 1], a=[4, 2, 3, 1])
    groups = read_scores(source, y_true="y", y_score="a", by="k").groups["k"].tolist()
    assert groups == values
    assert {type(one) for one in groups} == {type(values[0])}
    assert str(groups) == str(values)


@pytest.mark.parametrize("name", COLUMNS)
def test_groups_of_results_are_of_one_type(name):
    column, values = COLUMNS[name]
    source = table(column, y=[1, 0, 0, 1], a=[4, 2, 3, 1])
    whole = rl.evaluate(rl.read_scores(source, y_true="y", by="k"), by="k")
    parts = rl.scale.evaluate(source, y_true="y", y_score="a", by="k")
    scored = rl.scale.evaluate(source, y_true="y", y_score="a", by="k", measures=["scored_auc"])
    for found in (whole, parts, scored):
        assert str([row.group for row in found.rows]) == str(values[:2])
        assert [row.interval.value for row in found.rows] == [1, 0]


@pytest.mark.parametrize("name", COLUMNS)
def test_labels_are_named_in_every_way(name):
    column, values = COLUMNS[name]
    source = table(column, a=[4, 2, 3, 1])
    named = [values[1], column[1]]
    if isinstance(values[1], date):
        named += [values[1].isoformat()] if "objects" not in name and name != "pandas, days" else []
        named += [np.datetime64(values[1])] if getattr(values[1], "tzinfo", None) is None else []
    for pos_label in named:
        if name == "pandas, categories" and isinstance(pos_label, str):
            continue
        read = read_scores(source, y_true="k", y_score="a", pos_label=pos_label)
        assert read.y_true.tolist() == [False, True] * 2
    with pytest.raises(
        InputError, match=r"pos_label=.* (is not among|does not fit|is text)"
    ) as caught:
        read_scores(source, y_true="k", y_score="a", pos_label="never")
    assert "Timestamp" not in str(caught.value)
    assert "Timedelta" not in str(caught.value)


@pytest.mark.parametrize("name", ODD)
def test_times_that_python_does_not_have_are_refused(name):
    column, value = ODD[name]
    value = value.replace("10{17}", "1" + "0" * 17)
    needed = "times of labels and groups end at microseconds, in the years 1 to 9999"
    for roles in ({"y_true": "y", "by": "k"}, {"y_true": "k", "pos_label": MOMENTS[0]}):
        source = table(column, y=[1, 0, 0, 1], a=[4, 2, 3, 1])
        with pytest.raises(InputError, match=rf"^Column `k` is {value}.* in row 2; {needed}"):
            read_scores(source, y_score="a", **roles)


@pytest.mark.parametrize("name", OBJECTS)
def test_other_objects_are_refused(name):
    """polars has other values for some of them, and no groups of the others."""
    source = table(pd.Series(OBJECTS[name]), y=[1, 0, 0, 1], a=[4, 2, 3, 1])
    message = (
        f"^Column `k` holds values of type `{name}`; one type is needed: bool, number, text or"
    )
    for roles in ({"y_true": "y", "by": "k"}, {"y_true": "k", "pos_label": OBJECTS[name][0]}):
        with pytest.raises(InputError, match=message):
            read_scores(source, y_score="a", **roles)


@pytest.mark.parametrize("missing", [None, pd.NaT, np.nan])
@pytest.mark.parametrize("kind", [object, "M8[ns]"])
def test_missing_times_are_missing(missing, kind):
    column = pd.Series([missing, *map(pd.Timestamp, MOMENTS), missing], dtype=kind)
    source = table(column, y=[1, 1, 0, 0, 1, 0], a=[9, 4, 2, 3, 1, 9])
    read = read_scores(source, y_true="y", y_score="a", by="k")
    assert read.groups["k"].tolist() == MOMENTS
    assert read.missing.by_column == {"k": 2}
    read = read_scores(source, y_true="k", y_score="a", pos_label=MOMENTS[0])
    assert read.y_true.tolist() == [True, False] * 2
    late = pd.Series([missing, pd.Timestamp(MOMENTS[0]), pd.Timestamp(1)], dtype=kind)
    with pytest.raises(InputError, match=r"^Column `k` is 1970-01-01 00:00:00\.0*1 in row 3;"):
        read_scores(table(late, y=[1, 0, 1], a=[3, 1, 2]), y_true="y", y_score="a", by="k")


def test_decimals_are_decimals():
    values = [Decimal("1.5"), Decimal("2.25")] * 2
    source = table(pd.Series(values), y=[1, 0, 0, 1], a=[4, 2, 3, 1])
    groups = read_scores(source, y_true="y", y_score="a", by="k").groups["k"].tolist()
    assert groups == values
    assert {type(one) for one in groups} == {Decimal}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_hour_that_a_clock_shows_twice_is_two_groups(library):
    """Two times of one zone are equal in Python if a clock shows the same."""
    hours = pl.Series([0, 1, 0, 1]) * 3_600_000_000 + 1_603_584_000_000_000
    column = hours.cast(pl.Datetime("us", "UTC")).dt.convert_time_zone("Europe/Vienna")
    source = pl.DataFrame({"k": column, "y": [1, 0, 0, 1], "a": [4, 2, 3, 1]})
    source = source.to_pandas() if library == "pandas" else source
    read = read_scores(source, y_true="y", y_score="a", by="k")
    assert [str(one) for one in read.split("k")] == [
        "2020-10-25 02:00:00+02:00",
        "2020-10-25 02:00:00+01:00",
    ]
    found = rl.scale.evaluate(source, y_true="y", y_score="a", by="k")
    assert [row.interval.value for row in found.rows] == [1, 0]


def test_large_groups_of_times_are_evaluated_one_by_one(monkeypatch):
    """Those that do not fit into memory are found by their key again."""
    rng = np.random.default_rng(0)
    y = rng.random(6000) < 0.5
    hours = pl.Series(np.arange(6000) % 2) * 3_600_000_000 + 1_603_584_000_000_000
    source = pl.DataFrame({"y": y, "a": rng.normal(size=6000) + y})
    zones = hours.cast(pl.Datetime("us", "UTC")).dt.convert_time_zone("Europe/Vienna")
    source = source.with_columns(k=zones)
    monkeypatch.setattr("roclab.scale.local.SHARE_KEPT", 0)
    monkeypatch.setattr("roclab.scale.groups._BYTES_PER_ROW", 1 << 20)
    parts = rl.scale.evaluate(source, y_true="y", y_score="a", by="k", memory_limit="10MB")
    whole = rl.evaluate(rl.read_scores(source, y_true="y", by="k"), by="k")
    assert [row.to_dict() for row in parts.rows] == [row.to_dict() for row in whole.rows]
