"""Exact AUC of a whole stream, after every event."""

from __future__ import annotations

import struct
from typing import Any, Self

from roclab import _core
from roclab.errors import InputError
from roclab.streaming.events import ManyEvents, missing_event
from roclab.streaming.state import Serializable
from roclab.streaming.windows.readings import Readings


class CumulativeAUC(_core.CumulativeScores, ManyEvents, Readings, Serializable):
    """Exact AUC of all events so far; objects of several workers can be merged.

    Notes
    -----
    O(log distinct scores) for each event. Memory grows with the number of distinct scores, not of
    events: round the scores of an endless stream.

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
        """Remove an event, given with its weight."""
        if not self._revert(y_true, y_score, sample_weight):
            if sample_weight is None:
                raise missing_event(y_true, y_score)
            raise missing_event(y_true, y_score, " and weight {weight}", weight=sample_weight)

    def merge(self, other: CumulativeAUC) -> Self:
        """Add all events of another object, and return this one."""
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
