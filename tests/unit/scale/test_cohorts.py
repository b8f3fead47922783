"""`scale.cohort_summaries`: each cohort against its rows by hand, on engines of this machine."""

import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from parted_table import PartedTable

import roclab as rl
from roclab.readers.rows import RowReader
from roclab.scale import cohort_streams
from roclab.scale.cohort_rows import CohortReader
from roclab.scale.cohort_streams import summarised_cohorts
from roclab.scale.cohorts import cohort_summaries
from roclab.scale.local import LocalTable

START = datetime(2026, 3, 27, tzinfo=UTC)  # before a change of the clocks
NAMES = {"y_true": "label", "y_score": "score", "time": "decided_at", "model": "credit"}


def made(seed=0, n=3000, days=6):
    """Predictions with ties, missing labels and segments, in no order."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    known = rng.random(n) < 0.85
    time = np.datetime64(START.replace(tzinfo=None), "us") + rng.integers(
        0, days * 86_400e6, n
    ).astype("m8[us]")
    return pl.DataFrame(
        {
            "label": pl.Series(y.astype(np.int64)).set(pl.Series(~known), None),
            "score": np.round(rng.normal(size=n) + y, 1),
            "decided_at": pl.Series(time).dt.replace_time_zone("UTC"),
            "region": pl.Series(rng.choice(["north", "south"], n)).set(
                pl.Series(rng.random(n) < 0.1), None
            ),
            "tier": rng.integers(1, 3, n),
        }
    )


FRAME = made()


def cohort_of(time, period, zone):
    """The beginning of a cohort, the obvious way."""
    local = time.astimezone(ZoneInfo(zone))
    if period == "hour":
        return local.replace(minute=0, second=0, microsecond=0).astimezone(UTC)
    day = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    return (day - timedelta(days=day.weekday() * (period == "week"))).astimezone(UTC)


def by_hand(frame, *, period="day", zone="UTC", segments=()):
    """What each cohort and stream has, of all cohorts but the last."""
    found = {}
    for row in frame.iter_rows(named=True):
        if row["score"] is None or row["decided_at"] is None:
            continue
        cohort = cohort_of(row["decided_at"], period, zone)
        keys = [(None, None)]
        keys += [(name, str(row[name])) for name in segments if row[name] is not None]
        for key in keys:
            found.setdefault((cohort, *key), []).append((row["label"], row["score"]))
    last = max(cohort for cohort, *_ in found)
    return {key: rows for key, rows in found.items() if key[0] != last}


def assert_as_by_hand(summaries, expected):
    assert {(row.cohort, row.segment, row.value) for row in summaries.rows} == set(expected)
    for row in summaries.rows:
        rows = expected[row.cohort, row.segment, row.value]
        labels = np.array([label for label, _ in rows if label is not None], int)
        scores = np.array([score for label, score in rows if label is not None])
        assert (row.n, row.n_pos, row.n_neg) == (len(rows), labels.sum(), (labels == 0).sum())
        exact = sum(Fraction(score) for _, score in rows) / len(rows)
        assert row.mean_score == float(exact)
        if row.n_pos and row.n_neg:
            interval = rl.auc_interval(labels, scores)
            assert row.auc == interval.value
            if min(row.n_pos, row.n_neg) > 1:
                assert row.variance == pytest.approx(interval.standard_error**2, rel=1e-14)


@pytest.mark.filterwarnings("ignore::roclab.RoclabWarning")
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "Asia/Kathmandu"])
@pytest.mark.parametrize("period", ["hour", "day", "week"])
def test_cohorts_are_those_of_the_calendar(period, zone):
    found = cohort_summaries(FRAME, **NAMES, cohort=period, time_zone=zone, by=["region", "tier"])
    expected = by_hand(FRAME, period=period, zone=zone, segments=["region", "tier"])
    labelled = {
        cohort
        for (cohort, segment, _), rows in expected.items()
        if segment is None and any(label is not None for label, _ in rows)
    }
    assert_as_by_hand(found, {key: one for key, one in expected.items() if key[0] in labelled})


@pytest.fixture(scope="module")
def expected():
    return cohort_summaries(FRAME, **NAMES, by=["region", "tier"])


def test_rows_come_by_cohort_with_the_whole_model_first(expected):
    keys = [(row.cohort, row.segment or "", row.value or "") for row in expected.rows]
    assert keys == sorted(keys)
    assert len(keys) == 5 * 5
    assert expected.cohorts == tuple(START + timedelta(days=day) for day in range(5))


def test_frames_and_streams(expected):
    stream = pa.RecordBatchReader.from_batches(
        FRAME.to_arrow().schema, FRAME.to_arrow().to_batches(max_chunksize=500)
    )
    for source in (FRAME.lazy(), FRAME.to_pandas(), FRAME.to_arrow(), stream):
        assert cohort_summaries(source, **NAMES, by=["region", "tier"]) == expected


def test_files(expected, tmp_path):
    text = FRAME.with_columns(pl.col("decided_at").dt.strftime("%Y-%m-%dT%H:%M:%S%.fZ"))
    for number, part in enumerate(FRAME.iter_slices(1100)):
        part.write_parquet(tmp_path / f"part{number}.parquet")
    FRAME.write_ipc(tmp_path / "all.arrow")
    text.write_csv(tmp_path / "all.csv")
    text.write_ndjson(tmp_path / "all.jsonl")
    for name in ("part*.parquet", "all.arrow", "all.csv", "all.jsonl"):
        assert cohort_summaries(tmp_path / name, **NAMES, by=["region", "tier"]) == expected


@pytest.mark.parametrize("keep", [1, 20_000])
def test_tables_that_do_not_fit(expected, keep, monkeypatch):
    monkeypatch.setattr(LocalTable, "keep_bytes", keep)
    calls = []
    found = cohort_summaries(
        FRAME.lazy(),
        **NAMES,
        by=["region", "tier"],
        memory_limit="10MB",
        progress=lambda done, total: calls.append((done, total)),
    )
    assert found == expected
    assert calls[0] == (3000, None)
    assert {*calls[1:]} == {(3000, 3000)}


def reader(**options):
    rows = RowReader(label="label", models=("score",))
    options = {"segments": ("region", "tier"), "period": "day", "time_zone": "UTC"} | options
    return CohortReader(rows=rows, time="decided_at", **options)


@pytest.mark.parametrize("broadcast", [1 << 20, 40 * 300])
def test_parts_as_a_cluster_has_them(expected, broadcast):
    """Some of them empty or of one class, and some cohorts too large for a worker."""
    parts = [
        FRAME.filter(FRAME["label"] == 1)[:200],
        FRAME[:0],
        FRAME.filter(FRAME["label"].is_null()),
        FRAME.filter(FRAME["label"] == 1)[200:],
        *FRAME.filter(FRAME["label"] == 0).iter_slices(700),
    ]
    table = PartedTable(parts, broadcast_bytes=broadcast)
    now = round(datetime(2030, 1, 1, tzinfo=UTC).timestamp() * 1e6)
    found = summarised_cohorts(table, reader(), until=None, now=now)
    assert len(found.streams) == len(expected.rows)
    for one, row in zip(found.streams, expected.rows, strict=True):
        assert (one.counts.n, one.counts.pos, one.counts.neg) == (row.n, row.n_pos, row.n_neg)
        assert one.counts.mean_score == row.mean_score
        assert (one.estimate.value, one.estimate.variance) == (row.auc, row.variance)


def test_mean_scores_are_exact_at_every_magnitude():
    rng = np.random.default_rng(1)
    scores = rng.choice([-1.0, 1.0], 400) * 10.0 ** rng.uniform(-320, 300, 400)
    scores = np.append(scores, [0.0, -0.0, 5e-324, -5e-324, 1.7e308, -1.7e308, 1.7e308])
    frame = pl.DataFrame(
        {
            "label": (np.arange(407) % 2).tolist(),
            "score": scores,
            "decided_at": [START] * 407,
        }
    )
    found = cohort_summaries(frame, **NAMES, until="2026-04-01")
    exact = sum(Fraction(one) for one in scores.tolist()) / len(scores)
    assert found.rows[0].mean_score == float(exact)


def test_infinite_scores_have_an_auc_and_no_mean():
    frame = FRAME[:100].with_columns(
        score=pl.when(pl.col("label") == 1).then(float("inf")).otherwise(pl.col("score"))
    )
    found = cohort_summaries(frame, **NAMES, until="2026-04-10")
    assert {row.auc for row in found.rows} == {1.0}
    assert [row.mean_score for row in found.rows if row.n_pos] == [None] * len(found.rows)


def small(labels, times=None, scores=None):
    n = len(labels)
    return pl.DataFrame(
        {
            "label": pl.Series(labels, dtype=pl.Int64),
            "score": [0.1 * one for one in range(n)] if scores is None else scores,
            "decided_at": [START] * n if times is None else times,
        }
    )


def test_a_missing_class_has_no_auc_and_a_single_example_no_variance():
    [row] = cohort_summaries(small([0, 0, None]), **NAMES, until="2026-03-28").rows
    assert (row.auc, row.variance, row.n, row.n_pos, row.n_neg) == (None, None, 3, 0, 2)
    [row] = cohort_summaries(small([0, 1, 0]), **NAMES, until="2026-03-28").rows
    assert (row.auc, row.variance) == (0.5, None)


def test_the_last_cohort_is_left_out_by_default():
    times = [START, START, START + timedelta(days=1)]
    found = cohort_summaries(small([0, 1, 1], times), **NAMES)
    assert found.cohorts == (START,)
    assert (found.until, found.n_unfinished) == (START + timedelta(days=1), 1)
    assert "1 predictions of unfinished cohorts left out" in repr(found)
    assert "end after 2026-03-28 00:00 UTC left out as unfinished" in str(found)


@pytest.mark.parametrize(
    ("until", "cohorts"),
    [
        ("2026-03-29", 2),
        ("2026-03-28T23:59:59.999999Z", 1),
        ("2026-03-29T00:00:00Z", 2),
        (datetime(2026, 3, 29), 2),
        (datetime(2026, 3, 28, 12, tzinfo=UTC), 1),
        ("2026-03-01", 0),
    ],
)
def test_until_says_what_is_finished(until, cohorts):
    times = [START, START, START + timedelta(days=1)]
    found = cohort_summaries(small([0, 1, 1], times), **NAMES, until=until)
    assert len(found.cohorts) == cohorts
    assert sum(row.n for row in found.rows) + found.n_unfinished == 3


def test_until_is_in_the_time_zone():
    options = {"cohort": "day", "time_zone": "Asia/Tokyo"}
    found = cohort_summaries(small([0, 1]), **NAMES, **options, until="2026-03-28")
    assert found.until == datetime(2026, 3, 27, 15, tzinfo=UTC)
    assert found.cohorts == (datetime(2026, 3, 26, 15, tzinfo=UTC),)


def test_a_cohort_ahead_of_the_clock_does_not_finish_the_present_one():
    now = round((START + timedelta(hours=12)).timestamp() * 1e6)
    table = PartedTable([small([0, 1], [START, datetime(2090, 1, 1, tzinfo=UTC)])])
    found = summarised_cohorts(table, reader(segments=()), until=None, now=now)
    assert found.streams == []
    assert found.n_unfinished == 2


def test_cohorts_without_any_label_are_left_out():
    times = [START, START + timedelta(days=1), START + timedelta(days=1)]
    found = cohort_summaries(small([None, 0, 1], times), **NAMES, until="2026-03-29")
    assert found.cohorts == (START + timedelta(days=1),)
    assert found.n_unlabelled == 1
    assert "1 predictions of cohorts without any label left out" in str(found)
    none = cohort_summaries(small([None, None]), **NAMES, until="2026-03-29")
    assert (none.rows, none.n_unlabelled) == ((), 2)
    assert repr(none) == (
        "CohortSummaries(credit: 0 days, 0 streams; 2 predictions of cohorts without a label left "
        "out)"
    )


def test_rows_without_a_time_or_a_score_are_left_out():
    frame = small([0, 1, 1, 0], [START, None, START, START], [0.1, 0.2, None, float("nan")])
    found = cohort_summaries(frame, **NAMES, until="2026-03-29")
    assert [row.n for row in found.rows] == [1]
    assert found.missing.rows_dropped == 3
    assert found.missing.by_column == {"score": 2, "decided_at": 1}
    assert "3 of 4 rows left out" in str(found)


def test_rows_without_a_value_belong_to_no_stream_of_the_segment():
    frame = small([0, 1, 1]).with_columns(region=pl.Series(["a", None, "a"]))
    found = cohort_summaries(frame, **NAMES, by="region", until="2026-03-29")
    assert [(row.value, row.n) for row in found.rows] == [(None, 3), ("a", 2)]


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ([True, False, True], ["false", "true"]),
        ([10, 9, 10], ["10", "9"]),
        (pl.Series(["b", "a", "b"], dtype=pl.Categorical), ["a", "b"]),
        (pl.Series(["b", "a", "b"], dtype=pl.Enum(["b", "a"])), ["a", "b"]),
    ],
)
def test_values_of_segments_are_written_as_the_monitor_does(values, names):
    frame = small([0, 1, 1]).with_columns(region=pl.Series(values))
    found = cohort_summaries(frame, **NAMES, by="region", until="2026-03-29")
    assert [row.value for row in found.rows if row.segment] == names


NOON = datetime(2026, 3, 27, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "times",
    [
        [NOON.replace(tzinfo=None)] * 2,
        [NOON.date()] * 2,
        ["2026-03-27T12:00:00", "2026-03-27 13:00"],
        ["2026-03-27T12:00:00Z", "2026-03-27T23:30:00-00:00"],
        ["2026-03-28T00:30:00+01:00", "20260327T120000Z"],
        [round(NOON.timestamp()), round(NOON.timestamp()) + 1],
        [NOON.timestamp() + 0.5, NOON.timestamp()],
        pl.Series([NOON] * 2, dtype=pl.Datetime("ns", "Europe/Berlin")),
        pl.Series([NOON.replace(tzinfo=None)] * 2, dtype=pl.Datetime("ms")),
        pl.Series(["2026-03-27T12:00:00Z"] * 2, dtype=pl.Categorical),
    ],
)
def test_times_of_every_kind(times):
    found = cohort_summaries(small([0, 1], times), **NAMES, until="2026-03-28")
    assert [(row.cohort, row.n) for row in found.rows] == [(START, 2)]


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (
            ["2026-03-27T12:00:00Z", "yesterday"],
            r"Column `decided_at` has the time `yesterday`; text in ISO 8601 is needed\. Correct "
            "it, or name another column with time",
        ),
        ([1_774_612_800_000] * 2, r"the time `1774612800000.*seconds since 1970 are needed"),
        ([float("inf"), 0.0], "the time `inf`; seconds since 1970 are needed"),
        ([datetime(1971, 12, 31)] * 2, r"times of the years 1972 to 9998 are needed"),
        ([datetime(9999, 6, 1)] * 2, r"times of the years 1972 to 9998 are needed"),
        ([True, False], "Column `decided_at` is Boolean; a prediction time is a date"),
        ([timedelta(1)] * 2, "Column `decided_at` is Duration"),
    ],
)
def test_times_that_are_none(times, message):
    with pytest.raises(rl.InputError, match=message):
        cohort_summaries(small([0, 1], times), **NAMES)


@pytest.mark.parametrize(
    "times",
    [
        [NOON.replace(tzinfo=None)] * 2,
        [NOON.date()] * 2,
        ["2026-03-27T12:00:00Z", "2026-03-27T12:00:00"],
    ],
)
def test_times_without_a_zone_are_refused_where_it_matters(times):
    message = (
        r"Column `decided_at` has times without a zone, such as `2026-03-27.*`; "
        r"time_zone='Europe/Berlin' needs times that are the same everywhere\. Add the zone"
    )
    with pytest.raises(rl.InputError, match=message):
        cohort_summaries(small([0, 1], times), **NAMES, time_zone="Europe/Berlin")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time": "decided"}, r"No column `decided`\. Columns: .* Did you mean `decided_at`\?"),
        ({"time": None}, "time is a NoneType; the name of a column, a str, is needed"),
        ({"time": "score"}, "`score` is named twice, in y_score and time"),
        ({"time": "label"}, "`label` is named twice, in y_true and time"),
        ({"by": ["decided_at"]}, "`decided_at` is named twice, in by and time"),
        ({"by": ["score"]}, "`score` is named twice, in y_score and by"),
        ({"y_score": ["score"]}, "y_score is a list"),
        ({"y_score": "score,other"}, "y_score names 2 columns; a cohort has one score"),
        ({"cohort": "month"}, "cohort='month' is not an option"),
        ({"time_zone": "Berlin"}, "time_zone='Berlin' is not a time zone"),
        ({"time_zone": None}, "time_zone=None is not a time zone"),
        ({"time_zone": "../UTC"}, "is not a time zone"),
        ({"until": "soon"}, "until='soon' is not a time; a datetime or text in ISO 8601"),
        ({"until": 17}, "until=17 is not a time"),
        ({"model": ""}, "model='' is not a name"),
        ({"model": None}, "model=None is not a name"),
        ({"pos_label": 2}, "pos_label=2 is not among the values"),
        ({"by": "share"}, "`share` is Float64; a segment is text, a whole number or a Boolean"),
    ],
)
def test_what_cannot_be_used(options, message):
    frame = small([0, 1]).with_columns(share=pl.lit(0.5), other=pl.lit(1.0))
    with pytest.raises(rl.InputError, match=message):
        cohort_summaries(frame, **NAMES | options)


def test_labels_are_checked_as_elsewhere():
    with pytest.raises(rl.InputError, match=r"Column `label`: y_true holds 3 values \(0, 1, 2"):
        cohort_summaries(small([0, 1, 2]), **NAMES)
    words = small([0, 1, None]).with_columns(label=pl.Series(["no", "yes", None]))
    [row] = cohort_summaries(words, **NAMES, pos_label="yes", until="2026-03-29").rows
    assert (row.n, row.n_pos, row.n_neg) == (3, 1, 1)


def test_tables_without_rows():
    with pytest.raises(rl.InputError, match="The table has no rows"):
        cohort_summaries(small([0, 1])[:0], **NAMES)
    with pytest.raises(rl.InputError, match="`decided_at` is missing in all 2 rows"):
        cohort_summaries(small([0, 1], [None, None]), **NAMES)


def test_a_table_that_changes_is_refused(monkeypatch):
    real = cohort_streams.CohortTask.__call__

    def other(task, frames):
        return real(task, [frame[1:] for frame in frames])

    monkeypatch.setattr(cohort_streams.CohortTask, "__call__", other)
    with pytest.raises(rl.InputError, match=r"The table has 2,\d+ rows, and there were 2,"):
        cohort_summaries(FRAME, **NAMES)
    with pytest.raises(rl.RoclabError, match="The table changed while it was read"):
        summarised_cohorts(PartedTable([FRAME]), reader(), until=None, now=2**62)


def test_a_line_has_what_the_monitor_takes(expected, tmp_path):
    path = tmp_path / "rows.ndjson"
    expected.to_ndjson(path)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(lines) == len(expected.rows)
    assert lines[0] == expected.rows[0].to_dict()
    assert lines[1] == {
        "model": "credit",
        "cohort": "2026-03-27T00:00:00Z",
        "segment": "region",
        "value": "north",
        "n": expected.rows[1].n,
        "n_pos": expected.rows[1].n_pos,
        "n_neg": expected.rows[1].n_neg,
        "auc": expected.rows[1].auc,
        "variance": expected.rows[1].variance,
        "mean_score": expected.rows[1].mean_score,
    }


def test_one_line_says_what_it_is(expected):
    assert repr(expected).startswith(
        "CohortSummaries(credit: 5 days from 2026-03-27T00:00:00Z, 5 streams; "
    )
    first = expected.rows[1]
    assert repr(first) == (
        f"CohortSummary(credit, region north, 2026-03-27T00:00:00Z: AUC {first.auc:.3f}, "
        f"{first.n_pos}+ {first.n_neg}- of {first.n})"
    )
    assert json.dumps(expected.to_dict())
    assert expected.to_polars().height == len(expected.rows)
