"""The demonstration: each model is in the state that it shows, at every hour of the day."""

import time

import pytest

from roclab.monitor import answers
from roclab.monitor import demo as demo_module
from roclab.monitor.demo import Demo
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings
from tests.unit.monitor.fleet import DAY, HOUR, START, World

SHOWN = {"fraud": "firing", "delivery": "no data", "churn": "learning", "credit": "ok"}
MINUTE = HOUR // 60


@pytest.fixture
def filled(tmp_path):
    """Makes demonstrations at some time of a day, and closes them."""
    made = []

    def fill(hour, seed=7):
        demo = Demo(seed)
        settings = demo.settings(Settings())
        made.append(World(tmp_path / str(len(made)), settings, START + hour))
        demo.fill(made[-1].installation)
        return made[-1]

    yield fill
    for world in made:
        world.store.close()


def check(world):
    """What is shown is what it should be."""
    models = {one["model"]: one for one in answers.overview(world.installation)}
    assert {name: one["status"] for name, one in models.items()} == SHOWN
    assert "region north contributes -" in models["fraud"]["sentence"]
    assert "No prediction since" in models["delivery"]["sentence"]
    assert "more mature days" in models["churn"]["sentence"]
    firing = {one["stream"] for one in answers.alerts(world.installation, firing=True)}
    assert firing == {"fraud", "fraud, region north"}
    # Late labels: hardly any of the last days are known.
    assert models["churn"]["complete"]["coverage"] < 0.1
    assert models["credit"]["now"]["low"] > 0.8


def test_each_model_is_in_its_state(filled):
    world = filled(12 * HOUR)
    check(world)
    world.tick(world.now + 12 * HOUR)
    check(world)


@pytest.mark.slow
@pytest.mark.parametrize("hour", [0, 1, MINUTE, 5 * HOUR, 7 * HOUR + 1, 22 * HOUR, DAY - 1])
def test_each_model_is_in_its_state_at_other_hours(filled, hour):
    check(filled(hour))


def test_history_depends_on_the_day_only(monkeypatch, filled):
    monkeypatch.setattr(demo_module, "_DAYS", 3)
    morning, evening, other = filled(8 * HOUR), filled(20 * HOUR), filled(20 * HOUR, seed=8)

    def rows(world):
        return {row[0]: row[2:6] for part in world.store.events(1) for row in part}

    assert rows(morning).items() < rows(evening).items()
    assert rows(other) != rows(evening)


def test_it_goes_on_until_the_service_stops(tmp_path, monkeypatch):
    monkeypatch.setattr(demo_module, "_PAUSE", 0.01)
    monkeypatch.setattr(demo_module, "_GLANCE", 0.01)
    demo = Demo()
    service = Service(demo.settings(Settings(data=tmp_path)), environment={})
    service.start()
    demo.start(service)
    end = time.monotonic() + 30
    while service.store.n_events() < 6 and time.monotonic() < end:
        time.sleep(0.01)
    service.stop()
    assert set(service.installation.models) == {"credit", "fraud", "churn"}
