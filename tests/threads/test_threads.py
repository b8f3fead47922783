"""Threads that share arrays, windows and objectives, and signals that end long work.

Each runs in a process of its own, since what goes wrong here is a crash, or a call that never ends.
"""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from threads.scenarios import SCENARIOS

SCRIPT = Path(__file__).with_name("scenarios.py")


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name):
    done = subprocess.run([sys.executable, SCRIPT, name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


# Each would take many minutes.
ENDLESS = {
    "margin_curve": """
        curve = rl.margin_curve(labels, scores)
        start()
        curve.at(np.linspace(0, 1, 3_000_000))
    """,
    "granular_auc": """
        ranking = rl.Ranking(labels, scores)
        start()
        rl.rho_auc(ranking, grid=1_000_000, definition="published")
    """,
    "approximate": """
        window = rl.ApproximateWindowAUC(100_000, 0.0001)
        labels, scores = np.tile(labels, 50), np.tile(scores, 50)
        start()
        window.update_many(labels, scores)
    """,
    "tree": """
        features = rng.random((300_000, 300))
        tree = rl.AUCSplitTreeClassifier(max_depth=None, min_samples_leaf=1)
        start()
        tree.fit(features, labels)
    """,
    "bootstrap": """
        start()
        rl.auc_interval(labels, scores, method="bootstrap", n_resamples=2_000_000)
    """,
}

PROGRAM = """
import numpy as np
import roclab as rl

rng = np.random.default_rng(0)
labels, scores = rng.random(300_000) < 0.5, rng.random(300_000)

def start():
    print("started", flush=True)

try:
{body}
except KeyboardInterrupt:
    print("heard", flush=True)
else:
    print("finished", flush=True)
"""


@pytest.mark.parametrize("name", ENDLESS)
def test_ctrl_c_ends_long_work(name):
    body = "\n".join("    " + line.strip() for line in ENDLESS[name].strip().splitlines())
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(body=body)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stdout.readline() == "started\n", program.stderr.read()
        with pytest.raises(subprocess.TimeoutExpired):
            program.wait(1.0)  # it is deep in its work
        program.send_signal(signal.SIGINT)
        heard, errors = program.communicate(timeout=60)
    finally:
        program.kill()
        program.wait()
    assert heard == "heard\n", errors
