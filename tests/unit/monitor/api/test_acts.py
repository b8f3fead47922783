"""What people do: acts, and what is forgotten."""

import pytest

from roclab.monitor.settings import ServerSettings

ACTS = "/v1/models/credit/acts"


@pytest.fixture
def fed(client):
    rows = [{"model": "credit", "id": one, "score": 0.5} for one in ("a", "../b", "c/d", ".", "..")]
    client.send("/v1/predictions", rows)
    return client


def test_an_act_is_recorded_with_its_author(fed):
    body = {"kind": "mute", "reason": "holidays\nuntil Monday", "until": "2030-01-01T00:00:00Z"}
    found = fed.post(ACTS, json=body).json()
    assert found["author"] == "this machine"
    assert found["reason"] == body["reason"]
    assert found["until"] == "2030-01-01T00:00:00Z"


def test_the_author_is_the_token(make_client):
    client = make_client(server=ServerSettings(require_tokens=True))
    secret = client.service.create_token("ada", "admin")
    rows = {"model": "credit", "id": "a", "score": 1}
    client.post("/v1/predictions", json=rows, token=secret)
    answer = client.post(ACTS, json={"kind": "note", "reason": "seen"}, token=secret)
    assert answer.json()["author"] == "ada"


@pytest.mark.parametrize("kind", ["note", "unmute", "rebase"])
def test_acts_that_need_no_more(fed, kind):
    stream = fed.get("/v1/models/credit").json()["stream"]
    body = {"kind": kind, "reason": "x", "stream": stream}
    assert fed.post(ACTS, json=body).status_code == 200


@pytest.mark.parametrize(
    "until", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "soon"]
)
@pytest.mark.parametrize("kind", ["mute", "note"])
def test_times_that_cannot_be_written_are_refused(fed, kind, until):
    answer = fed.post(ACTS, json={"kind": kind, "reason": "x", "until": until})
    assert (answer.status_code, answer.json()["error"]) == (
        422,
        f"{until!r} is no time; ISO 8601 is needed.",
    )


def test_a_mute_that_has_ended_already_is_refused(fed):
    body = {"kind": "mute", "reason": "x", "until": "2020-01-01T00:00:00Z"}
    answer = fed.post(ACTS, json=body)
    assert (answer.status_code, answer.json()["error"]) == (
        422,
        "The end of the mute has passed: until.",
    )


def test_an_act_about_another_model_is_refused(fed):
    fed.send("/v1/predictions", {"model": "fraud", "id": "a", "score": 1})
    stream = fed.get("/v1/models/fraud").json()["stream"]
    answer = fed.post(ACTS, json={"kind": "rebase", "reason": "x", "stream": stream})
    assert answer.status_code == 404


class TestForgetting:
    @pytest.mark.parametrize("id", ["a", "../b", "c/d", ".", ".."])
    def test_an_id_whatever_it_looks_like(self, fed, id):
        answer = fed.delete("/v1/models/credit/ids", params={"id": id})
        assert (answer.status_code, answer.json()) == (200, {"forgotten": id})
        assert fed.delete("/v1/models/credit/ids", params={"id": id}).status_code == 404
        assert fed.get("/v1/models/credit").status_code == 200

    @pytest.mark.parametrize("path", ["/v1/models/credit/ids/../", "/v1/models/credit/"])
    def test_a_path_that_a_client_has_shortened_forgets_no_model(self, fed, path):
        assert fed.delete(path).status_code in (404, 405)
        assert fed.get("/v1/models/credit").status_code == 200

    def test_a_model(self, fed):
        assert fed.delete("/v1/models/credit").json() == {"forgotten": "credit"}
        assert fed.delete("/v1/models/credit").status_code == 404
        assert fed.get("/v1/models").json() == {"models": []}
