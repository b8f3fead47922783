"""Draw docs/pictures/readme.png: the ROC curves of three models, with their AUCs."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt

import roclab as rl

SCORES = Path(__file__).parents[2] / "examples" / "scores.csv"
MODELS = ["random_forest", "decision_tree", "worst_smoothness"]


def draw() -> plt.Figure:
    """The picture of the README."""
    return rl.plot(rl.read_scores(SCORES, y_true="malignant", y_score=MODELS)).figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=110)
