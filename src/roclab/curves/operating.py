"""Operating points: every threshold with its counts and rates, and the choice of one."""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_choice, exact_number, shown
from roclab.curves.columns import counts_above, threshold_range, thresholds_of
from roclab.curves.rates import RATES, SLACK, Rates, best_place, check_prevalence
from roclab.data.ranked_rows import frozen
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import warn_if_undefined
from roclab.errors import InputError, Parameter
from roclab.formatting import threshold_text
from roclab.result import ReadOnlyArrays, Result

Criterion = Literal["youden", "closest"]


@dataclass(frozen=True, kw_only=True, repr=False)
class OperatingPoint(Result, Rates[float]):
    """One threshold: examples that score at or above it are called positive.

    Attributes
    ----------
    threshold : float
        The threshold.
    score_below : float or None
        The highest score below it, -inf if there is none: thresholds between have the same counts.
        None if unknown.
    tp, fp, tn, fn : int or float
        True and false positives, true and false negatives; with weights, sums of weights.
    prevalence : float or None
        Share of positives that `ppv`, `npv`, `accuracy`, `f1` and `matthews` assume; None for that
        of the data.
    """

    threshold: float
    score_below: float | None = None
    tp: float
    fp: float
    tn: float
    fn: float
    prevalence: float | None = None

    def to_dict(self) -> dict[str, float]:
        """Threshold, the score below it, counts and all rates."""
        return {name: getattr(self, name) for name in _COLUMNS}

    def __repr__(self) -> str:
        return (
            f"OperatingPoint(threshold {threshold_text(self.threshold, self.score_below)}: "
            f"sensitivity {self.sensitivity:.3f}, specificity {self.specificity:.3f}, "
            f"{self.tp:g} tp, {self.fp:g} fp, {self.tn:g} tn, {self.fn:g} fn)"
        )


_COUNTS = ("tp", "fp", "tn", "fn")
_COLUMNS = ("threshold", "score_below", *_COUNTS, *RATES)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class OperatingPoints(Result, ReadOnlyArrays, Rates[npt.NDArray[Any]]):
    """All operating points of a ranking, as columns, from strict to lenient.

    Attributes
    ----------
    threshold : ndarray of float
        Decreasing; the first is infinite, so nothing is called positive.
    tp, fp, tn, fn : ndarray
        True and false positives, true and false negatives; with weights, sums of weights.
    prevalence : float or None
        Share of positives that `ppv`, `npv`, `accuracy`, `f1` and `matthews` assume; None for that
        of the data.
    """

    threshold: npt.NDArray[Any]
    tp: npt.NDArray[Any]
    fp: npt.NDArray[Any]
    tn: npt.NDArray[Any]
    fn: npt.NDArray[Any]
    prevalence: float | None = None

    def best(
        self,
        *,
        criterion: Criterion = "youden",
        fpr_range: tuple[float, float] | None = None,
        tpr_range: tuple[float, float] | None = None,
        threshold_range: tuple[float, float] | None = None,
    ) -> OperatingPoint:
        """The best operating point; among equally good ones, the strictest that is not dominated.

        Parameters
        ----------
        criterion : {"youden", "closest"}, default "youden"
            ``"youden"`` maximizes sensitivity + specificity; ``"closest"`` is nearest to the corner
            (0, 1) of the ROC square. For costs and limits use `choose_threshold`.
        fpr_range, tpr_range, threshold_range : tuple of float, optional
            Only points within these ranges, ends included, such as ``fpr_range=(0, 0.1)``.

        Notes
        -----
        Values that differ by less than 1e-12 are equally good, otherwise rounding would decide. The
        rates of a point that was chosen on the same data are optimistic.
        """
        check_choice("criterion", criterion, Criterion)
        loss = -self.youden if criterion == "youden" else self.fpr**2 + self.fnr**2
        self._check_classes(f"best(criterion={criterion!r})")
        ranges = {"fpr": fpr_range, "tpr": tpr_range, "threshold": threshold_range}
        rows = np.flatnonzero(self._within(ranges))
        return self[int(rows[best_place(loss[rows], self.fpr[rows], self.tpr[rows])])]

    def local_maxima(self) -> tuple[OperatingPoint, ...]:
        """The points that no other point dominates, from strict to lenient.

        A point dominates another one if its sensitivity or its specificity is higher, and the other
        rate not lower. The points that are best for some costs are among them.
        """
        self._check_classes("local_maxima()")
        rises, moves = np.diff(self.tp) > 0, np.diff(self.fp) > 0
        return tuple(
            self[int(row)] for row in np.flatnonzero(np.r_[True, rises] & np.r_[moves, True])
        )

    def at(
        self,
        *,
        sensitivity: float | None = None,
        specificity: float | None = None,
        threshold: float | None = None,
    ) -> OperatingPoint:
        """The operating point at a threshold, or the one that reaches a rate; pass one of them.

        Parameters
        ----------
        sensitivity : float, optional
            The strictest threshold whose sensitivity is at least this: the most specific one.
        specificity : float, optional
            The most lenient threshold whose specificity is at least this: the most sensitive one.
        threshold : float, optional
            Any number: those with ``score >= threshold`` are called positive.

        Notes
        -----
        A rate is reached if it falls short by no more than 1e-12.
        """
        given = {"sensitivity": sensitivity, "specificity": specificity, "threshold": threshold}
        named = {name: value for name, value in given.items() if value is not None}
        if len(named) != 1:
            raise InputError(
                found="at() got {passed}",
                needed="exactly one of {sensitivity}, {specificity} and {threshold} is needed",
                passed=" and ".join(named) or "nothing",
            )
        [(name, value)] = named.items()
        if name == "threshold":
            cut = exact_number(value)
            if cut != cut:
                raise InputError(
                    found="{threshold=}{value} is not a number",
                    needed="a number is needed",
                    value=shown(value),
                )
            # Among the decreasing thresholds after the first.
            row = int(np.searchsorted(-self.threshold[1:], -cut, side="right"))
            return replace(self[row], threshold=cut)
        if not 0 <= value <= 1:
            raise InputError(
                found="{name=}{value} is out of range",
                needed="a rate between 0 and 1 is needed",
                name=Parameter(name),
                value=shown(value),
            )
        self._check_classes(f"at({name}=...)")
        reached = getattr(self, name) >= value - SLACK
        if name == "sensitivity":
            return self[int(np.argmax(reached))]
        return self[len(self) - 1 - int(np.argmax(reached[::-1]))]

    def to_dict(self) -> dict[str, list[float]]:
        """Columns as lists: threshold, the score below it, counts and all rates."""
        return {name: getattr(self, name).tolist() for name in _COLUMNS}

    def __getitem__(self, row: int) -> OperatingPoint:
        """One row."""
        number = range(len(self))[operator.index(row)]
        return OperatingPoint(
            threshold=self.threshold.item(number),
            score_below=[*self.threshold[number + 1 : number + 2].tolist(), -np.inf][0],
            **{name: getattr(self, name)[number].item() for name in _COUNTS},
            prevalence=self.prevalence,
        )

    @property
    def score_below(self) -> npt.NDArray[Any]:
        """The highest score below each threshold, -inf if there is none."""
        return frozen(np.append(self.threshold[1:], -np.inf))

    def __len__(self) -> int:
        return len(self.threshold)

    def __repr__(self) -> str:
        return f"OperatingPoints({len(self):,} thresholds, {threshold_range(self.threshold)})"

    def _within(self, ranges: dict[str, tuple[float, float] | None]) -> npt.NDArray[np.bool_]:
        """Which points are within all ranges."""
        inside = np.ones(len(self), np.bool_)
        for name, ends in ranges.items():
            if ends is None:
                continue
            low, high = (exact_number(end) for end in _two(ends, f"{name}_range"))
            slack = 0.0 if name == "threshold" else SLACK
            column = getattr(self, name)
            inside &= (column >= low - slack) & (column <= high + slack)
        if not inside.any():
            raise InputError(
                found="No threshold is within {given}",
                fix="Widen the range.",
                given=" and ".join(
                    f"{name}_range={shown(one)}" for name, one in ranges.items() if one
                ),
            )
        return inside

    def _check_classes(self, what: str) -> None:
        if not (self.tp[-1] and self.fp[-1]):
            raise InputError(
                found="There are {pos} positive and {neg} negative examples",
                needed="{what} needs both classes",
                fix="Choose a threshold: at(threshold=...).",
                what=what,
                pos=f"{self.tp[-1]:g}",
                neg=f"{self.fp[-1]:g}",
            )


