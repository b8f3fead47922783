"""What can be read off a window at any moment, whatever decides which events are in it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from roclab.curves import OperatingPoint, ROCHull, roc_hull
from roclab.errors import InputError
from roclab.inference import Interval
from roclab.inference.auc import IntervalMethod, unwarned_interval
from roclab.inference.options import Alternative
from roclab.measures import MEASURES
from roclab.ranking import Ranking
from roclab.summary import RangeSummary

__all__ = ["Readings"]


class Readings:
    """A window as a sample. Whoever inherits says which of the core's trees holds it.

    Nothing here warns: what a class too few leaves undefined is nan.
    """

    def _contents(self) -> Any:
        """A tree of scores, or a window that passes questions on to one."""
        raise NotImplementedError

    @property
    def n_pos(self) -> int:
        """Positive events."""
        found: int = self._contents().n_pos
        return found

    @property
    def n_neg(self) -> int:
        """Negative events."""
        found: int = self._contents().n_neg
        return found

    def __len__(self) -> int:
        return self.n_pos + self.n_neg

    @property
    def auc(self) -> float:
        """The AUC, ties half. Exact without weights."""
        found: float = self._contents().auc
        return found

    @property
    def auc_variance(self) -> float:
        """DeLong's variance of the AUC; nan with fewer than two events of a class."""
        found: float = self._contents().auc_variance
        return found

    @property
    def summary(self) -> RangeSummary:
        """All that AUC, scored AUC and their variances are read off."""
        return RangeSummary._of(self._contents().summarize())

    @property
    def scored_auc(self) -> float:
        """Mean over pairs of how far the positive scores above the negative, if it does."""
        return self.summary.scored_auc

    @property
    def scored_auc_variance(self) -> float:
        """DeLong's form of its variance; nan with fewer than two events of a class."""
        return self.summary.scored_auc_variance

    def interval(
        self,
        method: IntervalMethod = "auto",
        *,
        confidence_level: float = 0.95,
        alternative: Alternative = "two-sided",
    ) -> Interval:
        """The AUC with its confidence interval, as `auc_interval` makes it of a summary.

        Methods that draw are not among those that a window has; `ranking()` has them.
        """
        return unwarned_interval(
            self.summary, method=method, confidence_level=confidence_level, alternative=alternative
        )

    def ranking(self) -> Ranking:
        """What is there now, as a `Ranking` that no later event changes. O(distinct scores)."""
        scores, *masses = self._contents().groups()
        return Ranking._of_masses(scores, masses, self.n_pos, self.n_neg)

    def point_at(self, threshold: float) -> OperatingPoint:
        """Counts and rates if who scores at the threshold or above is called positive.

        O(log n); with weights O(distinct scores).
        """
        value = float(threshold)
        if math.isnan(value):
            raise InputError("threshold is NaN; a number is needed.")
        scores, *masses = self._contents().groups() if self._weighted() else (None,)
        if scores is None:
            fn, tn, *_ = self._contents().standing(value)
            n_pos, n_neg = float(self.n_pos), float(self.n_neg)
        else:
            first = int(np.searchsorted(scores, value))
            (fn, n_pos), (tn, n_neg) = (
                (float(mass[:first].sum()), float(mass.sum())) for mass in masses[:2]
            )
        return OperatingPoint(threshold=value, tp=n_pos - fn, fp=n_neg - tn, tn=tn, fn=fn)

    def kth_score(self, k: int) -> float:
        """The k-th lowest score, counted from 0; from the end for negative k. O(log n)."""
        count = len(self)
        if not -count <= k < count:
            raise InputError(f"There are {count:,} events; the {k}-th score is not among them.")
        found: float = self._contents().score_at(k % count)
        return found

    def hull(self) -> ROCHull:
        """The convex hull of the ROC curve, in one pass over the distinct scores."""
        return roc_hull(self.ranking())

    def h_measure(self, severity_ratio: float | None = None) -> float:
        """The H-measure, in one pass over the distinct scores."""
        value = MEASURES["h_measure"].value_of(self.ranking(), severity_ratio=severity_ratio)
        return float(value)

    def _weighted(self) -> bool:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}(AUC {self.auc:.3f}, {self.n_pos}+ {self.n_neg}-)"
