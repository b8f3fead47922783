"""AUC of the last events within a stated error: the sliding window of Tatti (2018), corrected."""

from __future__ import annotations

import operator
import struct
import zlib
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.errors import InputError, SerializationError
from roclab.inference import Interval
from roclab.inference.intervals.auc import IntervalMethod, unwarned_interval
from roclab.options import Alternative
from roclab.ranking import Ranking
from roclab.streaming.events import in_parts
from roclab.streaming.windows.bounds import AUCBounds, checked_eps

__all__ = ["ApproximateWindowAUC"]

# Layout of version 1, little-endian: magic, version, flipped, size, eps, how many events and how
# many nodes in the list of negatives and of positives; the scores of the events from the oldest,
# their labels in bits; the scores in the two lists; behind them the CRC-32 of all that.
_MAGIC = b"RLAW"
_VERSION = 1
_HEADER = struct.Struct("<4sBBQdQQQ")
_CHECKSUM = struct.Struct("<I")


class ApproximateWindowAUC(_core.CompressedWindow):
    """AUC of the last `size` events from a list of a few groups, with a bound on the error.

    The algorithm of Tatti (2018). It is here for those who want that algorithm: the exact AUC of a
    window costs less, O(log k) an event. Whatever it estimates, `auc_bounds` holds the exact value.

    A higher score means more positive. Scores are finite; labels are booleans, 0/1 or -1/1. While a
    class is missing, all values are nan, without a warning.

    One thread may write while others read: they see the window between two events.

    Parameters
    ----------
    size : int
        Events that the window holds, up to 2**30.
    eps : float
        The estimate differs from the AUC by at most eps / 2 times the AUC. The list has at most
        ``2 log(n_pos) / log(1 + eps) + 4`` nodes. With 0 the value is exact and the list as long as
        there are distinct scores of positives.
    flipped : bool, default True
        Keep a second list, of negatives, which `auc_flipped` and the narrower `auc_bounds` need. An
        update costs less without: by a tenth at eps 0.1, by a third or more at 0.01.

    See Also
    --------
    compressed_ranking : The same list for weighted data, without updates.

    Notes
    -----
    An update costs O((log k) / eps) and so does reading a value; a node for each distinct score and
    an entry for each event take 68 bytes. The list, and with it the estimate, depends on the order
    of the events, not on the window's content alone.

    References
    ----------
    N. Tatti, *Efficient estimation of AUC in a sliding window*, ECML PKDD 2018. The algorithms are
    those of section 4 with their misprints put right.

    Examples
    --------
    >>> window = ApproximateWindowAUC(4, eps=0.1)
    >>> for label, score in [(0, 0.1), (1, 0.4), (0, 0.4), (1, 0.8)]:
    ...     window.update(label, score)
    >>> window.auc
    0.875
    >>> window.auc_bounds
    AUCBounds(0.875 to 0.875)
    >>> window.update_many([1, 0], [0.6, 0.3], return_auc=True)
    array([0.83333333, 1.        ])
    >>> window
    ApproximateWindowAUC(4, eps=0.1: 2 positive, 2 negative, AUC 1.000)
    """

    __slots__ = ()

    def __init__(self, size: SupportsIndex, eps: float, *, flipped: bool = True) -> None:
        super().__init__(_checked_size(size), checked_eps(eps), bool(flipped))

    def update_many(
        self, y_true: npt.ArrayLike, y_score: npt.ArrayLike, return_auc: bool = False
    ) -> npt.NDArray[np.float64] | None:
        """Let several events in, from the first to the last. All are checked before any enters.

        Parameters
        ----------
        y_true : array-like
            Labels.
        y_score : array-like
            Finite scores.
        return_auc : bool, default False
            Return `auc` after each of them.
        """
        return in_parts(self._update_many, y_true, y_score, None, return_auc=bool(return_auc))

    @property
    def auc_bounds(self) -> AUCBounds:
        """Bounds that the exact AUC of the window lies between.

        Each list says how far the AUC may be from its estimate: by half the pairs in its gaps.
        That is never more than ``eps / 2`` times the AUC, or times 1 - AUC with labels flipped.
        These are the bounds of both lists together; without `flipped`, of the one. Their middle is
        within ``eps / 4`` of the AUC, and in practice closer than either estimate.
        """
        low, high = self._bounds()
        return AUCBounds(low=low, high=high)

    def ranking(self) -> Ranking:
        """What is in the window, exactly, for all that a `Ranking` can be asked. O(k)."""
        scores, pos, neg = self._groups()
        return Ranking.from_groups(scores[::-1], pos[::-1], neg[::-1])

    @property
    def auc_variance(self) -> float:
        """DeLong's variance of the exact AUC, in one pass over the distinct scores."""
        return self.ranking().summary.auc_variance

    @property
    def scored_auc(self) -> float:
        """The exact scored AUC, in one pass over the distinct scores."""
        return self.ranking().summary.scored_auc

    @property
    def scored_auc_variance(self) -> float:
        """DeLong's form of its variance, in one pass over the distinct scores."""
        return self.ranking().summary.scored_auc_variance

    def interval(
        self,
        method: IntervalMethod = "auto",
        *,
        confidence_level: float = 0.95,
        alternative: Alternative = "two-sided",
    ) -> Interval:
        """The exact AUC with its confidence interval, which is that of `ranking()`. O(k)."""
        return unwarned_interval(
            self.ranking(),
            method=method,
            confidence_level=confidence_level,
            alternative=alternative,
        )

    def to_bytes(self) -> bytes:
        """The state in a versioned binary form: a window made from it goes on in the same way."""
        # In one call, between two events of another thread.
        labels, scores, *lists = self._state()
        header = _HEADER.pack(
            _MAGIC,
            _VERSION,
            self.flipped,
            self.size,
            self.eps,
            len(scores),
            *map(len, lists),
        )
        parts = [scores.astype("<f8"), np.packbits(labels), *(part.astype("<f8") for part in lists)]
        payload = header + b"".join(part.tobytes() for part in parts)
        return payload + _CHECKSUM.pack(zlib.crc32(payload))

    @classmethod
    def from_bytes(cls, data: bytes) -> ApproximateWindowAUC:
        """The window that `to_bytes` wrote.

        Raises
        ------
        SerializationError
            If the bytes hold no such window, or one that cannot be.
        """
        payload = _checked_payload(data)
        _, _, flipped, size, eps, events, *listed = _HEADER.unpack_from(payload)
        counts = (events, *listed)
        body = payload[_HEADER.size :]
        bits = (events + 7) // 8
        if 8 * sum(counts) + bits != len(body):
            raise _impossible()
        values = np.frombuffer(body[: 8 * events] + body[8 * events + bits :], "<f8")
        scores, negatives, positives = (
            part.astype(np.float64) for part in np.split(values, np.cumsum(counts)[:-1])
        )
        packed = np.frombuffer(body, np.uint8, bits, 8 * events)
        labels = np.unpackbits(packed, count=events)
        try:
            window = cls(size, eps, flipped=bool(flipped))
        except InputError:
            raise _impossible() from None
        possible = events <= size and bool(flipped or not listed[0]) and np.isfinite(values).all()
        if not (possible and window._restore(labels, scores, negatives, positives)):
            raise _impossible()
        return window

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        auc, n_pos, n_neg = self._reading()
        return (
            f"{type(self).__name__}({self.size}, eps={self.eps:g}: {n_pos:,} positive, "
            f"{n_neg:,} negative, AUC {auc:.3f})"
        )


