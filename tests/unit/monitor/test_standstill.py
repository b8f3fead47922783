"""What is said after a standstill or a restart is what would have been said without."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from roclab.monitor import answers
from roclab.monitor.rules import parse_condition
from roclab.monitor.schema import Label, Prediction
from roclab.monitor.settings import ModelSettings, RuleSettings, Settings
from tests.unit.monitor.fleet import DAY, HOUR, START, World, maker


@pytest.fixture
def worlds(tmp_path):
    """Makes installations, and closes them."""
    made = []

    def make(settings=None):
        made.append(World(tmp_path / str(len(made)), settings or Settings()))
        return made[-1]

    yield make
    for world in made:
        world.store.close()


@pytest.fixture
def world(worlds):
    return worlds()


def known(rows, labels):
    return [Label(row.id, bool(label), row.time) for row, label in zip(rows, labels, strict=True)]


def said(world):
    """Everything that was said about a model: frozen readings, blocks and alerts."""
    streams = world.installation.models["credit"].streams
    return {
        key: (
            world.store.readings(one.record.number, frozen=True),
            world.store.frozen_at(one.record.number),
            [block for _, block in world.store.blocks(one.record.number)],
            [
                (alert.rule, alert.since, alert.fired, alert.ended)
                for alert in world.store.alerts()
                if alert.stream == one.record.number
            ],
        )
        for key, one in streams.items()
    }


def in_memory(world):
    """Everything that is kept in memory of a model."""
    return {
        key: (
            one.window.read(),
            one.rule.state(),
            one.latest,
            one.recent,
            one.alerts,
            {name: state.without_value() for name, state in one.conditions.items()},
        )
        for key, one in world.installation.models["credit"].streams.items()
    } | {"delay": world.installation.models["credit"].delay}


def test_labels_that_were_corrected_since_were_known_at_the_boundary(worlds):
    """Coverage is that of then: a correction does not make a label unknown."""
    pair = worlds(), worlds()
    for world in pair:
        rows, labels = maker(1, count=100)(0)
        world.predict("credit", rows, START + DAY - HOUR)
        world.label("credit", known(rows, labels)[:95], START + DAY - 1)
        if world is pair[0]:
            world.tick(START + DAY + 5)
        wrong = [one._replace(label=not one.label) for one in known(rows, labels)[:3]]
        assert world.label("credit", wrong, START + DAY + HOUR) == ["corrected"] * 3
        world.tick(START + DAY + 2 * HOUR)
    live, late = map(said, pair)
    assert len(live["", ""][0]) == 1
    assert live == late


def test_the_reference_has_the_rows_that_were_known_when_it_was_made(worlds):
    """Predictions that came later do not change the population stability index of then."""
    pair = worlds(), worlds()
    for world in pair:
        make = maker(2, count=60)
        for day in range(32):
            rows, labels = make(day)
            end = START + (day + 1) * DAY
            world.predict("credit", rows, end - HOUR)
            world.label("credit", known(rows, labels), end - 1)
            if world is pair[0]:
                world.tick(end + 5)
            late = [one._replace(id=f"late {one.id}", score=5.0) for one in rows[:20]]
            world.predict("credit", late, end + HOUR)
        world.tick(START + 32 * DAY + 2 * HOUR)
    live, late = map(said, pair)
    assert live["", ""][0][-1][1]["psi"] is not None
    assert live == late


def test_rows_without_segments_are_read_beside_rows_with_them(world):
    rows = [
        Prediction(
            str(i), i % 7, START + i, None, (("region", "north"),) * (i % 2), i % 3 > 0, START
        )
        for i in range(90)
    ]
    world.predict("credit", rows, START + HOUR)
    world.tick(START + DAY + 5)
    found = said(world)
    assert found["", ""][0][0][1]["n"] == 90
    assert found["region", "north"][0][0][1]["n"] == 45


def test_two_alarms_at_one_boundary_are_two_also_after_a_restart(worlds):
    """Labels of three weeks come at once, with a drop, a recovery and a second drop in them."""
    world = worlds(Settings(model={"credit": ModelSettings(horizon=timedelta(days=90))}))
    make, bad = maker(3, count=300), maker(4, count=300, broken_from=0, regions=("north",))
    world.live("credit", 32, make)
    waiting = []
    for day in range(32, 56):
        low = day < 38 or day >= 48
        rows, labels = (bad if low else make)(day)
        world.predict("credit", rows, START + (day + 1) * DAY - 1)
        world.tick(START + (day + 1) * DAY + 5)
        waiting += known(rows, labels)
    world.label("credit", waiting, START + 56 * DAY + HOUR)
    world.tick(START + 57 * DAY + 5)
    alerts = [one for one in world.store.alerts() if one.content["stream"] == "credit"]
    assert [one.state for one in alerts] == ["firing", "ended"]
    assert {one.fired for one in alerts} == {START + 57 * DAY} == {alerts[1].ended}
    assert alerts[0].key != alerts[1].key
    world.live("credit", 2, bad, first=57)
    before, told = in_memory(world), said(world)
    world.reopen()
    assert in_memory(world) == before
    world.live("credit", 1, make, first=59)
    assert [one[:2] for one in said(world)["", ""][3]] == [one[:2] for one in told["", ""][3]]


def test_names_with_slashes_do_not_share_the_key_of_an_alert(worlds):
    """One failure at a boundary would end all judgement, of all models."""
    rule = RuleSettings(name="few", segment=None, condition=parse_condition("volume < 9"))
    rules = tuple(replace(rule, segment=name) for name in ("a/b", "a"))
    world = worlds(Settings(rule=rules))
    pairs = ((("a/b", "c"),), (("a", "b/c"),))
    rows = [Prediction(str(i), 0.5, START + i, None, pairs[i], None, None) for i in range(2)]
    world.predict("credit", rows, START + HOUR)
    world.tick(START + 2 * DAY + 5)
    assert len({one.key for one in world.store.alerts()}) == 2


def test_an_estimated_delay_outlives_a_restart(world):
    rng = np.random.default_rng(5)
    make = maker(6, count=80)
    for day in range(8):
        rows, labels = make(day)
        world.predict("credit", rows, START + (day + 1) * DAY - 1)
        came = [one for one in known(rows, labels) if rng.random() < 0.9]
        world.label("credit", came, START + (day + 1) * DAY - 1)
        world.tick(START + (day + 1) * DAY + 5)
    delay = world.installation.models["credit"].delay
    assert delay is not None
    before = in_memory(world)
    world.reopen()
    assert in_memory(world) == before
    with world.store.transaction():
        world.installation.forget_model("credit")
    world.predict("credit", rows[:1])
    world.reopen()
    assert world.installation.models["credit"].delay is None


def test_a_rule_that_clears_goes_on_clearing_after_a_restart(worlds):
    """`keep_firing_for` counts from the cohort at which the condition ceased to hold."""
    rule = RuleSettings(name="few", condition=parse_condition("volume < 50"), keep_firing_for=3)
    pair = [worlds(Settings(rule=(rule,))) for _ in ("through", "restarted")]
    for world in pair:
        few, many = maker(7, count=20), maker(8, count=80)
        for day in range(7):
            world.live("credit", 1, few if day < 3 else many, first=day)
            if world is pair[1]:
                world.reopen()
        [alert] = world.store.alerts()
        assert (alert.fired, alert.ended) == (START + 2 * DAY, START + 6 * DAY)


def test_rules_are_shown_before_and_after_they_are_judged(worlds):
    rules = tuple(
        RuleSettings(name=name, condition=parse_condition(when), model=model, segment=segment)
        for name, when, model, segment in (
            ("few", "volume < 50", None, None),
            ("now", "now.auc < 0.9", "credit", "region"),
            ("other", "auc < 0.9", "fraud", None),
        )
    )
    world = worlds(Settings(rule=rules))
    rows, _ = maker(7, count=20)(0)
    world.predict("credit", rows, START + HOUR)

    def shown():
        found = answers.model(world.installation, "credit")["rules"]
        return {(one["name"], one["stream"], one["state"]) for one in found}

    expected = {
        ("few", "credit", "no data"),
        ("now", "credit, region north", "no data"),
        ("now", "credit, region south", "no data"),
    }
    assert shown() == expected
    world.tick(START + DAY)
    assert shown() == expected
    world.reopen()
    assert shown() == expected


def test_silence_is_measured_from_what_was_known_before_a_restart(worlds):
    rules = tuple(
        RuleSettings(name=name, condition=parse_condition(f"{name} > 6h"))
        for name in ("silence", "label_silence")
    )
    chosen = ModelSettings(window=timedelta(days=2))
    world = worlds(Settings(rule=rules, model={"credit": chosen}))
    rows, labels = maker(9, count=30)(0)
    world.predict("credit", rows, START + HOUR)
    world.label("credit", known(rows, labels), START + 2 * HOUR)
    world.tick(START + 3 * HOUR)
    world.reopen()
    world.tick(START + 7 * HOUR)
    assert not world.store.alerts(firing=True)
    world.tick(START + 8 * HOUR + 1_000_000)
    assert [one.rule for one in world.store.alerts(firing=True)] == ["label_silence"]
    world.tick(rows[-1].time + 7 * HOUR)
    assert {one.rule for one in world.store.alerts(firing=True)} == {"silence", "label_silence"}


def test_cohorts_without_rows_are_judged_after_a_standstill_too(worlds):
    """A rule on volume fires at the end of the first day of silence, whenever it is looked at."""
    rule = RuleSettings(
        name="few", condition=parse_condition("volume < 50"), lasting=2, keep_firing_for=1
    )
    pair = [worlds(Settings(rule=(rule,))) for _ in ("live", "late")]
    for world in pair:
        make = maker(10, count=60)
        for day in range(14):
            now = START + (day + 1) * DAY
            if day < 3 or day > 9:
                rows, labels = make(day)
                world.predict("credit", rows, now - 2)
                world.label("credit", known(rows, labels), now - 1)
            if world is pair[0] or day in (0, 13):
                world.tick(now + 5)
    live, late = map(said, pair)
    assert live == late
    [alert] = pair[0].store.alerts()
    assert (alert.fired, alert.ended) == (START + 5 * DAY, START + 11 * DAY)


def test_a_comparison_whose_state_is_damaged_begins_again(worlds):
    """Nothing else is a snapshot: the rest of memory is always built from rows and readings."""
    chosen = {"new": ModelSettings(challenger_of="credit")}
    world = worlds(Settings(model=chosen))
    make = maker(11, count=60)
    for day in range(4):
        rows, labels = make(day)
        now = START + (day + 1) * DAY
        for model in ("credit", "new"):
            world.predict(model, rows, now - 2)
        world.label("credit", known(rows, labels), now - 1)
        if day == 2:
            with world.store.transaction():
                world.store._connection.execute("UPDATE comparison_state SET content = x'00ff'")
        world.tick(now + 5)
    numbers = [world.installation.models[name].record.number for name in ("new", "credit")]
    found = [one["n_events"] for _, one in world.store.comparisons(*numbers)]
    assert found == [60, 120, 60, 120]


def test_a_row_of_long_ago_is_judged_from_when_it_came(worlds, monkeypatch):
    """Nothing was known at the 350,000 boundaries before."""
    rule = RuleSettings(name="few", condition=parse_condition("volume < 5"))
    world = worlds(Settings(rule=(rule,), defaults=ModelSettings(cohort="hour")))
    rows = [
        Prediction(f"{time}", 0.5, time, None, (), True, time)
        for time in (START - 40 * 365 * DAY, START)
    ]
    world.predict("credit", rows)
    judged = []
    close = world.installation._close
    monkeypatch.setattr(
        world.installation,
        "_close",
        lambda state, boundary: (judged.append(boundary), close(state, boundary)),
    )
    world.tick(START + 2 * HOUR)
    assert judged == [START + HOUR, START + 2 * HOUR]
    streams = world.installation.models["credit"].streams
    frozen = world.store.frozen_at(streams["", ""].record.number)
    assert frozen == {rows[0].time: START + HOUR, START: START + HOUR}
    assert all(one.fired >= START for one in world.store.alerts())
