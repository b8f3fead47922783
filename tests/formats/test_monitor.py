"""The monitor's databases of releases: opened, brought up to date, and asked."""

import sqlite3
from contextlib import closing

import pytest

from roclab.errors import InputError
from roclab.monitor import answers
from roclab.monitor.store.database import FILE, damage_of
from roclab.monitor.store.migrations import VERSION
from roclab.monitor.store.sqlite import SQLiteStore
from tests.formats.kept import RELEASES, kept
from tests.formats.monitored import DAYS, exactly, feed, opened, said

DATABASES = [
    pytest.param(one, id=release) for release in RELEASES for one in kept(release, "monitor")
]
COUNTS = ("n", "n_pos", "n_neg", "auc")


def agree(found, expected):
    """What is expected is found, whatever else is; numbers up to rounding."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            agree(found[name], value)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, value in zip(found, expected, strict=True):
            agree(one, value)
    else:
        assert found == (pytest.approx(expected) if isinstance(expected, float) else expected)


def cohorts_of_credit(world):
    return {
        one["cohort"]: {name: one["now"][name] for name in COUNTS}
        for one in answers.history(world.installation, "credit")["cohorts"]
    }


@pytest.mark.parametrize("one", DATABASES)
class TestDatabase:
    def test_it_says_what_it_said(self, one, tmp_path):
        with opened(one, tmp_path) as world:
            agree(said(world), one["recorded"])
            agree(cohorts_of_credit(world), one["exact"])
        assert damage_of(tmp_path) == []

    def test_it_goes_on(self, one, tmp_path):
        """The next days are read as on a database of today."""
        with opened(one, tmp_path) as world:
            feed(world, DAYS)
            feed(world, DAYS + 1)
            found = cohorts_of_credit(world)
            agree(found, exactly(DAYS + 2))
            assert len(answers.comparison(world.installation, "new")["cohorts"]) == DAYS + 2
        with closing(sqlite3.connect(tmp_path / FILE)) as database:
            assert database.execute("PRAGMA user_version").fetchone() == (VERSION,)

    def test_there_is_something_in_every_table(self, one, tmp_path):
        """Without it, a step to a later version would not be tested."""
        (tmp_path / FILE).write_bytes(one["bytes"])
        with closing(sqlite3.connect(tmp_path / FILE)) as database:
            tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            for (name,) in tables.fetchall():
                [(rows,)] = database.execute(f"SELECT count(*) FROM {name}")
                assert rows, name

    def test_a_newer_version_is_refused_and_not_changed(self, one, tmp_path):
        path = tmp_path / FILE
        path.write_bytes(one["bytes"])
        with closing(sqlite3.connect(path)) as database:
            database.execute(f"PRAGMA user_version = {VERSION + 1}")
        before = path.read_bytes()
        with pytest.raises(InputError) as caught:
            SQLiteStore(tmp_path)
        assert str(caught.value) == (
            f"{path} was written by a newer release of roclab, with version {VERSION + 1} of its "
            f"tables; this release knows versions up to {VERSION}. Install the newer release; "
            "nothing was changed."
        )
        assert path.read_bytes() == before
