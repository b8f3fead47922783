"""Fuzz every parser of bytes, lines and files: an input is read, or refused by an error of ours.

    make fuzz SECONDS=60 JOBS=2                          # each target for so long, two at a time
    python tests/fuzz_parsers.py --one target FILE ...   # what was found, without atheris
    python tests/fuzz_parsers.py --core-inputs FOLDER    # windows for core/tests/fuzz_bytes.cpp

Anything else that escapes is a finding, and so are more than ten seconds for an input of four
kilobytes, or more than two gigabytes of memory. Inputs that lead to new paths are kept in
build/fuzz-inputs/TARGET, and findings in build/fuzz-found.
"""

import contextlib
import dataclasses
import functools
import gzip
import http.client
import importlib.util
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from unittest import mock
from urllib.parse import quote, unquote
from zoneinfo import ZoneInfo

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
INPUTS, FOUND = ROOT / "build" / "fuzz-inputs", ROOT / "build" / "fuzz-found"
DATA = ROOT / "build" / "fuzz-data"
LIMITS = ["-max_len=4096", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]
# As core/tests/fuzz_bytes.cpp numbers them.
CORE_WINDOWS = ("WindowAUC", "DecayedAUC", "CumulativeAUC", "TimeWindowAUC", "ApproximateWindowAUC")
NOW = 1_700_000_000_000_000


@dataclass(frozen=True)
class Target:
    """A parser, inputs that it reads, and what it may raise."""

    parse: Callable[[bytes], object]
    seeds: Callable[[], Iterator[bytes]]


def text_of(data):
    return data.decode("utf-8", "replace")


def lines_of(*texts):
    return lambda: (text.encode() for text in texts)


# Objects with bytes: the first byte chooses the kind, and the header is made to fit the content, or
# not, so that what is behind the checksum is reached too.


def read_state(data):
    from tests.formats.kept import numbers

    if not data:
        return
    kind = state_kinds()[data[0] % len(state_kinds())]
    content = data[1:]
    if data[0] < 128:
        head = b"RL" + kind._kind + kind._version.to_bytes(2, "little")
        content = head + zlib.crc32(content).to_bytes(4, "little") + content
    one = kind.from_bytes(content)
    assert repr(one)
    numbers(one)
    assert type(one).from_bytes(one.to_bytes()).to_bytes() == one.to_bytes()


def state_kinds():
    import roclab as rl
    from roclab.scale import ScoreHistogram

    names = sorted(name for name in dir(rl) if hasattr(getattr(rl, name), "from_bytes"))
    return [*(getattr(rl, name) for name in names), ScoreHistogram]


def states():
    from tests.formats.kept import RELEASES, kept

    names = [kind.__name__ for kind in state_kinds()]
    for release in RELEASES:
        for one in kept(release, "states"):
            if len(one["bytes"]) < 4000:
                yield bytes([names.index(one["kind"])]) + one["bytes"][10:]


def core_inputs(folder):
    """Write what the core reads of windows, each after the number of its kind there."""
    from tests.formats.kept import RELEASES, kept

    folder.mkdir(parents=True, exist_ok=True)
    for release in RELEASES:
        for one in kept(release, "states"):
            if one["kind"] in CORE_WINDOWS:
                kind = next(kind for kind in state_kinds() if kind.__name__ == one["kind"])
                # The count of events ahead of their time is not the core's.
                head = 12 + kind._settings_format.size + 8 * (one["kind"] == "TimeWindowAUC")
                content = one["bytes"][head:]
                number = bytes([CORE_WINDOWS.index(one["kind"])])
                (folder / f"{release}-{one['name'].replace(' ', '-')}").write_bytes(
                    number + content
                )


# Models: a kept one is changed and packed again, so that what is behind the checksums is reached.
# The first byte chooses the model, the second one of its members: an array is replaced by the rest,
# and the schema is edited up to four times. Four bytes are an edit: a place, and what comes there.

VALUES = (None, "", "a", [], {}, -1, 0, 2**63, 1e308, True, "1", "numpy.void", "builtins.str")


