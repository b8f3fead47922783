"""Draw docs/pictures/granular_bands.png: figures 1 to 3 of Dong and others, drawn again."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import ndtr, ndtri

import roclab as rl
from roclab_studies.catalogue import PICTURES
from roclab_studies.granular_roc.bands import DISTANCE, GRANULARITY, SIZE, samples

COLOURS = {"published": "#c8553d", "clean": "#1b6ca8"}
CURVES = 100
DETAIL = (0.2, 0.3, 0.52, 0.72)


def draw() -> plt.Figure:
    """The bands of one sample, with a detail; all granularities; and a hundred samples."""
    figure, axes = plt.subplots(1, 3, figsize=(12, 4.2), layout="constrained")
    runs = [rl.Ranking(labels, scores) for labels, scores in samples(SIZE, CURVES)]
    _bands(axes[0], runs[0])
    _granularities(axes[1], runs[0])
    _samples(axes[2], runs)
    for panel in axes:
        panel.spines[["top", "right"]].set_visible(False)
    return figure


def _bands(ax: plt.Axes, ranking: rl.Ranking) -> None:
    detail = ax.inset_axes((0.46, 0.07, 0.5, 0.5))
    for panel in (ax, detail):
        for name, colour in COLOURS.items():
            band = rl.granular_roc(ranking, granularity=GRANULARITY, definition=name)
            panel.plot(band.up.fpr, band.up.tpr, color=colour, lw=1, label=name)
            panel.plot(band.low.fpr, band.low.tpr, color=colour, lw=1)
        curve = rl.roc_curve(ranking)
        panel.plot(curve.fpr, curve.tpr, color="black", lw=1)
    detail.set(xlim=DETAIL[:2], ylim=DETAIL[2:], xticks=[], yticks=[])
    ax.indicate_inset_zoom(detail, edgecolor="grey")
    ax.set(
        title=f"one sample, granularity {GRANULARITY}",
        xlabel="false positive rate",
        ylabel="true positive rate",
        xlim=(0, 1),
        ylim=(0, 1.01),
    )
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(0.12, 0.4), fontsize=8)


def _granularities(ax: plt.Axes, ranking: rl.Ranking) -> None:
    steps = np.linspace(0, 1, 101)
    for name, colour in COLOURS.items():
        areas = [
            rl.granular_auc(ranking, granularity=step, definition=name) for step in steps.tolist()
        ]
        ax.plot(steps, [one.auc / one.up for one in areas], color=colour, lw=1.2)
        ax.plot(steps, [one.low / one.auc for one in areas], color=colour, lw=1.2, ls="--")
    ax.text(0.6, 0.8, "AUC / up")
    ax.text(0.33, 0.5, "low / AUC")
    ax.set(title="all granularities", xlabel="granularity", xlim=(0, 1), ylim=(0, 1.01))


def _samples(ax: plt.Axes, runs: list[rl.Ranking]) -> None:
    for ranking in runs:
        curve = rl.roc_curve(ranking)
        ax.plot(curve.fpr, curve.tpr, color="silver", lw=0.4)
    band = rl.granular_roc(runs[0], granularity=GRANULARITY)
    for side in (band.low, band.up):
        ax.plot(side.fpr, side.tpr, color=COLOURS["clean"], lw=1)
    rates = np.linspace(0, 1, 401)[1:-1]
    ax.plot(rates, ndtr(DISTANCE + ndtri(rates)), color="black", lw=1)
    ax.set(
        title=f"{CURVES} samples, truth, a clean band",
        xlabel="false positive rate",
        xlim=(0, 1),
        ylim=(0, 1.01),
    )


if __name__ == "__main__":
    draw().savefig(PICTURES / "granular_bands.png", dpi=100)
