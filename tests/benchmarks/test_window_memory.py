"""Windows whose memory is measured slide."""

import numpy as np
import pytest

import roclab as rl
from benchmarks import window_memory
from benchmarks.windows import RIVER


@pytest.mark.parametrize("name", [name for name in window_memory.CALLS if name != RIVER])
def test_windows_whose_memory_is_measured_slide(name):
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.5
    s = rng.normal(size=400) + y
    last = rl.WindowAUC(200)
    last.update_many(y[200:], s[200:])
    value = window_memory.CALLS[name](y, s)
    if "read" in name:
        assert value == pytest.approx(last.interval().low + last.scored_auc, rel=1e-14)
    else:
        assert value == pytest.approx(last.auc, abs=0.05 if "eps" in name else 1e-12)
