"""The contribution of a range of scores to AUC, scored AUC and their variances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.data.ranked_rows import RankedRows
from roclab.data.serialization import Serializable
from roclab.data.summary_bytes import restored_summary, summary_bytes
from roclab.errors import InputError, Parameter


class RangeSummary(Serializable):
    """The contribution of one range of scores; neighbouring ranges can be joined.

    Joining is associative, and ``RangeSummary()`` is its neutral element, so a sample may be split
    at any scores and joined in any order of operations: by threads, in a tree, or over the
    partitions of a cluster. Ranges must not overlap, and equal scores belong to the same range.

    Without weights the pair counts are exact integers. With weights they are sums of weights, and
    the variances are those of importance weights: invariant to the scale of all weights.

    Examples
    --------
    >>> low = RangeSummary.leaf(0.2, pos=0, neg=2)
    >>> high = RangeSummary.leaf(0.7, pos=2, neg=1)
    >>> low.join(high)
    RangeSummary(2 positive, 3 negative, AUC 0.833)
    >>> low.join(high).auc
    0.8333333333333334
    >>> RangeSummary.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    RangeSummary(2 positive, 2 negative, AUC 0.875)
    """

    __slots__ = ("_native",)
    _kind = b"RS"
    _version = 3

    def __init__(self) -> None:
        self._native = _core.RangeSummary()

    @classmethod
    def _of(cls, native: _core.RangeSummary) -> RangeSummary:
        pos, neg = native.counts.pos, native.counts.neg
        if 4 * pos * neg * max(pos, neg) >= 2**128:
            raise InputError(
                found="There are {pos} positive and {neg} negative examples",
                needed="pair counts would need more than 128 bits",
                fix="Summarise a sample of them, which is precise enough at this size.",
                pos=f"{pos:,}",
                neg=f"{neg:,}",
            )
        summary = cls.__new__(cls)
        summary._native = native
        return summary

    @classmethod
    def _of_groups(
        cls, scores: npt.NDArray[Any], masses: Sequence[npt.NDArray[Any]], n_pos: int, n_neg: int
    ) -> RangeSummary:
        """From distinct scores, ascending, and their masses; with weights also the squared ones."""
        threads = _core.thread_count()
        if len(masses) == 2:
            return cls._of(_core.summarize(scores, masses[0], masses[1], threads))
        pos, neg, pos_squared, neg_squared = masses
        return cls._of(
            _core.summarize_weighted(
                scores, pos, neg, pos_squared, neg_squared, n_pos, n_neg, threads
            )
        )

    @classmethod
    def _of_pairs(cls, counts: _core.PairCounts, lowest: float, highest: float) -> RangeSummary:
        """From pair counts alone: the scored AUC and the share of ties are unknown."""
        reals = [np.nan] * (_core.REALS - 3) + [float(lowest), float(highest), np.nan]
        wide = counts.twice_wins, counts.pos_moment, counts.neg_moment
        return cls._of(_core.RangeSummary.restore(False, counts.pos, counts.neg, *wide, reals))

    @classmethod
    def from_arrays(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
    ) -> RangeSummary:
        """The summary of labels and scores: ``Ranking(y_true, y_score).summary``.

        It is empty without rows of positive weight.

        Parameters
        ----------
        y_true : array-like
            Target labels: booleans, 0/1, -1/1, or any values with `pos_label`.
        y_score : array-like
            Scores, higher for the positive class; real numbers, infinities included.
        sample_weight : array-like, optional
            Sample weights, finite and not negative. Rows of weight 0 are excluded.
        pos_label : object, optional
            Positive class label; every other value is then negative. Not needed for booleans, 0/1
            and -1/1.
        """
        rows = RankedRows.checked(y_true, y_score, sample_weight, pos_label)
        scores, *masses = rows.grouped()
        n_pos = int(np.count_nonzero(rows.labels))
        return cls._of_groups(scores, masses, n_pos, len(rows.labels) - n_pos)

    @classmethod
    def leaf(
        cls,
        score: float,
        pos: float,
        neg: float,
        *,
        pos_squared: float | None = None,
        neg_squared: float | None = None,
        n_pos: int | None = None,
        n_neg: int | None = None,
    ) -> RangeSummary:
        """The summary of examples that share one score.

        Parameters
        ----------
        score : float
            The shared score.
        pos, neg : int or float
            Numbers of positive and negative examples, or sums of their weights.
        pos_squared, neg_squared : float, optional
            Sums of squared weights. If given, the summary is weighted.
        n_pos, n_neg : int, optional
            Numbers of examples of a weighted summary.
        """
        if not isinstance(score, Real) or np.isnan(float(score)):
            raise InputError(
                found="{score} is {value}", needed="a number is needed", value=f"{score!r:.60}"
            )
        scores = np.array([score], dtype=np.float64)
        given = {"pos": pos, "neg": neg, "pos_squared": pos_squared, "neg_squared": neg_squared}
        given |= {"n_pos": n_pos, "n_neg": n_neg}
        weighted = [given[name] is not None for name in list(given)[2:]]
        if any(weighted) and not all(weighted):
            raise InputError(
                found="{pos_squared}, {neg_squared}, {n_pos} and {n_neg} are given only in part",
                needed="a weighted leaf needs all of them, an unweighted one none",
            )
        for name, value in given.items():
            whole = not any(weighted) or name in ("n_pos", "n_neg")
            most = 2**63 if whole else np.inf
            if value is not None and not (0 <= value < most and (not whole or value % 1 == 0)):
                raise InputError(
                    found="{name=}{value} is out of range",
                    needed="an integer from 0 to below 2**63 is needed"
                    if whole
                    else "a finite number that is not negative is needed",
                    name=Parameter(name),
                    value=f"{value!r:.60}",
                )
        sums = [value for value in list(given.values())[:4] if value is not None]
        masses = [np.array([value], np.float64 if any(weighted) else np.int64) for value in sums]
        return cls._of_groups(scores, masses, n_pos or 0, n_neg or 0)

    def join(self, higher: RangeSummary) -> RangeSummary:
        """The summary of this range and the next higher one together. O(1).

        Parameters
        ----------
        higher : RangeSummary
            Summary of a range whose scores are all higher.

        Raises
        ------
        InputError
            If the other range does not lie above this one.
        """
        if not isinstance(higher, RangeSummary):
            raise InputError(
                found="{higher} is a {kind}",
                needed="another RangeSummary is needed",
                kind=type(higher).__name__,
            )
        end, start = self.highest, higher.lowest
        # Integers beyond 2**53 may be rounded to the same bound, so there it may be met.
        if end > start or (end == start and abs(end) < 2**53):
            raise _not_apart(end, start)
        return self._of(self._native.join(higher._native))

    @classmethod
    def join_all(cls, summaries: Iterable[RangeSummary]) -> RangeSummary:
        """The summary of many ranges together, in any order; empty ones have no effect.

        Parameters
        ----------
        summaries : iterable of RangeSummary
            Such as those of the partitions of a cluster. The result is the empty summary if there
            are none.

        Raises
        ------
        InputError
            If two ranges overlap or share a score, or have integers beyond 2**53 that floats do not
            distinguish: `join` these in ascending order.

        Examples
        --------
        >>> parts = [RangeSummary.leaf(0.7, pos=2, neg=1), RangeSummary.leaf(0.2, pos=0, neg=2)]
        >>> RangeSummary.join_all(parts)
        RangeSummary(2 positive, 3 negative, AUC 0.833)
        """
        found = list(summaries)
        for one in found:
            if not isinstance(one, RangeSummary):
                raise InputError(
                    found="{summaries} holds a {kind}",
                    needed="each must be a RangeSummary",
                    kind=type(one).__name__,
                )
        found = sorted(
            (one for one in found if one.n_pos + one.n_neg),
            key=lambda one: (one.lowest, one.highest),
        )
        for low, high in pairwise(found):
            if low.highest == high.lowest:
                raise _not_apart(low.highest, high.lowest)
        return reduce(cls.join, found, cls())

    @property
    def lowest(self) -> float:
        """Lowest score; infinity if there are no examples."""
        return self._native.lowest

    @property
    def highest(self) -> float:
        """Highest score; minus infinity if there are no examples."""
        return self._native.highest

    @property
    def n_pos(self) -> int:
        """Number of positive examples."""
        return self._native.counts.pos

    @property
    def n_neg(self) -> int:
        """Number of negative examples."""
        return self._native.counts.neg

    @property
    def weighted(self) -> bool:
        """Whether the examples carry weights."""
        return self._native.weighted

    @property
    def effective_pos(self) -> float:
        """Effective number of positives: (sum w)^2 / sum w^2, without weights `n_pos`."""
        return self._native.effective_pos

    @property
    def effective_neg(self) -> float:
        """Effective number of negatives: (sum v)^2 / sum v^2, without weights `n_neg`."""
        return self._native.effective_neg

    @property
    def tie_share(self) -> float:
        """Share of the variance under the null hypothesis of equal classes that ties remove.

        ``sum(t^3 - t) / (N^3 - N)``, with t the number of examples at each score and N that of all:
        1 minus it is the tie correction of the Mann-Whitney test. With weights, t is their sum at a
        score and q that of their squares, in both classes, and each cube has ``q^2 / t`` subtracted
        instead.
        """
        return self._native.tie_share

    @property
    def twice_wins(self) -> int:
        """2U: two for each pair whose positive scores higher, one for each tie. Exact."""
        return self._exact().twice_wins

    @property
    def pos_moment(self) -> int:
        """4A: over positives, the square of twice the negatives below, ties half. Exact."""
        return self._exact().pos_moment

    @property
    def neg_moment(self) -> int:
        """4B: over negatives, the square of twice the positives above, ties half. Exact."""
        return self._exact().neg_moment

    @property
    def auc(self) -> float:
        """Area under the ROC curve, ties count half; nan if a class is missing."""
        return self._native.auc

    @property
    def auc_variance(self) -> float:
        """DeLong's variance of the AUC; nan with fewer than two examples of a class."""
        return self._native.auc_variance

    @property
    def scored_auc(self) -> float:
        """Mean over pairs of max(positive score - negative score, 0)."""
        return self._finite(self._native.scored_auc, self.n_pos and self.n_neg)

    @property
    def scored_auc_variance(self) -> float:
        """DeLong's variance of the scored AUC; nan with fewer than two examples of a class."""
        return self._finite(
            self._native.scored_auc_variance, min(self.effective_pos, self.effective_neg) > 1
        )

    def _content(self) -> bytes:
        return summary_bytes(self._native)

    @classmethod
    def _restored(cls, content: bytes, *_: Any) -> RangeSummary:
        return cls._of(restored_summary(content))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RangeSummary):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        kind = ", weighted" if self.weighted else ""
        return (
            f"RangeSummary({self.n_pos:,} positive, {self.n_neg:,} negative{kind}, "
            f"AUC {self.auc:.3f})"
        )

    def _exact(self) -> _core.PairCounts:
        if self.weighted:
            raise InputError(
                found="This summary has weights",
                needed="exact pair counts exist only without weights",
                fix="Read .auc and .auc_variance.",
            )
        return self._native.counts

    def _finite(self, value: float, defined: object) -> float:
        if defined and not np.isfinite(value):
            raise InputError(
                found="Scores are infinite or too large",
                needed="the scored AUC needs finite scores with finite squares",
                fix="Clip or rescale them; the plain AUC accepts them as they are.",
            )
        return value


def _not_apart(end: float, start: float) -> InputError:
    return InputError(
        found="This range ends at {end} and {higher} begins at {start}",
        needed="joined ranges follow one another and share no score",
        fix="Join them from low to high, and split the data by score, not by row.",
        end=f"{end:g}",
        start=f"{start:g}",
    )
