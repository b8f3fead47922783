"""Summaries on their way to a monitor: batches, retries, refusals, and where a token may go."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import roclab as rl
from roclab.scale import posting
from roclab.scale.cohort_summary import CohortSummaries, CohortSummary
from roclab.scale.posting import Target

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def summaries(n=3):
    rows = tuple(
        CohortSummary(
            model="credit",
            cohort=DAY + timedelta(days=number),
            segment=None,
            value=None,
            n=20,
            n_pos=10,
            n_neg=10,
            auc=0.75,
            variance=0.01,
            mean_score=0.5,
        )
        for number in range(n)
    )
    return CohortSummaries(
        model="credit",
        period="day",
        time_zone="UTC",
        rows=rows,
        until=DAY,
        n_unfinished=0,
        n_unlabelled=0,
        missing=rl.data.table.MissingValues(),
    )


class Monitor(ThreadingHTTPServer):
    """Answers what a test says, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list = []
        self.requests: list = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        rows = [json.loads(line) for line in body.splitlines()]
        self.server.requests.append((self.path, dict(self.headers), rows))
        answers = self.server.answers
        status, headers, content = answers.pop(0) if answers else accepted(len(rows))
        if status is None:  # hangs up
            return
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


def accepted(n, rows=()):
    return 200, {}, {"accepted": n - len(rows), "duplicate": 0, "rejected": 0, "rows": [*rows]}


def refused(status, message="no", headers=None):
    return status, headers or {}, {"error": message}


@pytest.fixture
def monitor() -> Iterator[Monitor]:
    server = Monitor()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def pauses(monkeypatch):
    found = []
    monkeypatch.setattr(posting.time, "sleep", found.append)
    return found


def test_rows_and_token_are_sent(monitor):
    found = summaries()
    posted = found.post(monitor.url, token="secret")
    [(path, headers, rows)] = monitor.requests
    assert path == "/v1/summaries"
    assert headers["Authorization"] == "Bearer secret"
    assert headers["Content-Type"] == "application/x-ndjson"
    assert rows == [row.to_dict() for row in found.rows]
    assert repr(posted) == "PostedSummaries(3 accepted, 0 duplicate, 0 refused)"


def test_without_a_token_no_header_is_sent(monitor):
    summaries().post(f"{monitor.url}/behind/a/proxy/")
    [(path, headers, _)] = monitor.requests
    assert path == "/behind/a/proxy/v1/summaries"
    assert "Authorization" not in headers


def test_batches_and_the_rows_of_their_outcomes(monitor, monkeypatch):
    monkeypatch.setattr(posting, "BATCH", 2)
    known = {"row": 1, "outcome": "duplicate"}
    late = {"row": 0, "outcome": "rejected", "reason": "the reading of this cohort is frozen"}
    monitor.answers = [
        accepted(2),
        accepted(2, [known]),
        (422, {}, {"rejected": 1, "rows": [late]}),
    ]
    posted = summaries(5).post(monitor.url)
    assert [len(rows) for _, _, rows in monitor.requests] == [2, 2, 1]
    assert (posted.accepted, posted.duplicate) == (3, 1)
    [one] = posted.refused
    assert one.row.cohort == DAY + timedelta(days=4)
    assert one.reason == "the reading of this cohort is frozen"
    assert repr(posted).endswith("of 20): the reading of this cohort is frozen))")
    assert "is frozen" in str(posted)
    assert json.dumps(posted.to_dict())


def test_nothing_is_sent_if_there_is_nothing(monitor):
    assert summaries(0).post(monitor.url).accepted == 0
    assert monitor.requests == []


def test_a_busy_monitor_is_waited_for_as_it_asks(monitor, pauses):
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    monitor.answers = [
        refused(429, headers={"Retry-After": "7"}),
        refused(503, headers={"Retry-After": date}),
        refused(503, headers={"Retry-After": "soon"}),
        refused(429, headers={"Retry-After": "1e9"}),
        refused(503, headers={"Retry-After": "Wed, 21 Oct 223312211226 07:28:00 GMT"}),
    ]
    assert summaries().post(monitor.url).accepted == 3
    assert len(monitor.requests) == 6
    assert pauses[0] == 7
    assert 10 < pauses[1] <= 20
    assert pauses[2:] == [2.0, 60.0, 8.0]


def test_it_gives_up_at_last(monitor, pauses):
    monitor.answers = [refused(503, "the disk is full")] * 20
    message = r"does not take rows: 503 the disk is full\. Post them again later: rows that it has"
    with pytest.raises(rl.RoclabError, match=message):
        summaries().post(monitor.url)
    assert len(monitor.requests) == 8
    assert pauses == [0.5, 1, 2, 4, 8, 16, 32]


