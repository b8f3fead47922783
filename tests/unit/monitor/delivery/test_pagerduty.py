"""Events that open and close an incident."""

import json

import pytest

from roclab.monitor.delivery import ChannelSettings, DeliveryError, HttpClient, make_channel
from roclab.monitor.delivery import test_notification as make_test
from roclab.monitor.delivery.pagerduty import EVENTS_URL, dedup_key, events
from tests.unit.monitor.delivery.receivers import (
    CANARY,
    HOSTILE_NAMES,
    http_receiver,
    notification,
)

KEY = "credit/region/north/change/1700000000000000"


def channel(receiver):
    settings = ChannelSettings.of(
        {"type": "pagerduty", "url": receiver.url("/v2/enqueue"), "secret_env": "KEY"}, "x"
    )
    client = HttpClient(deadline=5)
    return make_channel(settings, environment={"KEY": CANARY}, client=client)


def sent(receiver):
    return [json.loads(one.body) for one in receiver.received]


def test_the_whole_event():
    said = notification()
    assert events(said) == [
        {
            "event_action": "trigger",
            "dedup_key": KEY,
            "client": "roclab monitor",
            "client_url": "https://monitor.example.org/alerts/7",
            "links": [
                {"href": "https://monitor.example.org/alerts/7", "text": "Open the page"},
            ],
            "payload": {
                "summary": f"credit, region north: change fires: {said.text}",
                "source": "credit, region north",
                "severity": "critical",
                "timestamp": "2026-03-08T00:00:05Z",
                "component": "credit",
                "class": "model ranking",
                "custom_details": {
                    "text": said.text,
                    "since": "2026-03-01T00:00:00Z",
                    "AUC": "0.801 to 0.702",
                    "details": {"kind": "change", "n": 7},
                },
            },
        }
    ]


def test_an_incident_is_opened_and_closed_by_the_same_key():
    with http_receiver((202, {}, b"")) as receiver:
        made = channel(receiver)
        made.send(notification(), attempt_id="d-1")
        made.send(notification(kind="resolved"), attempt_id="d-2")
    fired, resolved = sent(receiver)
    assert fired["event_action"] == "trigger"
    assert resolved == {"event_action": "resolve", "dedup_key": KEY, "routing_key": CANARY}
    assert fired["dedup_key"] == KEY
    assert fired["routing_key"] == CANARY


def test_a_test_opens_an_incident_and_closes_it():
    with http_receiver((202, {}, b"")) as receiver:
        channel(receiver).send(make_test(), attempt_id="d-1")
    fired, resolved = sent(receiver)
    assert (fired["event_action"], resolved["event_action"]) == ("trigger", "resolve")
    assert fired["dedup_key"] == resolved["dedup_key"] == "roclab-test"
    assert fired["payload"]["severity"] == "info"


def test_a_warning_is_a_warning():
    assert events(notification(severity="warning"))[0]["payload"]["severity"] == "warning"


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_are_text_of_one_line(name):
    [event] = events(
        notification(
            key=name, model=name, stream=name, title=name, text=name, facts=((name, name),)
        )
    )
    content = event["payload"]
    for text in (content["summary"], content["source"], content["component"], event["dedup_key"]):
        assert text.isprintable()
    assert 0 < len(content["summary"]) <= 1024
    assert 0 < len(content["source"]) <= 255
    assert 0 < len(event["dedup_key"]) <= 255


def test_keys_that_pagerduty_would_cut_stay_distinct():
    long = "x" * 300
    keys = {dedup_key(key) for key in (long + "a", long + "b", "é", "è", "a\n", "a\r", "")}
    assert len(keys) == 7
    assert all(0 < len(key) <= 255 and key.isascii() for key in keys)
    assert dedup_key(KEY) == KEY


def test_a_wrong_routing_key_is_named():
    answer = b'{"status":"invalid event","message":"s3cr3tCANARY","errors":["routing_key"]}'
    with (
        http_receiver((400, {}, answer)) as receiver,
        pytest.raises(DeliveryError, match="Check the routing key") as caught,
    ):
        channel(receiver).send(notification(), attempt_id="d-1")
    assert not caught.value.retryable
    assert CANARY not in str(caught.value)


def test_the_address_is_that_of_pagerduty():
    settings = ChannelSettings.of({"type": "pagerduty", "secret_env": "KEY"}, "x")
    made = make_channel(settings, environment={"KEY": "k"})
    assert EVENTS_URL == "https://events.pagerduty.com/v2/enqueue"
    assert (made.endpoint.host, made.endpoint.secure) == ("events.pagerduty.com", True)
