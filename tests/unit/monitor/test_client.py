"""The client against a service that is there, slow, busy, broken, or away."""

import json
import logging
import os
import re
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

from roclab.errors import InputError
from roclab.monitor import Client

ACCEPTED = {"duplicate": 0, "corrected": 0, "rejected": 0, "rows": []}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that hung up is part of the tests."""


class Receiver:
    """A service that answers as it is told, and remembers what it accepted."""

    def __init__(self):
        self.answers = []  # of the next requests: status, or status and headers and content
        self.rows = []
        self.requests = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                rows = [json.loads(line) for line in body.splitlines()]
                outer.requests.append((self.path, len(rows), self.headers.get("Authorization")))
                status, headers, content = outer.next_answer(len(rows))
                if status == 200:
                    outer.rows += [(self.path, row) for row in rows]
                text = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(text))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def next_answer(self, count):
        if self.answers:
            answer = self.answers.pop(0)
            if callable(answer):
                return answer(count)
            return answer
        return 200, {}, {**ACCEPTED, "accepted": count}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("roclab.monitor.client._PAUSE", 0.02)
    monkeypatch.setattr("roclab.monitor.client._FIRST_RETRY", 0.02)


def test_three_lines(receiver):
    with Client(receiver.url, "secret", model="credit") as client:
        key = client.log_prediction(0.83, segments={"region": "north"}, version="3")
        client.log_label(key, True)
    (path, one), (label_path, label) = receiver.rows
    assert path == "/v1/predictions"
    assert {**one, "time": 0} == {
        "model": "credit",
        "id": key,
        "score": 0.83,
        "time": 0,
        "version": "3",
        "segments": {"region": "north"},
    }
    assert abs(one["time"] - time.time()) < 60
    assert label_path == "/v1/labels"
    assert (label["id"], label["label"]) == (key, True)
    assert {request[2] for request in receiver.requests} == {"Bearer secret"}
    assert client.counts.to_dict() == {"accepted": 2, "rejected": 0, "dropped": 0, "pending": 0}


def test_ids_are_uuids_of_version_7_in_the_order_of_time():
    client = Client("http://127.0.0.1:9")
    ids = [client._new_id(1_700_000_000 + i / 1000) for i in range(2000)]
    form = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
    assert all(form.fullmatch(one) for one in ids)
    assert sorted(ids) == ids
    assert len({one[14:] for one in ids}) == 2000
    assert int(ids[0].replace("-", "")[:12], 16) == 1_700_000_000_000
    client.close()


@pytest.mark.parametrize("failure", [500, 503, 429, 401, 403, 502])
def test_what_fails_is_sent_again_until_it_arrives(receiver, failure, caplog):
    receiver.answers = [(failure, {"Retry-After": "0"}, {"error": "not now"})] * 3
    with caplog.at_level(logging.WARNING), Client(receiver.url, model="m") as client:
        for i in range(10):
            client.log_prediction(i / 10, id=str(i))
        assert client.flush()
    assert [row["id"] for _, row in receiver.rows] == [str(i) for i in range(10)]
    assert len(receiver.requests) == 4
    assert client.counts.accepted == 10
    assert [f"answers {failure}: not now" in line for line in caplog.messages] == [True]


@pytest.mark.parametrize(
    "content",
    [
        *({"rejected": 0}, {**ACCEPTED, "accepted": None}, {**ACCEPTED, "accepted": 1, "rows": 1}),
        b"[" * 100_000,
    ],
)
def test_answers_that_are_no_outcomes_are_waited_for(receiver, content, caplog):
    """As of a proxy in between; the thread that sends must not end with it."""
    receiver.answers = [(200, {}, content)] * 2
    with caplog.at_level(logging.WARNING), Client(receiver.url, model="m") as client:
        client.log_prediction(0.5)
        assert client.flush()
    assert client.counts.to_dict() == {"accepted": 1, "rejected": 0, "dropped": 0, "pending": 0}
    assert ["rows wait" in line for line in caplog.messages] == [True]


@pytest.fixture
def waited(monkeypatch):
    """Seconds that clients would wait between two requests, which take no time here."""
    found = []

    class Stopping(threading.Event):
        def wait(self, timeout=None):
            found.append(timeout)
            return self.is_set()

    begin = Client._begin

    def without_waiting(self):
        begin(self)
        self._stopping = Stopping()

    monkeypatch.setattr(Client, "_begin", without_waiting)
    monkeypatch.setattr("roclab.monitor.client._FIRST_RETRY", 0.5)
    return found


def test_pauses_grow_to_half_a_minute(receiver, waited):
    receiver.answers = [(500, {}, {})] * 10
    with Client(receiver.url, model="m") as client:
        client.log_prediction(0.5)
        assert client.flush()
    assert len(waited) == 10
    for place, seconds in enumerate(waited):
        longest = min(0.5 * 2**place, 30.0)
        assert longest / 2 <= seconds <= longest  # by chance, so that clients do not come together
    assert client.counts.accepted == 1


def test_a_busy_service_says_how_long_to_wait(receiver, waited):
    receiver.answers = [(429, {"Retry-After": "7"}, {}), (503, {"Retry-After": "86400"}, {})]
    with Client(receiver.url, model="m") as client:
        client.log_prediction(0.5)
        assert client.flush()
    assert waited == [7.0, 30.0]
    assert client.counts.accepted == 1


def test_a_service_that_is_away_for_a_while_misses_nothing(receiver):
    port = receiver.port
    receiver.close()
    client = Client(f"http://127.0.0.1:{port}", model="m")
    ids = [client.log_prediction(0.5) for _ in range(50)]
    assert not client.flush(timeout=0.3)
    assert client.counts.pending == 50
    back = Receiver()
    client._address = ("127.0.0.1", back.port)  # it comes back elsewhere, since ports are reused
    assert client.flush(timeout=10)
    assert [row["id"] for _, row in back.rows] == ids
    client.close()
    back.close()


def test_what_cannot_be_sent_at_the_end_is_counted_and_said_once(caplog):
    client = Client("http://127.0.0.1:9", model="m")
    for _ in range(20):
        client.log_prediction(0.5)
    with caplog.at_level(logging.WARNING):
        client.close(timeout=0.2)
        client.close(timeout=0.2)
        client.log_prediction(0.5)
    assert client.counts.to_dict() == {"accepted": 0, "rejected": 0, "dropped": 21, "pending": 0}
    assert sum("20 rows for 127.0.0.1 were given up" in line for line in caplog.messages) == 1


def test_a_slow_service_does_not_slow_the_caller(receiver, caplog):
    held = threading.Event()

    def slow(count):
        held.wait(10)
        return 200, {}, {**ACCEPTED, "accepted": count}

    receiver.answers = [slow]
    with Client(receiver.url, model="m", max_pending=100) as client:
        client.log_prediction(0.1)
        while not receiver.requests:
            time.sleep(0.01)
        for _ in range(150):
            client.log_prediction(0.2)
        assert client.counts.dropped == 50
        held.set()
    assert client.counts.to_dict() == {
        "accepted": 101,
        "rejected": 0,
        "dropped": 50,
        "pending": 0,
    }
    assert sum("too many rows wait" in line for line in caplog.messages) == 1


def test_a_request_that_times_out_is_sent_again(receiver):
    held = threading.Event()

    def silent(count):
        held.wait(10)
        return 200, {}, {**ACCEPTED, "accepted": count}

    receiver.answers = [silent]
    with Client(receiver.url, model="m", timeout=0.2) as client:
        client.log_prediction(0.1, id="a")
        assert client.flush(timeout=10)
        held.set()
    assert len(receiver.requests) == 2  # the same id twice: the service counts it once
    assert client.counts.accepted == 1


def test_too_large_batches_are_divided(receiver):
    def refuse(count):
        return (413, {}, {"error": "too large"}) if count > 3 else receiver_accepts(count)

    def receiver_accepts(count):
        return 200, {}, {**ACCEPTED, "accepted": count}

    receiver.answers = [refuse] * 50
    with Client(receiver.url, model="m") as client:
        client._wake.clear()
        for i in range(10):
            client.log_prediction(0.1, id=str(i))
    assert sorted(row["id"] for _, row in receiver.rows) == [str(i) for i in range(10)]
    assert client.counts.accepted == 10


def test_rows_that_the_service_refuses_are_counted_and_said_once(receiver, caplog):
    content = {
        "accepted": 1,
        "duplicate": 0,
        "corrected": 0,
        "rejected": 1,
        "rows": [{"row": 1, "outcome": "rejected", "reason": "score is bad"}],
    }
    receiver.answers = [(200, {}, content)]
    with caplog.at_level(logging.WARNING), Client(receiver.url, model="m") as client:
        client.log_prediction(0.1, id="a")
        client.log_prediction(0.2, id="b")
        client.log_prediction(float("nan"), id="c")
        client.log_prediction("text", id="d")
    assert client.counts.rejected >= 3
    assert sum("score is bad" in line for line in caplog.messages) == 1
    assert sum("nan" in line for line in caplog.messages) == 1


def test_it_raises_only_if_asked_to(receiver):
    with Client(receiver.url, raises=True) as client:
        with pytest.raises(InputError, match="no model"):
            client.log_prediction(0.5)
        with pytest.raises(InputError, match="finite number"):
            client.log_prediction(float("inf"), model="m")
    quiet = Client(receiver.url)
    quiet.log_prediction(0.5)
    assert quiet.counts.rejected == 1
    quiet.close()
    quiet.log_prediction(0.5, model="m")
    assert quiet.counts.dropped == 1


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:9", "https://monitor.example", "http://[::1]:8711", "http://a:80/models"],
)
def test_its_repr_has_the_whole_address(url):
    client = Client(f"{url}/", "secret")
    assert repr(client) == f"Client({url}, {client.counts})"


def test_addresses_are_checked():
    for url in ("127.0.0.1:8711", "ftp://host", "http://"):
        with pytest.raises(InputError, match="is no address"):
            Client(url)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frames(receiver, kind):
    columns = {
        "key": ["a", "b", "c"],
        "p": [0.1, 0.2, 0.3],
        "at": [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 3)],
        "y": [1.0, None, 0.0],
        "region": ["north", None, "south"],
    }
    frame = pd.DataFrame(columns) if kind == "pandas" else pl.DataFrame(columns)
    with Client(receiver.url, model="m") as client:
        ids = client.log_frame(
            frame, score="p", id="key", time="at", label="y", segments=["region"]
        )
        with pytest.raises(InputError, match="no column 'q'"):
            client.log_frame(frame, score="q")
    assert ids == ["a", "b", "c"]
    rows = [row for _, row in receiver.rows]
    assert [row["score"] for row in rows] == [0.1, 0.2, 0.3]
    assert rows[0]["time"] == "2026-01-01T00:00:00+00:00"
    assert [row.get("label") for row in rows] == [1, None, 0]
    assert [row["segments"] for row in rows] == [{"region": "north"}, {}, {"region": "south"}]


def test_a_frame_waits_for_room(receiver):
    with Client(receiver.url, model="m", max_pending=10) as client:
        client.log_frame(pd.DataFrame({"p": np.linspace(0, 1, 500)}), score="p")
        assert client.flush()
    assert client.counts.accepted == 500


def test_a_wrapped_classifier_logs_its_probabilities(receiver):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 2))
    model = LogisticRegression().fit(X, X[:, 0] > 0)
    with Client(receiver.url, model="m") as client:
        logged = client.wrap(model, version="7")
        found = logged.predict_proba(X[:5])
        assert logged.classes_.tolist() == [False, True]
        logged.predict_proba(X[:1], id=["mine"], segments=[{"region": "north"}])
        assert logged.last_ids == ["mine"]
    rows = [row for _, row in receiver.rows]
    assert [row["score"] for row in rows[:5]] == found[:, 1].tolist()
    assert rows[5]["id"] == "mine"
    assert {row["version"] for row in rows} == {"7"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_after_a_fork_parent_and_child_send_their_own(receiver):
    script = f"""
