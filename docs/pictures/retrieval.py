"""Draw docs/pictures/retrieval.png: one ranking as precision-recall and as gains."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl


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
    rankings = {name: rl.Ranking(truth, one) for name, one in scores.items()}
    rl.plot({name: rl.precision_recall_curve(one) for name, one in rankings.items()}, ax=left)
    gains = {name: rl.curves.precision_recall_gain_curve(one) for name, one in rankings.items()}
    rl.plot(gains, ax=right)
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=110)
