"""The binormal fit: published estimates, a search by another way, and what has no fit."""

import json
import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import ndtr, ndtri
from scipy.stats import chi2, norm

import roclab as rl

# Ratings of 109 CT images: J. A. Hanley, B. J. McNeil, Radiology 143 (1982) 29-36, table 2.
CT = rl.Ranking.from_groups([1, 2, 3, 4, 5], pos=[3, 2, 2, 11, 33], neg=[33, 6, 6, 11, 2])


def test_published_estimates():
    """Stata 8, reference manual, rocfit: the estimates; its errors are of observed information."""
    fit = rl.binormal_fit(CT)
    assert fit.a == pytest.approx(1.656782, abs=1e-6)
    assert fit.b == pytest.approx(0.713002, abs=1e-6)
    assert fit.auc.value == pytest.approx(0.911331, abs=1e-6)
    assert fit.log_likelihood == pytest.approx(-123.64855, abs=1e-5)
    assert fit.a_error == pytest.approx(0.310456, rel=0.01)
    assert fit.b_error == pytest.approx(0.215882, rel=0.01)
    assert fit.auc.standard_error == pytest.approx(0.029506, rel=0.01)
    assert fit.status == "fitted"
    assert fit.n_categories == 5
    assert repr(fit) == "BinormalFit(a 1.657, b 0.713, AUC 0.911 [0.84, 0.96], 51+ 58-)"
    assert json.loads(json.dumps(fit.to_dict()))["auc"]["method"] == "binormal"


def searched(pos, neg):
    """The largest likelihood by a search that needs no derivatives."""

    def loss(at):
        a, b = at[0], math.exp(at[1])
        cuts = at[2] + np.concatenate(([0], np.cumsum(np.exp(at[3:]))))
        total = 0.0
        for counts, deviates in ((neg, cuts), (pos, b * cuts - a)):
            shares = np.diff(np.concatenate(([0], ndtr(deviates), [1])))
            total -= np.sum(counts * np.log(np.maximum(shares, 1e-300)))
        return total

    cuts = ndtri((np.cumsum(neg)[:-1] + 0.5) / (np.sum(neg) + 1))
    start = np.concatenate(([1, 0, cuts[0]], np.log(np.maximum(np.diff(cuts), 0.05))))
    options = {"maxiter": 20_000, "maxfev": 20_000, "xatol": 1e-9, "fatol": 1e-12}
    found = minimize(loss, start, method="Nelder-Mead", options=options)
    found = minimize(loss, found.x, method="Nelder-Mead", options=options)
    return found.x[0], math.exp(found.x[1]), -found.fun


@pytest.mark.parametrize(
    ("pos", "neg"),
    [
        ([1, 4, 9], [8, 5, 2]),
        ([2, 17, 25, 12], [15, 25, 4, 0]),
        ([0, 3, 5, 12], [9, 6, 1, 4]),
        ([10, 3, 5, 2], [3, 4, 4, 9]),
        ([5, 1, 1, 5], [1, 5, 5, 1]),
    ],
)
def test_no_search_finds_a_larger_likelihood(pos, neg):
    fit = rl.binormal_fit(rl.Ranking.from_groups(range(len(pos)), pos, neg))
    a, b, value = searched(np.array(pos), np.array(neg))
    assert fit.log_likelihood == pytest.approx(value, abs=1e-7)
    assert (fit.a, fit.b) == pytest.approx((a, b), abs=1e-3)


def test_only_the_order_counts():
    rng = np.random.default_rng(3)
    truth = rng.random(300) < 0.4
    scores = rng.normal(size=300) + truth
    fit = rl.binormal_fit(truth, scores)
    assert fit.to_dict() == rl.binormal_fit(truth, np.exp(scores)).to_dict()
    assert fit.n_categories == 20
    # Reversed labels and scores: the same curve seen from the other corner.
    mirrored = rl.binormal_fit(~truth, -scores)
    assert mirrored.auc.value == pytest.approx(fit.auc.value, abs=0.01)
    fine = rl.binormal_fit(truth, scores, categories=60)
    assert fine.auc.value == pytest.approx(fit.auc.value, abs=0.01)


def test_many_examples_find_the_truth_and_errors_say_how_nearly():
    rng = np.random.default_rng(1)
    a, b = 1.2, 0.7
    truth = np.arange(1000) < 400
    off = []
    for _ in range(60):
        scores = rng.normal(size=1000)
        scores[truth] = a / b + scores[truth] / b
        fit = rl.binormal_fit(truth, scores)
        area = norm.cdf(a / math.hypot(1, b))
        off.append(
            [
                (fit.a - a) / fit.a_error,
                (fit.b - b) / fit.b_error,
                (fit.auc.value - area) / fit.auc.standard_error,
            ]
        )
    assert np.abs(np.mean(off, axis=0)).max() < 4 / math.sqrt(60)
    assert np.std(off, axis=0) == pytest.approx([1, 1, 1], abs=0.35)


