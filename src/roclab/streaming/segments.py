"""A window for each segment of a stream: by region, by customer, by model version."""

from __future__ import annotations

import heapq
import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from roclab.errors import InputError
from roclab.formatting import one_line, plain_value
from roclab.inference import Interval
from roclab.options import check_choice, check_count
from roclab.streaming.state import CopiedWhole
from roclab.streaming.windows.protocol import StreamingAUC

__all__ = ["SegmentInterval", "SegmentedWindow"]


@dataclass(frozen=True, kw_only=True, repr=False)
class SegmentInterval:
    """A segment's key, and its AUC with interval."""

    key: Hashable
    interval: Interval

    def to_dict(self) -> dict[str, Any]:
        """The key and the interval's fields, as plain Python values."""
        return {"key": plain_value(self.key), **self.interval.to_dict()}

    def __repr__(self) -> str:
        return f"SegmentInterval({one_line(self.key)}: {self.interval!r})"


class SegmentedWindow(CopiedWhole):
    """One window for each key, for a limited number of keys and events.

    Parameters
    ----------
    make_window : callable
        Makes the window of a new key, such as ``lambda: WindowAUC(1000)``; any class of
        `roclab.streaming` that has an AUC will do. To pickle the whole, it must be one that pickle
        knows: ``functools.partial(WindowAUC, 1000)``.
    max_keys : int, default 1000
        Keys to keep. One more, and the key whose last event is the oldest goes, with its window.
    max_events : int, optional
        Events to keep in all windows together; beyond, keys go in the same way. The key of the
        newest event stays even if its window alone holds more.

    Attributes
    ----------
    n_events : int
        Events in all windows together, each as it was after the last event of its key.
    dropped_keys, dropped_events : int
        Keys that went, and the events that were in their windows then. A key that comes back
        begins with an empty window, and counts again if it goes again.

    Notes
    -----
    O(1) beside what the window needs for the event. Reading does not count as use. With `WindowAUC`
    a key takes some 900 bytes, and an event 50 to 150.

    A window knows the events of its key only. A `TimeWindowAUC` stands still while they stay away;
    ``segments[key].advance_to(time)`` lets time pass for it.

    Examples
    --------
    >>> from roclab import WindowAUC
    >>> segments = SegmentedWindow(lambda: WindowAUC(100), max_keys=2)
    >>> for label, score in [(0, 0.1), (1, 0.4), (0, 0.4), (1, 0.8)]:
    ...     segments.update("north", label, score)
    ...     segments.update("south", label, -score)
    >>> segments["north"].auc
    0.875
    >>> segments.worst(1)
    (SegmentInterval(south: AUC 0.125 [0.01, 0.76], 95 %, 2+ 2-),)
    """

    def __init__(
        self,
        make_window: Callable[[], StreamingAUC],
        *,
        max_keys: int = 1000,
        max_events: int | None = None,
    ) -> None:
        if not callable(make_window):
            raise InputError(
                f"make_window is a {type(make_window).__name__}; something to call that makes a "
                "window is needed. Pass lambda: WindowAUC(1000)."
            )
        self._make_window = make_window
        self._max_keys = check_count("max_keys", max_keys)
        self._max_events = None if max_events is None else check_count("max_events", max_events)
        self.reset()

    def reset(self) -> None:
        """Forget all keys and counts."""
        self._windows: OrderedDict[Hashable, StreamingAUC] = OrderedDict()
        # As counted in n_events: a window may let events go while its key has none.
        self._sizes: dict[Hashable, int] = {}
        self.n_events = 0
        self.dropped_keys = 0
        self.dropped_events = 0

    def update(self, key: Hashable, y_true: Any, y_score: Any, *more: Any, **options: Any) -> None:
        """Take an event into the window of its key.

        Parameters
        ----------
        key : hashable
            The segment.
        y_true, y_score
            The event.
        *more, **options
            What else the windows take, such as `sample_weight` or `time`.
        """
        window = self._windows.get(key)
        window = self._make_window() if window is None else window
        window.update(y_true, y_score, *more, **options)  # before the key is kept: it may refuse
        self._windows[key] = window
        self._windows.move_to_end(key)
        size = _size(window)
        self.n_events += size - self._sizes.get(key, 0)
        self._sizes[key] = size
        while len(self._windows) > self._max_keys or (
            self._max_events is not None
            and self.n_events > self._max_events
            and len(self._windows) > 1
        ):
            self._drop()

    def auc(self, key: Hashable) -> float:
        """The AUC of a key; nan if a class is missing."""
        return self[key].auc

    def interval(self, key: Hashable) -> Interval:
        """The AUC of a key with its interval."""
        return self[key].interval()

    def worst(
        self, count: int = 5, *, by: Literal["auc", "high"] = "auc", least: int = 1
    ) -> tuple[SegmentInterval, ...]:
        """The keys with the lowest AUC, lowest first.

        Parameters
        ----------
        count : int, default 5
            How many.
        by : {"auc", "high"}, default "auc"
            Lowest by what: the AUC, among which small segments are many, or the upper end of its
            interval, which is low only where there is evidence.
        least : int, default 1
            Leave out keys with fewer events of a class.

        Returns
        -------
        tuple of SegmentInterval
            The intervals are those of single segments: of twenty, one misses.
        """
        check_choice("by", by, ("auc", "high"))
        least = check_count("least", least)
        found = (
            SegmentInterval(key=key, interval=window.interval())
            for key, window in self._windows.items()
            if min(window.n_pos, window.n_neg) >= least
        )
        kept = [one for one in found if not math.isnan(_place(one, by))]
        return tuple(
            heapq.nsmallest(check_count("count", count), kept, key=lambda one: _place(one, by))
        )

    def __getitem__(self, key: Hashable) -> StreamingAUC:
        if key not in self._windows:
            raise KeyError(key)
        return self._windows[key]

    def __contains__(self, key: Hashable) -> bool:
        return key in self._windows

    def __iter__(self) -> Iterator[Hashable]:
        """The keys, that of the oldest last event first."""
        return iter(self._windows)

    def __len__(self) -> int:
        """How many keys there are."""
        return len(self._windows)

    def __repr__(self) -> str:
        dropped = f", {self.dropped_keys:,} keys dropped" if self.dropped_keys else ""
        return f"SegmentedWindow({len(self):,} keys, {self.n_events:,} events{dropped})"

    def _drop(self) -> None:
        key, window = self._windows.popitem(last=False)
        self.dropped_keys += 1
        self.dropped_events += _size(window)
        self.n_events -= self._sizes.pop(key)


def _size(window: StreamingAUC) -> int:
    return window.n_pos + window.n_neg


def _place(one: SegmentInterval, by: str) -> float:
    return one.interval.value if by == "auc" else one.interval.high
