"""Who may do what: every route with every kind of token, and requests without one."""

import itertools
from datetime import timedelta

import pytest

from roclab.errors import InputError
from roclab.monitor.api.access import Access, is_loopback, needs_token
from roclab.monitor.settings import AlertSettings, ServerSettings, Settings
from tests.unit.monitor.api.client import Client, Stream

# The scope that each route needs; None for everyone. A new route needs a line here.
SCOPES = {
    ("POST", "/v1/predictions"): "write",
    ("POST", "/v1/labels"): "write",
    ("POST", "/v1/summaries"): "write",
    ("POST", "/v1/deployments"): "write",
    ("GET", "/v1/models"): "read",
    ("GET", "/v1/models/{model}"): "read",
    ("GET", "/v1/models/{model}/history"): "read",
    ("GET", "/v1/models/{model}/series"): "read",
    ("GET", "/v1/models/{model}/distributions"): "read",
    ("GET", "/v1/models/{model}/arrival"): "read",
    ("GET", "/v1/models/{model}/comparison"): "read",
    ("GET", "/v1/alerts"): "read",
    ("GET", "/v1/alerts/{number}"): "read",
    ("GET", "/v1/channels"): "read",
    ("GET", "/v1/events"): "read",
    ("GET", "/metrics"): "read",
    ("POST", "/v1/models/{model}/acts"): "admin",
    ("DELETE", "/v1/models/{model}"): "admin",
    ("DELETE", "/v1/models/{model}/ids"): "admin",
    ("POST", "/v1/channels/{name}/test"): "admin",
    ("GET", "/v1/tokens"): "admin",
    ("POST", "/v1/tokens"): "admin",
    ("DELETE", "/v1/tokens/{name}"): "admin",
    ("GET", "/healthz"): None,
    ("GET", "/readyz"): None,
    ("GET", "/v1/openapi.json"): None,
    ("HEAD", "/v1/openapi.json"): None,
    # The page holds no data.
    ("GET", "/"): None,
    ("GET", "/status"): None,
    ("GET", "/alerts"): None,
    ("GET", "/alerts/{number}"): None,
    ("GET", "/models/{model}"): None,
    ("GET", "/models/{model}/comparison"): None,
    ("GET", "/static/{name}"): None,
}
DESCRIBED = [
    (method, path)
    for method, path in SCOPES
    if path.startswith(("/v1/", "/healthz", "/readyz", "/metrics")) and path != "/v1/openapi.json"
]
VALID = ("read", "write", "admin")
INVALID = (None, "wrong", "revoked", "expired", "basic", "empty", "hash")


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """An application that needs tokens, and one of each kind."""
    data = tmp_path_factory.mktemp("data")
    settings = Settings(data=data, server=ServerSettings(require_tokens=True))
    with Client(settings) as client:
        service = client.service
        secrets = {scope: service.create_token(scope, scope) for scope in VALID}
        secrets["revoked"] = service.create_token("revoked", "admin")
        service.revoke_token("revoked")
        secrets["expired"] = service.create_token("expired", "admin", service.installation.now())
        (stored,) = [digest for digest, one in service.store.tokens() if one.name == "admin"]
        yield client, secrets, stored.hex()


def headers(kind, secrets, stored):
    if kind is None:
        return {}
    given = {
        "wrong": "Bearer rlm_" + "A" * 43,
        "basic": "Basic YWRtaW46YWRtaW4=",
        "empty": "Bearer ",
        "hash": f"Bearer {stored}",
    }
    return {"Authorization": given.get(kind) or f"Bearer {secrets[kind]}"}


def routes(app):
    return {(method, route.path) for route in app.routes for method in route.methods}


def status(client, method, path, sent):
    path = path.format(model="absent", number=4711, name="absent") + "?id=absent" * ("ids" in path)
    if path == "/v1/events":
        with Stream(client, path, headers=sent) as stream:
            return stream.status
    return client.ask(method, path, headers=sent).status_code


def test_every_route_has_a_scope(guarded):
    assert routes(guarded[0].app) == set(SCOPES)


