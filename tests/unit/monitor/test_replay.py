"""Replay: rows of files as if they had come live, and back to files."""

import logging
from datetime import timedelta

import numpy as np
import polars as pl
import pytest

from roclab.errors import InputError
from roclab.monitor import replay as replay_module
from roclab.monitor.export import export
from roclab.monitor.history import History, read_history
from roclab.monitor.replay import replay
from roclab.monitor.settings import ModelSettings, Settings
from tests.unit.monitor.fleet import DAY, HOUR, START, World
from tests.unit.monitor.histories import made_history, read_text, said

NOW = START + 1000 * DAY


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
    monkeypatch.setattr(replay_module, "_AT_ONCE", 33)
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
