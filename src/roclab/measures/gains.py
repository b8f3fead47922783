"""The gains table: positives captured by bins of the highest scores."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import warn_if_undefined
from roclab.measures.bins import ScoreBins, checked_bins
from roclab.result import ReadOnlyArrays, Result

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GainsTable(Result, ReadOnlyArrays):
    """Bins of about equal size, the one with the highest scores first.

    Attributes
    ----------
    low, high : ndarray
        Lowest and highest score of each bin.
    count : ndarray
        Number of examples in each bin, or their weight.
    positives : ndarray
        Number of positives in each bin, or their weight.
    response_rate : ndarray
        Proportion of positives in each bin.
    lift : ndarray
        Response rate of each bin over that of all examples.
    share : ndarray
        Proportion of all examples in this bin and those before it.
    capture : ndarray
        Proportion of all positives in this bin and those before it.
    cumulative_lift : ndarray
        Lift of this bin and those before it together: capture over share.
    ks : ndarray
        Proportion of positives minus proportion of negatives in this bin and those before it; the
        largest is at most the KS statistic.
    """

    low: Floats
    high: Floats
    count: Floats
    positives: Floats
    response_rate: Floats
    lift: Floats
    share: Floats
    capture: Floats
    cumulative_lift: Floats
    ks: Floats

    def __len__(self) -> int:
        return len(self.count)

    def __repr__(self) -> str:
        if not len(self):
            return "GainsTable(0 bins)"
        bins = f"{len(self):,} bin{'s' * (len(self) != 1)}"
        first = f"first {100 * self.share[0]:.3g} % capture {100 * self.capture[0]:.3g} %"
        return f"GainsTable({bins}, {first}, lift {self.lift[0]:.3g})"


def gains_table(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    n_bins: int = 10,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> GainsTable:
    """The gains table: response rate, capture, lift and KS by bins of scores, highest first.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    n_bins : int, default 10
        Number of bins of about equal size: 10 for deciles.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    GainsTable
        Rates of a missing class are nan, with `UndefinedMeasureWarning`.

    Notes
    -----
    O(n log n). Equal scores are never divided: they belong to the bin of the middle of their mass.
    With ties, bins differ in size, and there may be fewer; `share` has their cumulative sizes.
    `capture_at`, `lift_at` and `precision_at` divide ties instead, in proportion, for an exact
    number of examples.

    Examples
    --------
    >>> table = gains_table([0, 1, 0, 1, 0, 0], [0.1, 0.4, 0.4, 0.8, 0.3, 0.2], n_bins=3)
    >>> table
    GainsTable(3 bins, first 50 % capture 100 %, lift 2)
    >>> table.count, table.response_rate
    (array([3., 1., 2.]), array([0.66666667, 0.        , 0.        ]))
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    checked_bins(n_bins, "quantile")
    warn_if_undefined("A gains table", ranking)
    if len(ranking) == 0:
        return GainsTable(**{field.name: np.empty(0) for field in fields(GainsTable)})
    bins = ScoreBins(ranking, n_bins, "quantile")
    count, positives = bins.mass[::-1], bins.sum(ranking.pos)[::-1]
    examples, pos, neg = (np.cumsum(one) for one in (count, positives, count - positives))
    with np.errstate(invalid="ignore"):
        share, capture, others = (sums / sums[-1] for sums in (examples, pos, neg))
        return GainsTable(
            low=bins.low[::-1],
            high=bins.high[::-1],
            count=count,
            positives=positives,
            response_rate=positives / count,
            lift=(positives / count) / (pos[-1] / examples[-1]),
            share=share,
            capture=capture,
            cumulative_lift=capture / share,
            ks=capture - others,
        )