def _two(ends: Any, name: str) -> tuple[Any, Any]:
    if not (isinstance(ends, tuple | list) and len(ends) == 2):
        raise InputError(
            found="{name=}{value} is not a range",
            needed="two numbers are needed, the lower first",
            fix="Pass for example {name=}(0, 0.1).",
            name=Parameter(name),
            value=shown(ends),
        )
    return ends[0], ends[1]


def operating_points(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    prevalence: float | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> OperatingPoints:
    """Counts and rates at every threshold.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    prevalence : float, optional
        Share of positives where the threshold will be used, between 0 and 1, for the rates that
        depend on it: PPV, NPV, accuracy, F1 and Matthews correlation. By default that of the data.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    OperatingPoints
        A row for the infinite threshold, where nothing is called positive, and for each distinct
        score. If a class is missing, its rates are nan, with `UndefinedMeasureWarning`.

    Notes
    -----
    O(n log n). Rates are computed on first use. Thresholds are float64; those of integer scores
    beyond 2**53 are Python integers, in an array of objects.

    References
    ----------
    W. J. Youden, Index for rating diagnostic tests, Cancer 3 (1950) 32-35.

    Examples
    --------
    >>> points = operating_points([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> points.threshold, points.sensitivity
    (array([inf, 0.8, 0.4, 0.1]), array([0. , 0.5, 1. , 1. ]))
    >>> points.best()
    OperatingPoint(threshold 0.8: sensitivity 0.500, specificity 1.000, 1 tp, 0 fp, 2 tn, 1 fn)
    >>> points.at(sensitivity=0.9)
    OperatingPoint(threshold 0.4: sensitivity 1.000, specificity 0.500, 2 tp, 1 fp, 1 tn, 0 fn)
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    assumed = None if prevalence is None else check_prevalence(prevalence)
    warn_if_undefined("A table of operating points", ranking)
    return unwarned_operating_points(ranking, assumed)


def unwarned_operating_points(ranking: Ranking, prevalence: float | None = None) -> OperatingPoints:
    """Counts and rates at every threshold, of one class too; the prevalence is checked."""
    return OperatingPoints(
        prevalence=prevalence,
        threshold=thresholds_of(ranking),
        tp=counts_above(ranking.pos),
        fp=counts_above(ranking.neg),
        # Summed from below, not subtracted from the total: small weights must not vanish.
        tn=np.concatenate((np.cumsum(ranking.neg)[::-1], [0])),
        fn=np.concatenate((np.cumsum(ranking.pos)[::-1], [0])),
    )
