"""Do 95 % intervals cover the true AUC in about 95 % of samples?

Binormal scores, many samples, fixed seeds. The expected shares for small samples are those of an
independent study of 13,000 to 20,000 runs a cell; the tolerance is four standard errors of the runs
made here and there.
"""

import math

import numpy as np
import pytest
from scipy.special import ndtri

import roclab as rl

RUNS = 4000
STUDY_RUNS = 13_000


def coverage(auc, n_pos, n_neg, *, methods, weigh=False):
    rng = np.random.default_rng([n_pos, n_neg, int(1000 * auc)])
    labels = np.repeat([1, 0], [n_pos, n_neg])
    shift = math.sqrt(2) * ndtri(auc)
    covered = dict.fromkeys(methods, 0)
    for _ in range(RUNS):
        scores = rng.normal(size=n_pos + n_neg) + shift * labels
        weights = rng.gamma(2.0, size=n_pos + n_neg) if weigh else None
        ranking = rl.Ranking(labels, scores, sample_weight=weights)
        for method in methods:
            interval = rl.auc_interval(ranking, method=method)
            covered[method] += interval.low <= auc <= interval.high
    return {method: count / RUNS for method, count in covered.items()}


@pytest.mark.filterwarnings("ignore::roclab.DegenerateIntervalWarning")
@pytest.mark.parametrize(
    ("auc", "n_pos", "n_neg", "auto", "delong"),
    [
        (0.95, 10, 50, 0.987, 0.797),
        (0.80, 10, 30, 0.979, 0.901),
        (0.99, 30, 100, 0.993, 0.790),
    ],
)
def test_small_samples_as_in_the_study(auc, n_pos, n_neg, auto, delong):
    measured = coverage(auc, n_pos, n_neg, methods=("auto", "delong"))
    for method, expected in (("auto", auto), ("delong", delong)):
        error = math.sqrt(expected * (1 - expected) * (1 / RUNS + 1 / STUDY_RUNS))
        assert abs(measured[method] - expected) < 4 * error, (method, measured)


def test_large_samples_are_covered_at_the_nominal_level():
    measured = coverage(0.75, 150, 200, methods=("auto", "delong"))
    assert 0.935 < measured["delong"] < 0.965
    assert 0.935 < measured["auto"] < 0.985


def test_weights_that_say_nothing_about_the_scores_keep_the_level():
    measured = coverage(0.75, 80, 120, methods=("auto", "delong"), weigh=True)
    assert 0.925 < measured["delong"] < 0.965
    assert 0.935 < measured["auto"] < 0.99


def test_the_variance_is_right_on_average_with_and_without_weights():
    """The mean of the estimated variances is the variance of the estimates."""
    rng = np.random.default_rng(5)
    labels = np.repeat([1, 0], [40, 60])
    found = {False: ([], []), True: ([], [])}
    for _ in range(RUNS):
        scores = rng.normal(size=100) + labels
        for weighted, (values, variances) in found.items():
            weights = rng.gamma(2.0, size=100) if weighted else None
            summary = rl.Ranking(labels, scores, sample_weight=weights).summary
            values.append((summary.auc, summary.scored_auc))
            variances.append((summary.auc_variance, summary.scored_auc_variance))
    for values, variances in found.values():
        ratio = np.mean(variances, axis=0) / np.var(values, axis=0)
        # a variance of 4,000 draws has a relative standard error of about 2.2 %
        assert (abs(ratio - 1) < 0.1).all(), ratio
