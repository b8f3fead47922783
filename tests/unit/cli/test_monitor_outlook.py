"""How long the reference of a stream will still take, and which segment is worst off."""

import numpy as np
import pytest

from roclab.cli.monitor_outlook import outlook
from roclab.monitor.history import History
from roclab.monitor.replay import replay
from roclab.monitor.settings import Settings
from tests.unit.monitor.fleet import DAY, START, World


@pytest.fixture
def installation(tmp_path):
    """Twenty days of a model, of which the west has a row in ten only."""
    world = World(tmp_path / "store", Settings(), START + 21 * DAY)
    rng = np.random.default_rng(0)
    count = 20 * 100
    time = START + np.arange(count) * (DAY // 100)
    label = (rng.random(count) < 0.4).astype(np.int8)
    history = History(
        ids=[str(one) for one in range(count)],
        time=time,
        score=rng.normal(size=count) + label,
        label=label,
        label_time=time,
        segments=(rng.random(count) < 0.1).astype(np.int64),
        combinations=((("region", "north"),), (("region", "west"),)),
    )
    replay(world.installation, "credit", history)
    yield world.installation
    world.store.close()


def test_the_pace_of_a_reference_is_that_of_its_blocks(installation):
    found = outlook(installation, installation.models["credit"])
    assert (found["streams"], found["learning"]) == (3, 3)
    whole, worst = found["whole"], found["worst_segment"]
    # A block a day, of which twenty are there.
    assert (whole["missing_blocks"], whole["cohorts_to_go"]) == (10, 10)
    assert whole["days_to_go"] == 10
    assert whole["notice"] == []
    # Ten rows a day: days are joined until there are ten labels of a class.
    assert worst["stream"] == "credit, region west"
    assert worst["cohorts_to_go"] > 2 * worst["missing_blocks"]


def test_a_stream_without_blocks(tmp_path):
    world = World(tmp_path / "store", Settings(), START)
    with world.store.transaction():
        state = world.installation.model_of("credit")
    found = outlook(world.installation, state)
    assert found["worst_segment"] is None
    assert (found["whole"]["missing_blocks"], found["whole"]["cohorts_to_go"]) == (30, None)
    world.store.close()
