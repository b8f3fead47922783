"""A process that is killed while it watches a stream goes on from its last snapshot."""

import signal
import subprocess
import sys

import numpy as np
import pytest

import roclab as rl

WATCHER = """
import os, signal, sys
import numpy as np
import roclab as rl
made, path = sys.argv[1:]
window = eval(made)
labels, scores, times = np.load(path + ".npy")
for i in range(3000):
    more = {"time": times[i]} if isinstance(window, rl.TimeWindowAUC) else {}
    window.update(labels[i], scores[i], **more)
    if i % 100 == 99:
        with open(path + ".new", "wb") as file:
            file.write(window.to_bytes())
        os.replace(path + ".new", path)
    if i == 1777:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize(
    "made",
    [
        "rl.WindowAUC(500)",
        "rl.TimeWindowAUC(300, lateness=9)",
        "rl.DecayedAUC(200)",
        "rl.CumulativeAUC()",
        "rl.ApproximateWindowAUC(500, 0.1)",
    ],
)
def test_the_next_process_gets_the_same_values(made, tmp_path):
    rng = np.random.default_rng(8)
    labels = rng.random(3000) < 0.3
    stream = np.array([labels, rng.normal(size=3000) + labels, np.arange(3000)])
    np.save(tmp_path / "state.npy", stream)
    command = [sys.executable, "-c", WATCHER, made, str(tmp_path / "state")]
    assert subprocess.run(command, timeout=100).returncode == -signal.SIGKILL
    unharmed = eval(made, {"rl": rl})
    again = type(unharmed).from_bytes((tmp_path / "state").read_bytes())
    for i in range(3000):
        more = {"time": stream[2, i]} if "Time" in made else {}
        unharmed.update(*stream[:2, i], **more)
        if i >= 1700:
            again.update(*stream[:2, i], **more)
            assert again.auc == unharmed.auc
    assert again.to_bytes() == unharmed.to_bytes()
