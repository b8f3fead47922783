"""Draw docs/pictures/monitor_electricity.png: what the monitor said of electricity."""

import json

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from roclab_studies.catalogue import PICTURES, STUDIES
from roclab_studies.monitor import replays
from roclab_studies.monitor.fleets import DAY

BLUE, RED = "#1b6ca8", "#c8553d"


def draw() -> plt.Figure:
    """A panel for each frozen model."""
    answers = [
        one for one in STUDIES["monitor_replays"].answers or () if "electricity" in one.layout
    ]
    figure, axes = plt.subplots(len(answers), 1, figsize=(9, 5), sharex=True, layout="constrained")
    for panel, one in zip(axes, reversed(answers), strict=True):
        _draw(panel, one)
    axes[0].legend(frameon=False, fontsize=8, loc="lower left", ncols=4)
    return figure


def _draw(panel: plt.Axes, one: replays.Answer) -> None:
    days = np.array(one.times)
    panel.plot(days.astype("datetime64[D]"), one.aucs, ".", ms=2.5, color=BLUE, label="a day")
    panel.axhline(one.reference, color="grey", ls=":", lw=1, label="mean of the reference")
    end = days[-1] + 1
    for place, said in enumerate(json.loads(one.said)):
        since, fired, ended = (
            np.datetime64(int(moment / DAY), "D")
            for moment in (said["since"], said["fired"], said["ended"] or end * DAY)
        )
        label = "_" * (place > 0)
        panel.axvspan(fired, ended, color=RED, alpha=0.2, lw=0, label=f"{label}alarm open")
        panel.plot(
            [since, fired], [said["mean"]] * 2, color=RED, lw=2, label=f"{label}what it rests on"
        )
    panel.set_title(one.method, fontsize=10)
    panel.set(ylabel="AUC of a day", ylim=(0, 1.03))
    panel.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    draw().savefig(PICTURES / "monitor_electricity.png", dpi=110)
