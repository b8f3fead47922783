"""The binormal ROC curve: that of two normal classes, fitted to the order of the scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from roclab.errors import InputError
from roclab.inference.bands.binormal_likelihood import degenerate_form, fit, grouped
from roclab.inference.intervals.interval import Interval
from roclab.numeric.distributions import critical_value
from roclab.numeric.sums import dot
from roclab.options import check_level
from roclab.ranking import Ranking, as_ranking
from roclab.ranking_arguments import lacks, warn_undefined
from roclab.validation import as_numbers

__all__ = ["BinormalFit", "binormal_fit"]

_REASONS = {
    "a class is missing": "a class has no examples",
    "too few categories": "the scores have fewer than three different values",
    "classes apart": "no positive and negative overlap, so any classes far enough apart fit",
    "horizontal curve": "the best curve would be a horizontal line, with b = 0",
    "vertical curve": "the best curve would be a vertical line, with b infinite",
    "not converged": "the likelihood did not come to rest",
}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BinormalFit:
    """A binormal ROC curve, TPR = Phi(a + b Phi^-1(FPR)).

    Attributes
    ----------
    a, b : float
        With negatives standard normal, positives have the mean a / b and the standard deviation
        1 / b. nan without a fit.
    a_error, b_error : float
        Their standard errors.
    covariance : float
        Of a and b.
    auc : Interval
        The area under the curve, Phi(a / sqrt(1 + b^2)), with its interval on the normal scale.
    log_likelihood : float
        Of the categories.
    status : str
        ``"fitted"``, or why there is no fit: ``"a class is missing"``, ``"too few categories"``,
        ``"classes apart"``, ``"horizontal curve"``, ``"vertical curve"``, ``"not converged"``.
    n_categories : int
        Ordered categories of scores that were fitted.
    n_pos, n_neg : int
        Positive and negative examples.
    """

    a: float
    b: float
    a_error: float
    b_error: float
    covariance: float
    auc: Interval
    log_likelihood: float
    status: str
    n_categories: int
    n_pos: int
    n_neg: int

    def tpr_at(self, fpr: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The curve at false positive rates."""
        return np.asarray(ndtr(self.a + self.b * ndtri(as_numbers(fpr, "fpr"))))

    def ends_at(
        self, fpr: npt.ArrayLike, z: float
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The curve at false positive rates, z standard errors of its deviate lower and higher."""
        x = np.asarray(ndtri(as_numbers(fpr, "fpr")))
        # At 0 and 1 every curve is at 0 and 1: there any finite error will do.
        inside = np.where(np.isfinite(x), x, 0)
        variance = self.a_error**2 + 2 * inside * self.covariance + (inside * self.b_error) ** 2
        margin = z * np.sqrt(np.maximum(variance, 0))
        middle = self.a + self.b * x
        return np.asarray(ndtr(middle - margin)), np.asarray(ndtr(middle + margin))

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return vars(self) | {"auc": self.auc.to_dict()}

    def __repr__(self) -> str:
        if self.status != "fitted":
            return f"BinormalFit(no fit: {self.status}, {self.n_pos}+ {self.n_neg}-)"
        auc = self.auc
        return (
            f"BinormalFit(a {self.a:.3f}, b {self.b:.3f}, AUC {auc.value:.3f} "
            f"[{auc.low:.2f}, {auc.high:.2f}], {self.n_pos}+ {self.n_neg}-)"
        )


def binormal_fit(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    pos_label: Any = None,
    confidence_level: float = 0.95,
    categories: int = 20,
) -> BinormalFit:
    """The binormal ROC curve of greatest likelihood, and the area under it.

    Parameters
    ----------
    y_true : array-like or Ranking
        Labels (see `Ranking`), or a ranking that holds labels and scores; without weights.
    y_score : array-like
        Scores, higher for more positive.
    pos_label : optional
        The value of `y_true` that is positive.
    confidence_level : float, default 0.95
        That of the interval for the area.
    categories : int, default 20
        Scores of more different values are grouped into so many ordered categories, with cuts
        spread evenly along the ROC curve.

    Returns
    -------
    BinormalFit
        Everything nan, with `UndefinedMeasureWarning` and the reason in `status`, where no curve
        fits best.

    Raises
    ------
    InputError
        The examples carry weights, of which the likelihood knows nothing.

    Notes
    -----
    Only the order of the scores counts: the two classes need be normal after some rising change of
    the scores, not as they are. The method is that of Dorfman and Alf for ordered categories; the
    cuts between these are fitted too. Standard errors come from the expected information.

    O(n log n), and O(categories^3) for each of few steps.

    References
    ----------
    D. D. Dorfman and E. Alf, Journal of Mathematical Psychology 6 (1969) 487-496.
    C. E. Metz, B. A. Herman, J.-H. Shen, Statistics in Medicine 17 (1998) 1033-1053.

    Examples
    --------
    >>> binormal_fit([0, 0, 1, 0, 1, 0, 1, 1], [1, 1, 1, 2, 2, 3, 3, 3])
    BinormalFit(a 0.674, b 1.000, AUC 0.683 [0.25, 0.95], 4+ 4-)
    """
    ranking = as_ranking(y_true, y_score, pos_label=pos_label)
    found = _fit(ranking, check_level(confidence_level), categories)
    if found.status != "fitted":
        warn_undefined(
            f"There is no binormal fit: {_REASONS[found.status]} ({found.n_pos:,} positive and "
            f"{found.n_neg:,} negative examples). Everything is nan; auc_interval and roc_band "
            "need no such fit."
        )
    return found


def _fit(ranking: Ranking, level: float, categories: Any) -> BinormalFit:
    if ranking.weighted:
        raise InputError(
            "A binormal fit has no weighted form: its likelihood counts examples. Leave "
            "sample_weight out, or repeat the rows."
        )
    if not isinstance(categories, Integral) or isinstance(categories, bool) or categories < 3:
        raise InputError(f"categories={categories!r} is not a whole number from 3 on.")
    if lacks(ranking):
        return _without_fit("a class is missing", ranking, level, 0)
    pos, neg = grouped(ranking.pos, ranking.neg, int(categories))
    reason = degenerate_form(pos, neg)
    if reason is not None:
        return _without_fit(reason, ranking, level, len(pos))
    found = fit(pos, neg)
    if not found.converged:
        return _without_fit("not converged", ranking, level, len(pos))
    a, b = found.a, found.b
    root = math.hypot(1, b)
    deviate = a / root
    gradient = np.array([1 / root, -a * b / root**3])
    error = math.sqrt(dot(gradient, (found.covariance * gradient).sum(axis=1)))
    margin = critical_value(level, "two-sided") * error
    density = math.exp(-(deviate**2) / 2) / math.sqrt(2 * math.pi)
    ends = tuple(float(ndtr(deviate + side * margin)) for side in (-1, 1))
    auc = _area(ranking, level, float(ndtr(deviate)), ends, error * density)
    return BinormalFit(
        a=a,
        b=b,
        a_error=math.sqrt(found.covariance[0, 0]),
        b_error=math.sqrt(found.covariance[1, 1]),
        covariance=float(found.covariance[0, 1]),
        auc=auc,
        log_likelihood=found.log_likelihood,
        status="fitted",
        n_categories=len(pos),
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
    )


def _area(
    ranking: Ranking, level: float, value: float, ends: tuple[float, ...], error: float
) -> Interval:
    return Interval(
        measure="auc",
        value=value,
        low=ends[0],
        high=ends[1],
        standard_error=error,
        confidence_level=level,
        method="binormal",
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
    )


def _without_fit(status: str, ranking: Ranking, level: float, categories: int) -> BinormalFit:
    nan = math.nan
    return BinormalFit(
        a=nan,
        b=nan,
        a_error=nan,
        b_error=nan,
        covariance=nan,
        auc=_area(ranking, level, nan, (nan, nan), nan),
        log_likelihood=nan,
        status=status,
        n_categories=categories,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
    )
