"""`interval`: any measure by resampling, against the fast engine where both can be asked."""

import math
import warnings

import numpy as np
import pytest
from populations import POPULATIONS
from scipy import special, stats

import roclab as rl
from roclab.measures import find_measure


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(4)
    y = np.arange(80) % 4 == 0
    return y, np.round(1 / (1 + np.exp(-rng.normal(size=80) - y)), 2)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_of_the_auc_it_is_what_auc_interval_gives(sample, method):
    found = rl.interval(*sample, measure="auc", method=method, n_resamples=400, rng=1)
    expected = rl.auc_interval(*sample, method=method, n_resamples=400, rng=1)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert found.value == expected.value
    assert found.standard_error == pytest.approx(expected.standard_error, rel=0.2)


@pytest.mark.parametrize("stratified", [True, False])
def test_of_the_scored_auc_too(sample, stratified):
    options = {"n_resamples": 300, "rng": 3, "stratified": stratified}
    found = rl.interval(*sample, measure=rl.scored_auc, method="bootstrap", **options)
    expected = rl.scored_auc_interval(*sample, method="bootstrap", **options)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_words_functions_and_options_are_the_same(sample):
    by_word = rl.interval(*sample, measure="partial_auc(fpr_range=(0, 0.2))", rng=0, n_resamples=99)
    assert by_word == rl.interval(
        *sample, measure=rl.partial_auc, fpr_range=(0, 0.2), rng=0, n_resamples=99
    )
    assert by_word.measure == "partial_auc(fpr_range=(0, 0.2))"
    assert by_word.low < by_word.value < by_word.high
    ranking = rl.Ranking(*sample)
    assert by_word == rl.interval(
        ranking, measure="partial_auc(fpr_range=(0, 0.2))", rng=0, n_resamples=99
    )


# At this threshold all halves have the same net benefit.
@pytest.mark.filterwarnings("ignore::roclab.DegenerateIntervalWarning")
@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
def test_every_measure_of_one_number_has_one(sample):
    for measure in rl.list_measures().measures:
        if measure.single:
            found = rl.interval(*sample, measure=measure.example, n_resamples=30, rng=0)
            assert found.low <= found.high, measure.name
            assert measure.low <= found.low, measure.name
            assert found.high <= measure.high, measure.name
            closed = measure.name in ("auc", "gini", "scored_auc") and "(" not in measure.example
            assert found.n_resamples == (None if closed else 30)


def test_brier_score_against_scipy(sample):
    y, s = sample
    squares = (s - y) ** 2
    options = {"n_resamples": 4000, "rng": 0, "stratified": False}
    ours = rl.interval(y, s, measure="brier_score", method="bootstrap", **options)
    # SciPy calls random_state rng from 1.15 on.
    draws = {"n_resamples": 4000, "random_state": np.random.default_rng(0)}
    theirs = stats.bootstrap((squares,), np.mean, method="percentile", **draws)
    ends = theirs.confidence_interval
    assert (ours.low, ours.high) == pytest.approx((ends.low, ends.high), abs=0.004)
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=0.06)
    bca = rl.interval(y, s, measure="brier_score", n_resamples=4000, rng=0, method="bca")
    assert bca.low > ours.low - 0.01


def test_weights_and_clusters(sample):
    y, s = sample
    weights = np.tile([1, 2, 0, 3], 20)
    repeated = np.repeat(y, weights), np.repeat(s, weights)
    halves = {"measure": "gini", "method": "half_sampling", "rng": 0}
    found = rl.interval(y, s, sample_weight=weights, n_resamples=50, **halves)
    assert found.value == pytest.approx(rl.gini(*repeated), rel=1e-12)
    by_cluster = rl.interval(*repeated, cluster=np.repeat(np.arange(80), weights), **halves)
    plain = rl.interval(*repeated, **halves)
    assert by_cluster.standard_error > 1.1 * plain.standard_error


@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
def test_one_sided_ends_are_those_of_the_measure(sample):
    for method in ("auto", "half_sampling"):
        options = {"method": method, "rng": 0, "n_resamples": 50}
        gini = rl.interval(*sample, measure="gini", alternative="less", **options)
        assert gini.low == -1
        scored = rl.interval(*sample, measure="scored_auc", alternative="greater", **options)
        assert scored.high == math.inf


def test_undefined_and_without_width():
    with pytest.warns(rl.UndefinedMeasureWarning, match="gini needs both classes") as caught:
        found = rl.interval(
            [1, 1, 1], [1, 2, 3], measure="gini", method="half_sampling", n_resamples=10
        )
    assert len(caught) == 1
    assert math.isnan(found.low)
    assert found.n_resamples == 0
    with pytest.warns(rl.DegenerateIntervalWarning, match="zero width at gini 1"):
        rl.interval([0, 0, 1, 1], [1, 2, 3, 4], measure="gini", n_resamples=10, method="bootstrap")
    with pytest.warns(rl.UndefinedMeasureWarning, match="gini is undefined"):
        found = rl.interval(
            [0, 0, 1], [1, 2, 1], measure="gini", n_resamples=10, method="bca", rng=0
        )
    assert math.isnan(found.high)


