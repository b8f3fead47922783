"""Cohorts: when they are mature, and what is read off them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.data.ranking import Ranking
from roclab.decisions.stability import population_stability_index
from roclab.inference.intervals.auc import unwarned_interval
from roclab.inference.label_free import expected_auc
from roclab.inference.missing_labels import auc_bounds
from roclab.monitor.settings import ModelSettings
from roclab.monitor.store.records import Rows

Floats = npt.NDArray[np.float64]

FEWEST = 10  # labelled rows of a class; with fewer there is no AUC to show
_BINS = 20  # of scores, for the share of labels
_FEWEST_DELAYS = 50
_BOUNDS_COVERAGE = 0.95  # below, bounds over missing labels are too wide to help
_QUANTILE = 0.95
_MOST_DELAYS = 20_000


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What is known of a cohort of a stream.

    Attributes
    ----------
    n, n_labelled, n_pos, n_neg : int
        Number of predictions, of labels, of positives and of negatives.
    auc, low, high : float or None
        AUC of the labelled rows with its 95 % interval; None with fewer than ten of a class.
    standard_error : float or None
        Standard error of the AUC.
    provisional : float or None
        AUC with weights for the share of labels at each score; None if all labels are known.
    bound_low, bound_high : float or None
        Bounds of the AUC over all values of the missing labels, at high coverage.
    positive_rate, mean_score : float or None
        Share of positives among labels, and mean score of all rows.
    psi, psi_pvalue, psi_critical : float or None
        Population stability index against the reference, its p-value, and the index that 95 % of
        stable samples do not exceed.
    expected_auc : float or None
        AUC that the scores imply, if they are probabilities.
    expected_positives : float or None
        Sum of the scores of labelled rows, if they are probabilities.
    source : {"rows", "summary"}
        Whether it was computed here or sent.
    """

    n: int
    n_labelled: int
    n_pos: int
    n_neg: int
    auc: float | None = None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    provisional: float | None = None
    bound_low: float | None = None
    bound_high: float | None = None
    positive_rate: float | None = None
    mean_score: float | None = None
    psi: float | None = None
    psi_pvalue: float | None = None
    psi_critical: float | None = None
    expected_auc: float | None = None
    expected_positives: float | None = None
    source: str = "rows"

    @property
    def coverage(self) -> float:
        """Share of labels; 1 without predictions."""
        return self.n_labelled / self.n if self.n else 1.0

    def to_dict(self) -> dict[str, Any]:
        """The fields and `coverage`, for JSON."""
        return {**asdict(self), "coverage": self.coverage}

    @classmethod
    def of(cls, content: dict[str, Any]) -> Reading:
        """A reading from the store."""
        return cls(**{name: value for name, value in content.items() if name != "coverage"})


def read_cohort(rows: Rows, reference_scores: Floats | None = None) -> Reading:
    """Read a cohort of a stream.

    Parameters
    ----------
    rows : Rows
        Its rows.
    reference_scores : ndarray, optional
        Scores of the reference, for the population stability index.
    """
    known = rows.label >= 0
    labels, scores = rows.label[known].astype(np.uint8), rows.score[known]
    n_pos = int(np.count_nonzero(labels))
    n_neg = len(labels) - n_pos
    found: dict[str, Any] = {}
    if len(rows):
        with np.errstate(over="ignore", invalid="ignore"):  # of scores near the largest number
            found["mean_score"] = _finite(float(rows.score.mean()))
    if len(labels):
        found["positive_rate"] = n_pos / len(labels)
    if min(n_pos, n_neg) >= FEWEST:
        interval = unwarned_interval(labels, scores)
        found |= {
            "auc": interval.value,
            "low": interval.low,
            "high": interval.high,
            "standard_error": _finite(interval.standard_error),
        }
        if len(labels) < len(rows):
            found["provisional"] = _finite(_weighted_auc(rows, known))
            if len(labels) >= _BOUNDS_COVERAGE * len(rows):
                bounds = auc_bounds(np.where(known, rows.label, np.nan), rows.score)
                found |= {"bound_low": bounds.low, "bound_high": bounds.high}
    if len(rows) and rows.score.min() >= 0 and rows.score.max() <= 1:
        found["expected_auc"] = _finite(expected_auc(rows.score).value)
        found["expected_positives"] = float(scores.sum())
    if (
        reference_scores is not None
        and len(rows)
        and reference_scores.min() < reference_scores.max()
    ):
        psi = population_stability_index(reference_scores, rows.score)
        found |= {
            "psi": _finite(psi.value),
            "psi_pvalue": _finite(psi.pvalue),
            "psi_critical": _finite(psi.critical_value),
        }
    return Reading(n=len(rows), n_labelled=len(labels), n_pos=n_pos, n_neg=n_neg, **found)


