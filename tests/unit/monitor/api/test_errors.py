"""Errors have one shape, all answers have the headers, and nothing is given away."""

import asyncio
import logging

import pytest

from roclab.monitor.api.errors import HEADERS, NO_STORE
from roclab.monitor.settings import Limits, Settings
from tests.unit.monitor.api.client import Client, Stream

ERRORS = [
    ("GET", "/v1", {}, 404),
    ("GET", "/v1/models/", {}, 404),
    ("GET", "//v1/models", {}, 404),
    ("GET", "/v1/models/../../etc/passwd", {}, 404),
    ("GET", "/v1/models/%2e%2e/history", {}, 404),
    ("GET", "/v1/models/a%2Fb", {}, 404),
    ("GET", "/v1/models/absent", {}, 404),
    ("GET", "/v1/models/absent/history", {}, 404),
    ("GET", "/v1/models/absent/comparison", {}, 404),
    ("GET", "/v1/models/credit/history?segment=x&value=y", {}, 404),
    ("GET", "/v1/models/credit/history?since=yesterday", {}, 422),
    ("GET", "/v1/models/credit/history?until=" + "9" * 5000, {}, 422),
    ("GET", "/v1/models/credit/comparison", {}, 404),
    ("GET", "/v1/alerts/1", {}, 404),
    ("GET", "/v1/alerts/-1", {}, 404),
    ("GET", "/v1/alerts/" + "9" * 30, {}, 404),
    ("GET", "/v1/alerts/" + "9" * 5000, {}, 422),
    ("GET", "/v1/alerts/x", {}, 422),
    ("GET", "/v1/alerts?firing=perhaps", {}, 422),
    ("PUT", "/v1/models", {}, 405),
    ("OPTIONS", "/v1/predictions", {}, 405),
    ("TRACE", "/v1/models", {}, 405),
    ("BREW", "/v1/models", {}, 405),
    ("DELETE", "/v1/models/", {}, 404),
    ("DELETE", "/v1/models/absent", {}, 404),
    ("DELETE", "/v1/models/credit/ids", {}, 422),
    ("DELETE", "/v1/models/credit/ids?id=absent", {}, 404),
    ("DELETE", "/v1/models/credit/ids?id=%00", {}, 422),
    ("DELETE", "/v1/models/credit/ids/", {}, 404),
    ("DELETE", "/v1/tokens/absent", {}, 404),
    ("DELETE", "/v1/tokens/", {}, 404),
    ("POST", "/v1/channels/absent/test", {}, 404),
    ("POST", "/v1/tokens", {"json": {}}, 422),
    ("POST", "/v1/tokens", {"json": {"name": "x", "scope": "root"}}, 422),
    ("POST", "/v1/tokens", {"json": {"name": "x\n", "scope": "read"}}, 422),
    ("POST", "/v1/tokens", {"json": {"name": "..", "scope": "read"}}, 422),
    ("POST", "/v1/tokens", {"json": {"name": "x" * 101, "scope": "read"}}, 422),
    ("POST", "/v1/tokens", {"json": {"name": "x", "scope": "read", "expires": "2020-01-01"}}, 422),
    ("POST", "/v1/tokens", {"json": {"name": "x", "scope": "read", "secret": "mine"}}, 422),
    ("POST", "/v1/tokens", {"content": b"[" * 100_000}, 422),
    ("POST", "/v1/models/absent/acts", {"json": {"kind": "note", "reason": "x"}}, 404),
    ("POST", "/v1/models/credit/acts", {"json": {"kind": "shout", "reason": "x"}}, 422),
    ("POST", "/v1/models/credit/acts", {"json": {"kind": "note", "reason": ""}}, 422),
    ("POST", "/v1/models/credit/acts", {"json": {"kind": "note", "reason": "\x1b[2J"}}, 422),
    ("POST", "/v1/models/credit/acts", {"json": {"kind": "note", "reason": "x" * 2001}}, 422),
    ("POST", "/v1/models/credit/acts", {"json": {"kind": "mute", "reason": "x"}}, 422),
    ("POST", "/v1/models/credit/acts", {"json": {"kind": "close", "reason": "x"}}, 422),
    ("POST", "/v1/models/credit/acts", {"json": {"kind": "close", "reason": "x", "alert": 9}}, 404),
    ("POST", "/v1/models/credit/acts", {"json": {"kind": "note", "reason": "x", "stream": 9}}, 404),
    (
        "POST",
        "/v1/models/credit/acts",
        {"json": {"kind": "note", "reason": "x", "until": "x"}},
        422,
    ),
    ("POST", "/v1/models/credit/acts", {"content": b"\xff"}, 422),
    ("POST", "/v1/models/credit/acts", {"content": b'{"kind":' * 50_000}, 422),
    ("POST", "/v1/predictions", {"content": b"x" * 1_000_001}, 413),
    ("POST", "/v1/predictions", {"content": b"[{]"}, 422),
    ("POST", "/v1/predictions", {"content": b"{}", "headers": {"Content-Type": "text/plain"}}, 415),
    ("POST", "/v1/predictions", {"content": b"{}", "headers": {"Content-Encoding": "br"}}, 415),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    settings = Settings(data=tmp_path_factory.mktemp("data"), limits=Limits(body=1_000_000))
    with Client(settings) as client:
        client.send("/v1/predictions", {"model": "credit", "id": "a", "score": 1})
        yield client


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    ERRORS,
    ids=[f"{method} {path[:40]} {place}" for place, (method, path, _, _) in enumerate(ERRORS)],
)
def test_every_error_has_the_one_shape(client, method, path, content, status):
    answer = client.ask(method, path, **content)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/json"
    found = answer.json()
    assert list(found) == ["error"]
    assert found["error"].isprintable()
    assert len(found["error"]) < 600
    assert "Traceback" not in found["error"]
    assert_headers(answer)