import os, sys
from roclab.monitor import Client
client = Client({receiver.url!r}, model="m")
client.log_prediction(0.1, id="parent-before")
child = os.fork()
if child == 0:
    client.log_prediction(0.2, id="child")
    client.close()
    os._exit(0)
os.waitpid(child, 0)
client.log_prediction(0.3, id="parent-after")
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
    assert sorted(row["id"] for _, row in receiver.rows) == [
        "child",
        "parent-after",
        "parent-before",
    ]


def test_what_waits_is_sent_when_the_process_ends(receiver):
    script = f"""
from roclab.monitor import Client
client = Client({receiver.url!r}, model="m")
for i in range(100):
    client.log_prediction(i / 100, id=str(i))
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
    assert [row["id"] for _, row in receiver.rows] == [str(i) for i in range(100)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no such signal")
def test_of_a_process_that_is_killed_only_what_was_not_sent_is_lost(receiver):
    script = f"""
import os, signal
from roclab.monitor import Client
client = Client({receiver.url!r}, model="m")
for i in range(50):
    client.log_prediction(0.5, id=f"sent-{{i}}")
assert client.flush(timeout=50)
for i in range(50):
    client.log_prediction(0.5, id=f"waits-{{i}}")
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=60)
    assert done.returncode == -9
    ids = [row["id"] for _, row in receiver.rows]
    assert ids[:50] == [f"sent-{i}" for i in range(50)]
    # The thread may have taken some of the others, in their order; nothing comes twice.
    assert ids[50:] == [f"waits-{i}" for i in range(len(ids) - 50)]


def test_it_needs_neither_fastapi_nor_msgspec():
    script = """
import sys
from roclab.monitor import Client
Client("http://127.0.0.1:9").close()
heavy = {"fastapi", "msgspec", "uvicorn", "prometheus_client", "polars", "pandas", "sklearn"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
