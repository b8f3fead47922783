"""Long work that is killed at random moments is done or not done, and can be done again."""

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import timedelta

import polars as pl
import pytest

from roclab.monitor.schema import Label
from roclab.monitor.settings import Settings, StoreSettings
from roclab.monitor.store import migrations
from roclab.monitor.store.database import FILE, damage_of
from tests.e2e.monitor.written import Written
from tests.unit.monitor.fleet import DAY, START, World, maker

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL"),
    pytest.mark.parametrize("kills", [2, pytest.param(12, marks=pytest.mark.slow)]),
]

IMPORT = """
import sys
from roclab.cli import main
import roclab.monitor.replay, polars
print("begins", flush=True)
options = "--model credit --label label --score score --time time --id id --label-time label_time"
sys.exit(main(["monitor", "import", sys.argv[2], *options.split(), "--segment", "region",
    "--data", sys.argv[1]]))
"""
BACKUP = """
import sys
from pathlib import Path
from roclab.monitor.store.sqlite import SQLiteStore
store = SQLiteStore(Path(sys.argv[1]), shared=True)
print("begins", flush=True)
for _ in range(50):
    store.backup(Path(sys.argv[2]))
"""
MIGRATION = """
import sys
from pathlib import Path
from roclab.monitor.store import database, migrations
from roclab.monitor.store.sqlite import SQLiteStore
migrations._STEPS = (*migrations._STEPS, sys.argv[2], sys.argv[3])
migrations.VERSION = database.VERSION = len(migrations._STEPS)
print("begins", flush=True)
SQLiteStore(Path(sys.argv[1])).close()
"""
RETENTION = """
import sys
from datetime import timedelta
from pathlib import Path
from roclab.monitor.installation import Installation
from roclab.monitor.settings import Settings, StoreSettings
from roclab.monitor.store.sqlite import SQLiteStore
store = SQLiteStore(Path(sys.argv[1]))
settings = Settings(store=StoreSettings(retention=timedelta(days=2)))
now = int(sys.argv[2])
installation = Installation(settings, store, lambda: now)
print("begins", flush=True)
removed = 1
while removed:
    with store.transaction():
        removed = installation.remove_old(now, 40)
store.close()
"""
FORGET = """
import sys
from pathlib import Path
from roclab.monitor.installation import Installation
from roclab.monitor.settings import Settings
from roclab.monitor.store.sqlite import SQLiteStore
store = SQLiteStore(Path(sys.argv[1]))
installation = Installation(Settings(), store, lambda: int(sys.argv[2]))
print("begins", flush=True)
for name in list(installation.models):
    if name != "kept":
        with store.transaction():
            installation.forget_model(name)
        installation.committed()
if installation.has_traces:
    installation.remove_traces()
store.close()
"""


def killed(program, *arguments, kills, seconds, seed=0):
    """Run a program, kill it several times at random moments, and let it end at last.

    Yields after each time; whether it was killed, and not done before.
    """
    chosen = random.Random(seed)
    for turn in range(kills + 1):
        process = subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with process:
            assert process.stdout.readline() == "begins\n", process.stderr.read()
            if turn < kills:
                time.sleep(chosen.uniform(0, seconds))
                process.kill()
            _, err = process.communicate(timeout=100)
        assert process.returncode in (0, -signal.SIGKILL), err
        assert turn < kills or process.returncode == 0
        yield process.returncode != 0


def filled(directory, models=("credit",), days=6):
    """Make a store with some days of models, and corrections; return its time."""
    world = World(directory, Settings())
    for number, model in enumerate(models):
        world.live(model, days, maker(number, count=60))
    for model in models:
        number = world.installation.models[model].record.number
        rows = [row for part in world.store.events(number) for row in part[::7]]
        world.label(model, [Label(row[0], not row[7], world.now) for row in rows])
    world.tick(world.now + 5)
    world.store.close()
    return world.now


