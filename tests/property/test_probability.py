"""Brier score, its parts, log loss, accuracy and calibration error against twins and peers."""

import numpy as np
import pytest
import reference_probability as twin
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.calibration import calibration_curve
from strategies import samples, truths, weights

import roclab as rl

BINS = st.sampled_from([None, 1, 2, 3, 5, 10, 40])
STRATEGIES = st.sampled_from(["uniform", "quantile"])
NORMS = st.sampled_from(["l1", "l2", "max"])


@st.composite
def forecasts(draw, kinds=("none", "counts", "importance", "with zeros")):
    """(truth, probabilities, weights or None), with ties and the ends 0 and 1."""
    size = draw(st.integers(2, 40))
    value = draw(
        st.sampled_from(
            [
                st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0]),
                st.integers(0, 20).map(lambda k: k / 20),
                st.floats(0, 1),
            ]
        )
    )
    scores = np.array(draw(st.lists(value, min_size=size, max_size=size)))
    truth = draw(truths(size))
    kind = draw(st.sampled_from(kinds))
    return truth, scores, None if kind == "none" else draw(weights(truth, kinds=(kind,)))


def keywords(sample):
    truth, scores, weight = sample
    return (truth, scores), {} if weight is None else {"sample_weight": weight}


@given(forecasts())
def test_brier_score(sample):
    arrays, weight = keywords(sample)
    value = rl.brier_score(*arrays, **weight)
    assert value == pytest.approx(float(twin.brier_score(*sample)), abs=1e-14)
    assert value == pytest.approx(metrics.brier_score_loss(*arrays, **weight), abs=1e-12)


@given(forecasts(), st.sampled_from([0.0, 1e-15, 0.01, 0.4]))
def test_log_loss(sample, clip):
    arrays, weight = keywords(sample)
    value = rl.log_loss(*arrays, clip=clip, **weight)
    assert value == pytest.approx(twin.log_loss(*sample, clip=clip), rel=1e-13, abs=1e-15)


@given(forecasts())
def test_log_loss_clipped_as_scikit_learn_does(sample):
    arrays, weight = keywords(sample)
    value = rl.log_loss(*arrays, clip=np.finfo(float).eps, **weight)
    assert value == pytest.approx(metrics.log_loss(*arrays, **weight), abs=1e-12)


@given(samples(max_size=12), st.data())
def test_accuracy(sample, data):
    truth, scores = sample
    threshold = data.draw(st.sampled_from([0.5, 0, *scores.tolist()]))
    value = rl.measures.accuracy(truth, scores, threshold=threshold)
    assert value == float(np.mean((scores >= threshold) == truth))


@given(forecasts(), st.sampled_from([0.1, 0.25, 0.5, 1.0]))
def test_accuracy_with_weights(sample, threshold):
    arrays, weight = keywords(sample)
    value = rl.measures.accuracy(*arrays, threshold=threshold, **weight)
    assert value == pytest.approx(float(twin.accuracy(*sample, threshold=threshold)), abs=1e-14)
    called = arrays[1] >= threshold
    assert value == pytest.approx(metrics.accuracy_score(arrays[0], called, **weight), abs=1e-12)


@given(forecasts(), st.sampled_from([None, 1, 3, 10]))
def test_brier_parts(sample, bins):
    arrays, weight = keywords(sample)
    parts = rl.measures.brier_parts(*arrays, n_bins=bins, **weight)
    found = list(parts.to_dict().values())[1:]
    expected = [float(part) for part in twin.brier_parts(*sample, bins=bins)]
    assert found == pytest.approx(expected, abs=1e-14)


@given(forecasts(), BINS, STRATEGIES)
def test_the_parts_make_the_brier_score(sample, bins, strategy):
    arrays, weight = keywords(sample)
    parts = rl.measures.brier_parts(*arrays, n_bins=bins, strategy=strategy, **weight)
    within = parts.within_variance - parts.within_covariance
    total = parts.reliability - parts.resolution + parts.uncertainty + within
    assert parts.score == rl.brier_score(*arrays, **weight)
    assert total == pytest.approx(parts.score, abs=1e-14)
    if bins is None:
        assert parts.within_variance == parts.within_covariance == 0


@given(forecasts(), BINS, STRATEGIES)
def test_reliability_is_the_squared_calibration_error(sample, bins, strategy):
    arrays, weight = keywords(sample)
    options = {"n_bins": bins, "strategy": strategy} | weight
    error = rl.calibration_error(*arrays, norm="l2", **options)
    assert error.value**2 == pytest.approx(
        rl.measures.brier_parts(*arrays, **options).reliability, abs=1e-15
    )


@given(forecasts(), BINS, NORMS)
def test_calibration_error_in_bins_of_equal_width(sample, bins, norm):
    arrays, weight = keywords(sample)
    error = rl.calibration_error(*arrays, n_bins=bins, norm=norm, **weight)
    expected = twin.calibration_error(*sample, bins=bins, norm=norm)
    assert error.value == pytest.approx(float(expected), abs=1e-13)


