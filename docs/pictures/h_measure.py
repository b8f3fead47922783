"""Draw docs/pictures/h_measure.png: the weights of costs, and what two models lose at each."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import beta

import roclab as rl

SEVERITY_RATIOS = {0.25: "#c8553d", 1: "#1b6ca8", 4: "#5a7d2a"}


def draw() -> plt.Figure:
    """Densities for three severity ratios; the least loss of two models and of no model."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.5), layout="constrained")
    cost = np.linspace(0, 1, 501)
    for ratio, colour in SEVERITY_RATIOS.items():
        density = beta(2, 1 + 1 / ratio).pdf(cost)
        left.plot(cost, density, color=colour, label=f"severity_ratio={ratio:g}")
    left.set(xlabel="cost c of a false positive", ylabel="density", xlim=(0, 1), ylim=(0, None))
    left.legend(frameon=False)
    rng = np.random.default_rng(11)
    truth = rng.random(400) < 0.5
    share = truth.mean()
    for (name, shift), colour in zip(
        {"weak": 0.7, "strong": 1.8}.items(), ("#c8553d", "#1b6ca8"), strict=True
    ):
        ranking = rl.Ranking(truth, rng.normal(size=400) + shift * truth)
        points = rl.operating_points(ranking)
        alarms, misses = (
            np.outer(points.fpr, cost * (1 - share)),
            np.outer(points.fnr, (1 - cost) * share),
        )
        label = f"{name}, H {rl.h_measure(ranking, severity_ratio=1):.3f}"
        right.plot(cost, np.min(alarms + misses, axis=0), color=colour, lw=1.4, label=label)
    nothing = np.minimum(cost * (1 - share), (1 - cost) * share)
    right.plot(cost, nothing, color="grey", lw=1, ls=":", label="no scores, H 0")
    right.set(xlabel="cost c of a false positive", ylabel="least expected cost", xlim=(0, 1))
    right.set_ylim(0, None)
    right.legend(frameon=False, loc="lower center")
    for panel in (left, right):
        panel.spines[["top", "right"]].set_visible(False)
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=100)
