"""Rows go by their age and on demand, and leave no trace; readings stay."""

import random
import threading
from datetime import timedelta

import pytest

from roclab.monitor.schema import Label, Prediction
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings, StoreSettings
from roclab.monitor.store.database import FILE
from tests.unit.monitor.fleet import DAY, HOUR, START, World, maker
from tests.unit.monitor.test_standstill import known

RETENTION = Settings(store=StoreSettings(retention=timedelta(days=3)))


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path, RETENTION)
    yield made
    made.store.close()


def bytes_of(world):
    """Everything on the disk, once traces were removed."""
    assert world.installation.has_traces
    assert world.installation.remove_traces()
    assert not world.installation.has_traces
    return b"".join(
        path.read_bytes() for path in world.directory.iterdir() if path.name.startswith(FILE)
    )


def table(world, name):
    return world.store._read(f"SELECT * FROM {name}")


def removed(world, limit=10_000):
    with world.store.transaction():
        return world.installation.remove_old(world.now, limit)


class TestAge:
    def test_rows_and_their_corrections_go_and_readings_stay(self, world):
        world.live("credit", 6, maker(1, count=40))
        rows, labels = maker(1, count=40)(0)
        wrong = [one._replace(label=not one.label) for one in known(rows, labels)]
        world.label("credit", wrong, world.now)
        world.tick(world.now + 5)
        tables = {name: table(world, name) for name in ("reading", "frozen", "block", "cohort")}
        assert len(table(world, "correction")) == 40
        assert removed(world) == 3 * 40
        assert removed(world) == 0
        assert table(world, "correction") == []
        assert tables == {name: table(world, name) for name in tables}
        world.reopen()
        assert tables == {name: table(world, name) for name in tables}

    def test_a_row_that_comes_later_does_not_spoil_the_reading_of_those_that_are_gone(self, world):
        world.live("credit", 6, maker(2, count=40))
        number = world.installation.models["credit"].whole.record.number
        before = world.store.readings(number)
        assert removed(world, limit=50) == 50  # all of one cohort, and a part of the next
        late = [
            Prediction(f"late {day}", 0.5, START + day * DAY, None, (), True, START)
            for day in range(3)
        ]
        assert world.predict("credit", late, world.now) == ["accepted"] * 3
        world.tick(world.now + 5)
        after = world.store.readings(number)
        assert after[:2] == before[:2]
        assert after[2][1]["n"] == before[2][1]["n"] + 1  # that cohort is whole
        assert not list(world.installation.changed())

    def test_labels_whose_prediction_never_came_go_too(self, world):
        world.live("credit", 6, maker(3, count=40))
        assert world.label("credit", [Label("nobody", True, START)], START + HOUR) == ["accepted"]
        assert world.label("credit", [Label("young", True, START)], world.now) == ["accepted"]
        assert removed(world) == 3 * 40 + 1
        found = {row[2] for row in table(world, "event")}
        assert "nobody" not in found
        assert "young" in found

    def test_cohorts_that_are_not_mature_keep_their_rows(self, world):
        rows, _ = maker(4, count=40)(0)
        world.predict("credit", rows, START + HOUR)
        world.tick(START + 10 * DAY)
        assert removed(world) == 0


class TestForgetting:
    def fill(self, world, seed=5, count=3000):
        """Two models with random ids, whose pages were split and joined, and with corrections."""
        chosen = random.Random(seed)
        ids = [f"person-{chosen.getrandbits(64):016x}" for _ in range(count)]
        for start in range(0, count, 100):
            for model in ("credit", "other"):
                rows = [
                    Prediction(
                        f"{model}-{key}",
                        chosen.random(),
                        START + start,
                        f"version-of-{model}",
                        (("branch", f"branch-of-{model}-{i % 3}"),),
                        None,
                        None,
                    )
                    for i, key in enumerate(ids[start : start + 100])
                ]
                world.predict(model, rows, START + HOUR)
        for turn in range(2):
            for model in ("credit", "other"):
                labels = [
                    Label(f"{model}-{key}", (i + turn) % 2 == 0, START) for i, key in enumerate(ids)
                ]
                world.label(model, labels, START + 2 * HOUR + turn)
        world.tick(START + DAY + 5)
        return ids

    def test_an_id_leaves_no_trace(self, world):
        ids = self.fill(world)
        gone = random.Random(6).sample(ids, 200)
        with world.store.transaction():
            for key in gone:
                assert world.installation.forget_id("credit", f"credit-{key}")
        world.installation.committed()
        data = bytes_of(world)
        assert not [key for key in gone if f"credit-{key}".encode() in data]
        assert all(f"other-{key}".encode() in data for key in gone)
        assert len(table(world, "correction")) == 2 * 3000 - 200

    def test_a_model_leaves_no_trace(self, world):
        ids = self.fill(world)
        with world.store.transaction():
            world.installation.act("note", model="credit", author="ann", reason="a secret note")
        with world.store.transaction():
            world.installation.forget_model("credit")
        world.installation.committed()
        data = bytes_of(world)
        for trace in (b"credit", b"a secret note", *(f"credit-{key}".encode() for key in ids)):
            assert trace not in data
        assert all(f"other-{key}".encode() in data for key in ids)
        # The same segments again, by another model: their numbers may be those of before.
        rows, labels = maker(7, count=40)(1)
        world.predict("third", rows, world.now)
        world.label("third", known(rows, labels), world.now)
        found = world.installation.models["third"].streams
        north = found["region", "north"].window.read()
        south = found["region", "south"].window.read()
        assert north["n_pos"] + south["n_pos"] == found["", ""].window.read()["n_pos"] > 0

    def test_segments_that_only_a_forgotten_id_had_go(self, world):
        rows = [
            Prediction(str(i), 0.5, START, None, (("customer", f"customer {i}"),), None, None)
            for i in range(2)
        ]
        world.predict("credit", rows, START)
        with world.store.transaction():
            assert world.installation.forget_id("credit", "1")
        assert list(world.store.segments.values()) == [(("customer", "customer 0"),)]

    def test_a_running_service_removes_traces_of_what_was_forgotten(self, tmp_path, monkeypatch):
        """Also of what was forgotten before it was started, by a command that was killed."""
        monkeypatch.setattr("roclab.monitor.service._TRACES", 0.05)
        world = World(tmp_path / "data", Settings())
        ids = self.fill(world, count=300)
        with world.store.transaction():
            assert world.installation.forget_id("credit", f"credit-{ids[0]}")
        world.store.close()
        service = Service(Settings(data=tmp_path / "data"), clock=lambda: START + DAY + 10)
        service.start()
        try:
            removed_by(service)
            assert service.call(lambda at: at.forget_id("credit", f"credit-{ids[1]}")).result(20)
            removed_by(service)
            data = b"".join(path.read_bytes() for path in (tmp_path / "data").iterdir())
        finally:
            service.stop()
        for key in ids[:2]:
            assert f"credit-{key}".encode() not in data
            assert f"other-{key}".encode() in data


def removed_by(service):
    """Wait until a service has removed traces."""
    pause = threading.Event()
    for _ in range(1000):
        if not service.installation.has_traces:
            return
        pause.wait(0.02)
    raise AssertionError("traces are still there")
