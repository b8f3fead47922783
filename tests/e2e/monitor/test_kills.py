"""The process is killed at random moments: what it acknowledged is there once, and adds up."""

import random
import sys
import time
from collections import Counter

import pytest

import roclab as rl
from roclab.monitor.settings import Settings
from tests.e2e.monitor.batch import joined, judged, matures, part, reading_of
from tests.e2e.monitor.process import DEADLINE, Monitor, eventually
from tests.e2e.monitor.producers import HOUR, Producer
from tests.e2e.monitor.set_clock import SetClock
from tests.e2e.monitor.twin import replayed
from tests.e2e.monitor.written import Written

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")

SETTINGS = """
[defaults]
cohort = "hour"
reference = "first 30"
window = "8h"
[model.credit]
horizon = "6h"
[model.fraud]
horizon = "3h"
missing_label = "negative"
window = "365d"
[alerts]
false_alarms_per_month = 20
[[rule]]
name = "low"
model = "credit"
when = "auc.low < 0.70"
for = "2 cohorts"
keep_firing_for = "2 cohorts"
[[rule]]
name = "volume"
segment = "region"
when = "volume < 8"
for = "1 cohorts"
[[rule]]
name = "silence"
when = "silence > 2h"
"""
MODELS = ("credit", "fraud", "churn")
START = 495_000 * HOUR + HOUR // 2  # 2026-06-21, half past an hour


class Load:
    """A monitor whose clock is set, and producers that feed it."""

    def __init__(self, directory, *, seed, rate, broken):
        self.config = directory / "monitor.toml"
        self.config.write_text(SETTINGS)
        self.clock = SetClock(directory / "clock")
        self.clock.set(START)
        self.monitor = Monitor(directory / "data", self.config, self.clock)
        self.kills = Counter()
        self._random = random.Random(seed)
        broken = tuple(START + hour * HOUR for hour in broken)
        self.producers = [
            Producer(10 * seed + i, models, rate, self.clock.now, self._port, broken)
            for i, models in enumerate((MODELS[:2], MODELS[::2], MODELS[1:]))
        ]

    def _port(self):
        return self.monitor.port

    def begin(self):
        """Start everything, with all streams known before the first hour ends."""
        self.monitor.start()
        rows = [
            {"model": model, "id": f"first {region}", "score": 0.5, "segments": {"region": region}}
            for model in MODELS
            for region in ("north", "south")
        ]
        assert self.monitor.ask("POST", "/v1/predictions", rows)[2]["accepted"] == 6
        for producer in self.producers:
            producer.start()

    def stop(self):
        """End what runs."""
        for producer in self.producers:
            producer.give_up()
        self.monitor.stop()

    def kill(self, times, hours):
        """Kill the monitor at random moments, and start it again, while hours pass each time."""
        for _ in range(times):
            for _ in range(self._random.randrange(2 * hours)):
                self._pass(HOUR)
                self._wait_for_producers()
            self._pass(self._random.randrange(HOUR))
            time.sleep(self._random.uniform(0, 0.05))
            self.kills["starting" if self.monitor.port is None else "under load"] += 1
            self.monitor.kill()
            self._pass(self._random.randrange(2 * HOUR))
            self.monitor.spawn()
            if self._random.random() < 0.9:
                self.monitor.wait_until_it_listens()
            else:
                time.sleep(self._random.uniform(0, 0.5))
        self.monitor.wait_until_it_listens()

    def _pass(self, time):
        self.clock.set(self.clock.now() + time)

    def _wait_for_producers(self):
        """Wait until what is due was acknowledged, so that rows come in time."""
        late = self.clock.now() - HOUR // 2
        if self.monitor.port is not None:
            eventually(lambda: all(one.done_until >= late for one in self.producers))

    def settle(self):
        """Let producers get their answers, and wait until all is read."""
        for producer in self.producers:
            producer.end()
        now = self.clock.now()
        for producer in self.producers:
            producer.join(DEADLINE)
            assert not producer.is_alive()

        def settled():
            found = Written(self.monitor.directory)
            unread = [
                one
                for model in found.models.values()
                for one in model.cohorts.values()
                if one["changes"] != one["read"]
            ]
            return found.time == now and not unread

        eventually(settled)
        return now


