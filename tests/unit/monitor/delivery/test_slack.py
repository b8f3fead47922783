"""Messages of blocks, in which names are plain text."""

import html
import json

import pytest

from roclab.monitor.delivery import ChannelSettings, DeliveryError, HttpClient, make_channel
from roclab.monitor.delivery.slack import escaped, payload
from tests.unit.monitor.delivery.receivers import HOSTILE_NAMES, http_receiver, notification


def texts(content):
    """All objects of text in blocks."""
    if isinstance(content, dict):
        if content.get("type") in ("plain_text", "mrkdwn"):
            yield content
        for one in content.values():
            yield from texts(one)
    elif isinstance(content, list):
        for one in content:
            yield from texts(one)


def channel(receiver):
    settings = ChannelSettings.of({"type": "slack", "url_env": "URL"}, "x")
    environment = {"URL": receiver.url("/services/T/B/x")}
    return make_channel(settings, environment=environment, client=HttpClient(deadline=5))


def test_the_whole_message():
    def plain(text):
        return {"type": "plain_text", "text": text, "emoji": False}

    assert payload(notification(text="AUC < 0.7 & falling.")) == {
        "text": "▲ alarm: credit, region north: change fires. AUC &lt; 0.7 &amp; falling.",
        "mrkdwn": False,
        "unfurl_links": False,
        "blocks": [
            {"type": "header", "text": plain("▲ alarm: credit, region north: change fires")},
            {"type": "section", "text": plain("AUC &lt; 0.7 &amp; falling.")},
            {
                "type": "section",
                "fields": [plain("since: 2026-03-01T00:00:00Z"), plain("AUC: 0.801 to 0.702")],
            },
            {
                "type": "context",
                "elements": [plain("credit, region north · since 2026-03-01T00:00:00Z")],
            },
            {
                "type": "actions",
                "elements": [
                    {
                        "type": "button",
                        "text": plain("Open the page"),
                        "url": "https://monitor.example.org/alerts/7",
                    }
                ],
            },
        ],
    }


def test_without_text_facts_and_link_there_are_two_blocks():
    found = payload(notification(text="", facts=(), link=None))
    assert [one["type"] for one in found["blocks"]] == ["header", "context"]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_become_no_mention_link_or_markup(name):
    found = payload(
        notification(model=name, stream=name, title=name, text=name, facts=((name, name),))
    )
    for one in texts(found["blocks"]):
        assert one["type"] == "plain_text"
        assert one["emoji"] is False
        assert not set(one["text"]) & set("<>")
        assert one["text"].replace("\n", "").isprintable()
    assert not set(found["text"]) & set("<>")
    assert found["mrkdwn"] is False
    json.dumps(found).encode("ascii")


def test_escapes_are_read_back_as_the_text():
    assert html.unescape(escaped("<!channel> a && b", 100)) == "<!channel> a && b"


@pytest.mark.parametrize("text", ["&" * 9000, "a" * 9000, "&<>" * 50 + "b" * 200, "<" * 31])
@pytest.mark.parametrize("limit", [150, 2000, 3000])
def test_no_text_is_longer_than_slack_takes(text, limit):
    found = escaped(text, limit)
    assert len(found) <= limit
    assert len(found) > limit - 10 or html.unescape(found) == text
    assert not found.replace("…", "").endswith(("&", "&a", "&am", "&amp", "&l", "&lt", "&g", "&gt"))


def test_limits_of_a_message():
    long = "&" * 5000
    found = payload(
        notification(
            title=long, text=long, stream=long, facts=tuple((long, long) for _ in range(30))
        )
    )
    header, section, fields, context, _ = found["blocks"]
    assert len(header["text"]["text"]) <= 150
    assert len(section["text"]["text"]) <= 3000
    assert len(fields["fields"]) == 10
    assert all(len(one["text"]) <= 2000 for one in [*fields["fields"], *context["elements"]])


@pytest.mark.parametrize(
    ("status", "answer", "words"),
    [
        (403, b"invalid_token", "create a new incoming webhook"),
        (404, b"no_service", "create a new incoming webhook"),
        (404, b"channel_not_found", "does not exist any more"),
        (410, b"channel_is_archived", "archived"),
        (400, b"invalid_blocks", "does not take this message"),
        (403, b"something new", "Check the secret"),
    ],
)
def test_answers_of_slack_say_what_to_do(status, answer, words):
    with (
        http_receiver((status, {}, answer)) as receiver,
        pytest.raises(DeliveryError, match=words) as caught,
    ):
        channel(receiver).send(notification(), attempt_id="d-1")
    assert not caught.value.retryable


def test_a_message_arrives():
    with http_receiver() as receiver:
        channel(receiver).send(notification(), attempt_id="d-1")
    assert receiver.received[0].path == "/services/T/B/x"
    assert json.loads(receiver.received[0].body) == payload(notification())