def test_import(tmp_path, kills):
    """Killed and called again, it says what it says in one go."""
    make, rng = maker(1, count=90, broken_from=45), random.Random(2)
    columns = {name: [] for name in ("id", "time", "score", "label", "label_time", "region")}
    for day in range(60):
        for row, label in zip(*make(day), strict=True):
            late = row.time + rng.randrange(2 * DAY)
            for name, value in zip(
                columns,
                (row.id.hex(), row.time, row.score, int(label), late, row.segments[0][1]),
                strict=True,
            ):
                columns[name].append(value)
    frame = pl.DataFrame(columns).with_columns(pl.col("time", "label_time").cast(pl.Datetime("us")))
    file = tmp_path / "rows.parquet"
    frame.write_parquet(file)
    assert not list(killed(IMPORT, tmp_path / "killed", file, kills=kills, seconds=2.5))[-1]
    once = list(killed(IMPORT, tmp_path / "once", file, kills=0, seconds=0))
    assert once == [False]
    found, expected = (Written(tmp_path / name).models["credit"] for name in ("killed", "once"))
    assert found.streams == expected.streams
    assert found.rows == expected.rows
    assert found.frozen == expected.frozen
    assert found.now == expected.now
    assert found.blocks == expected.blocks
    assert [one["key"] for one in found.alerts] == [one["key"] for one in expected.alerts]
    assert found.alerts == expected.alerts
    assert len(found.alerts) > 0


def test_backup(tmp_path, kills):
    """The copy is not there, or it is whole."""
    filled(tmp_path / "data")
    before = Written(tmp_path / "data")
    copy = tmp_path / "copies" / FILE
    copy.parent.mkdir()
    for _ in killed(BACKUP, tmp_path / "data", copy, kills=kills, seconds=0.3):
        if copy.exists():
            assert damage_of(copy.parent) == []
            assert Written(copy.parent).models == before.models
    assert copy.exists()
    assert Written(tmp_path / "data").models == before.models


def test_migration(tmp_path, kills):
    """All steps or none, and the backup is of what was before all of them."""
    filled(tmp_path / "older", days=20)
    version = migrations.VERSION
    before = Written(tmp_path / "older").models
    steps = (
        "ALTER TABLE event ADD COLUMN colour TEXT",
        "UPDATE event SET colour = hex(randomblob(400)); CREATE INDEX by_colour ON event (colour)",
    )
    for seed in range(kills):
        data = shutil.copytree(tmp_path / "older", tmp_path / str(seed))
        for _ in killed(MIGRATION, data, *steps, kills=1, seconds=0.15, seed=seed):
            with closing(sqlite3.connect(data / FILE)) as connection:
                [(found,)] = connection.execute("PRAGMA user_version")
                columns = {row[1] for row in connection.execute("PRAGMA table_info(event)")}
                assert found in (version, version + 2)
                assert ("colour" in columns) == (found == version + 2)
                if found > version:
                    [(empty,)] = connection.execute("SELECT sum(colour IS NULL) FROM event")
                    assert empty == 0
            assert damage_of(data) == []
        assert found == version + 2
        restored = data / "restored"
        restored.mkdir()
        (data / f"monitor-version-{version}.sqlite").rename(restored / FILE)
        assert Written(restored).models == before


def test_retention(tmp_path, kills):
    """Rows go in parts; readings stay, whenever it is killed."""
    now = filled(tmp_path, days=12)
    before = Written(tmp_path).models["credit"]
    for _ in killed(RETENTION, tmp_path, now, kills=kills, seconds=0.1):
        found = Written(tmp_path).models["credit"]
        assert damage_of(tmp_path) == []
        for name in ("cohorts", "now", "frozen", "blocks", "alerts"):
            assert getattr(found, name) == getattr(before, name)
        known = {row.number: row for row in before.rows}
        assert all(row == known[row.number] for row in found.rows)
    assert {row.cohort for row in found.rows} == {START + day * DAY for day in (10, 11)}
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        [(left,)] = connection.execute(
            "SELECT count(*) FROM correction WHERE event NOT IN (SELECT number FROM event)"
        )
    assert left == 0
    world = World(tmp_path, Settings(store=StoreSettings(retention=timedelta(days=2))), now=now)
    world.tick(now + 60_000_000)
    assert not list(world.installation.changed())
    world.store.close()


def test_forgetting(tmp_path, kills):
    """A model is there with all that is said about it, or is gone with all of it."""
    names = [f"model-{number}" for number in range(12)]
    now = filled(tmp_path / "all", models=("kept", *names), days=2)
    before = Written(tmp_path / "all").models
    for seed in range(kills):
        data = shutil.copytree(tmp_path / "all", tmp_path / str(seed))
        for _ in killed(FORGET, data, now, kills=1, seconds=0.3, seed=seed):
            found = Written(data).models
            assert damage_of(data) == []
            assert "kept" in found
            for name, model in found.items():
                assert model == before[name]
        assert list(found) == ["kept"]
        content = (data / FILE).read_bytes()
        assert b"kept" in content
        assert b"model-" not in content
