"""A transaction that fails leaves no trace, in the store or in memory, and harms nobody else."""

import threading
from contextlib import contextmanager, suppress

import pytest

from roclab.errors import InputError
from roclab.monitor.installation import Installation
from roclab.monitor.schema import Label, Prediction
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings
from tests.unit.monitor.fleet import DAY, HOUR, START, World, maker
from tests.unit.monitor.test_standstill import in_memory, known


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path, Settings())
    yield made
    made.store.close()


@pytest.fixture
def service(tmp_path):
    made = Service(Settings(data=tmp_path), clock=lambda: START + HOUR)
    made.start()
    yield made
    made.stop()


@contextmanager
def failing(world):
    """A transaction that fails after everything inside was done."""
    with suppress(RuntimeError), world.store.transaction():
        yield
        raise RuntimeError
    world.installation.rolled_back()


@contextmanager
def together(service):
    """What is asked inside is done in one group."""
    hold, held = threading.Event(), threading.Event()

    def wait(_):
        held.set()
        assert hold.wait(20)

    service.call(wait)
    assert held.wait(20)
    try:
        yield
    finally:
        hold.set()


def row(number, **values):
    one = Prediction(str(number), 0.5, START, None, (), None, None)
    return one._replace(**values)


def without_windows(found):
    return {key: one[1:] if key != "delay" else one for key, one in found.items()}


class TestMemory:
    def test_memory_is_that_of_the_store_after_a_failure(self, world):
        """Predictions, new streams, labels, judgement, acts: all undone."""
        make = maker(1, count=60, regions=("north",))
        world.live("credit", 33, make)
        world.predict("other", [row(1)])
        before = in_memory(world)
        south = maker(2, count=60, regions=("south",))
        rows, labels = south(33)
        world.now = START + 36 * DAY
        with failing(world):
            world.installation.predictions("credit", rows, START + 34 * DAY - 1)
            world.installation.labels("credit", known(rows, labels), START + 34 * DAY - 1)
            world.installation.predictions("third", rows, START + 34 * DAY)
            world.installation.tick()
            world.installation.act("rebase", model="credit", author="ann", reason="why not")
        assert without_windows(in_memory(world)) == without_windows(before)  # time goes on
        assert world.installation.models.keys() == {"credit", "other"}
        assert not world.installation.alerts.acts
        assert not world.installation.take_news()
        world.now = START + 33 * DAY + HOUR
        world.reopen()
        assert in_memory(world) == before
        world.predict("credit", rows, START + 34 * DAY - 1)
        world.label("credit", known(rows, labels), START + 34 * DAY - 1)
        world.tick(START + 34 * DAY + 5)
        assert world.installation.models["credit"].whole.latest_cohort == START + 33 * DAY

    def test_models_that_were_not_touched_are_not_built_again(self, world):
        """A disk that is full fails every transaction, of one model each."""
        for model in ("credit", "fraud"):
            world.predict(model, [row(1, label=True, label_time=START)])
        credit, fraud = (world.installation.models[name] for name in ("credit", "fraud"))
        with failing(world):
            world.installation.predictions("credit", [row(2)], START)
        assert world.installation.models["fraud"] is fraud
        again = world.installation.models["credit"]
        assert again is not credit
        assert again.whole.window is credit.whole.window

    def test_a_model_that_was_forgotten_in_vain_is_there_again(self, world):
        world.live("credit", 3, maker(3, count=60))
        before = in_memory(world)
        with failing(world):
            world.installation.forget_model("credit")
            world.installation.predictions("credit", [row(1)], START + 3 * DAY)
        assert in_memory(world) == before

    def test_whoever_reads_meanwhile_finds_every_model(self, world):
        world.live("credit", 5, maker(4, count=60))
        world.live("fraud", 5, maker(5, count=60))
        missing, ends = [], threading.Event()

        def look():
            while not ends.is_set():
                found = world.installation.models
                missing.extend({"credit", "fraud"} - set(found))
                missing.extend(name for name, one in found.items() if ("", "") not in one.streams)

        thread = threading.Thread(target=look)
        thread.start()
        try:
            for _ in range(10):
                with failing(world):
                    world.installation.predictions("credit", [row(1)], world.now)
                    world.installation.forget_id("fraud", "nobody")
        finally:
            ends.set()
            thread.join()
        assert not missing


