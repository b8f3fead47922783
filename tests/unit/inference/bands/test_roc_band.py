"""Bands: published quantiles, a bootstrap by hand, and what is refused."""

import json
import math

import numpy as np
import pytest

import roclab as rl
from roclab import _core
from roclab.inference.estimation.resampling import Draws

RNG = np.random.default_rng(4)
TRUTH = np.arange(60) < 25
SCORES = np.round(RNG.normal(size=60) + TRUTH, 1)


def test_ks_margins_are_the_published_quantiles():
    """L. H. Miller, JASA 51 (1956) 111-121, table 1: 5 % two-sided points of 10 and 20 examples."""
    truth = np.arange(30) < 10
    level = 0.95**2  # which leaves 0.95 to each class
    band = rl.roc_band(truth, np.arange(30), method="ks", confidence_level=level)
    assert band.tpr_margin == pytest.approx(0.40925, abs=6e-6)
    assert band.fpr_margin == pytest.approx(0.29408, abs=6e-6)
    assert band.n_resamples is None


def test_ks_band_by_hand():
    truth, scores = [1, 0, 1, 0], [4, 3, 2, 1]
    # Of two examples P(D <= d) = 2 (2 d - 1/2)^2 up to d = 1/2: one eighth is d = 3/8.
    band = rl.roc_band(truth, scores, method="ks", fpr=[0, 0.9, 1], confidence_level=0.125**2)
    assert (band.fpr_margin, band.tpr_margin) == pytest.approx((0.375, 0.375))
    # The curve is (0, 0), (0, .5), (.5, .5), (.5, 1), (1, 1).
    np.testing.assert_allclose(band.low, [0, 0.625, 0.625], atol=1e-9)
    np.testing.assert_allclose(band.high, [0.875, 1, 1], atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_bootstrap_margins_by_hand(weighted):
    weight = RNG.integers(1, 4, 60).astype(float) if weighted else np.ones(60)
    seed, count = 7, 40
    band = rl.roc_band(
        TRUTH,
        SCORES,
        sample_weight=weight if weighted else None,
        n_resamples=count,
        rng=seed,
        confidence_level=0.8,
    )
    ascending = np.argsort(SCORES, kind="stable")
    rows = np.concatenate([ascending[TRUTH[ascending]], ascending[~TRUTH[ascending]]])
    resampler = _core.Resampler(25, 35, True, None, 0)
    drawn = [resampler.draw(Draws.of(1, seed).seed, i) for i in range(count)]
    scale = [math.sqrt(weight[of].sum() ** 2 / (weight[of] ** 2).sum()) for of in (~TRUTH, TRUTH)]
    places = np.linspace(0, sum(scale), 513)

    def tpr(counts):
        curve = rl.roc_curve(TRUTH[rows], SCORES[rows], sample_weight=weight[rows] * counts)
        return np.interp(places, scale[0] * curve.fpr + scale[1] * curve.tpr, curve.tpr)

    middle = tpr(np.ones(60))
    distances = sorted(scale[1] * np.abs(tpr(counts) - middle).max() for counts in drawn)
    distance = distances[32]  # the level asks for place 0.8 * 39 = 31.2, so the next one
    assert band.fpr_margin == pytest.approx(distance / scale[0], abs=1e-12)
    assert band.tpr_margin == pytest.approx(distance / scale[1], abs=1e-12)


def test_classes_that_are_apart_have_a_band_all_the_same():
    truth = np.arange(30) < 10
    band = rl.roc_band(truth, -np.arange(30), rng=0)
    # 1 - 0.05^(1/10): ten positives without a miss leave a quarter of misses open.
    assert band.tpr_margin == pytest.approx(0.2589, abs=1e-4)
    assert band.low[0] == 0
    assert band.low[-1] == pytest.approx(1 - 0.2589, abs=1e-4)
    assert (band.high == 1).all()


def test_the_same_seed_gives_the_same_band_whatever_the_threads(monkeypatch):
    bands, options = [], {"kind": "pointwise", "method": "wilson"}
    for threads in ("1", "3"):
        monkeypatch.setenv("ROCLAB_NUM_THREADS", threads)
        bands.append(rl.roc_band(TRUTH, SCORES, rng=5, n_resamples=50, **options))
    assert bands[0].to_dict() == bands[1].to_dict()
    assert bands[0].to_dict() != rl.roc_band(TRUTH, SCORES, rng=6, **options).to_dict()


def test_a_band_by_percentiles_has_no_width_in_the_corner_where_wilson_has():
    grid = [0.3, 0.9]
    options = {"kind": "pointwise", "fpr": grid, "rng": 1}
    truth = np.arange(60) < 30
    scores = np.where(truth, 10 + np.arange(60), np.arange(60) % 31)  # apart but for the lowest
    percentile = rl.roc_band(truth, scores, method="bootstrap", **options)
    wilson = rl.roc_band(truth, scores, method="wilson", **options)
    assert percentile.low[1] == percentile.high[1] == 1
    # Thirty of thirty: 30 / (30 + 1.96^2).
    assert wilson.low[1] == pytest.approx(30 / (30 + 1.959964**2), abs=1e-6)
    assert wilson.high[1] == 1


def test_order_statistics_bound_a_rate_that_few_negatives_determine():
    truth, scores = np.arange(60) < 50, np.where(np.arange(60) < 50, 2.0, 1.0) + np.arange(60) / 99
    options = {"kind": "pointwise", "fpr": [0, 0.01, 0.5, 0.9, 1]}
    band = rl.roc_band(truth, scores, **options)
    assert band.n_resamples is None
    # Apart: with 10 negatives, all may lie below the threshold of FPR 0.01, and any positives too.
    assert band.low[:2].tolist() == [0, 0]
    assert band.high.tolist() == [1] * 5
    # At FPR 1 the threshold is below all negatives, and so below all positives.
    assert band.low[-1] > 0.94
    assert (np.diff(band.low) >= 0).all()
    clustered = rl.roc_band(truth, scores, cluster=np.arange(60), rng=0, **options)
    assert clustered.method == "wilson"
    with pytest.raises(rl.InputError, match=r"method='order_statistics'.*cluster"):
        rl.roc_band(truth, scores, method="order_statistics", cluster=np.arange(60), **options)


def test_fields_and_words():
    band = rl.roc_band(TRUTH, SCORES, rng=0, n_resamples=9, fpr=[0.0, 0.5])
    assert repr(band) == (
        f"ROCBand(95 % simultaneous, bootstrap, 2 points, mean width "
        f"{(band.high - band.low).mean():.2f}, 25+ 35-)"
    )
    assert len(band) == 2
    data = json.loads(json.dumps(band.to_dict()))
    assert data["fpr"] == [0.0, 0.5]
    assert data["n_resamples"] == 9
    assert not band.low.flags.writeable
    with pytest.raises(AttributeError):
        band.kind = "pointwise"


def test_one_class():
    with pytest.warns(rl.UndefinedMeasureWarning, match="needs both classes; there are 3 positive"):
        band = rl.roc_band([1, 1, 1], [1, 2, 3])
    assert np.isnan([band.low, band.tpr, band.high]).all()
    for function, option in (
        (rl.sensitivity_at, "specificity"),
        (rl.specificity_at, "sensitivity"),
    ):
        with pytest.warns(rl.UndefinedMeasureWarning, match="needs both classes"):
            interval = function([0, 0], [1, 2], **{option: 0.5})
        assert math.isnan(interval.value)
        assert math.isnan(interval.high)
    with pytest.warns(rl.UndefinedMeasureWarning):
        point = rl.operating_point_interval([1, 1, 1], [1, 2, 3], threshold=2)
    assert point.sensitivity.value == pytest.approx(2 / 3)
    assert point.sensitivity.high < 1
    assert math.isnan(point.specificity.value)
    assert math.isnan(point.specificity.low)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kind": "both"}, "kind='both' is not an option. Choose 'simultaneous' or 'pointwise'."),
        ({"method": "wilson"}, "method='wilson' has no simultaneous band. Choose"),
        ({"method": "delong"}, "method='delong' is not an option. Choose 'auto', 'bootstrap'"),
        ({"kind": "pointwise", "method": "ks"}, "method='ks' has no pointwise band"),
        ({"method": ["ks"]}, "method=['ks'] is not an option. Choose 'auto'"),
        ({"confidence_level": 95}, "confidence_level=95 is out of range"),
        ({"fpr": [0.5, 0.2]}, "ascending numbers from 0 to 1 are needed"),
        ({"fpr": [0.5, 1.2]}, "ascending numbers from 0 to 1 are needed"),
        ({"fpr": []}, "ascending numbers from 0 to 1 are needed"),
        ({"fpr": ["a"]}, "is not a grid of rates; ascending numbers"),
        ({"fpr": [0.5j]}, "is not a grid of rates; ascending numbers"),
        ({"method": "ks", "cluster": [1, 2, 1, 2]}, "assumes independent rows"),
        ({"n_resamples": 0}, "n_resamples=0 is out of range"),
        ({"n_resamples": 10**9}, "need 4,104 GB of memory; at most n_resamples=523265"),
    ],
)
def test_refusals(options, said):
    with pytest.raises(rl.InputError) as caught:
        rl.roc_band([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], **options)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda y, s: rl.sensitivity_at(y, s, specificity=90),
            "specificity=90 is out of range",
        ),
        (
            lambda y, s: rl.specificity_at(y, s, sensitivity="high"),
            "sensitivity='high' is out",
        ),
        (lambda y, s: rl.sensitivity_at(y, s, specificity=0.5, method="ks"), "method='ks' is not"),
        (
            lambda y, s: rl.operating_point_interval(y, s, threshold=math.nan),
            "threshold=nan is not",
        ),
        (
            lambda y, s: rl.operating_point_interval(y, s, threshold=1, method="wald"),
            "method='wald' is not an option",
        ),
    ],
)
def test_refusals_of_rates(call, said):
    with pytest.raises(rl.InputError) as caught:
        call([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    assert said in str(caught.value)


@pytest.mark.parametrize("cluster", [np.zeros(60), TRUTH, np.where(TRUTH, np.arange(60), -1)])
def test_a_class_in_one_cluster_says_nothing_of_others(cluster):
    for options in ({}, {"kind": "pointwise"}, {"kind": "pointwise", "method": "bootstrap"}):
        with pytest.warns(rl.UndefinedMeasureWarning, match="two clusters with each"):
            band = rl.roc_band(TRUTH, SCORES, cluster=cluster, rng=0, **options)
        assert np.isnan([band.low, band.high]).all()
        assert not np.isnan(band.tpr).any()
        assert band.n_resamples == 0
    for method in ("wilson", "bootstrap"):
        with pytest.warns(rl.UndefinedMeasureWarning, match="two clusters with each"):
            interval = rl.sensitivity_at(
                TRUTH, SCORES, specificity=0.8, cluster=cluster, method=method
            )
        assert not math.isnan(interval.value)
        assert np.isnan([interval.low, interval.high, interval.standard_error]).all()


def test_replicates_that_all_lack_a_class():
    options = {"stratified": False, "n_resamples": 1, "rng": 2}  # takes one of two rows twice
    for kind, method in (("simultaneous", "bootstrap"), ("pointwise", "wilson")):
        with pytest.warns(rl.UndefinedMeasureWarning, match="replicates with both classes"):
            band = rl.roc_band([0, 1], [1, 2], kind=kind, method=method, **options)
        assert np.isnan([band.low, band.high]).all()
    with pytest.warns(rl.UndefinedMeasureWarning, match="ends are nan"):
        interval = rl.specificity_at([0, 1], [1, 2], sensitivity=0.5, method="wilson", **options)
    assert np.isnan([interval.low, interval.high]).all()


def test_levels_so_high_and_so_low_that_the_quantile_is_infinite_or_nought():
    options = {"kind": "pointwise", "method": "wilson", "rng": 0, "n_resamples": 50}
    sure = rl.roc_band(TRUTH, SCORES, confidence_level=1 - 1e-16, **options)
    assert (sure.low == 0).all()
    assert (sure.high == 1).all()
    point = rl.roc_band(TRUTH, SCORES, confidence_level=1e-300, **options)
    np.testing.assert_allclose(point.low, point.tpr, atol=1e-12)
    np.testing.assert_allclose(point.high, point.tpr, atol=1e-12)


def test_one_sided_intervals_of_a_rate():
    options = {"specificity": 0.6, "rng": 3, "confidence_level": 0.9, "method": "wilson"}
    both = rl.sensitivity_at(TRUTH, SCORES, **(options | {"confidence_level": 0.8}))
    lower = rl.sensitivity_at(TRUTH, SCORES, alternative="greater", **options)
    upper = rl.sensitivity_at(TRUTH, SCORES, alternative="less", **options)
    assert (lower.low, lower.high) == (both.low, 1)
    assert (upper.low, upper.high) == (0, both.high)
    assert lower.n_resamples == 2000
    assert repr(lower).startswith("sensitivity_at(specificity=0.6)")


def test_intervals_of_one_point():
    """Exact ends of Clopper and Pearson: 8 of 10 and 9 of 10 at 95 % each."""
    truth = np.arange(20) < 10
    scores = np.r_[np.arange(2, 12), np.zeros(9), 5]
    point = rl.operating_point_interval(truth, scores, threshold=4, confidence_level=0.95**2)
    assert (point.sensitivity.low, point.sensitivity.high) == pytest.approx(
        (0.4439045, 0.9747893), abs=1e-7
    )
    assert (point.specificity.low, point.specificity.high) == pytest.approx(
        (0.5549839, 0.9974714), abs=1e-7
    )
    assert point.sensitivity.confidence_level == pytest.approx(0.95)
    assert json.loads(json.dumps(point.to_dict()))["specificity"]["value"] == 0.9
    wilson = rl.operating_point_interval(
        truth, scores, threshold=4, method="wilson", confidence_level=0.95**2
    )
    assert (wilson.sensitivity.low, wilson.sensitivity.high) == pytest.approx(
        (0.4901625, 0.9433178), abs=1e-7
    )
