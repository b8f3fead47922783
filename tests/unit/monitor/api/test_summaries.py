"""Cohorts that were computed elsewhere, and marks of deployments."""

import pytest

SUMMARIES, DEPLOYMENTS = "/v1/summaries", "/v1/deployments"


def summary(**changes):
    row = {
        "model": "credit",
        "cohort": "2024-01-01",
        "auc": 0.8,
        "variance": 0.001,
        "n_pos": 20,
        "n_neg": 30,
    }
    return row | changes


class TestSummaries:
    def test_a_finished_cohort_is_a_reading(self, client):
        assert client.send(SUMMARIES, summary())["accepted"] == 1
        (found,) = client.get("/v1/models/credit/history").json()["cohorts"]
        assert found["cohort"] == "2024-01-01T00:00:00Z"
        assert found["frozen"]["auc"] == pytest.approx(0.8)
        assert found["frozen"]["source"] == "summary"

    def test_each_row_has_an_outcome(self, client):
        client.send(SUMMARIES, summary())
        found = client.send(
            SUMMARIES,
            [summary(), summary(cohort="2024-01-02"), summary(auc=0.7), summary(auc=2), 7],
        )
        assert (found["accepted"], found["duplicate"], found["rejected"]) == (1, 1, 3)

    @pytest.mark.parametrize(
        "changes",
        [
            {"auc": 1.1},
            {"auc": -1e-9},
            {"auc": "high"},
            {"variance": -1},
            {"variance": 1},
            {"n_pos": -1},
            {"n_neg": 2**53},
            {"n_pos": 10**30},
            {"n_pos": 1.5},
            {"n": 3},
            {"n": 2**60},
            {"cohort": "2024-01-01T12:00:00"},
            {"cohort": "2100-01-01"},
            {"cohort": "soon"},
            {"segment": "region"},
            {"value": "north"},
            {"segment": "a\nb", "value": "x"},
            {"model": "a/b"},
            {"further": 1},
        ],
        ids=str,
    )
    def test_what_is_refused(self, client, changes):
        found = client.send(SUMMARIES, [summary(**changes), summary()])
        assert (found["accepted"], found["rejected"]) == (1, 1)

    @pytest.mark.parametrize(
        "changes",
        [
            {"auc": 1, "variance": 0},
            {"auc": 0, "variance": 0},
            {"n_pos": 1, "n_neg": 1},
            {"n_pos": 2**52, "n_neg": 2**52 - 1},
            {"variance": 1e-300},
            {"variance": 0.999},
            {"mean_score": -1e308},
        ],
        ids=str,
    )
    def test_extremes_are_no_failures(self, client, changes):
        assert client.send(SUMMARIES, summary(**changes))["accepted"] == 1
        assert client.get("/v1/models/credit/history").status_code == 200

    def test_a_batch_is_one_transaction(self, client, monkeypatch):
        calls = []
        real = client.service.call
        monkeypatch.setattr(client.service, "call", lambda f: calls.append(f) or real(f))
        rows = [summary(cohort=f"2024-01-{day:02}") for day in range(1, 29)]
        assert client.send(SUMMARIES, rows)["accepted"] == 28
        assert sum("write" in one.__qualname__ for one in calls) == 1


class TestDeployments:
    def test_marks_are_known_once(self, client):
        row = {"model": "credit", "version": "1.2", "time": "2024-01-01", "note": "retrained"}
        assert client.send(DEPLOYMENTS, row)["accepted"] == 1
        assert client.send(DEPLOYMENTS, row)["duplicate"] == 1
        found = client.get("/v1/models/credit").json()["deployments"]
        assert found == [{"version": "1.2", "time": "2024-01-01T00:00:00Z", "note": "retrained"}]

    def test_a_model_may_be_marked_before_its_first_prediction(self, client):
        client.send(DEPLOYMENTS, {"model": "new", "version": "1"})
        assert client.get("/v1/models/new").json()["status"] == "no data"

    def test_bad_rows_do_not_lose_the_others(self, client):
        rows = [
            {"model": "credit", "version": "1"},
            {"model": "credit"},
            {"model": "credit", "version": ""},
            {"model": "credit", "version": "1", "time": "never"},
            {"model": "a/b", "version": "1"},
            {"version": "1"},
            {"model": "fraud", "version": "1", "note": "n" * 500},
        ]
        found = client.send(DEPLOYMENTS, rows)
        assert (found["accepted"], found["rejected"]) == (1, 6)
