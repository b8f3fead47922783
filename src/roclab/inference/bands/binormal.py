"""Maximum-likelihood fit of the binormal ROC curve to the order of the scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, ndtr, ndtri

from roclab.checks.labels_and_scores import as_numbers
from roclab.checks.options import check_count, check_level
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import is_undefined
from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.formatting import with_interval
from roclab.inference.bands.binormal_likelihood import degenerate_form, fit, grouped
from roclab.inference.intervals.interval import Interval
from roclab.numeric.distributions import critical_value
from roclab.numeric.sums import dot
from roclab.result import Result

_REASONS = {
    "a class is missing": "a class has no examples",
    "too few categories": "the scores have fewer than three distinct values",
    "classes apart": "the scores separate the classes, so the likelihood has no maximum",
    "horizontal curve": "the best curve would be a horizontal line, with b = 0",
    "vertical curve": "the best curve would be a vertical line, with b infinite",
    "not converged": "the iterations did not converge",
}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BinormalFit(Result):
    """A binormal ROC curve, TPR = Phi(a + b Phi^-1(FPR)).

    Attributes
    ----------
    a, b : float
        Parameters of the curve: if negatives are standard normal, positives have mean a / b and
        standard deviation 1 / b. nan without a fit.
    a_error, b_error : float
        Standard errors of a and b.
    covariance : float
        Covariance of a and b.
    auc : Interval
        Area under the curve, Phi(a / sqrt(1 + b^2)), with its interval on the normal scale.
    log_likelihood : float
        Log-likelihood of the categories.
    fit_statistic, fit_pvalue : float
        Pearson's chi-square test of the fit, with `fit_df` degrees of freedom: a small p-value says
        that the classes are not binormal. nan for three categories, which always fit.
    fit_df : int
        Number of categories minus 3.
    status : str
        ``"fitted"``, or why there is no fit: ``"a class is missing"``, ``"too few categories"``,
        ``"classes apart"``, ``"horizontal curve"``, ``"vertical curve"``, ``"not converged"``.
    n_categories : int
        Number of ordered score categories.
    n_pos, n_neg : int
        Number of positive and negative examples.
    """

    a: float
    b: float
    a_error: float
    b_error: float
    covariance: float
    auc: Interval
    log_likelihood: float
    fit_statistic: float
    fit_pvalue: float
    fit_df: int
    status: str
    n_categories: int
    n_pos: int
    n_neg: int

    def tpr_at(self, fpr: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """True positive rates of the fitted curve at given false positive rates.

        Parameters
        ----------
        fpr : array-like
            False positive rates, between 0 and 1.
        """
        return np.asarray(ndtr(self.a + self.b * ndtri(as_numbers(fpr, "fpr"))))

    def ends_at(
        self, fpr: npt.ArrayLike, z: float
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The curve minus and plus z standard errors of its normal deviate.

        Parameters
        ----------
        fpr : array-like
            False positive rates, between 0 and 1.
        z : float
            Number of standard errors.
        """
        x = np.asarray(ndtri(as_numbers(fpr, "fpr")))
        # At FPR 0 and 1 the TPR is 0 and 1, with any finite error.
        inside = np.where(np.isfinite(x), x, 0)
        variance = self.a_error**2 + 2 * inside * self.covariance + (inside * self.b_error) ** 2
        margin = z * np.sqrt(np.maximum(variance, 0))
        middle = self.a + self.b * x
        return np.asarray(ndtr(middle - margin)), np.asarray(ndtr(middle + margin))

    def __repr__(self) -> str:
        if self.status != "fitted":
            return f"BinormalFit(no fit: {self.status}, {self.n_pos}+ {self.n_neg}-)"
        auc = self.auc
        return (
            f"BinormalFit(a {self.a:.3f}, b {self.b:.3f}, AUC "
            f"{with_interval(auc.value, auc.low, auc.high)}, {self.n_pos}+ {self.n_neg}-)"
        )


def binormal_fit(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    categories: int = 20,
    confidence_level: float = 0.95,
    pos_label: Any = None,
) -> BinormalFit:
    """Fit the binormal ROC curve by maximum likelihood.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking. It must have no weights.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    categories : int, default 20
        Largest number of ordered score categories. More distinct scores are grouped, with cuts
        spread evenly along the ROC curve.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It is that of the interval of the area.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    BinormalFit
        If the likelihood has no maximum, all values are nan, with an `UndefinedMeasureWarning` and
        the reason in `status`.

    Raises
    ------
    InputError
        The examples have weights, which the likelihood does not support.

    Notes
    -----
    Only the order of the scores matters: the classes need to be normal after some increasing
    transformation of the scores. The method is that of Dorfman and Alf for ordered categories,
    which also fits the cuts between them. Standard errors come from the expected information. The
    test of the fit counts categories of both classes, whose probabilities sum to 1 and depend on
    two parameters and the cuts; it has little power below some hundreds of examples.

    O(n log n), and O(categories^3) for each of few iterations.

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
        UndefinedMeasureWarning(
            found=f"There is no binormal fit: {_REASONS[found.status]} "
            "({n_pos} positive and {n_neg} negative examples)",
            fix="All values are nan. auc_interval and roc_band need no binormal fit.",
            n_pos=f"{found.n_pos:,}",
            n_neg=f"{found.n_neg:,}",
        ).issue()
    return found


def _fit(ranking: Ranking, level: float, categories: Any) -> BinormalFit:
    if ranking.weighted:
        raise InputError(
            found="A binormal fit counts examples and does not support {sample_weight}",
            fix="Leave out {sample_weight}, or repeat the rows.",
        )
    most = check_count("categories", categories, 3, fix="The default is 20.")
    if is_undefined(ranking):
        return _without_fit("a class is missing", ranking, level, 0)
    pos, neg = grouped(ranking.pos, ranking.neg, most)
    reason = degenerate_form(pos, neg)
    if reason is not None:
        return _without_fit(reason, ranking, level, len(pos))
    found = fit(pos, neg)
    if not found.converged:
        return _without_fit("not converged", ranking, level, len(pos))
    a, b, df = found.a, found.b, len(pos) - 3
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
        fit_statistic=found.chi_square if df else math.nan,
        fit_pvalue=float(chdtrc(df, found.chi_square)) if df else math.nan,
        fit_df=df,
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
        fit_statistic=nan,
        fit_pvalue=nan,
        fit_df=0,
        status=status,
        n_categories=categories,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
    )
