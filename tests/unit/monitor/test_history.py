"""History: files as rows, rows as if they had come live, and rows back to files."""

import io
import logging
from datetime import UTC, datetime, timedelta

import numpy as np
import polars as pl
import pytest

from roclab.errors import ColumnError, InputError
from roclab.monitor import history as history_module
from roclab.monitor.history import History, export, read_history, replay
from roclab.monitor.schema import shown_identifier
from roclab.monitor.settings import ModelSettings, Settings
from roclab.readers.opening import FileOptions
from tests.unit.monitor.fleet import DAY, HOUR, START, World, maker

NOW = START + 1000 * DAY
NAMES = {"label": "y", "score": "p", "time": "t"}
NOON = datetime(2026, 1, 31, 12, 0, 0, tzinfo=UTC)


@pytest.fixture
def worlds(tmp_path):
    """Makes installations, and closes them."""
    made = []

    def make(settings=None, now=NOW):
        made.append(World(tmp_path / f"store-{len(made)}", settings or Settings(), now))
        return made[-1]

    yield make
    for world in made:
        world.store.close()


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


# Replay


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


@pytest.fixture(scope="module")
def drop():
    """A model of which one region breaks, with labels that come days later."""
    return made_history(48, delay=2 * DAY, unlabelled=0.02, count=70, broken_from=33)


@pytest.fixture(scope="module")
def whole(drop, tmp_path_factory):
    """What an import of it did, and what was said."""
    world = World(tmp_path_factory.mktemp("whole"), Settings(), NOW)
    found = replay(world.installation, "credit", drop)
    yield found, said(world)
    world.store.close()


def test_history_says_what_was_said_live(worlds, drop, whole):
    live = worlds(now=START)
    installation = live.installation
    for day in range(80):
        end = START + (day + 1) * DAY
        first, last = np.searchsorted(drop.time, [end - DAY, end]).tolist()
        due = (drop.label >= 0) & (drop.label_time >= end - DAY) & (drop.label_time < end)
        with live.store.transaction():
            installation.predictions("credit", drop.predictions(first, last, 0), None)
            installation.labels("credit", drop.labels(np.flatnonzero(due)), None)
        installation.committed()
        live.tick(end)
    found, replayed = whole
    assert (found.rows, found.labels) == (len(drop), int((drop.label >= 0).sum()))
    assert (found.duplicates, found.rejected, found.behind) == (0, 0, 0)
    assert replayed == said(live)
    assert {one.rule for one in found.alerts} == {"change"}
    sentences = " ".join(one.content["sentence"] for one in found.alerts)
    assert "region north contributes" in sentences


def test_the_same_history_again_changes_nothing(worlds, drop, whole):
    world = worlds()
    first = replay(world.installation, "credit", drop)
    world.reopen()
    second = replay(world.installation, "credit", drop)
    assert (second.rows, second.labels, second.duplicates) == (0, 0, len(drop))
    assert second.alerts == first.alerts
    assert said(world) == whole[1]


def test_an_interrupted_import_goes_on_where_it_ended(worlds, drop, whole):
    world = worlds()

    def interrupt(done, total):
        assert total == len(drop)
        if done >= total // 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replay(world.installation, "credit", drop, progress=interrupt)
    world.reopen()
    found = replay(world.installation, "credit", drop)
    assert 0 < found.duplicates < len(drop)
    assert found.rows + found.duplicates == len(drop)
    assert said(world) == whole[1]


def test_periods_larger_than_a_transaction(worlds, drop, whole, monkeypatch):
    monkeypatch.setattr(history_module, "_AT_ONCE", 33)
    world = worlds()
    done = []
    replay(world.installation, "credit", drop, progress=lambda *now: done.append(now))
    assert said(world) == whole[1]
    assert len(done) > 48
    assert done[-1] == (len(drop), len(drop))


def test_alerts_of_history_are_neither_delivered_nor_logged(worlds, drop, caplog):
    world = worlds(Settings.of({"alerts": {"channel": [{"type": "log"}]}}))
    with caplog.at_level(logging.DEBUG, "roclab.monitor"):
        assert replay(world.installation, "credit", drop).alerts
    assert world.store.deliveries(limit=10) == []
    assert caplog.records == []


def test_the_present_period_is_not_judged(worlds):
    world = worlds(now=START + 9 * DAY + 12 * HOUR)
    replay(world.installation, "credit", made_history(10))
    frozen = [one.frozen for one in world.store.cohorts(1)]
    assert None not in frozen[:9]
    assert frozen[9] is None


