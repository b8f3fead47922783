"""Approximate AUC of a sliding window with bounded error: Tatti (2018), corrected."""

from __future__ import annotations

import struct

from roclab import _core
from roclab.checks.choices import Alternative, IntervalMethod
from roclab.checks.options import check_count
from roclab.data.bounds import AUCBounds
from roclab.data.ranking import Ranking
from roclab.inference import Interval
from roclab.inference.intervals.auc import unwarned_interval
from roclab.streaming.events import WindowEvents
from roclab.streaming.windows.compressed import checked_eps
from roclab.streaming.windows.state import WindowState


class ApproximateWindowAUC(_core.CompressedWindow, WindowEvents, WindowState):
    """Approximate AUC of the last `size` events, from a short list of groups, with an error bound.

    The algorithm of Tatti (2018), for those who need that algorithm: the exact AUC of a window is
    cheaper, O(log k) for each event. `auc_bounds` always contains the exact value.

    Scores are finite, higher for the positive class; labels are booleans, 0/1 or -1/1. While a
    class is missing, all values are nan, without a warning.

    One thread may write while others read: they see the window between two events.

    Parameters
    ----------
    size : int
        Maximum number of events in the window, up to 2**30.
    eps : float
        The estimate differs from the AUC by at most eps / 2 times the AUC. The list has at most
        ``2 log(n_pos) / log(1 + eps) + 4`` nodes. With 0 the value is exact, and the list has a
        node for each distinct score of the positives.
    flipped : bool, default True
        Whether to keep a second list, of negatives, for `auc_flipped` and narrower `auc_bounds`.
        Without it an update is cheaper: by a tenth at eps 0.1, by a third or more at 0.01.

    See Also
    --------
    compressed_ranking : The same list for weighted data, without updates.

    Notes
    -----
    An update costs O((log k) / eps), as does reading a value; a node for each distinct score and
    an entry for each event take 68 bytes. The list, and so the estimate, depends on the order of
    the events, not only on the content of the window.

    References
    ----------
    N. Tatti, *Efficient estimation of AUC in a sliding window*, ECML PKDD 2018. The algorithms are
    those of section 4 with their misprints corrected.

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

    _kind, _settings_format = b"AW", struct.Struct("<Qd?")

    def __init__(self, size: int, eps: float, *, flipped: bool = True) -> None:
        events = check_count("size", size, most=_core.MOST_EVENTS)
        super().__init__(events, checked_eps(eps), bool(flipped))

    @property
    def auc_bounds(self) -> AUCBounds:
        """Bounds of the exact AUC of the window.

        Each list bounds the error of its estimate by half the pairs in its gaps. That is at most
        ``eps / 2`` times the AUC, or times 1 - AUC with labels flipped. The bounds combine both
        lists, or use one without `flipped`. Their middle is within ``eps / 4`` of the AUC, and in
        practice closer than either estimate.
        """
        low, high = self._bounds()
        return AUCBounds(low=low, high=high)

    def ranking(self) -> Ranking:
        """The exact content of the window as a `Ranking`. O(k)."""
        scores, pos, neg = self._groups()
        return Ranking.from_groups(scores[::-1], pos[::-1], neg[::-1])

    @property
    def auc_variance(self) -> float:
        """DeLong variance of the exact AUC, in one pass over the distinct scores."""
        return self.ranking().summary.auc_variance

    @property
    def scored_auc(self) -> float:
        """The exact scored AUC, in one pass over the distinct scores."""
        return self.ranking().summary.scored_auc

    @property
    def scored_auc_variance(self) -> float:
        """DeLong variance of the scored AUC, in one pass over the distinct scores."""
        return self.ranking().summary.scored_auc_variance

    def interval(
        self,
        *,
        method: IntervalMethod = "auto",
        confidence_level: float = 0.95,
        alternative: Alternative = "two-sided",
    ) -> Interval:
        """The exact AUC with its confidence interval, computed from `ranking()`. O(k).

        Parameters
        ----------
        method : {"auto", "delong", "logit", "score", "newcombe", "bootstrap", "bca", "bootstrap_t"}
            Method of `auc_interval`; ``"auto"``, the default, is a Wilson-type interval.
        confidence_level : float, default 0.95
            Confidence level, between 0 and 1. A one-sided interval needs more than 0.5.
        alternative : {"two-sided", "less", "greater"}, default "two-sided"
            Two-sided or one-sided interval. ``"greater"`` gives a lower bound, ``"less"`` an upper
            bound; the other end is that of the range of the measure.
        """
        return unwarned_interval(
            self.ranking(),
            method=method,
            confidence_level=confidence_level,
            alternative=alternative,
        )

    def _settings(self) -> tuple[int, float, bool]:
        return self.size, self.eps, self.flipped

    @classmethod
    def _from_settings(cls, size: int, eps: float, flipped: bool) -> ApproximateWindowAUC:
        return cls(size, eps, flipped=flipped)

    def __repr__(self) -> str:
        auc, n_pos, n_neg = self._reading()
        return (
            f"{type(self).__name__}({self.size}, eps={self.eps:g}: {n_pos:,} positive, "
            f"{n_neg:,} negative, AUC {auc:.3f})"
        )
