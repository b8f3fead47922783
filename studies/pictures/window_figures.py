"""Draw docs/pictures/window_figures.png: Figures 1 to 3 of Tatti (2018) on two other streams."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt

from roclab_studies.catalogue import PICTURES, STUDIES
from roclab_studies.sliding_window import errors as window_errors
from roclab_studies.sliding_window import times
from roclab_studies.sliding_window.streams import SOURCES
from roclab_studies.sliding_window.tables import by_stream, over_eps, over_size

COLOURS = dict(zip(SOURCES, ("#1b6ca8", "#c8553d"), strict=True))


def draw() -> plt.Figure:
    """A column for each figure of the paper."""
    answers = {study.module: study.answers for study in STUDIES.values()}
    errors = by_stream(answers[window_errors])
    figure, axes = plt.subplots(2, 3, figsize=(10, 6), layout="constrained")
    (mean, time, speed), (largest, length, window) = axes
    eps = [row.eps for row in errors["airlines"]]
    for panel, name in ((mean, "mean_error"), (largest, "largest_error")):
        panel.plot(eps, [one / 2 for one in eps], color="grey", ls=":", label="guarantee")
        panel.set(xlabel="eps", ylabel=f"{name.split('_')[0]} relative error")
        for stream, rows in errors.items():
            panel.plot(eps, [getattr(row, name) for row in rows], **_style(stream))
    for stream, rows in errors.items():
        x = [row.mean_error for row in rows]
        timed = by_stream(over_eps(answers[times]))[stream]
        time.plot(x, [row.approximate for row in timed], **_style(stream))
        length.plot(x, [row.mean_list for row in rows], **_style(stream))
        grown = by_stream(over_size(answers[times]))[stream]
        sizes = [row.size for row in grown]
        speed.plot(sizes, [row.speed_up for row in grown], **_style(stream))
        for name, line in (("recomputed", ":"), ("approximate", "--"), ("exact", "-")):
            style = _style(stream) | {"ls": line, "marker": None, "label": f"{name}, {stream}"}
            window.plot(sizes, [getattr(row, name) for row in grown], **style)
    speed.plot(10_000, 17, "kx", label="published, Miniboone")
    time.set(xlabel="mean relative error", ylabel="ns an event", ylim=(0, None))
    length.set(xlabel="mean relative error", ylabel="scores in the list", yscale="log")
    speed.set(xlabel="window", ylabel="speed-up over recomputing", yscale="log")
    window.set(xlabel="window", ylabel="ns an event", yscale="log")
    length.set_yticks([10, 30, 100, 300], ["10", "30", "100", "300"])
    length.minorticks_off()
    for number, panel in enumerate(axes[0], start=1):
        panel.set_title(f"Figure {number}", fontsize=10)
    for panel in axes.flat:
        panel.set_xscale("log")
        panel.spines[["top", "right"]].set_visible(False)
    for panel in (mean, time, speed, window):
        panel.legend(frameon=False, fontsize=7)
    for panel in (mean, largest):
        panel.set_yscale("log")
    return figure


def _style(stream: str) -> dict[str, object]:
    return {"color": COLOURS[stream], "label": stream, "marker": "o", "ms": 3, "lw": 1}


if __name__ == "__main__":
    draw().savefig(PICTURES / "window_figures.png", dpi=110)
