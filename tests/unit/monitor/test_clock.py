"""Clocks that are set back and ahead, while the service runs and before it starts."""

from datetime import timedelta

import pytest

from roclab.errors import InputError
from roclab.monitor.clock import SteadyClock, check_clock
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings
from tests.unit.monitor.fleet import DAY, HOUR, START, World, maker
from tests.unit.monitor.test_standstill import known

SECOND = 1_000_000
YEAR = 365 * DAY
PAUSE = timedelta(days=31)


class Machine:
    """A machine whose clock is set."""

    def __init__(self):
        self.wall = self.steady = START
        self.clock = SteadyClock(
            PAUSE, wall=lambda: self.wall * 1000, steady=lambda: self.steady * 1000
        )

    def passes(self, time, *, sleeps=0):
        self.wall += time + sleeps
        self.steady += time
        return self.clock() - START


class TestWhileItRuns:
    def test_a_clock_that_is_a_little_off_is_followed(self):
        machine = Machine()
        assert machine.passes(SECOND) == SECOND
        machine.wall += 3  # as time servers do
        assert machine.passes(SECOND) == 2 * SECOND + 3
        machine.wall -= SECOND
        assert machine.passes(SECOND) == 2 * SECOND + 3
        assert machine.clock.problem is None

    @pytest.mark.parametrize("back", [HOUR, DAY, YEAR, 54 * YEAR])
    def test_time_goes_on_when_the_clock_is_set_back(self, back):
        machine = Machine()
        machine.passes(DAY)
        machine.wall -= back
        assert machine.passes(SECOND) == DAY + SECOND
        assert machine.passes(HOUR) == DAY + SECOND + HOUR
        assert "time goes on from 2024-10-05T01:00:01" in machine.clock.problem
        machine.wall += back
        assert machine.passes(SECOND) == DAY + HOUR + 2 * SECOND
        assert machine.clock.problem is None

    def test_a_machine_that_slept_has_slept(self):
        machine = Machine()
        assert machine.passes(SECOND, sleeps=30 * DAY) == 30 * DAY + SECOND
        assert machine.clock.problem is None

    def test_ten_years_ahead_once_and_right_again_is_nothing(self):
        machine = Machine()
        machine.wall += 10 * YEAR
        assert machine.passes(SECOND) == SECOND
        assert machine.passes(DAY) == DAY + SECOND
        assert "2034" in machine.clock.problem
        machine.wall -= 10 * YEAR
        assert machine.passes(SECOND) == DAY + 2 * SECOND
        assert machine.clock.problem is None


class TestBeforeItStarts:
    @pytest.mark.parametrize(
        ("now", "words"),
        [
            (START + 32 * DAY, "raise pause in [limits]"),
            (START + 10 * YEAR, "raise pause in [limits]"),
            (START - 32 * DAY, "import them into a new directory"),
            (0, "import them into a new directory"),
        ],
    )
    def test_a_clock_that_is_too_far_from_the_last_use_is_refused(self, now, words):
        with pytest.raises(InputError) as error:
            check_clock(now, START, PAUSE)
        assert words in str(error.value)
        assert "2024-10-04" in str(error.value)

    def test_a_pause_or_a_new_store_is_not(self):
        check_clock(START + 31 * DAY, START, PAUSE)
        check_clock(START - 31 * DAY, START, PAUSE)
        check_clock(START + 10 * YEAR, None, PAUSE)

    def test_the_service_does_not_start_and_changes_nothing(self, tmp_path):
        world = World(tmp_path, Settings(data=tmp_path))
        world.live("credit", 3, maker(1, count=40))
        world.store.close()
        with pytest.raises(InputError, match="The clock says 2034"):
            Service(Settings(data=tmp_path), clock=lambda: START + 10 * YEAR)
        world.open()
        assert world.store.state("time") == START + 3 * DAY + 5
        world.store.close()


def test_what_is_said_does_not_depend_on_a_clock_that_was_wrong_for_a_while(tmp_path):
    """Ten years ahead for an hour, and back by a day: cohorts are judged as by a right clock."""
    found = []
    for wrong in (False, True):
        machine = Machine()
        world = World(tmp_path / str(wrong), Settings())
        world.installation._clock = machine.clock
        make = maker(2, count=60)
        for day in range(5):
            rows, labels = make(day)
            machine.passes(20 * HOUR)
            off = 10 * YEAR if day == 1 else -DAY if day == 3 else 0
            machine.wall += off * wrong
            now = world.installation.now()
            world.predict("credit", rows, now)
            world.label("credit", known(rows, labels), world.installation.now())
            machine.passes(4 * HOUR + SECOND)
            with world.store.transaction():
                world.installation.tick()
            world.installation.committed()
            machine.wall -= off * wrong
        number = world.installation.models["credit"].whole.record.number
        found.append((world.store.readings(number, frozen=True), world.store.frozen_at(number)))
        world.store.close()
    assert len(found[0][0]) == 5
    assert found[0] == found[1]


def test_a_clock_that_was_behind_at_the_start_is_waited_for_and_said(tmp_path):
    now = [START + DAY]
    world = World(tmp_path, Settings(data=tmp_path))
    world.tick(START + DAY)
    world.store.close()
    now[0] = START + DAY - HOUR
    service = Service(Settings(data=tmp_path), clock=lambda: now[0])
    try:
        assert service.installation.now() == START + DAY
        assert "3,600 s behind" in service.clock_problem
        now[0] = START + DAY + HOUR
        assert service.installation.now() == START + DAY + HOUR
        assert service.clock_problem is None
    finally:
        service.stop()
