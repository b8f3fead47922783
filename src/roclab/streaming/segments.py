"""A window for each segment of a stream, such as a region, customer or model version."""

from __future__ import annotations

import copy
import heapq
import math
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from roclab.checks.options import check_choice, check_count, shown
from roclab.data.serialization import Serializable, checked_counts, packed, unpacked
from roclab.errors import EventNotFoundError, InputError
from roclab.formatting import one_line, plain_value
from roclab.inference import Interval
from roclab.result import Result
from roclab.streaming.events import check_key
from roclab.streaming.windows.kinds import WINDOWS, kind_of
from roclab.streaming.windows.protocol import StreamingAUC, is_window

SortKey = Literal["auc", "high"]


@dataclass(frozen=True, kw_only=True, repr=False)
class SegmentInterval(Result):
    """Key of a segment, and its AUC with confidence interval.

    Attributes
    ----------
    key : hashable
        Key of the segment.
    interval : Interval
        The AUC with its confidence interval.
    """

    key: Hashable
    interval: Interval

    def to_dict(self) -> dict[str, Any]:
        """The key and the fields of the interval, as plain Python values."""
        return {"key": plain_value(self.key), **self.interval.to_dict()}

    def __repr__(self) -> str:
        return f"SegmentInterval({one_line(self.key)}: {self.interval!r})"


