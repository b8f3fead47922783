"""One table, imported by one monitor and summarised for another: the same readings."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection

import numpy as np
import polars as pl
import pytest

import roclab as rl
from tests.e2e.monitor.process import Monitor, eventually, run

CONFIG = """
[server]
require_tokens = true
[model.credit]
time_zone = "Europe/Berlin"
"""
STREAMS = ("", "?segment=region&value=north", "?segment=region&value=west")
EXACT = ("n", "n_labelled", "n_pos", "n_neg", "auc", "positive_rate", "coverage")
CLOSE = ("low", "high", "standard_error", "mean_score")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Predictions over a change of the clocks; few labels are missing, one region is small."""
    rng = np.random.default_rng(5)
    n = 4000
    y = rng.random(n) < 0.25
    labels = pl.Series(y.astype(int)).set(pl.Series(rng.random(n) < 0.02), None)
    start = datetime(2025, 3, 26, 23, tzinfo=UTC)  # midnight in Berlin
    seconds = rng.integers(0, 8 * 86_400 - 3600, n).tolist()
    frame = pl.DataFrame(
        {
            "label": labels,
            "score": np.round(rng.normal(size=n) + y, 1),
            "decided_at": [start + timedelta(seconds=one) for one in seconds],
            "region": rng.choice(["north", "south", "west"], n, p=[0.6, 0.38, 0.02]),
        }
    )
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    frame.write_parquet(path)
    return path


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "monitor.toml"
    path.write_text(CONFIG)
    return path


@pytest.fixture
def start(tmp_path, config):
    """A function that starts a monitor on a directory, with tokens of each scope."""
    started = []

    def start(name):
        one = Monitor(tmp_path / name, config)
        started.append(one)
        one.start()
        one.tokens = {scope: token(one, scope) for scope in ("write", "read")}
        eventually(lambda: get(one, "/v1/models")[0] == 200)  # it looks for tokens now and then
        return one

    yield start
    for one in started:
        one.stop()


def token(monitor, scope):
    options = ("--scope", scope, "--data", monitor.directory, "--config", monitor.config)
    made = run("monitor", "token", "create", scope, *options)
    assert made.returncode == 0, made.stderr
    return made.stdout.split()[-1]


def get(monitor, path):
    with closing(HTTPConnection("127.0.0.1", monitor.port, timeout=60)) as line:
        line.request("GET", path, headers={"Authorization": f"Bearer {monitor.tokens['read']}"})
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())


def readings(monitor):
    """Frozen readings of some streams, by stream and cohort."""
    found = {}
    for query in STREAMS:
        status, content = get(monitor, f"/v1/models/credit/history{query}")
        assert status == 200, content
        found |= {(query, one["cohort"]): one["frozen"] for one in content["cohorts"]}
    return found


@pytest.mark.slow
def test_an_import_and_summaries_have_the_same_readings(start, config, path, tmp_path):
    columns = ("--label", "label", "--score", "score", "--time", "decided_at")
    options = ("--segment", "region", "--data", tmp_path / "rows", "--config", config)
    done = run("monitor", "import", path, "--model", "credit", *columns, *options)
    assert done.returncode == 0, done.stderr

    summaries = rl.scale.cohort_summaries(
        path,
        y_true="label",
        y_score="score",
        time="decided_at",
        model="credit",
        time_zone="Europe/Berlin",
        by="region",
        until="2025-04-04",
    )
    other = start("summaries")
    url, secret = f"http://127.0.0.1:{other.port}", other.tokens["write"]
    posted = summaries.post(url, token=secret)
    assert (posted.accepted, posted.refused) == (len(summaries.rows), ())
    assert summaries.post(url, token=secret).duplicate == len(summaries.rows)

    own, sent = readings(start("rows")), readings(other)
    assert own.keys() == sent.keys()
    assert len(own) == 8 * len(STREAMS)
    assert any(one["auc"] is None for one in own.values())  # too few
    for place, reading in own.items():
        for name in EXACT:
            assert sent[place][name] == reading[name], (place, name)
        expected = {name: reading[name] for name in CLOSE if reading[name] is not None}
        found = {name: sent[place][name] for name in CLOSE if sent[place][name] is not None}
        assert found == pytest.approx(expected, rel=1e-12), place

    with pytest.raises(rl.RoclabError, match=r"401 .*Pass a valid token"):
        summaries.post(url, token="made-up")
    with pytest.raises(rl.RoclabError, match=r"403 .*Pass a token with the scope write"):
        summaries.post(url, token=other.tokens["read"])
