"""AUCComparison: identical and degenerate models, methods, options, what is refused and printed."""

import json
import math
import warnings

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

import roclab as rl
from roclab.inference.comparison.paired import compare_auc
from roclab.inference.comparison.unpaired import (
    AUCComparison,
    compare_independent_auc,
    compare_to_value,
)

Y = np.array([0, 1, 0, 1])
A = [0.1, 0.4, 0.4, 0.8]
B = [0.1, 0.4, 0.8, 0.9]
SIDES = ("two-sided", "less", "greater")
DELONG = {"method": "delong"}
RNG = np.random.default_rng(12)
TRUTH = RNG.random(80) < 0.4
GOOD = np.round(RNG.normal(size=80) + 1.5 * TRUTH, 1)
POOR = np.round(0.5 * GOOD + RNG.normal(size=80), 1)


def test_fields():
    result = compare_auc(Y, A, B, method="delong")
    assert isinstance(result, AUCComparison)
    assert (result.value_a, result.value_b, result.difference) == (7 / 8, 3 / 4, 1 / 8)
    assert (result.n_pos, result.n_neg, result.n_pos_b, result.n_neg_b) == (2, 2, None, None)
    assert result.standard_error == pytest.approx(math.sqrt(1 / 32), rel=1e-15, abs=0)
    assert result.statistic == pytest.approx(1 / 8 / math.sqrt(1 / 32), rel=1e-15, abs=0)
    assert (result.method, result.paired, result.df, result.margin) == ("delong", True, None, None)
    assert json.loads(json.dumps(result.to_dict())) == result.to_dict()


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (
            lambda: compare_auc(Y, A, B),
            "AUC 0.875 - 0.750 = 0.125 [-0.245, 0.478], 95 % MOVER, p = 0.52, 2+ 2-",
        ),
        (
            lambda: compare_auc(Y, A, B, method="delong"),
            "AUC 0.875 - 0.750 = 0.125 [-0.221, 0.471], 95 % DeLong, p = 0.48, 2+ 2-",
        ),
        (
            lambda: compare_auc(Y, A, B, method="delong", alternative="equivalent", margin=0.2),
            "AUC 0.875 - 0.750 = 0.125 [-0.166, 0.416], 90 % DeLong, p = 0.34, 2+ 2-",
        ),
        (
            lambda: compare_independent_auc(
                rl.Ranking(Y, A), rl.Ranking(Y[:3], B[:3]), method="delong"
            ),
            "AUC 0.875 - 0.500 = 0.375 [nan, nan], 95 % DeLong, p = nan, 2+ 2- against 1+ 2-",
        ),
        (
            lambda: compare_auc(TRUTH, GOOD, -GOOD, method="delong"),
            "AUC 0.890 - 0.110 = 0.780 [0.630, 0.931], 95 % DeLong, p < 0.0001, 28+ 52-",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::roclab.UndefinedMeasureWarning")
def test_what_is_printed(result, text):
    assert repr(result()) == text


@pytest.mark.parametrize("method", ["auto", "delong", "bootstrap", "permutation"])
@pytest.mark.parametrize("alternative", SIDES)
def test_identical_models(method, alternative):
    """The same order is enough; no warning, and no interval without width."""
    result = compare_auc(
        TRUTH, GOOD, np.exp(GOOD), method=method, alternative=alternative, n_resamples=50, rng=0
    )
    assert result.difference == 0
    assert result.statistic == 0
    assert result.pvalue == 1
    assert result.standard_error == 0
    n = min(TRUTH.sum(), (~TRUTH).sum())
    error = 0.025 if alternative == "two-sided" else 0.05
    reach = 1 - error ** (1 / n)
    low = -1 if alternative == "less" else -reach
    high = 1 if alternative == "greater" else reach
    assert (result.low, result.high) == pytest.approx((low, high), rel=1e-12, abs=0)


@pytest.mark.parametrize("alternative", ["noninferior", "equivalent"])
def test_identical_models_are_not_proof_of_equivalence(alternative):
    """(1 - margin)^n: two perfect models over few rows may differ for all that is known."""
    with pytest.warns(rl.DegenerateIntervalWarning, match="not certainty"):
        few = compare_auc([0, 0, 1, 1], [1, 2, 3, 4], [1, 2, 3, 4], alternative=alternative,
                          margin=0.1)  # fmt: skip
    assert few.pvalue == pytest.approx(0.9**2)
    many = np.arange(400)
    with pytest.warns(rl.DegenerateIntervalWarning):
        result = compare_auc(many % 2, many, many, alternative=alternative, margin=0.05)
    assert result.pvalue == pytest.approx(0.95**200)
    assert result.low == pytest.approx(-(1 - 0.05 ** (1 / 200)))
    assert math.isnan(result.statistic)


@pytest.mark.parametrize("n", [2, 5, 30])
def test_a_variance_of_zero_is_no_certainty(n):
    truth = np.repeat([1, 0], n)
    with pytest.warns(rl.DegenerateIntervalWarning, match=r"difference 0\.5 is 0") as seen:
        result = compare_auc(truth, truth, np.zeros(2 * n), method="delong")
    assert len(seen) == 1
    assert result.difference == 0.5
    assert result.standard_error == 0
    assert math.isnan(result.statistic)
    assert result.method == "score"
    assert 0 < result.pvalue <= 1
    assert result.low < 0.5 < result.high
    # what the two intervals leave open, each at half the error; as if no scores were tied
    perfect, constant = (
        rl.auc_interval(rl.RangeSummary.join_all(leaves), method="score", confidence_level=0.975)
        for leaves in (
            [rl.RangeSummary.leaf(score, pos=score >= n, neg=score < n) for score in range(2 * n)],
            [rl.RangeSummary.leaf(0, pos=n, neg=n)],
        )
    )
    expected = perfect.low - constant.high, perfect.high - constant.low
    assert (result.low, result.high) == pytest.approx(expected, rel=1e-12, abs=0)
    # the p-value is the error at which the interval would come to 0
    with pytest.warns(rl.DegenerateIntervalWarning):
        edge = compare_auc(
            truth, truth, np.zeros(2 * n), method="delong", confidence_level=1 - result.pvalue
        )
    assert edge.low == pytest.approx(0, abs=1e-9) or result.pvalue == 1
    assert (result.pvalue < 0.05) == (n == 30)


def test_two_perfect_rankings_of_few_rows_prove_little():
    truth = [0, 0, 1, 1]
    with pytest.warns(rl.DegenerateIntervalWarning):
        result = compare_auc(truth, [1, 2, 3, 4], [4, 3, 2, 1], method="delong")
    assert result.difference == 1
    assert 0.05 < result.pvalue < 1
    assert result.low < 0
    assert result.high == 1
    sample = rl.Ranking(truth, truth)
    with pytest.warns(rl.DegenerateIntervalWarning):
        both = compare_independent_auc(sample, sample, method="delong")
    assert both.difference == 0
    assert both.pvalue == 1
    assert both.low == -both.high < -0.5
    with pytest.warns(rl.DegenerateIntervalWarning):
        one = compare_to_value(truth, truth, method="delong")
    score = compare_to_value(truth, truth, method="score")
    assert one == score
    # z = 0.5 / sqrt(5 / 48 * 0.8): two ties of two among four rows
    assert one.pvalue == pytest.approx(2 * 0.04163, abs=1e-4)


@pytest.mark.parametrize("seed", range(12))
def test_noise_of_weights_is_not_taken_for_a_variance(seed):
    """Sums of weights make a variance of 1e-20 or so of none, in one sample of three."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(50, 3000))
    truth, weight = rng.random(size) < 0.3, rng.gamma(2.0, size=size)
    nothing = np.zeros(size)
    constant, perfect = (
        rl.Ranking(truth, scores, sample_weight=weight) for scores in (nothing, truth)
    )
    for call in (
        lambda: compare_independent_auc(perfect, constant, **DELONG),
        lambda: compare_auc(truth, truth, nothing, sample_weight=weight, **DELONG),
        lambda: compare_to_value(constant, value=0.6, **DELONG),
        lambda: compare_to_value(truth, nothing, value=0.6, sample_weight=weight, **DELONG),
        lambda: compare_to_value(constant.summary, value=0.6, **DELONG),
    ):
        with pytest.warns(rl.DegenerateIntervalWarning):
            result = call()
        assert result.method == "score"
        assert result.low < result.difference < result.high


@pytest.mark.parametrize("method", ["delong", "bootstrap", "permutation"])
@pytest.mark.parametrize("weighted", [False, True])
def test_one_class_is_undefined(method, weighted):
    weight = [1.0, 2.0, 3.0] if weighted else None
    one = rl.Ranking([1, 1, 1], [1, 2, 3], sample_weight=weight)
    calls = [
        lambda: compare_auc([1, 1, 1], [1, 2, 3], [3, 1, 2], method=method, sample_weight=weight),
        lambda: compare_independent_auc(one, rl.Ranking(Y, A), method=method),
        lambda: compare_to_value(one, method=method),
    ]
    for call in calls:
        with pytest.warns(rl.UndefinedMeasureWarning, match="3 positive and 0 negative") as seen:
            result = call()
        assert len(seen) == 1
        numbers = (result.difference, result.low, result.high, result.statistic, result.pvalue)
        assert np.isnan(numbers).all()
        assert np.isnan(result.standard_error)


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
@pytest.mark.parametrize("alternative", [*SIDES, "noninferior", "equivalent"])
def test_one_example_of_a_class_cannot_be_tested(method, alternative):
    margin = 0.1 if alternative in ("noninferior", "equivalent") else None
    options = {"method": method, "alternative": alternative, "margin": margin}
    alone = rl.Ranking([0, 0, 1], [1, 2, 3])
    for call in (
        lambda: compare_auc([0, 0, 1], [1, 2, 3], [3, 1, 2], **options),
        lambda: compare_independent_auc(alone, rl.Ranking(Y, A), **options),
        lambda: compare_to_value(alone, **options),
    ):
        with pytest.warns(rl.UndefinedMeasureWarning, match="two examples of each class") as seen:
            result = call()
        assert len(seen) == 1
        assert result.value_a == 1
        assert not math.isnan(result.difference)
        assert np.isnan((result.low, result.high, result.statistic, result.pvalue)).all()


def test_one_example_of_a_class_can_be_permuted_and_scored():
    with pytest.warns(rl.UndefinedMeasureWarning, match="nan except the p-value"):
        result = compare_auc([0] * 9 + [1], range(10), range(10, 0, -1), method="permutation",
                             rng=0)  # fmt: skip
    # half of the exchanges leave the positive where it is or take it all the way
    assert result.pvalue == pytest.approx(0.5, abs=0.05)
    with pytest.warns(rl.UndefinedMeasureWarning):
        result = compare_to_value([0] * 9 + [1], range(10), method="permutation", rng=0)
    assert result.pvalue == pytest.approx(0.2, abs=0.05)
    score = compare_to_value([0] * 9 + [1], range(10), method="score")
    assert score.pvalue == pytest.approx(0.1167, abs=0.001)
    assert score.low < 0 < score.high


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("levels", [2, 3, 5, 80])
def test_score_test_of_chance_is_that_of_mann_and_whitney(alternative, levels):
    scores = np.random.default_rng(1).permutation(80) % levels  # the last without ties
    result = compare_to_value(TRUTH, scores, method="score", alternative=alternative)
    expected = mannwhitneyu(
        scores[TRUTH],
        scores[~TRUTH],
        alternative=alternative,
        use_continuity=False,
        method="asymptotic",
    )
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12, abs=0)


def test_score_test_of_binary_scores():
    """Without a correction for ties p was 0.178."""
    truth = np.repeat([1, 0], 40)
    scores = np.concatenate([np.arange(40) < 11, np.arange(40) < 4])
    for sample in ((truth, scores), (rl.Ranking(truth, scores),)):
        result = compare_to_value(*sample, method="score")
        assert result.pvalue == pytest.approx(0.0463107, abs=1e-7)
        assert 0 < result.low == pytest.approx(0.0014314, abs=1e-7)
    interval = rl.auc_interval(truth, scores, method="score")
    assert interval.low == 0.5 + result.low
    # as in a window that events enter one at a time, and in parts
    window = rl.WindowAUC(80)
    window.update_many(truth, scores.astype(float))
    assert window.interval(method="score").low == interval.low
    parts = [rl.RangeSummary.leaf(0, pos=29, neg=36), rl.RangeSummary.leaf(1, pos=11, neg=4)]
    joined = rl.RangeSummary.join_all(parts)
    assert rl.auc_interval(joined, method="score").low == interval.low
    same_weights = rl.auc_interval(truth, scores, method="score", sample_weight=np.full(80, 0.3))
    assert same_weights.low == pytest.approx(interval.low, rel=1e-12)
    each_alone = rl.auc_interval(truth, scores, method="score", cluster=np.arange(80))
    assert each_alone.low == pytest.approx(interval.low, rel=1e-12)


def test_score_test_of_scores_that_all_tie_is_not_certain():
    result = compare_to_value([0, 1] * 10, np.zeros(20), method="score")
    assert (result.statistic, result.pvalue) == (0, 1)
    assert result.low < -0.2 < 0.2 < result.high


def test_all_methods_agree_where_there_is_much_data():
    rng = np.random.default_rng(8)
    truth = rng.random(2000) < 0.5
    base = rng.normal(size=2000) + truth
    first, second = base + rng.normal(size=2000), base + 1.5 * rng.normal(size=2000)
    delong = compare_auc(truth, first, second, method="delong")
    auto = compare_auc(truth, first, second)
    assert auto.pvalue == pytest.approx(delong.pvalue, rel=0.02)
    assert (auto.low, auto.high) == pytest.approx((delong.low, delong.high), abs=0.0005)
    assert 0.001 < delong.pvalue < 0.2
    boot = compare_auc(truth, first, second, method="bootstrap", rng=1)
    assert boot.standard_error == pytest.approx(delong.standard_error, rel=0.06, abs=0)
    assert (boot.low, boot.high) == pytest.approx((delong.low, delong.high), abs=0.002)
    assert boot.pvalue == pytest.approx(delong.pvalue, abs=0.02)
    assert boot.n_resamples == 2000
    swapped = compare_auc(truth, first, second, method="permutation", rng=1)
    assert swapped.pvalue == pytest.approx(delong.pvalue, abs=0.02)
    assert (swapped.low, swapped.high) == (delong.low, delong.high)
    halves = [rl.Ranking(truth[rows], first[rows]) for rows in (slice(0, 900), slice(900, None))]
    welch = compare_independent_auc(*halves, method="delong")
    for method in ("bootstrap", "permutation"):
        other = compare_independent_auc(*halves, method=method, rng=1)
        assert other.pvalue == pytest.approx(welch.pvalue, abs=0.04)
        assert (other.low, other.high) == pytest.approx((welch.low, welch.high), abs=0.004)
        assert other.df == (None if method == "bootstrap" else welch.df)
    chance = compare_to_value(truth[:150], second[:150] - truth[:150] / 1.3, method="delong")
    for method in ("score", "bootstrap", "permutation"):
        other = compare_to_value(
            truth[:150], second[:150] - truth[:150] / 1.3, method=method, rng=1
        )
        assert other.pvalue == pytest.approx(chance.pvalue, abs=0.03), method
        assert other.method == method


def test_equivalence_is_shown_if_and_only_if_the_interval_lies_within_the_margin():
    result = compare_auc(TRUTH, GOOD, POOR, alternative="equivalent", margin=0.5)
    for margin in (result.high - 1e-9, result.high + 1e-9):
        at = compare_auc(TRUTH, GOOD, POOR, alternative="equivalent", margin=margin)
        assert (at.pvalue < 0.05) == (margin > result.high)
        assert (at.low, at.high) == (result.low, result.high)
    below = compare_auc(TRUTH, POOR, GOOD, alternative="noninferior", margin=0.5)
    edge = compare_auc(TRUTH, POOR, GOOD, alternative="noninferior", margin=-below.low)
    assert edge.pvalue == pytest.approx(0.05, rel=1e-9, abs=0)
    assert below.high == 1


def test_ends_stay_in_the_range():
    wide = compare_auc([0, 0, 1, 1], [1, 3, 2, 4], [4, 3, 2, 1], confidence_level=0.999)
    assert wide.high == 1
    near_one = compare_to_value([0, 0, 0, 1, 1], [1, 2, 4, 3, 5], value=0.5)
    assert near_one.high == 0.5  # an AUC of 1
    upper = compare_to_value([0, 0, 0, 1, 1], [1, 2, 4, 3, 5], value=0.5, alternative="less")
    assert upper.low == -0.5


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (
            lambda: compare_auc(Y, A, B, method="delongg"),
            "Choose 'auto', 'delong', 'bootstrap' or",
        ),
        (lambda: compare_auc(Y, A, B, alternative="bigger"), "Choose 'two-sided', 'less'"),
        (
            lambda: compare_auc(Y, A, B, margin=0.1),
            "margin=0.1 has no effect with alternative='two-sided'.*'noninferior'",
        ),
        (lambda: compare_auc(Y, A, B, alternative="noninferior"), "needs a margin between 0 and 1"),
        (
            lambda: compare_auc(Y, A, B, alternative="equivalent", margin=-0.1),
            "needs a margin between 0 and 1",
        ),
        (
            lambda: compare_auc(Y, A, B, alternative="equivalent", margin="5 %"),
            "needs a margin between 0 and 1",
        ),
        (
            lambda: compare_auc(
                Y, A, B, alternative="equivalent", margin=0.1, method="permutation"
            ),
            "cannot test alternative='equivalent'",
        ),
        (lambda: compare_auc(Y, A, B, confidence_level=95), "between 0 and 1 is needed"),
        (
            lambda: compare_auc(
                Y, A, B, alternative="equivalent", margin=0.1, confidence_level=0.4
            ),
            r"wrong side of the value; .* above 0\.5",
        ),
        (lambda: compare_auc(Y, A, B[:3]), "column 'score_b' has 3"),
        (lambda: compare_auc(Y, A, [1, 2, np.nan, 3]), "column 'score_b' holds NaN"),
        (
            lambda: compare_auc(Y, A, B, method="bootstrap", n_resamples=1),
            r"n_resamples=1 is out of range; an integer from 2",
        ),
        (lambda: compare_auc(Y, A, B, method="bootstrap", n_resamples=0), "n_resamples=0"),
        (lambda: compare_auc(Y, A, B, method="permutation", rng="seed"), "rng='seed'"),
        (
            lambda: compare_auc(Y, A, B, method="permutation", sample_weight=[1, 2, 3, 4]),
            r"'permutation' does not support sample_weight",
        ),
        (lambda: compare_independent_auc(A, rl.Ranking(Y, A)), "A sample is a list; a Ranking"),
        (
            lambda: compare_independent_auc(
                rl.Ranking(Y, A).summary, rl.Ranking(Y, A), method="bootstrap"
            ),
            "resamples examples, and a RangeSummary has none",
        ),
        (
            lambda: compare_to_value(rl.Ranking(Y, A).summary, method="permutation"),
            "RangeSummary has none",
        ),
        (lambda: compare_to_value(rl.Ranking(Y, A).summary, A), "already holds labels, scores"),
        (lambda: compare_to_value(Y), "Only y_true was passed"),
        (lambda: compare_to_value(Y, A, value=1.0), "out of range; .* must be between 0 and 1"),
        (lambda: compare_to_value(Y, A, value=True), "value=True is out of range"),
        (
            lambda: compare_to_value(Y, A, value=0.7, method="permutation"),
            r"whether the AUC is 0\.5",
        ),
        (
            lambda: compare_to_value(Y, A, value=0.9, alternative="equivalent", margin=0.2),
            "out of range; .* must be between 0 and 1",
        ),
    ],
)
def test_what_is_refused(call, match):
    with pytest.raises(rl.InputError, match=match):
        call()


def test_summaries_are_enough_without_drawing():
    first, second = rl.Ranking(TRUTH, GOOD), rl.Ranking(TRUTH, POOR)
    assert compare_independent_auc(first.summary, second.summary) == compare_independent_auc(
        first, second
    )
    assert compare_to_value(first.summary, value=0.7) == compare_to_value(TRUTH, GOOD, value=0.7)


def test_nothing_else_warns():
    """numpy has nothing to say, whatever the data."""
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", rl.DegenerateIntervalWarning)
        warnings.simplefilter("ignore", rl.UndefinedMeasureWarning)
        for _ in range(60):
            size = int(rng.integers(1, 7))
            truth = rng.random(size) < 0.5
            a, b = rng.integers(0, 3, (2, size))
            weight = rng.random(size) if rng.random() < 0.5 else None
            for method in ("delong", "bootstrap"):
                compare_auc(
                    truth, a, b, sample_weight=weight, method=method, n_resamples=20, rng=rng
                )
            samples = [rl.Ranking(truth, scores, sample_weight=weight) for scores in (a, b)]
            compare_independent_auc(*samples, method="bootstrap", n_resamples=20, rng=rng)
            compare_independent_auc(*samples)
            for method in ("delong", "score", "bootstrap"):
                compare_to_value(samples[0], method=method, n_resamples=20, rng=rng)


class TestPowerBound:
    """Power against a perfect model that no test exceeds if it holds its level for all shapes."""

    @staticmethod
    def scores(labels, auc, seed):
        """Scores with this AUC: a share of the positives is below all negatives."""
        rng = np.random.default_rng(seed)
        found = labels + rng.random(len(labels)) / 2
        failing = np.flatnonzero(labels)[: round((1 - auc) * labels.sum())]
        found[failing] = -1 - rng.random(len(failing))
        return found

    def test_of_two_models(self):
        labels = np.repeat([1, 0], [10, 1000])
        found = compare_auc(labels, self.scores(labels, 0.9, 1), self.scores(labels, 1.0, 2))
        assert (found.value_a, found.value_b) == (0.9, 1.0)
        assert found.power_bound == pytest.approx(0.05 / 0.9**10) == pytest.approx(0.1434, abs=1e-4)
        turned = compare_auc(1 - labels, -self.scores(labels, 0.9, 1), -self.scores(labels, 1.0, 2))
        assert turned.power_bound == pytest.approx(found.power_bound)
        assert found.pvalue > 0.05
        level = compare_auc(
            labels, self.scores(labels, 0.9, 1), self.scores(labels, 1.0, 2), confidence_level=0.9
        )
        assert level.power_bound == pytest.approx(2 * found.power_bound)

    def test_is_1_with_many_examples(self):
        labels = np.repeat([1, 0], [3000, 3000])
        assert compare_auc(labels, self.scores(labels, 0.9, 1), labels).power_bound == 1.0
        assert compare_auc([0, 1, 0, 1], [2, 1, 4, 3], [4, 1, 3, 2]).power_bound == 1.0

    def test_of_two_samples_counts_the_better_one(self):
        few, many = np.repeat([1, 0], [10, 10]), np.repeat([1, 0], [20, 100])
        weaker = self.scores(few, 0.9, 1)
        first, second = rl.Ranking(few, weaker), rl.Ranking(many, many)
        assert compare_independent_auc(first, second).power_bound == pytest.approx(0.05 / 0.9**20)
        assert compare_independent_auc(second, first).power_bound == pytest.approx(0.05 / 0.9**20)

    def test_is_undefined_without_two_aucs(self):
        assert math.isnan(compare_to_value([0, 1, 0, 1], [1, 2, 3, 4]).power_bound)
        with pytest.warns(rl.UndefinedMeasureWarning):
            assert math.isnan(compare_auc([1, 1], [1, 2], [2, 1]).power_bound)

    def test_holds_for_the_default(self):
        """A model that fails in a share of the examples looks perfect without them."""
        labels = np.repeat([1, 0], [10, 100])
        rng = np.random.default_rng(5)
        rejected = 0
        for _ in range(300):
            a = rng.normal(size=110) + 1.8 * labels
            rejected += compare_auc(labels, a, labels + rng.random(110) / 2).pvalue < 0.05
        assert rejected / 300 <= 0.05 / 0.9**10


class TestPairedRankings:
    table = rl.ScoreTable(
        [0, 1, 0, 1, 1, 0], {"a": [0.1, 0.4, 0.4, 0.8, 0.6, 0.5], "b": [3, 2, 1, 4, 5, 0]}
    )

    def test_rankings_of_one_table_are_paired(self):
        found = rl.compare_auc(self.table["a"], self.table["b"])
        columns = self.table.scores
        assert found == rl.compare_auc(self.table.y_true, columns["a"], columns["b"])

    def test_equal_labels_are_no_proof_of_equal_rows(self):
        y = self.table.y_true
        a, b = (rl.Ranking(y, self.table.scores[name]) for name in "ab")
        with pytest.raises(rl.InputError, match=r"do not share their rows.*ScoreTable"):
            rl.compare_auc(a, b)
        counts = rl.Ranking.from_groups([1, 2], pos=[1, 3], neg=[3, 1])
        with pytest.raises(rl.InputError, match="do not share their rows"):
            rl.compare_auc(counts, counts)

    def test_rankings_are_passed_alone(self):
        a, b = self.table["a"], self.table["b"]
        for arguments in [(a, b, [1] * 6), (a, [1] * 6, [1] * 6), (self.table.y_true, a, b)]:
            with pytest.raises(rl.InputError, match="A Ranking was passed with other data"):
                rl.compare_auc(*arguments)
        with pytest.raises(rl.InputError, match="score_b is missing"):
            rl.compare_auc(self.table.y_true, [1] * 6)
