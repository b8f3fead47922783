"""Granular ROC, lambda AUC and rho AUC against their twins, and what must hold for all samples."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
import reference
import reference_granular as twin
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import (
    FLOAT_DTYPES,
    MILD_WEIGHTS,
    level_samples,
    one_class_samples,
    samples,
    weighted_samples,
    weights,
)

import roclab as rl
from roclab.curves.score_scale import ScoreScale
from roclab.curves.shifted import ShiftedClasses
from roclab.measures.granular import granular_areas

SMALL_TYPES = (*FLOAT_DTYPES, "i1", "u1", "i4")  # whose values float64 holds
DISTANCES = st.one_of(
    st.sampled_from([0.0, 0.02, 0.1, 0.125, 0.25, 0.5, 1.0, 3.0]), st.floats(0, 1e3)
)
EIGHTHS = st.integers(0, 40).map(lambda k: k / 8)
pytestmark = pytest.mark.filterwarnings("ignore::roclab.UndefinedMeasureWarning")


@st.composite
def decimal_samples(draw, decimals=2):
    """(truth, scores, steps): scores in [0, 1] with so many decimals, and the whole numbers."""
    truth, _ = draw(level_samples())
    step = st.integers(0, 10**decimals)
    steps = draw(st.lists(step, min_size=len(truth), max_size=len(truth)))
    return truth, np.array([float(Fraction(k, 10**decimals)) for k in steps]), steps


def expected_clean(truth, scores, delta, weight=None):
    low = twin.theta(truth, scores, -delta, weight)
    auc = twin.theta(truth, scores, 0.0, weight)
    return float(low), float(auc), float(twin.theta(truth, scores, delta, weight))


@given(samples(dtypes=SMALL_TYPES, finite=True, max_size=24), DISTANCES)
def test_clean_is_the_double_nearest_to_the_twin(sample, delta):
    area = rl.granular_auc(*sample, granularity=delta)
    assert (area.low, area.auc, area.up) == expected_clean(*sample, delta)


@given(weighted_samples(samples(dtypes=SMALL_TYPES, finite=True, max_size=24)), DISTANCES)
def test_clean_equals_the_twin_with_weights(sample, delta):
    truth, scores, weight = sample
    area = rl.granular_auc(truth, scores, sample_weight=weight, granularity=delta)
    expected = expected_clean(truth, scores, delta, weight)
    assert (area.low, area.auc, area.up) == pytest.approx(expected, abs=1e-12)
    assert 0 <= area.low <= area.auc <= area.up <= 1


@given(samples(dtypes=("f8",), finite=True), DISTANCES)
def test_clean_is_the_auc_of_moved_positives(sample, delta):
    truth, scores = sample
    area = rl.granular_auc(truth, scores, granularity=delta)
    with np.errstate(over="ignore"):
        assert area.low == rl.auc(truth, np.where(truth, scores - delta, scores))
        assert area.up == rl.auc(truth, np.where(truth, scores + delta, scores))


@given(level_samples(), EIGHTHS)
def test_clean_is_the_margin_curve_on_both_sides_of_zero(sample, delta):
    area = rl.granular_auc(*sample, granularity=delta)
    curve = rl.margin_curve(*sample)
    assert curve.at([delta, 0, -delta]).tolist() == [area.low, area.auc, area.up]


@given(weighted_samples(level_samples(), kinds=("counts",)), EIGHTHS)
def test_whole_weights_mean_repetition(sample, delta):
    truth, scores, weight = sample
    times = weight.astype(int)
    repeated = rl.Ranking(np.repeat(truth, times), np.repeat(scores, times))
    weighted = rl.Ranking(truth, scores, sample_weight=weight)
    areas = [rl.granular_auc(r, granularity=delta) for r in (weighted, repeated)]
    assert (areas[0].low, areas[0].up) == pytest.approx((areas[1].low, areas[1].up), abs=1e-14)
    for grid in (7, None):
        values = [rl.rho_auc(r, grid=grid) for r in (weighted, repeated)]
        assert values[0] == pytest.approx(values[1], abs=1e-12, nan_ok=True)
    curves = [rl.granular_roc(r, granularity=delta) for r in (weighted, repeated)]
    for side in ("low", "up"):
        for axis in ("fpr", "tpr", "thresholds"):
            of_weights, of_rows = (getattr(getattr(curve, side), axis) for curve in curves)
            np.testing.assert_allclose(of_weights, of_rows, rtol=0, atol=1e-14)


# Not with 64-bit integers: distances between those beyond 2^53 are refused.
@given(
    samples(finite=True, dtypes=["i4", "u4", "f2", "f4", "f8"]),
    st.lists(DISTANCES, min_size=2, max_size=5),
)
def test_clean_is_monotone_around_the_auc(sample, deltas):
    ranking = rl.Ranking(*sample)
    areas = [rl.granular_auc(ranking, granularity=delta) for delta in sorted(deltas)]
    lows, ups = [area.low for area in areas], [area.up for area in areas]
    assert lows == sorted(lows, reverse=True)
    assert ups == sorted(ups)
    assert all(0 <= area.low <= area.auc <= area.up <= 1 for area in areas)
    assert all(area.auc == rl.auc(ranking) for area in areas)


@given(level_samples())
def test_clean_is_the_auc_below_the_smallest_gap(sample):
    truth, scores = sample
    scores = scores + truth / 16  # on eighths apart from the negatives, so no two classes tie
    gaps = np.abs(scores[truth][:, None] - scores[~truth])
    area = rl.granular_auc(truth, scores, granularity=gaps.min() - 1 / 64)
    assert area.low == area.auc == area.up == rl.auc(truth, scores)
    at_the_gap = rl.granular_auc(truth, scores, granularity=gaps.min())
    assert at_the_gap.up - at_the_gap.low > 0


@given(level_samples(offset=1000.0), st.sampled_from([1 / 1024, 1.0, 1e3]))
def test_clean_reaches_the_ends_beyond_the_range(sample, beyond):
    truth, scores = sample
    delta = np.ptp(scores) + beyond
    area = rl.granular_auc(truth, scores, granularity=delta)
    assert (area.low, area.up) == (0.0, 1.0)
    assert rl.lambda_auc(truth, scores, granularity=delta) == 0.0


@given(level_samples(), EIGHTHS, st.sampled_from([0.25, 4.0]), st.sampled_from([-64.0, 1024.0]))
def test_shift_and_scale(sample, delta, scale, offset):
    truth, scores = sample
    moved = scores * scale + offset
    for definition in ("clean", "published"):
        area = rl.granular_auc(truth, scores, granularity=delta, definition=definition)
        other = rl.granular_auc(truth, moved, granularity=delta * scale, definition=definition)
        assert (area.low, area.auc, area.up) == (other.low, other.auc, other.up)


@given(level_samples(), EIGHTHS)
def test_swapping_the_labels_swaps_the_clean_curves(sample, delta):
    truth, scores = sample
    area = rl.granular_auc(truth, scores, granularity=delta)
    mirrored = rl.granular_auc(~truth, scores, granularity=delta)
    expected = (1 - area.up, 1 - area.low)
    assert (mirrored.low, mirrored.up) == pytest.approx(expected, abs=1e-15)


@given(
    weighted_samples(samples(dtypes=("f8", "f4", "i4"), finite=True, max_size=14)),
    st.booleans(),
    DISTANCES,
)
def test_clean_curves_have_the_points_of_the_twin(sample, weighted, delta):
    truth, scores, weight = sample
    weight = weight if weighted else None
    band = rl.granular_roc(truth, scores, sample_weight=weight, granularity=delta)
    for curve, shift in ((band.low, -delta), (band.up, delta)):
        points = twin.clean_points(truth, scores, shift, weight)
        expected = np.array([[float(value) for value in point] for point in points]).T
        np.testing.assert_allclose(curve.fpr, expected[0], rtol=0, atol=1e-12)
        np.testing.assert_allclose(curve.tpr, expected[1], rtol=0, atol=1e-12)
        assert curve.thresholds.tolist() == expected[2].tolist()
        assert not any(a.flags.writeable for a in (curve.fpr, curve.tpr, curve.thresholds))


@pytest.mark.parametrize("definition", ["clean", "published"])
@given(sample=level_samples(), delta=EIGHTHS)
def test_areas_are_those_under_the_curves(definition, sample, delta):
    band = rl.granular_roc(*sample, granularity=delta, definition=definition)
    area = rl.granular_auc(*sample, granularity=delta, definition=definition)
    for curve, value in ((band.low, area.low), (band.up, area.up)):
        points = list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))
        assert points[0] == (0, 0)
        assert points[-1] == (1, 1)
        assert float(twin.area(points)) == pytest.approx(value, abs=1e-12)


@given(samples(dtypes=SMALL_TYPES, finite=True, max_size=20), DISTANCES)
def test_published_has_the_points_of_the_twin(sample, delta):
    band = rl.granular_roc(*sample, granularity=delta, definition="published")
    area = rl.granular_auc(*sample, granularity=delta, definition="published")
    low, up = twin.published_points(*sample, delta)
    for curve, points, value in ((band.low, low, area.low), (band.up, up, area.up)):
        got = np.column_stack((curve.fpr, curve.tpr))
        np.testing.assert_allclose(got, np.array(points, dtype=float), rtol=0, atol=1e-12)
        assert value == pytest.approx(float(twin.area(points)), abs=1e-12)
    distinct = np.unique(sample[1])[::-1].astype(float)
    assert band.up.thresholds.tolist() == [np.inf, *distinct, -np.inf]


@given(level_samples(), EIGHTHS)
def test_published_without_ties_is_the_algorithm_on_rows(sample, delta):
    truth, scores = sample
    scores, index = np.unique(scores, return_index=True)
    truth = truth[index]
    assume(truth.any() and not truth.all())
    rows = list(zip(scores.tolist(), truth.tolist(), strict=True))[::-1]
    area = rl.granular_auc(truth, scores, granularity=delta, definition="published")
    expected = tuple(map(float, twin.published_rows(rows, delta)))
    assert (area.low, area.up) == pytest.approx(expected, abs=1e-12)


@given(level_samples(), st.sampled_from([0.0, 0.0625, 0.124]))
def test_published_is_the_auc_below_the_smallest_gap(sample, delta):
    area = rl.granular_auc(*sample, granularity=delta, definition="published")
    assert (area.low, area.up) == pytest.approx((area.auc, area.auc), abs=1e-14)


@pytest.mark.parametrize("definition", ["clean", "published"])
@given(sample=level_samples(), delta=EIGHTHS, random=st.randoms(use_true_random=False))
def test_row_order_does_not_matter(definition, sample, delta, random):
    truth, scores = sample
    order = random.sample(range(len(truth)), len(truth))
    options = {"granularity": delta, "definition": definition}
    assert rl.granular_auc(truth, scores, **options) == rl.granular_auc(
        truth[order], scores[order], **options
    )


@given(decimal_samples(), st.integers(0, 120))
def test_decimals_are_compared_exactly(sample, delta):
    truth, scores, steps = sample
    exact = [Fraction(k, 100) for k in steps]
    options = {"granularity": delta / 100, "decimals": 2}
    area = rl.granular_auc(truth, scores, **options)
    assert area.low == float(twin.theta(truth, exact, Fraction(-delta, 100), add=twin.exactly))
    assert area.up == float(twin.theta(truth, exact, Fraction(delta, 100), add=twin.exactly))
    # Whole numbers of steps are compared exactly in any case.
    whole = rl.granular_auc(truth, np.array(steps), granularity=delta)
    assert (area.low, area.auc, area.up) == (whole.low, whole.auc, whole.up)
    published = rl.granular_auc(truth, scores, definition="published", **options)
    low, up = twin.published_points(truth, exact, Fraction(delta, 100), add=twin.exactly)
    expected = (float(twin.area(low)), float(twin.area(up)))
    assert (published.low, published.up) == pytest.approx(expected, abs=1e-12)
    band = rl.granular_roc(truth, scores, **options)
    points = twin.clean_points(truth, exact, Fraction(delta, 100), add=twin.exactly)
    assert band.up.thresholds.tolist() == [float(point[2]) for point in points]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@given(steps=st.lists(st.integers(0, 100), min_size=2, max_size=20), delta=st.integers(0, 100))
def test_decimals_in_narrow_types_are_those_that_were_written(dtype, steps, delta):
    truth = np.arange(len(steps)) % 2 == 0
    scores = np.array([k / 100 for k in steps], dtype)
    area = rl.granular_auc(truth, scores, granularity=delta / 100, decimals=2)
    whole = rl.granular_auc(truth, np.array(steps), granularity=delta)
    assert (area.low, area.up) == (whole.low, whole.up)


@given(weighted_samples(level_samples(max_size=14), kinds=MILD_WEIGHTS), st.booleans())
def test_the_exact_integral_equals_the_twin(sample, weighted):
    truth, scores, weight = sample
    weight = weight if weighted else None
    assume(reference.auc(truth, scores, weight) > 0)
    scores = scores / 2  # gaps on both sides of 1
    parts = rl.measures.granular_parts(truth, scores, sample_weight=weight, grid=None)
    expected = twin.exact_areas(truth, scores, weight)
    got = (parts.up_area, parts.low_area)
    assert got == pytest.approx(tuple(map(float, expected)), abs=1e-12)
    value = rl.rho_auc(truth, scores, sample_weight=weight, grid=None)
    assert value == pytest.approx(twin.rho(*expected) * parts.auc, abs=1e-12)


@given(decimal_samples(), st.data())
def test_the_lower_integral_is_the_scored_auc(sample, data):
    truth, scores, _ = sample
    weight = data.draw(st.one_of(st.none(), weights(truth, MILD_WEIGHTS)))
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    assume(reference.auc(truth, scores, weight) > 0)
    for decimals in (None, 2):
        parts = rl.measures.granular_parts(ranking, grid=None, decimals=decimals)
        expected = ranking.summary.scored_auc / rl.auc(ranking)
        assert parts.low_area == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("definition", ["clean", "published"])
@given(sample=level_samples(max_size=16), grid=st.sampled_from([1, 2, 5, 16]))
def test_a_grid_is_the_trapezoid_rule(definition, sample, grid):
    auc = rl.auc(*sample)
    assume(auc > 0)
    areas = [
        rl.granular_auc(*sample, granularity=delta, definition=definition)
        for delta in np.linspace(0, 1, grid + 1)
    ]
    parts = rl.measures.granular_parts(*sample, grid=grid, definition=definition)
    assert parts.up_area == pytest.approx(twin.trapezoid([auc / a.up for a in areas]), abs=1e-12)
    assert parts.low_area == pytest.approx(twin.trapezoid([a.low / auc for a in areas]), abs=1e-12)
    assert parts.rho == pytest.approx(twin.rho(parts.up_area, parts.low_area), abs=1e-15)
    value = rl.rho_auc(*sample, grid=grid, definition=definition)
    assert value == pytest.approx(parts.rho * auc, abs=1e-15)


@given(level_samples(max_size=16))
def test_a_fine_grid_comes_close_to_the_exact_integral(sample):
    truth, scores = sample
    assume(rl.auc(truth, scores) > 0)
    exact = rl.measures.granular_parts(truth, scores, grid=None)
    grid = rl.measures.granular_parts(truth, scores, grid=64)
    # Both functions fall with the granularity, by 1 at most, so the trapezoids of an interval are
    # off by half of it times the fall within it.
    assert grid.low_area == pytest.approx(exact.low_area, abs=1 / 128)
    assert grid.up_area == pytest.approx(exact.up_area, abs=1 / 128)
    assert 0 <= exact.rho <= 1


@given(level_samples(), EIGHTHS)
def test_lambda(sample, delta):
    ranking = rl.Ranking(*sample)
    area = rl.granular_auc(ranking, granularity=delta)
    assume(area.up > 0)
    assert area.lambda_ == area.low / area.up
    assert 0 <= area.lambda_ <= 1
    assert rl.lambda_auc(ranking, granularity=delta) == area.lambda_ * area.auc


@pytest.mark.parametrize("size", [1000, 20_000, 70_000])
@pytest.mark.parametrize(
    "shape",
    [
        "uniform",
        "normal",
        "two decimals",
        "rare",
        "frequent",
        "float32",
        "crowded",
        "rare, crowded",
        "frequent, crowded",
        "lost in the sum",
    ],
)
def test_large_samples_equal_the_auc_of_moved_positives(size, shape):
    rng = np.random.default_rng(size)
    truth = rng.random(size) < {"rare": 0.02, "frequent": 0.98}.get(shape.split(",")[0], 0.4)
    scores = {
        "uniform": lambda: rng.random(size),
        "normal": lambda: rng.normal(size=size) + truth,
        "two decimals": lambda: np.round(rng.random(size), 2),
        "rare": lambda: rng.beta(2, 5, size),
        "frequent": lambda: np.round(rng.beta(2, 5, size), 5),
        "float32": lambda: rng.random(size).astype("f4"),
        "crowded": lambda: np.exp(rng.normal(scale=4, size=size)),
        # positives that become equal to one another, and to negatives, when they are moved
        "lost in the sum": lambda: np.where(
            truth, 1e-17 * rng.random(size), rng.integers(-3, 4, size) / 2
        ),
    }[shape.split(", ")[-1] if "crowded" in shape else shape]()
    for ranking in (
        rl.Ranking(truth, scores),
        rl.Ranking(truth, scores, sample_weight=np.ones(size)),
    ):
        classes = ShiftedClasses(ranking, ScoreScale(None))
        shifts = [-40.0, -0.99, -0.5, -0.02, 0.0, 0.02, 0.5, 0.99, 40.0]
        for shift, theta in zip(shifts, classes.thetas(shifts), strict=True):
            moved = np.where(truth, scores.astype(float) + shift, scores)
            assert theta == pytest.approx(rl.auc(truth, moved), abs=1e-15)


@pytest.mark.parametrize("definition", ["clean", "published"])
@pytest.mark.parametrize("share", [0.03, 0.5, 0.97])
def test_large_samples_have_the_areas_under_their_curves(definition, share, monkeypatch):
    rng = np.random.default_rng(3)
    truth = rng.random(30_000) < share
    ranking = rl.Ranking(truth, np.exp(rng.normal(size=len(truth)) + truth))
    grid = np.linspace(0, 1, 11)
    found = set()
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("ROCLAB_NUM_THREADS", threads)
        low, up = granular_areas(ranking, ScoreScale(None), definition, grid.tolist())
        found.add((*low.tolist(), *up.tolist()))
    assert len(found) == 1
    for k, delta in enumerate(grid):
        band = rl.granular_roc(ranking, granularity=delta, definition=definition)
        for curve, value in ((band.low, low[k]), (band.up, up[k])):
            expected = np.trapezoid(curve.tpr, curve.fpr)
            assert value == pytest.approx(expected, abs=1e-13)


# More scores of one class than of the other, so that either is looked up in the other.
@pytest.mark.parametrize("share", [0.02, 0.98])
def test_large_samples_in_decimals_are_compared_exactly(share):
    rng = np.random.default_rng(5)
    truth = rng.random(20_000) < share
    steps = rng.integers(0, 100_000, len(truth))
    classes = ShiftedClasses(rl.Ranking(truth, steps / 1e5), ScoreScale(5))
    shifts = [-100_000, -70_001, -3, 0, 1, 2_500, 100_000]
    for shift, theta in zip(shifts, classes.thetas(shifts), strict=True):
        assert theta == rl.auc(truth, np.where(truth, steps + shift, steps))


@given(one_class_samples(), st.sampled_from(["clean", "published"]))
def test_one_class_is_nan_with_a_warning(sample, definition):
    truth, scores = sample
    scores = np.nan_to_num(scores.astype(float), posinf=0, neginf=0)
    with pytest.warns(rl.UndefinedMeasureWarning):
        area = rl.granular_auc(truth, scores, definition=definition)
    assert np.isnan([area.low, area.auc, area.up, area.lambda_]).all()
    assert (area.granularity, area.definition) == (0.02, definition)
    with pytest.warns(rl.UndefinedMeasureWarning):
        band = rl.granular_roc(truth, scores, definition=definition)
    assert np.isnan([*band.low.fpr, *band.low.tpr, *band.up.fpr, *band.up.tpr]).all()
    for function in (rl.lambda_auc, rl.rho_auc):
        with pytest.warns(rl.UndefinedMeasureWarning):
            assert math.isnan(function(truth, scores, definition=definition))


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_an_auc_of_zero_leaves_rho_undefined(n_pos, n_neg, data):
    truth = np.repeat([True, False], [n_pos, n_neg])
    scores = np.where(truth, 0.25, 0.75)
    # The sums of weights are rounded, so that 1 less the lost pairs is not always 0.
    weight = data.draw(st.one_of(st.none(), weights(truth, MILD_WEIGHTS)))
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    for grid in (10, None):
        with pytest.warns(rl.UndefinedMeasureWarning, match="AUC is 0"):
            assert math.isnan(rl.rho_auc(ranking, grid=grid))
        with pytest.warns(rl.UndefinedMeasureWarning):
            parts = rl.measures.granular_parts(ranking, grid=grid)
        assert parts.auc == 0
        assert math.isnan(parts.rho)
    with pytest.warns(rl.UndefinedMeasureWarning, match="upper granular AUC is 0"):
        assert math.isnan(rl.lambda_auc(ranking, granularity=0.25))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(rl.granular_auc(ranking, granularity=0.25).lambda_)
        assert rl.lambda_auc(ranking, granularity=0.75) == 0.0
