"""Draw docs/pictures/probability.png: reliability diagrams of a fair and a boastful model."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl

COLOURS = {"fair": "#1b6ca8", "boastful": "#c8553d"}


def models() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Labels, and the probabilities of two models that rank alike."""
    rng = np.random.default_rng(3)
    evidence = rng.normal(scale=1.3, size=600)
    fair = 1 / (1 + np.exp(-evidence))
    return rng.random(600) < fair, {"fair": fair, "boastful": 1 / (1 + np.exp(-3 * evidence))}


def draw() -> plt.Figure:
    """Shares of positives with their intervals over mean scores, and how many there are."""
    truth, scores = models()
    figure, axes = plt.subplots(
        2, 2, figsize=(7.2, 4.4), layout="constrained", height_ratios=(4, 1), sharex=True
    )
    for column, (name, colour) in enumerate(COLOURS.items()):
        upper, lower = axes[:, column]
        error = rl.calibration_error(truth, scores[name])
        upper.plot([0, 1], [0, 1], color="grey", lw=0.6, ls=":")
        upper.vlines(error.mean_score, error.share_low, error.share_high, color=colour, lw=1.2)
        upper.plot(error.mean_score, error.share, "o", color=colour, ms=5)
        upper.set(
            title=f"{name}: error {error.value:.3f}, Brier "
            f"{rl.brier_score(truth, scores[name]):.3f}, AUC {rl.auc(truth, scores[name]):.3f}",
            ylim=(-0.02, 1.02),
        )
        upper.title.set_size(9)
        lower.bar(error.mean_score, error.count, width=0.06, color=colour, alpha=0.5)
        lower.set(xlabel="mean score of the bin", ylim=(0, 260), xlim=(-0.02, 1.02))
    axes[0, 0].set_ylabel("share of positives")
    axes[1, 0].set_ylabel("examples")
    for panel in axes.flat:
        panel.spines[["top", "right"]].set_visible(False)
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=110)
