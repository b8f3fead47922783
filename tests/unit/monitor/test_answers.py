"""The line of a model in the overview: small, and the same numbers as everywhere else."""

import pytest

from roclab.monitor.answers import history, overview
from roclab.monitor.rules import parse_condition
from roclab.monitor.settings import RuleSettings, Settings
from tests.unit.monitor.fleet import DAY, HOUR, START, World, maker


@pytest.fixture
def world(tmp_path):
    opened = World(tmp_path, Settings(data=tmp_path))
    yield opened
    opened.store.close()


def test_the_small_picture_has_the_mature_cohorts_of_the_history(world):
    make = maker(count=80)
    world.live("credit", 5, make)
    rows, _ = make(5)  # of today, which is not mature
    world.predict("credit", rows, world.now + HOUR)
    [one] = overview(world.installation)
    cohorts = history(world.installation, "credit")["cohorts"]
    mature = [each["frozen"] for each in cohorts if each["frozen"]]
    assert len(mature) == 5
    for name in ("auc", "low", "high"):
        assert one["recent"][name] == [round(each[name], 4) for each in mature]
    assert one["recent"]["cohort"] == [(START + day * DAY) // 10**6 for day in range(5)]


def test_a_cohort_without_an_auc_has_a_place_and_no_number(world):
    world.live("credit", 2, maker(count=3))
    [one] = overview(world.installation)
    assert one["recent"]["auc"] == one["recent"]["low"] == [None, None]
    assert len(one["recent"]["cohort"]) == 2


def test_the_complete_cohort_is_the_last_that_has_ended(world):
    make = maker(count=40)
    world.live("credit", 2, make)
    rows, _ = make(2)
    world.predict("credit", rows[:7], world.now + HOUR)
    world.tick(world.now + HOUR)
    [one] = overview(world.installation)
    before = history(world.installation, "credit")["cohorts"][1]
    assert one["complete"] == {"cohort": before["cohort"], "n": 40, "coverage": 1.0}


def test_a_model_on_its_first_day_shows_what_there_is(world):
    rows, _ = maker(count=9)(0)
    world.predict("credit", rows, rows[-1].time + HOUR)
    [one] = overview(world.installation)
    assert one["recent"] == {"cohort": [], "auc": [], "low": [], "high": []}
    assert one["complete"] is None or one["complete"]["n"] == 9


def test_a_rule_that_pends_says_its_condition_until_it_is_removed(tmp_path):
    rule = RuleSettings(name="low", condition=parse_condition("auc.low < 0.99"), lasting=50)
    world = World(tmp_path, Settings(data=tmp_path, rule=(rule,)))
    world.live("credit", 3, maker(count=80))
    [one] = overview(world.installation)
    assert one["status"] == "pending"
    assert one["sentence"] == "auc.low < 0.99 holds, but not for long enough yet."
    world.settings = Settings(data=tmp_path)
    world.reopen()
    [one] = overview(world.installation)
    assert one["status"] == "learning"
    world.store.close()
