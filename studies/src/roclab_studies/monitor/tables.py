"""The tables of the study of the monitor, as Markdown."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from roclab_studies.markdown import table_head, table_row
from roclab_studies.monitor import delays, false_alarms, full_path, label_free, replays
from roclab_studies.monitor.fleets import MODELS, SEGMENTS, STREAMS

_METHODS = {
    "default": "the default",
    "no ceiling": "no ceiling, the former default",
    "first 30": "first 30 blocks, the former default",
    "first 90": "first 90 blocks",
    "first 365": "first 365 blocks",
}


def budget(answers: Sequence[false_alarms.Answer]) -> str:
    """False alarms a month with the defaults."""
    rows = [
        [
            one.setting,
            "no" if one.setting in false_alarms.NOT_PROMISED else "yes",
            f"{one.installations} x {one.months}",
            *_rates(one),
            f"{one.alarmed} of {one.installations}",
            f"{one.high:.0%}",
        ]
        for one in answers
        if one.method == "default"
    ]
    head = (
        *("installation", "promised", "months", "all, at most 1", "whole models, 0.17"),
        *("segments, 0.83", "installations with any", "bound too high"),
    )
    return _table(head, rows, left=(0, 1))


def budget_short(answers: Sequence[false_alarms.Answer]) -> str:
    """False alarms a month with the defaults, after one year or two."""
    rows = [
        [one.setting, "no" if one.setting in false_alarms.NOT_PROMISED else "yes", *_rates(one)[:1]]
        for one in answers
        if one.method == "default" and one.months != false_alarms.LONG
    ]
    return _table(("installation", "promised", "false alarms a month"), rows, left=(0, 1))


def methods(answers: Sequence[false_alarms.Answer]) -> str:
    """False alarms a month with other references, and without a ceiling."""
    several = {(one.setting, one.months) for one in answers if one.method != "default"}
    rows = [
        [one.setting, str(one.months), _METHODS[one.method], *_rates(one)[:1], f"{one.high:.0%}"]
        for one in answers
        if (one.setting, one.months) in several
    ]
    head = ("installation", "months", "rule", "false alarms a month", "bound too high")
    return _table(head, rows, left=(0, 2))


def _rates(one: false_alarms.Answer) -> list[str]:
    whole = MODELS * one.whole_alarms / one.whole_months
    segment = MODELS * SEGMENTS * one.segment_alarms / one.segment_months
    every = f"{one.rate:.2f} ± {one.rate_error:.2f}"
    return [f"**{every}**" if one.rate > 1 else every, f"{whole:.2f}", f"{segment:.2f}"]


def full(answers: Sequence[full_path.Answer]) -> str:
    """Installations that were driven day by day, against the change rule alone."""
    rows = []
    for one in answers:
        alarms = one.whole_alarms + one.segment_alarms
        known = one.method == "known"
        rows.append(
            [
                f"{one.setting} ({one.number + 1})",
                "21 days" if known else "estimated",
                f"{one.rows:,}",
                f"{one.same:,} of {one.blocks:,}" if known else "",
                str(alarms),
                f"{one.agreeing} of {alarms}, {one.missing} missing" if known else "",
                f"{STREAMS * alarms / one.stream_months:.2f}",
                f"{one.early_wait:.0f}, {one.late_wait:.0f}",
                f"{one.early_coverage:.0%}, {one.late_coverage:.0%}",
                f"{one.early_auc:.4f}, {one.late_auc:.4f}",
            ]
        )
    head = (
        *("installation", "horizon", "rows", "same blocks", "alarms", "same alarms", "a month"),
        *("days to maturity", "coverage", "mean AUC"),
    )
    return _table(head, rows, left=(0, 1))


def found(answers: Sequence[delays.Answer]) -> str:
    """Cohorts from a change to its alarm, and what the monitor says beforehand."""
    rows = []
    for one in answers:
        if (one.setting, one.method) == ("calm", "default"):
            rows.append(
                [
                    f"{one.drop:.2f} in {one.where}, {one.shape}",
                    one.kind if one.kind == "whole" else "a segment with it",
                    str(one.streams),
                    f"{one.found} of {one.calm}",
                    f"{_cohorts(one.delay)} ({_cohorts(one.delay_90)})",
                    _cohorts(one.foretold),
                    f"{one.within:.0%}",
                    _date(one),
                    f"{one.near:.0%}" if one.found else "",
                    f"{one.stated:.3f} ({one.fall:.3f})" if one.found else f"({one.fall:.3f})",
                ]
            )
    head = (
        *("drop", "stream", "streams", "found in a year", "cohorts, median (90 %)"),
        *("foretold", "within it", "dated (10 to 90 %)", "within 3"),
        "fall stated (true)",
    )
    return _table(head, rows, left=(0, 1))


def found_by_method(answers: Sequence[delays.Answer]) -> str:
    """Median cohorts to the alarm with other references, without a ceiling, and elsewhere."""
    chosen: dict[tuple[str, str, str], list[str]] = {}
    for one in answers:
        if (one.shape, one.where, one.streams) == ("sudden", "all segments", 120):
            stream = "whole" if one.kind == "whole" else "segment"
            cells = chosen.setdefault((one.setting, stream, one.method), [])
            cells.append(_cohorts(one.delay))
    rows = [
        [setting, stream, _METHODS[method], *cells]
        for (setting, stream, method), cells in chosen.items()
    ]
    head = ("cohorts", "stream", "rule", *(f"drop of {drop:.2f}" for drop in delays.DROPS))
    return _table(head, rows, left=(0, 1, 2))


def _cohorts(value: float) -> str:
    if math.isnan(value):
        return ""
    return "over a year" if math.isinf(value) else f"{value:.0f}"


def _date(one: delays.Answer) -> str:
    return f"{one.dated:+.0f} ({one.early:+.0f} to {one.late:+.0f})" if one.found else ""


def replayed(answers: Sequence[replays.Answer]) -> str:
    """What was said of real streams, in figures."""
    rows = []
    for one in answers:
        rows.append(
            [
                one.layout,
                one.method,
                f"{one.rows:,}",
                f"{one.cohorts:,}",
                f"{one.learning} of {one.streams}",
                f"{one.reference:.3f}",
                "yes" if one.slow else "no",
                _cohorts(one.notice),
                str(one.whole_alarms),
                str(one.segment_alarms),
                f"{(one.whole_alarms + one.segment_alarms) / one.months:.1f}",
                f"{one.firing:.0%}",
                str(one.no_ceiling),
                str(one.shuffled),
            ]
        )
    head = (
        *("stream", "model", "rows", "cohorts", "never judged", "reference", "varies slowly"),
        *("0.05 noticed in", "alarms, whole", "of segments", "a month"),
        *("time firing", "whole, no ceiling", "shuffled, 5 times"),
    )
    return _table(head, rows, left=(0, 1))


def said(answers: Sequence[replays.Answer]) -> str:
    """The alarms of whole models, one by one."""
    rows = []
    for one in answers:
        hours = "hours" in one.layout
        for alarm in json.loads(one.said):
            rows.append(
                [
                    f"{one.layout.partition(',')[0]}, {one.method}",
                    _time(alarm["fired"], hours),
                    _time(alarm["since"], hours),
                    f"{one.reference:.3f} to {alarm['mean']:.3f}",
                    *(
                        "" if alarm[name] is None else f"{alarm[name]:.3f}"
                        for name in ("after", "lowest")
                    ),
                    "open" if alarm["ended"] is None else _time(alarm["ended"], hours),
                    _escaped(alarm["why"]),
                ]
            )
    head = ("stream", "said at", "since", "AUC", "next 30", "lowest 10", "ended", "why")
    return _table(head, rows, left=(0, 1, 2, 3, 6, 7))


def _time(microseconds: int, hours: bool) -> str:
    found = datetime.fromtimestamp(microseconds / 1e6, UTC)
    return f"{found:%Y-%m-%d %H:%M}" if hours else f"{found:%Y-%m-%d}"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


def gate(answers: Sequence[label_free.Answer]) -> str:
    """Errors of the label-free estimate where it is shown, and everywhere."""
    rows = []
    for one in answers:
        rows.append(
            [
                one.stream,
                one.method,
                f"{one.shown / one.cohorts:.0%}" if one.cohorts else "",
                *_errors(one.error, one.unchanged),
                *_errors(one.error_all, one.unchanged_all),
            ]
        )
    head = (
        *("stream", "model", "shown", "error where shown", '"nothing changed" there'),
        *("error everywhere", '"nothing changed" everywhere'),
    )
    return _table(head, rows, left=(0, 1))


def _errors(*values: float) -> list[str]:
    return ["" if math.isnan(one) else f"{one:.3f}" for one in values]


Blocks = dict[str, Callable[[Sequence[Any]], str]]
ALARM_BLOCKS: Blocks = {
    "monitor-budget": budget,
    "monitor-budget-short": budget_short,
    "monitor-methods": methods,
}
FULL_BLOCKS: Blocks = {"monitor-full": full}
DELAY_BLOCKS: Blocks = {"monitor-delays": found, "monitor-delays-methods": found_by_method}
REPLAY_BLOCKS: Blocks = {"monitor-replays": replayed, "monitor-said": said}
LABEL_FREE_BLOCKS: Blocks = {"monitor-label-free": gate}


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    return "\n".join([*table_head(head, left=left), *(table_row(*row) for row in rows)])