def read_model(data):
    import numpy as np

    from roclab.learning import load_model
    from tests.model_files import archive

    if len(data) < 2:
        return
    parts = models()[data[0] % len(models())]
    name, rest = list(parts)[data[1] % len(parts)], data[2:]
    changed = rest if name.endswith(".npy") else edited(parts[name], rest)
    with tempfile.NamedTemporaryFile(suffix=".skops") as file:
        file.write(archive(parts | {name: changed}))
        file.flush()
        found = load_model(file.name)
    row = [None if name in found.categories else 0.5 for name in found.features]
    found.scores(np.array([row], object))


@functools.cache
def models():
    from tests.model_files import parts_of

    return [parts_of(one) for one in kept_files("model")]


def edited(schema, edits):
    schema = json.loads(schema)
    for edit in range(0, min(len(edits) - 3, 16), 4):
        places = list(places_of(schema))
        part, key = places[int.from_bytes(edits[edit : edit + 2], "big") % len(places)]
        source = int.from_bytes(edits[edit + 2 : edit + 4], "big")
        if source < len(VALUES):
            part[key] = VALUES[source]
        elif source == len(VALUES):
            del part[key]
        else:
            other, name = places[source % len(places)]
            part[key] = json.loads(json.dumps(other[name]))
    return json.dumps(schema).encode()


def places_of(part):
    """Parts of a schema, each as what holds it and its key there."""
    for key, value in list(part.items() if isinstance(part, dict) else enumerate(part)):
        yield part, key
        if isinstance(value, dict | list):
            yield from places_of(value)


def model_parts():
    """Each array as it is, and each seventh place of a schema in the place of itself."""
    for number, parts in enumerate(models()):
        for place, (name, content) in enumerate(parts.items()):
            chosen = bytes([number, place])
            if name.endswith(".npy"):
                yield chosen + content
            else:
                for at in range(len(VALUES) + 1, len([*places_of(json.loads(content))]), 7):
                    yield chosen + 2 * at.to_bytes(2, "big")


def read_repair(data):
    import roclab as rl

    repair = rl.ScoreRepair.from_json(data)
    repair.apply([0.5, -1e300, 1e300])
    assert rl.ScoreRepair.from_json(repair.to_json()).to_json() == repair.to_json()


def kept_files(kind):
    from tests.formats.kept import RELEASES, kept

    found = [one for release in RELEASES for one in kept(release, "files")]
    return [one["bytes"] for one in found if one["kind"] == kind]


# Tables: the first byte chooses the format, the rest is the file. Formats that polars parses alone
# are left to it.
FORMATS = ("csv", "tsv", "jsonl")
CSV = b"id,label,a,b,w\n1,1,0.9,0.2,1\n2,0,0.3,,2\n3,1,-1e5,7,0.5\n"
JSONL = b'{"label": 1, "a": 0.5}\n{"label": 0, "a": null, "b": "x"}\n'