def test_what_is_refused(sample):
    with pytest.raises(rl.InputError, match="several parts"):
        rl.interval(*sample, measure="granular_auc")
    with pytest.raises(rl.InputError, match="No measure 'acu'"):
        rl.interval(*sample, measure="acu")
    with pytest.raises(rl.InputError, match="Choose 'auto', 'half_sampling', 'bootstrap' or 'bca'"):
        rl.interval(*sample, measure="auc", method="delong")
    with pytest.raises(rl.InputError, match="weights or clusters"):
        rl.interval(*sample, measure="auc", method="bca", sample_weight=np.ones(80))
    with pytest.raises(rl.InputError, match="20,001 times, once per distinct"):
        rl.interval(np.arange(20_001) % 2, np.arange(20_001), measure="auc", method="bca")


def test_an_infinite_measure():
    """A positive of probability 0 has an infinite log loss, and so have replicates with it."""
    y, s = [0, 0, 1, 1, 1], [0.2, 0.4, 0.0, 0.6, 0.9]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rl.interval(y, s, measure="log_loss", rng=0)
    assert (found.value, found.high, found.standard_error) == (math.inf, math.inf, math.inf)
    assert 0 < found.low < 1
    with pytest.warns(rl.UndefinedMeasureWarning, match="ends are nan") as seen:
        corrected = rl.interval(y, s, measure="log_loss", rng=0, method="bca")
    assert len(seen) == 1
    assert math.isnan(corrected.low)


def test_replicates_that_do_not_define_the_measure_are_left_out_silently():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rl.interval(
            [1, 0, 0],
            [0.3, 0.2, 0.9],
            measure="lambda_auc",
            rng=0,
            n_resamples=400,
            method="bootstrap",
        )
    assert found.n_resamples == pytest.approx(300, abs=40)  # not those of twice the last row


def test_a_measure_that_both_classes_do_not_define_speaks_for_itself():
    with pytest.warns(rl.UndefinedMeasureWarning) as seen:
        found = rl.interval([0, 0, 1, 1], [0.8, 0.9, 0.1, 0.2], measure="lambda_auc", rng=0)
    assert math.isnan(found.value)
    assert [str(one.message) for one in seen] == [
        "lambda AUC is undefined: the upper granular AUC is 0. The result is nan."
    ]


def coverage(measure, family, n_pos, n_neg, runs):
    population = POPULATIONS[family]
    entry, options = find_measure(measure)

    def value(y, s, sample_weight=None):
        return entry.value_of(rl.Ranking(y, s, sample_weight=sample_weight), **options)

    truth = population.value(value, n_pos / (n_pos + n_neg))
    y = np.repeat([1, 0], [n_pos, n_neg])
    samples = zip(*population.draw(np.random.default_rng(3), n_pos, n_neg, runs), strict=True)
    found = [
        rl.interval(y, np.concatenate(s), measure=measure, rng=0, n_resamples=60) for s in samples
    ]
    return np.mean([one.low <= truth <= one.high for one in found])


def test_the_hull_is_not_repeated_by_halves():
    """Percentiles of the bootstrap covered the H-measure in 61 % of these samples."""
    assert coverage("h_measure", "normal", 20, 20, 60) >= 0.88


@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
def test_average_precision_of_ten_positives():
    """Percentiles of the bootstrap covered 82 to 88 %."""
    assert coverage("average_precision", "normal", 10, 100, 100) >= 0.9


def test_average_precision_that_few_negatives_determine_warns():
    """Its intervals covered 85 % for Student's t; the bootstrap makes no promise."""
    y = [0] * 200 + [1] * 10
    # The fifth of the positives is the lowest one of which half are not above.
    few, enough = ([4] * high + [-1] * (200 - high) + [*range(10)] for high in (19, 20))
    with pytest.warns(rl.SmallSampleWarning, match="19 negative examples score as high"):
        rl.interval(y, few, measure="average_precision", n_resamples=20, rng=0)
    rl.interval(y, few, measure="average_precision", n_resamples=20, rng=0, method="bootstrap")
    rl.interval(y, enough, measure="average_precision", n_resamples=20, rng=0)


