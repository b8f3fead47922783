"""What machines ask."""

import sqlite3

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.unit.monitor.api.client import Blocked


def metrics(client):
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(client.get("/metrics").text)
        for sample in family.samples
    }


def test_the_process_answers(client):
    assert client.get("/healthz").json() == {"status": "ok"}


def test_readiness(client):
    found = client.get("/readyz").json()
    assert (found["status"], found["waiting_rows"]) == ("ok", 0)
    assert found["sqlite"] == sqlite3.sqlite_version


def test_a_store_that_fails_is_not_ready(client, monkeypatch):
    said = "The database /srv/data cannot be used"
    monkeypatch.setattr(type(client.service), "alive", property(lambda _: False))
    monkeypatch.setattr(type(client.service), "problem", property(lambda _: said))
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["status"] == "failing"
    assert answer.json()["error"] == "Rows are not written; the log says why."
    assert answer.json()["problem"] == said
    elsewhere = client.get("/readyz", headers={"Host": "attacker.example"}).json()
    assert "problem" not in elsewhere
    assert client.get("/healthz").status_code == 200
    assert metrics(client)["roclab_writing",] == 0


def test_both_answer_while_nothing_can_be_written(client):
    with Blocked(client.service):
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").status_code == 200
        assert client.get("/metrics").status_code == 200
        assert client.get("/v1/models").status_code == 200


def test_metrics_have_rows_by_outcome_and_models(client):
    rows = [
        {"model": "credit", "id": str(one), "score": one / 10, "label": one % 2}
        for one in range(10)
    ]
    client.send("/v1/predictions", [*rows, {"id": 7}])
    client.send("/v1/predictions", rows[:3])
    client.send("/v1/labels", {"model": "credit", "id": "0", "label": 1})
    found = metrics(client)
    assert found["roclab_rows_total", "predictions", "accepted"] == 10
    assert found["roclab_rows_total", "predictions", "duplicate"] == 3
    assert found["roclab_rows_total", "predictions", "rejected"] == 1
    assert found["roclab_rows_total", "labels", "corrected"] == 1
    assert found["roclab_window_positives", "credit"] == 6
    assert found["roclab_alert_firing", "credit"] == 0
    assert found["roclab_auc", "credit"] == pytest.approx(
        client.get("/v1/models/credit").json()["now"]["auc"]
    )
