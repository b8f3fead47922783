"""Disks, files and clocks that fail: what is said, what is kept, and how it goes on."""

import random
import shutil
import sqlite3
import sys
import threading
import time
from contextlib import closing
from itertools import pairwise

import pytest

from roclab.cli import main
from roclab.monitor.schema import Prediction
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings
from roclab.monitor.store.database import FILE, StoreError
from roclab.monitor.store.sqlite import SQLiteStore
from tests.e2e.monitor.process import DEADLINE, eventually, run
from tests.e2e.monitor.producers import HOUR, Producer
from tests.e2e.monitor.set_clock import SetClock
from tests.e2e.monitor.written import Written

NOW = 495_000 * HOUR + HOUR // 2
YEAR = 365 * 24 * HOUR


def rows(start, count, padding=0):
    return [
        {
            "id": f"{number}{'-' * padding}",
            "score": number % 7 / 7,
            "label": number % 3 == 0,
            "segments": {"region": ("north", "south")[number % 2]},
        }
        for number in range(start, start + count)
    ]


def sent(monitor, start, count, **more):
    """Send rows; whether they were acknowledged."""
    answer = monitor.ask("POST", "/v1/predictions?model=credit", rows(start, count, **more))
    return answer[0] == 200, answer


def counted(directory):
    """Number of rows of the database, and whether its counts agree."""
    written = Written(directory)
    assert written.integrity == "ok"
    [model] = written.models.values()
    assert sum(one["n"] for one in model.cohorts.values()) == len(model.rows)
    return len(model.rows)


