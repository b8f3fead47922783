"""What is asked, often and by many."""

import asyncio
import os
import sys

import pytest

PREDICTIONS = "/v1/predictions"


@pytest.fixture
def fed(client):
    rows = [
        {
            "model": model,
            "id": str(one),
            "score": one / 100,
            "label": one % 3 == 0,
            "segments": {"region": "north" if one % 2 else "south"},
        }
        for one in range(100)
        for model in ("credit", "fraud")
    ]
    client.send(PREDICTIONS, rows)
    return client


def test_models(fed):
    found = fed.get("/v1/models").json()["models"]
    assert [one["model"] for one in found] == ["credit", "fraud"]
    one = fed.get("/v1/models/credit").json()
    assert {(two["segment"], two["value"]) for two in one["streams"]} == {
        ("region", "north"),
        ("region", "south"),
    }
    assert one["now"]["n_pos"] == 34


def test_what_was_acknowledged_is_in_the_next_answer(client):
    for count in range(1, 30):
        client.send(PREDICTIONS, {"model": "m", "id": str(count), "score": 0.5, "label": 1})
        assert client.get("/v1/models").json()["models"][0]["now"]["n_pos"] == count


def test_many_who_ask_at_once_share_the_work(fed, monkeypatch):
    from roclab.monitor import answers

    real, computed = answers.overview, []

    def overview(installation):
        computed.append(1)
        return real(installation)

    monkeypatch.setattr(answers, "overview", overview)

    async def ask():
        asked = (fed.asking("GET", path) for path in ["/v1/models"] * 200)
        return await asyncio.gather(*asked)

    assert {one.status_code for one in fed.run(ask())} == {200}
    assert len(computed) < 100


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts files in /proc")
def test_asking_often_leaves_no_files_open(fed):
    async def ask():
        paths = ("/v1/models", "/v1/models/credit", "/v1/models/credit/history", "/v1/alerts")
        asked = (fed.asking("GET", f"{path}?{at}") for path in paths for at in range(10))
        return await asyncio.gather(*asked)

    def opened():
        return len(os.listdir("/proc/self/fd"))

    fed.run(ask())
    fed.run(ask())
    before = opened()
    for _ in range(10):
        fed.run(ask())
    assert opened() <= before + 8  # a thread or two more, each with a connection


def test_history_of_a_stream_and_a_time(fed):
    path = "/v1/models/credit/history"
    assert fed.get(path).json()["segment"] is None
    found = fed.get(path, params={"segment": "region", "value": "north"}).json()
    assert (found["segment"], found["value"]) == ("region", "north")
    found = fed.get(path, params={"since": "2030-01-01", "until": "2031-01-01T00:00:00+02:00"})
    assert found.json()["cohorts"] == []


def test_channels(client):
    assert client.get("/v1/channels").json() == {"channels": []}


def test_alerts(client):
    assert client.get("/v1/alerts").json() == {"alerts": []}
    assert client.get("/v1/alerts?firing=true").json() == {"alerts": []}
