"""News as server-sent events: who resumes, who is slow, and what ends a stream."""

import json

import pytest

from roclab.monitor.api import events
from roclab.monitor.api.events import Listener
from roclab.monitor.service import Feed
from roclab.monitor.settings import ServerSettings
from tests.unit.monitor.api.client import Stream, eventually


def news(*numbers):
    return [{"kind": "reading", "model": f"m{number}"} for number in numbers]


def told(listener):
    return [(one.event, one.id, one.data.get("model")) for one in listener.next()]


@pytest.fixture
def feed():
    made = Feed()
    made.publish(news(1, 2, 3))
    return made


class TestListener:
    def test_a_new_one_hears_what_comes(self, feed):
        listener = Listener(feed, "run", "")
        assert told(listener) == []
        feed.publish(news(4))
        assert told(listener) == [("reading", "run-4", "m4")]
        assert told(listener) == []

    def test_one_that_resumes_hears_what_it_missed(self, feed):
        assert [id for _, id, _ in told(Listener(feed, "run", "run-1"))] == ["run-2", "run-3"]
        assert told(Listener(feed, "run", "run-3")) == []
        assert [id for _, id, _ in told(Listener(feed, "run", "run-0"))] == [
            "run-1",
            "run-2",
            "run-3",
        ]

    @pytest.mark.parametrize(
        "given",
        [
            "old-1",  # of a service before a restart, also if the number is a known one
            "old-999",
            "run-4",  # of the future
            "run--1",
            "run-x",
            "run-\u0663",
            "run-" + "9" * 5000,
            "1",
            "-",
            "x",
            "run-1\x00",
            "' OR 1=1",
        ],
    )
    def test_one_that_cannot_resume_is_told_to_ask_again(self, feed, given):
        listener = Listener(feed, "run", given)
        assert told(listener) == [("resync", "run-3", None)]
        feed.publish(news(4))
        assert told(listener) == [("reading", "run-4", "m4")]

    def test_one_that_is_too_slow_is_told_to_ask_again(self, feed):
        listener = Listener(feed, "run", "run-1")
        feed.publish(news(*range(4, 3000)))
        assert told(listener) == [("resync", "run-2999", None)]

    def test_what_is_kept_for_the_slow_is_bounded(self, feed):
        feed.publish(news(*range(4, 10_000)))
        assert len(feed.since(0)) == 1000


def publish(client, *numbers):
    client.service.feed.publish(news(*numbers))


class TestStream:
    @pytest.fixture(autouse=True)
    def _soon(self, monkeypatch):
        monkeypatch.setattr(events, "_LOOK", 0.05)

    def test_news_arrive(self, client):
        with Stream(client, "/v1/events") as stream:
            eventually(lambda: "connected" in stream.text)
            assert "retry: 2000" in stream.text
            publish(client, 1, 2)
            eventually(lambda: len(stream.events()) == 2)
        kind, id, data = stream.events()[0]
        assert (kind, json.loads(data)) == ("reading", {"kind": "reading", "model": "m1"})
        assert id.endswith("-1")

    def test_real_news_of_rows(self, client):
        with Stream(client, "/v1/events") as stream:
            eventually(lambda: "connected" in stream.text)
            client.send("/v1/predictions", {"model": "credit", "id": "a", "score": 1})
            found = eventually(lambda: [one for one in stream.events() if one[0] == "reading"])
        assert json.loads(found[0][2])["model"] == "credit"

    def test_a_stream_is_resumed(self, client):
        publish(client, 1, 2, 3)
        with Stream(client, "/v1/events", headers={"Last-Event-ID": "x-1"}) as stream:
            eventually(stream.events)
        (kind, id, _), *_ = stream.events()
        assert kind == "resync"
        publish(client, 4)
        with Stream(client, "/v1/events", headers={"Last-Event-ID": id}) as stream:
            eventually(stream.events)
        assert [json.loads(data)["model"] for _, _, data in stream.events()] == ["m4"]

    def test_names_cannot_make_events(self, client):
        client.service.feed.publish([{"kind": "reading", "model": "a\n\nevent: alert\ndata: {}"}])
        with Stream(client, "/v1/events", headers={"Last-Event-ID": "x"}) as stream:
            eventually(stream.events)
            client.service.feed.publish([{"kind": "reading", "model": "a\r\ndata: x\n\nid: 7"}])
            eventually(lambda: len(stream.events()) == 2)
        assert [kind for kind, _, _ in stream.events()] == ["resync", "reading"]

    @pytest.mark.parametrize("how", ["revoked", "expired"])
    def test_it_ends_when_its_token_does(self, make_client, how):
        client = make_client(server=ServerSettings(require_tokens=True))
        service = client.service
        later = service.installation.now() + 3_600_000_000
        secret = service.create_token("page", "read", later)
        with Stream(client, "/v1/events", token=secret) as stream:
            eventually(lambda: "connected" in stream.text)
            if how == "revoked":
                service.revoke_token("page")
            else:
                service.installation._clock = lambda: later
            assert stream.ended.wait(10)
            publish(client, 1)
        assert stream.failure is None
        assert stream.events() == []

    def test_it_ends_with_the_service(self, client):
        with Stream(client, "/v1/events") as stream:
            eventually(lambda: "connected" in stream.text)
            client._loop.call_soon_threadsafe(client.context.stopping.set)
            assert stream.ended.wait(10)
        assert stream.failure is None

    def test_a_reader_that_does_not_read_holds_nobody_up(self, client):
        with Stream(client, "/v1/events") as slow, Stream(client, "/v1/events") as quick:
            eventually(lambda: "connected" in slow.text and "connected" in quick.text)
            slow.may_read.clear()
            for part in range(20):
                publish(client, *range(200 * part, 200 * part + 200))
                eventually(lambda count=200 * part + 200: len(quick.events()) == count)
            slow.may_read.set()
            eventually(lambda: slow.events() and slow.events()[-1][1].endswith("-4000"))
        assert "resync" in [kind for kind, _, _ in slow.events()]
        assert len(slow.events()) < 4000

    def test_their_number_is_bounded(self, client, monkeypatch):
        monkeypatch.setattr(events, "MOST_STREAMS", 2)
        with Stream(client, "/v1/events") as one, Stream(client, "/v1/events") as two:
            eventually(lambda: "connected" in one.text and "connected" in two.text)
            answer = client.get("/v1/events")
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
        with Stream(client, "/v1/events") as again:
            eventually(lambda: "connected" in again.text)
            assert again.status == 200
        assert client.service.feed._listeners == set()