@pytest.mark.parametrize(("method", "path"), SCOPES)
def test_every_route_with_every_kind_of_token(guarded, method, path):
    client, secrets, stored = guarded
    scope = SCOPES[method, path]
    for kind in (*VALID, *INVALID):
        found = status(client, method, path, headers(kind, secrets, stored))
        if scope is None or kind in (scope, "admin"):
            assert found not in (401, 403), kind
        else:
            assert found == (403 if kind in VALID else 401), kind


@pytest.mark.parametrize(("method", "path"), DESCRIBED)
def test_the_description_says_who_may(guarded, method, path):
    said = guarded[0].app.openapi()["paths"][path][method.lower()]
    scope = SCOPES[method, path]
    assert said.get("x-scope") == scope
    assert said["security"] == ([] if scope is None else [{"token": []}])


def test_refusals_say_what_is_needed(guarded):
    client, secrets, _ = guarded
    answer = client.get("/v1/models", token=secrets["write"])
    assert answer.json() == {"error": "The token 'write' has the scope write, and this needs read."}
    answer = client.get("/v1/models")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert "roclab monitor token create" in answer.json()["error"]


def test_a_body_is_not_read_for_those_who_may_not_send_it(guarded):
    client, secrets, _ = guarded

    async def unreadable():
        raise AssertionError("it was read")
        yield b""

    answer = client.post("/v1/predictions", token=secrets["read"], content=unreadable())
    assert answer.status_code == 403


def test_prometheus_reads_metrics_with_a_token(guarded):
    client, secrets, _ = guarded
    answer = client.get("/metrics", token=secrets["read"])
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "roclab_writing 1.0" in answer.text


def test_details_of_readiness_are_for_readers(guarded):
    client, secrets, _ = guarded
    assert set(client.get("/readyz").json()) == {"status", "waiting_rows"}
    assert "sqlite" in client.get("/readyz", token=secrets["read"]).json()
    assert "sqlite" not in client.get("/readyz", token=secrets["write"]).json()


PAGE = AlertSettings(page="https://monitor.example.org")
PROXIES = ServerSettings(
    user_header="X-Forwarded-User", trusted_proxies=("10.1.0.0/16", "127.0.0.1", "2001:db8::1")
)
USER = {"X-Forwarded-User": "ada"}
HOST = {"Host": "monitor.example.org"}


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """An application that serves this machine, without tokens."""
    with Client(Settings(data=tmp_path_factory.mktemp("data"), alerts=PAGE)) as client:
        yield client


@pytest.fixture(scope="module")
def proxied(tmp_path_factory):
    """An application behind a proxy at this machine."""
    data = tmp_path_factory.mktemp("data")
    with Client(Settings(data=data, server=PROXIES, alerts=PAGE)) as client:
        yield client


