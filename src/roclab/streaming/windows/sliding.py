"""Exact AUC of a sliding window over the last events."""

from __future__ import annotations

import struct

from roclab import _core
from roclab.checks.options import check_count
from roclab.streaming.events import WindowEvents
from roclab.streaming.windows.readings import Readings
from roclab.streaming.windows.state import WindowState


class WindowAUC(_core.SlidingWindow, WindowEvents, Readings, WindowState):
    """Exact AUC of the last `size` events of a stream.

    Parameters
    ----------
    size : int
        Maximum number of events. Each further event removes the oldest.

    Notes
    -----
    O(log size) for each event: distinct scores are kept in a counted B+tree, and the number of
    pairs won as an integer, which stays exact. The moments of DeLong's variance are kept in the
    same way from the first time that a variance or an interval is read. The scored AUC is computed
    when it is read, from what has changed since. After the first event with a weight other than 1,
    all of them are sums of weights, computed when they are read.

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
    AUC 0.875 [0.23, 0.99], 95 % Wilson-type, 2+ 2-
    """

    _kind, _settings_format = b"WA", struct.Struct("<Q")

    def __init__(self, size: int) -> None:
        super().__init__(check_count("size", size, most=2**32 - 1))

    def _settings(self) -> tuple[int]:
        return (self.size,)
