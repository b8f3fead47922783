"""Exact AUC of a whole stream, after every event."""

from __future__ import annotations

import struct
from typing import Self

from roclab import _core
from roclab.errors import InputError
from roclab.streaming.events import WindowEvents
from roclab.streaming.windows.readings import Readings
from roclab.streaming.windows.state import WindowState


class CumulativeAUC(_core.CumulativeScores, WindowEvents, Readings, WindowState):
    """Exact AUC of all events so far; objects of several workers can be merged.

    Notes
    -----
    O(log distinct scores) for each event. Memory grows with the number of distinct scores, not of
    events: round the scores of an endless stream. For the same reason `revert` cannot distinguish
    events of one class and score: it checks their number and the sum of their weights.

    One thread may write while others read.

    Examples
    --------
    >>> here, there = CumulativeAUC(), CumulativeAUC()
    >>> here.update_many([0, 1], [0.1, 0.4])
    >>> there.update_many([0, 1], [0.4, 0.8])
    >>> here.merge(there)
    CumulativeAUC(AUC 0.875, 2+ 2-)
    """

    _kind, _settings_format = b"CA", struct.Struct("")

    def __init__(self) -> None:
        super().__init__()

    def merge(self, other: CumulativeAUC) -> Self:
        """Add all events of another object, and return this one.

        Parameters
        ----------
        other : CumulativeAUC
            Object of another worker, which stays unchanged.
        """
        if not isinstance(other, CumulativeAUC):
            raise InputError(
                found="{other} is a {kind}",
                needed="a CumulativeAUC merges with another CumulativeAUC",
                kind=type(other).__name__,
            )
        self._merge(other)
        return self

    def _settings(self) -> tuple[()]:
        return ()
