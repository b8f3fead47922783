"""Draw docs/pictures/bands.png: bands for one ROC curve, and granular curves beside them."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import ndtr, ndtri

import roclab as rl

GRID = np.linspace(0, 1, 401)
RED, BLUE = "#c8553d", "#1b6ca8"
# The simulation of Dong and others.
MEANS, SPREAD, GRANULARITY = (0.45, 0.65), 0.2, 0.02


def sample(size: int) -> rl.Ranking:
    """Scores of two normal classes."""
    truth = np.arange(2 * size) < size
    rng = np.random.default_rng(11)
    return rl.Ranking(
        truth, np.where(truth, MEANS[1], MEANS[0]) + SPREAD * rng.normal(size=2 * size)
    )


def draw() -> plt.Figure:
    """Bands of 60 examples of each class; granular curves of 100 and of 2,000."""
    figure, axes = plt.subplots(1, 3, figsize=(10.8, 4.1), layout="constrained", sharey=True)
    true = ndtr((MEANS[1] - MEANS[0]) / SPREAD + ndtri(GRID))
    ranking = sample(60)
    for method, colour in (("ks", "lightgrey"), ("bootstrap", BLUE)):
        band = rl.roc_band(ranking, method=method, fpr=GRID, rng=0)
        axes[0].fill_between(
            GRID, band.low, band.high, color=colour, alpha=0.45, lw=0, label=method
        )
    point = rl.roc_band(ranking, kind="pointwise", fpr=GRID, rng=0)
    axes[0].plot(GRID, point.low, color=RED, lw=0.8, label="pointwise")
    axes[0].plot(GRID, point.high, color=RED, lw=0.8)
    axes[0].plot(GRID, point.tpr, color="black", lw=1)
    axes[0].set_title("60+60: 95 % bands")
    for panel, size in zip(axes[1:], (100, 2000), strict=True):
        ranking = sample(size)
        rl.plot(rl.roc_band(ranking, rng=0), ax=panel)
        rl.plot(rl.granular_roc(ranking, granularity=GRANULARITY), ax=panel, lw=0.8)
        panel.set_title(f"{size:,}+{size:,}: granular curves")
    for panel in axes:
        panel.plot(GRID, true, color="black", lw=1, ls="--", label="true curve")
        panel.set(xlabel="false positive rate", ylabel="", xlim=(0, 1), ylim=(0, 1.01))
        panel.set(aspect="equal", anchor="SW")
        panel.spines[["top", "right"]].set_visible(False)
        panel.legend(frameon=False, loc="lower right", fontsize=8)
    axes[0].set_ylabel("true positive rate")
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=100)
