"""What streams did before: two windows that exist only to be measured against.

Both have `update(y_true, y_score)` and `auc`, as roclab's windows do.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque

import numpy as np
import numpy.typing as npt


class ScanWindowAUC:
    """Brzezinski and Stefanowski (2017): events kept in order, AUC by a scan of all of them.

    They keep them in a red-black tree, which finds a place in O(log k). A sorted list does that
    too; what it shifts on the way is little beside the scan, which costs O(k) for every value.

    References
    ----------
    D. Brzezinski and J. Stefanowski, *Prequential AUC*, Knowledge and Information Systems 52, 2017.
    """

    def __init__(self, size: int) -> None:
        self._events: deque[tuple[float, bool]] = deque()
        self._sorted: list[tuple[float, bool]] = []
        self._size = size

    def update(self, y_true: bool, y_score: float) -> None:
        """Let one event in, and the oldest out of a full window."""
        if len(self._events) == self._size:
            oldest = self._events.popleft()
            del self._sorted[bisect_left(self._sorted, oldest)]
        self._events.append((y_score, y_true))
        insort(self._sorted, (y_score, y_true))

    def update_many(self, y_true: npt.NDArray[np.bool_], y_score: npt.NDArray[np.float64]) -> None:
        """Let many events in and sort once, where `update` moves half of the list for each."""
        events = [*self._events, *zip(y_score.tolist(), y_true.tolist(), strict=True)]
        self._events = deque(events[-self._size :])
        self._sorted = sorted(self._events)

    @property
    def auc(self) -> float:
        """The exact AUC, ties half; nan if a class is missing."""
        wins, below, i = 0.0, 0, 0
        events = self._sorted
        while i < len(events):
            score, pos, neg = events[i][0], 0, 0
            while i < len(events) and events[i][0] == score:
                pos += events[i][1]
                neg += not events[i][1]
                i += 1
            wins += pos * (below + neg / 2)
            below += neg
        pairs = below * (len(events) - below)
        return wins / pairs if pairs else float("nan")


class BinnedWindowAUC:
    """Bouckaert (2006): events counted in bins that never change, AUC from the bins.

    O(bins) for every value, whatever the window. All events of a bin count as tied, so the error
    depends on where the scores lie, and nothing bounds it.

    References
    ----------
    R. R. Bouckaert, *Efficient AUC learning curve calculation*, AI 2006.

    Parameters
    ----------
    size : int
        Events in the window.
    low, high : float
        Where the bins begin and end; scores beyond belong to the first and the last.
    bins : int
        How many, of equal width.
    """

    def __init__(self, size: int, *, low: float, high: float, bins: int = 100) -> None:
        self._events: deque[tuple[int, int]] = deque()
        self._counts: npt.NDArray[np.int64] = np.zeros((2, bins), dtype=np.int64)
        self._size, self._low, self._per_unit = size, low, bins / (high - low)

    def update(self, y_true: bool, y_score: float) -> None:
        """Let one event in, and the oldest out of a full window."""
        if len(self._events) == self._size:
            self._counts[self._events.popleft()] -= 1
        last = self._counts.shape[1] - 1
        place = min(max(int((y_score - self._low) * self._per_unit), 0), last)
        self._events.append((int(y_true), place))
        self._counts[int(y_true), place] += 1

    @property
    def auc(self) -> float:
        """The AUC of the bins; nan if a class is missing."""
        neg, pos = self._counts
        below = np.cumsum(neg) - neg / 2
        pairs = int(neg.sum()) * int(pos.sum())
        return float(pos @ below) / pairs if pairs else float("nan")
