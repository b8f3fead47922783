"""Draw docs/pictures/repair_study.png: what each rule repairs, and what other data gain by it."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from roclab_studies.catalogue import PICTURES, STUDIES
from roclab_studies.repair import data
from roclab_studies.repair import rules as repair_rules
from roclab_studies.repair.learners import LEARNERS

EXAMPLES = 500
RULES = ("rises in 1 fold", "rises in 4 folds", "significant")
COLOURS = ("#e0a030", "#5a7d2a", "#1b6ca8")
LEARNER_COLOURS = ("#7a4fa3", "#c8553d", "#777777")
POPULATIONS = ("no skill", "binormal", "flat band", *list(repair_rules.PLANTED)[:-1])
LOUD = 1.9  # points of AUC from which a data set is named


def draw() -> plt.Figure:
    """Simulated populations on the left, data sets on the right."""
    by_study = {name: study.answers for name, study in STUDIES.items()}
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
    _simulated(left, by_study["repair_rules"])
    _data(right, by_study["repair_data"])
    for panel in (left, right):
        panel.spines[["top", "right"]].set_visible(False)
    return figure


def _simulated(ax: plt.Axes, answers: list[repair_rules.Answer]) -> None:
    for at, rule in enumerate(RULES):
        shares = [
            100 * row.share
            for name in POPULATIONS
            for row in answers
            if (row.method, row.population, row.n) == (rule, name, EXAMPLES)
        ]
        places = np.arange(len(POPULATIONS)) + (at - 1) * 0.26
        ax.barh(places, shares, height=0.24, color=COLOURS[at], label=rule)
    ax.axvline(5, color="grey", lw=0.8, ls=":")
    ax.set_yticks(range(len(POPULATIONS)), POPULATIONS)
    ax.invert_yaxis()
    ax.set(xlabel="models repaired, %", title=f"simulated, {EXAMPLES} examples checked")
    ax.legend(frameon=False, loc="upper right", bbox_to_anchor=(1, 0.95))


def _data(ax: plt.Axes, answers: list[data.Answer]) -> None:
    rules = list(data.RULES)
    spread = np.random.default_rng(0)
    for at, learner in enumerate(LEARNERS):
        rows = [row for row in answers if row.learner == learner]
        gains = [100 * row.gain for row in rows]
        noise = spread.uniform(-0.08, 0.08, len(rows))
        places = np.array([rules.index(row.method) + (at - 1) * 0.25 for row in rows]) + noise
        ax.scatter(gains, places, s=14, color=LEARNER_COLOURS[at], alpha=0.6, lw=0, label=learner)
        for row, gain, place in zip(rows, gains, places, strict=True):
            if abs(gain) > LOUD and learner == "Gaussian naive Bayes":
                ax.annotate(row.data, (gain, place), (0, 4), textcoords="offset points", size=7)
    ax.axvline(0, color="grey", lw=0.8)
    ax.set_yticks(range(len(rules)), rules)
    ax.invert_yaxis()
    ax.set_xscale("symlog", linthresh=1)
    ax.set_xlim(-9, 20)
    ax.set_xticks([-2, -1, 0, 1, 2, 5, 10], ["-2", "-1", "0", "1", "2", "5", "10"])
    ax.set(xlabel="mean gain of AUC on test folds, points", title="31 data sets")
    ax.legend(frameon=False, loc="center right", bbox_to_anchor=(1, 0.27), fontsize=8)


if __name__ == "__main__":
    draw().savefig(PICTURES / "repair_study.png", dpi=100)