class SegmentedWindow(Serializable):
    """One window for each key, for a limited number of keys and events.

    Parameters
    ----------
    window : StreamingAUC
        Empty window, such as ``WindowAUC(1000)``. Each new key gets a copy of it; the window itself
        receives no events.
    max_keys : int, default 1000
        Maximum number of keys. Beyond, the least recently updated key is dropped with its window.
    max_events : int, optional
        Maximum number of events in all windows; beyond, keys are dropped in the same way. The key
        of the newest event stays even if its window alone holds more.

    Attributes
    ----------
    n_events : int
        Number of events in all windows, each as of the last event of its key.
    dropped_keys, dropped_events : int
        Number of keys dropped, and of the events in their windows. A key that returns starts with
        an empty window, and counts again if it is dropped again.

    Notes
    -----
    O(1) in addition to the update of the window. Reading does not count as use. With `WindowAUC` a
    key takes about 900 bytes, and an event 50 to 150.

    A window sees only the events of its key. A `TimeWindowAUC` does not advance without them;
    ``segments[key].advance_to(time)`` advances it.

    Examples
    --------
    >>> from roclab import WindowAUC
    >>> segments = SegmentedWindow(WindowAUC(100), max_keys=2)
    >>> for label, score in [(0, 0.1), (1, 0.4), (0, 0.4), (1, 0.8)]:
    ...     segments.update("north", label, score)
    ...     segments.update("south", label, -score)
    >>> segments["north"].auc
    0.875
    >>> segments.worst(count=1)
    (SegmentInterval(south: AUC 0.125 [0.01, 0.77], 95 % Wilson-type, 2+ 2-),)
    """

    _kind: ClassVar = b"SW"
    _version: ClassVar = 2

    def __init__(
        self,
        window: StreamingAUC,
        *,
        max_keys: int = 1000,
        max_events: int | None = None,
    ) -> None:
        if not is_window(window):
            raise InputError(
                found="{window} is {value}",
                needed="an empty window is needed, of which each key gets a copy",
                fix="Pass for example WindowAUC(1000).",
                value=shown(window),
            )
        if _size(window):
            raise InputError(
                found="{window} holds {events} events",
                needed="an empty window is needed, of which each key gets a copy",
                fix="Pass a new one, or call its reset() first.",
                events=f"{_size(window):,}",
            )
        self._empty = copy.deepcopy(window)
        self._empty.reset()  # what is left of earlier events, such as the latest time
        self._max_keys = check_count("max_keys", max_keys)
        self._max_events = None if max_events is None else check_count("max_events", max_events)
        self.reset()

    def reset(self) -> None:
        """Remove all keys and counts."""
        self._windows: OrderedDict[Hashable, StreamingAUC] = OrderedDict()
        # As counted in n_events: a window may drop events without an update of its key.
        self._sizes: dict[Hashable, int] = {}
        self.n_events = 0
        self.dropped_keys = 0
        self.dropped_events = 0

    def update(
        self,
        key: Hashable,
        y_true: Any,
        y_score: Any,
        *,
        time: Any = None,
        sample_weight: float | None = None,
    ) -> None:
        """Add an event to the window of its key.

        Parameters
        ----------
        key : hashable
            Key of the segment.
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event; required by a `TimeWindowAUC`.
        sample_weight : float, optional
            Weight of the event. Not every window takes weights.
        """
        check_key("key", key)
        window = self._windows.get(key)
        window = copy.deepcopy(self._empty) if window is None else window
        # May raise, so before the key is kept.
        window.update(y_true, y_score, time=time, sample_weight=sample_weight)
        self._windows[key] = window
        self._windows.move_to_end(key)
        self._count(key)
        while len(self._windows) > self._max_keys or (
            self._max_events is not None
            and self.n_events > self._max_events
            and len(self._windows) > 1
        ):
            self._drop()

    def revert(
        self,
        key: Hashable,
        y_true: Any,
        y_score: Any,
        *,
        time: Any = None,
        sample_weight: float | None = None,
    ) -> None:
        """Remove the newest event of a key that was added with these arguments.

        The key stays, even without events, and is not considered as updated.

        Parameters
        ----------
        key : hashable
            Key of the segment.
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event; required by a `TimeWindowAUC`.
        sample_weight : float, optional
            Weight of the event.

        Raises
        ------
        EventNotFoundError
            The key is unknown or was dropped, or its window holds no such event; nothing has
            changed.
        """
        if key not in self._windows:
            raise EventNotFoundError(
                found="There is no window of the {key=}{value}",
                fix="Revert only events that a window holds.",
                value=shown(key),
            )
        self[key].revert(y_true, y_score, time=time, sample_weight=sample_weight)
        self._count(key)

    def auc(self, key: Hashable) -> float:
        """The AUC of a key; nan if a class is missing.

        Parameters
        ----------
        key : hashable
            Key of the segment.
        """
        return self[key].auc

    def interval(self, key: Hashable) -> Interval:
        """The AUC of a key with its confidence interval.

        Parameters
        ----------
        key : hashable
            Key of the segment.
        """
        return self[key].interval()

    def worst(
        self, *, count: int = 5, sort_by: SortKey = "auc", least: int = 1
    ) -> tuple[SegmentInterval, ...]:
        """The keys with the lowest AUC, lowest first.

        Parameters
        ----------
        count : int, default 5
            Number of keys.
        sort_by : {"auc", "high"}, default "auc"
            Criterion: the AUC, which favours small segments, or the upper end of its interval,
            which is low only if there is evidence.
        least : int, default 1
            Minimum number of events of each class.

        Returns
        -------
        tuple of SegmentInterval
            Intervals of single segments, without a correction for multiple comparisons: of twenty
            95 % intervals, one is expected to miss.
        """
        check_choice("sort_by", sort_by, SortKey)
        least = check_count("least", least)
        found = (
            SegmentInterval(key=key, interval=window.interval())
            for key, window in self._windows.items()
            if min(window.n_pos, window.n_neg) >= least
        )
        kept = [one for one in found if not math.isnan(_criterion(one, sort_by))]
        return tuple(
            heapq.nsmallest(
                check_count("count", count), kept, key=lambda one: _criterion(one, sort_by)
            )
        )

    def __getitem__(self, key: Hashable) -> StreamingAUC:
        if key not in self._windows:
            raise KeyError(key)
        return self._windows[key]

    def __contains__(self, key: Hashable) -> bool:
        return key in self._windows

    def __iter__(self) -> Iterator[Hashable]:
        """Iterate over the keys, least recently updated first."""
        return iter(self._windows)

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self._windows)

    def __repr__(self) -> str:
        dropped = f", {self.dropped_keys:,} keys dropped" if self.dropped_keys else ""
        return f"SegmentedWindow({len(self):,} keys, {self.n_events:,} events{dropped})"

    def _content(self) -> bytes:
        every: Iterable[Any] = (self._empty, *self._windows.values())
        windows = [window.to_bytes() for window in every]
        keys = [[key, self._sizes[key]] for key in self._windows]
        kind = kind_of(self._empty, type(self).__name__, WINDOWS)
        settings = [self._max_keys, self._max_events, self.dropped_keys, self.dropped_events]
        return packed([kind, settings, keys], windows)

    @classmethod
    def _restored(cls, content: bytes, *_: Any) -> Self:
        (name, settings, keys), (empty, *windows) = unpacked(content)
        kind = WINDOWS[name]
        segments = cls(kind.from_bytes(empty), max_keys=settings[0], max_events=settings[1])
        segments.dropped_keys, segments.dropped_events = checked_counts(settings[2:])
        for (key, size), window in zip(keys, windows, strict=True):
            segments._windows[key] = kind.from_bytes(window)
            segments._sizes[key] = size
        segments.n_events = sum(checked_counts(list(segments._sizes.values())))
        if not len(keys) == len(segments) <= segments._max_keys:
            raise ValueError("its keys and windows do not match")
        return segments

    def _count(self, key: Hashable) -> None:
        size = _size(self._windows[key])
        self.n_events += size - self._sizes.get(key, 0)
        self._sizes[key] = size

    def _drop(self) -> None:
        key, window = self._windows.popitem(last=False)
        self.dropped_keys += 1
        self.dropped_events += _size(window)
        self.n_events -= self._sizes.pop(key)


def _size(window: StreamingAUC) -> int:
    return window.n_pos + window.n_neg


def _criterion(one: SegmentInterval, sort_by: SortKey) -> float:
    return one.interval.value if sort_by == "auc" else one.interval.high
