"""Cohorts, readings, maturity, change rules and alerts, against computations by hand."""

from datetime import timedelta

import numpy as np
import pytest

import roclab as rl
from roclab.monitor import answers
from roclab.monitor.rules import parse_condition
from roclab.monitor.schema import Label, Prediction, Rejected
from roclab.monitor.settings import ModelSettings, ReferencePeriod, RuleSettings, Settings
from tests.unit.monitor.fleet import DAY, HOUR, START, World, maker


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path, Settings(data=tmp_path))
    yield made
    made.store.close()


def stream(world, model="credit", key=("", "")):
    return world.installation.models[model].streams[key]


def rows_by_hand(rows_and_labels, region=None):
    kept = [
        (row, label)
        for rows, labels in rows_and_labels
        for row, label in zip(rows, labels, strict=True)
        if region is None or dict(row.segments)["region"] == region
    ]
    return np.array([label for _, label in kept], bool), np.array([row.score for row, _ in kept])


class TestReadings:
    def test_every_frozen_reading_is_the_interval_over_its_rows(self, world):
        days = []
        make = maker(1, count=120)

        def kept(day):
            days.append(make(day))
            return days[-1]

        world.live("credit", 4, kept)
        for key in (("", ""), ("region", "north"), ("region", "south")):
            found = world.store.readings(stream(world, key=key).record.number, frozen=True)
            assert [cohort for cohort, _ in found] == [START + day * DAY for day in range(4)]
            for (_, reading), day in zip(found, days, strict=True):
                y, s = rows_by_hand([day], key[1] or None)
                expected = rl.auc_interval(y, s)
                assert reading["auc"] == expected.value
                assert (reading["low"], reading["high"]) == (expected.low, expected.high)
                assert (reading["n_pos"], reading["n_neg"]) == (y.sum(), (~y).sum())
                assert reading["coverage"] == 1.0
                assert reading["mean_score"] == pytest.approx(s.mean())

    def test_the_window_is_that_of_the_last_days_by_prediction_time(self, world):
        days = [maker(2, count=60)(0)]
        make = maker(3, count=60)
        days = {}

        def kept(day):
            days[day] = make(day)
            return days[day]

        world.live("credit", 12, kept)
        y, s = rows_by_hand([days[day] for day in range(5, 12)])
        found = stream(world).window.read()
        assert found["auc"] == pytest.approx(rl.auc(y, s), rel=1e-12)
        assert (found["n_pos"], found["n_neg"]) == (y.sum(), (~y).sum())

    def test_late_labels_change_what_is_known_now_and_not_what_was_frozen(self, world):
        make = maker(4, count=100)
        rows, labels = make(0)
        world.predict("credit", rows, START + DAY - 1)
        early = [Label(r.id, bool(y), r.time) for r, y in zip(rows, labels, strict=True)]
        world.label("credit", early[:96], START + DAY - 1)
        world.tick(START + DAY + 5)
        number = stream(world).record.number
        [(_, frozen)] = world.store.readings(number, frozen=True)
        assert (frozen["n"], frozen["n_labelled"]) == (100, 96)
        world.label("credit", early[96:], START + DAY + HOUR)
        world.tick(START + DAY + 2 * HOUR)
        [(_, now)] = world.store.readings(number)
        assert now["n_labelled"] == 100
        assert now["auc"] == rl.auc(labels, [row.score for row in rows])
        assert world.store.readings(number, frozen=True) == [(START, frozen)]

    def test_a_day_of_standstill_says_what_would_have_been_said(self, tmp_path):
        """Labels that came after a boundary do not count at it, however late it is looked at."""
        worlds = [World(tmp_path / name, Settings()) for name in ("live", "late")]
        for world in worlds:
            make = maker(5, count=80)
            for day in range(3):
                rows, labels = make(day)
                end = START + (day + 1) * DAY
                world.predict("credit", rows, end - HOUR)
                known = [Label(r.id, bool(y), r.time) for r, y in zip(rows, labels, strict=True)]
                world.label("credit", known[:77], end - 1)
                if world is worlds[0]:
                    world.tick(end + 5)
                world.label("credit", known[77:], end + 2 * HOUR)
                wrong = known[0]._replace(label=not known[0].label)
                assert world.label("credit", [wrong], end + 3 * HOUR) == ["corrected"]
            world.tick(START + 3 * DAY + 6 * HOUR)
        live, late = (
            [
                world.store.readings(one.record.number, frozen=True)
                for one in world.installation.models["credit"].streams.values()
            ]
            for world in worlds
        )
        assert len(live[0]) == 3
        assert live == late
        for world in worlds:
            world.store.close()

    def test_too_few_of_a_class_give_no_number(self, world):
        rows, labels = maker(6, count=20, share=0.2)(0)
        world.predict("credit", rows, START + 1)
        known = [Label(r.id, bool(y), r.time) for r, y in zip(rows, labels, strict=True)]
        world.label("credit", known, START + 2)
        world.tick(START + DAY + 1)
        [(_, reading)] = world.store.readings(stream(world).record.number, frozen=True)
        assert reading["auc"] is None
        assert reading["n_pos"] == labels.sum() < 10
        assert world.store.small_cohorts(stream(world).record.number) == [START]

    def test_small_cohorts_are_joined_with_the_next(self, world):
        days = []
        make = maker(7, count=30)

        def kept(day):
            days.append(make(day))
            return days[-1]

        world.live("credit", 6, kept)
        blocks = [block for _, block in world.store.blocks(stream(world).record.number)]
        assert any(len(block.cohorts) > 1 for block in blocks)
        for block in blocks:
            y, s = rows_by_hand([days[(cohort - START) // DAY] for cohort in block.cohorts])
            assert block.auc == rl.auc(y, s)
            assert min(block.n_pos, block.n_neg) >= 10

    def test_provisional_auc_corrects_for_who_got_a_label(self, world):
        """Arrival by score biases the AUC of labelled rows; weights by the score mend it."""
        rng = np.random.default_rng(8)
        count = 20_000
        y = rng.random(count) < 0.5
        s = rng.normal(size=count) + 1.19 * y
        came = rng.random(count) < np.where(np.abs(s - 0.6) < 0.8, 0.9, 0.25)
        rows = [
            Prediction(f"r{i}", float(one), START + i, None, (), None, None)
            for i, one in enumerate(s)
        ]
        world.predict("credit", rows, START + HOUR)
        known = [Label(f"r{i}", bool(y[i]), START) for i in np.flatnonzero(came)]
        world.label("credit", known, START + HOUR)
        world.tick(START + 2 * HOUR)
        [(_, reading)] = world.store.readings(stream(world).record.number)
        truth = rl.auc(y, s)
        assert reading["auc"] == rl.auc(y[came], s[came])
        assert abs(reading["auc"] - truth) > 0.03
        assert abs(reading["provisional"] - truth) < 0.01


class TestMaturity:
    def test_missing_labels_mean_negative_after_the_horizon(self, tmp_path):
        chosen = ModelSettings(horizon=timedelta(days=2), missing_label="negative")
        world = World(tmp_path, Settings(model={"fraud": chosen}))
        rows, labels = maker(9, count=150)(0)
        world.predict("fraud", rows, START + HOUR)
        known = [Label(r.id, True, r.time) for r, y in zip(rows, labels, strict=True) if y]
        world.label("fraud", known, START + 2 * HOUR)
        world.tick(START + 2 * DAY)
        number = stream(world, "fraud").record.number
        assert not world.store.readings(number, frozen=True)
        world.tick(START + 3 * DAY)
        [(_, reading)] = world.store.readings(number, frozen=True)
        assert reading["auc"] == rl.auc(labels, [row.score for row in rows])
        assert reading["n_neg"] == 150 - labels.sum()
        # A real label that comes later is news, not a correction; the frozen reading stays.
        late = next(row for row, label in zip(rows, labels, strict=True) if not label)
        assert world.label("fraud", [Label(late.id, True, 0)], START + 4 * DAY) == ["accepted"]
        world.tick(START + 4 * DAY)
        assert world.store.readings(number, frozen=True) == [(START, reading)]
        assert world.store.readings(number)[0][1]["n_pos"] == reading["n_pos"] + 1
        world.store.close()

    def test_the_delay_of_labels_is_estimated_with_truncation(self):
        from roclab.monitor.cohorts import label_delay

        rng = np.random.default_rng(10)
        age = rng.uniform(0, 120, 40_000)
        delay = rng.exponential(37 / np.log(20), 40_000)  # 95 % within 37 days
        seen = delay <= age
        young = age < 45  # a monitor that began 45 days ago
        kept = seen & young
        found = label_delay(age[kept], delay[kept], np.ones(kept.sum(), bool))
        plain = np.quantile(delay[kept], 0.95)
        assert plain < 28
        # Nothing is known beyond 45 days, within which 97.4 % of all labels come.
        assert found == pytest.approx(-37 / np.log(20) * np.log(1 - 0.95 * 0.974), rel=0.06)

    def test_the_delay_of_labels_is_known_where_there_is_a_horizon(self, tmp_path):
        rule = RuleSettings(name="late", condition=parse_condition("label_delay > 19h"))
        settings = Settings(
            data=tmp_path,
            model={"credit": ModelSettings(horizon=timedelta(days=30))},
            rule=(rule,),
        )
        world = World(tmp_path, settings)
        world.live("credit", 5, maker(14, count=200), delay=20 * HOUR)
        (shown,) = answers.overview(world.installation)
        # They are sent at the end of the day in which they are known: most, on the day after.
        assert 40 * 3600 < shown["label_delay_seconds"] < 44 * 3600
        (alert,) = world.store.alerts()
        assert alert.rule == "late"
        assert "h, and the rule says label_delay > 19h" in alert.content["sentence"]
        world.store.close()

    def test_the_slower_class_decides(self):
        from roclab.monitor.cohorts import label_delay

        rng = np.random.default_rng(11)
        positive = rng.random(5000) < 0.5
        delay = rng.exponential(np.where(positive, 5.0, 1.0))
        age = np.full(5000, 1000.0)
        assert label_delay(age, delay, positive) == pytest.approx(
            np.quantile(delay[positive], 0.95), rel=0.01
        )
        assert label_delay(age[:30], delay[:30], positive[:30]) is None


class TestChanges:
    def test_a_drop_in_one_region_is_found_dated_and_explained(self, world):
        world.live("credit", 60, maker(12, count=400, broken_from=45))
        alerts = sorted(world.store.alerts(), key=lambda one: one.number)
        assert [one.content["stream"] for one in alerts] == ["credit, region north", "credit"]
        for one in alerts:
            assert one.since in (START + 44 * DAY, START + 45 * DAY)
            assert one.state == "firing"
            assert one.fired <= START + 52 * DAY
        why = alerts[1].content["why"]
        assert "It is the ranking" in why["sentence"]
        assert why["by"][0]["segments"][0]["segment"] == "north"
        assert stream(world, key=("region", "south")).rule.state()["state"] == "ok"
        overview = answers.overview(world.installation)
        assert overview[0]["status"] == "firing"
        assert overview[0]["sentence"].startswith("credit ranks worse since 2024-11-1")

    def test_thirty_blocks_are_learned_first(self, world):
        world.live("credit", 29, maker(13, count=120))
        assert stream(world).rule.state() == {
            "state": "learning",
            "blocks": 29,
            "missing": 1,
            "problem": None,
        }
        assert "1 more mature day" in answers.overview(world.installation)[0]["sentence"]
        world.live("credit", 1, maker(14, count=120), first=29)
        assert stream(world).rule.state()["state"] == "ok"
        assert world.store.reference(stream(world).record.number) is not None

    def test_a_named_period_is_the_reference(self, tmp_path):
        from roclab.streaming.calendar import as_datetime

        period = ReferencePeriod(
            start=as_datetime(START + 5 * DAY), end=as_datetime(START + 36 * DAY)
        )
        world = World(tmp_path, Settings(model={"credit": ModelSettings(reference=period)}))
        world.live("credit", 38, maker(15, count=120))
        rule = stream(world).rule
        assert [block.since for block in rule.reference] == [
            START + day * DAY for day in range(5, 36)
        ]
        assert len(rule.blocks) == 2
        world.reopen()
        assert stream(world).rule.state() == rule.state()
        world.store.close()

    def test_an_alarm_ends_when_the_model_recovers(self, world):
        good = maker(16, count=400)
        bad = maker(17, count=400, broken_from=0, regions=("north",))
        world.live("credit", 45, lambda day: bad(day) if 35 <= day < 39 else good(day))
        ended = [one for one in world.store.alerts() if one.content["stream"] == "credit"]
        assert [one.state for one in ended] == ["ended"]
        assert ended[0].content["ended_how"] == "recovered"
        assert stream(world).rule.state()["state"] == "ok"

    def test_rebasing_ends_the_alarm_and_learns_anew(self, world):
        world.live("credit", 50, maker(18, count=400, broken_from=40))
        assert stream(world).rule.state()["state"] == "firing"
        with world.store.transaction():
            world.installation.act("rebase", model="credit", author="ann", reason="new market")
        assert stream(world).rule.learning
        assert not stream(world).alerts
        world.live("credit", 31, maker(19, count=400), first=50)
        assert stream(world).rule.state()["state"] == "ok"
        before = stream(world).rule.state()
        world.reopen()
        assert stream(world).rule.state() == before
        assert world.installation.alerts.acts[0].author == "ann"

    def test_the_budget_is_divided_among_streams(self, world):
        world.live("credit", 1, maker(20, count=50))
        state = world.installation.models["credit"]
        assert len(state.streams) == 3
        assert world.installation.changes.run_length(state) == pytest.approx(3 * 365.2425 / 12)

    def test_what_could_be_noticed(self):
        from roclab.monitor.streams import could_notice

        rng = np.random.default_rng(21)
        calm = rng.normal(0.8, 0.02, 60)
        small, large = could_notice(calm, (0.05, 0.10), run_length=100, most=365)
        assert 3 <= large < small <= 40
        noisy = np.clip(rng.normal(0.6, 0.25, 40), 0, 1)
        assert could_notice(noisy, (0.01,), run_length=1e5, most=30) == [None]


class TestConditions:
    def test_a_rule_fires_after_so_many_cohorts_and_recovers(self, tmp_path):
        rule = RuleSettings(
            name="too low", condition=parse_condition("auc < 0.75"), lasting=2, keep_firing_for=2
        )
        world = World(tmp_path, Settings(rule=(rule,)))
        good = maker(22, count=300)
        bad = maker(23, count=300, broken_from=0, regions=("north",))
        world.live("credit", 9, lambda day: bad(day) if 3 <= day < 6 else good(day))
        [alert] = world.store.alerts()
        assert (alert.fired, alert.since) == (START + 5 * DAY, START + 4 * DAY)
        assert alert.ended == START + 8 * DAY
        assert alert.content["sentence"].startswith("credit: auc is 0.")
        world.store.close()

    def test_volume_is_not_judged_before_the_first_whole_cohort(self, tmp_path):
        rule = RuleSettings(name="few", condition=parse_condition("volume < 100"))
        world = World(tmp_path, Settings(rule=(rule,)))
        make = maker(27, count=200)
        late, _ = make(0)
        world.predict("credit", late[-20:], START + DAY - 1)  # it began in the evening
        world.tick(START + DAY + 5)
        rows, _ = make(1)
        world.predict("credit", rows, START + 2 * DAY - 1)
        world.tick(START + 2 * DAY + 5)
        assert not world.store.alerts()
        world.tick(START + 3 * DAY + 5)
        assert [one.rule for one in world.store.alerts(firing=True)] == ["few"]
        world.store.close()

    def test_silence_is_noticed_by_time(self, tmp_path):
        rule = RuleSettings(name="silence", condition=parse_condition("silence > 6h"))
        world = World(tmp_path, Settings(rule=(rule,)))
        rows, _ = maker(24, count=10)(0)
        world.predict("credit", rows, rows[-1].time)
        world.tick(rows[-1].time + 5 * HOUR)
        assert not world.store.alerts()
        world.tick(rows[-1].time + 7 * HOUR)
        assert [one.rule for one in world.store.alerts(firing=True)] == ["silence"]
        more = rows[0]._replace(id="again", time=rows[-1].time + 7 * HOUR)
        world.predict("credit", [more], more.time)
        world.tick(more.time + HOUR)
        assert not world.store.alerts(firing=True)
        world.store.close()


class TestRows:
    def test_outcomes_of_predictions_and_labels_in_any_order(self, world):
        one = Prediction("a", 0.5, START, None, (), None, None)
        assert world.label("credit", [Label("a", True, START)]) == ["accepted"]
        assert world.predict("credit", [one]) == ["accepted"]
        assert stream(world).window.read()["n_pos"] == 1
        assert world.predict("credit", [one]) == ["duplicate"]
        assert world.predict("credit", [one._replace(time=START + 5)]) == ["duplicate"]
        [refused] = world.predict("credit", [one._replace(score=0.6)])
        assert isinstance(refused, Rejected)
        assert world.label("credit", [Label("a", True, START)]) == ["duplicate"]
        assert world.label("credit", [Label("a", False, START)]) == ["corrected"]
        assert stream(world).window.read() | {"auc": 0} == {
            "auc": 0,
            "low": None,
            "high": None,
            "n_pos": 0,
            "n_neg": 1,
        }

    def test_one_batch_may_hold_an_id_twice(self, world):
        rows = [Prediction("a", 0.5, START, None, (), None, None)] * 2
        assert world.predict("credit", rows) == ["accepted", "duplicate"]
        labels = [Label("a", True, START), Label("a", False, START), Label("a", False, START)]
        assert world.label("credit", labels) == ["accepted", "corrected", "duplicate"]
        [count] = world.store.cohorts(1)
        assert (count.n, count.labelled) == (1, 1)

    def test_the_same_id_of_two_models_is_two_ids(self, world):
        one = Prediction("a", 0.5, START, None, (), True, START)
        assert world.predict("credit", [one]) == world.predict("fraud", [one]) == ["accepted"]

    def test_everything_is_the_same_after_a_restart(self, world):
        world.live("credit", 40, maker(25, count=150, broken_from=33))
        before = {
            key: (one.window.read(), one.rule.state(), one.latest, one.recent, one.alerts)
            for key, one in world.installation.models["credit"].streams.items()
        }
        overview = answers.overview(world.installation)
        world.reopen()
        for key, one in world.installation.models["credit"].streams.items():
            assert before[key] == (
                one.window.read(),
                one.rule.state(),
                one.latest,
                one.recent,
                one.alerts,
            )
        assert answers.overview(world.installation) == overview

    def test_a_clock_that_was_set_back_is_waited_for(self, world):
        world.tick(START + 5 * DAY)
        world.now = START
        assert world.installation.now() == START + 5 * DAY
        world.reopen()
        assert world.installation.now() == START + 5 * DAY

    def test_forgetting_an_id_removes_it_everywhere(self, world):
        rows = [
            Prediction(f"{label}-{i}", i / 40, START + i, None, (), bool(label), START)
            for i in range(20)
            for label in (0, 1)
        ]
        world.predict("credit", rows, START + 50)
        world.tick(START + 60)
        with world.store.transaction():
            assert world.installation.forget_id("credit", "1-7")
            assert not world.installation.forget_id("credit", "nobody")
        world.installation.committed()
        world.tick(START + 70)
        left = [row for row in rows if row.id != "1-7"]
        expected = rl.auc([row.label for row in left], [row.score for row in left])
        assert stream(world).window.read()["auc"] == pytest.approx(expected)
        [(_, reading)] = world.store.readings(stream(world).record.number)
        assert (reading["n"], reading["auc"]) == (39, expected)
        with world.store.transaction():
            world.installation.forget_model("credit")
        assert world.store.models() == world.store.streams() == []
        assert world.store.n_events() == 0

    def test_retention_removes_rows_and_keeps_readings(self, tmp_path):
        from roclab.monitor.settings import StoreSettings

        world = World(tmp_path, Settings(store=StoreSettings(retention=timedelta(days=3))))
        world.live("credit", 6, maker(26, count=50))
        number = stream(world).record.number
        readings = world.store.readings(number, frozen=True)
        with world.store.transaction():
            removed = world.installation.remove_old(world.now, 10_000)
        assert removed == 3 * 50
        assert world.store.readings(number, frozen=True) == readings
        assert sum(len(part) for part in world.store.events(1)) == 3 * 50
        world.store.close()

    def test_names_without_end_do_not_fill_the_memory(self, world, monkeypatch):
        monkeypatch.setattr("roclab.monitor.store.events.MOST_NAMES", 3)
        rows = [
            Prediction(str(i), 0.5, START, f"v{i}", (("user", f"u{i}"),), None, None)
            for i in range(6)
        ]
        assert world.predict("credit", rows) == ["accepted"] * 6
        assert world.predict("credit", rows) == ["duplicate"] * 6
        assert len(world.store.segments) == 3
        [part] = world.store.events(1)
        assert [row[4] for row in part] == ["v0", "v1", "v2", None, None, None]

    def test_limits_on_segments_store_rows_and_watch_no_more_values(self, tmp_path):
        from roclab.monitor.settings import Limits

        world = World(tmp_path, Settings(limits=Limits(segment_values=2, models=1)))
        rows = [
            Prediction(str(i), 0.5, START, None, (("region", f"r{i}"),), None, None)
            for i in range(5)
        ]
        assert world.predict("credit", rows) == ["accepted"] * 5
        assert len(world.installation.models["credit"].streams) == 3
        [refused] = world.predict("fraud", rows[:1])
        assert "raise models in [limits]" in refused.reason
        world.store.close()


class TestChallengers:
    def settings(self, **options):
        return Settings(model={"new": ModelSettings(challenger_of="credit", **options)})

    def feed(self, world, days, shift, share=1.0):
        """A champion and a challenger that adds noise or takes it away; labels go to one."""
        rng = np.random.default_rng(30)
        kept = []
        for day in range(days):
            y = rng.random(200) < 0.3
            s = rng.normal(size=200) + 1.2 * y
            other = s + shift * y
            rows = [
                Prediction(f"{day}-{i}", float(one), START + day * DAY + i, None, (), None, None)
                for i, one in enumerate(s)
            ]
            paired = [
                row._replace(score=float(other[i])) for i, row in enumerate(rows) if i < share * 200
            ]
            end = START + (day + 1) * DAY
            world.predict("credit", rows, end - HOUR)
            world.predict("new", paired, end - HOUR)
            labels = [Label(row.id, bool(y[i]), row.time) for i, row in enumerate(rows)]
            world.label("credit", labels, end - 1)
            world.tick(end + 5)
            kept.append((y[: len(paired)], s[: len(paired)], other[: len(paired)]))
        return [np.concatenate(column) for column in zip(*kept, strict=True)]

    def test_the_comparison_is_that_of_the_library_on_the_same_pairs(self, tmp_path):
        world = World(tmp_path, self.settings())
        y, champion, challenger = self.feed(world, 20, 1.0, share=0.9)
        expected = rl.SequentialComparison(names=("champion", "challenger"))
        expected.update_many(y, champion, challenger)
        found = answers.comparison(world.installation, "new")
        assert len(found["cohorts"]) == 20
        latest = found["cohorts"][-1]
        interval = expected.interval()
        assert (latest["difference"], latest["low"], latest["high"]) == (
            interval.difference,
            interval.low,
            interval.high,
        )
        assert latest["n_events"] == 20 * 180
        assert latest["decided"] == expected.decided == "challenger"
        assert found["sentence"].startswith("new is better: AUC new minus credit +0.")
        world.reopen()
        assert answers.comparison(world.installation, "new") == found
        world.store.close()

    def test_equal_models_are_equivalent_within_a_margin(self, tmp_path):
        world = World(tmp_path, self.settings(margin=0.1))
        self.feed(world, 25, 0.0)
        assert (
            "differ by less than 0.1" in answers.comparison(world.installation, "new")["sentence"]
        )
        world.store.close()

    def test_without_a_champion_it_says_so(self, world):
        world.live("credit", 1, maker(31, count=20))
        with pytest.raises(ValueError, match="no champion of 'credit'"):
            answers.comparison(world.installation, "credit")


class TestLabelFree:
    @pytest.mark.parametrize(("honest", "shown"), [(True, True), (False, False)])
    def test_the_estimate_is_shown_only_where_it_was_nearer_to_the_truth(
        self, world, honest, shown
    ):
        """Difficulty varies: probabilities that know it are trusted, constant ones are not."""
        rng = np.random.default_rng(32)

        def make(day):
            spread = (1.0 if day % 2 else 2.5) if day >= 30 else 1.8
            logit = rng.normal(size=300) * spread
            p = 1 / (1 + np.exp(-logit))
            y = rng.random(300) < p
            score = p if honest else 1 / (1 + np.exp(-logit / spread * 1.0 + 2.0))
            rows = [
                Prediction(f"{day}-{i}", float(one), START + day * DAY + i, None, (), None, None)
                for i, one in enumerate(score)
            ]
            return rows, y

        world.live("credit", 45, make)
        found = answers.history(world.installation, "credit")["label_free"]
        assert found["shown"] is shown
        assert (found["error"] < found["error_unchanged"]) is shown
