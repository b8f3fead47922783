"""The outbox: at least once, in order, with growing pauses, past channels that hang."""

import json
import threading
import time
from dataclasses import dataclass, field

import pytest

from roclab.errors import InputError
from roclab.monitor import outbox as outbox_module
from roclab.monitor import service as service_module
from roclab.monitor.delivery import DeliveryError
from roclab.monitor.schema import Prediction
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings
from roclab.monitor.store.database import StoreError
from tests.unit.monitor.api.client import Client
from tests.unit.monitor.delivery.receivers import (
    CANARY,
    closed_port,
    http_receiver,
    raw_receiver,
)
from tests.unit.monitor.fleet import DAY, HOUR, START

SECOND = 1_000_000
REFUSED = (
    "127.0.0.1 refused the connection. Check the host and the port, and that they can be reached "
    "from here."
)
RULE = {"name": "quiet", "when": "silence > 1h"}


def webhook(url, name="ops"):
    return {"type": "webhook", "name": name, "url": url}


def wait_for(condition, what="it"):
    """What a condition returns once it is true."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.005)
    raise AssertionError(f"{what} did not happen")


@dataclass
class Monitor:
    """A service on a directory, with a clock that tests set."""

    directory: str
    channels: list
    environment: dict = field(default_factory=dict)
    now: int = START
    rule: dict = field(default_factory=lambda: RULE)

    def start(self):
        settings = Settings.of(
            {
                "data": str(self.directory),
                "store": {"synchronous": "normal"},  # faster, and survives what tests do
                "alerts": {"channel": self.channels},
                "rule": [self.rule],
            }
        )
        self.service = Service(settings, clock=lambda: self.now, environment=self.environment)
        self.service.start()
        return self

    def stop(self):
        self.service.stop()

    def restart(self):
        self.stop()
        return self.start()

    def predict(self, model="credit"):
        row = Prediction(f"{model}-{self.now}", 0.5, self.now, None, (), None, None)
        [found] = self.service.submit("predictions", model, [row]).result(5)
        assert found in ("accepted", "duplicate")

    def fires(self, *models):
        """Let models be silent until the rule fires for them."""
        for model in models or ("credit",):
            self.predict(model)
        self.now += 2 * HOUR
        wait_for(
            lambda: sum(one.state == "firing" for one in self.alerts()) >= len(models or "1"),
            "the alert",
        )

    def ends(self, model="credit"):
        self.predict(model)
        wait_for(lambda: all(one.state == "ended" for one in self.alerts()), "the end")

    def alerts(self):
        return self.service.store.alerts()

    def deliveries(self, **expected):
        """Deliveries with these values, in their order."""
        return [
            one
            for one in reversed(self.service.store.deliveries(limit=1000))
            if all(getattr(one, name) == value for name, value in expected.items())
        ]

    def attempted(self, count, channel="ops"):
        """The first delivery of a channel, after so many attempts."""
        return wait_for(
            lambda: [one for one in self.deliveries(channel=channel) if one.attempts >= count],
            f"attempt {count}",
        )[0]

    def act(self, kind, until=None, **options):
        given = {"model": "credit", "author": "me", "reason": "x", "until": until, **options}
        return self.service.call(lambda at: at.act(kind, **given)).result(5)

    def ticks(self):
        """Let the service look at everything at least once more, and the outbox twice."""
        for _ in range(3):
            looked, looks = threading.Event(), self.service.installation.tick

            def tick(looked=looked, looks=looks):
                looked.set()
                return looks()

            self.service.installation.tick = tick
            assert looked.wait(20)
            self.service.installation.tick = looks
            time.sleep(0.03)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(service_module, "_TICK", 0.01)
    monkeypatch.setattr(outbox_module, "_PAUSE", 0.01)


@pytest.fixture
def monitor(tmp_path):
    made = []

    def make(*channels, **options):
        made.append(Monitor(tmp_path / "data", list(channels), **options).start())
        return made[-1]

    yield make
    for one in made:
        one.stop()


def said(receiver):
    return [json.loads(one.body) for one in receiver.received]


class TestAtLeastOnce:
    def test_an_alert_is_delivered_to_each_channel_and_so_is_its_end(self, monitor):
        with http_receiver() as one, http_receiver() as other:
            made = monitor(webhook(one.url()), webhook(other.url(), "night"))
            made.fires()
            wait_for(lambda: one.received and other.received)
            made.ends()
            wait_for(lambda: len(one.received) == 2 and len(other.received) == 2)
            wait_for(lambda: len(made.deliveries(state="delivered")) == 4)
        for receiver in (one, other):
            fired, resolved = said(receiver)
            assert (fired["kind"], resolved["kind"]) == ("firing", "resolved")
            assert fired["key"] == resolved["key"]
            assert fired["delivery"] != resolved["delivery"]
            assert fired["text"] == "credit: silence is 2h, and the rule says silence > 1h."
            assert fired["severity"] == "warning"

    def test_a_delivery_is_attempted_no_more_once_it_is_recorded(self, monitor):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            made.fires()
            made.attempted(1)
            made.now += 2 * DAY
            made.ticks()
        assert len(receiver.received) == 1

    def test_what_was_sent_and_not_recorded_is_sent_again_after_a_restart(
        self, monitor, monkeypatch
    ):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            with monkeypatch.context() as killed:
                killed.setattr(
                    outbox_module.Outbox, "_record", lambda self, *_: self._stopping.set()
                )
                made.fires()
                wait_for(lambda: receiver.received)
                made.stop()
            before = len(receiver.received)
            made.start()
            made.attempted(1)
            wait_for(lambda: made.deliveries(state="delivered"))
        assert len(receiver.received) == before + 1
        assert len({one["delivery"] for one in said(receiver)}) == 1

    def test_while_the_store_cannot_be_written_nothing_is_sent_again(self, monitor, monkeypatch):
        failures = []

        def fail(*_):
            failures.append(1)
            raise StoreError(found="disk full")

        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            with monkeypatch.context() as full:
                full.setattr(made.service.store, "set_delivery", fail)
                made.fires()
                wait_for(lambda: len(failures) > 3)
            wait_for(lambda: made.deliveries(state="delivered"))
        assert len(receiver.received) == 1


class TestPauses:
    def test_pauses_grow_to_an_hour_until_a_day_has_passed(self, monitor):
        with http_receiver((503, {}, b"")) as receiver:
            made = monitor(webhook(receiver.url()))
            made.fires()
            pauses, attempts = [], 0
            while (one := made.attempted(attempts + 1)).state == "waiting":
                attempts = one.attempts
                pauses.append((one.next_at - made.now) // SECOND)
                made.now = one.next_at
        assert pauses[:10] == [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600]
        assert set(pauses[10:]) == {3600}
        assert DAY < made.now - one.created <= DAY + HOUR
        assert one.state == "dead"
        assert one.error == (
            "127.0.0.1 answered 503 Service Unavailable. The receiver cannot take it at the moment."
        )
        assert len(receiver.received) == one.attempts
        bodies = said(receiver)
        assert len({body["delivery"] for body in bodies}) == 1
        assert len({body["key"] for body in bodies}) == 1
        made.now += 2 * DAY
        made.ticks()
        assert len(receiver.received) == one.attempts

    @pytest.mark.parametrize(("asked", "pause"), [("1800", 1800), ("1", 10), ("999999", 3600)])
    def test_a_receiver_may_ask_to_wait_longer_up_to_an_hour(self, monitor, asked, pause):
        with http_receiver((429, {"Retry-After": asked}, b"")) as receiver:
            made = monitor(webhook(receiver.url()))
            made.fires()
            assert made.attempted(1).next_at == made.now + pause * SECOND

    @pytest.mark.parametrize("status", [302, 400, 401, 404, 410])
    def test_what_cannot_succeed_is_dead_at_once(self, monitor, status):
        with http_receiver((status, {}, b"")) as receiver:
            made = monitor(webhook(receiver.url()))
            made.fires()
            assert made.attempted(1).state == "dead"
            made.now += DAY
            made.ticks()
        assert len(receiver.received) == 1

    def test_a_closed_port_is_tried_again(self, monitor):
        made = monitor(webhook(f"http://127.0.0.1:{closed_port()}/"))
        made.fires()
        one = made.attempted(1)
        assert (one.state, one.error) == (
            "waiting",
            REFUSED,
        )

    def test_a_day_counts_from_when_it_was_written_not_from_what_it_is_about(self, monitor):
        """After a standstill the service says what it would have said, days ago."""
        with http_receiver((503, {}, b"")) as receiver:
            made = monitor(webhook(receiver.url()), rule={"when": "mean_score > 0.4"})
            made.predict()
            made.now += DAY  # the first day of a model is not whole, and not judged
            made.predict()
            made.stop()
            made.now += 5 * DAY
            made.start()
            one = made.attempted(1)
        assert (one.created, one.state) == (made.now, "waiting")


class TestOrder:
    def test_an_end_waits_for_its_beginning(self, monitor):
        with http_receiver((503, {}, b""), (200, {}, b"")) as receiver:
            made = monitor(webhook(receiver.url()))
            made.fires()
            first = made.attempted(1)
            made.ends()
            made.ticks()
            assert [one["kind"] for one in said(receiver)] == ["firing"]
            made.now = first.next_at
            wait_for(lambda: len(receiver.received) == 3)
        assert [one["kind"] for one in said(receiver)] == ["firing", "firing", "resolved"]

    def test_an_end_is_told_though_its_beginning_is_dead(self, monitor):
        with http_receiver((400, {}, b""), (200, {}, b"")) as receiver:
            made = monitor(webhook(receiver.url()))
            made.fires()
            made.attempted(1)
            made.ends()
            wait_for(lambda: len(receiver.received) == 2)
        assert [one["kind"] for one in said(receiver)] == ["firing", "resolved"]

    def test_other_alerts_do_not_wait(self, monitor):
        with http_receiver((503, {}, b""), (200, {}, b"")) as receiver:
            made = monitor(webhook(receiver.url()))
            made.fires("a", "b")
            wait_for(lambda: len(receiver.received) == 2)
            wait_for(lambda: len(made.deliveries(state="delivered")) == 1)
        assert len(made.deliveries(state="waiting")) == 1


class TestChannels:
    def test_one_that_hangs_does_not_delay_another(self, monitor):
        hung, released = threading.Event(), threading.Event()

        def hang(_):
            hung.set()
            released.wait(5)

        with raw_receiver(hang) as port, http_receiver() as receiver:
            made = monitor(
                webhook(f"http://127.0.0.1:{port}/", "slow"), webhook(receiver.url(), "ops")
            )
            made.fires("a", "b", "c")
            assert hung.wait(20)
            wait_for(lambda: len(made.deliveries(channel="ops", state="delivered")) == 3)
            assert not [one for one in made.deliveries(channel="slow") if one.attempts]
            released.set()
            made.attempted(1, "slow")
        assert len(receiver.received) == 3

    def test_a_stop_does_not_wait_for_one_that_hangs(self, monitor, monkeypatch):
        monkeypatch.setattr(outbox_module, "_STOP", 0.05)
        hung, released = threading.Event(), threading.Event()

        def hang(_):
            hung.set()
            released.wait(5)

        with raw_receiver(hang) as port:
            made = monitor(webhook(f"http://127.0.0.1:{port}/"))
            made.fires()
            assert hung.wait(20)
            made.stop()
            [thread] = made.service._outbox._threads
            assert thread.is_alive()
            released.set()
            thread.join(20)
            assert not thread.is_alive()
            made.start()
            assert made.attempted(1).attempts == 1

    def test_what_waits_for_a_channel_that_is_no_more_is_dead(self, monitor):
        with http_receiver((503, {}, b"")) as receiver:
            made = monitor(webhook(receiver.url()), {"type": "log"})
            made.fires()
            made.attempted(1)
            made.stop()
            made.channels = [{"type": "log"}]
            made.start()
            [one] = wait_for(lambda: made.deliveries(channel="ops", state="dead"))
            wait_for(lambda: made.deliveries(channel="log", state="delivered"))
        assert one.error == "The settings have no such channel any more."

    def test_a_mistake_of_ours_blocks_nothing_and_shows_nothing(self, monitor, caplog):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            channel = made.service._outbox.channels["ops"]
            sent = type(channel).send
            calls = []

            def send(self, notification, *, attempt_id):
                calls.append(notification.model)
                if notification.model == "bad":
                    raise ZeroDivisionError(CANARY)
                sent(self, notification, attempt_id=attempt_id)

            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(type(channel), "send", send)
                made.fires("bad", "good")
                wait_for(lambda: receiver.received)
                one = made.attempted(1)
        assert calls.count("bad") == 1
        assert (one.content["model"], one.state) == ("bad", "waiting")
        assert one.error == (
            "The notification could not be written (ZeroDivisionError). This is a mistake in "
            "roclab: please report it."
        )
        assert CANARY not in caplog.text

    def test_ids_are_not_used_again_after_a_model_was_forgotten(self, monitor):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            made.fires()
            made.attempted(1)
            made.service.call(lambda at: at.forget_model("credit")).result(5)
            assert not made.deliveries()
            made.fires()
            made.attempted(1)
        first, second = said(receiver)
        assert first["delivery"] != second["delivery"]


class TestRestart:
    def test_what_waits_is_resumed_at_its_time(self, monitor):
        with http_receiver((503, {}, b""), (200, {}, b"")) as receiver:
            made = monitor(webhook(receiver.url()))
            made.fires()
            one = made.attempted(1)
            made.restart()
            made.ticks()
            assert len(receiver.received) == 1
            made.now = one.next_at
            wait_for(lambda: made.deliveries(state="delivered"))
        assert len({body["delivery"] for body in said(receiver)}) == 1
        assert len(receiver.received) == 2

    def test_an_alert_that_still_fires_is_not_told_again(self, monitor):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            made.fires()
            made.attempted(1)
            made.restart()
            made.ticks()
        assert len(receiver.received) == 1


class TestMutes:
    def test_an_alert_that_fired_while_muted_is_told_after_the_mute_if_it_still_fires(
        self, monitor
    ):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            made.predict()
            made.act("mute", made.now + 3 * HOUR)
            made.fires()
            made.ticks()
            assert not made.deliveries()
            made.restart()
            made.now += HOUR
            wait_for(lambda: receiver.received)
            made.ticks()
            made.ends()
            wait_for(lambda: len(receiver.received) == 2)
        assert [one["kind"] for one in said(receiver)] == ["firing", "resolved"]

    def test_one_that_ended_while_muted_is_never_told(self, monitor):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            made.predict()
            made.act("mute", made.now + 3 * HOUR)
            made.fires()
            made.ends()
            made.now += 50 * 60 * SECOND
            made.ticks()
            assert not made.deliveries()
        assert not receiver.received

    def test_an_early_end_of_the_mute_counts(self, monitor):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            made.predict()
            made.act("mute", made.now + 300 * DAY)
            made.fires()
            made.act("unmute")
            wait_for(lambda: receiver.received)

    def test_a_mute_of_a_stream_that_has_ended_does_not_end_that_of_its_model(self, monitor):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            made.predict()
            stream = made.service.installation.models["credit"].whole.record.number
            made.act("mute", made.now + 300 * DAY)
            made.act("mute", made.now + HOUR, stream=stream)
            made.fires()
            made.ticks()
            assert not made.deliveries()

    def test_other_models_are_told(self, monitor):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            made.predict()
            made.act("mute", made.now + 300 * DAY)
            made.fires("credit", "fraud")
            wait_for(lambda: receiver.received)
            made.ticks()
        assert [one["model"] for one in said(receiver)] == ["fraud"]

    def test_an_end_is_told_while_muted_if_the_beginning_was(self, monitor):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            made.fires()
            made.attempted(1)
            made.act("mute", made.now + 300 * DAY)
            made.ends()
            wait_for(lambda: len(receiver.received) == 2)

    def test_history_that_was_imported_is_not_told_when_a_mute_ends(self, monitor):
        with http_receiver() as receiver:
            made = monitor(webhook(receiver.url()))
            made.predict()
            made.act("mute", made.now + 4 * HOUR)

            def replay(at):
                with at.silently():
                    made.now += 3 * HOUR
                    at.tick()

            made.service.call(replay).result(5)
            assert [one.state for one in made.alerts()] == ["firing"]
            made.now += 2 * HOUR
            made.ticks()
            assert not made.deliveries()


class TestCalls:
    """The test of a channel: one clear line for each mistake."""

    def test_a_channel_that_works(self, monitor):
        with http_receiver() as receiver:
            monitor(webhook(receiver.url())).service.test_channel("ops")
        [found] = said(receiver)
        assert found["kind"] == "test"
        assert found["delivery"].startswith("test-")
        assert found["at"].startswith("2024-10-04T00:00:00")

    @pytest.mark.parametrize(
        ("answer", "line"),
        [
            (
                (401, {}, CANARY.encode()),
                "127.0.0.1 answered 401 Unauthorized. Check the secret or the permission of this "
                "channel.",
            ),
            (
                (404, {}, b""),
                "127.0.0.1 answered 404 Not Found. The URL may have been revoked: create a new one "
                "at the receiver.",
            ),
            (
                (302, {"Location": CANARY}, b""),
                "127.0.0.1 answered 302 Found: a redirect, which is not followed. Set the final "
                "URL of the receiver.",
            ),
        ],
    )
    def test_answers(self, monitor, answer, line):
        with http_receiver(answer) as receiver, pytest.raises(DeliveryError) as caught:
            monitor(webhook(receiver.url())).service.test_channel("ops")
        assert str(caught.value) == line

    def test_a_host_that_cannot_be_reached(self, monitor):
        made = monitor(webhook(f"http://127.0.0.1:{closed_port()}/"))
        with pytest.raises(DeliveryError) as caught:
            made.service.test_channel("ops")
        assert str(caught.value) == REFUSED

    def test_a_channel_that_is_not_there(self, monitor):
        made = monitor({"type": "log"})
        with pytest.raises(InputError) as caught:
            made.service.test_channel("slack")
        assert str(caught.value) == "There is no channel 'slack'. The settings name: log."

    def test_a_variable_that_is_not_set_is_said_at_the_start(self, monitor):
        with pytest.raises(InputError) as caught:
            monitor({"type": "slack", "url_env": "SLACK_URL"})
        assert str(caught.value) == (
            "For channel slack the environment variable SLACK_URL is not set; it must hold the "
            "secret. Set it where the monitor is started."
        )

    def test_the_route_answers_in_one_line(self, tmp_path):
        with http_receiver((401, {}, CANARY.encode())) as receiver:
            channels = [webhook(receiver.url(), "wrong"), {"type": "log"}]
            channels.append(webhook(f"http://127.0.0.1:{closed_port()}/{CANARY}", "closed"))
            settings = Settings.of({"data": str(tmp_path), "alerts": {"channel": channels}})
            with Client(settings) as client:
                answers = {
                    name: client.post(f"/v1/channels/{name}/test")
                    for name in ("log", "wrong", "closed", "none")
                }
        assert answers["log"].json() == {"delivered": "log"}
        assert {name: one.status_code for name, one in answers.items()} == {
            **{"log": 200, "wrong": 502},
            **{"closed": 502, "none": 404},
        }
        assert answers["closed"].json() == {"error": REFUSED}
        assert answers["wrong"].json()["error"].startswith("127.0.0.1 answered 401 Unauthorized")
        assert all(CANARY not in one.text for one in answers.values())

    def test_tests_are_not_kept_in_the_outbox(self, monitor):
        made = monitor({"type": "log"})
        made.service.test_channel("log")
        assert not made.deliveries()