def test_a_lost_connection_is_tried_again(monitor, pauses):
    monitor.answers = [(None, {}, {}), (None, {}, {})]
    assert summaries().post(monitor.url).accepted == 3
    monitor.answers = [(None, {}, {})] * 20
    with pytest.raises(rl.RoclabError, match=r"does not take rows: .*closed connection"):
        summaries().post(monitor.url)
    assert len(monitor.requests) == 3 + 3
    assert len(pauses) == 2 + 2


def test_nobody_there(pauses):
    server = Monitor()
    url = server.url
    server.server_close()
    with pytest.raises(rl.RoclabError, match=r"does not take rows: .*refused"):
        summaries().post(url, token="secret")
    assert len(pauses) == 2


@pytest.mark.parametrize(
    ("status", "fix"),
    [
        (401, "Pass a valid token"),
        (403, "Pass a token with the scope write"),
        (404, "Check url"),
        (413, "Raise body"),
        (422, "Post them again later"),
        (500, "Post them again later"),
    ],
)
def test_other_answers_are_errors_at_once(monitor, pauses, monkeypatch, status, fix):
    monkeypatch.setattr(posting, "BATCH", 2)
    monitor.answers = [accepted(2), refused(status, "why it is so")]
    message = rf"{status} why it is so; 2 rows were sent before\. {fix}"
    with pytest.raises(rl.RoclabError, match=message) as raised:
        summaries().post(monitor.url, token="secret")
    assert "secret" not in str(raised.value)
    assert pauses == []


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"<html>", b"[1]", b'{"rows": 1}', b"[" * 100_000),
        *(b'{"rows": [1]}', b'{"rows": [{}]}', b'{"rows": [{"row": 0}]}'),
        *(b'{"rows": [{"row": 3, "outcome": "rejected"}]}', b'{"rows": [{"row": "0"}]}'),
    ],
)
def test_an_answer_that_is_none(monitor, content):
    monitor.answers = [(200, {}, content)]
    with pytest.raises(rl.RoclabError, match="does not take rows: 200"):
        summaries().post(monitor.url)


def test_redirects_are_not_followed(monitor):
    other = Monitor()
    monitor.answers = [refused(code, "moved", {"Location": other.url}) for code in (301, 307)]
    for code in (301, 307):
        with pytest.raises(rl.RoclabError, match=f"does not take rows: {code}"):
            summaries().post(monitor.url, token="secret")
    assert other.requests == []
    other.server_close()


def test_no_proxy_sees_what_stays_on_this_machine(monitor, monkeypatch):
    proxy = Monitor()
    monkeypatch.setenv("http_proxy", proxy.url)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert summaries().post(monitor.url, token="secret").accepted == 3
    assert proxy.requests == []
    proxy.server_close()


@pytest.mark.parametrize(
    "url", ["http://monitor.example.com", "http://10.0.0.1:8711", "ftp://localhost/", "file:///x"]
)
def test_others_need_https(url):
    with pytest.raises(rl.InputError, match=r"^url "):
        Target.of(url, token=None, timeout=1)


@pytest.mark.parametrize(
    "url",
    [
        "https://user:password@monitor.example.com",
        "https://monitor.example.com?token=password",
        "https://monitor.example.com#password",
        "https://monitor.example.com:password",
        "https://",
        "localhost:8711",
        "",
        None,
        b"https://monitor.example.com",
    ],
)
def test_an_address_has_nothing_else_and_is_not_shown(url):
    with pytest.raises(rl.InputError, match=r"^url .*https") as raised:
        Target.of(url, token=None, timeout=1)
    assert "password" not in str(raised.value)


@pytest.mark.parametrize(
    "url", ["https://monitor.example.com", "http://localhost:8711", "http://[::1]:8711/monitor"]
)
def test_addresses_that_may_be_used(url):
    target = Target.of(url, token="secret", timeout=1)
    assert target.address == f"{url}/v1/summaries"
    assert "secret" not in repr(target)


@pytest.mark.parametrize("token", ["", "two words", "ended\n", "ä", 7])
def test_a_token_that_is_none_is_not_shown(token):
    with pytest.raises(rl.InputError, match="token has characters that no token has") as raised:
        Target.of("https://monitor.example.com", token=token, timeout=1)
    assert not str(token).strip() or str(token).strip() not in str(raised.value)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), None])
def test_the_timeout_is_a_number_of_seconds(timeout):
    with pytest.raises(rl.InputError, match=r"timeout=.* is out of range"):
        Target.of("https://monitor.example.com", token=None, timeout=timeout)