class TestJobs:
    def test_a_job_that_fails_harms_no_other_of_its_group(self, service):
        def half(at):
            at.store.set_state("half", 1)
            raise KeyError("half")

        with together(service):
            first = service.submit("predictions", "credit", [row(1)])
            failing = service.call(half)
            second = service.submit("predictions", "credit", [row(2), row(2)])
        assert first.result(20) == ["accepted"]
        assert second.result(20) == ["accepted", "duplicate"]
        with pytest.raises(KeyError):
            failing.result(20)
        assert service.store.state("half") is None
        assert service.store.n_events() == 2
        assert service.waiting == 0

    def test_an_input_error_after_a_write_undoes_it(self, service):
        def half(at):
            at.store.set_state("half", 1)
            raise InputError(found="Half of it was written")

        with together(service):
            first = service.submit("predictions", "credit", [row(1)])
            failing = service.call(half)
        with pytest.raises(InputError):
            failing.result(20)
        assert first.result(20) == ["accepted"]
        assert service.store.state("half") is None

    def test_what_was_cancelled_is_not_written_and_ends_nothing(self, service):
        with together(service):
            gone = service.submit("predictions", "credit", [row(1)])
            kept = service.submit("predictions", "credit", [row(2)])
            assert gone.cancel()
        assert kept.result(20) == ["accepted"]
        assert service.submit("predictions", "credit", [row(3)]).result(20) == ["accepted"]
        assert service.store.n_events() == 2
        assert service.waiting == 0

    def test_what_is_durable_is_acknowledged_though_memory_fails(self, service, monkeypatch):
        """Windows that cannot be updated are built again from the store."""
        real, failed = Installation.committed, []

        def committed(self):
            if self._staged and not failed:
                failed.append(True)
                raise RuntimeError("no room")
            real(self)

        monkeypatch.setattr(Installation, "committed", committed)
        rows = [row(i, score=float(i), label=i % 2 == 0, label_time=START) for i in range(4)]
        assert service.submit("predictions", "credit", rows).result(20) == ["accepted"] * 4
        assert failed
        assert service.submit("predictions", "credit", [row(9)]).result(20) == ["accepted"]
        found = service.installation.models["credit"].whole.window.read()
        assert (found["n_pos"], found["n_neg"]) == (2, 2)
        assert service.alive

    def test_a_model_that_cannot_be_judged_does_not_hold_up_the_others(self, tmp_path, monkeypatch):
        real, now = Installation._close, [START + HOUR]

        def close(self, state, boundary):
            if state.record.name == "bad":
                raise KeyError("segment")
            real(self, state, boundary)

        monkeypatch.setattr(Installation, "_close", close)
        service = Service(Settings(data=tmp_path), clock=lambda: now[0])
        service.start()
        try:
            rows = [row(i, score=i, label=i % 2 == 0, label_time=START) for i in range(40)]
            for model in ("bad", "good"):
                assert service.submit("predictions", model, rows).result(20)
            now[0] += DAY
            wait_until(lambda: frozen(service, "good"))
            wait_until(lambda: service.problem == "time of bad: KeyError('segment')")
            assert not service.alive
            assert service.submit("predictions", "bad", [row(99)]).result(20) == ["accepted"]
            monkeypatch.setattr(Installation, "_close", real)
            wait_until(lambda: frozen(service, "bad"))
            wait_until(lambda: service.alive)
        finally:
            service.stop()

    def test_an_error_in_the_upkeep_does_not_end_the_writing_thread(self, service, monkeypatch):
        monkeypatch.setattr(Service, "_keep_house", lambda _: 1 / 0)
        assert service.submit("predictions", "credit", [row(1)]).result(20) == ["accepted"]
        wait_until(lambda: service.problem == "upkeep: ZeroDivisionError('division by zero')")
        assert service.submit("predictions", "credit", [row(2)]).result(20) == ["accepted"]
        monkeypatch.undo()
        wait_until(lambda: service.alive)


def test_what_is_due_is_judged_before_later_rows_are_written(tmp_path, monkeypatch):
    """However long the next look is off: a restart, or a second in which rows come."""
    monkeypatch.setattr("roclab.monitor.service._TICK", 1000.0)
    now = [START + HOUR]
    service = Service(Settings(data=tmp_path), clock=lambda: now[0])
    service.start()
    try:
        rows = [row(i, score=i, label=i % 2 == 0, label_time=START) for i in range(40)]
        service.submit("predictions", "credit", rows).result(20)
    finally:
        service.stop()
    now[0] = START + DAY + HOUR
    service = Service(Settings(data=tmp_path), clock=lambda: now[0])
    new = row(99, time=now[0], segments=(("region", "north"),))
    accepted = service.submit("predictions", "credit", [new])
    service.start()
    try:
        assert accepted.result(20) == ["accepted"]
        [(_, reading)] = frozen(service, "credit")
        assert reading["n"] == 40
        [(_, block)] = service.store.blocks()
        assert block.run_length == pytest.approx(365.2425 / 12)  # of one stream
    finally:
        service.stop()


def frozen(service, model):
    state = service.installation.models[model]
    return service.store.readings(state.whole.record.number, frozen=True)


def wait_until(found):
    event = threading.Event()
    for _ in range(1000):
        if found():
            return
        event.wait(0.02)
    raise AssertionError("it did not come to pass")


def test_labels_of_a_failed_group_enter_no_window(world):
    rows = [row(i, score=float(i)) for i in range(4)]
    world.predict("credit", rows)
    with failing(world):
        world.installation.labels("credit", [Label("1", True, START)], START)
    world.installation.committed()
    assert world.installation.models["credit"].whole.window.read()["n_pos"] == 0
    assert world.label("credit", [Label("1", True, START)]) == ["accepted"]
    assert world.installation.models["credit"].whole.window.read()["n_pos"] == 1
