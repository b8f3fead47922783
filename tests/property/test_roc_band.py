"""Curves of replicates, bands and rates against slow twins, with ties and weights."""

import math
import warnings

import numpy as np
import pytest
import reference_bands as twin
from hypothesis import given
from hypothesis import strategies as st
from strategies import MILD_WEIGHTS, level_samples, weights

import roclab as rl
from roclab import _core
from roclab.curves.reading import fpr_at, tpr_along, tpr_at
from roclab.inference.estimation.resampling import Draws, resample_rates
from roclab.inference.intervals.proportions import clopper_pearson_ends, wilson_ends

SEEDS = st.integers(0, 2**32)
REPLICATES = 5
# Rates that small classes have, and others.
GRID = np.unique(np.concatenate([np.arange(k + 1) / k for k in (3, 4, 7, 8)] + [[0.29, 0.61]]))


@st.composite
def tables(draw):
    truth, scores = draw(level_samples())
    return truth, scores, draw(st.none() | weights(truth, kinds=MILD_WEIGHTS))


def near(values, expected):
    np.testing.assert_allclose(values, np.array(expected, float), rtol=0, atol=1e-8)


@given(tables(), st.sampled_from([(1.0, 2.0), (0.3, 0.1)]))
def test_rates_are_read_off_the_curve(table, axis):
    truth, scores, weight = table
    points = twin.chain(truth, scores, weight)
    curve = rl.roc_curve(truth, scores, sample_weight=weight)
    near(tpr_at(curve, GRID[1:-1]), [twin.highest_tpr(points, t) for t in GRID[1:-1]])
    near(tpr_at(curve, GRID, lowest=True), [twin.lowest_tpr(points, t) for t in GRID])
    near(fpr_at(curve, GRID), [twin.lowest_fpr(points, t) for t in GRID])
    across, up = axis
    places = GRID * (across + up) * 0.999
    expected = [twin.tpr_along(points, across, up, w) for w in places]
    near(tpr_along(curve, places, across=across, up=up), expected)


@given(tables(), SEEDS, st.booleans(), st.booleans())
def test_replicates_are_curves_of_the_drawn_rows(table, seed, stratified, clustered):
    truth, scores, weight = table
    kept = np.arange(len(truth)) if weight is None else np.flatnonzero(weight)
    rows = kept[np.argsort(scores[kept], kind="stable")]
    rows = np.concatenate([rows[truth[rows]], rows[~truth[rows]]])
    n_pos = int(truth[kept].sum())
    cluster = np.arange(len(truth)) % 3 if clustered else None
    # Clusters are numbered as they appear among the rows that count.
    present = [] if cluster is None else list(dict.fromkeys(cluster[kept].tolist()))
    numbers = None if cluster is None else np.array([*map(present.index, cluster[rows])], np.uint32)
    resampler = _core.Resampler(n_pos, len(rows) - n_pos, stratified, numbers, len(present))
    draws = Draws.of(REPLICATES, seed, stratified=stratified, cluster=cluster)
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    tprs = resample_rates(ranking, draws, GRID, across=1.0, up=0.0)
    fprs = resample_rates(ranking, draws, GRID, across=0.0, up=1.0)
    places = GRID * 2.6
    along = resample_rates(ranking, draws, places, across=2.0, up=0.6)
    if clustered and 1 in (len(set(numbers[:n_pos])), len(set(numbers[n_pos:]))):
        assert np.isnan([*tprs, *fprs, *along]).all()  # one cluster says nothing of others
        return
    for i in range(REPLICATES):
        drawn = np.repeat(rows, resampler.draw(draws.seed, i))
        weight_drawn = None if weight is None else weight[drawn]
        points = twin.chain(truth[drawn], scores[drawn], weight_drawn)
        if points is None:
            assert np.isnan([tprs[i], fprs[i], along[i]]).all()
            continue
        near(tprs[i], [twin.highest_tpr(points, t) for t in GRID])
        near(fprs[i], [twin.lowest_fpr(points, t) for t in GRID])
        near(along[i, :-1], [twin.tpr_along(points, 2.0, 0.6, w) for w in places[:-1]])


