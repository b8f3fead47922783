"""What tests of the command share: scores in a file, and ways to run it in this process."""

import re

import numpy as np
import polars as pl
import pytest

from roclab.cli import main

# Words of the Python interface that mean nothing in a shell.
ARGUMENTS = re.compile(r"y_true|y_score|pos_label|sample_weight|format=|confidence_level|stream")


@pytest.fixture
def frame():
    rng = np.random.default_rng(7)
    y = (rng.random(120) < 0.4).astype(int)
    return pl.DataFrame(
        {
            "outcome": y,
            "region": rng.choice(["north", "south", "east"], size=120),
            "ridge": np.round(y + rng.normal(size=120), 2),
            "forest": np.round(rng.random(120) + y / 3, 1),
            "weight": rng.integers(0, 4, size=120),
        }
    )


@pytest.fixture
def scores(tmp_path, frame):
    path = tmp_path / "scores.csv"
    frame.write_csv(path)
    return str(path)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "PYTHONIOENCODING", "PYTHONWARNINGS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(capsysbinary):
    """Run the command; gives its standard output, after checking code and standard error."""

    def run(*arguments, command="evaluate", notes=0):
        code = main([command, *map(str, arguments)])
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert code == 0, err
        assert [line[:6] for line in err.splitlines()] == ["note: "] * notes, err
        return out

    return run


@pytest.fixture
def refusal(capsysbinary):
    """Run the command with something wrong; gives the one line that says what."""

    def refusal(*arguments):
        code = main(list(map(str, arguments)))
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert err.startswith("roclab: ")
        assert not ARGUMENTS.search(err), err
        return err

    return refusal
