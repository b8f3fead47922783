"""`interval`: any measure by resampling, against the fast engine where both can be asked."""

import math
import warnings

import numpy as np
import pytest
from scipy import special, stats

import roclab as rl
from roclab.measures import find_measure
from studies.coverage.panel_populations import PanelPopulation


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(4)
    y = np.arange(80) % 4 == 0
    return y, np.round(1 / (1 + np.exp(-rng.normal(size=80) - y)), 2)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_of_the_auc_it_is_what_auc_interval_gives(sample, method):
    found = rl.interval("auc", *sample, method=method, n_resamples=400, rng=1)
    expected = rl.auc_interval(*sample, method=method, n_resamples=400, rng=1)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert found.value == expected.value
    assert found.standard_error == pytest.approx(expected.standard_error, rel=0.2)


@pytest.mark.parametrize("stratified", [True, False])
def test_of_the_scored_auc_too(sample, stratified):
    options = {"n_resamples": 300, "rng": 3, "stratified": stratified}
    found = rl.interval(rl.scored_auc, *sample, method="bootstrap", **options)
    expected = rl.scored_auc_interval(*sample, method="bootstrap", **options)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_words_functions_and_options_are_the_same(sample):
    by_word = rl.interval("partial_auc(fpr_range=(0, 0.2))", *sample, rng=0, n_resamples=99)
    assert by_word == rl.interval(
        rl.partial_auc, *sample, fpr_range=(0, 0.2), rng=0, n_resamples=99
    )
    assert by_word.measure == "partial_auc(fpr_range=(0, 0.2))"
    assert by_word.low < by_word.value < by_word.high
    ranking = rl.Ranking(*sample)
    assert by_word == rl.interval("partial_auc(fpr_range=(0, 0.2))", ranking, rng=0, n_resamples=99)


# At this threshold all halves have the same net benefit.
@pytest.mark.filterwarnings("ignore::roclab.DegenerateIntervalWarning")
@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
def test_every_measure_of_one_number_has_one(sample):
    for measure in rl.list_measures().measures:
        if measure.single:
            found = rl.interval(measure.example, *sample, n_resamples=30, rng=0)
            assert found.low <= found.high, measure.name
            assert measure.low <= found.low, measure.name
            assert found.high <= measure.high, measure.name
            assert found.n_resamples == 30


def test_brier_score_against_scipy(sample):
    y, s = sample
    squares = (s - y) ** 2
    options = {"n_resamples": 4000, "rng": 0, "stratified": False}
    ours = rl.interval("brier_score", y, s, method="bootstrap", **options)
    theirs = stats.bootstrap((squares,), np.mean, n_resamples=4000, method="percentile", rng=0)
    ends = theirs.confidence_interval
    assert (ours.low, ours.high) == pytest.approx((ends.low, ends.high), abs=0.004)
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=0.06)
    bca = rl.interval("brier_score", y, s, n_resamples=4000, rng=0, method="bca")
    assert bca.low > ours.low - 0.01


def test_weights_and_clusters(sample):
    y, s = sample
    weights = np.tile([1, 2, 0, 3], 20)
    repeated = np.repeat(y, weights), np.repeat(s, weights)
    found = rl.interval("gini", y, s, sample_weight=weights, rng=0, n_resamples=50)
    assert found.value == pytest.approx(rl.gini(*repeated), rel=1e-12)
    by_cluster = rl.interval("gini", *repeated, cluster=np.repeat(np.arange(80), weights), rng=0)
    plain = rl.interval("gini", *repeated, rng=0)
    assert by_cluster.standard_error > 1.1 * plain.standard_error


def test_one_sided_ends_are_those_of_the_measure(sample):
    assert rl.interval("gini", *sample, alternative="less", rng=0, n_resamples=50).low == -1
    assert rl.interval("scored_auc", *sample, alternative="greater", rng=0).high == math.inf


