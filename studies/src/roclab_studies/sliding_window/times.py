"""What an event costs in a window on real streams: approximated, recomputed and exact.

The form of the upper half of Figure 2 and of Figure 3 of Tatti (2018). As in the paper only the
computation counts: events come in arrays, and the AUC is read after each. All three windows take
the same events in turns.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import asdict, dataclass
from typing import Any

import roclab as rl
from roclab_studies.sliding_window import errors
from roclab_studies.sliding_window.errors import EPS, SIZE
from roclab_studies.sliding_window.streams import SOURCES, scored

ALONE = True  # times mean nothing beside other work
ROUNDS = 5
EVENTS = 30_000
SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000)
FIGURE_3_EPS = 0.1


@dataclass(frozen=True, kw_only=True)
class Question(errors.Question):
    """A window, and the events to time after it is full."""

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.events * self.size


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Nanoseconds for an event and its AUC, each the median of the rounds.

    Attributes
    ----------
    approximate : float
        The paper's window, with its one list.
    recomputed : float
        The same with eps 0, which is how the paper computes the AUC exactly: a pass over all
        scores that positives have.
    exact : float
        `WindowAUC`.
    """

    approximate: float
    recomputed: float
    exact: float

    @property
    def speed_up(self) -> float:
        """Of the approximation over recomputing."""
        return self.recomputed / self.approximate


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of events divided by `fewer`."""
    asked = []
    for stream, source in SOURCES.items():
        windows = [(SIZE, eps) for eps in EPS]
        windows += [(size, FIGURE_3_EPS) for size in SIZES if size != SIZE]
        for size, eps in windows:
            events = min(EVENTS, source.events - size) // fewer // ROUNDS * ROUNDS
            if events > 0:
                asked.append(Question(stream=stream, size=size, eps=eps, events=events))
    return asked


def answer(question: Question) -> Answer:
    """Fill three windows, and time what follows."""
    labels, scores = scored(question.stream)
    windows = {
        "approximate": rl.ApproximateWindowAUC(question.size, question.eps, flipped=False),
        "recomputed": rl.ApproximateWindowAUC(question.size, 0, flipped=False),
        "exact": rl.WindowAUC(question.size),
    }
    for window in windows.values():
        window.update_many(labels[: question.size], scores[: question.size])
    times: dict[str, list[float]] = {name: [] for name in windows}
    share = question.events // ROUNDS
    for first in range(question.size, question.size + question.events, share):
        part = slice(first, first + share)
        for name, window in windows.items():
            times[name].append(_seconds(window, labels[part], scores[part]) / share)
    found = {name: float(f"{1e9 * statistics.median(of):.4g}") for name, of in times.items()}
    return Answer(**asdict(question), **found)


def _seconds(window: Any, labels: Any, scores: Any) -> float:
    start = time.perf_counter()
    window.update_many(labels, scores, return_auc=True)
    return time.perf_counter() - start