def check_that_nothing_is_lost(load, written):
    """Every acknowledged row is there once, every other at most once, and nothing else."""
    assert written.integrity == "ok"
    expected = {}
    for producer in load.producers:
        assert not producer.surprises
        expected |= producer.sent
    for name, model in written.models.items():
        found = {row.id: row for row in model.rows}
        assert len(found) == len(model.rows)
        sent = {number: one for (of, number), one in expected.items() if of == name}
        assert found.keys() - sent.keys() == {"first north", "first south"}
        for number, one in sent.items():
            row = found.get(number)
            check_one(one, row)
        with_score = [row for row in model.rows if row.score is not None]
        counts = Counter(row.cohort for row in with_score)
        labelled = Counter(row.cohort for row in with_score if row.labels)
        assert {cohort: (one["n"], one["labelled"]) for cohort, one in model.cohorts.items()} == {
            cohort: (count, labelled[cohort]) for cohort, count in counts.items()
        }


def check_one(one, row):
    """An id is there as it was acknowledged."""
    doubt, doubtful = one.doubt or (None, {})
    if one.prediction:
        assert row.score is not None
    elif row is None or row.score is None:
        pass
    else:
        assert doubt == "predictions"
    if row is None:
        assert not one.labels
        return
    if row.score is not None:
        made = (row.score, row.time, dict(row.segments)["region"], row.version)
        assert made == (one.score, one.time, one.region, one.version)
        assert row.cohort == one.time - one.time % HOUR
    labels = [label for since, label in row.labels if (since + 1) % HOUR]
    may_be = [one.labels, [*one.labels, doubtful["label"]]] if "label" in doubtful else [one.labels]
    assert labels in may_be


def check_readings(written):
    """Every reading is that of `rl.auc_interval` over the rows of its cohort; return how many."""
    compared = Counter()
    for model in written.models.values():
        for key, number in model.streams.items():
            rows = model.of_cohort(key)
            now = {cohort: one for (of, cohort), one in model.now.items() if of == number}
            assert {cohort: part(one) for cohort, one in now.items()} == {
                cohort: reading_of(some) for cohort, some in rows.items()
            }
            compared["now"] += len(now)
            frozen = {cohort: one for (of, cohort), one in model.frozen.items() if of == number}
            for cohort, (at, reading) in frozen.items():
                assert part(reading) == reading_of(rows[cohort], at)
            compared["frozen"] += len(frozen)
            compared["with an AUC"] += sum(one["auc"] is not None for _, one in frozen.values())
    return compared


def check_maturity(written, horizons):
    """Cohorts are frozen at the first boundary at which they are mature."""
    for name, hours in horizons.items():
        model = written.models[name]
        number = model.streams["", ""]
        for cohort, rows in model.of_cohort(("", "")).items():
            at = model.frozen.get((number, cohort), (None,))[0]
            assert at == matures(rows, cohort, model.closed, hours, negative=name == "fraud")
            assert model.cohorts[cohort]["frozen"] == at


def check_change_rules(written):
    """Blocks, detectors and alerts follow from frozen readings; yield statistics by stream."""
    streams = sum(len(model.streams) for model in written.models.values())
    run_length = 365.2425 / 12 * 24 * streams / 20
    for model in written.models.values():
        for key, number in model.streams.items():
            blocks = model.blocks.get(number, [])
            assert [
                (one["cohorts"], one["judged"], one["n_pos"], one["n_neg"], one["auc"])
                for one in blocks
            ] == joined(model, key)
            assert all(one["run_length"] == pytest.approx(run_length) for one in blocks)
            statistic, fired = judged(blocks)
            assert fired == [
                (one["fired"], one["ended"])
                for one in model.alerts
                if one["stream"] == number and one["rule"] == "change"
            ]
            yield model.name, key, statistic