def read_table(data):
    from roclab import read_scores
    from roclab.monitor.history import read_history
    from roclab.monitor.settings import Limits
    from roclab.readers.features import read_features
    from roclab.readers.opening import FileOptions
    from roclab.readers.rewriting import read_rows

    if data:
        file, kind = io.BytesIO(data[1:]), FORMATS[data[0] % len(FORMATS)]
        readers = (
            lambda: read_scores(file, y_true="label", format=kind),
            lambda: read_features(file, ["a"], categories=["b"], format=kind),
            lambda: read_rows(file, named=["a"], format=kind).with_changed(
                "a", lambda x: x, suffix="2"
            ),
            lambda: read_history(
                *(file,),
                **{"label": "label", "score": "a", "time": "t", "id": "id", "segments": ["b"]},
                **{"now": NOW, "limits": Limits(), "options": FileOptions(format=kind)},
            ),
        )
        repr(readers[data[0] // len(FORMATS) % len(readers)]())


def tables():
    yield b"\0" + CSV
    yield b"\0" + CSV.replace(b",", b";").replace(b".", b",")
    yield b"\0" + gzip.compress(CSV)
    yield b'\0label,a,t\n1,"2","x\ny"\n0,3,""\n'
    yield b"\1" + CSV.replace(b",", b"\t")
    yield b"\2" + JSONL
    yield b"\3" + CSV
    yield b"\6" + CSV
    yield b"\x08" + JSONL
    yield b"\x09id,label,a,b,t\n1,1,0.9,x,2023-11-01\n2,,0.3,,2023-11-02T10:00:00.5+01:00\n"
    yield b"\x0b" + b'{"id": "k", "label": 1, "a": 0.5, "b": "x", "t": 1600000000}\n'


def read_events(data):
    from roclab.readers.events import EventLines

    if data:
        positive = ("1", "yes", None)[data[0] % 3]
        lines = EventLines(label="label", score="a", weight="w" * (data[0] & 8 > 0) or None)
        lines.positive = positive
        for one in lines.read(io.BytesIO(data[1:])):
            repr(one)


def events():
    yield b"\2" + JSONL
    yield b"\0" + CSV
    yield b"\x09" + CSV.replace(b"true", b"yes")
    yield b"\0" + CSV.replace(b",", b"\t")


def read_measures(data):
    from roclab.measures.specification import find_measures

    find_measures(text_of(data))


def read_condition(data):
    from roclab.monitor.rules import parse_condition

    condition = parse_condition(text_of(data))
    assert parse_condition(str(condition)) == condition


def read_settings(data):
    from roclab.monitor.settings import Settings

    with tempfile.NamedTemporaryFile(suffix=".toml") as file:
        file.write(data)
        file.flush()
        repr(Settings.read(file.name))


SETTINGS = """\
data = "here"
[server]
port = 8711
trusted_proxies = ["127.0.0.1"]
[store]
retention = "90d"
[limits]
body = 10000
ahead = "5 m"
[defaults]
cohort = "hour"
reference = "2026-01-01/2026-03-01"
[model.credit]
time_zone = "Europe/Berlin"
horizon = "1.5h"
missing_label = "negative"
coverage = 0.9
segments = ["region"]
reference = "first 40"
[model.new]
challenger_of = "credit"
margin = 0.01
[alerts]
false_alarms_per_month = 2
page = "https://monitor.example.org"
"""
CHANNELS = """\
[[alerts.channel]]
type = "webhook"
name = "hook"
url = "https://example.org/hook?a=1"
secret_env = "SECRET"
[[alerts.channel]]
type = "mail"
host = "mail.example.org"
to = ["a@example.org"]
sender = "b@example.org"
[[rule]]
when = "silence > 2h"
for = "3 cohorts"
"""


def read_body(data):
    """Rows as the monitor reads them: by lines, lists and columns, of each kind."""
    from roclab.monitor.columns import check_labels, check_predictions
    from roclab.monitor.schema import (
        Checker,
        DeploymentRow,
        LabelRow,
        PredictionRow,
        SummaryRow,
        decode,
    )
    from roclab.monitor.settings import Limits

    if not data:
        return
    kinds = (PredictionRow, LabelRow, SummaryRow, DeploymentRow)
    kind = kinds[data[0] % 4]
    limits = Limits(batch=1000)
    rows = decode(data[1:], kind, limits)
    for check, of in ((check_predictions, PredictionRow), (check_labels, LabelRow)):
        if kind is of:
            # Few rows are checked one by one, and many by columns, with the same outcome.
            few = [check([row], "credit", Checker(limits), NOW) for row in rows]
            many = check(rows * (1 + 64 // len(rows)), "credit", Checker(limits), NOW)
            refused = {place for place, one in enumerate(few) if one.refused}
            assert refused == {place for place in many.refused if place < len(rows)}


def bodies():
    row = {"id": "a1", "score": 0.5, "time": "2023-11-14T20:00:00Z", "version": "v1"}
    more = {"segments": {"region": "north", "n": 3}, "label": 1, "label_time": 1_699_999_000}
    label = {"id": "0b1e2f30-1111-4222-8333-944455556666", "label": True, "time": 1_699_999_000.5}
    summary = {"cohort": "2023-11-01", "auc": 0.8, "variance": 0.001, "n_pos": 20, "n_neg": 30}
    deployed = {"version": "v2", "time": "2023-11-01T00:00:00+01:00", "note": "new"}
    for kind, one in enumerate((row | more, label, summary | {"model": "b"}, deployed)):
        line = json.dumps(one).encode()
        yield bytes([kind]) + line
        yield bytes([kind]) + b"[" + line + b", " + line + b"]"
        yield bytes([kind]) + line + b"\n" + json.dumps(one | {"model": "x"}).encode() + b"\n"


def read_packed(data):
    from starlette.exceptions import HTTPException

    from roclab.monitor.api.body import Intake
    from roclab.monitor.settings import Limits

    with contextlib.suppress(HTTPException):
        assert len(Intake(Limits(body=2000))._unpacked(data)) <= 2000


def read_time(data):
    """A time as each room reads it: of rows, of questions, of files, of a command."""
    import narwhals as nw
    import polars as pl
    from starlette.exceptions import HTTPException

    from roclab.monitor.api.reading import time_of
    from roclab.monitor.delivery.http import retry_after
    from roclab.monitor.history import _time_of
    from roclab.monitor.schema import Checker, Refused
    from roclab.monitor.settings import Limits
    from roclab.readers.values import label_of
    from roclab.scale.cohort_rows import _times_of_text
    from roclab.scale.cohorts import _end
    from roclab.scale.posting import _retry_after

    text, zone = text_of(data), ZoneInfo("Europe/Berlin")
    days = nw.from_native(pl.Series("day", [date(2024, 1, 1)]), series_only=True)
    for read in (
        lambda: Checker(Limits()).time(text, NOW),
        lambda: time_of(text),
        lambda: _time_of(text, zone),
        lambda: _times_of_text(pl.Series("t", [text]), "Europe/Berlin"),
        lambda: _end(text, zone),
        lambda: label_of(text, days),
        lambda: retry_after(text, now=NOW / 1e6),
        lambda: _retry_after(text, 1.0),
    ):
        with contextlib.suppress(Refused, HTTPException):
            checked(read)


def read_signature(data):
    from roclab.monitor.delivery.signature import sign, verify_signature

    stamp, _, given = text_of(data).partition("\n")
    true = sign("secret", stamp, b"[]")
    assert given == true or not verify_signature("secret", stamp, b"[]", given, now=1.7e9)


def read_address(data):
    from roclab.monitor.delivery.endpoint import Endpoint
    from roclab.scale.posting import Target as Monitor

    text = text_of(data)
    for read in (
        lambda: Endpoint.of(text, where="here"),
        lambda: Monitor.of(text, token=None, timeout=1),
    ):
        with contextlib.suppress(ValueError):
            repr(read())


def read_amount(data):
    from roclab.scale.memory import memory_bytes

    assert memory_bytes(text_of(data)) > 0


def read_act(data):
    from starlette.exceptions import HTTPException

    from roclab.monitor.api.acts import _act

    with contextlib.suppress(HTTPException):
        repr(_act(data))


# Requests to a monitor in this process: the first line is what is asked for, then come headers.
QUESTIONS = (
    "/v1/models/credit/history?stream=1&since=2023-11-01&until=2023-11-14T12:00:00Z&last=3",
    "/v1/models/credit/distributions?stream=1&cohort=2023-11-01",
    "/v1/models/credit/comparison?challenger=new",
    "/v1/models/%6eew/series?stream=-1\nAuthorization: Bearer rlm_x",
    "/v1/alerts?model=credit&before=1&open=true&last=2",
    '/static/app.js\nAccept-Encoding: gzip;q=0.5\nIf-None-Match: "x"',
    "/v1/models\nOrigin: http://a.example\nSec-Fetch-Site: cross-site",
    "/metrics\nHost: [::1]:80",
)


def read_question(data):
    line, *lines = data.split(b"\n")
    path, _, query = line.partition(b"?")
    if path == b"/v1/events":  # which never ends
        return
    headers = [one.split(b":", 1) for one in lines if b":" in one]
    status = monitor().run(
        answer_of(path, query, [(name.strip().lower(), value.strip()) for name, value in headers])
    )
    assert status < 500, status


@functools.cache
def monitor():
    """With two models that have rows; fuzzing ends the process without closing it."""
    from roclab.monitor.settings import Settings
    from tests.unit.monitor.api.client import Client

    folder = DATA / "monitor"
    shutil.rmtree(folder, ignore_errors=True)
    client = Client(Settings(data=folder))
    client._thread.daemon = True
    client.__enter__()
    rows = [
        {"model": model, "id": str(i), "score": i % 17 / 17, "label": i % 3 == 0, "version": "1"}
        | {"segments": {"region": "north" if i % 2 else "south"}}
        for model in ("credit", "new")
        for i in range(300)
    ]
    client.send("/v1/predictions", rows)
    return client


def close_monitor():
    if monitor.cache_info().currsize:
        monitor().__exit__()
        monitor.cache_clear()


async def answer_of(path, query, headers):
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET"}
    scope |= {"path": unquote(path.decode("latin-1"), errors="replace"), "raw_path": path}
    scope |= {"query_string": query, "root_path": "", "scheme": "http", "headers": headers}
    if not any(name == b"host" for name, _ in headers):
        headers.append((b"host", b"127.0.0.1"))
    scope |= {"client": ("127.0.0.1", 50_000), "server": ("127.0.0.1", 8711)}
    status = []

    async def receive():
        return {"type": "http.request" if not status else "http.disconnect", "body": b""}

    async def send(message):
        if message["type"] == "http.response.start":
            status.append(message["status"])

    await monitor().app(scope, receive, send)
    return status[0]


# Answers of servers: to a client of the monitor, to a job that posts summaries, and to an alert.
ANSWERS = (
    'HTTP/1.1 200 OK\r\n\r\n{"accepted": 1, "duplicate": 0, "corrected": 0, "rejected": 1, '
    '"rows": [{"row": 0, "outcome": "rejected", "reason": "no score"}]}',
    'HTTP/1.1 503 No\r\nRetry-After: 7\r\nContent-Length: 15\r\n\r\n{"error": "no"} ',
    "HTTP/1.1 429 No\r\nRetry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n\r\nno",
    "HTTP/1.1 422 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfalse\r\n0\r\n\r\n",
    "HTTP/1.0 301 Moved\r\nLocation: http://127.0.0.1/\r\n\r\n",
)


def read_answer(data):
    import roclab.monitor.client as sending
    from roclab.monitor.delivery.endpoint import Endpoint
    from roclab.monitor.delivery.http import HttpClient
    from roclab.scale.posting import Target as Monitor

    @contextlib.contextmanager
    def connection():
        here, there = socket.socketpair()
        with here, there:
            there.sendall(data)
            there.shutdown(socket.SHUT_WR)
            yield here

    def opened(*_, **__):
        asking = http.client.HTTPConnection("localhost")
        asking.sock = stack.enter_context(connection())
        asking.auto_open = 0
        stack.callback(asking.close)  # with its answer, which keeps the socket open
        return asking

    def open_answer(*_, **__):
        asking = opened()
        asking.request("POST", "/")
        answer = asking.getresponse()
        stack.callback(answer.close)
        return answer

    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch("time.sleep"))
        client = sending.Client("http://localhost", model="m")
        client._connected = opened
        client._stopping.wait = lambda _: client._stopping.set()
        client._send_lines([b"{}"], "predictions")
        monitor = Monitor.of("http://localhost", token=None, timeout=1)
        opener = mock.Mock(open=open_answer)
        monitor = dataclasses.replace(monitor, opener=opener)
        checked(lambda: [[b"{}"][one["row"]] for one in monitor.post([b"{}"])])
        sender = HttpClient(resolve=lambda *_: ["127.0.0.1"])
        endpoint = Endpoint.of("http://127.0.0.1/", where="here")
        with mock.patch.object(HttpClient, "_connected", side_effect=lambda *_: opened().sock):
            checked(lambda: sender.post(endpoint, b"", attempt_id="1"))


def paths():
    file = DATA / "paths" / "a b.csv"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(CSV)
    for one in (file, os.path.relpath(file), file.as_uri(), f"FILE://localhost{quote(str(file))}"):
        yield str(one).encode()


def read_path(data):
    """Names of files as they are given; folders and patterns would be searched."""
    from roclab import read_scores
    from roclab.cli.engine import chosen_engine
    from roclab.readers.remote import is_remote, local_path

    def is_folder(text):
        with contextlib.suppress(ValueError):
            return os.path.isdir(os.path.expanduser(local_path(text)))

    text = text_of(data)
    if not is_remote(text) and set(text).isdisjoint("*?[") and not is_folder(text):
        checked(lambda: chosen_engine(text, "auto", None))
        read_scores(text, y_true="label", y_score="a")


# Commands with their arguments, one in a line. FILE stands for a table, and numbers are kept small:
# how long it takes is what was asked for.
COMMANDS = (
    "evaluate FILE --label label --measure auc,partial_auc(fpr_range=(0,0.1)) --weighting pairs",
    "evaluate FILE --label label --missing-labels bounds --positive-rate 0.1,0.2",
    "compare FILE --label label --score a,b --format json --memory 1GB",
    "threshold FILE --label label --score a --false-positive-cost 2 --false-negative-cost 5",
    "repair FILE --label label --score a --fit-on b=0 --check-on b=2",
    "power --auc 0.7 --n-pos 20 --n-neg 30 --alpha ?",
    "plot FILE --kind roc --label label --score a --output p.svg",
    "change FILE FILE --label label --score a --by b",
    "measures --format json",
)


def read_command(data):
    from roclab.cli import main

    folder = DATA / "commands"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "table.csv"
    file.write_text(
        "label,a,b\n" + "".join(f"{i % 2},{i * 7 % 10 / 9},{i % 3}\n" for i in range(20))
    )
    numbers = re.sub(r"(?<=\d)[\d_]{2,}|[eE]\+?\d+", "", text_of(data).replace("\0", ""))
    words = [word.replace("FILE", str(file)) for word in numbers.split("\n")]
    # What is given must not be read from elsewhere, or written there, and must end.
    words = [word for word in words if word == str(file) or not set("/~*") & set(word)]
    if not words or words[0] not in {one.split()[0] for one in COMMANDS}:
        return
    given, silent = (io.TextIOWrapper(io.BytesIO(content)) for content in (CSV, b""))
    streams = {"stdin": given, "stdout": silent, "stderr": silent}
    with contextlib.chdir(folder), mock.patch.multiple(sys, **streams):
        assert main(words) in (0, 2, 3)


TARGETS = {
    "states": Target(read_state, states),
    "models": Target(read_model, model_parts),
    "repairs": Target(read_repair, lambda: kept_files("repair")),
    "tables": Target(read_table, tables),
    "events": Target(read_events, events),
    "measures": Target(
        read_measures,
        lines_of(
            "auc, partial_auc(fpr_range=(0, 0.1))",
            "scored_auc(normalize=True)",
            "net_benefit(threshold=.3)",
            "roc_auc,brier_score",
        ),
    ),
    "conditions": Target(
        read_condition, lines_of("auc.low < 0.70", "silence > 2h", "psi.pvalue<=.01", "volume>=1")
    ),
    "settings": Target(read_settings, lines_of(SETTINGS, CHANNELS)),
    "bodies": Target(read_body, bodies),
    "packed bodies": Target(read_packed, lambda: iter([gzip.compress(b"{}" * 900)])),
    "times": Target(
        read_time,
        lines_of(
            *("2023-11-14T20:00:00Z", "2023-11-14 20:00:00.123+01:00", "2023-11-14", "20231114"),
            *("1700000000.5", "120", "Wed, 21 Oct 2026 07:28:00 GMT", "0001-01-01T00:00:00+14:00"),
        ),
    ),
    "signatures": Target(
        read_signature, lines_of("1700000000\nv1=" + "0" * 64, "1700000000\nv1=\xe9")
    ),
    "addresses": Target(
        read_address,
        lines_of(
            "https://example.org:443/hook?a=1#b",
            "http://127.0.0.1:8711",
            "https://[::1]/",
            "https://xn--bcher-kva.example/%20",
        ),
    ),
    "acts": Target(
        read_act,
        lines_of(
            '{"kind": "mute", "reason": "why", "until": "2026-01-01", "stream": 1}',
            '{"kind": "close", "reason": "a\\nb", "alert": 2}',
        ),
    ),
    "questions": Target(read_question, lines_of(*QUESTIONS)),
    "answers": Target(read_answer, lines_of(*ANSWERS)),
    "paths": Target(read_path, paths),
    "commands": Target(read_command, lines_of(*(one.replace(" ", "\n") for one in COMMANDS))),
    "amounts": Target(read_amount, lines_of("2GB", "1.5 TB", "20000000")),
}


def checked(read: Callable[[], object]) -> None:
    """Call what may refuse by an error of ours, with all its parts."""
    from roclab.errors import RoclabError

    try:
        read()
    except RoclabError as error:
        text = str(error)
        if not error.part("found") or not text or "\n" in text:
            raise AssertionError(f"a message without parts: {text!r}") from error


def parsed(target: str, data: bytes) -> None:
    """Let a target read an input; raise what should not have escaped."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checked(lambda: TARGETS[target].parse(data))


def fuzz(target: str, arguments: list[str]) -> None:
    """Let libFuzzer look for inputs; it ends the process."""
    import atheris

    atheris.enabled_hooks.add("str")  # it sees what texts are compared with
    with atheris.instrument_imports(include=["roclab"]):
        for seed in TARGETS[target].seeds():
            parsed(target, seed)  # imports what is needed, instrumented
    atheris.Setup([sys.argv[0], *arguments], lambda data: parsed(target, data))
    atheris.Fuzz()


def search(seconds: int, names: list[str]) -> int:
    """Fuzz targets, JOBS at a time; 1 if something was found."""
    if importlib.util.find_spec("atheris") is None:
        print("skipped: atheris has no wheel for this Python and platform")
        return 0
    FOUND.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        return int(any(list(pool.map(lambda name: failed(name, seconds), names or TARGETS))))


def failed(name: str, seconds: int) -> bool:
    """Fuzz a target in a process of its own, and say what came of it."""
    folder = INPUTS / name.replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(TARGETS[name].seeds()):
        (folder / f"seed-{number}").write_bytes(seed)
    limits = [*LIMITS, f"-max_total_time={seconds}", f"-artifact_prefix={FOUND}/{folder.name}-"]
    if "CI" in os.environ:  # so that what fails is due to the change, as far as time allows
        limits.append("-seed=1")
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-S", __file__, "--fuzz", name, str(folder), *limits],
        capture_output=True,
        text=True,
        errors="replace",
    )
    runs = re.search(r"number_of_executed_units:\s*(\d+)", done.stderr)
    covered = re.findall(r"cov: (\d+)", done.stderr)
    print(
        f"{name}: {int(runs[1]) if runs else 0:,} inputs in {time.monotonic() - begun:.0f} s, "
        f"{covered[-1] if covered else '?'} edges{'' if done.returncode == 0 else ', FAILED'}",
        flush=True,
    )
    if done.returncode:
        print(done.stderr[-6000:])
    return done.returncode != 0


def main(arguments: list[str]) -> int:
    """What the command line asks for."""
    if arguments[0] == "--fuzz":
        fuzz(arguments[1], arguments[2:])
    elif arguments[0] == "--one":
        for file in arguments[2:]:
            parsed(arguments[1], Path(file).read_bytes())
    elif arguments[0] == "--core-inputs":
        core_inputs(Path(arguments[1]))
    else:
        return search(int(arguments[0]), arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