def test_the_curve_and_its_bands():
    fit = rl.binormal_fit(CT)
    grid = np.array([0, 0.1, 0.5, 1])
    curve = norm.cdf(fit.a + fit.b * norm.ppf(grid))
    np.testing.assert_allclose(fit.tpr_at(grid), curve)
    variance = np.array([[fit.a_error**2, fit.covariance], [fit.covariance, fit.b_error**2]])
    for kind, z in (("pointwise", 1.959964), ("simultaneous", math.sqrt(5.991465))):
        band = rl.roc_band(CT, kind=kind, method="binormal", fpr=grid)
        np.testing.assert_allclose(band.tpr, curve)
        for place in (1, 2):
            x = np.array([1, norm.ppf(grid[place])])
            margin = z * math.sqrt(x @ variance @ x)
            middle = fit.a + fit.b * x[1]
            assert band.low[place] == pytest.approx(norm.cdf(middle - margin), abs=1e-7)
            assert band.high[place] == pytest.approx(norm.cdf(middle + margin), abs=1e-7)
        assert (band.low[[0, -1]] == [0, 1]).all()
        assert (band.high[[0, -1]] == [0, 1]).all()
        assert band.n_resamples is None
        assert band.fpr_margin is None


@pytest.mark.parametrize(
    ("truth", "scores", "status"),
    [
        ([1, 1, 1], [1, 2, 3], "a class is missing"),
        ([0, 1, 0, 1], [1, 1, 2, 2], "too few categories"),
        ([0, 0, 1, 1], [1, 2, 3, 4], "classes apart"),
        ([1, 1, 0, 0], [1, 2, 3, 4], "classes apart"),
        ([1, 0, 0, 1], [1, 2, 3, 4], "horizontal curve"),
        ([0, 1, 1, 0], [1, 2, 3, 4], "vertical curve"),
    ],
)
def test_without_a_fit(truth, scores, status):
    with pytest.warns(rl.UndefinedMeasureWarning, match="no binormal fit"):
        fit = rl.binormal_fit(truth, scores)
    assert fit.status == status
    assert np.isnan([fit.a, fit.b, fit.a_error, fit.auc.value, fit.auc.low]).all()
    assert repr(fit).startswith(f"BinormalFit(no fit: {status}")
    with pytest.warns(rl.UndefinedMeasureWarning, match="no binormal fit"):
        band = rl.roc_band(truth, scores, method="binormal", fpr=[0.2, 0.7])
    assert np.isnan([band.low, band.tpr, band.high]).all()


def test_refusals():
    weighted = rl.Ranking([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 2, 1, 1])
    with pytest.raises(rl.InputError, match="counts examples and does not support sample_weight"):
        rl.binormal_fit(weighted)
    for wrong in (2, 2.5, True, "many"):
        with pytest.raises(rl.InputError, match="an integer from 3 to"):
            rl.binormal_fit([0, 1, 0, 1], [1, 2, 3, 4], categories=wrong)


def test_the_fit_is_tested():
    """Pearson's chi-square; of the CT images of Hanley and McNeil with five categories."""
    found = rl.binormal_fit(CT)
    assert found.fit_df == 2
    assert found.fit_pvalue == pytest.approx(chi2.sf(found.fit_statistic, 2))
    assert found.fit_pvalue > 0.1
    three = rl.binormal_fit([0, 0, 1, 0, 1, 0, 1, 1], [1, 1, 1, 2, 2, 3, 3, 3])
    assert three.fit_df == 0
    assert np.isnan(three.fit_pvalue)


@pytest.mark.parametrize(
    ("shift", "apart", "least", "most"), [(1.19, 0, 0, 0.15), (3.36, 3, 0.5, 1)]
)
def test_bimodal_classes_are_not_binormal(shift, apart, least, most):
    rng = np.random.default_rng(7)
    neg, pos = rng.normal(size=(2, 40, 300))
    pos += shift + apart * rng.choice([-1, 1], pos.shape)
    y = np.repeat([1, 0], 300)
    found = [
        rl.binormal_fit(y, np.concatenate(s), categories=10).fit_pvalue
        for s in zip(pos, neg, strict=True)
    ]
    assert least <= np.mean(np.array(found) < 0.05) <= most
