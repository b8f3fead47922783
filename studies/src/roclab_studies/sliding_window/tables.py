"""The tables of the studies of windows, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

from roclab_studies.markdown import table_head, table_row
from roclab_studies.sliding_window import drift as window_drift
from roclab_studies.sliding_window import errors as window_errors
from roclab_studies.sliding_window import times as window_times
from roclab_studies.sliding_window.errors import SIZE
from roclab_studies.sliding_window.streams import SOURCES
from roclab_studies.sliding_window.times import FIGURE_3_EPS

LARGEST_PUBLISHED = 10_000  # window of Figure 3
PUBLISHED_SPEED_UP = 17
SEVERAL_ORDERS = 100
AUC_WITHIN, MOMENTS_WITHIN = 1e-15, 1e-10
Row = TypeVar("Row", window_errors.Answer, window_times.Answer)


def streams(answers: Sequence[window_errors.Answer]) -> str:
    """What was trained on and tried on: the paper's Table 1."""
    lines = table_head(["stream", "events to learn from", "events that follow", "mean AUC"])
    for name, source in SOURCES.items():
        auc = next(row.mean_auc for row in answers if row.stream == name)
        lines.append(table_row(name, f"{source.trained_on:,}", f"{source.events:,}", f"{auc:.3f}"))
    return "\n".join(lines)


def errors(answers: Sequence[window_errors.Answer]) -> str:
    """Figure 1, and the lower half of Figure 2."""
    titles = ["stream", "eps", "guarantee", "mean error", "largest", "flipped: mean", "largest"]
    lines = table_head([*titles, "mean list", "longest"])
    for row in answers:
        lines.append(
            table_row(
                row.stream,
                f"{row.eps:g}",
                f"{row.guarantee:g}",
                f"{row.mean_error:.2g}",
                f"{row.largest_error:.2g}",
                f"{row.mean_flipped_error:.2g}",
                f"{row.largest_flipped_error:.2g}",
                f"{row.mean_list:.0f}",
                str(row.largest_list),
            )
        )
    return "\n".join(lines)


def error_claims(answers: Sequence[window_errors.Answer]) -> str:
    """What the paper says of its Figures 1 and 2 about errors and lists, and what is seen here."""
    found = by_stream(answers).values()
    below = [max(row.largest_error / row.guarantee for row in rows) for rows in found]
    orders = [[row.guarantee / row.mean_error for row in rows] for rows in found]
    flipped = [[row.guarantee / row.mean_flipped_error for row in rows] for rows in found]
    means = [[row.mean_error for row in rows] for rows in found]
    largest = [[row.largest_error for row in rows] for rows in found]
    lists = [[row.mean_list for row in rows] for rows in found]
    return _claims(
        (
            "mean and largest error are below the guarantee",
            [f"largest is {share:.2f} of it at most" for share in below],
            all(share < 1 for share in below),
        ),
        (
            "the mean error is typically smaller than the guarantee by several orders",
            [f"smaller {min(of):.0f} to {max(of):.0f} times" for of in orders],
            all(min(of) >= SEVERAL_ORDERS for of in orders),
        ),
        (
            "the same, of the estimate with labels flipped",
            [f"smaller {min(of):.0f} to {max(of):.0f} times" for of in flipped],
            all(min(of) >= SEVERAL_ORDERS for of in flipped),
        ),
        (
            "both errors tend to increase with eps",
            [
                f"mean in {_rises(mean)} steps, largest in {_rises(most)}"
                for mean, most in zip(means, largest, strict=True)
            ],
            all(of[0] < of[-1] for of in (*means, *largest)),
        ),
        (
            "the list gets shorter with the error",
            [f"{of[0]:.0f} to {of[-1]:.0f} scores" for of in lists],
            all(of == sorted(of, reverse=True) for of in lists),
        ),
    )


def times(answers: Sequence[window_times.Answer]) -> str:
    """The upper half of Figure 2."""
    lines = table_head(["stream", "eps", "approximate", "recomputed", "`WindowAUC`"])
    for row in _in_turn(over_eps(answers)):
        lines.append(table_row(row.stream, f"{row.eps:g}", *map(_nanoseconds, _times(row))))
    return "\n".join(lines)


def speed_ups(answers: Sequence[window_times.Answer]) -> str:
    """Figure 3."""
    titles = ["stream", "window", "approximate", "recomputed", "`WindowAUC`"]
    lines = table_head([*titles, "approximate over recomputed", "`WindowAUC` over approximate"])
    for row in _in_turn(over_size(answers)):
        lines.append(
            table_row(
                row.stream,
                f"{row.size:,}",
                *map(_nanoseconds, _times(row)),
                f"{row.speed_up:.1f}x",
                f"{row.approximate / row.exact:.1f}x",
            )
        )
    return "\n".join(lines)