def test_undefined_and_without_width():
    with pytest.warns(rl.UndefinedMeasureWarning, match="gini needs both classes") as caught:
        found = rl.interval("gini", [1, 1, 1], [1, 2, 3], n_resamples=10)
    assert len(caught) == 1
    assert math.isnan(found.low)
    assert found.n_resamples == 0
    with pytest.warns(rl.DegenerateIntervalWarning, match="zero width at gini 1"):
        rl.interval("gini", [0, 0, 1, 1], [1, 2, 3, 4], n_resamples=10, method="bootstrap")
    with pytest.warns(rl.UndefinedMeasureWarning, match="gini is undefined"):
        found = rl.interval("gini", [0, 0, 1], [1, 2, 1], n_resamples=10, method="bca", rng=0)
    assert math.isnan(found.high)


def test_what_is_refused(sample):
    with pytest.raises(rl.InputError, match="several parts"):
        rl.interval("granular_auc", *sample)
    with pytest.raises(rl.InputError, match="No measure 'acu'"):
        rl.interval("acu", *sample)
    with pytest.raises(rl.InputError, match="Choose 'half_sampling', 'bootstrap' or 'bca'"):
        rl.interval("auc", *sample, method="delong")
    with pytest.raises(rl.InputError, match="weights or clusters"):
        rl.interval("auc", *sample, method="bca", sample_weight=np.ones(80))
    with pytest.raises(rl.InputError, match="20,001 times, once per distinct"):
        rl.interval("auc", np.arange(20_001) % 2, np.arange(20_001), method="bca")


def test_an_infinite_measure():
    """A positive of probability 0 has an infinite log loss, and so have replicates with it."""
    y, s = [0, 0, 1, 1, 1], [0.2, 0.4, 0.0, 0.6, 0.9]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rl.interval("log_loss", y, s, rng=0)
    assert (found.value, found.high, found.standard_error) == (math.inf, math.inf, math.inf)
    assert 0 < found.low < 1
    with pytest.warns(rl.UndefinedMeasureWarning, match="ends are nan") as seen:
        corrected = rl.interval("log_loss", y, s, rng=0, method="bca")
    assert len(seen) == 1
    assert math.isnan(corrected.low)


def test_replicates_that_do_not_define_the_measure_are_left_out_silently():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rl.interval(
            "lambda_auc", [1, 0, 0], [0.3, 0.2, 0.9], rng=0, n_resamples=400, method="bootstrap"
        )
    assert found.n_resamples == pytest.approx(300, abs=40)  # not those of twice the last row


def test_a_measure_that_both_classes_do_not_define_speaks_for_itself():
    with pytest.warns(rl.UndefinedMeasureWarning) as seen:
        found = rl.interval("lambda_auc", [0, 0, 1, 1], [0.8, 0.9, 0.1, 0.2], rng=0)
    assert math.isnan(found.value)
    assert [str(one.message) for one in seen] == [
        "lambda AUC is undefined: the upper granular AUC is 0. The result is nan."
    ]


def coverage(measure, family, n_pos, n_neg, runs):
    population = PanelPopulation(family=family, auc=0.8)
    entry, options = find_measure(measure)

    def value(y, s, sample_weight=None):
        return entry.value_of(rl.Ranking(y, s, sample_weight=sample_weight), **options)

    truth = population.value(value, n_pos / (n_pos + n_neg))
    y = np.repeat([1, 0], [n_pos, n_neg])
    samples = zip(*population.draw(np.random.default_rng(3), n_pos, n_neg, runs), strict=True)
    found = [rl.interval(measure, y, np.concatenate(s), rng=0, n_resamples=60) for s in samples]
    return np.mean([one.low <= truth <= one.high for one in found])


def test_the_hull_is_not_repeated_by_halves():
    """Percentiles of the bootstrap covered the H-measure in 61 % of these samples."""
    assert coverage("h_measure", "equal", 20, 20, 60) >= 0.88


