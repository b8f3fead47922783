"""Readings as columns: what the page draws, thinned without losing extremes or gaps."""

import numpy as np
import pytest

from roclab.monitor.answers import history
from roclab.monitor.cohorts import Reading
from roclab.monitor.series import _FEW_POINTS, _POINTS, _thinned, series
from roclab.monitor.settings import ModelSettings, Settings
from tests.unit.monitor.fleet import DAY, HOUR, START, World, maker


@pytest.fixture
def world(tmp_path):
    opened = World(tmp_path, Settings(model={"hourly": ModelSettings(cohort="hour")}))
    yield opened
    opened.store.close()


def summaries(world, model, aucs, *, step=DAY, missing=()):
    """Cohorts that were computed elsewhere: quick to add by the thousand."""
    world.now = START + (len(aucs) + 1) * step
    with world.store.transaction():
        for place, auc in enumerate(aucs):
            if place in missing:
                continue
            reading = Reading(
                n=200,
                n_labelled=200,
                n_pos=60,
                n_neg=140,
                auc=auc,
                low=None if auc is None else auc - 0.05,
                high=None if auc is None else min(1.0, auc + 0.05),
                mean_score=0.3,
            )
            outcome = world.installation.add_summary(model, START + place * step, ("", ""), reading)
            assert outcome == "accepted"
    world.installation.committed()


@pytest.mark.parametrize("points", [50, 500, _FEW_POINTS, _POINTS])
@pytest.mark.parametrize("seed", range(3))
def test_thinned_lines_keep_their_extremes_and_stay_below_the_limit(points, seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(points + 1, 20 * points))
    aucs = (0.8 + 0.05 * rng.standard_normal(count)).tolist()
    for place in rng.choice(count, count // 50, replace=False).tolist():
        aucs[place] = None
    cohorts = [START + place * DAY for place in range(count)]
    kept = _thinned(cohorts, aucs, points)
    assert len(kept) <= points
    assert kept == sorted(set(kept))
    assert kept[0] == 0
    assert kept[-1] == count - 1
    valid = [auc for auc in aucs if auc is not None]
    drawn = [aucs[place] for place in kept if aucs[place] is not None]
    assert min(drawn) == min(valid)
    assert max(drawn) == max(valid)
    # Not only of the whole: of each stretch as wide as two columns.
    wide = 2 * -(-count // ((points - 2) // 5))
    for start in range(0, count - wide, wide):
        inside = [aucs[i] for i in range(start, start + wide) if aucs[i] is not None]
        near = range(start - wide, start + 2 * wide)
        drawn = [aucs[i] for i in kept if i in near and aucs[i] is not None]
        assert min(drawn) <= min(inside)
        assert max(drawn) >= max(inside)


def test_short_lines_are_left_alone():
    assert _thinned([START, START + DAY, START + 3 * DAY], [0.8, None, 0.9], 3) == [0, 1, 2]


def test_a_line_without_any_auc_keeps_its_ends():
    assert _thinned([START + i * DAY for i in range(99)], [None] * 99, 50) == [0, 98]


def test_a_cohort_without_an_auc_still_interrupts_a_thinned_line():
    aucs = [0.8] * 1000
    aucs[500] = None
    assert 500 in _thinned([START + i * DAY for i in range(1000)], aucs, 50)


def test_columns_are_those_of_the_history(world):
    world.live("fraud", 4, maker())
    found = series(world.installation, "fraud")
    whole = found["whole"]
    told = history(world.installation, "fraud")["cohorts"]
    for name in ("auc", "low", "high", "n", "coverage", "positive_rate", "mean_score"):
        assert whole[name] == [one["now"][name] for one in told]
    assert whole["frozen_auc"] == [one["frozen"] and one["frozen"]["auc"] for one in told]
    assert whole["gap"] == [False] * len(told)
    lengths = {len(value) for value in whole.values() if isinstance(value, list)}
    assert lengths == {len(told)}
    assert [one["value"] for one in found["segments"]] == ["north", "south"]
    for one in found["segments"]:
        told = history(world.installation, "fraud", segment="region", value=one["value"])
        assert one["auc"] == [each["now"]["auc"] for each in told["cohorts"]]


def test_missing_cohorts_are_gaps(world):
    summaries(world, "credit", [0.8] * 12, missing={3, 4, 9})
    whole = series(world.installation, "credit")["whole"]
    begins = [int((one * 1e6 - START) // DAY) for one in whole["cohort"]]
    assert begins == [0, 1, 2, 5, 6, 7, 8, 10, 11]
    assert [place for place, gap in zip(begins, whole["gap"], strict=True) if gap] == [5, 10]


def test_a_long_history_is_thinned_and_its_gaps_stay(world):
    aucs = (0.8 + 0.01 * np.sin(np.arange(3000))).tolist()
    aucs[1234], aucs[2345] = 0.55, 0.99
    summaries(world, "hourly", aucs, step=HOUR, missing=range(2000, 2010))
    whole = series(world.installation, "hourly")["whole"]
    assert len(whole["cohort"]) <= _POINTS
    assert (min(whole["auc"]), max(whole["auc"])) == (0.55, 0.99)
    assert sum(whole["gap"]) == 1  # those that are left out for brevity are none
    place = whole["gap"].index(True)
    assert whole["cohort"][place - 1] * 1e6 < START + 2000 * HOUR <= whole["cohort"][place] * 1e6


def test_a_range_is_not_thinned_where_it_is_short(world):
    summaries(world, "hourly", [0.8] * 3000, step=HOUR)
    since, until = START + 100 * HOUR, START + 200 * HOUR
    found = series(world.installation, "hourly", since=since, until=until)
    assert found["whole"]["cohort"] == [(START + i * HOUR) / 1e6 for i in range(100, 200)]


def test_nothing_within_a_range_is_empty_columns(world):
    summaries(world, "credit", [0.8] * 3)
    whole = series(world.installation, "credit", until=START)["whole"]
    assert whole["cohort"] == whole["gap"] == whole["auc"] == []


def test_a_cohort_that_becomes_mature_is_news(world):
    """A page that is open draws it otherwise, though its reading is the same."""
    make = maker()
    world.live("fraud", 2, make)
    world.installation.take_news()
    world.live("fraud", 1, make, first=2)
    told = [one["cohort"] for one in world.installation.take_news() if one["kind"] == "reading"]
    assert told.count("2024-10-06T00:00:00Z") >= 1
    summaries(world, "credit", [0.8, 0.9])
    told = [one for one in world.installation.take_news() if one["model"] == "credit"]
    assert [one["cohort"] for one in told] == ["2024-10-04T00:00:00Z", "2024-10-05T00:00:00Z"]
