"""Draw docs/pictures/scored_noise.png, scored_selection.png and scored_scatter.png."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from roclab_studies.catalogue import PICTURES, STUDIES
from roclab_studies.scored_auc import noise, scatter, selection
from roclab_studies.scored_auc.data import LARGE, SMALL
from roclab_studies.scored_auc.noise_tables import READING_NAMES
from roclab_studies.scored_auc.published import PUBLISHED
from roclab_studies.scored_auc.selection_tables import SHARES

Z = 1.96
COLOURS = {"auc": "#c8553d", "scored": "#1b6ca8", "brier": "#5a7d2a", "accuracy": "#777777"}
NAMES = {
    "auc": "AUC",
    "scored": "scored AUC",
    "brier": "Brier score",
    "accuracy": "accuracy",
}
MARKS = {"tree": "o", "naive Bayes": "s", "logistic regression": "^"}
LEARNER_COLOURS = ("#777777", "#7a4fa3", "#c8553d")


def draw_noise(answers: list[noise.Answer]) -> plt.Figure:
    """Figure 2, for each reading of the noise."""
    figure, panels = plt.subplots(1, 3, figsize=(10, 3.8), sharey=True, layout="constrained")
    for ax, (reading, title) in zip(panels, READING_NAMES.items(), strict=True):
        rows = [row for row in answers if row.reading == reading]
        for measure, colour in COLOURS.items():
            shares = [100 * getattr(row, measure) / row.runs for row in rows]
            ax.plot([row.k for row in rows], shares, color=colour, label=NAMES[measure])
        ax.set(xlabel="size of the noise, k", title=f"noise k · {title}", xlim=(0, 1), ylim=(0, 55))
        ax.grid(alpha=0.3)
    panels[0].set_ylabel("runs in which the choice changed, %")
    panels[0].legend(frameon=False, loc="lower right")
    return figure


def draw_selection(by_study: dict[str, list[selection.Answer]]) -> plt.Figure:
    """What the scored AUC gains over AUC, ours and published."""
    figure, panels = plt.subplots(1, 3, figsize=(11, 5), layout="constrained")
    for ax, (study, names, title) in zip(
        panels,
        (
            ("scored_selection", SMALL, "table 4: 20 % of the rest validates"),
            ("scored_few", SMALL, "the same with 4 %"),
            ("scored_selection", LARGE, "table 5"),
        ),
        strict=True,
    ):
        found = {(row.learner, row.data): row for row in selection.together(by_study[study])}
        for at, (learner, mark) in enumerate(MARKS.items()):
            rows = [found[learner, data] for data in names.values()]
            places = np.arange(len(rows)) + (at - 1) * 0.25
            gains = [100 * row.over_auc for row in rows]
            errors = [100 * Z * row.over_auc_error for row in rows]
            printed = [PUBLISHED[learner][number] for number in names]
            published = [scored - auc for scored, auc, _ in printed]
            ax.scatter(published, places, marker=mark, s=24, fc="none", ec=COLOURS["auc"])
            ax.errorbar(
                gains, places, xerr=errors, fmt=mark, ms=4, color=COLOURS["scored"], label=learner
            )
        ax.axvline(0, color="grey", lw=0.8)
        ax.set_yticks(range(len(names)), names.values())
        ax.invert_yaxis()
        ax.set(xlabel="test AUC gained, points", title=title)
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_xlim(panels[1].get_xlim())
    panels[0].legend(frameon=False, loc="lower right", fontsize=8)
    return figure


def draw_scatter(answers: list[scatter.Answer]) -> plt.Figure:
    """Figure 3, with as many validation rows as stated and with fewer."""
    figure, panels = plt.subplots(2, 2, figsize=(10, 7), sharey=True, layout="constrained")
    for line, share in zip(panels, SHARES, strict=True):
        for ax, measure in zip(line, ("auc", "scored"), strict=True):
            for learner, colour in zip(MARKS, LEARNER_COLOURS, strict=True):
                rows = [row for row in answers if (row.share, row.learner) == (share, learner)]
                test = np.array([row.test_auc for row in rows])
                values = np.array([getattr(row, measure) for row in rows])
                slope, intercept = np.polyfit(values, test, 1)
                ends = np.array([values.min(), values.max()])
                left = 1 - np.corrcoef(values, test)[0, 1] ** 2
                label = f"{learner}: 1 - g² = {left:.2f}"
                ax.scatter(values, test, s=8, alpha=0.4, lw=0, color=colour)
                ax.plot(ends, intercept + slope * ends, color=colour, lw=1.5, label=label)
            ax.set(xlabel=f"validation {NAMES[measure]}", title=f"{share:.0%} validate")
            ax.legend(frameon=False, loc="lower left", fontsize=8)
            ax.spines[["top", "right"]].set_visible(False)
        line[0].set(ylabel="test AUC", ylim=(0.64, 0.97))
    return figure


if __name__ == "__main__":
    by_study = {name: study.answers for name, study in STUDIES.items()}
    draw_noise(by_study["scored_noise"]).savefig(PICTURES / "scored_noise.png", dpi=100)
    draw_selection(by_study).savefig(PICTURES / "scored_selection.png", dpi=100)
    draw_scatter(by_study["scored_scatter"]).savefig(PICTURES / "scored_scatter.png", dpi=100)