def _weighted_auc(rows: Rows, known: npt.NDArray[np.bool_]) -> float:
    """AUC with weights 1 / coverage within bins of the score."""
    # Equal scores share the bin of the first of them.
    _, place, counts = np.unique(rows.score, return_inverse=True, return_counts=True)
    bins = (np.cumsum(counts) - counts)[place] * _BINS // len(rows)
    total = np.bincount(bins, minlength=_BINS)
    labelled = np.bincount(bins[known], minlength=_BINS)
    weights = (total / np.maximum(labelled, 1))[bins[known]]
    ranking = Ranking(rows.label[known].astype(np.uint8), rows.score[known], sample_weight=weights)
    return float(ranking.summary.auc)


def label_delay(age: Floats, delay: Floats, positive: npt.NDArray[np.bool_]) -> float | None:
    """Time within which 95 % of the labels come, of the class whose labels come later.

    Parameters
    ----------
    age : ndarray
        Age of the prediction of each known label, now.
    delay : ndarray
        Delay of the label, at most its age.
    positive : ndarray
        Whether the label is positive.

    Returns
    -------
    float or None
        In the unit of the ages; None if no class has 50 labels.

    Notes
    -----
    Only labels that have come are seen, and of young predictions only the quick ones: the delays
    are truncated from the right by the age. The distribution is estimated by the product limit in
    reverse time, for each class: ``F(t) = prod (1 - d(u) / r(u))`` over delays u above t, where d
    labels came after u, and r are those with a delay of at most u and an age of at least u.
    Predictions whose label never comes do not matter, and nothing is known beyond the largest age.

    References
    ----------
    S. W. Lagakos, L. M. Barraj, V. De Gruttola, Nonparametric analysis of truncated survival data,
    with application to AIDS, Biometrika 75 (1988) 515-523.
    """
    found = [
        _truncated_quantile(age[of_class], delay[of_class])
        for of_class in (positive, ~positive)
        if np.count_nonzero(of_class) >= _FEWEST_DELAYS
    ]
    return max(found, default=None)


def _truncated_quantile(age: Floats, delay: Floats) -> float:
    times, share = delay_distribution(age, delay)
    return float(times[int(np.argmax(share >= _QUANTILE))])


def delay_distribution(age: Floats, delay: Floats) -> tuple[Floats, Floats]:
    """Distribution of delays that are truncated by ages, as `label_delay` describes it.

    Parameters
    ----------
    age, delay : ndarray
        Age of the prediction of each known label, and delay of the label.

    Returns
    -------
    times, share : ndarray
        Delays, and the share of labels that come by each of them.
    """
    if len(delay) > _MOST_DELAYS:
        kept = np.linspace(0, len(delay) - 1, _MOST_DELAYS).astype(np.int64)
        age, delay = age[kept], delay[kept]
    age = np.maximum(age, delay)
    times, events = np.unique(delay, return_counts=True)
    ages, of_age = np.unique(age, return_counts=True)
    # Delay at most u, and age at least u; whoever is younger than u has a delay below u.
    at_most = np.cumsum(events)
    younger = np.append(0, np.cumsum(of_age))[np.searchsorted(ages, times, side="left")]
    risk = at_most - younger
    with np.errstate(divide="ignore"):
        steps = np.log1p(-np.minimum(events / risk, 1.0))
    # F at a time is the product over all later ones.
    log_f = np.append(np.cumsum(steps[::-1])[::-1][1:], 0.0)
    return times, np.exp(log_f)


def label_free_errors(
    readings: Sequence[Reading], reference_mean: float
) -> tuple[float, float] | None:
    """Mean errors of the label-free AUC of mature cohorts, and of "nothing changed".

    Parameters
    ----------
    readings : sequence of Reading
        Mature cohorts, as they were frozen.
    reference_mean : float
        Mean AUC of the reference, which is what "nothing changed" says.

    Returns
    -------
    tuple of two float, or None
        None with fewer than ten cohorts that have both.
    """
    pairs = [
        (abs(one.expected_auc - one.auc), abs(reference_mean - one.auc))
        for one in readings
        if one.auc is not None and one.expected_auc is not None
    ]
    if len(pairs) < FEWEST:
        return None
    mine, unchanged = np.mean(pairs, axis=0)
    return float(mine), float(unchanged)


def is_mature(
    settings: ModelSettings,
    *,
    n: int,
    n_labelled: int,
    age: float,
    delay: float | None,
) -> bool:
    """Whether a complete cohort is mature.

    Parameters
    ----------
    settings : ModelSettings
        Settings of its model.
    n, n_labelled : int
        Number of its predictions and of their labels.
    age : float
        Time since its end, in seconds.
    delay : float or None
        Time within which 95 % of labels come, in seconds, if it is known.
    """
    if settings.horizon is not None and age >= settings.horizon.total_seconds():
        return True
    if settings.missing_label == "negative":
        return False  # before the horizon, only positives have labels
    if n_labelled >= settings.coverage * n:
        return True
    return settings.horizon is None and delay is not None and age >= delay


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
