"""Draw docs/pictures/drift.png: a stream that gets worse, in a window, in blocks, by evidence."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl

REFERENCE, EVENTS, CHANGE, STEP = 10_000, 24_000, 16_000, 50
COLOURS = {"window": "#1b6ca8", "blocks": "#5f8d4e", "evidence": "#c8553d"}


def stream(rng: np.random.Generator, shift: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Labels with three positives in ten, and scores that move together every forty events."""
    events = len(shift)
    labels = rng.random(events) < 0.3
    level = np.repeat(rng.normal(0, 1.5, events // 40 + 1), 40)[:events]
    return labels, rng.normal(size=events) + shift * labels + level


def draw() -> plt.Figure:
    """The window, the blocks and the evidence, above each other."""
    rng = np.random.default_rng(11)
    shift = np.where(np.arange(REFERENCE + EVENTS) < REFERENCE + CHANGE, 2.6, 1.9)
    labels, scores = stream(rng, shift)
    reference = rl.DriftReference(labels[:REFERENCE], scores[:REFERENCE])
    detector = rl.BlockEDetector(reference)
    window = rl.WindowAUC(1000)
    figure, panels = plt.subplots(3, 1, figsize=(8, 6.8), sharex=True, layout="constrained")
    places, intervals, evidence, alarms, seen, ends = [], [], [], [], [], []
    cutter = rl.streaming.drift.blocks.BlockCutter(detector._rule)
    live = zip(labels[REFERENCE:], scores[REFERENCE:], strict=True)
    for event, (label, score) in enumerate(live, start=1):
        window.update(label, score)
        block = cutter.add(label, score)
        if block is not None:
            seen.append(block.auc)
            ends.append(event)
        alarm = detector.update(label, score)
        if alarm is not None:
            alarms.append(alarm)
            evidence.append((event, alarm.statistic))
        if event % STEP == 0 or alarm is not None:
            evidence.append((event, max(detector.statistic, 1e-3)))
        if event >= 1000 and event % STEP == 0:
            places.append(event)
            intervals.append(window.interval())
    _draw_window(panels[0], places, intervals, reference)
    _draw_blocks(panels[1], ends, seen, reference, detector)
    _draw_evidence(panels[2], evidence, alarms[0], detector)
    for panel in panels:
        panel.axvline(CHANGE, color="black", lw=0.6, ls=":")
        panel.spines[["top", "right"]].set_visible(False)
        panel.set_xlim(0, EVENTS)
    panels[0].annotate(" the change", (CHANGE, panels[0].get_ylim()[1]), size=8, va="top")
    return figure


def _draw_window(panel: plt.Axes, places: list, intervals: list, reference) -> None:
    colour = COLOURS["window"]
    low, high = ([getattr(one, end) for one in intervals] for end in ("low", "high"))
    panel.fill_between(places, low, high, color=colour, alpha=0.15, lw=0)
    panel.plot(places, [one.value for one in intervals], color=colour, lw=1)
    panel.axhline(reference.pooled_auc, color="grey", lw=0.8, ls="--")
    _name(panel, f"pooled AUC of the reference, {reference.pooled_auc:.3f}", reference.pooled_auc)
    panel.set(ylabel="AUC of 1,000 events")


def _draw_blocks(panel: plt.Axes, ends: list, seen: list, reference, detector) -> None:
    panel.plot(ends, seen, ".", color=COLOURS["blocks"], ms=3)
    panel.axhline(reference.block_mean, color="grey", lw=0.8, ls="--")
    panel.axhline(detector.bounds[0], color=COLOURS["evidence"], lw=0.8)
    words = f"mean of the reference, {reference.block_mean:.3f}, and its bound"
    _name(panel, words, reference.block_mean)
    panel.set(ylabel=f"AUC of blocks of {reference.per_class}+ {reference.per_class}-")


def _draw_evidence(panel: plt.Axes, evidence: list, first, detector) -> None:
    colour = COLOURS["evidence"]
    panel.plot(*zip(*evidence, strict=True), color=colour, lw=1)
    panel.axhline(detector.threshold, color="grey", lw=0.8, ls="--")
    _name(panel, "alarm from here on", detector.threshold)
    panel.plot(first.event, first.statistic, "o", color=colour, ms=4)
    panel.annotate(
        f"after {first.event - CHANGE:,} events",
        (first.event, first.statistic),
        xytext=(6, 2),
        textcoords="offset points",
        size=8,
    )
    panel.set(ylabel="evidence", xlabel="event", yscale="log", ylim=(0.5, None))


def _name(panel: plt.Axes, words: str, height: float) -> None:
    place = {"xytext": (0, 2), "textcoords": "offset points"}
    box = {"facecolor": "white", "alpha": 0.8, "lw": 0, "pad": 1}
    panel.annotate(words, (100, height), color="black", size=8, bbox=box, **place)


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=110)
