"""What the pages about windows quote of a full run."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import Any

from benchmarks import window_memory, windows

Rows = dict[str, dict[str, dict[str, Any]]]  # by case and contender


def speed(results: dict[str, Any]) -> str:
    """What an event costs with what is read after it, and how many times faster than river."""
    scan, other = (_rows(results, title) for title in (windows.OVER_A_SCAN, windows.OTHER_READINGS))
    head = ["window", "an event and `auc`", "over river"]
    head += ["`interval()` instead, times as long", "`scored_auc` instead", "`update_many`"]
    lines = _head(head)
    for case, rows in scan.items():
        own, costs = rows[windows.EXACT], other[case]
        ratio = f"{own['wall ratio']:,.0f}x" if windows.RIVER in rows else "-"
        lines.append(
            _line(
                f"{_size(case):,}",
                _duration(own["wall ms"]),
                ratio,
                *(
                    f"{costs[name]['times auc']:.2f}"
                    for name in (windows.INTERVAL, windows.SCORED, windows.MANY)
                ),
            )
        )
    return _with_source(lines, results)


def memory(results: dict[str, Any]) -> str:
    """Bytes for each event in a window."""
    lines = ["| window of | what | bytes an event |", "|--:|---|--:|"]
    for case, rows in _rows(results, window_memory.TITLE).items():
        lines += [
            _line(f"{_size(case):,}", name, f"{row['bytes an event']:.0f}")
            for name, row in rows.items()
        ]
    return _with_source(lines, results)


def hull(results: dict[str, Any]) -> str:
    """When it would pay to keep the hull up to date, and not to make it when it is read."""
    head = ["window", "`hull()`", "`h_measure()`", "an event and `auc`", "a node of a tree"]
    head += ["an event with the hull kept up", "pays if read at least every"]
    lines = _head(head)
    for case, rows in _rows(results, windows.ON_READ).items():
        read, event = rows[windows.HULL]["wall ms"], rows[windows.EXACT]["wall ms"]
        node, kept = maintained(_size(case), rows[windows.TREE]["wall ms"])
        lines.append(
            _line(
                f"{_size(case):,}",
                _duration(read),
                _duration(rows[windows.H_MEASURE]["wall ms"]),
                _duration(event),
                _duration(node),
                f"{_duration(event + kept)} ({1 + kept / event:,.0f} times)",
                f"{read / kept:,.0f} events",
            )
        )
    return _with_source(lines, results)


def maintained(size: int, tree: float) -> tuple[float, float]:
    """Times of a node of a tree, and of keeping a hull up to date for an event.

    `tree` is the time of an event in a balanced tree of as many nodes: down one way to let it in
    and one to take the oldest out. The hull is taken to look at log2(size)^2 nodes, both together.
    """
    node = tree / (2 * log2(size))
    return node, node * log2(size) ** 2


def approximation(results: dict[str, Any]) -> str:
    """What an event costs in the approximate window, beside the exact one and what came before."""
    found = _rows(results, windows.OVER_A_SCAN)
    names = list(next(iter(found.values()), {}))
    titles = [
        name.removeprefix("roclab ").replace("WindowAUC, auc", "`WindowAUC`") for name in names
    ]
    titles = [title.replace("ApproximateWindowAUC, ", "") for title in titles]
    lines = _head(["window", *titles])
    for case, rows in found.items():
        times = (_duration(rows[name]["wall ms"]) if name in rows else "-" for name in names)
        lines.append(_line(f"{_size(case):,}", *times))
    return _with_source(lines, results)


def _rows(results: dict[str, Any], title: str) -> Rows:
    found: Rows = {}
    for table in results["tables"]:
        if table["title"] == title:
            for row in table["rows"]:
                found.setdefault(row["case"], {})[row["contender"]] = row
    return found


def _size(case: str) -> int:
    return int(float(case.removeprefix("window of ")))


def _duration(milliseconds: float) -> str:
    """Three digits and a unit."""
    for unit, milli in (("ns", 1e6), ("µs", 1e3), ("ms", 1.0)):
        if milliseconds * milli < 1000 or unit == "ms":
            return f"{float(f'{milliseconds * milli:.3g}'):,g} {unit}"
    raise AssertionError


def _head(titles: Sequence[str]) -> list[str]:
    return [_line(*titles), f"|{'--:|' * len(titles)}"]


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _with_source(lines: Sequence[str], results: dict[str, Any]) -> str:
    about = results["machine"]
    where = f"{about['cores']} cores ({about['processor']}), {about['date']}"
    return "\n".join(
        [*lines, "", f"Medians of one run on {where}, river {about.get('river', '-')}."]
    )