@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
@pytest.mark.parametrize("measure", ["average_precision", "partial_auc(fpr_range=(0, 0.2))"])
def test_near_its_bound_a_measure_of_the_ranking_varies_as_a_proportion(measure):
    """The ends are at least those of Wilson's interval with the mixed dispersion."""
    rng = np.random.default_rng(3)
    y = np.arange(120) < 20
    s = y * 3.0 + rng.standard_normal(120)
    s[25] = 9.0  # a negative at the top
    found = rl.interval(y, s, measure=measure, n_resamples=400, rng=0)
    entry, options = rl.find_measure(measure)
    span = entry.range_with(options)[1]
    halves = rl.inference.estimation.resampling.half_samples(
        lambda ranking: entry.value_of(ranking, **options),
        [rl.Ranking(y, s)],
        rl.inference.estimation.resampling.Draws.of(400, 0),
    )[:, 0]
    value, halves = found.value / span, halves / span
    bias = (halves.mean() - value) / (2 ** (2 / 3) - 1)
    error = math.hypot(halves.std(ddof=1), bias)
    df = 120**2 * 19 * 99 / (20**2 * 19 + 100**2 * 99)
    informative = 4 * df * value * (1 - value)
    centre = value - bias
    weight = informative**2 / (30 + informative**2)
    dispersion = weight * error**2 / (centre * (1 - centre)) + (1 - weight) / 20
    w = stats.t.ppf(0.975, df) ** 2 * dispersion
    roots = np.roots([1 + w, -(2 * centre + w), centre**2])
    margin = stats.t.ppf(0.975, df) * error / (centre * (1 - centre))
    logit = special.expit(special.logit(centre) + np.array([-margin, margin]))
    assert found.low == pytest.approx(span * min(*roots, *logit), rel=1e-9)
    assert found.high == pytest.approx(span * max(*roots, *logit, value), rel=1e-9)


def test_halves_of_a_mean(sample):
    """Of a mean they have no bias, and the standard error of the textbook."""
    y, s = sample
    squares = (s - y) ** 2
    found = rl.interval(y, s, measure="brier_score", n_resamples=2000, rng=0)
    parts = [squares[y == side] for side in (True, False)]
    variance = sum(part.var(ddof=1) * len(part) for part in parts) / len(y) ** 2
    assert found.standard_error == pytest.approx(math.sqrt(variance), rel=0.05)
    df = 80**2 * 19 * 59 / (20**2 * 19 + 60**2 * 59)
    value = squares.mean()
    margin = stats.t.ppf(0.975, df) * found.standard_error / (value * (1 - value))
    expected = special.expit(special.logit(value) + np.array([-margin, margin]))
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-9)
    again = rl.interval(y, s, measure="brier_score", n_resamples=2000, rng=0)
    assert again == found


@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
def test_halves_that_all_agree_have_wilsons_interval():
    found = rl.interval([0] * 20 + [1] * 5, range(25), measure="average_precision", n_resamples=20)
    w = stats.t.ppf(0.975, 25**2 * 4 * 19 / (5**2 * 4 + 20**2 * 19)) ** 2 / 5
    assert found.value == found.high == 1
    assert found.low == pytest.approx(1 / (1 + w), rel=1e-12)
    one = rl.interval([0, 0, 1], [1, 2, 3], measure="average_precision", n_resamples=20)
    assert (one.low, one.high) == (0, 1)


def test_halves_of_clusters_and_of_all_rows(sample):
    y, s = sample
    cluster = np.arange(80) // 4
    halves = {"measure": "gini", "method": "half_sampling", "rng": 0}
    by_cluster = rl.interval(y, s, **halves, cluster=cluster, n_resamples=200)
    unstratified = rl.interval(y, s, **halves, stratified=False, n_resamples=200)
    assert by_cluster.low < by_cluster.value < by_cluster.high
    assert unstratified.low < unstratified.value < unstratified.high
    with pytest.warns(rl.UndefinedMeasureWarning, match="two clusters"):
        rl.interval(y, s, **halves, cluster=np.zeros(80), n_resamples=20)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_an_interval_stays_within_the_range_that_the_options_allow(alternative):
    found = rl.interval(
        [0, 1, 0, 1, 0, 1, 0, 1],
        [0.1, 0.4, 0.3, 0.8, 0.2, 0.9, 0.5, 0.7],
        measure="partial_auc(fpr_range=(0, 0.2), tpr_range=(0.5, 1))",
        alternative=alternative,
        rng=0,
    )
    assert 0 <= found.low <= found.value <= found.high <= 0.2 * 0.5
    assert rl.find_measure("partial_auc(fpr_range=(0, 0.1))")[0].high == 1


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
def test_closed_forms_are_those_of_the_functions_for_one_measure(side):
    rng = np.random.default_rng(4)
    y = np.arange(60) % 2
    s = rng.normal(size=60) + y
    options = {"alternative": side, "confidence_level": 0.9, "cluster": np.arange(60) // 2}
    auc = rl.auc_interval(y, s, **options)
    assert rl.interval(y, s, measure="auc", **options) == auc
    found = rl.interval(y, s, measure="scored_auc", **options)
    assert found == rl.scored_auc_interval(y, s, **options)
    gini = rl.interval(y, s, measure="gini", **options)
    assert (gini.measure, gini.value) == ("gini", rl.gini(y, s))
    assert (gini.low, gini.high) == (2 * auc.low - 1, 2 * auc.high - 1)
    assert gini.standard_error == 2 * auc.standard_error
    # Options change the measure.
    found = rl.interval(y, s, measure="scored_auc", normalize=True, rng=0, n_resamples=50)
    assert found.method == "half_sampling"
