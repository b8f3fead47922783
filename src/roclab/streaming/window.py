"""The AUC of the last so many events, exact at every event."""

from __future__ import annotations

import functools
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.errors import InputError, SerializationError
from roclab.inference import Interval
from roclab.inference.auc import IntervalMethod
from roclab.inference.options import Alternative, check_level, critical_value
from roclab.streaming.envelope import packed, unpacked
from roclab.streaming.events import checked_events
from roclab.streaming.readings import Readings

__all__ = ["WindowAUC"]

_MAGIC, _VERSION = b"RLWA", 1
# Events between which other threads run and an interrupt is heard.
_AT_ONCE = 1 << 16


class WindowAUC(_core.SlidingWindow, Readings):
    """The AUC of the last `size` events of a stream, exact at every event.

    Parameters
    ----------
    size : int
        Events to keep. The oldest leaves when one more arrives.

    Notes
    -----
    O(log size) for each event: distinct scores are kept in a counted B+tree, and twice the number
    of pairs won as a whole number, which is exact for ever. Variance, interval and scored AUC are
    joined when asked for, along what has changed since. From the first event with a weight other
    than 1 the AUC is a sum of weights and is joined too.

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

    def __init__(self, size: int) -> None:
        if not isinstance(size, Integral) or isinstance(size, bool) or not 0 < size < 2**32:
            raise InputError(f"size={size!r} is not a whole number of events from 1 to 2**32 - 1.")
        super().__init__(int(size))

    # What the core answers itself, one call for one event, and not through Readings.
    __len__ = _core.SlidingWindow.__len__
    n_pos = _core.SlidingWindow.n_pos
    n_neg = _core.SlidingWindow.n_neg
    auc = _core.SlidingWindow.auc
    auc_variance = _core.SlidingWindow.auc_variance

    def update_many(
        self,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        return_auc: bool = False,
    ) -> npt.NDArray[np.float64] | None:
        """Take events in, in their order.

        Parameters
        ----------
        y_true, y_score : array-like
            Labels and finite scores.
        sample_weight : array-like, optional
            Weights; events of weight 0 are left out.
        return_auc : bool, default False
            Give back the AUC after each event.

        Returns
        -------
        ndarray or None
            nan where a class was missing.
        """
        labels, scores, weights = checked_events(y_true, y_score, sample_weight)
        values = np.empty(len(scores) if return_auc else 0)
        for first in range(0, len(scores), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            some = None if weights is None else weights[part]
            found = self.slide(labels[part], scores[part], some, return_auc)
            if return_auc:
                values[part] = found
        return values if return_auc else None

    def revert(self, y_true: Any, y_score: Any) -> None:
        """Take the newest event with this label and score out again.

        What it had pushed out of the window does not come back.
        """
        if not self.take_out(y_true, y_score):
            raise InputError(
                f"No event with label {y_true!r} and score {y_score!r} is in the window, so it "
                "cannot be taken out."
            )

    def interval(
        self,
        method: IntervalMethod = "auto",
        *,
        confidence_level: float = 0.95,
        alternative: Alternative = "two-sided",
    ) -> Interval:
        """The AUC with its confidence interval; O(log size) after an event."""
        if method == "auto" and alternative == "two-sided":
            z, known = _default(confidence_level)
            found: Interval = self.default_interval(z, known, Interval)
            return found
        return Readings.interval(
            self, method, confidence_level=confidence_level, alternative=alternative
        )

    def to_bytes(self) -> bytes:
        """The exact state in a versioned form: what is restored goes on with the same values."""
        return packed(_MAGIC, _VERSION, self.size.to_bytes(8, "little") + self.save())

    @classmethod
    def from_bytes(cls, data: bytes) -> WindowAUC:
        """The window that `to_bytes` wrote down.

        Raises
        ------
        SerializationError
            The bytes are damaged, of another version or of something else.
        """
        payload = unpacked(_MAGIC, _VERSION, data, "WindowAUC")
        window = cls(int.from_bytes(payload[:8], "little"))
        try:
            window.load(payload[8:])
        except _core.BadBytes as error:
            raise SerializationError(f"This WindowAUC cannot be restored: {error}.") from None
        return window

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def _contents(self) -> Any:
        return self

    def _weighted(self) -> bool:
        return self.weighted


@functools.lru_cache(maxsize=8)
def _default(confidence_level: float) -> tuple[float, dict[str, Any]]:
    """The quantile of the default interval, and the fields that are the same in all of them."""
    level = check_level(confidence_level)
    fields = Interval(
        measure="auc",
        value=0.0,
        low=0.0,
        high=0.0,
        standard_error=0.0,
        confidence_level=level,
        method="auto",
        n_pos=0,
        n_neg=0,
    )
    return critical_value(level, "two-sided"), fields.to_dict()
