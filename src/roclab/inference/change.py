"""What changed the AUC between two periods: the mix of segments, or the ranking within them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.options import check_level, shown
from roclab.data.ranking import Ranking
from roclab.data.row_groups import Membership
from roclab.data.table import ScoreTable, check_table
from roclab.errors import DegenerateIntervalWarning, InputError
from roclab.formatting import one_line, plain_value
from roclab.inference.comparison.unpaired import compare_independent_auc
from roclab.numeric.distributions import critical_value
from roclab.numeric.sums import ROUNDING, dot
from roclab.result import Result

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, repr=False)
class SegmentChange(Result):
    """Contribution of one segment to a change of the AUC.

    Attributes
    ----------
    segment : object
        Value of the segment column.
    mix, ranking : float
        Its shares of the two parts of the change: half of the pairs with a positive of the segment
        and half of the pairs with a negative of it. The shares of all segments add up to the parts.
    auc_before, auc_after : float
        AUC within the segment; nan if a class is missing.
    n_pos_before, n_neg_before, n_pos_after, n_neg_after : int
        Number of positive and negative examples.
    """

    segment: Any
    mix: float
    ranking: float
    auc_before: float
    auc_after: float
    n_pos_before: int
    n_neg_before: int
    n_pos_after: int
    n_neg_after: int

    @property
    def share(self) -> float:
        """Its share of the whole change: `mix` plus `ranking`."""
        return self.mix + self.ranking

    def to_dict(self) -> dict[str, Any]:
        """The fields and `share`, as plain Python values."""
        return {**super().to_dict(), "segment": plain_value(self.segment), "share": self.share}


@dataclass(frozen=True, kw_only=True, repr=False)
class AUCChange(Result):
    """Change of the AUC between two periods, the result of `auc_change`.

    Attributes
    ----------
    model, by : str
        Score column, and column of the segments.
    auc_before, auc_after : float
        AUC of each period.
    difference, low, high : float
        `auc_after` minus `auc_before`, with its confidence interval.
    pvalue : float
        Test of whether the AUC has changed.
    mix, mix_low, mix_high : float
        Change because other segments came, with its interval.
    ranking, ranking_low, ranking_high : float
        Change because segments are ranked differently, with its interval.
    confidence_level : float
        Confidence level of the intervals.
    segments : tuple of SegmentChange
        Largest share of the change first, whatever its sign.
    """

    model: str
    by: str
    auc_before: float
    auc_after: float
    difference: float
    low: float
    high: float
    pvalue: float
    mix: float
    mix_low: float
    mix_high: float
    ranking: float
    ranking_low: float
    ranking_high: float
    confidence_level: float
    segments: tuple[SegmentChange, ...]

    def __repr__(self) -> str:
        return (
            f"AUC {self.auc_before:.3f} -> {self.auc_after:.3f} ({self.difference:+.3f}): "
            f"mix {self.mix:+.3f}, ranking {self.ranking:+.3f}, "
            f"{len(self.segments)} segments of {one_line(self.by)}"
        )


def auc_change(
    before: ScoreTable,
    after: ScoreTable,
    *,
    by: str,
    model: str | None = None,
    confidence_level: float = 0.95,
) -> AUCChange:
    """Decompose a change of the AUC into the mix of segments and the ranking within them.

    Parameters
    ----------
    before, after : ScoreTable
        Two periods, or two samples, that share no rows.
    by : str
        Group column of both tables with the segment of each row, such as a country.
    model : str, optional
        Score column of both tables. Needed if there are several.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for each interval by itself.

    Returns
    -------
    AUCChange
        `mix` plus `ranking` is the difference, without a remainder.

    Raises
    ------
    ColumnError
        A table has no such score or group column.
    InputError
        A table has weights, or lacks a class.

    Warns
    -----
    DegenerateIntervalWarning
        The interval of a part has zero width, as if both periods are ranked perfectly.

    Notes
    -----
    The AUC is a weighted mean over pairs of segments: with W the proportion of pairs whose positive
    is in segment g and whose negative is in segment h, and A their AUC, it is the sum of W A. The
    change from period 0 to 1 is exactly ::

        sum (W1 - W0) ((A0 + A1) / 2 - c)  +  sum (W0 + W1) / 2 (A1 - A0)
                mix                                 ranking

    for any constant c, since the proportions add up to 1 in both periods. Here c is the mean of the
    two AUCs: so a segment that grows contributes to the mix by how much better or worse it is
    ranked than the rest, not by its whole AUC.
    An A that is undefined in one period is taken from the other: the whole change of such pairs is
    mix. The interval of the difference is that of `compare_independent_auc`. The intervals of the
    two parts are normal, with the variance of the influence of each row, both on the proportions
    and on the AUCs; for the AUC itself this variance is DeLong's. O(n log n + n G) for G segments.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1, 0, 1] * 4, [0.2, 0.4, 0.3, 0.9, 0.7, 0.8] * 4
    >>> new = [0.2, 0.4, 0.3, 0.9, 0.7, 0.1] * 4
    >>> site = ["a", "a", "a", "b", "b", "b"] * 4
    >>> tables = [ScoreTable(y, {"score": scores}, groups={"site": site}) for scores in (s, new)]
    >>> auc_change(*tables, by="site")
    AUC 0.889 -> 0.556 (-0.333): mix +0.000, ranking -0.333, 2 segments of site
    """
    level = check_level(confidence_level)
    names = [_model_of(table, model) for table in (before, after)]
    if names[0] != names[1]:
        raise InputError(
            found="{before} has the scores {first} and {after} has {second}",
            needed="both periods need the scores of the same model",
            fix="Rename the column of one.",
            first=shown(names[0]),
            second=shown(names[1]),
        )
    columns = [table.group_column(by) for table in (before, after)]
    if columns[0].dtype != columns[1].dtype:  # numbers would become text
        columns = [column.astype(object) for column in columns]
    both = np.concatenate(columns)
    members = Membership.of(both, "by")
    values = both[members.firsts()].tolist()
    split = np.split(members.numbers, [len(before)])
    rankings = [table[names[0]] for table in (before, after)]
    periods = [
        _Period(ranking, numbers, members.count)
        for ranking, numbers in zip(rankings, split, strict=True)
    ]
    test = compare_independent_auc(rankings[1], rankings[0], confidence_level=level)
    old, new = periods
    # Undefined in both: no such pairs.
    auc_old = np.nan_to_num(np.where(np.isnan(old.aucs), new.aucs, old.aucs))
    auc_new = np.nan_to_num(np.where(np.isnan(new.aucs), old.aucs, new.aucs))
    moved, mean_auc = new.weights - old.weights, (auc_old + auc_new) / 2
    gained, mean_weight = auc_new - auc_old, (old.weights + new.weights) / 2
    centre = (test.value_a + test.value_b) / 2
    mixes, rankings_ = moved * (mean_auc - centre), mean_weight * gained
    z = critical_value(level, "two-sided")
    half_mix = z * math.sqrt(
        _variance(periods, by_weight=(-mean_auc, mean_auc), by_auc=(moved / 2, moved / 2))
    )
    half_ranking = z * math.sqrt(
        _variance(periods, by_weight=(gained / 2, gained / 2), by_auc=(-mean_weight, mean_weight))
    )
    # By definition there is no mix of one segment, and no ranking that both periods have.
    in_both = bool(np.isfinite(old.aucs + new.aucs).any())
    if (half_ranking <= ROUNDING and in_both) or (half_mix <= ROUNDING and members.count > 1):
        DegenerateIntervalWarning(
            found="An interval of the mix or the ranking has zero width, which is not certainty",
            fix="See the interval of the whole difference, which has width.",
        ).issue()
    mix, ranking = math.fsum(mixes.flat), math.fsum(rankings_.flat)
    segments = [
        SegmentChange(
            segment=value,
            mix=_share(mixes, number),
            ranking=_share(rankings_, number),
            auc_before=float(old.aucs[number, number]),
            auc_after=float(new.aucs[number, number]),
            n_pos_before=int(old.n_pos[number]),
            n_neg_before=int(old.n_neg[number]),
            n_pos_after=int(new.n_pos[number]),
            n_neg_after=int(new.n_neg[number]),
        )
        for number, value in enumerate(values)
    ]
    return AUCChange(
        model=names[0],
        by=by,
        auc_before=test.value_b,
        auc_after=test.value_a,
        difference=test.difference,
        low=test.low,
        high=test.high,
        pvalue=test.pvalue,
        mix=mix,
        mix_low=mix - half_mix,
        mix_high=mix + half_mix,
        ranking=ranking,
        ranking_low=ranking - half_ranking,
        ranking_high=ranking + half_ranking,
        confidence_level=level,
        segments=tuple(sorted(segments, key=lambda one: -abs(one.share))),
    )


def _model_of(table: ScoreTable, model: str | None) -> str:
    check_table(table)
    if table.sample_weight is not None:
        raise InputError(
            found="The table has weights",
            needed="a change is decomposed by counting pairs",
            fix="Leave out {sample_weight}.",
        )
    if model is None and len(table.names) > 1:
        raise InputError(
            found="The table has {count} score columns ({names})",
            needed="the change of one model is decomposed",
            fix="Name it: {model=}{first}.",
            count=len(table.names),
            names=", ".join(table.names),
            first=repr(table.names[0]),
        )
    name = table.names[0] if model is None else model
    ranking = table[name]
    if not (ranking.n_pos and ranking.n_neg):
        raise InputError(
            found="A period has {n_pos} positive and {n_neg} negative examples",
            needed="both classes are needed",
            n_pos=f"{ranking.n_pos:,}",
            n_neg=f"{ranking.n_neg:,}",
        )
    return name


class _Period:
    """The segments of one period: proportions, and the AUC of every two of them.

    Attributes
    ----------
    n_pos, n_neg : ndarray
        Examples of each segment.
    weights, aucs : ndarray
        Proportion and AUC of the pairs with a positive of segment g and a negative of segment h.
    """

    def __init__(self, ranking: Ranking, segments: npt.NDArray[np.uint32], count: int) -> None:
        self._rows, self._count = ranking.rows(), count
        self._segments = np.ascontiguousarray(segments)
        self._starts = self._rows.starts().astype(np.int64)
        labels = self._rows.labels
        # Rows of each class, with their segments.
        self._of_class = [
            (rows, self._segments[rows])
            for rows in (np.flatnonzero(labels), np.flatnonzero(labels == 0))
        ]
        self.n_pos, self.n_neg = (
            np.bincount(found, minlength=count) for _, found in self._of_class
        )
        self._of_pos, self._of_neg = self.n_pos / self.n_pos.sum(), self.n_neg / self.n_neg.sum()
        self.weights: Floats = np.outer(self._of_pos, self._of_neg)
        wins = _core.segment_wins(
            self._rows.order, self._starts, labels, self._segments, count
        ).reshape(count, count)
        with np.errstate(invalid="ignore"):
            self.aucs: Floats = wins / (2 * np.outer(self.n_pos, self.n_neg))

    def variance(self, by_weight: Floats, by_auc: Floats) -> float:
        """Variance of a function of weights and AUCs, from its derivatives by them."""
        defined = np.nan_to_num(self.aucs)
        pairs = 2.0 * np.outer(self.n_pos, self.n_neg)
        factors = np.divide(by_auc, pairs, out=np.zeros_like(pairs), where=pairs > 0)
        sums = _core.segment_sums(
            self._rows.order,
            self._starts,
            self._rows.labels,
            self._segments,
            self._count,
            factors.ravel(),
            np.ascontiguousarray(factors.T).ravel(),
        )
        found = 0.0
        both = (
            (self.n_pos, (by_weight * self._of_neg).sum(axis=1), (by_auc * defined).sum(axis=1)),
            (self.n_neg, (by_weight.T * self._of_pos).sum(axis=1), (by_auc * defined).sum(axis=0)),
        )
        for (rows, segment), (sizes, of_weights, centres) in zip(self._of_class, both, strict=True):
            total = len(rows)
            if total < 2:
                return math.nan
            own = of_weights / total
            own -= np.divide(centres, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
            influence = sums[rows] + own[segment]
            influence -= influence.mean()
            found += total / (total - 1) * dot(influence, influence)
        return found


def _variance(
    periods: list[_Period], by_weight: tuple[Floats, Floats], by_auc: tuple[Floats, Floats]
) -> float:
    """Variance of a function of both periods; an undefined AUC is that of the other period."""
    undefined = [np.isnan(period.aucs) for period in periods]
    found = 0.0
    for period, other in ((0, 1), (1, 0)):
        slopes = np.where(undefined[period], 0.0, by_auc[period])
        slopes += np.where(undefined[other] & ~undefined[period], by_auc[other], 0.0)
        found += periods[period].variance(by_weight[period], slopes)
    return found


def _share(parts: Floats, segment: int) -> float:
    return (math.fsum(parts[segment]) + math.fsum(parts[:, segment])) / 2
