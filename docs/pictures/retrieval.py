"""Draw docs/pictures/retrieval.png: one ranking as precision-recall and as gains."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl

COLOURS = {"better early": "#c8553d", "better late": "#1b6ca8"}


def models() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Labels with a fifth of positives, and two models that are good at different ends."""
    rng = np.random.default_rng(5)
    truth = rng.random(2000) < 0.2
    noise = rng.normal(size=2000)
    found = rng.random(2000) < 0.3
    return truth, {
        "better early": noise + truth * np.where(found, 3.2, 0.3),
        "better late": noise + 1.15 * truth,
    }


def draw() -> plt.Figure:
    """Both curves of both models, and calling everything positive."""
    truth, scores = models()
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.8), layout="constrained")
    share = truth.mean()
    for name, colour in COLOURS.items():
        ranking = rl.Ranking(truth, scores[name])
        curve = rl.precision_recall_curve(ranking)
        area = rl.average_precision(ranking)
        left.plot(curve.recall, curve.precision, color=colour, lw=1, label=f"{name}: {area:.3f}")
        gains = rl.curves.precision_recall_gain_curve(ranking)
        right.plot(
            gains.recall_gain,
            gains.precision_gain,
            color=colour,
            lw=1,
            label=f"{name}: {gains.area():.3f}",
        )
    left.axhline(share, color="grey", lw=0.6, ls=":")
    left.annotate("everything called positive", (0.02, share + 0.015), color="grey", size=8)
    left.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.02))
    left.legend(title="average precision", frameon=False, loc="upper right")
    right.set(xlabel="recall gain", ylabel="precision gain", xlim=(0, 1), ylim=(0, 1.02))
    right.legend(title="average precision gain", frameon=False, loc="lower left")
    for panel in (left, right):
        panel.spines[["top", "right"]].set_visible(False)
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=110)
