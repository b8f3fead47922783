"""Our own JSON: signed and posted, or logged."""

import json
import logging

import pytest

from roclab.monitor.delivery import ChannelSettings, HttpClient, make_channel, verify_signature
from roclab.monitor.delivery.webhook import payload
from tests.unit.monitor.delivery.receivers import HOSTILE_NAMES, http_receiver, notification

NOW = 1_700_000_000


def channel(receiver, **options):
    settings = ChannelSettings.of({"type": "webhook", "url": receiver.url(), **options}, "x")
    return make_channel(
        settings,
        environment={"SECRET": "correct horse"},
        client=HttpClient(deadline=5),
        clock=lambda: NOW + 0.9,
    )


class TestWebhook:
    def test_the_whole_body(self):
        assert payload(notification(), "d-1") == {
            "version": 1,
            "delivery": "d-1",
            "key": "credit/region/north/change/1700000000000000",
            "kind": "firing",
            "severity": "alarm",
            "model": "credit",
            "stream": "credit, region north",
            "title": "credit, region north: change fires",
            "text": "credit, region north ranks worse since 2026-03-01: its AUC fell from 0.801 to "
            "0.702, the mean of 7 days.",
            "facts": [
                {"label": "since", "value": "2026-03-01T00:00:00Z"},
                {"label": "AUC", "value": "0.801 to 0.702"},
            ],
            "since": "2026-03-01T00:00:00Z",
            "at": "2026-03-08T00:00:05Z",
            "link": "https://monitor.example.org/alerts/7",
            "details": {"kind": "change", "n": 7},
        }

    def test_receivers_can_verify_what_they_received(self):
        with http_receiver() as receiver:
            channel(receiver, secret_env="SECRET").send(notification(), attempt_id="d-1")
        [request] = receiver.received
        timestamp = request.headers["X-Roclab-Timestamp"]
        signature = request.headers["X-Roclab-Signature"]
        assert timestamp == str(NOW)
        given = ("correct horse", timestamp, request.body, signature)
        assert verify_signature(*given, now=NOW + 10)
        assert not verify_signature(*given, now=NOW + 301)
        assert json.loads(request.body) == payload(notification(), "d-1")

    def test_a_repeated_attempt_has_the_same_id_inside_of_what_is_signed(self):
        with http_receiver((500, {}, b""), (200, {}, b"")) as receiver:
            made = channel(receiver, secret_env="SECRET")
            with pytest.raises(Exception, match="500"):
                made.send(notification(), attempt_id="d-1")
            made.send(notification(), attempt_id="d-1")
        bodies = [json.loads(one.body) for one in receiver.received]
        assert [one["delivery"] for one in bodies] == ["d-1", "d-1"]
        assert bodies[0]["key"] == bodies[1]["key"]

    def test_without_a_secret_there_is_no_signature(self):
        with http_receiver() as receiver:
            channel(receiver).send(notification(), attempt_id="d-1")
        assert "X-Roclab-Signature" not in receiver.received[0].headers

    @pytest.mark.parametrize("name", HOSTILE_NAMES)
    def test_names_are_text_of_one_line(self, name):
        with http_receiver() as receiver:
            channel(receiver).send(
                notification(model=name, stream=name, title=name, details={name: name}),
                attempt_id="d-1",
            )
        found = json.loads(receiver.received[0].body)
        for key in ("model", "stream", "title"):
            assert len(found[key].splitlines()) <= 1
            assert found[key].isprintable()


class TestLog:
    @pytest.mark.parametrize(
        ("kind", "severity", "level"),
        [
            ("firing", "alarm", logging.ERROR),
            ("firing", "warning", logging.WARNING),
            ("resolved", "alarm", logging.INFO),
            ("test", "warning", logging.INFO),
        ],
    )
    def test_one_line_of_json_at_its_level(self, caplog, kind, severity, level):
        made = make_channel(ChannelSettings.of({"type": "log"}, "x"), environment={})
        said = notification(kind=kind, severity=severity)
        with caplog.at_level(logging.INFO, "roclab.monitor.alerts"):
            made.send(said, attempt_id="d-1")
        [record] = caplog.records
        assert record.levelno == level
        assert json.loads(record.getMessage()) == payload(said, "d-1")

    @pytest.mark.parametrize("name", HOSTILE_NAMES)
    def test_names_cannot_end_the_line_or_steer_a_terminal(self, caplog, name):
        made = make_channel(ChannelSettings.of({"type": "log"}, "x"), environment={})
        with caplog.at_level(logging.INFO, "roclab.monitor.alerts"):
            made.send(notification(model=name, text=name, details={"x": name}), attempt_id="d-1")
        line = caplog.records[0].getMessage()
        assert line.isascii()
        assert line.isprintable()
