"""Draw docs/pictures/drift.png: a stream that gets worse, in a window and by two detectors."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl
from roclab.streaming import Alarm

EVENTS, CHANGE, STEP = 24_000, 16_000, 50
COLOURS = {"window": "#1b6ca8", "test": "#c8553d", "chart": "#5f8d4e"}


def stream(rng: np.random.Generator, shift: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Labels with three positives in ten, and scores."""
    labels = rng.random(len(shift)) < 0.3
    return labels, rng.normal(size=len(shift)) + shift * labels


def course(
    detector: rl.BlockDriftTest | rl.BlockCUSUM, labels: np.ndarray, scores: np.ndarray
) -> tuple[list[tuple[int, float]], list[Alarm]]:
    """The statistic after every few events and at alarms, and the alarms."""
    points, alarms = [], []
    for event, (label, score) in enumerate(zip(labels, scores, strict=True), start=1):
        alarm = detector.update(label, score)
        if alarm is not None:
            points.append((event, alarm.statistic))
            alarms.append(alarm)
        if alarm is not None or event % STEP == 0:
            points.append((event, detector.statistic))
    return points, alarms


def draw() -> plt.Figure:
    """The window above, the evidence of the test and the sum of the chart below."""
    rng = np.random.default_rng(11)
    reference = rl.Ranking(*stream(rng, np.full(10_000, 1.5)))
    labels, scores = stream(rng, np.where(np.arange(EVENTS) < CHANGE, 1.5, 1.2))
    figure, panels = plt.subplots(
        3, 1, figsize=(8, 6.4), sharex=True, layout="constrained", height_ratios=(1.3, 1, 1)
    )
    top, middle, bottom = panels
    window, places, intervals = rl.WindowAUC(1000), [], []
    for event, (label, score) in enumerate(zip(labels, scores, strict=True), start=1):
        window.update(label, score)
        if event >= 1000 and event % STEP == 0:
            places.append(event)
            intervals.append(window.interval())
    colour = COLOURS["window"]
    low, high = ([getattr(one, end) for one in intervals] for end in ("low", "high"))
    top.fill_between(places, low, high, color=colour, alpha=0.15, lw=0)
    top.plot(places, [one.value for one in intervals], color=colour, lw=1)
    top.axhline(rl.auc(reference), color="grey", lw=0.8, ls="--")
    top.annotate("the reference", (100, rl.auc(reference) + 0.003), color="grey", size=8)
    top.set(ylabel="AUC of 1,000 events, 95 %")

    detectors = {"test": rl.BlockDriftTest(reference), "chart": rl.BlockCUSUM(reference)}
    for panel, (name, detector) in zip((middle, bottom), detectors.items(), strict=True):
        points, alarms = course(detector, labels, scores)
        panel.plot(*zip(*points, strict=True), color=COLOURS[name], lw=1)
        panel.axhline(detector.threshold, color="grey", lw=0.8, ls="--")
        panel.annotate(
            "alarm from here on",
            (100, detector.threshold),
            color="grey",
            size=8,
            xytext=(0, 2),
            textcoords="offset points",
        )
        first = alarms[0]
        panel.plot(first.event, first.statistic, "o", color=COLOURS[name], ms=4)
        panel.annotate(
            f"after {first.event - CHANGE:,} events",
            (first.event, first.statistic),
            xytext=(-6, 1),
            textcoords="offset points",
            ha="right",
            size=8,
        )
    middle.set(ylabel="test: evidence", yscale="log", ylim=(0.05, 300))
    bottom.set(ylabel="chart: sum / limit", xlabel="event", ylim=(0, 1.3))
    for panel in panels:
        panel.axvline(CHANGE, color="black", lw=0.6, ls=":")
        panel.spines[["top", "right"]].set_visible(False)
        panel.set_xlim(0, EVENTS)
    top.annotate(" the change", (CHANGE, max(high)), size=8, va="top")
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=110)
