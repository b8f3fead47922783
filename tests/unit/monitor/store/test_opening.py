"""A database is opened, brought up to date, or refused, and what is refused is not changed."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from roclab.errors import InputError
from roclab.monitor.schema import Prediction
from roclab.monitor.store import migrations
from roclab.monitor.store.database import FILE, StoreError, damage_of
from roclab.monitor.store.records import Block
from roclab.monitor.store.sqlite import SQLiteStore

STEPS = migrations._STEPS


@pytest.fixture
def older(tmp_path, monkeypatch):
    """A database with a row, that a next release finds: its tables have two steps more."""
    store = SQLiteStore(tmp_path)
    with store.transaction():
        model = store.add_model("credit", "day", "UTC", 5)
        store.append(model, [Prediction("a", 0.5, 7, None, (), True, 8)], [0], 9)
    store.close()
    more = (
        "ALTER TABLE event ADD COLUMN colour TEXT",
        "UPDATE event SET colour = 'red'; CREATE INDEX by_colour ON event (colour)",
    )
    set_steps(monkeypatch, (*STEPS, *more))
    return tmp_path


def set_steps(monkeypatch, steps):
    monkeypatch.setattr(migrations, "_STEPS", steps)
    monkeypatch.setattr(migrations, "VERSION", len(steps))
    monkeypatch.setattr("roclab.monitor.store.database.VERSION", len(steps))


def asked(path, query):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


class TestMigration:
    def test_steps_are_made_in_place_after_a_backup(self, older):
        store = SQLiteStore(older)
        assert [one.name for one in store.models()] == ["credit"]
        store.close()
        assert asked(older / FILE, "SELECT id, colour FROM event") == [("a", "red")]
        assert asked(older / FILE, "PRAGMA user_version") == [(len(STEPS) + 2,)]
        [copy] = [one for one in older.glob("*.sqlite") if one.name != FILE]
        assert copy.name == f"monitor-version-{len(STEPS)}.sqlite"
        assert asked(copy, "PRAGMA user_version") == [(len(STEPS),)]
        assert asked(copy, "SELECT id FROM event") == [("a",)]

    def test_a_step_that_fails_leaves_everything_as_it_was(self, older, monkeypatch):
        set_steps(monkeypatch, (*STEPS, "ALTER TABLE event ADD COLUMN colour TEXT", "nonsense"))
        for _ in range(2):
            with pytest.raises(StoreError, match="nonsense"):
                SQLiteStore(older)
        assert asked(older / FILE, "PRAGMA user_version") == [(len(STEPS),)]
        assert "colour" not in {row[1] for row in asked(older / FILE, "PRAGMA table_info(event)")}
        set_steps(monkeypatch, STEPS)
        store = SQLiteStore(older)
        assert store.n_events() == 1
        store.close()

    def test_commands_beside_a_service_do_not_migrate(self, older):
        with pytest.raises(StoreError, match="older release") as error:
            SQLiteStore(older, shared=True)
        assert "serve" in str(error.value)
        assert asked(older / FILE, "PRAGMA user_version") == [(len(STEPS),)]

    def test_a_backup_restores_into_an_empty_directory(self, older, tmp_path_factory, monkeypatch):
        SQLiteStore(older).close()
        restored = tmp_path_factory.mktemp("restored")
        shutil.copy(older / f"monitor-version-{len(STEPS)}.sqlite", restored / FILE)
        set_steps(monkeypatch, STEPS)
        store = SQLiteStore(restored)
        assert store.n_events() == 1
        store.close()


class TestRefusals:
    def test_a_newer_database_is_refused_by_name(self, tmp_path):
        SQLiteStore(tmp_path).close()
        with closing(sqlite3.connect(tmp_path / FILE)) as connection:
            connection.execute(f"PRAGMA user_version = {migrations.VERSION + 7}")
        before = (tmp_path / FILE).read_bytes()
        with pytest.raises(InputError) as error:
            SQLiteStore(tmp_path)
        assert f"version {migrations.VERSION + 7}" in str(error.value)
        assert str(tmp_path / FILE) in str(error.value)
        assert (tmp_path / FILE).read_bytes() == before

    def test_a_database_of_another_program_is_refused_and_not_changed(self, tmp_path):
        with closing(sqlite3.connect(tmp_path / FILE)) as connection:
            connection.execute("CREATE TABLE recipe (name TEXT)")
        before = (tmp_path / FILE).read_bytes()
        for shared in (False, True):
            with pytest.raises(InputError, match="another program"):
                SQLiteStore(tmp_path, shared=shared)
        assert (tmp_path / FILE).read_bytes() == before
        assert not (tmp_path / f"{FILE}-wal").exists()

    def test_a_file_that_is_no_database_is_refused(self, tmp_path):
        (tmp_path / FILE).write_bytes(b"once upon a time " * 1000)
        with pytest.raises(StoreError, match="not a database") as error:
            SQLiteStore(tmp_path)
        assert "Restore a backup" in str(error.value)
        assert damage_of(tmp_path) == ["file is not a database"]

    @pytest.mark.parametrize("version", [0, -1])
    @pytest.mark.parametrize("shared", [False, True])
    def test_tables_without_a_version_are_refused_and_not_changed(self, tmp_path, version, shared):
        SQLiteStore(tmp_path).close()
        with closing(sqlite3.connect(tmp_path / FILE)) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        before = (tmp_path / FILE).read_bytes()
        with pytest.raises(InputError, match=f"is damaged.*version is {version}") as error:
            SQLiteStore(tmp_path, shared=shared)
        assert str(tmp_path / FILE) in str(error.value)
        assert "Restore a backup" in str(error.value)
        assert (tmp_path / FILE).read_bytes() == before

    @pytest.mark.parametrize("version", [-1, migrations.VERSION])
    def test_a_version_without_tables_is_refused(self, tmp_path, version):
        with closing(sqlite3.connect(tmp_path / FILE)) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        for shared in (False, True):
            with pytest.raises(InputError, match="is damaged: it has no tables"):
                SQLiteStore(tmp_path, shared=shared)

    @pytest.mark.parametrize("content", [b"", b"\n"])
    def test_an_emptied_file_is_refused_to_readers(self, tmp_path, content):
        (tmp_path / FILE).write_bytes(content)
        with pytest.raises(StoreError, match="is empty") as error:
            SQLiteStore(tmp_path, shared=True)
        assert str(tmp_path / FILE) in str(error.value)
        assert (tmp_path / FILE).read_bytes() == content

    @pytest.mark.parametrize("left", ["nothing", "a header"])
    def test_a_start_says_that_it_found_an_empty_file(self, tmp_path, caplog, left):
        (tmp_path / FILE).touch()
        if left == "a header":  # as of a start that was ended before it made its tables
            with closing(sqlite3.connect(tmp_path / FILE)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
        for expected in (1, 0):  # the second start finds the tables of the first
            caplog.clear()
            store = SQLiteStore(tmp_path)
            assert store.models() == []
            store.close()
            said = [one.getMessage() for one in caplog.records if one.levelname == "WARNING"]
            assert len(said) == expected
            assert all(str(store.path) in one and "was empty" in one for one in said)
        assert asked(tmp_path / FILE, "PRAGMA user_version") == [(migrations.VERSION,)]

    def test_the_first_start_has_nothing_to_say(self, tmp_path, caplog):
        SQLiteStore(tmp_path).close()
        assert caplog.records == []

    def test_two_stores_on_one_directory_are_refused(self, tmp_path):
        store = SQLiteStore(tmp_path)
        with pytest.raises(StoreError, match="Another process uses"):
            SQLiteStore(tmp_path)
        reader = SQLiteStore(tmp_path, shared=True)
        assert reader.models() == []
        reader.close()
        store.close()
        SQLiteStore(tmp_path).close()

    def test_a_directory_that_is_a_file_is_named(self, tmp_path):
        (tmp_path / "data").write_text("")
        with pytest.raises(StoreError, match="data cannot be written"):
            SQLiteStore(tmp_path / "data")


def test_a_database_that_cannot_be_opened_is_not_damaged(tmp_path):
    SQLiteStore(tmp_path).close()
    log = tmp_path / f"{FILE}-wal"
    log.mkdir()  # where the database needs a file, as it cannot make one on a read-only disk
    with pytest.raises(StoreError, match="unable to open database file"):
        damage_of(tmp_path)
    log.rmdir()
    assert damage_of(tmp_path) == []


CELLS = {
    "alert": lambda store: store.alerts(),
    "block": lambda store: store.blocks(),
    "comparison": lambda store: store.comparisons(2, 1),
    "delivery": lambda store: store.deliveries(),
    "frozen": lambda store: store.latest_frozen(1),
    "reading": lambda store: store.readings(1),
    "rule_state": lambda store: store.rule_states(),
    "segments": lambda store: store.segments,
}


class TestCellsOfJSON:
    """One of each table, in turn overwritten with what is no JSON, or not what belongs there."""

    @pytest.fixture
    def data(self, tmp_path):
        store = SQLiteStore(tmp_path)
        with store.transaction():
            model = store.add_model("credit", "day", "UTC", 5)
            stream = store.add_stream(model.number).number
            row = Prediction("a", 0.5, 7, None, (("region", "north"),), True, 8)
            store.append(model, [row], [0], 9)
            counts = '"n": 1, "n_labelled": 1, "n_pos": 1, "n_neg": 0'
            store.set_readings([(stream, 0, f'{{"auc": 0.5, {counts}}}')], model.number, 0, 1)
            store.freeze([(stream, 0, f'{{"auc": NaN, {counts}}}')], model.number, 0, 9)
            block = Block(
                **{"number": 1, "since": 0, "until": 1, "cohorts": (0,), "auc": 0.5, "n_pos": 1},
                **{"n_neg": 1, "judged": 9, "run_length": 100.0},
            )
            store.add_block(stream, block)
            alert = store.add_alert(stream, "change", "key", 0, 9, {"sentence": "It fell."})
            store.set_rule_state(stream, "change", {"e": 1.0})
            store.add_delivery(alert.number, "mail", "fired", {}, 9)
            store.add_comparison(2, 1, 0, {"low": None}, b"")
        store.close()
        return tmp_path

    def test_whole_cells_are_read(self, data):
        assert damage_of(data) == []
        store = SQLiteStore(data, shared=True)
        assert all(read(store) for read in CELLS.values())
        store.close()

    @pytest.mark.parametrize("cell", ["'{\"auc\": '", "''", "x'ff00'", "'7'", "'null'"])
    @pytest.mark.parametrize("table", CELLS)
    def test_what_is_no_json_is_refused_as_damage(self, data, table, cell):
        column = "cohorts" if table == "block" else "content"
        with closing(sqlite3.connect(data / FILE)) as connection, connection:
            assert connection.execute(f"UPDATE {table} SET {column} = {cell}").rowcount == 1
        if cell not in ("'7'", "'null'"):
            assert damage_of(data) == [f"malformed JSON in 1 cell of the table {table}"]

        def read():
            with closing(SQLiteStore(data, shared=True)) as store:
                CELLS[table](store)

        with pytest.raises(StoreError, match="cannot be used: malformed JSON") as error:
            read()
        assert str(data / FILE) in str(error.value)
        assert "Restore a backup" in str(error.value)

    @pytest.mark.parametrize("cell", ["{}", "[]", '{"auc": 0.5}'])
    @pytest.mark.parametrize("table", ["alert", "frozen", "reading"])
    def test_json_of_something_else_is_refused_as_damage(self, data, table, cell):
        with closing(sqlite3.connect(data / FILE)) as connection, connection:
            connection.execute(f"UPDATE {table} SET content = ?", (cell,))
        with (
            closing(SQLiteStore(data, shared=True)) as store,
            pytest.raises(StoreError, match="malformed JSON in a cell") as error,
        ):
            CELLS[table](store)
        assert "Restore a backup" in str(error.value)


class TestMissingParts:
    @pytest.mark.parametrize(
        ("statement", "part"),
        [
            ("DROP TABLE comparison_state", "the table comparison_state is missing"),
            ("DROP TABLE token", "the table token is missing"),
            ("ALTER TABLE act DROP COLUMN reason", "the column reason of the table act is missing"),
        ],
    )
    def test_they_are_damage_and_nothing_is_changed(self, tmp_path, statement, part):
        SQLiteStore(tmp_path).close()
        with closing(sqlite3.connect(tmp_path / FILE)) as connection:
            connection.execute(statement)
        before = (tmp_path / FILE).read_bytes()
        assert damage_of(tmp_path) == [part]
        for shared in (False, True):
            with pytest.raises(InputError, match=f"is damaged: {part}") as error:
                SQLiteStore(tmp_path, shared=shared)
            assert "Restore a backup" in str(error.value)
        assert (tmp_path / FILE).read_bytes() == before

    def test_tables_of_others_are_left_alone(self, tmp_path):
        SQLiteStore(tmp_path).close()
        with closing(sqlite3.connect(tmp_path / FILE)) as connection:
            connection.execute("CREATE TABLE notes (text TEXT)")
        assert damage_of(tmp_path) == []
        SQLiteStore(tmp_path).close()


def test_a_directory_in_place_of_the_database_is_named(tmp_path):
    (tmp_path / FILE).mkdir()
    for opened in (lambda: SQLiteStore(tmp_path), lambda: damage_of(tmp_path)):
        with pytest.raises(StoreError, match="cannot be used: it is a directory"):
            opened()
