"""Which candidate of a scikit-learn search to refit: the simplest that may be the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from roclab.errors import InputError
from roclab.formatting import listed
from roclab.inference.comparison.multiplicity import adjusted_pvalues

__all__ = ["SimplestContender"]

# Scores that are equal in exact arithmetic may differ by so much of their size.
_ROUNDING = 1e-14

_Scores = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SimplestContender:
    """Refit the simplest candidate of a search that cannot be told from the best.

    For ``GridSearchCV(refit=SimplestContender("max_depth"))`` and its like. Of all candidates that
    may be the best at the stated level, the contenders, it takes the simplest; of equally simple
    ones that with the highest mean score, and of these the first.

    Parameters
    ----------
    complexity : str or callable
        The name of a parameter of the search, whose smallest value is simplest, or a function of a
        candidate's parameters (a dict) that is lowest for the simplest.
    by : str, optional
        The metric, where the search has several.
    larger_is_simpler : bool, default False
        Whether the largest value of `complexity` is simplest instead.
    test_share : float, optional
        The share of the rows that each split tests on. By default 1 / (number of splits), which
        is that of k-fold cross-validation. State it for repeated k-fold (1 / k) and for random
        splits: results of a search do not tell.
    confidence_level : float, default 0.95
        At least so often is the best candidate among the contenders.

    Notes
    -----
    A candidate is a contender unless some other is better beyond chance. Differences over the same
    splits are tested one-sidedly by the corrected resampled t-test: splits share training rows, so
    the variance of the mean difference of J splits is taken as
    ``(1 / J + test_share / (1 - test_share)) * variance`` with J - 1 degrees of freedom. No
    variance is taken to be below the median of those of the candidate's differences, since few
    splits and scores on a grid make some of them small by chance. The p-values of a candidate
    against all others are combined by Simes' test, which pays for their number, but not for copies
    of one candidate. O(candidates^2 (splits + log candidates)).

    With little data everything may be the best, and the simplest candidate may be far from it: a
    lower `confidence_level` or more splits leave fewer contenders.

    Splits in which no candidate has a finite score are left out, then candidates that lack one in
    any other: their fit failed, or they were scored infinitely bad.

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
    by: str | None = None
    larger_is_simpler: bool = False
    test_share: float | None = None
    confidence_level: float = 0.95

    def __post_init__(self) -> None:
        if not isinstance(self.complexity, str) and not callable(self.complexity):
            raise InputError(
                f"complexity={self.complexity!r} is neither the name of a parameter nor a function "
                "of a candidate's parameters. Pass one of them."
            )
        if self.test_share is not None and not 0 < self.test_share < 1:
            raise InputError(
                f"test_share={self.test_share!r} is not between 0 and 1. "
                "For 5-fold cross-validation pass test_share=0.2."
            )
        if not 0.5 <= self.confidence_level < 1:
            raise InputError(
                f"confidence_level={self.confidence_level!r} is not from 0.5 to below 1. "
                "For 95 % pass confidence_level=0.95."
            )

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """The row of ``cv_results_`` to refit."""
        contenders, scores = self._contenders(cv_results)
        params = list(cv_results["params"])
        keys = {row: self._key(params, row) for row in contenders}
        try:
            best = (max if self.larger_is_simpler else min)(keys.values())
        except TypeError as error:
            raise InputError(
                f"The complexities of the contenders have no order ({error}): "
                f"{listed(map(repr, keys.values()))}. Pass a function that returns numbers."
            ) from None
        simplest = [row for row in contenders if keys[row] == best]
        return max(simplest, key=lambda row: (scores[row].mean(), -row))

    def contenders(self, cv_results: Mapping[str, Any]) -> tuple[int, ...]:
        """The rows of ``cv_results_`` that cannot be told from the best, ascending."""
        return self._contenders(cv_results)[0]

    def _contenders(self, cv_results: Mapping[str, Any]) -> tuple[tuple[int, ...], _Scores]:
        scores = self._scores(cv_results)
        splits = scores.shape[1]
        scores = scores[:, np.isfinite(scores).any(axis=0)]
        rows = np.flatnonzero(np.isfinite(scores).all(axis=1))
        if scores.shape[1] == 0 or len(rows) == 0:
            raise InputError(
                f"None of the {len(scores):,} candidates has a score in every split. Run the "
                "search with error_score='raise' to see why."
            )
        if len(rows) == 1:
            return (int(rows[0]),), scores
        if scores.shape[1] == 1:
            raise InputError(
                "The search has scores of one split only; what chance may do is seen from two on. "
                "Search with cross-validation, such as cv=5, or with refit=True."
            )
        share = 1 / splits if self.test_share is None else self.test_share
        pvalues = _pvalues_of_being_best(scores[rows], share / (1 - share))
        kept = rows[pvalues >= 1 - self.confidence_level]
        return tuple(kept.tolist()), scores

    def _scores(self, cv_results: Mapping[str, Any]) -> _Scores:
        """Scores with a row for each candidate and a column for each split."""
        first = "split0_test_"
        metrics = [key.removeprefix(first) for key in cv_results if key.startswith(first)]
        by = metrics[0] if self.by is None and len(metrics) == 1 else self.by
        if by not in metrics:
            raise InputError(
                f"by={self.by!r} does not name a metric of the search, which has "
                f"{listed(metrics) or 'no results'}. Name one of them."
            )
        columns: list[_Scores] = []
        while (key := f"split{len(columns)}_test_{by}") in cv_results:
            columns.append(np.asarray(cv_results[key], np.float64))
        return np.stack(columns, axis=1)

    def _key(self, params: list[dict[str, Any]], row: int) -> Any:
        if not isinstance(self.complexity, str):
            key = self.complexity(params[row])
        elif self.complexity in params[row]:
            key = params[row][self.complexity]
        else:
            raise InputError(
                f"Candidate {row} has no parameter {self.complexity!r}; its parameters are "
                f"{listed(params[row]) or 'none'}. Name one that all candidates have, or pass a "
                "function of the parameters."
            )
        if key is None or key != key:
            raise InputError(
                f"The complexity of candidate {row} is {key!r}, which has no place in an order. "
                "Pass a function of the parameters that gives it one."
            )
        return key


def _pvalues_of_being_best(scores: _Scores, overlap: float) -> npt.NDArray[np.float64]:
    """For each row, Simes' p-value of the hypothesis that no other row is better.

    `overlap` is test rows over training rows, the second term of the corrected variance.
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