@given(tables(), SEEDS, st.sampled_from([0.5, 0.8, 0.95]))
def test_simultaneous_bands_are_the_curve_moved(table, seed, level):
    truth, scores, weight = table
    points = twin.chain(truth, scores, weight)
    options = {"sample_weight": weight, "n_resamples": 19, "rng": seed, "fpr": GRID}
    band = rl.roc_band(truth, scores, confidence_level=level, **options)
    low, high = twin.moved_band(points, band.fpr, band.fpr_margin, band.tpr_margin)
    near(band.low, low)
    near(band.high, high)
    assert (band.low <= band.tpr + 1e-12).all()
    assert (band.tpr <= band.high + 1e-12).all()
    wider = rl.roc_band(truth, scores, confidence_level=0.99, **options)
    assert wider.fpr_margin >= band.fpr_margin
    if weight is not None:
        with pytest.raises(rl.InputError, match="does not support sample_weight"):
            rl.roc_band(truth, scores, sample_weight=weight, method="ks")


@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
@given(tables(), SEEDS, st.sampled_from(["auto", "wilson", "bootstrap"]))
def test_pointwise_bands_are_intervals_at_each_point(table, seed, method):
    truth, scores, weight = table
    options = {"sample_weight": weight, "n_resamples": 19, "rng": seed, "method": method}
    grid = [0.1, 0.5, 0.75]
    band = rl.roc_band(truth, scores, kind="pointwise", fpr=grid, **options)
    for i, fpr in enumerate(grid):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rl.DegenerateIntervalWarning)
            one = rl.sensitivity_at(truth, scores, specificity=1 - fpr, **options)
        near([one.low, one.value, one.high], [band.low[i], band.tpr[i], band.high[i]])


@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
@given(tables(), SEEDS)
def test_specificity_is_sensitivity_with_classes_swapped(table, seed):
    truth, scores, weight = table
    options = {"sample_weight": weight, "n_resamples": 3, "rng": seed}
    there = rl.specificity_at(truth, scores, sensitivity=0.7, **options)
    back = rl.sensitivity_at(~truth, -scores, specificity=0.7, **options)
    assert there.value == pytest.approx(back.value, abs=1e-9)
    assert (there.low, there.high) == pytest.approx((back.low, back.high), abs=1e-9)


@given(st.integers(1, 60), st.data(), st.sampled_from([0.5, 0.9, 0.975]))
def test_intervals_of_shares(number, data, level):
    hits = data.draw(st.integers(0, number))
    near(
        clopper_pearson_ends(hits / number, number, level),
        twin.clopper_pearson(hits, number, level),
    )
    near(wilson_ends(hits / number, 0.0, number, 1.96), twin.wilson(hits / number, number, 1.96))
    low, high = wilson_ends(hits / number, 4 * 0.25 / number, number, 1.96)
    assert low >= 0
    assert high <= 1
    assert high - low >= np.ptp(twin.wilson(hits / number, number, 1.96)) - 1e-12


@given(tables(), st.floats(-3, 3))
def test_both_rates_at_a_threshold(table, threshold):
    truth, scores, weight = table
    point = rl.operating_point_interval(
        truth, scores, threshold=threshold, sample_weight=weight, confidence_level=0.9
    )
    weight = np.ones(len(truth)) if weight is None else weight
    for interval, of_class, called in (
        (point.sensitivity, truth, scores >= threshold),
        (point.specificity, ~truth, scores < threshold),
    ):
        own = weight[of_class]
        assert interval.value == pytest.approx(own @ called[of_class] / own.sum())
        number = own.sum() ** 2 / (own**2).sum()
        ends = clopper_pearson_ends(interval.value, number, math.sqrt(0.9))
        near((interval.low, interval.high), ends)
