"""Draw docs/pictures/granular_selection.png: table 5 and figure 4 of Dong and others, made again.

The lower row needs the data set sonar, from the folder that ROCLAB_DATA names.
"""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl
from roclab_studies.catalogue import PICTURES, STUDIES
from roclab_studies.granular_roc import selection
from roclab_studies.granular_roc.selection import DATA, FEW_MODELS, MEASURES
from roclab_studies.granular_roc.tables import FOUR, PRINTED, cells_of, half_width
from roclab_studies.real_data import load_known

COLOURS = {"scored AUC": "#5a7d2a", "lambda AUC": "#c8553d", "rho AUC": "#1b6ca8"}


def draw() -> plt.Figure:
    """Gains over the choice by AUC above, one cut of sonar below."""
    answers = STUDIES["granular_selection"].answers
    figure = plt.figure(figsize=(10, 7), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(1.2, 1))
    _gains(above.subplots(), answers)
    _scatter(below.subplots(1, len(FOUR), sharey=True))
    for panel in figure.axes:
        panel.spines[["top", "right"]].set_visible(False)
    return figure


def _gains(ax: plt.Axes, answers: list[selection.Answer]) -> None:
    cells = cells_of(answers, "normal")
    for at, (rule, colour) in enumerate(COLOURS.items()):
        places = np.arange(len(DATA)) + (at - 1) * 0.24
        rows = [cells[data, rule] for data in DATA]
        printed = [100 * (PRINTED[data][FOUR.index(rule)] - PRINTED[data][0]) for data in DATA]
        ax.plot(places, printed, "o", color=colour, mfc="white", ms=5)
        ax.errorbar(
            places + 0.08,
            [100 * row.over_auc for row in rows],
            yerr=[100 * half_width(row.over_auc_sd, row) for row in rows],
            fmt="o",
            color=colour,
            ms=5,
            lw=1,
            label=rule,
        )
    ax.axhline(0, color="grey", lw=0.8)
    ax.set_xticks(range(len(DATA)), DATA)
    ax.set(
        ylabel="test AUC above the choice by AUC, points",
        title="table 5: printed (open), ours with 95 % intervals (filled)",
    )
    ax.legend(frameon=False)


def _scatter(axes: np.ndarray) -> None:
    question = selection.Question(
        method="AUC", data="Sonar", learner="normal", models=FEW_MODELS, repetitions=1
    )
    cut = next(selection.cuts(load_known("sonar"), question))
    tested = np.array([rl.auc(cut.test, scores) for scores in cut.tested[:-1]])
    for panel, rule in zip(axes, FOUR, strict=True):
        values = np.array([MEASURES[rule](cut.validation, one) for one in cut.validated[:-1]])
        chosen = selection.chosen(values, tested)
        panel.plot(values, tested, ".", color="black")
        panel.axhline(chosen, color="#c8553d", lw=1)
        better = np.count_nonzero(tested > chosen)
        related = selection.correlation(values, tested)
        panel.set(xlabel=f"{rule}, validation", title=f"{better} better, r = {related:.2f}")
    axes[0].set_ylabel("test AUC")


if __name__ == "__main__":
    draw().savefig(PICTURES / "granular_selection.png", dpi=100)
