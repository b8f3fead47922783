"""Values that every exact window has, whatever its events."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from roclab import _core
from roclab.checks.choices import Alternative, IntervalMethod
from roclab.checks.options import check_level
from roclab.curves import OperatingPoint, ROCHull, roc_hull
from roclab.data.ranking import Ranking
from roclab.data.summary import RangeSummary
from roclab.errors import InputError
from roclab.inference import Interval
from roclab.inference.intervals.auc import unwarned_interval
from roclab.inference.intervals.interval import DEFAULT_METHOD
from roclab.measures import find_measure
from roclab.measures.measure import Measure
from roclab.numeric.distributions import critical_value

# At run time the class of the core is the first base of a window, and provides these methods.
if TYPE_CHECKING:
    _Scores = _core.EventScores
else:
    _Scores = object


class Readings(_Scores):
    """Measures and intervals of a window, in addition to those of the core.

    Nothing here warns: values that are undefined because a class is missing are nan.
    """

    @property
    def summary(self) -> RangeSummary:
        """Statistics for AUC, scored AUC and their variances."""
        return RangeSummary._of(self._summarize())

    @property
    def scored_auc(self) -> float:
        """Mean over pairs of max(positive score - negative score, 0)."""
        native = self._summarize()
        found = native.scored_auc
        # A summary handles values that are not finite.
        return found if math.isfinite(found) else RangeSummary._of(native).scored_auc

    @property
    def scored_auc_variance(self) -> float:
        """DeLong variance of the scored AUC; nan with fewer than two events of a class."""
        native = self._summarize()
        found = native.scored_auc_variance
        return found if math.isfinite(found) else RangeSummary._of(native).scored_auc_variance

    def interval(
        self,
        *,
        method: IntervalMethod = "auto",
        confidence_level: float = 0.95,
        alternative: Alternative = "two-sided",
    ) -> Interval:
        """The AUC with its confidence interval, as `auc_interval` computes it.

        O(log n) after an event.

        Parameters
        ----------
        method : {"auto", "delong", "logit", "score", "newcombe"}, default "auto"
            Method of `auc_interval` without resampling; ``"auto"`` is a Wilson-type interval.
            Methods that resample need `ranking()`.
        confidence_level : float, default 0.95
            Confidence level, between 0 and 1. A one-sided interval needs more than 0.5.
        alternative : {"two-sided", "less", "greater"}, default "two-sided"
            Two-sided or one-sided interval. ``"greater"`` gives a lower bound, ``"less"`` an upper
            bound; the other end is that of the range of the measure.
        """
        if method == "auto" and alternative == "two-sided":
            found: Interval = self._default_interval(confidence_level)
            return found
        return unwarned_interval(
            RangeSummary._of(self._summarize()),
            method=method,
            confidence_level=confidence_level,
            alternative=alternative,
        )

    def ranking(self) -> Ranking:
        """The current content as a `Ranking`, independent of later events. O(distinct scores)."""
        n_pos, n_neg, scores, *masses = self._groups()
        return Ranking._of_masses(scores, masses, n_pos, n_neg)

    def point_at(self, threshold: float) -> OperatingPoint:
        """Counts and rates if scores at or above the threshold are predicted positive.

        O(log n); with weights O(distinct scores).

        Parameters
        ----------
        threshold : float
            Decision threshold: scores at or above it are predicted positive.
        """
        value = float(threshold)
        if math.isnan(value):
            raise InputError(found="{threshold} is NaN", needed="a number is needed")
        tp, fp, tn, fn = self._confusion_at(value)
        return OperatingPoint(threshold=value, tp=tp, fp=fp, tn=tn, fn=fn)

    def kth_score(self, k: int) -> float:
        """The k-th lowest score. O(log n).

        Parameters
        ----------
        k : int
            Position of the score: 0 is the lowest, -1 the highest.
        """
        return self._score_at(k)

    def hull(self) -> ROCHull:
        """The convex hull of the ROC curve, in one pass over the distinct scores."""
        return roc_hull(self.ranking())

    def h_measure(self, *, severity_ratio: float | None = None) -> float:
        """The H-measure, in one pass over the distinct scores.

        Parameters
        ----------
        severity_ratio : float, optional
            Cost of a false positive relative to a false negative, at the mode of the cost
            distribution. By default positives over negatives in the window.
        """
        return float(_h_measure().value_of(self.ranking(), severity_ratio=severity_ratio))

    def __repr__(self) -> str:
        auc, n_pos, n_neg = self._reading()
        return f"{type(self).__name__}(AUC {auc:.3f}, {n_pos}+ {n_neg}-)"


@cache
def _h_measure() -> Measure:
    return find_measure("h_measure")[0]


def _pattern_at(confidence_level: float) -> tuple[float, Interval]:
    """Return the quantile of the default interval, and an interval with its other fields.

    The core calls this when the level differs from that of the last call.
    """
    level = check_level(confidence_level)
    pattern = Interval(
        measure="auc",
        value=math.nan,
        low=math.nan,
        high=math.nan,
        standard_error=math.nan,
        confidence_level=level,
        method=DEFAULT_METHOD,
        n_pos=0,
        n_neg=0,
    )
    return critical_value(level, "two-sided"), pattern


_core.register_interval(_pattern_at, Interval)
