"""The tables of the drift study, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from studies.drift.detectors import KNOWN, Answer
from studies.markdown import table_head, table_row

Find = Callable[..., Answer | None]
POPULATIONS = [(auc, rate) for auc in (0.75, 0.9) for rate in (0.5, 0.05)]


def false_alarms(answers: Sequence[Answer]) -> str:
    """Alarms of streams without a change, in their first million events."""
    find = _finder(answers, kind="calm", per_class=5)
    rows = []
    for auc, rate in POPULATIONS:
        cells = [f"{auc:g}", f"{rate:.0%}"]
        for reference in (KNOWN, 10_000):
            one = find(method="test", auc=auc, rate=rate, reference=reference)
            cells += [_share(one), _rate(one)]
        charts = [("cusum", KNOWN), ("cusum", 10_000), ("cusum_at_estimate", 10_000)]
        for method, reference in charts:
            one = find(method=method, auc=auc, rate=rate, reference=reference)
            cells.append(_rate(one))
        rows.append(cells)
    head = (
        "AUC",
        "positives",
        "test, AUC known: streams with an alarm",
        "alarms per 10⁶ events",
        "test, reference of 10,000: streams",
        "per 10⁶",
        "CUSUM, reference exact: per 10⁶",
        "CUSUM, reference of 10,000, at its bound",
        "CUSUM, the same, at its estimate",
    )
    return _table(head, rows)


def delays(answers: Sequence[Answer]) -> str:
    """Events until a drop is found."""
    find = _finder(answers, kind="change", per_class=5)
    rows = []
    for auc, rate in POPULATIONS:
        for drop in (0.02, 0.05, 0.1):
            cells = [f"{auc:g}", f"{rate:.0%}", f"{drop:g}"]
            for method in ("test", "cusum"):
                for reference in (KNOWN, 10_000):
                    one = find(method=method, auc=auc, rate=rate, drop=drop, reference=reference)
                    cells.append(_delay(one))
            rows.append(cells)
    head = (
        "AUC",
        "positives",
        "drop",
        "test, AUC known",
        "test, reference of 10,000",
        "CUSUM, reference exact",
        "CUSUM, reference of 10,000",
    )
    return _table(head, rows)


def block_sizes(answers: Sequence[Answer]) -> str:
    """The same for blocks of several sizes."""
    find = _finder(answers, kind="change", drop=0.05, reference=KNOWN)
    rows = []
    for method, name in (("test", "test"), ("cusum", "CUSUM")):
        for auc, rate in POPULATIONS:
            found = [
                find(method=method, auc=auc, rate=rate, per_class=size)
                for size in (1, 2, 5, 10, 20, 50)
            ]
            rows.append([name, f"{auc:g}", f"{rate:.0%}", *map(_delay, found)])
    return _table(("detector", "AUC", "positives", "1", "2", "5", "10", "20", "50"), rows)


def naive(answers: Sequence[Answer]) -> str:
    """Streams without a change that raise an alarm within 20,000 events."""
    find = _finder(answers, kind="naive")
    rows = []
    for auc, rate in POPULATIONS:
        for size in (5, 50):
            cells = [f"{auc:g}", f"{rate:.0%}", str(size)]
            for method in ("each_block", "normal", "test"):
                for reference in (KNOWN, 1_000):
                    one = find(
                        method=method, auc=auc, rate=rate, per_class=size, reference=reference
                    )
                    cells.append(_share(one))
            rows.append(cells)
    head = (
        "AUC",
        "positives",
        "block",
        "each block at 5 %, AUC known",
        "the same, reference of 1,000",
        "normal e-process, AUC known",
        "the same, reference of 1,000",
        "`BlockDriftTest`, AUC known",
        "the same, reference of 1,000",
    )
    return _table(head, rows)


def sizes_told(answers: Sequence[Answer]) -> str:
    """What alarms say about the size of the drop."""
    rows = []
    for method, name in (("test", "test"), ("cusum", "CUSUM")):
        for drop in (0.02, 0.05, 0.1):
            some = [
                one
                for one in answers
                if (one.kind, one.method, one.drop, one.per_class) == ("change", method, drop, 5)
                and one.reference == 10_000
                and one.found
            ]
            found = sum(one.found for one in some)
            if not found:
                continue
            told = sum(one.difference * one.found for one in some) / found
            covered = sum(one.covered for one in some) / found
            rows.append([name, f"{-drop:g}", f"{told:.3f}", f"{covered:.0%}", str(found)])
    head = ("detector", "true difference", "mean of what alarms say", "intervals that hold it", "n")
    return _table(head, rows)


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "drift-false-alarms": false_alarms,
    "drift-delays": delays,
    "drift-block-sizes": block_sizes,
    "drift-naive": naive,
    "drift-sizes-told": sizes_told,
}


def _finder(answers: Sequence[Answer], **fixed: object) -> Find:
    def find(**wanted: object) -> Answer | None:
        for one in answers:
            if all(getattr(one, name) == value for name, value in (fixed | wanted).items()):
                return one
        return None

    return find


def _share(one: Answer | None) -> str:
    return "" if one is None else f"{one.alarmed} of {one.streams}"


def _rate(one: Answer | None) -> str:
    return "" if one is None else f"{1e6 * one.alarms / one.events:.3f}"


def _delay(one: Answer | None) -> str:
    if one is None or not one.calm:
        return ""
    if math.isinf(one.delay):
        return f"not found in half ({one.found} of {one.calm})"
    some = "" if one.found == one.calm else f" ({one.found} of {one.calm})"
    return f"{_rounded(one.delay):,}{some}"


def _rounded(value: float) -> int:
    """To two significant digits."""
    return int(float(f"{value:.2g}"))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join([*table_head(head, left=()), *(table_row(*row) for row in rows)])
