"""The AUC of a whole stream, exact at every event."""

from __future__ import annotations

import struct
from typing import Any, Self

from roclab import _core
from roclab.errors import InputError
from roclab.streaming.events import ManyEvents, not_there
from roclab.streaming.state import Stored
from roclab.streaming.windows.readings import Readings

__all__ = ["CumulativeAUC"]


class CumulativeAUC(_core.CumulativeScores, ManyEvents, Readings, Stored):
    """The AUC of all events so far, exact at every event; those of several workers merge.

    Notes
    -----
    O(log distinct scores) for each event. Memory follows the number of distinct scores, whatever
    the number of events: round the scores of an endless stream.

    One thread may write while others read.

    Examples
    --------
    >>> here, there = CumulativeAUC(), CumulativeAUC()
    >>> here.update_many([0, 1], [0.1, 0.4])
    >>> there.update_many([0, 1], [0.4, 0.8])
    >>> here.merge(there)
    CumulativeAUC(AUC 0.875, 2+ 2-)
    """

    _magic, _version, _settings_format = b"RLCA", 1, struct.Struct("")

    def revert(self, y_true: Any, y_score: Any, sample_weight: float | None = None) -> None:
        """Take an event out again, with the weight that it came with."""
        if not self._revert(y_true, y_score, sample_weight):
            weight = "" if sample_weight is None else f" and a weight of {sample_weight!r}"
            raise not_there(y_true, y_score, weight)

    def merge(self, other: CumulativeAUC) -> Self:
        """Take in all events that another one has seen, and give back this one."""
        if not isinstance(other, CumulativeAUC):
            raise InputError(
                f"A CumulativeAUC merges another CumulativeAUC, not a {type(other).__name__}."
            )
        self._merge(other)
        return self

    def _settings(self) -> tuple[()]:
        return ()
