"""Multiple comparisons with the best, by bootstrap."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from roclab.numeric.distributions import normal_cdf, normal_quantile, student_cdf

Floats = npt.NDArray[np.float64]

# Differences and standard errors below this fraction of the values are rounding errors.
ROUNDING = 1e-12


def largest_of(values: Floats) -> float:
    """Largest finite absolute value, or 1 if all are 0.

    Used as a unit, since squares of scored AUCs may overflow.
    """
    sizes = np.abs(values)
    return float(sizes[np.isfinite(sizes)].max(initial=0)) or 1.0


def leading(values: Floats) -> npt.NDArray[np.bool_]:
    """Which values are the highest of their row, up to rounding."""
    top = values.max(axis=-1, keepdims=True)
    near = np.where(np.isfinite(top), ROUNDING * np.abs(top), 0.0)
    return np.asarray(values >= top - near)


def best_pvalues(
    values: Floats,
    replicates: Floats,
    *,
    units: float,
    span: float,
    lead_pvalues: Floats | None = None,
) -> Floats:
    """p-value of the null hypothesis that no other model is better, for each model.

    Parameters
    ----------
    values : ndarray of shape (k,)
        Values of the models in the sample, higher is better.
    replicates : ndarray of shape (n, k)
        Values of the models in bootstrap replicates, with the same draws for all models.
    units : float
        Number of independent examples of the smaller class.
    span : float
        Highest possible value minus the lowest.
    lead_pvalues : ndarray of shape (k, k), optional
        One-sided p-value of the lead of the first model over the second, by another test.

    Returns
    -------
    ndarray of shape (k,)
        The models with p-values above alpha contain the best with probability 1 - alpha.

    Notes
    -----
    The statistic of a model is the largest lead of another over it, in standard errors; its
    distribution is that of the largest deviation of these leads from their mean in the replicates.
    For the best model all true leads are at most 0, so that its statistic is at most the largest
    deviation: the set needs no further correction for the number of models (Hsu 1996). Standard
    errors from few examples are too small, and uncertain: they are multiplied by
    ``sqrt(units / (units - 1))``, and the statistic is treated as Student's t.

    Near AUC 1 a standard error is too small if the sample lacks the few examples on which a model
    fails: of five equal models of different kinds with AUC 0.97, on 10 positives and 1,000
    negatives, one was left out in 94 % of samples. So the statistic is at most the normal deviate
    of the least of `lead_pvalues`, and the p-value is at least that one: a model is left out only
    if both tests say so.

    A lead that never varies has no standard error. It is compared with the standard error of a fair
    coin per example of the smaller class, ``span / sqrt(units)``, which is conservative and not 0.
    """
    count = len(values)
    if units <= 1 or len(replicates) < 2:
        return np.ones(count)
    unit = largest_of(np.append(replicates, values))
    values, replicates, span = values / unit, replicates / unit, span / unit
    tiny = ROUNDING * float(np.abs(values).max())
    pvalues = np.ones(count)
    clearly = math.sqrt(2 * math.log(max(math.log(max(2 * units, 3)), 1)))
    for model in range(count):
        leads = values - values[model]
        drawn = replicates - replicates[:, [model]]
        spread = drawn.std(axis=0, ddof=1)
        varies = spread > tiny
        found: list[float] = []
        if leads.max() <= tiny:
            continue  # no other model leads
        least = 0.0
        if lead_pvalues is not None:
            least = float(lead_pvalues[leads > tiny, model].min())
        if varies.any():
            standardised = leads[varies] / spread[varies]
            statistic = float(standardised.max())
            deviations = (drawn - drawn.mean(axis=0))[:, varies] / spread[varies]
            behind = np.where(standardised < -clearly, standardised, 0.0)
            largest = (deviations + behind).max(axis=1)
            deviate = _as_normal(min(statistic, -normal_quantile(least)), units)
            reached = np.count_nonzero(largest >= deviate)
            found.append((1 + reached) / (1 + len(largest)))
        fixed = float(leads[~varies].max(initial=0.0))
        if fixed > tiny:
            found.append(normal_cdf(-_as_normal(fixed * math.sqrt(units) / span, units)))
        if found:
            pvalues[model] = min(1.0, max(len(found) * min(found), least))
    return pvalues


def _as_normal(statistic: float, units: float) -> float:
    """Normal deviate with the same tail probability as a statistic of Student's t."""
    shrunk = statistic * math.sqrt((units - 1) / units)
    # In the lower tail, where small probabilities keep their precision.
    return -normal_quantile(student_cdf(units - 1, -shrunk))
