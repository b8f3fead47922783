"""The targets of fuzzing by themselves: they read their seeds, and bear what is close to them."""

import random

import pytest
from fuzz_parsers import TARGETS, close_monitor, core_inputs, parsed


@pytest.fixture(scope="module", autouse=True)
def _closed():
    yield
    close_monitor()


# Seeds are models that a newer scikit-learn may have written.
@pytest.mark.filterwarnings("ignore:Trying to unpickle estimator")
@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_read_and_changed_ones_read_or_refused(name):
    draw = random.Random(1)
    seeds = [*TARGETS[name].seeds()]
    assert seeds
    for seed in seeds:
        TARGETS[name].parse(seed)  # without an error, so that fuzzing begins behind the first check
    for _ in range(60):
        data = bytearray(draw.choice(seeds))
        for _ in range(draw.randrange(1, 4)):
            place = draw.randrange(len(data))
            data[place : place + draw.randrange(3)] = draw.randbytes(draw.randrange(3))
        parsed(name, bytes(data))


def test_windows_are_written_for_the_core(tmp_path):
    core_inputs(tmp_path)
    assert {file.read_bytes()[0] for file in tmp_path.iterdir()} == set(range(5))
