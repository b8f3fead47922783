"""The pages about the monitor, and the files that they name, are about this monitor."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from types import ModuleType

import documents
import pytest

from roclab.monitor.rules import COHORT_QUANTITIES, NOW_QUANTITIES
from roclab.monitor.settings import (
    AlertSettings,
    Limits,
    ModelSettings,
    RuleSettings,
    ServerSettings,
    Settings,
    StoreSettings,
)
from tests.e2e.monitor.process import Monitor

HOW_TO = documents.ROOT / "docs" / "how_to"
FILES = documents.ROOT / "examples" / "monitor"
RUN = HOW_TO / "run_the_monitor.md"
SERVED = "<!-- run with a service -->"
METRIC = re.compile(r"\broclab_[a-z_]+\b")
OF_A_RULE = {"lasting": "for", "condition": "when"}  # fields whose keys are other words


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    monitor = Monitor(tmp_path_factory.mktemp("served")).start()
    yield monitor
    monitor.stop()


# Settings


def rows_below(heading):
    """Rows of the first table of keys below a heading: key and default."""
    text = RUN.read_text("utf-8").split(f"\n### {heading}\n")[1]
    table = text.split("|---|---|---|\n")[1].split("\n\n")[0]
    return dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", table, re.MULTILINE))


def in_toml(value):
    """A default as the page shows it."""
    if value is None or value == ():
        return "\N{EN DASH}" if value is None else "`[]`"
    if isinstance(value, timedelta):
        unit = {86_400: "d", 60: "m"}
        seconds = next(one for one in unit if value.total_seconds() % one == 0)
        return f'`"{value.total_seconds() / seconds:g}{unit[seconds]}"`'
    return f"`{json.dumps(value if isinstance(value, bool | int | float) else str(value))}`"


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("`[server]`", ServerSettings),
        ("`[store]`", StoreSettings),
        ("`[limits]`", Limits),
        ("`[defaults]` and `[model.NAME]`", ModelSettings),
        ("`[alerts]`", AlertSettings),
    ],
)
def test_every_setting_is_on_the_page_with_its_default(heading, kind):
    assert rows_below(heading) == {
        one.name: in_toml(getattr(kind(), one.name)) for one in fields(kind)
    }


def test_every_key_of_a_rule_is_on_the_page():
    keys = {OF_A_RULE.get(one.name, one.name) for one in fields(RuleSettings)}
    assert set(rows_below("`[[rule]]`")) == keys
    quantities = RUN.read_text("utf-8").split("\n`when` compares")[1].split("\n## ")[0]
    named = set(re.findall(r"`([a-z_.]+)`", quantities))
    assert named == {*COHORT_QUANTITIES, *NOW_QUANTITIES}


def test_every_table_of_the_settings_is_on_the_page():
    headings = " ".join(re.findall(r"^### (.*)$", RUN.read_text("utf-8"), re.MULTILINE))
    for one in fields(Settings):
        assert one.name in (headings + " data"), one.name
    assert rows_below("Top level") == {"data": in_toml(str(Settings().data))}


def test_settings_on_pages_are_valid():
    samples = [
        text
        for page in HOW_TO.glob("*monitor*.md")
        for language, _, text in documents.blocks(page)
        if language == "text" and re.match(r"(data = |\[(server|alerts|defaults|\[rule))", text)
    ]
    assert len(samples) >= 2
    for text in samples:
        Settings.of(tomllib.loads(text))


# What a running service answers


def served_blocks():
    for page in sorted((documents.ROOT / "docs").rglob("*.md")):
        if page.is_relative_to(documents.BUILT):
            continue
        for part in page.read_text("utf-8").split(SERVED)[1:]:
            _, language, script = re.split(r"```(\w+)\n", part, maxsplit=1)
            yield pytest.param(language, script.split("\n```")[0], id=f"{page.stem}-{language}")


def blocks_in(language):
    chosen = [one for one in served_blocks() if one.values[0] == language]
    return [pytest.param(one.values[1], id=one.id) for one in chosen]


@pytest.mark.parametrize("script", blocks_in("py"))
def test_lines_of_python_reach_the_service(service, script):
    script = script.replace("8711", str(service.port))
    done = subprocess.run(
        [sys.executable, "-c", f"{script}\nassert client.flush(timeout=60)\nprint(client.counts)"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "accepted 2, rejected 0, dropped 0, pending 0" in done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")
@pytest.mark.parametrize("script", blocks_in("text"))
def test_lines_for_a_service_do_what_they_say(service, tmp_path, script):
    # --json is younger than curl of some distributions; these are the options that it stands for.
    script = script.replace("curl --json", "curl -H 'Content-Type: application/json' -d")
    script = script.replace("curl", "curl --fail-with-body -sS").replace("8711", str(service.port))
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    answers = re.findall(r'"rejected":(\d+)', done.stdout)
    assert set(answers) <= {"0"}, done.stdout


# Metrics


@pytest.fixture(scope="module")
def metrics(service):
    """The metrics of a service with a model."""
    rows = [{"id": str(one), "score": one / 9, "label": one % 2} for one in range(10)]
    assert service.ask("POST", "/v1/predictions?model=measured", rows)[0] == 200
    done = subprocess.run(
        [
            *(sys.executable, "-c"),
            "import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read().decode())",
            f"http://127.0.0.1:{service.port}/metrics",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_metrics_of_the_page_are_those_of_the_service(metrics):
    known = set(re.findall(r"^# TYPE (\w+) ", metrics, re.MULTILINE))
    page = (HOW_TO / "monitor_metrics.md").read_text("utf-8")
    table = page.split("|---|---|\n")[1].split("\n\n")[0]
    assert set(METRIC.findall(table)) == known
    assert set(METRIC.findall(page)) - {"roclab_token"} == known


@pytest.mark.parametrize("name", ["grafana_dashboard.json", "prometheus_rules.yml"])
def test_files_name_metrics_of_the_service(metrics, name):
    known = set(re.findall(r"^# TYPE (\w+) ", metrics, re.MULTILINE))
    named = set(METRIC.findall((FILES / name).read_text("utf-8")))
    assert named
    assert named <= known
    if name.endswith("json"):
        assert named == known


def test_panels_of_the_dashboard():
    dashboard = json.loads((FILES / "grafana_dashboard.json").read_text("utf-8"))
    panels = dashboard["panels"]
    assert (
        len({one["id"] for one in panels}) == len({one["title"] for one in panels}) == len(panels)
    )
    for one in panels:
        assert one["description"]
        assert [target["refId"] for target in one["targets"]] == ["A", "B", "C"][
            : len(one["targets"])
        ]
        assert one["datasource"]["uid"] == f"${{{dashboard['__inputs'][0]['name']}}}"
    # No two share a place.
    taken = [
        (x, y)
        for place in (one["gridPos"] for one in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(set(taken)) == len(taken)
    assert max(x for x, _ in taken) < 24


def test_what_prometheus_is_told_is_on_the_page():
    page = (HOW_TO / "monitor_metrics.md").read_text("utf-8")
    file = (FILES / "prometheus.yml").read_text("utf-8")
    assert file.split("\n", 1)[1].strip() in page


@pytest.mark.skipif(shutil.which("promtool") is None, reason="no promtool")
def test_prometheus_accepts_its_files():
    for words in (["config", "prometheus.yml"], ["rules", "prometheus_rules.yml"]):
        done = subprocess.run(["promtool", "check", *words], cwd=FILES, capture_output=True)
        assert done.returncode == 0, done.stdout + done.stderr


# Deployment


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd")
def test_systemd_accepts_the_unit(tmp_path):
    unit = (FILES / "roclab-monitor.service").read_text("utf-8")
    command = "/opt/roclab/bin/roclab"
    assert command in unit
    path = tmp_path / "roclab-monitor.service"
    path.write_text(unit.replace(command, sys.executable).replace("User=roclab", "User=root"))
    done = subprocess.run(
        ["systemd-analyze", "verify", str(path)], capture_output=True, text=True, timeout=60
    )
    about = [line for line in done.stderr.splitlines() if "roclab" in line]
    assert (done.returncode, about) == (0, []), done.stderr


@pytest.mark.parametrize("name", ["roclab-monitor.service", "Containerfile"])
def test_options_of_the_command_that_files_run(name):
    text = (FILES / name).read_text("utf-8")
    words = text.split("ENTRYPOINT" if name == "Containerfile" else "ExecStart=")[1].split("\n")[0]
    done = subprocess.run(
        [sys.executable, "-m", "roclab", "monitor", "serve", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    used = re.findall(r"--[a-z]+", words)
    assert used
    assert {*used} <= {*re.findall(r"--[a-z]+", done.stdout)}


# Queues


def test_the_loop_of_the_page_is_that_of_the_file():
    page = (HOW_TO / "feed_the_monitor.md").read_text("utf-8")
    loop = (FILES / "feed_from_nats.py").read_text("utf-8").split("async def main()")[1]
    assert f"async def main(){loop.split('if __name__')[0].rstrip()}\n```" in page


class Message:
    def __init__(self, data):
        self.data, self.acknowledged = data, False

    async def ack(self):
        self.acknowledged = True


def fed(monitor, messages, monkeypatch):
    """Run the script that feeds the monitor from NATS on these messages, without a server."""

    class Stream:
        async def pull_subscribe(self, *_, **__):
            return self

        async def fetch(self, *_, **__):
            if all(one.acknowledged for one in messages):
                raise asyncio.CancelledError
            return messages

        def jetstream(self):
            return self

    async def connect(_):
        return Stream()

    nats = ModuleType("nats")
    nats.connect = connect
    monkeypatch.setitem(sys.modules, "nats", nats)
    monkeypatch.setattr(sys, "argv", ["feed_from_nats.py", monitor])
    script = documents.load_script(FILES / "feed_from_nats.py")
    # In a thread of its own: in this one, tests of pages may have left a loop running.
    with ThreadPoolExecutor(1) as thread, pytest.raises(asyncio.CancelledError):
        thread.submit(asyncio.run, asyncio.wait_for(script.main(), 60)).result()


def test_messages_are_predictions(service, monkeypatch, caplog):
    row = {"model": "queued", "id": "1", "score": 0.5, "segments": {"region": "north"}}
    messages = [
        *(json.dumps(row, indent=1).encode(), json.dumps(row).encode()),  # the second is known
        *(b'{"model": "queued", "id": "2", "score": "high"}', b"no JSON", b'{"score": 1, "x": 2}'),
    ]
    messages = [Message(one) for one in messages]
    fed(f"http://127.0.0.1:{service.port}", messages, monkeypatch)
    assert all(one.acknowledged for one in messages)
    assert len([one for one in caplog.records if one.levelname == "WARNING"]) == 3
    found = service.get("/v1/models/queued")
    assert [one["value"] for one in found["streams"]] == ["north"]


def test_readme_of_examples_names_every_file():
    named = (documents.ROOT / "examples" / "README.md").read_text("utf-8")
    for path in Path(FILES).iterdir():
        if path.name != "__pycache__":
            assert f"`{path.name}`" in named, path.name