def time_claims(answers: Sequence[window_times.Answer]) -> str:
    """What the paper says of its Figures 2 and 3 about times, and what is seen here."""
    by_eps, by_size = by_stream(over_eps(answers)), by_stream(over_size(answers))
    drops = [rows[0].approximate / rows[-1].approximate for rows in by_eps.values()]
    flat = [
        max(row.approximate for row in rows if row.eps >= FIGURE_3_EPS)
        / min(row.approximate for row in rows if row.eps >= FIGURE_3_EPS)
        for rows in by_eps.values()
    ]
    growth = [[row.speed_up for row in rows] for rows in by_size.values()]
    there = [
        next(row.speed_up for row in rows if row.size == LARGEST_PUBLISHED)
        for rows in by_size.values()
    ]
    return _claims(
        (
            "the time drops as the error increases",
            [f"by {drop:.1f} times from the smallest eps to the largest" for drop in drops],
            all(drop > 1 for drop in drops),
        ),
        (
            "it stabilises for larger errors",
            [f"within {spread:.2f} times from eps {FIGURE_3_EPS:g} on" for spread in flat],
            all(spread < drop for spread, drop in zip(flat, drops, strict=True)),
        ),
        (
            "the speed-up over recomputing increases with the window",
            [f"{of[0]:.1f}x to {of[-1]:.1f}x" for of in growth],
            all(of[-1] > of[0] for of in growth),
        ),
        (
            f"it is {PUBLISHED_SPEED_UP} times at a window of {LARGEST_PUBLISHED:,} (Miniboone)",
            [f"{found:.1f} times" for found in there],
            all(found >= PUBLISHED_SPEED_UP for found in there),
        ),
        (
            "the exact AUC costs O(k), the approximation less",
            [
                f"`WindowAUC` is {min(ratios):.1f} to {max(ratios):.1f} times faster than eps "
                f"{FIGURE_3_EPS:g}"
                for ratios in (
                    [row.approximate / row.exact for row in rows] for rows in by_size.values()
                )
            ],
            all(row.approximate < row.exact for rows in by_size.values() for row in rows),
        ),
    )


def drift(answers: Sequence[window_drift.Answer]) -> str:
    """The largest differences from the batch, window by window."""
    titles = ["weights", "scores", "window", "`auc`", "`auc_variance`", "`scored_auc`"]
    lines = table_head([*titles, "`scored_auc_variance`"], left=(0, 1))
    for row in answers:
        moments = (row.auc_variance, row.scored_auc, row.scored_auc_variance)
        lines.append(
            table_row(
                row.weights,
                row.scores,
                f"{row.size:,}",
                _difference(row.auc, AUC_WITHIN),
                *(_difference(value, MOMENTS_WITHIN) for value in moments),
            )
        )
    return "\n".join(lines)


def _claims(*claims: tuple[str, list[str], bool]) -> str:
    lines = table_head(["the paper says", *SOURCES, "holds here"], left=range(len(SOURCES) + 2))
    for said, found, holds in claims:
        lines.append(table_row(said, *found, "yes" if holds else "**no**"))
    return "\n".join(lines)


def by_stream(answers: Sequence[Row]) -> dict[str, list[Row]]:
    """The answers of each stream."""
    return {name: [row for row in answers if row.stream == name] for name in SOURCES}


def over_eps(answers: Sequence[window_times.Answer]) -> list[window_times.Answer]:
    """Those of Figure 2, by eps."""
    return sorted((row for row in answers if row.size == SIZE), key=lambda row: row.eps)


def over_size(answers: Sequence[window_times.Answer]) -> list[window_times.Answer]:
    """Those of Figure 3, by the size of the window."""
    return sorted((row for row in answers if row.eps == FIGURE_3_EPS), key=lambda row: row.size)


def _in_turn(answers: Sequence[Row]) -> list[Row]:
    return [row for rows in by_stream(answers).values() for row in rows]


def _times(row: window_times.Answer) -> tuple[float, float, float]:
    return row.approximate, row.recomputed, row.exact


def _nanoseconds(value: float) -> str:
    return f"{float(f'{value:.3g}'):,.0f}"


def _rises(values: Sequence[float]) -> str:
    steps = [low < high for low, high in pairwise(values)]
    return f"{sum(steps)} of {len(steps)}"


def _difference(value: float, within: float) -> str:
    text = f"{value:.1e}" if value else "0"
    return text if value <= within else f"**{text}**"


ERROR_BLOCKS: dict[str, Callable[[Sequence[window_errors.Answer]], str]] = {
    "window-streams": streams,
    "window-errors": errors,
    "window-error-claims": error_claims,
}
TIME_BLOCKS: dict[str, Callable[[Sequence[window_times.Answer]], str]] = {
    "window-times": times,
    "window-speed-ups": speed_ups,
    "window-time-claims": time_claims,
}
DRIFT_BLOCKS: dict[str, Callable[[Sequence[window_drift.Answer]], str]] = {"window-drift": drift}
