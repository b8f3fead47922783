"""The AUC of the last so many events, exact at every event."""

from __future__ import annotations

import struct
from numbers import Integral
from typing import Any

from roclab import _core
from roclab.errors import InputError
from roclab.streaming.events import ManyEvents, not_there
from roclab.streaming.state import Stored
from roclab.streaming.windows.readings import Readings

__all__ = ["WindowAUC"]


class WindowAUC(_core.SlidingWindow, ManyEvents, Readings, Stored):
    """The AUC of the last `size` events of a stream, exact at every event.

    Parameters
    ----------
    size : int
        Events to keep. The oldest leaves when one more arrives.

    Notes
    -----
    O(log size) for each event: distinct scores are kept in a counted B+tree, and the number of
    pairs won as a whole number, which is exact for ever. The moments of DeLong's variance are kept
    in the same way from the first time that a variance or an interval is read. The scored AUC is
    joined when it is read, along what has changed since. From the first event with a weight other
    than 1 all are sums of weights and are joined.

    One thread may write while others read.

    References
    ----------
    N. Tatti, *Maintaining AUC and H-measure over time*, Machine Learning 111 (2022) 2839-2862.

    Examples
    --------
    >>> window = WindowAUC(4)
    >>> for label, score in [(0, 0.9), (0, 0.1), (1, 0.4), (0, 0.4), (1, 0.8)]:
    ...     window.update(label, score)
    >>> window
    WindowAUC(AUC 0.875, 2+ 2-)
    >>> window.interval()
    AUC 0.875 [0.24, 0.99], 95 %, 2+ 2-
    """

    _magic, _version, _settings_format = b"RLWA", 1, struct.Struct("<Q")

    def __init__(self, size: int) -> None:
        if not isinstance(size, Integral) or isinstance(size, bool) or not 0 < size < 2**32:
            raise InputError(f"size={size!r} is not a whole number of events from 1 to 2**32 - 1.")
        super().__init__(int(size))

    def revert(self, y_true: Any, y_score: Any) -> None:
        """Take the newest event with this label and score out again.

        What it had pushed out of the window does not come back.
        """
        if not self._revert(y_true, y_score):
            raise not_there(y_true, y_score)

    def _settings(self) -> tuple[int]:
        return (self.size,)
