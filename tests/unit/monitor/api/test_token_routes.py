"""Tokens over HTTP: secrets once, times as texts, hashes never."""

import re

import pytest

from roclab.monitor.settings import ServerSettings, Settings
from tests.unit.monitor.api.client import Client

SECRET = re.compile(r"rlm_[\w-]{43}")


@pytest.fixture
def guarded(make_client):
    client = make_client(server=ServerSettings(require_tokens=True))
    client.admin = client.service.create_token("first", "admin")
    return client


def create(client, name, scope="read", **more):
    answer = client.post(
        "/v1/tokens", json={"name": name, "scope": scope, **more}, token=client.admin
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["secret"]


def listed(client):
    return client.get("/v1/tokens", token=client.admin).json()["tokens"]


def test_a_token_is_created_used_and_revoked_at_once(guarded):
    secret = create(guarded, "page")
    assert SECRET.fullmatch(secret)
    assert guarded.get("/v1/models", token=secret).status_code == 200
    assert guarded.delete("/v1/tokens/page", token=guarded.admin).json() == {"revoked": "page"}
    assert guarded.get("/v1/models", token=secret).status_code == 401
    assert guarded.delete("/v1/tokens/page", token=guarded.admin).status_code == 404


def test_the_list_has_times_and_no_secrets(guarded):
    secret = create(guarded, "page", expires="2100-01-01T00:00:00+01:00")
    answer = guarded.get("/v1/tokens", token=guarded.admin)
    (found,) = [one for one in listed(guarded) if one["name"] == "page"]
    assert set(found) == {"name", "scope", "created", "expires", "revoked"}
    assert found["created"].endswith("Z")
    assert found["expires"] == "2099-12-31T23:00:00Z"
    assert found["revoked"] is None
    digests = [digest.hex() for digest, _ in guarded.service.store.tokens()]
    assert not [one for one in (secret, guarded.admin, *digests) if one in answer.text]


def test_names_are_used_once_even_if_revoked(guarded):
    create(guarded, "page")
    guarded.delete("/v1/tokens/page", token=guarded.admin)
    body = {"name": "page", "scope": "read"}
    answer = guarded.post("/v1/tokens", json=body, token=guarded.admin)
    assert answer.status_code == 422
    assert "already" in answer.json()["error"]


@pytest.mark.parametrize("name", ["loader 2", "ada@example.org", "a.b-c_d", "Zoë", "1"])
def test_names(guarded, name):
    create(guarded, name)
    assert guarded.delete(f"/v1/tokens/{name}", token=guarded.admin).status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        ".",
        "..",
        "-x",
        "a/b",
        "a\\b",
        "a\n",
        "a ",
        "<b>",
        "a'--",
        "a;b",
        "\u202ea",
        "a" * 101,
    ],
)
def test_names_that_are_none(guarded, name):
    body = {"name": name, "scope": "admin"}
    answer = guarded.post("/v1/tokens", json=body, token=guarded.admin)
    assert answer.status_code == 422
    assert len(listed(guarded)) == 1


def test_tokens_are_kept_as_hashes(guarded, tmp_path):
    secrets = [guarded.admin, create(guarded, "page")]
    guarded.service.store.checkpoint()
    for file in (tmp_path / "data").iterdir():
        content = file.read_bytes()
        assert not [one for one in secrets if one.encode() in content], file


def test_tokens_outlive_the_process(tmp_path):
    settings = Settings(data=tmp_path / "other", server=ServerSettings(require_tokens=True))
    with Client(settings) as client:
        secret = client.service.create_token("page", "read")
        gone = client.service.create_token("gone", "read")
        client.service.revoke_token("gone")
    with Client(settings) as client:
        assert client.get("/v1/models", token=secret).status_code == 200
        assert client.get("/v1/models", token=gone).status_code == 401


def test_a_secret_is_never_logged_or_repeated(guarded, caplog):
    with caplog.at_level("DEBUG"):
        secret = create(guarded, "page", "write")
        answers = [
            guarded.get("/v1/models", token=secret),
            guarded.get(f"/v1/models/{secret}", token=guarded.admin),
            guarded.get("/v1/models", token=secret + "x"),
            guarded.get("/nowhere", token=secret),
            guarded.post("/v1/predictions", content=b"[", token=secret),
            guarded.get("/v1/openapi.json", token=secret),
        ]
    assert [one.status_code for one in answers] == [403, 404, 401, 404, 422, 200]
    assert not [one for one in answers if secret in one.text.replace(f"model '{secret}'", "")]
    own = [one for one in caplog.records if one.name.partition(".")[0] in ("roclab", "uvicorn")]
    assert not [one for one in own if secret in one.getMessage() + str(vars(one))]
