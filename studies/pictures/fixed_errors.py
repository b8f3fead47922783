"""Draw docs/pictures/fixed_errors.png: Figures 2 to 4 of Castro and Braga (2008)."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt

from roclab_studies.auctron import fixed_errors
from roclab_studies.catalogue import PICTURES, STUDIES

COLOURS = dict(zip(fixed_errors.RATIOS, ("#c8553d", "#e0a030", "#5a7d2a", "#1b6ca8"), strict=True))
ERRORS = 10  # of Figure 2


def draw() -> plt.Figure:
    """A panel for each figure of the paper."""
    answers = STUDIES["fixed_errors"].answers
    figure, (second, third, fourth) = plt.subplots(1, 3, figsize=(10, 3.6), layout="constrained")
    for ratio, colour in COLOURS.items():
        rows = [row for row in answers if row.size == fixed_errors.SIZE and row.ratio == ratio]
        style = {"color": colour, "label": f"{100 * ratio:g} % positive", "lw": 1.5}
        positives = rows[0].positives
        x = range(ERRORS + 1)
        second.plot(
            x,
            [
                fixed_errors.mean_given_false_positives(
                    positives, fixed_errors.SIZE - positives, ERRORS, false
                )
                for false in x
            ],
            **style,
        )
        shares = [100 * row.errors / row.size for row in rows]
        third.plot(shares, [row.mean for row in rows], **style)
        few = [row for row in rows if 1 <= row.errors <= positives]
        shares = [100 * row.errors / row.size for row in few]
        fourth.plot(shares, [row.deviation for row in few], **style)
        many = [row for row in answers if row.size == 2000 and row.ratio == ratio]
        shares = [100 * row.errors / row.size for row in many]
        fourth.plot(shares, [row.deviation for row in many], color=colour, lw=1, ls="--")
    fourth.plot([], [], color="grey", lw=1, ls="--", label="of 2,000 examples")
    second.set(
        xlabel="false positives", ylabel="mean AUC", title=f"Figure 2: {ERRORS} errors of 200"
    )
    third.set(xlabel="errors, %", ylabel="mean AUC", title="Figure 3")
    fourth.set(
        xlabel="errors, %",
        ylabel="standard deviation of AUC",
        title="Figure 4",
        ylim=(0, None),
    )
    for panel in (second, third, fourth):
        panel.spines[["top", "right"]].set_visible(False)
    third.legend(frameon=False, fontsize=8)
    fourth.legend(*_last(fourth), frameon=False, fontsize=8)
    return figure


def _last(panel: plt.Axes) -> tuple[list[mpl.artist.Artist], list[str]]:
    handles, labels = panel.get_legend_handles_labels()
    return handles[-1:], labels[-1:]


if __name__ == "__main__":
    draw().savefig(PICTURES / "fixed_errors.png", dpi=110)