def assert_headers(answer):
    for name, value in (HEADERS | NO_STORE).items():
        assert answer.headers.get_list(name) == [value]
    assert "server" not in answer.headers
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "path", ["/healthz", "/readyz", "/v1/models", "/v1/openapi.json", "/metrics"]
)
def test_good_answers_have_the_headers_too(client, path):
    assert_headers(client.get(path))


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/v1/models/credit", "DELETE, GET"),
        ("/v1/tokens", "GET, POST"),
        ("/v1/predictions", "POST"),
    ],
)
def test_the_methods_of_an_address_are_named(client, path, methods):
    assert client.ask("PUT", path).headers["Allow"] == methods


def test_scripts_of_others_are_not_allowed():
    policy = HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


class TestUnexpected:
    def test_the_answer_says_nothing_and_the_log_everything(self, client, monkeypatch, caplog):
        def fails(_):
            raise ZeroDivisionError("the secret is hunter2")

        monkeypatch.setattr("roclab.monitor.answers.overview", fails)
        with caplog.at_level(logging.ERROR, "roclab.monitor"):
            answer = client.get("/v1/models")
        assert answer.status_code == 500
        assert answer.json() == {"error": "The service failed; its log says why."}
        assert_headers(answer)
        (record,) = caplog.records
        assert (record.method, record.path) == ("GET", "/v1/models")
        assert "hunter2" in record.exc_text or record.exc_info
        assert client.get("/healthz").status_code == 200

    def test_in_the_writing_thread(self, client, monkeypatch):
        def fails(*_, **__):
            raise ZeroDivisionError

        monkeypatch.setattr(client.service.installation, "predictions", fails)
        answer = client.post("/v1/predictions", json={"model": "credit", "id": "z", "score": 1})
        assert answer.status_code == 500
        assert list(answer.json()) == ["error"]
        monkeypatch.undo()
        assert client.send("/v1/predictions", {"model": "credit", "id": "z", "score": 1})

    def test_after_an_answer_has_begun(self, client, monkeypatch):
        """Half an answer cannot become an error, so the connection must end."""
        monkeypatch.setattr("roclab.monitor.api.events.Listener.next", lambda _: 1 / 0)
        with Stream(client, "/v1/events") as stream:
            assert stream.ended.wait(10)
        assert stream.status == 200
        assert stream.failure is not None


def test_one_act_that_fails_does_not_fail_others(client):
    """Acts of the same moment are one transaction."""

    async def both():
        return await asyncio.gather(
            client.asking("POST", "/v1/predictions?model=gone", json={"id": "a", "score": 1}),
            *(client.asking("DELETE", "/v1/models/gone") for _ in range(5)),
            *(client.asking("DELETE", "/v1/models/gone/ids?id=a") for _ in range(5)),
            *(
                client.asking("POST", "/v1/models/gone/acts", json={"kind": "note", "reason": "x"})
                for _ in range(5)
            ),
            client.asking("POST", "/v1/predictions?model=kept", json={"id": "a", "score": 1}),
        )

    client.delete("/v1/models/kept")
    for _ in range(20):
        found = [one.status_code for one in client.run(both())]
        assert set(found) <= {200, 404}
        assert found[0] == found[-1] == 200
