"""An estimate of the AUC without labels, from calibrated probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.labels_and_scores import as_labels, as_scores, check_same_length, nan_scores
from roclab.checks.vectors import split_missing
from roclab.data.ranking import Ranking
from roclab.errors import InputError
from roclab.inference.intervals.auc import unwarned_interval
from roclab.inference.intervals.interval import Interval
from roclab.numeric.distributions import normal_cdf
from roclab.numeric.sums import dot, running_sum
from roclab.result import Record, Result

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class CalibrationCheck(Record):
    """The expected AUC of rows with labels beside their AUC.

    Attributes
    ----------
    expected : float
        Expected AUC of these rows, from their probabilities alone. Its difference from the
        observed one is an estimate of the error on similar rows without labels.
    observed : Interval
        Their AUC, with its interval.
    pvalue : float
        Spiegelhalter's test of calibration: small if the probabilities are not calibrated.
    """

    expected: float
    observed: Interval
    pvalue: float


@dataclass(frozen=True, kw_only=True, repr=False)
class ExpectedAUC(Result):
    """AUC that calibrated probabilities imply, the result of `expected_auc`.

    Attributes
    ----------
    value : float
        The expected AUC.
    expected_positives : float
        Sum of the probabilities.
    n : int
        Number of rows.
    check : CalibrationCheck or None
        The same estimate on rows with labels, to compare with their AUC; None without such rows.
    assumption : str
        What the estimate rests on.
    """

    value: float
    expected_positives: float
    n: int
    check: CalibrationCheck | None = None
    assumption: str = "the probabilities are calibrated"

    def __repr__(self) -> str:
        checked = ""
        if self.check is not None:
            checked = (
                f"; on {self.check.observed.n_pos + self.check.observed.n_neg:,} labelled rows "
                f"{self.check.expected:.3f}, observed {self.check.observed.value:.3f}"
            )
        return (
            f"expected AUC {self.value:.3f} of {self.n:,} rows without labels, if "
            f"{self.assumption}{checked}"
        )


def expected_auc(
    y_proba: npt.ArrayLike,
    y_score: npt.ArrayLike | None = None,
    *,
    y_true: npt.ArrayLike | None = None,
    check: Ranking | None = None,
    pos_label: Any = None,
) -> ExpectedAUC:
    """Estimate the AUC of rows without labels from their calibrated probabilities.

    Parameters
    ----------
    y_proba : array-like
        Calibrated probability of the positive class.
    y_score : array-like, optional
        Scores whose ranking is judged. By default the probabilities.
    y_true : array-like, optional
        Target labels of these rows if some are known. None, NaN and the missing values of pandas,
        polars and NumPy's masked arrays are missing labels. Rows with a label are left out of the
        estimate and check it.
    check : Ranking, optional
        Other rows with labels, ranked by the probabilities of the same model, as recent as
        possible, instead of `y_true`. The result then says what the method would have estimated
        there, what was observed, and tests the calibration.
    pos_label : object, optional
        Positive class label.

    Returns
    -------
    ExpectedAUC
        nan if the probabilities are all 0 or all 1.

    Raises
    ------
    InputError
        A probability is not between 0 and 1; no label is missing; `y_true` and `check` are both
        passed.

    Notes
    -----
    Each row counts as positive with weight p and as negative with weight 1 - p, and a row is not
    compared with itself: with independent labels of these probabilities, the expected number of
    pairs ranked correctly divided by the expected number of pairs. O(n log n).

    The estimate rests on the probabilities alone. With a calibration slope of 0.8, which is usual
    for an overfitted model, it is about 0.04 too high, and with 1.25 as much too low: check it with
    labels. If the relation between features and labels changes, calibration is lost, and this
    number does not notice: it cannot detect concept drift. Only labels can.

    References
    ----------
    D. J. Spiegelhalter, Probabilistic prediction in patient management and clinical trials,
    Statistics in Medicine 5 (1986) 421-433, for the test of calibration.

    Examples
    --------
    >>> expected_auc([0.1, 0.2, 0.7, 0.9])
    expected AUC 0.922 of 4 rows without labels, if the probabilities are calibrated
    >>> y_true = [None, None, None, None, 0, 1, 0, 1]
    >>> expected_auc([0.1, 0.2, 0.7, 0.9, 0.2, 0.4, 0.4, 0.8], y_true=y_true).check.expected
    0.7848101265822784
    """
    proba = _probabilities(y_proba)
    scores = proba if y_score is None else as_scores(y_score)
    check_same_length(len(proba), len(scores), "y_score", first="y_proba")
    checked = None if check is None else _checked(*_labelled(check))
    if y_true is not None:
        if check is not None:
            raise InputError(
                found="{y_true} and {check} were both passed",
                fix="Leave out one of them.",
            )
        known, missing = split_missing(y_true, "y_true")
        check_same_length(len(proba), len(missing), "y_true", first="y_proba")
        if not missing.any():
            raise InputError(
                found="{y_true} has no missing label",
                needed="the expected AUC is that of rows without labels",
                fix="Use auc, or pass these rows as {check}.",
            )
        if not missing.all():
            labels = as_labels(known, pos_label)
            checked = _checked(labels, proba[~missing], scores[~missing])
        proba, scores = proba[missing], scores[missing]
    return ExpectedAUC(
        value=_expected(proba, scores),
        expected_positives=float(np.sum(proba)),
        n=len(proba),
        check=checked,
    )


def _probabilities(y_proba: npt.ArrayLike) -> Floats:
    proba = as_scores(y_proba, "y_proba").astype(np.float64)
    outside = ~((proba >= 0) & (proba <= 1))
    if outside.any():
        row = int(np.argmax(outside))
        raise InputError(
            found="{y_proba} is {value} in row {row}",
            needed="probabilities are between 0 and 1",
            fix="Calibrate the scores first, and pass them as {y_score}.",
            value=f"{proba[row]:g}",
            row=row,
        )
    return proba


def _expected(proba: Floats, scores: npt.NDArray[Any]) -> float:
    if len(proba) == 0:
        return math.nan
    try:
        order = _core.order_rows(scores, _core.thread_count())
    except _core.NanScore:
        raise nan_scores(scores) from None
    proba, scores = proba[order], scores[order]
    starts = np.append(np.flatnonzero(np.append(True, scores[1:] != scores[:-1])), len(proba))
    below = running_sum(1 - proba)[starts]
    positive = np.diff(running_sum(proba)[starts])
    alone = dot(proba, 1 - proba)  # a row compared with itself
    pairs = float(np.sum(proba)) * float(np.sum(1 - proba)) - alone
    wins = dot(positive, below[:-1] + below[1:]) / 2 - alone / 2
    return min(max(wins / pairs, 0.0), 1.0) if pairs > 0 else math.nan


def _labelled(check: Ranking) -> tuple[npt.NDArray[np.uint8], Floats, Floats]:
    """Labels, probabilities and scores of the rows to check with."""
    if not isinstance(check, Ranking) or check.weighted or not check.has_rows:
        raise InputError(
            found="{check} is not a Ranking of unweighted rows",
            needed="labels and probabilities of single rows are needed",
            fix="Pass {check=}Ranking(y_true, y_proba).",
        )
    rows = check.rows()
    proba = _probabilities(rows.scores)
    return rows.labels, proba, proba


def _checked(
    labels: npt.NDArray[np.uint8], proba: Floats, scores: npt.NDArray[Any]
) -> CalibrationCheck:
    spread = 1 - 2 * proba
    variance = dot(spread * spread, proba * (1 - proba))
    pvalue = math.nan
    if variance > 0:
        statistic = dot(labels - proba, spread) / math.sqrt(variance)
        pvalue = 2 * normal_cdf(-abs(statistic))
    return CalibrationCheck(
        expected=_expected(proba, scores),
        observed=unwarned_interval(Ranking(labels, scores)),
        pvalue=pvalue,
    )
