"""Draw docs/pictures/scored_auc.png: the margin curves of two models with the same AUC."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl

DELTA = 0.1
COLOURS = {"bold": "#1b6ca8", "timid": "#c8553d"}


def models() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Labels, and the probabilities of two models that rank alike."""
    rng = np.random.default_rng(7)
    truth = rng.random(400) < 0.4
    evidence = rng.normal(size=400) + 1.2 * truth - 0.6
    return truth, {
        "bold": 1 / (1 + np.exp(-2.0 * evidence)),
        "timid": 1 / (1 + np.exp(-0.5 * evidence)),
    }


def draw() -> plt.Figure:
    """Two curves over all margins, the areas from 0 on shaded."""
    truth, scores = models()
    figure, axes = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    for name, colour in COLOURS.items():
        curve = rl.margin_curve(truth, scores[name])
        taus = np.linspace(-1, 1, 801)
        axes.plot(taus, curve.at(taus), color=colour, label=f"{name}: area {curve.area():.2f}")
        ahead = taus[taus >= 0]
        axes.fill_between(ahead, curve.at(ahead), color=colour, alpha=0.15, lw=0)
        ends = [-DELTA, DELTA]
        axes.plot(ends, curve.at(ends), "o", color=colour, ms=4)
    area = rl.auc(truth, scores["bold"])
    axes.plot(0, area, "o", color="black", ms=5, zorder=3)
    axes.annotate(f"AUC {area:.2f}", (0, area), (0.06, area + 0.09), arrowprops={"arrowstyle": "-"})
    axes.axvline(0, color="grey", lw=0.6)
    for tau in (-DELTA, DELTA):
        axes.axvline(tau, color="grey", lw=0.6, ls=":")
    axes.set(
        xlabel=r"margin $\tau$: every positive score is lowered by it",
        ylabel=r"$\theta(\tau)$, the AUC that remains",
        xlim=(-1, 1),
        ylim=(0, 1.02),
    )
    axes.legend(title="scored AUC", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=110)
