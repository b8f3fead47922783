"""Draw docs/pictures/interval_coverage.png: how often each interval holds the AUC, cell by cell."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from roclab_studies.catalogue import PICTURES, STUDIES
from roclab_studies.coverage.interval_tables import HOLDS, main_claim
from roclab_studies.coverage.intervals import AUCS, LEVEL, METHODS

COLOURS = dict(zip(AUCS, ("#5a7d2a", "#1b6ca8", "#e0a030", "#c8553d"), strict=True))


def draw() -> plt.Figure:
    """A dot for each cell: coverage on the left, width over that of the default on the right."""
    by_method = main_claim(STUDIES["interval_coverage"].answers)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(9, 4.6), sharey=True, layout="constrained", width_ratios=(3, 2)
    )
    spread = np.random.default_rng(0)
    left.axvline(LEVEL, color="grey", lw=0.8)
    left.axvline(HOLDS, color="grey", lw=0.8, ls=":")
    right.axvline(1, color="grey", lw=0.8)
    for place, method in enumerate(METHODS):
        for auc, colour in COLOURS.items():
            cells = {cell: row for cell, row in by_method[method].items() if cell[3] == auc}
            heights = place + spread.uniform(-0.28, 0.28, len(cells))
            style = {"color": colour, "ms": 3.5, "alpha": 0.8, "lw": 0, "marker": "o", "mew": 0}
            label = f"AUC {auc:g}" if place == 0 else None
            left.plot([row.coverage for row in cells.values()], heights, label=label, **style)
            ratios = [
                row.mean_width / by_method["auto"][cell].mean_width for cell, row in cells.items()
            ]
            right.plot(ratios, heights, **style)
    left.set(xlabel="share of samples whose 95 % interval holds the true AUC", xlim=(0, 1.01))
    left.set_yticks(range(len(METHODS)), METHODS)
    left.invert_yaxis()
    left.legend(frameon=False, loc="center left")
    right.set(xlabel='mean width over that of "auto"', xlim=(0, None))
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    return figure


if __name__ == "__main__":
    draw().savefig(PICTURES / "interval_coverage.png", dpi=110)