# Where a boundary between bins of equal mass falls into the middle of a score's mass, rounding of
# sums of weights decides; so these weights are such as sum without rounding.
@given(forecasts(kinds=("none", "counts")), BINS, NORMS)
def test_calibration_error_in_bins_of_equal_mass(sample, bins, norm):
    arrays, weight = keywords(sample)
    options = {"strategy": "quantile", "norm": norm}
    error = rl.calibration_error(*arrays, n_bins=bins, **options, **weight)
    expected = twin.calibration_error(*sample, bins=bins, **options)
    assert error.value == pytest.approx(float(expected), abs=1e-13)
    described = twin.table(*sample, bins=bins, strategy="quantile")
    assert error.weight == pytest.approx([float(w) for w, _, _ in described], abs=1e-14)


@given(st.integers(1, 60), st.integers(1, 12))
def test_bins_of_equal_mass_differ_by_one_example_at_most(size, bins):
    error = rl.calibration_error(
        np.arange(size) % 2, np.arange(size) / size, n_bins=bins, strategy="quantile"
    )
    assert error.count.sum() == size
    assert len(error) == min(bins, size)
    assert error.count.max() - error.count.min() <= 1


@given(forecasts(kinds=("none",)), st.sampled_from([1, 2, 4, 5, 8, 10]))
def test_bins_are_those_of_scikit_learn(sample, bins):
    truth, scores, _ = sample
    share, mean_score = calibration_curve(truth, scores, n_bins=bins)
    error = rl.calibration_error(truth, scores, n_bins=bins)
    assert error.share == pytest.approx(share, abs=1e-14)
    assert error.mean_score == pytest.approx(mean_score, abs=1e-14)


@given(forecasts(), BINS, STRATEGIES, st.sampled_from([0.5, 0.95, 0.999]))
def test_intervals_of_the_shares_invert_the_score_test(sample, bins, strategy, level):
    arrays, weight = keywords(sample)
    error = rl.calibration_error(
        *arrays, n_bins=bins, strategy=strategy, confidence_level=level, **weight
    )
    z = {0.5: 0.6744897501960817, 0.95: 1.959963984540054, 0.999: 3.2905267314918945}[level]
    assert ((error.share_low >= 0) & (error.share_low <= error.share)).all()
    assert ((error.share_high <= 1) & (error.share_high >= error.share)).all()
    for end in (error.share_low, error.share_high):
        inside = (end > 0) & (end < 1)
        deviation = np.abs(end - error.share)[inside]
        spread = np.sqrt(end * (1 - end) / error.count)[inside]
        assert deviation == pytest.approx(z * spread, abs=1e-9)


MEASURES = {
    "brier_score": rl.brier_score,
    "log_loss": lambda *a, **k: rl.log_loss(*a, clip=0.01, **k),
    "accuracy": rl.measures.accuracy,
    "calibration_error": lambda *a, **k: rl.calibration_error(*a, n_bins=7, **k).value,
    "calibration_error, quantile": lambda *a, **k: (
        rl.calibration_error(*a, n_bins=7, strategy="quantile", norm="max", **k).value
    ),
    "resolution": lambda *a, **k: rl.measures.brier_parts(*a, n_bins=4, **k).resolution,
}


@given(forecasts(kinds=("counts",)))
def test_whole_weights_mean_repetition(sample):
    truth, scores, weight = sample
    times = weight.astype(int)
    for name, function in MEASURES.items():
        repeated = function(np.repeat(truth, times), np.repeat(scores, times))
        value = function(truth, scores, sample_weight=weight)
        assert value == pytest.approx(repeated, abs=1e-13), name


@given(forecasts(kinds=("none",)), st.randoms(use_true_random=False))
def test_row_order_does_not_matter_and_rankings_are_accepted(sample, random):
    truth, scores, _ = sample
    order = random.sample(range(len(truth)), len(truth))
    for name, function in MEASURES.items():
        value = function(truth, scores)
        assert function(truth[order], scores[order]) == value, name
        assert function(rl.Ranking(truth, scores)) == value, name


@given(forecasts(kinds=("none",)))
def test_one_class_is_enough(sample):
    _, scores, _ = sample
    assume(scores.max() < 1)
    none = np.zeros(len(scores), bool)
    assert rl.brier_score(none, scores) == pytest.approx(np.mean(scores**2), abs=1e-14)
    assert rl.log_loss(none, scores) == pytest.approx(-np.mean(np.log1p(-scores)), rel=1e-12)
    assert rl.measures.accuracy(none, scores, threshold=2) == 1
    assert rl.measures.brier_parts(none, scores).uncertainty == 0
    assert rl.calibration_error(none, scores, n_bins=1).value == pytest.approx(scores.mean())


@given(truths(10))
def test_integer_scores_are_certainties(truth):
    assert rl.brier_score(truth, truth.astype(int)) == 0
    assert rl.log_loss(truth, truth.astype(np.uint8)) == 0
    assert rl.log_loss(truth, (~truth).astype(np.int8)) == np.inf
    assert rl.calibration_error(truth, (~truth).astype(int)).value == 1


def test_a_threshold_is_read_in_the_type_of_the_scores():
    scores = np.array([0.7, 0.1], np.float32)  # the nearest float32 to 0.7 is below it
    assert rl.measures.accuracy([1, 0], scores, threshold=0.7) == 1
