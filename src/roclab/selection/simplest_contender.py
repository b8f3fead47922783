"""Refit rule for scikit-learn searches: the simplest candidate that may be the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from roclab.checks.options import check_between, shown
from roclab.errors import InputError
from roclab.formatting import listed
from roclab.inference.comparison.multiplicity import adjusted_pvalues

# Relative difference that rounding may cause between equal scores.
_ROUNDING = 1e-14

_Scores = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SimplestContender:
    """Refit the simplest candidate of a search that is not significantly worse than the best.

    For ``GridSearchCV(refit=SimplestContender("max_depth"))`` and similar searches. Contenders are
    the candidates that may be the best at the given level. The rule takes the simplest of them;
    among equally simple ones the one with the highest mean score, and among these the first.

    Parameters
    ----------
    complexity : str or callable
        Name of a parameter of the search, whose smallest value is simplest, or a function of a
        candidate's parameters (a dict) that is lowest for the simplest.
    measure : str, optional
        Metric, if the search has several.
    larger_is_simpler : bool, default False
        Whether the largest value of `complexity` is simplest instead.
    test_share : float, optional
        Proportion of the rows in the test set of each split. By default 1 / (number of splits), as
        in k-fold cross-validation. Pass it for repeated k-fold (1 / k) and for random splits: the
        results of a search do not contain it.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It is the probability that the contenders include the
        best candidate.

    Notes
    -----
    A candidate is a contender unless another is significantly better. Differences over the same
    splits are tested one-sidedly by the corrected resampled t-test: splits share training rows, so
    the variance of the mean difference of J splits is taken as
    ``(1 / J + test_share / (1 - test_share)) * variance`` with J - 1 degrees of freedom. Each
    variance is at least the median of those of the candidate's differences, since with few splits
    and scores on a grid some are small by chance. The p-values of a candidate against all others
    are combined by Simes' test, which corrects for their number, but not for copies of one
    candidate. O(candidates^2 (splits + log candidates)).

    With little data all candidates may be contenders, and the simplest may be far from the best: a
    lower `confidence_level` or more splits leave fewer contenders.

    Splits in which no candidate has a finite score are left out, then candidates without a finite
    score in any other split: their fit failed, or their score is infinite.

    References
    ----------
    C. Nadeau, Y. Bengio, Machine Learning 52 (2003) 239-281.
    R. J. Simes, Biometrika 73 (1986) 751-754.

    Examples
    --------
    >>> rule = SimplestContender("depth")
    >>> results = {
    ...     "params": [{"depth": 1}, {"depth": 2}, {"depth": 3}, {"depth": 4}],
    ...     "split0_test_score": [0.60, 0.80, 0.81, 0.80],
    ...     "split1_test_score": [0.62, 0.84, 0.83, 0.84],
    ...     "split2_test_score": [0.58, 0.79, 0.82, 0.79],
    ... }
    >>> rule.contenders(results)
    (1, 2, 3)
    >>> rule(results)
    1
    """

    complexity: str | Callable[[dict[str, Any]], Any]
    _: KW_ONLY
    measure: str | None = None
    larger_is_simpler: bool = False
    test_share: float | None = None
    confidence_level: float = 0.95

    def __post_init__(self) -> None:
        if not isinstance(self.complexity, str) and not callable(self.complexity):
            raise InputError(
                found="{complexity=}{value} is neither the name of a parameter nor a function of a "
                "candidate's parameters",
                fix="Pass one of them.",
                value=shown(self.complexity),
            )
        if self.test_share is not None:
            fix = "For 5-fold cross-validation pass {test_share=}0.2."
            check_between("test_share", self.test_share, 0, 1, fix=fix)
        fix = "For 95 % pass {confidence_level=}0.95."
        check_between("confidence_level", self.confidence_level, 0.5, 1, fix=fix, or_low=True)

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Row of ``cv_results_`` to refit."""
        contenders, scores = self._contenders(cv_results)
        params = list(cv_results["params"])
        keys = {row: self._key(params, row) for row in contenders}
        try:
            best = (max if self.larger_is_simpler else min)(keys.values())
        except TypeError as error:
            raise InputError(
                found="The complexities of the contenders have no order ({reason}): {values}",
                fix="Pass a function that returns numbers as {complexity}.",
                reason=error,
                values=listed(map(repr, keys.values())),
            ) from None
        simplest = [row for row in contenders if keys[row] == best]
        return max(simplest, key=lambda row: (scores[row].mean(), -row))

    def contenders(self, cv_results: Mapping[str, Any]) -> tuple[int, ...]:
        """Rows of ``cv_results_`` that may be the best, ascending.

        Parameters
        ----------
        cv_results : mapping
            ``cv_results_`` of a search.
        """
        return self._contenders(cv_results)[0]

    def _contenders(self, cv_results: Mapping[str, Any]) -> tuple[tuple[int, ...], _Scores]:
        scores = self._scores(cv_results)
        splits = scores.shape[1]
        scores = scores[:, np.isfinite(scores).any(axis=0)]
        rows = np.flatnonzero(np.isfinite(scores).all(axis=1))
        if scores.shape[1] == 0 or len(rows) == 0:
            raise InputError(
                found="None of the {count} candidates has a score in every split",
                fix="Run the search with error_score='raise' to see why.",
                count=f"{len(scores):,}",
            )
        if len(rows) == 1:
            return (int(rows[0]),), scores
        if scores.shape[1] == 1:
            raise InputError(
                found="The search has scores of only one split",
                needed="a test needs two or more",
                fix="Search with cross-validation, such as cv=5, or with refit=True.",
            )
        share = 1 / splits if self.test_share is None else self.test_share
        pvalues = _pvalues_of_being_best(scores[rows], share / (1 - share))
        kept = rows[pvalues >= 1 - self.confidence_level]
        return tuple(kept.tolist()), scores

    def _scores(self, cv_results: Mapping[str, Any]) -> _Scores:
        """Scores, an array of candidates by splits."""
        first = "split0_test_"
        metrics = [key.removeprefix(first) for key in cv_results if key.startswith(first)]
        measure = self.measure
        if measure is None and len(metrics) == 1:
            measure = metrics[0]
        if measure not in metrics:
            raise InputError(
                found="{measure=}{value} is not a metric of the search, which has {metrics}",
                fix="Choose one of them.",
                value=shown(self.measure),
                metrics=listed(metrics) or "no results",
            )
        columns: list[_Scores] = []
        while (key := f"split{len(columns)}_test_{measure}") in cv_results:
            columns.append(np.asarray(cv_results[key], np.float64))
        return np.stack(columns, axis=1)

    def _key(self, params: list[dict[str, Any]], row: int) -> Any:
        if not isinstance(self.complexity, str):
            key = self.complexity(params[row])
        elif self.complexity in params[row]:
            key = params[row][self.complexity]
        else:
            raise InputError(
                found="Candidate {row} has no parameter {parameter}; its parameters are {known}",
                fix="Pass one that all candidates have, or a function of the parameters, as "
                "{complexity}.",
                row=row,
                parameter=repr(self.complexity),
                known=listed(params[row]) or "none",
            )
        if key is None or key != key:
            raise InputError(
                found="The complexity of candidate {row} is {value}, which cannot be ordered",
                fix="Pass a function of the parameters that returns numbers as {complexity}.",
                row=row,
                value=shown(key),
            )
        return key


def _pvalues_of_being_best(scores: _Scores, overlap: float) -> npt.NDArray[np.float64]:
    """Simes' p-value of the null hypothesis that no other row is better, for each row.

    `overlap` is the number of test rows divided by that of training rows, the second term of the
    corrected variance.
    """
    count, splits = scores.shape
    pvalues = np.empty(count)
    rounding = _ROUNDING * np.abs(scores).max()
    for row in range(count):
        gains = np.delete(scores, row, axis=0) - scores[row]
        mean = gains.mean(axis=1)
        variance = gains.var(axis=1, ddof=1)
        variance = np.maximum(variance, np.median(variance))
        error = np.sqrt((1 / splits + overlap) * variance)
        with np.errstate(divide="ignore", invalid="ignore"):
            statistic = np.where(np.abs(mean) <= rounding, 0.0, mean / error)
        pvalues[row] = min(adjusted_pvalues(stdtr(splits - 1, -statistic).tolist(), "fdr"))
    return pvalues
