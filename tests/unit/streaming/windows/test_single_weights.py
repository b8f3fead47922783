"""A weight that comes with one event has the limits of arrays of weights."""

import numpy as np
import pytest

import roclab as rl

WINDOWS = {
    "WindowAUC": lambda: rl.WindowAUC(10),
    "TimeWindowAUC": lambda: rl.TimeWindowAUC(100.0),
    "DecayedAUC": lambda: rl.DecayedAUC(5),
    "CumulativeAUC": rl.CumulativeAUC,
}
EVENTS = [(1, 0.9), (0, 0.1), (1, 0.4), (0, 0.5), (1, 0.4), (0, 0.4)]


def update(window, label, score, weight, step=0):
    time = {"time": float(step)} if isinstance(window, rl.TimeWindowAUC) else {}
    window.update(label, score, sample_weight=weight, **time)


@pytest.mark.parametrize("make", WINDOWS.values(), ids=WINDOWS)
@pytest.mark.parametrize("weight", [1e200, 1e-165, 1.1e60, 0.9e-60, 5e-324])
def test_extreme_weights_are_refused(make, weight):
    window = make()
    for step, (label, score) in enumerate(EVENTS):
        update(window, label, score, 1.0, step)
    before = window.to_bytes()
    with pytest.raises(rl.InputError, match=r"sample_weight .* between 1e-60 and 1e\+60"):
        update(window, 1, 0.5, weight, len(EVENTS))
    assert window.to_bytes() == before
    times = {"time": [float(len(EVENTS))]} if isinstance(window, rl.TimeWindowAUC) else {}
    with pytest.raises(rl.InputError, match=r"between 1e-60 and 1e\+60"):
        window.update_many([1], [0.5], sample_weight=[weight], **times)


@pytest.mark.parametrize("make", WINDOWS.values(), ids=WINDOWS)
@pytest.mark.parametrize("scale", [1e60, 1e-60])
def test_the_scale_of_weights_does_not_matter(make, scale):
    rng = np.random.default_rng(7)
    plain, scaled = make(), make()
    for step in range(400):
        label, score = bool(rng.random() < 0.5), float(rng.integers(9))
        weight = rng.integers(1, 9) / (8 if scale > 1 else 1)
        update(plain, label, score, weight, step / 10)
        update(scaled, label, score, weight * scale, step / 10)
    for name in ("auc", "auc_variance", "scored_auc", "scored_auc_variance"):
        found, wanted = getattr(scaled, name), getattr(plain, name)
        assert found == pytest.approx(wanted, rel=1e-9), name
    assert scaled.interval().high == pytest.approx(plain.interval().high, rel=1e-9)