class TestWithoutTokens:
    """An installation at loopback serves this machine, and nobody through it."""

    ALLOWED = (
        {},
        {"Host": "localhost:8711"},
        {"Host": "[::1]:8711"},
        {"Host": "LOCALHOST"},
        {"Origin": "http://127.0.0.1:8711"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
    )
    REFUSED = (
        {"Host": "attacker.example"},  # rebinding
        {"Host": "attacker.example:8711"},
        {"Host": "127.0.0.1.attacker.example"},
        {"Host": "localhost.attacker.example"},
        {"Host": "attacker.example#localhost"},
        {"Host": "localhost@attacker.example"},
        {"Host": "0.0.0.0:8711"},
        {"Host": "[::]:8711"},
        {"Host": "192.168.1.7"},
        {"Host": "testserver"},
        {"Host": ""},
        {"Host": "["},
        {"Host": "[::1"},
        {"Host": "[localhost]"},
        {"Origin": "http://attacker.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://["},
        {"Origin": "http://127.0.0.1:3000"},  # another program of this machine
        {"Origin": "http://127.0.0.1:8711.attacker.example"},
        {"Origin": "http://attacker.example/127.0.0.1:8711"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1:8711"},
        {"X-Forwarded-For": "203.0.113.7"},
        {"Forwarded": "for=203.0.113.7"},
        {"X-Real-IP": "203.0.113.7"},
        {"X-Forwarded-Host": "monitor.example.org"},
        {"Via": "1.1 proxy"},
        {"X-Forwarded-For": "127.0.0.1"},
    )

    @pytest.mark.parametrize("sent", ALLOWED, ids=str)
    def test_this_machine_may(self, local, sent):
        assert local.get("/v1/tokens", headers=sent).status_code == 200

    @pytest.mark.parametrize("sent", REFUSED, ids=str)
    def test_others_may_not(self, local, sent):
        for method, path in (
            ("GET", "/v1/models"),
            ("GET", "/metrics"),
            ("POST", "/v1/predictions?model=m"),
            ("POST", "/v1/channels/x/test"),
            ("DELETE", "/v1/models/m"),
        ):
            answer = local.ask(method, path, headers=sent)
            assert answer.status_code == 403, (method, path)
            assert list(answer.json()) == ["error"]

    def test_the_host_of_the_page_needs_tokens(self, local):
        """It is reached through a proxy, which nobody has said to trust."""
        assert local.get("/v1/models", headers={"Host": "monitor.example.org"}).status_code == 403

    def test_a_token_that_is_not_valid_is_worse_than_none(self, local):
        assert local.get("/v1/models", token="x").status_code == 401
        basic = {"Authorization": "Basic eDp5"}
        assert local.get("/v1/models", headers=basic).status_code == 401

    def test_links_to_the_page_may_be_followed(self, local):
        sent = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        assert local.get("/v1/models", headers=sent).status_code == 200
        assert local.post("/v1/channels/x/test", headers=sent).status_code == 403

    @pytest.mark.parametrize(
        "kind",
        [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "text/html",
            "x",
        ],
    )
    def test_forms_cannot_send_rows(self, local, kind):
        for path in ("/v1/predictions?model=m", "/v1/models/m/acts", "/v1/tokens"):
            answer = local.post(path, content=b"{}", headers={"Content-Type": f"{kind}; a=b"})
            assert answer.status_code == 415
            assert "application/x-ndjson" in answer.json()["error"]


class TestProxy:
    @pytest.mark.parametrize("address", ["10.1.2.3", "127.0.0.1", "2001:db8::1", "::ffff:10.1.2.3"])
    def test_trusted_ones_name_the_user(self, make_client, address):
        client = make_client(address, server=PROXIES, alerts=PAGE)
        assert client.get("/v1/tokens", headers=USER | HOST).status_code == 200

    @pytest.mark.parametrize(
        "address", ["10.2.0.1", "203.0.113.7", "127.0.0.2", "::1", "", "proxy"]
    )
    def test_others_are_ignored(self, make_client, address):
        client = make_client(address, server=PROXIES, alerts=PAGE)
        answer = client.get("/v1/models", headers=USER | HOST)
        assert answer.status_code == 401

    @pytest.mark.parametrize("value", ["", " ", "\u00a0"])
    def test_nobody_is_not_a_user(self, proxied, value):
        sent = {"X-Forwarded-User": value.encode()} | HOST
        assert proxied.get("/v1/models", headers=sent).status_code == 401
        assert proxied.get("/v1/models").status_code == 401

    def test_two_names_are_refused(self, proxied):
        sent = [("X-Forwarded-User", "root"), ("x-forwarded-user", "ada"), *HOST.items()]
        answer = proxied.run(ask_with(proxied, sent))
        assert answer.status_code == 403
        assert "is there twice" in answer.json()["error"]

    @pytest.mark.parametrize(
        "sent",
        [
            {"Origin": "https://attacker.example"},
            {"Origin": "null"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site", "Origin": "https://blog.example.org"},
            {"Host": "attacker.example"},  # a browser on the machine of the proxy
            {"Host": "attacker.example", "Sec-Fetch-Site": "same-origin"},
        ],
        ids=str,
    )
    def test_other_sites_may_not_use_the_login(self, proxied, sent):
        answer = proxied.post("/v1/channels/x/test", headers=USER | HOST | sent)
        assert answer.status_code == 403

    @pytest.mark.parametrize(
        "sent",
        [
            {"Origin": "https://monitor.example.org"},
            {"Sec-Fetch-Site": "same-origin", "Origin": "https://monitor.example.org"},
            {"Host": "127.0.0.1:8711", "Origin": "https://monitor.example.org"},
            {"Host": "10.1.0.9:8711"},
            {"Authorization": "Basic eDp5"},  # that the proxy has checked
        ],
        ids=str,
    )
    def test_the_own_page_may(self, proxied, sent):
        answer = proxied.post("/v1/channels/x/test", headers=USER | HOST | sent)
        assert answer.status_code == 404

    def test_the_user_is_the_author_of_acts(self, proxied):
        proxied.service.submit("predictions", "credit", []).result(10)
        sent = {"X-Forwarded-User": "Zoë\u202e <b>".encode()} | HOST
        body = {"kind": "note", "reason": "looked at it"}
        answer = proxied.post("/v1/models/credit/acts", json=body, headers=sent)
        assert answer.json()["author"] == "Zoë <b>"

    def test_a_token_counts_more_than_the_user(self, proxied):
        secret = proxied.service.create_token("reader", "read")
        answer = proxied.post("/v1/channels/x/test", token=secret, headers=USER | HOST)
        assert answer.status_code == 403


async def ask_with(client, sent):
    import httpx

    transport = httpx.ASGITransport(client.app, client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as asking:
        return await asking.get("/v1/models", headers=sent)


@pytest.mark.parametrize(
    ("server", "needed"),
    [
        (ServerSettings(), False),
        (ServerSettings(host="localhost"), False),
        (ServerSettings(host="127.0.0.5"), False),
        (ServerSettings(host="::1"), False),
        (ServerSettings(host="0.0.0.0"), True),
        (ServerSettings(host="::"), True),
        (ServerSettings(host=""), True),
        (ServerSettings(host="10.0.0.1"), True),
        (ServerSettings(host="monitor.example.org"), True),
        (ServerSettings(host="localhost.example.org"), True),
        (ServerSettings(require_tokens=True), True),
        (ServerSettings(user_header="X-User", trusted_proxies=("127.0.0.1",)), True),
    ],
    ids=str,
)
def test_tokens_are_needed_beyond_this_machine(server, needed):
    assert needs_token(server) is needed


def test_loopback():
    names = ("localhost", "127.0.0.1", "127.8.9.10", "::1")
    others = ("", "localhost.", "127.0.0.1.", "0177.0.0.1", "127.1", "2130706433", "::ffff:7f00:1")
    assert all(map(is_loopback, names))
    assert not any(itertools.compress(others, map(is_loopback, others)))


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (ServerSettings(user_header="X-User"), "no proxy is trusted"),
        (ServerSettings(user_header="X-User", trusted_proxies=("proxy",)), "trusted_proxies"),
        (ServerSettings(trusted_proxies=("10.0.0.0/99",)), "trusted_proxies"),
    ],
)
def test_settings_that_would_trust_nobody_or_anybody_are_refused(server, said):
    with pytest.raises(InputError, match=said):
        Access(Settings(server=server), lambda: None)


class TestLasting:
    def test_a_token_that_is_revoked_or_expires_does_not_last(self, make_client):
        client = make_client(server=ServerSettings(require_tokens=True))
        service, access = client.service, client.context.access
        later = service.installation.now() + microseconds_of(timedelta(hours=1))
        service.create_token("a", "read")
        service.create_token("b", "read", later)
        callers = {one.name: one for one in map(caller_of, service.tokens())}
        assert access.lasts(callers["a"])
        assert access.lasts(callers["b"])
        service.revoke_token("a")
        assert not access.lasts(callers["a"])
        service.installation._clock = lambda: later + 1
        assert not access.lasts(callers["b"])


def caller_of(token):
    from roclab.monitor.api.access import Caller

    return Caller(token.name, token.scope, token)


def microseconds_of(duration):
    return duration // timedelta(microseconds=1)
