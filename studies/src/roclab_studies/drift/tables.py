"""The tables of the drift study, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from roclab_studies.drift.detectors import METHODS, Answer
from roclab_studies.drift.real import Answer as RealAnswer
from roclab_studies.drift.streams import MADE, REAL
from roclab_studies.markdown import table_head, table_row

NAMES = {
    "e_detector": "e-detector",
    "cusum": "CUSUM",
    "pooled": "e-detector against the pooled AUC",
}


def calm(answers: Sequence[Answer]) -> str:
    """False alarms in streams without a change, per million events."""
    rows = []
    for population, auc in _populations(answers):
        some = _of(answers, kind="calm", population=population, auc=auc)
        first = some[0]
        known = [first.refused, first.slow]
        cells = [population, f"{auc:g}", f"{first.per_class:g}", *map(str, known)]
        rows.append([*cells, *(_rate(_method(some, method)) for method in METHODS)])
    head = ("stream", "AUC", "block", "refused", "vary slowly", *NAMES.values())
    return _table(head, rows, left=(0,))


def changes(answers: Sequence[Answer]) -> str:
    """Events from the change to the alarm."""
    rows = []
    for population, auc in _populations(answers):
        for drop in (0.05, 0.1):
            some = _of(answers, kind="change", population=population, auc=auc, drop=drop)
            cells = [population, f"{auc:g}", f"{drop:g}"]
            rows.append([*cells, *(_delay(_method(some, method)) for method in METHODS)])
    return _table(("stream", "AUC", "drop", *NAMES.values()), rows, left=(0,))


def confidence(answers: Sequence[Answer]) -> str:
    """Shares of references whose bound holds, and whose chart has the stated run length."""
    rows = []
    for population in MADE:
        for auc in (0.75, 0.9, 0.98):
            some = _of(answers, kind="confidence", population=population, auc=auc)
            if not some:
                continue
            detector, chart = (_method(some, method) for method in ("e_detector", "cusum"))
            shares = [
                f"{count / max(one.streams - one.refused, 1):.0%}"
                for one, count in ((detector, detector.bounded), (chart, chart.kept))
            ]
            rows.append([population, f"{auc:g}", *shares])
    head = ("stream", "AUC", "bound holds", "run length of the CUSUM holds")
    return _table(head, rows, left=(0,))


def differences(answers: Sequence[Answer]) -> str:
    """What alarms report about the size of the drop."""
    rows = []
    for method in ("e_detector", "cusum"):
        for drop in (0.05, 0.1):
            some = [
                one
                for one in _of(answers, kind="change", method=method, drop=drop)
                if one.found and one.population == "independent"
            ]
            found = sum(one.found for one in some)
            told = sum(one.difference * one.found for one in some) / found
            true = sum(one.true_difference * one.found for one in some) / found
            rows.append([NAMES[method], f"{true:.3f}", f"{told:.3f}", str(found)])
    head = ("detector", "true difference", "mean of what alarms report", "alarms")
    return _table(head, rows, left=(0,))


def real(answers: Sequence[RealAnswer]) -> str:
    """Falls of real streams that were found, and false alarms."""
    rows = []
    for one in answers:
        if one.kind != "real":
            continue
        reference = [f"{one.per_class}", f"{one.block_mean:.3f}", f"{one.pooled_auc:.3f}"]
        rows.append(
            [
                *(one.data, one.model, NAMES[one.method]),
                *(reference if one.method != "pooled" else ["5", "", f"{one.pooled_auc:.3f}"]),
                f"{one.found} of {one.falls}",
                f"{one.by_chance:.1f}",
                "" if math.isnan(one.delay) else f"{one.delay:,.0f}",
                f"{one.alarms} in {one.events:,}",
                str(one.undecided),
            ]
        )
    for method in METHODS:
        some = [one for one in answers if one.kind == "real" and one.method == method]
        found, falls = sum(one.found for one in some), sum(one.falls for one in some)
        alarms, events = sum(one.alarms for one in some), sum(one.events for one in some)
        undecided = sum(one.undecided for one in some)
        chance = sum(one.by_chance for one in some)
        found_of = [f"**{found} of {falls}**", f"{chance:.1f}"]
        cells = ["**all**", "", NAMES[method], "", "", "", *found_of, ""]
        rows.append([*cells, f"{alarms} in {events:,}", str(undecided)])
    head = (
        *("data", "model", "detector", "block", "mean of blocks", "pooled AUC", "falls found"),
        *("by chance", "delay", "false alarms in calm events", "undecided"),
    )
    return _table(head, rows, left=(0, 1, 2))


def shuffled(answers: Sequence[RealAnswer]) -> str:
    """False alarms on the same rows, shuffled."""
    rows = []
    for data in REAL:
        for method in ("e_detector", "cusum"):
            some = [
                one
                for one in answers
                if (one.kind, one.data, one.method) == ("shuffled", data, method)
            ]
            alarms, events = sum(one.alarms for one in some), sum(one.events for one in some)
            streams = sum(one.streams for one in some)
            rate = f"{1e6 * alarms / events:.2f}"
            rows.append([data, NAMES[method], str(streams), f"{events:,}", str(alarms), rate])
    head = ("data", "detector", "streams", "events", "false alarms", "per 10⁶ events")
    return _table(head, rows, left=(0, 1))


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "drift-calm": calm,
    "drift-changes": changes,
    "drift-confidence": confidence,
    "drift-differences": differences,
}
REAL_BLOCKS: dict[str, Callable[[Sequence[RealAnswer]], str]] = {
    "drift-real": real,
    "drift-shuffled": shuffled,
}


def _populations(answers: Sequence[Answer]) -> list[tuple[str, float]]:
    aucs = sorted({one.auc for one in answers if one.kind == "calm"})
    return [(population, auc) for population in MADE for auc in aucs]


def _of(answers: Sequence[Answer], **wanted: object) -> list[Answer]:
    return [
        one for one in answers if all(getattr(one, name) == value for name, value in wanted.items())
    ]


def _method(answers: Sequence[Answer], method: str) -> Answer:
    [found] = _of(answers, method=method)
    return found


def _rate(one: Answer) -> str:
    """Alarms per million events, with their standard error if alarms are as many as counted."""
    scale = 1e6 / one.events
    return f"{scale * one.alarms:.2f} ({one.alarmed} of {one.streams - one.refused})"


def _delay(one: Answer) -> str:
    if not one.calm:
        return "false alarms in all"
    if math.isinf(one.delay):
        return f"not found in half ({one.found} of {one.calm})"
    some = "" if one.found == one.calm else f" ({one.found} of {one.calm})"
    return f"{int(float(f'{one.delay:.2g}')):,}{some}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> str:
    return "\n".join([*table_head(head, left=left), *(table_row(*row) for row in rows)])