def part_of(history, chosen):
    """Some rows of a history."""
    columns = ("time", "score", "label", "label_time", "segments")
    return History(
        **{name: getattr(history, name)[chosen] for name in columns},
        ids=[history.ids[row] for row in np.flatnonzero(chosen)],
        combinations=history.combinations,
    )


def test_parts_in_their_order_are_the_whole(worlds, drop, whole):
    world = worlds()
    # Labels come within weeks: a part has rows of which all labels are known at its end.
    middle = START + 20 * DAY
    for chosen in (drop.time < middle, drop.time >= middle):
        assert replay(world.installation, "credit", part_of(drop, chosen)).duplicates == 0
        world.reopen()
    assert [one[0] for one in said(world).values()] == [one[0] for one in whole[1].values()]


def test_rows_older_than_what_was_judged_are_counted(worlds):
    world = worlds()
    days = made_history(10)
    late = days.time >= START + 5 * DAY
    replay(world.installation, "credit", part_of(days, late))
    found = replay(world.installation, "credit", days)
    assert (found.behind, found.duplicates) == (int((~late).sum()), int(late.sum()))


def test_ids_that_are_used_for_another_prediction_are_refused(worlds):
    world = worlds()
    text = "t,p,y,i\n2024-10-04,1,1,a\n2024-10-05,2,0,b\n"
    replay(world.installation, "credit", read_text(text, id="i"))
    changed = read_text(text.replace("05,2,0", "05,3,0"), id="i")
    found = replay(world.installation, "credit", changed)
    assert (found.rows, found.duplicates, found.rejected) == (0, 1, 1)
    assert "another prediction with other score has this id" in found.reason


def test_no_rows(worlds):
    world = worlds()
    found = replay(world.installation, "credit", made_history(0))
    assert (found.rows, found.alerts) == (0, ())


# Export


@pytest.mark.parametrize("missing_label", ["unknown", "negative"])
def test_exported_rows_give_the_same_readings(worlds, tmp_path, missing_label):
    made = ModelSettings(missing_label=missing_label, horizon=timedelta(days=5))
    settings = Settings(model={"credit": made})
    history = made_history(40, delay=DAY, unlabelled=0.3, count=60, broken_from=33)
    first, second = worlds(settings), worlds(settings)
    replay(first.installation, "credit", history)
    path = tmp_path / "rows.parquet"
    assert export(first.installation, "credit", path) == len(history)
    again = read_history(
        path,
        label="label",
        score="score",
        time="time",
        id="id",
        label_time="label_time",
        version="version",
        segments=["region"],
        now=NOW,
        limits=settings.limits,
    )
    assert again.rejected == 0
    replay(second.installation, "credit", again)
    assert said(second) == said(first)
    frame = pl.read_parquet(path)
    assert frame.columns == [
        *("id", "time", "score", "version", "label", "label_time", "implicit", "region")
    ]
    assert frame["time"].dtype == pl.Datetime("us", "UTC")
    assert frame["implicit"].any() == (missing_label == "negative")


def test_segments_named_as_columns_of_the_file(worlds, tmp_path):
    world = worlds()
    text = "t,p,y,label\n2024-10-04,1,1,a\n2024-10-05,2,0,\n"
    replay(world.installation, "credit", read_text(text, segments=["label"]))
    other = read_text("t,p,y,zone\n2024-10-04,1,1,a\n2024-10-05,2,0,b\n", segments=["zone"])
    replay(world.installation, "other", other)
    path = tmp_path / "rows.parquet"
    export(world.installation, "credit", path)
    found = pl.read_parquet(path)
    assert found["segment_label"].to_list() == ["a", None]
    assert "zone" not in found.columns  # of another model


def test_an_export_that_fails_leaves_no_file(worlds, tmp_path, monkeypatch):
    world = worlds()
    replay(world.installation, "credit", made_history(2))

    def broken(*_):
        yield from ()
        raise InputError(found="The disk is gone")

    monkeypatch.setattr(world.store, "events", broken)
    with pytest.raises(Exception, match="The disk is gone"):
        export(world.installation, "credit", tmp_path / "rows.parquet")
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == []


def test_a_model_without_rows_is_exported_as_an_empty_table(worlds, tmp_path):
    world = worlds()
    replay(world.installation, "credit", made_history(0))
    assert export(world.installation, "credit", tmp_path / "rows.parquet") == 0
    assert pl.read_parquet(tmp_path / "rows.parquet").height == 0
