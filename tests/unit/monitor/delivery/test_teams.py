"""Adaptive cards, in which names are text runs."""

import json

import pytest

from roclab.monitor.delivery import ChannelSettings, HttpClient, make_channel
from roclab.monitor.delivery.http import json_body
from roclab.monitor.delivery.teams import payload
from tests.unit.monitor.delivery.receivers import HOSTILE_NAMES, http_receiver, notification


def card(said):
    [attachment] = payload(said)["attachments"]
    return attachment["content"]


def runs(content):
    return [run for block in content["body"] for run in block["inlines"]]


def test_the_whole_message():
    found = payload(notification())
    assert found["type"] == "message"
    [attachment] = found["attachments"]
    assert attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    content = attachment["content"]
    assert (content["type"], content["version"]) == ("AdaptiveCard", "1.4")
    assert [run["text"] for run in runs(content)] == [
        "▲ alarm: credit, region north: change fires",
        notification().text,
        *("since: ", "2026-03-01T00:00:00Z"),
        *("AUC: ", "0.801 to 0.702"),
        "credit, region north · since 2026-03-01T00:00:00Z",
    ]
    assert content["actions"] == [
        {
            "type": "Action.OpenUrl",
            "title": "Open the page",
            "url": "https://monitor.example.org/alerts/7",
        }
    ]


@pytest.mark.parametrize(
    ("kind", "severity", "color"),
    [
        ("firing", "alarm", "Attention"),
        ("firing", "warning", "Warning"),
        ("resolved", "alarm", "Good"),
        ("test", "warning", "Default"),
    ],
)
def test_the_colour_is_that_of_the_state(kind, severity, color):
    assert runs(card(notification(kind=kind, severity=severity)))[0]["color"] == color


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_stand_only_where_there_is_no_markdown(name):
    content = card(
        notification(model=name, stream=name, title=name, text=name, facts=((name, name),))
    )
    assert {block["type"] for block in content["body"]} == {"RichTextBlock"}
    for run in runs(content):
        assert run["type"] == "TextRun"
        assert run["text"].isprintable()


def test_a_text_of_several_lines_has_a_block_for_each():
    content = card(notification(text="one\n\n  \ntwo", facts=(), link=None))
    assert [run["text"] for run in runs(content)][1:3] == ["one", "two"]
    assert "actions" not in content


@pytest.mark.parametrize("letter", ["\U0001f4a9", '"', "\\", "a\n"])
def test_no_message_is_longer_than_teams_takes(letter):
    long = letter * 5000
    said = notification(
        title=long,
        text=long,
        stream=long,
        facts=tuple((long, long) for _ in range(50)),
        link="https://m.example/" + "x" * 1900,
    )
    assert len(json_body(payload(said))) < 28_000


def test_a_message_arrives():
    settings = ChannelSettings.of({"type": "teams", "url_env": "URL"}, "x")
    with http_receiver((202, {}, b"")) as receiver:
        environment = {"URL": receiver.url("/workflows/1?sig=x")}
        made = make_channel(settings, environment=environment, client=HttpClient(deadline=5))
        made.send(notification(), attempt_id="d-1")
    assert receiver.received[0].path == "/workflows/1?sig=x"
    assert json.loads(receiver.received[0].body) == payload(notification())