@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
def test_average_precision_of_ten_positives():
    """Percentiles of the bootstrap covered 82 to 88 %."""
    assert coverage("average_precision", "equal", 10, 100, 100) >= 0.9


def test_average_precision_that_few_negatives_determine_warns():
    """Its intervals covered 85 % for Student's t; the bootstrap makes no promise."""
    y = [0] * 200 + [1] * 10
    # The fifth of the positives is the lowest one of which half are not above.
    few, enough = ([4] * high + [-1] * (200 - high) + [*range(10)] for high in (19, 20))
    with pytest.warns(rl.SmallSampleWarning, match="19 negative examples score as high"):
        rl.interval("average_precision", y, few, n_resamples=20, rng=0)
    rl.interval("average_precision", y, few, n_resamples=20, rng=0, method="bootstrap")
    rl.interval("average_precision", y, enough, n_resamples=20, rng=0)


@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
@pytest.mark.parametrize("measure", ["average_precision", "partial_auc(fpr_range=(0, 0.2))"])
def test_near_its_bound_a_measure_of_the_ranking_varies_as_a_proportion(measure):
    """The ends are at least those of Wilson's interval with the mixed dispersion."""
    rng = np.random.default_rng(3)
    y = np.arange(120) < 20
    s = y * 3.0 + rng.standard_normal(120)
    s[25] = 9.0  # a negative at the top
    found = rl.interval(measure, y, s, n_resamples=400, rng=0)
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
    found = rl.interval("brier_score", y, s, n_resamples=2000, rng=0)
    parts = [squares[y == side] for side in (True, False)]
    variance = sum(part.var(ddof=1) * len(part) for part in parts) / len(y) ** 2
    assert found.standard_error == pytest.approx(math.sqrt(variance), rel=0.05)
    df = 80**2 * 19 * 59 / (20**2 * 19 + 60**2 * 59)
    value = squares.mean()
    margin = stats.t.ppf(0.975, df) * found.standard_error / (value * (1 - value))
    expected = special.expit(special.logit(value) + np.array([-margin, margin]))
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-9)
    again = rl.interval("brier_score", y, s, n_resamples=2000, rng=0)
    assert again == found


@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
def test_halves_that_all_agree_have_wilsons_interval():
    found = rl.interval("average_precision", [0] * 20 + [1] * 5, range(25), n_resamples=20)
    w = stats.t.ppf(0.975, 25**2 * 4 * 19 / (5**2 * 4 + 20**2 * 19)) ** 2 / 5
    assert found.value == found.high == 1
    assert found.low == pytest.approx(1 / (1 + w), rel=1e-12)
    one = rl.interval("average_precision", [0, 0, 1], [1, 2, 3], n_resamples=20)
    assert (one.low, one.high) == (0, 1)


def test_halves_of_clusters_and_of_all_rows(sample):
    y, s = sample
    cluster = np.arange(80) // 4
    by_cluster = rl.interval("gini", y, s, cluster=cluster, rng=0, n_resamples=200)
    unstratified = rl.interval("gini", y, s, stratified=False, rng=0, n_resamples=200)
    assert by_cluster.low < by_cluster.value < by_cluster.high
    assert unstratified.low < unstratified.value < unstratified.high
    with pytest.warns(rl.UndefinedMeasureWarning, match="two clusters"):
        rl.interval("gini", y, s, cluster=np.zeros(80), n_resamples=20)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_an_interval_stays_within_the_range_that_the_options_allow(alternative):
    found = rl.interval(
        "partial_auc(fpr_range=(0, 0.2), tpr_range=(0.5, 1))",
        [0, 1, 0, 1, 0, 1, 0, 1],
        [0.1, 0.4, 0.3, 0.8, 0.2, 0.9, 0.5, 0.7],
        alternative=alternative,
        rng=0,
    )
    assert 0 <= found.low <= found.value <= found.high <= 0.2 * 0.5
    assert rl.find_measure("partial_auc(fpr_range=(0, 0.1))")[0].high == 1
