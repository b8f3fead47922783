"""Draw docs/pictures/selection_rules.png: what each rule of choosing a model gains, by size."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt

from roclab_studies.catalogue import PICTURES, STUDIES
from roclab_studies.selection.rule_tables import OTHERS, gains_by_set, interval
from roclab_studies.selection.rules import DATA, SIZES

COLOURS = ("#5a7d2a", "#c8553d", "#1b6ca8", "#7a4fa3", "#e0a030", "#777777", "#000000")


def draw() -> plt.Figure:
    """All sets that are large enough for a size, and those that are for every size."""
    answers = STUDIES["selection_rules"].answers
    large = [data for data in DATA if gains_by_set(answers, OTHERS[0], SIZES[-1], sets=(data,))]
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True, layout="constrained")
    for panel, sets in zip(axes, (list(DATA), large), strict=True):
        for at, (rule, colour) in enumerate(zip(OTHERS, COLOURS, strict=True)):
            found = [
                interval(list(gains_by_set(answers, rule, size, sets=sets).values()))
                for size in SIZES
            ]
            panel.errorbar(
                [size * 1.03 ** (at - 3) for size in SIZES],
                [100 * mean for mean, _ in found],
                yerr=[100 * half for _, half in found],
                color=colour,
                lw=1.4,
                elinewidth=0.7,
                marker="o",
                ms=4,
                label=rule,
            )
        panel.axhline(0, color="grey", lw=0.8)
        panel.set_xscale("log")
        panel.set_xticks(SIZES, [f"{size}" for size in SIZES])
        panel.minorticks_off()
        panel.set_xlabel("validation rows")
        panel.spines[["top", "right"]].set_visible(False)
    axes[0].set(
        ylabel="test AUC above the choice by AUC, points", title=f"{len(DATA)} sets where possible"
    )
    axes[1].set_title(f"the {len(large)} sets that have 500 validation rows")
    axes[1].legend(frameon=False, fontsize=8)
    return figure


if __name__ == "__main__":
    draw().savefig(PICTURES / "selection_rules.png", dpi=100)