class TestDisk:
    def test_a_full_disk_is_said_and_it_goes_on_when_there_is_room(self, disk, start):
        """Without a restart, and nothing that was acknowledged is lost."""
        small = disk("3m")
        monitor = start(small.directory / "data")
        acknowledged, (status, headers, content) = 0, (200, {}, {})
        while status == 200:
            good, (status, headers, content) = sent(monitor, acknowledged, 500, padding=100)
            acknowledged += 500 * good
            assert acknowledged < 100_000
        assert status == 503
        assert int(headers["Retry-After"]) > 0
        assert "nothing that was acknowledged is lost" in content["error"]
        assert monitor.ask("GET", "/healthz")[0] == 200
        assert monitor.ask("GET", "/readyz")[0] == 503
        assert "full" in monitor.ask("GET", "/readyz")[2]["problem"]
        assert [one["model"] for one in monitor.get("/v1/models")["models"]] == ["credit"]
        for _ in range(3):  # it is tried again, and fails again
            assert sent(monitor, acknowledged, 500, padding=100)[0] is False
        small.change("size=60m")
        eventually(lambda: sent(monitor, acknowledged, 500, padding=100)[0])
        eventually(lambda: monitor.ask("GET", "/readyz")[0] == 200)
        window = monitor.get("/v1/models/credit")["now"]
        assert window["n_pos"] + window["n_neg"] == acknowledged + 500
        monitor.kill()
        assert counted(monitor.directory) == acknowledged + 500

    def test_a_database_that_may_not_grow_refuses_rows_and_keeps_the_others(self, tmp_path):
        """The same without a disk: SQLite is told how many pages there are."""
        service = Service(Settings(data=tmp_path))
        service.start()
        try:
            connection, acknowledged = service.store._connection, 0
            [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
            service.call(lambda at: set_pages(at, pages + 20)).result(DEADLINE)
            error = None
            while error is None:
                result = service.submit("predictions", "credit", made(acknowledged))
                error = result.exception(DEADLINE)
                acknowledged += 100 * (error is None)
            assert isinstance(error, StoreError)
            assert "Free space on the disk" in str(error)
            assert not service.alive
            assert service.store.n_events() == acknowledged
            service.call(lambda at: set_pages(at, 10**6)).result(DEADLINE)
            again = service.submit("predictions", "credit", made(acknowledged)).result(DEADLINE)
            assert again == ["accepted"] * 100
            assert service.alive
            assert service.installation.models["credit"].whole.window.read()["n_pos"] == 50 * (
                acknowledged // 100 + 1
            )
        finally:
            service.stop()
        assert counted(tmp_path) == acknowledged + 100

    def test_a_directory_that_cannot_be_written_is_refused_in_one_line(self, disk, start):
        readonly = disk("20m")
        monitor = start(readonly.directory / "data")
        assert sent(monitor, 0, 10)[0]
        assert monitor.terminate() == 0
        readonly.change("ro")
        found = run("monitor", "serve", "--data", monitor.directory, "--port", "0")
        assert found.returncode == 2
        assert "cannot be written" in found.stderr
        assert "Traceback" not in found.stderr
        assert len(found.stderr.splitlines()) == 1
        readonly.change("rw")
        assert counted(monitor.directory) == 10


def set_pages(installation, count):
    installation.store._connection.execute(f"PRAGMA max_page_count = {count}")


def made(start):
    return [
        Prediction(str(number), 0.5, NOW, None, (), number % 2 == 0, NOW)
        for number in range(start, start + 100)
    ]


class TestDamage:
    """On files as a kill leaves them: copied while a store is open."""

    @pytest.fixture
    def data(self, tmp_path):
        """A store with rows in its file, and as many again in its log; and a backup of it."""
        store = SQLiteStore(tmp_path / "open")
        with store.transaction():
            model = store.add_model("credit", "day", "UTC", NOW)
            store.add_stream(model.number)
        for start in range(0, 4_000, 100):
            with store.transaction():
                store.append(model, made(start), [NOW] * 100, NOW)
            if start == 1_900:
                assert store.empty_log()
        store.backup(tmp_path / "copy")
        data = tmp_path / "data"
        data.mkdir()
        for end in ("", "-wal"):
            shutil.copy(f"{store.path}{end}", data / f"{FILE}{end}")
        store.close()
        return data

    def damage(self, data, table):
        """Overwrite a page of a table, after the log was moved into the file."""
        with closing(sqlite3.connect(data / FILE)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            [(root,)] = connection.execute(
                "SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)
            ).fetchall()
            [(size,)] = connection.execute("PRAGMA page_size").fetchall()
        content = bytearray((data / FILE).read_bytes())
        place = (root - 1) * size
        content[place : place + size] = random.Random(1).randbytes(size)
        (data / FILE).write_bytes(content)

    def test_files_as_a_kill_leaves_them_are_whole(self, data):
        assert counted(data) == 4_000

    def test_a_damaged_page_is_said_and_a_backup_restores(self, data, tmp_path, capsys):
        self.damage(data, "model")
        assert main(["monitor", "check", "--data", str(data)]) == 1
        assert "The store is damaged" in capsys.readouterr().out
        with pytest.raises(StoreError, match="Restore a backup"):
            Service(Settings(data=data), clock=lambda: NOW)
        assert main(["monitor", "status", "--data", str(data)]) == 2
        assert "Restore a backup" in capsys.readouterr().err
        restored = tmp_path / "restored"
        restored.mkdir()
        shutil.copy(tmp_path / "copy", restored / FILE)
        assert main(["monitor", "check", "--data", str(restored)]) == 0
        assert counted(restored) == 4_000

    def test_damage_that_is_met_later_is_said_and_nothing_is_acknowledged(self, data):
        """The index by ids is not read before rows come."""
        self.damage(data, "event_by_id")
        assert main(["monitor", "check", "--data", str(data)]) == 1
        service = Service(Settings(data=data), clock=lambda: NOW)
        service.start()
        try:
            with pytest.raises(StoreError, match="Restore a backup"):
                service.submit("predictions", "credit", made(9_000)).result(DEADLINE)
            assert not service.alive
            assert "malformed" in service.problem
        finally:
            service.stop()

    def test_a_damaged_log_keeps_whole_transactions(self, data):
        """What was written after the damage is lost; what was before is whole."""
        log = data / f"{FILE}-wal"
        content = bytearray(log.read_bytes())
        middle = len(content) // 2
        content[middle : middle + 100] = bytes(100)
        log.write_bytes(content)
        left = counted(data)
        assert 2_000 < left < 4_000
        assert left % 100 == 0
        assert main(["monitor", "check", "--data", str(data)]) == 0

    def test_a_missing_log_leaves_what_was_in_the_file(self, data):
        """Whoever still has the rows of the log may send them again."""
        (data / f"{FILE}-wal").unlink()
        assert counted(data) == 2_000
        service = Service(Settings(data=data), clock=lambda: NOW)
        service.start()
        try:
            for start in range(0, 4_000, 100):
                found = service.submit("predictions", "credit", made(start)).result(DEADLINE)
                assert found == ["duplicate" if start < 2_000 else "accepted"] * 100
        finally:
            service.stop()
        assert counted(data) == 4_000


class TestClock:
    def test_a_clock_that_is_wrong_for_a_while_is_not_followed(self, tmp_path, start):
        clock = SetClock(tmp_path / "clock")
        clock.set(NOW)
        monitor = start(clock=clock)
        assert sent(monitor, 0, 10)[0]
        for wrong in (NOW + 10 * YEAR, NOW - HOUR, NOW - YEAR):
            clock.set(wrong)
            eventually(lambda: monitor.ask("GET", "/readyz")[2].get("problem"))
            assert "set to" in monitor.ask("GET", "/readyz")[2]["problem"]
            assert monitor.ask("GET", "/readyz")[0] == 200  # rows are written
            clock.set(NOW + 5_000_000)
            eventually(lambda: not monitor.ask("GET", "/readyz")[2].get("problem"))
        assert sent(monitor, 10, 10)[0]
        monitor.kill()
        written = Written(monitor.directory)
        assert abs(written.time - NOW) < HOUR
        assert {row.cohort for row in written.models["credit"].rows} == {NOW - HOUR // 2}
        assert not written.models["credit"].frozen

    def test_a_service_does_not_start_on_a_clock_that_is_years_off(self, tmp_path, start):
        clock = SetClock(tmp_path / "clock")
        clock.set(NOW)
        store = SQLiteStore(tmp_path / "data")
        with store.transaction():
            store.set_state("time", NOW)
        store.close()
        clock.set(NOW + 10 * YEAR)
        found = run("monitor", "serve", "--data", tmp_path / "data", "--port", "0", clock=clock)
        assert found.returncode == 2
        assert "The clock says" in found.stderr
        assert "Set the clock" in found.stderr
        assert "Traceback" not in found.stderr
        assert main(["monitor", "status", "--data", str(tmp_path / "data")]) == 0
        clock.set(NOW + HOUR)
        assert sent(start(clock=clock), 0, 10)[0]


class TestSenders:
    def test_duplicates_and_contradictions_of_many_senders_are_one_row_each(self, start):
        """Eight senders send the same rows and labels that contradict each other, at once."""
        monitor = start()
        answers, failed = [], []

        def send(sender):
            try:
                for _ in range(3):
                    answers.append(sent(monitor, 0, 200)[1][2])
                    labels = [
                        {"id": one["id"], "label": sender % 2 == 0} for one in rows(0, 200)[:50]
                    ]
                    status, _, _ = monitor.ask("POST", "/v1/labels?model=credit", labels)
                    assert status == 200
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=send, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(DEADLINE)
        assert not failed
        assert sum(one["accepted"] for one in answers) == 200
        now = monitor.get("/v1/models/credit")["now"]
        monitor.kill()
        assert counted(monitor.directory) == 200
        [model] = Written(monitor.directory).models.values()
        for row in model.rows:
            values = [label for _, label in row.labels]
            assert all(one is not two for one, two in pairwise(values))
        assert sum(row.labels[-1][1] for row in model.rows) == now["n_pos"]

    def test_two_processes_do_not_write_one_directory(self, tmp_path, start):
        monitor = start()
        assert sent(monitor, 0, 10)[0]
        found = run("monitor", "serve", "--data", monitor.directory, "--port", "0")
        assert found.returncode == 2
        assert "uses" in found.stderr
        assert "Traceback" not in found.stderr
        for arguments in (
            ("status",),
            ("backup", "-o", tmp_path / "copy"),
            ("export", "--model", "credit", "-o", tmp_path / "rows.parquet"),
            ("token", "create", "loader"),
        ):
            given = ("monitor", *arguments, "--data", monitor.directory)
            assert main([str(one) for one in given]) == 0
        assert sent(monitor, 10, 10)[0]
        monitor.kill()
        assert counted(monitor.directory) == 20

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
    def test_a_service_that_is_asked_to_end_under_load_writes_what_it_answers(
        self, tmp_path, start
    ):
        clock = SetClock(tmp_path / "clock")
        clock.set(NOW)
        monitor = start(clock=clock)
        producers = [
            Producer(seed, ("credit", "churn"), 3_000, clock.now, lambda: monitor.port, (0, 0))
            for seed in range(3)
        ]
        try:
            for producer in producers:
                producer.start()
            clock.set(NOW + HOUR)
            eventually(lambda: sum(one.outcomes["accepted"] for one in producers) > 500)
            begun = time.monotonic()
            assert monitor.terminate() == 0
            assert time.monotonic() - begun < 30
        finally:
            for producer in producers:
                producer.give_up()
                producer.join(DEADLINE)
        assert not (monitor.directory / f"{FILE}-wal").exists()
        written = Written(monitor.directory)
        found = {
            (name, row.id): row for name, model in written.models.items() for row in model.rows
        }
        acknowledged = 0
        for producer in producers:
            for key, one in producer.sent.items():
                if one.prediction:
                    assert found[key].score == one.score
                if one.labels:
                    assert [label for _, label in found[key].labels][
                        : len(one.labels)
                    ] == one.labels
                acknowledged += one.prediction
        assert acknowledged > 300