def check_windows(written, monitor, now):
    """The AUC of the present is that of the labelled rows of the last hours."""
    for name, length in {"credit": 8 * HOUR, "churn": 8 * HOUR, "fraud": 365 * 24 * HOUR}.items():
        model, found = written.models[name], monitor.get(f"/v1/models/{name}")
        for one in (found, *found["streams"]):
            key = (one["segment"] or "", one["value"] or "")
            rows = [
                row
                for some in model.of_cohort(key).values()
                for row in some
                if row.labels and row.time > now - length
            ]
            labels = [row.label(2**62) for row in rows]
            assert (one["now"]["n_pos"], one["now"]["n_neg"]) == (
                sum(labels),
                len(labels) - sum(labels),
            )
            if 0 < sum(labels) < len(labels):
                expected = rl.auc(labels, [row.score for row in rows])
                assert one["now"]["auc"] == pytest.approx(expected, rel=1e-12)


def answers_of(monitor):
    """Everything that the service says."""
    found = {"models": monitor.get("/v1/models"), "alerts": monitor.get("/v1/alerts")}
    for model in MODELS:
        one = found[model] = monitor.get(f"/v1/models/{model}")
        for stream in (one, *one["streams"]):
            key = (stream["segment"] or "", stream["value"] or "")
            query = f"?segment={key[0]}&value={key[1]}"
            found[model, key] = monitor.get(f"/v1/models/{model}/history{query}")
    return found


def stream_of(model, key):
    """What the service says of a stream."""
    found = {(one["segment"], one["value"]): one for one in model["streams"]}
    return {**found, ("", ""): model}[key]


def check_twin(written, twin):
    """All that was said is what an installation says that was never interrupted."""
    again = Written(twin.store.path.parent)
    for name, model in written.models.items():
        other = again.models[name]
        numbers = {model.streams[key]: other.streams[key] for key in model.streams}

        def renamed(table, numbers=numbers):
            return {(numbers[stream], cohort): one for (stream, cohort), one in table.items()}

        assert other.closed == model.closed
        assert other.frozen == renamed(model.frozen)
        assert other.blocks == {
            numbers[stream]: [{**one, "stream": numbers[stream]} for one in blocks]
            for stream, blocks in model.blocks.items()
        }
        assert alerts_of(other) == alerts_of(model)
        for (stream, rule), state in written.rule_states.items():
            if stream in numbers and rule != "silence":
                assert again.rule_states[numbers[stream], rule] == state


def alerts_of(model):
    """Alerts by what they concern; what depends on when it was looked at is left out."""
    keys = {number: key for key, number in model.streams.items()}
    return sorted(
        (keys[one["stream"]], one["rule"], one["since"], one["fired"], one["ended"])
        for one in model.alerts
        if one["rule"] != "silence"
    )


@pytest.mark.parametrize(("kills", "hours"), [(5, 8), pytest.param(50, 4, marks=pytest.mark.slow)])
def test_what_was_acknowledged_is_there_once_and_all_that_was_said_follows_from_it(
    tmp_path, kills, hours
):
    """Producers send through kills; then everything is compared with a computation in one go.

    Rows and labels with what producers noted; readings, maturity, blocks, detectors and alarms with
    a batch computation over the stored rows; everything, with the other rules, with a twin that got
    the same rows and was never interrupted; and answers with those after one more kill.
    """
    began = 2 * kills * hours // 3
    load = Load(tmp_path, seed=kills, rate=20, broken=(began, began + 15))
    monitor = load.monitor
    try:
        load.begin()
        load.kill(kills, hours)
        now = load.settle()
        live = answers_of(monitor)
        written = Written(monitor.directory)
        check_windows(written, monitor, now)
        monitor.kill()
        monitor.start()
        assert answers_of(monitor) == live
        assert monitor.terminate() == 0
    finally:
        load.stop()
    check_that_nothing_is_lost(load, written)
    compared = check_readings(written)
    assert compared["with an AUC"] > 10 * kills
    check_maturity(written, {"credit": 6, "fraud": 3})
    for name, key, statistic in check_change_rules(written):
        assert stream_of(live[name], key)["change"].get("statistic") == statistic
    twin = replayed(tmp_path / "twin", Settings.read(load.config), written)
    try:
        check_twin(written, twin)
    finally:
        twin.store.close()
    outcomes = sum((Counter(one.outcomes) for one in load.producers), Counter())
    assert min(outcomes[one] for one in ("accepted", "duplicate", "corrected", "rejected")) > 0
    print(dict(load.kills), dict(outcomes), dict(compared))
