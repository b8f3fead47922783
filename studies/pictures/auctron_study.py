"""Draw docs/pictures/auctron_study.png: AUCtron's lead over other learners, and its starts."""

from collections.abc import Sequence

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from roclab_studies.auctron import data as auctron_data
from roclab_studies.auctron import starts
from roclab_studies.auctron.rankers import CHOSEN
from roclab_studies.auctron.tables import ITS_OWN, TABLE_1, by_cell, lead
from roclab_studies.catalogue import PICTURES, STUDIES
from roclab_studies.resampling import CorrectedMean

COLOURS = ("#1b6ca8", "#c8553d", "#e0a030", "#777777", "#5a7d2a")
STARTS = {"pima": "#1b6ca8", "ionosphere": "#c8553d"}


def draw() -> plt.Figure:
    """The paper's claim on the left, learners as one would use them, and starts on the right."""
    answers = {study.module: study.answers for study in STUDIES.values()}
    figure, (left, middle, right) = plt.subplots(
        1, 3, figsize=(10.5, 5.6), layout="constrained", width_ratios=(1, 1.25, 1)
    )
    _published(left, answers[auctron_data])
    _chosen(middle, answers[auctron_data])
    _starts(right, answers[starts])
    for panel in (left, middle, right):
        panel.spines[["top", "right"]].set_visible(False)
        panel.title.set_fontsize(10)
        panel.xaxis.label.set_fontsize(9)
        panel.legend(
            frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.45, -0.12), ncols=2
        )
    return figure


def _published(ax: plt.Axes, answers: list[auctron_data.Answer]) -> None:
    cells = by_cell(answers)
    names = ("AUCtron, descent", "MSEtron, descent")
    leads = [lead(*(cells[name, data] for name in names)) for data in ITS_OWN]
    _intervals(ax, leads, np.arange(len(ITS_OWN)), color=COLOURS[0], label="here, 95 %")
    published = [TABLE_1[names[0]][data] - TABLE_1[names[1]][data] for data in ITS_OWN]
    ax.plot(published, range(len(ITS_OWN)), "kx", ms=7, label="published")
    _rows(ax, ITS_OWN)
    ax.set(xlabel="AUCtron less MSEtron, points", title="as in the paper")


def _chosen(ax: plt.Axes, answers: list[auctron_data.Answer]) -> None:
    cells = by_cell(answers)
    first, *others = CHOSEN
    data = list(auctron_data.DATA)
    for at, other in enumerate(others):
        leads = [lead(cells[first, one], cells[other, one]) for one in data]
        places = np.arange(len(data)) + (at - 2) * 0.15
        _intervals(ax, leads, places, color=COLOURS[at], label=other)
    _rows(ax, data)
    ax.set(xlabel="AUCtron less the other, points", title="settings chosen")


def _starts(ax: plt.Axes, answers: list[starts.Answer]) -> None:
    rng = np.random.default_rng(0)
    for side, (data, colour) in enumerate(STARTS.items()):
        for place, spread in enumerate(starts.SPREADS):
            row = next(
                one
                for one in answers
                if (one.data, one.solver, one.spread) == (data, "descent", spread)
            )
            x = place + 0.4 * side - 0.2 + rng.uniform(-0.12, 0.12, row.starts)
            first = place == 0
            ax.scatter(
                x,
                row.losses,
                s=16,
                facecolors="none",
                edgecolors=colour,
                lw=0.8,
                label=f"{data}, 80 epochs" if first else None,
            )
            ax.scatter(
                x,
                row.further_losses,
                s=12,
                color=colour,
                marker="_",
                label=f"{data}, continued" if first else None,
            )
    ax.set_yscale("log")
    ax.set_xticks(range(3), [f"{spread:g}" for spread in starts.SPREADS])
    ax.set(xlabel="size of the start", ylabel="training loss", title="starts, paper's descent")


def _intervals(
    ax: plt.Axes, leads: Sequence[CorrectedMean], places: np.ndarray, *, color: str, label: str
) -> None:
    middles = np.array([100 * one.value for one in leads])
    ends = 100 * np.array([one.interval() for one in leads])
    reach = np.abs(ends.T - middles)
    ax.errorbar(middles, places, xerr=reach, fmt="o", ms=3.5, lw=1, color=color, label=label)


def _rows(ax: plt.Axes, names: Sequence[str]) -> None:
    ax.axvline(0, color="grey", lw=0.8)
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()


if __name__ == "__main__":
    draw().savefig(PICTURES / "auctron_study.png", dpi=110)