def _checked_size(size: Any) -> int:
    try:
        value = operator.index(size)
    except TypeError:
        value = 0
    if not 1 <= value <= _core.MOST_EVENTS:
        raise InputError(
            f"size is {size!r}; the window needs a whole number of events from 1 to "
            f"{_core.MOST_EVENTS:,}."
        )
    return value


def _checked_payload(data: bytes) -> bytes:
    if len(data) < 5 or data[:4] != _MAGIC:
        raise SerializationError(
            f"These {len(data)} bytes are no ApproximateWindowAUC; pass what to_bytes() returned."
        )
    if data[4] != _VERSION:
        raise SerializationError(
            f"This ApproximateWindowAUC was written in version {data[4]} of its format; this "
            f"roclab reads version {_VERSION}. Use the same release on both sides."
        )
    payload, checksum = data[: -_CHECKSUM.size], data[-_CHECKSUM.size :]
    if len(payload) < _HEADER.size or checksum != _CHECKSUM.pack(zlib.crc32(payload)):
        raise SerializationError(
            f"This ApproximateWindowAUC is damaged: {len(data)} bytes arrived, some are missing or "
            "changed on the way. Transfer it again."
        )
    return payload


def _impossible() -> SerializationError:
    return SerializationError(
        "These bytes describe a window that cannot be: its counts, scores and lists do not fit "
        "together. Pass what to_bytes() returned, unchanged."
    )
