"""A stream on screen: lines, or a view that is redrawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from roclab.report.formats import interval, number, percent

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from roclab.streaming import DriftReference

Data = dict[str, Any]
_BARS = "▁▂▃▄▅▆▇█"
_ASCII_BARS = "_.-=+*%#"
_SPAN = "  {:.3f} to {:.3f}"
_EVENT, _INTERVAL, _COUNT = 11, 16, 7
_auc, _ends = number(3), interval(3)
# Why no alarm was possible.
_WHY = {
    "weights": "drift detectors take no weights",
    "no detector": "no drift detector",
    "reference incomplete": "the reference needs at least {}",
    "too few positives": "the reference has too few positive events",
    "too few negatives": "the reference has too few negative events",
    "no complete block": "no block of events is complete",
}


def opening(begin: Data) -> str:
    """The first line: whether changes are detected, and with which reference."""
    if begin["detector"] is None:
        return f"Not watched for changes: {_WHY['weights' if begin['weight'] else 'no detector']}."
    if begin["reference"] == "file":
        return "Reference: the table of --reference."
    first = f"Reference: the first {begin['reference_events']:,} events"
    more = " or more, until they make 30 blocks that do not depend on each other"
    return f"{first}{more * begin['reference_grows']}. Not watched for changes until then."


def reference(event: int, made: DriftReference) -> str:
    """The reference, once it is complete."""
    return (
        f"Watched from event {event + 1:,} on: the reference has {_counted(made.n_events, 'event')}"
        f" in {made.n_blocks:,} blocks, mean AUC {made.block_mean:.3f}."
    )


def header(level: float) -> str:
    """The titles above the rows."""
    title = f"{percent(level)} interval"
    counts = f"{'n+':>{_COUNT}}   {'n-':>{_COUNT}}"
    return f"{'event':>{_EVENT}}   {'AUC':>9}   {title:>{_INTERVAL}}   {counts}"


def row(step: Data) -> str:
    """A step in one line."""
    undefined = math.isnan(step["auc"])
    interval = "" if undefined else _ends(step["low"], step["high"])
    return (
        f"{step['event']:>{_EVENT},}   {_auc(step['auc']):>9}   {interval:>{_INTERVAL}}   "
        f"{step['n_pos']:>{_COUNT},}   {step['n_neg']:>{_COUNT},}"
    )


def sparkline(values: Sequence[float], *, bars: str = _BARS) -> str:
    """Values as bars of eight heights, from the lowest to the highest; a blank for nan."""
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        return " " * len(values)
    low, span = min(defined), max(defined) - min(defined)
    steps = len(bars) - 1

    def bar(value: float) -> str:
        if math.isnan(value):
            return " "
        return bars[round(steps * (value - low) / span) if span > 0 else steps // 2]

    return "".join(map(bar, values))


def bad_lines(counts: dict[str, int]) -> str:
    """How many lines were left out, by kind; nothing if none were."""
    if not counts:
        return ""
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in counts.items())
    return f"{_counted(sum(counts.values()), 'line')} left out: {kinds}"


def summary(end: Data) -> str:
    """The last line."""
    step = end["last"]
    parts = [_counted(end["events"], "event")]
    if not math.isnan(step["auc"]):
        parts.append(f"AUC {step['auc']:.3f} {_ends(step['low'], step['high'])}")
    watched = end["watched_events"]
    if end["not_watched"] is None:
        after = "" if watched == end["events"] else f" in {_counted(watched, 'watched event')}"
        parts.append(_counted(end["alarms"], "alarm") + after)
    else:
        parts.append(not_watched(end["not_watched"], end["reference_missing"]))
    return "; ".join(parts + [line for line in (bad_lines(end["left_out"]),) if line]) + "."


def not_watched(why: str, reference_missing: int) -> str:
    """That no alarm was possible, and why."""
    return f"not watched for changes: {_WHY[why].format(_counted(reference_missing, 'more event'))}"


def view(
    step: Data,
    values: Sequence[float],
    alarms: Sequence[Data],
    left_out: dict[str, int],
    *,
    why: str | None = None,
    reference_missing: int = 0,
    width: int = 80,
    unicode: bool = True,
) -> RenderableType:
    """The view of a terminal: current AUC, history, alarms, lines left out."""
    from rich.console import Group
    from rich.text import Text

    lines = [Text("waiting for events")] if not step["event"] else _now(step)
    shown = values[-max(1, width - len(_SPAN.format(0, 0))) :]
    defined = [value for value in shown if not math.isnan(value)]
    if defined:
        bars = sparkline(shown, bars=_BARS if unicode else _ASCII_BARS)
        lines.append(Text(bars + _SPAN.format(min(defined), max(defined))))
    if why is not None:
        lines.append(Text(not_watched(why, reference_missing)))
    else:
        lines.append(Text(f"drift: {step['statistic']:.3g}, alarm from {step['threshold']:.3g} on"))
    lines += [Text(_short(alarm), style="bold red") for alarm in alarms]
    if left_out:
        lines.append(Text(bad_lines(left_out), style="yellow"))
    return Group(*lines)


def _now(step: Data) -> list[Text]:
    from rich.text import Text

    now = Text(f"AUC {_auc(step['auc'])}", style="bold")
    if not math.isnan(step["auc"]):
        interval = _ends(step["low"], step["high"])
        now.append(f"  {interval}, {percent(step['confidence_level'])}", style="not bold")
    counts = f"window {step['n_pos']:,}+ {step['n_neg']:,}-"
    return [now, Text(f"{_counted(step['event'], 'event')}; {counts}")]


def _short(alarm: Data) -> str:
    return (
        f"alarm at event {alarm['event']:,}: AUC of blocks {alarm['reference_block_mean']:.3f} -> "
        f"{alarm['block_mean']:.3f} since event {alarm['since_event']:,}"
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
