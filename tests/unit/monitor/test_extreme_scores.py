"""Scores at the ends of what a number can be are read and drawn, without a warning."""

import json

import numpy as np
import pytest

from roclab.monitor.distributions import distributions
from roclab.monitor.schema import Label, Prediction
from roclab.monitor.settings import Settings
from tests.unit.monitor.fleet import START, World

LARGEST = float(np.finfo(np.float64).max)


@pytest.mark.parametrize(
    ("scores", "mean"),
    [
        ([-LARGEST, LARGEST], None),
        ([LARGEST, LARGEST / 2], None),
        ([5e-324, 1e-323], 1e-323),
        ([1.0, 1.0 + 2**-52], 1.0),
        ([LARGEST], None),
        ([0.0], 0.0),
    ],
    ids=str,
)
def test_they_are_read_and_drawn(tmp_path, scores, mean):
    world = World(tmp_path, Settings())
    rows = [
        Prediction(f"{row}", scores[row % len(scores)], START + row, None, (), None, None)
        for row in range(40)
    ]
    world.predict("credit", rows)
    world.label(
        "credit", [Label(row.id, place % 4 < 2, row.time) for place, row in enumerate(rows)]
    )
    world.tick(START + 100)
    stream = world.installation.models["credit"].whole
    [(_, reading)] = world.store.readings(stream.record.number)
    assert reading["auc"] == 0.5
    assert reading["mean_score"] == (None if mean is None else pytest.approx(mean, rel=0.5))
    found = distributions(world.installation, "credit", segment="", value="")
    json.dumps(found, allow_nan=False)
    edges = np.array(found["histogram"]["edges"])
    assert (edges[:-1] <= edges[1:]).all()
    assert sum(found["histogram"]["now"]) == pytest.approx(1)
    world.store.close()
