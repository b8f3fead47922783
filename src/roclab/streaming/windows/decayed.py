"""The AUC of a stream that forgets: each event counts half after so many others."""

from __future__ import annotations

import struct
from typing import Any

from roclab import _core
from roclab.errors import InputError
from roclab.streaming.events import ManyEvents, not_there
from roclab.streaming.state import Stored
from roclab.streaming.windows.readings import Readings
from roclab.summary import RangeSummary
from roclab.validation import number_or_nan

__all__ = ["DecayedAUC"]


class DecayedAUC(_core.DecayedWindow, ManyEvents, Readings, Stored):
    """The AUC of a stream in which every event counts half as much after `half_life` others.

    Parameters
    ----------
    half_life : float
        Events after which one counts half.
    tolerance : float, default 1e-9
        Share of the weight of each class that may be dropped, oldest events first. The AUC is off
        by less than twice that.

    Notes
    -----
    O(log n) for each event, where n is the number of events kept. Weights of one class alone never
    change the AUC, so each class forgets by its own events: one that is seldom seen is not lost.
    Of events without weights of their own, at most ``half_life * log2((1.5 * half_life + 1) /
    tolerance) + 1`` of a class are kept.

    Intervals treat the weights as fixed, as `auc_interval` does: a class counts as many events as
    it has in about 2.9 half-lives.

    One thread may write while others read.

    Examples
    --------
    >>> window = DecayedAUC(2)
    >>> for label, score in [(0, 0.9), (0, 0.1), (1, 0.4), (0, 0.4), (1, 0.8)]:
    ...     window.update(label, score)
    >>> window
    DecayedAUC(AUC 0.719, 2+ 3-)
    >>> window.ranking().neg.round(3).tolist()
    [0.354, 0.707, 0.0, 0.25]
    """

    _magic, _version, _settings_format = b"RLDA", 1, struct.Struct("<dd")

    def __init__(self, half_life: float, *, tolerance: float = 1e-9) -> None:
        events, share = number_or_nan(half_life), number_or_nan(tolerance)
        if not 0 < events < 1e15:
            raise InputError(f"half_life={half_life!r:.60} is not a number of events above 0.")
        if not 1e-15 <= share < 1:
            raise InputError(
                f"tolerance={tolerance!r:.60} is not a share from 1e-15 to 1. Of the weight of a "
                "class that much may be dropped."
            )
        super().__init__(events, share)

    @property
    def summary(self) -> RangeSummary:
        """All that AUC, scored AUC and their variances are read off. O(distinct scores)."""
        return self.ranking().summary

    def revert(self, y_true: Any, y_score: Any) -> None:
        """Take the newest event with this label and score out again.

        If it was the last of all, the clock goes back by one event too.
        """
        if not self._revert(y_true, y_score):
            raise not_there(y_true, y_score)

    def _settings(self) -> tuple[float, float]:
        return self.half_life, self.tolerance

    @classmethod
    def _made_with(cls, half_life: float, tolerance: float) -> DecayedAUC:
        return cls(half_life, tolerance=tolerance)
