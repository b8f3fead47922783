"""Exponentially decayed AUC of a stream: the weight of events halves after each half-life."""

from __future__ import annotations

import struct

from roclab import _core
from roclab.checks.options import check_between
from roclab.data.summary import RangeSummary
from roclab.streaming.events import WindowEvents
from roclab.streaming.windows.readings import Readings
from roclab.streaming.windows.state import WindowState


class DecayedAUC(_core.DecayedWindow, WindowEvents, Readings, WindowState):
    """AUC of a stream in which the weight of every event halves after `half_life` others.

    Parameters
    ----------
    half_life : float
        Number of events after which the weight of an event has halved.
    tolerance : float, default 1e-9
        Proportion of the weight of each class that may be dropped, oldest events first. The error
        of the AUC is less than twice that.

    Notes
    -----
    O(log n) for each event, where n is the number of events kept. Scaling the weights of one class
    does not change the AUC, so each class decays by its own events: a rare class is not lost. Of
    events without sample weights, at most ``half_life * log2((1.5 * half_life + 1) / tolerance) +
    1`` of a class are kept.

    If `revert` removes the last event of all, the weights of the others return to what they were;
    otherwise the event still counts for their decay.

    Intervals treat the weights as fixed, as `auc_interval` does: the effective number of events of
    a class is that of about 2.9 half-lives.

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

    _kind, _settings_format = b"DA", struct.Struct("<dd")

    def __init__(self, half_life: float, *, tolerance: float = 1e-9) -> None:
        events = check_between(
            "half_life", half_life, 0, 1e15, fix="It is a number of events, such as 1000."
        )
        dropped = check_between(
            "tolerance",
            tolerance,
            1e-15,
            1,
            fix="It is the proportion of the weight of a class that may be dropped.",
            or_low=True,
        )
        super().__init__(events, dropped)

    @property
    def summary(self) -> RangeSummary:
        """Statistics for AUC, scored AUC and their variances. O(distinct scores)."""
        return self.ranking().summary

    def _settings(self) -> tuple[float, float]:
        return self.half_life, self.tolerance

    @classmethod
    def _from_settings(cls, half_life: float, tolerance: float) -> DecayedAUC:
        return cls(half_life, tolerance=tolerance)
