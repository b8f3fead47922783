"""Interval: few examples, the ends of the scale, what is refused and what is printed."""

import json
import math
import warnings

import numpy as np
import pytest
import reference
from populations import POPULATIONS
from scipy import stats
from scipy.special import expit, logit

import roclab as rl
from roclab.inference.estimation.influence import acceleration, influences
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.estimation.resampling import Draws
from roclab.inference.intervals.bootstrap import studentized

Y = [0, 1, 0, 1]
S = [0.1, 0.4, 0.4, 0.8]
METHODS = ["auto", "delong", "logit", "score", "newcombe", "bootstrap", "bca", "bootstrap_t"]
RESAMPLED = METHODS[5:]


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(3)
    y = np.arange(60) % 3 == 0
    return y, rng.normal(size=60).round(1) + 0.8 * y


def test_one_example_of_a_class_has_an_interval_but_no_standard_error():
    interval = rl.auc_interval([0, 0, 0, 1], [1, 2, 3, 4])
    assert interval.value == 1
    assert 0 < interval.low < 0.9
    assert interval.high == 1
    assert math.isnan(interval.standard_error)


def test_delong_needs_two_examples_of_each_class():
    with pytest.warns(rl.UndefinedMeasureWarning, match="two examples of each class.*'auto'"):
        interval = rl.auc_interval([0, 0, 0, 1], [1, 2, 3, 4], method="delong")
    assert interval.value == 1
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)


@pytest.mark.parametrize("method", METHODS)
def test_one_class_is_undefined(method):
    with pytest.warns(rl.UndefinedMeasureWarning, match="3 positive and 0 negative") as caught:
        interval = rl.auc_interval([1, 1, 1], [1, 2, 3], method=method)
    assert len(caught) == 1
    assert "AUC needs both classes" in str(caught[0].message)
    assert np.isnan([interval.value, interval.low, interval.high, interval.standard_error]).all()
    assert (interval.n_pos, interval.n_neg) == (3, 0)


@pytest.mark.parametrize(("scores", "value"), [([1, 2, 3, 4], 1), ([4, 3, 2, 1], 0)])
def test_the_ends_of_the_scale_are_no_certainty(scores, value):
    labels = [0, 0, 1, 1]
    interval = rl.auc_interval(labels, scores)
    assert interval.value == value
    assert interval.high - interval.low > 0.5
    with pytest.warns(rl.DegenerateIntervalWarning, match="zero width.*method='auto'"):
        rl.auc_interval(labels, scores, method="delong")


def test_confidence_level():
    wide = rl.auc_interval(Y, S, confidence_level=0.99)
    narrow = rl.auc_interval(Y, S, confidence_level=0.5)
    assert wide.low < narrow.low < narrow.value < narrow.high <= wide.high
    for level in (0, 1, 95, -0.1, math.nan):
        with pytest.raises(rl.InputError, match=r"between 0 and 1 is needed.*0\.95"):
            rl.auc_interval(Y, S, confidence_level=level)


def test_unknown_method():
    with pytest.raises(
        rl.InputError, match=r"'delongg' is not an option\. Choose 'auto', 'delong'"
    ):
        rl.auc_interval(Y, S, method="delongg")


def test_a_ranking_comes_alone():
    ranking = rl.Ranking(Y, S)
    assert rl.auc_interval(ranking) == rl.auc_interval(Y, S)
    with pytest.raises(rl.InputError, match="a Ranking already has"):
        rl.auc_interval(ranking, S)


def test_a_summary_is_enough():
    low, high = rl.Ranking([0, 1, 0], [1, 2, 2]).summary, rl.Ranking([1, 0, 1], [3, 4, 5]).summary
    labels, scores = [0, 1, 0, 1, 0, 1], [1, 2, 2, 3, 4, 5]
    assert rl.auc_interval(low.join(high)) == rl.auc_interval(labels, scores)
    with pytest.raises(rl.InputError, match=r"already holds labels, scores.*Leave out y_score"):
        rl.auc_interval(low, scores)


def test_what_is_printed():
    interval = rl.auc_interval([0, 1] * 20, np.arange(40))
    assert repr(interval) == "AUC 0.525 [0.35, 0.70], 95 % Wilson-type, 20+ 20-"
    reversed_scores = rl.auc_interval([0, 1] * 20, np.tile([1, 0], 20))
    assert repr(reversed_scores).endswith("below one half: are the scores reversed?")
    assert json.loads(json.dumps(interval.to_dict()))["n_pos"] == 20


def test_with_weights_effective_numbers_of_examples_count():
    rng = np.random.default_rng(1)
    y, s = np.arange(60) % 2, rng.normal(size=60)
    plain = rl.auc_interval(y, s)
    same = rl.auc_interval(y, s, sample_weight=np.full(60, 7.0))
    for name in ("value", "low", "high", "standard_error"):
        assert getattr(same, name) == pytest.approx(getattr(plain, name), rel=1e-12)
    uneven = rl.auc_interval(y, s, sample_weight=rng.exponential(size=60) ** 3)
    assert uneven.high - uneven.low > plain.high - plain.low


def test_logit_is_wald_on_the_scale_of_the_logit(sample):
    interval = rl.auc_interval(*sample, method="logit")
    value, error = interval.value, interval.standard_error
    middle = math.log(value / (1 - value))
    margin = 1.959963984540054 * error / (value * (1 - value))
    expected = [1 / (1 + math.exp(-(middle + side * margin))) for side in (-1, 1)]
    assert [interval.low, interval.high] == pytest.approx(expected, rel=1e-12)


def test_score_and_newcombe_solve_their_equations(sample):
    """At each end the value is z standard errors away, by the variance that holds at the end."""
    z, m, n = 1.959963984540054, 20, 40
    ties = 1 - rl.Ranking(*sample).summary.tie_share
    for method, others, factor in (
        ("score", (m - 1, n - 1), ties),
        ("newcombe", (29, 29), 1.0),
    ):
        interval = rl.auc_interval(*sample, method=method)
        for end in (interval.low, interval.high):
            spread = 1 + others[0] * (1 - end) / (2 - end) + others[1] * end / (1 + end)
            variance = factor * end * (1 - end) * spread / (m * n)
            assert abs(interval.value - end) == pytest.approx(z * math.sqrt(variance), rel=1e-9)


@pytest.mark.parametrize("method", RESAMPLED)
def test_bootstrap_is_near_delong_in_a_large_sample(method):
    rng = np.random.default_rng(1)
    y = rng.random(4000) < 0.4
    s = rng.normal(size=4000) + y
    found = rl.auc_interval(y, s, method=method, n_resamples=4000, rng=0)
    delong = rl.auc_interval(y, s, method="delong")
    width = delong.high - delong.low
    assert found.low == pytest.approx(delong.low, abs=0.06 * width)
    assert found.high == pytest.approx(delong.high, abs=0.06 * width)
    assert found.n_resamples == 4000
    assert found.standard_error == delong.standard_error


def test_bca_agrees_with_scipy(sample):
    y, s = sample

    def statistic(pos, neg):
        return float(np.mean((pos[:, None] > neg) + (pos[:, None] == neg) / 2))

    # SciPy calls random_state rng from 1.15 on.
    draws = {"n_resamples": 9999, "random_state": np.random.default_rng(1)}
    theirs = stats.bootstrap(
        (s[y], s[~y]), statistic, method="BCa", vectorized=False, **draws
    ).confidence_interval
    ours = rl.auc_interval(y, s, method="bca", n_resamples=20_000, rng=2)
    # both ends are quantiles of some thousand draws: about 0.003 of noise each
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.012)
    plain = rl.auc_interval(y, s, method="bootstrap", n_resamples=20_000, rng=2)
    assert abs(plain.low - ours.low) > 0.002  # the correction does something


@pytest.mark.parametrize("method", METHODS)
def test_one_sided_intervals(sample, method):
    options = {"method": method, "rng": 0}
    lower = rl.auc_interval(*sample, alternative="greater", **options)
    upper = rl.auc_interval(*sample, alternative="less", **options)
    both = rl.auc_interval(*sample, confidence_level=0.9, **options)
    assert (lower.low, lower.high) == (pytest.approx(both.low, abs=1e-12), 1.0)
    assert (upper.low, upper.high) == (0.0, pytest.approx(both.high, abs=1e-12))
    assert "95 % one-sided " in repr(lower)
    with pytest.raises(rl.InputError, match="Choose 'two-sided', 'less' or 'greater'"):
        rl.auc_interval(*sample, alternative="up")
    with pytest.raises(rl.InputError, match=r"wrong side of the value; .* above 0\.5"):
        rl.auc_interval(*sample, alternative="less", confidence_level=0.5, **options)


@pytest.mark.parametrize("method", RESAMPLED)
def test_the_same_seed_gives_the_same_interval(sample, method):
    first = rl.auc_interval(*sample, method=method, rng=7)
    assert first == rl.auc_interval(*sample, method=method, rng=7)
    assert first != rl.auc_interval(*sample, method=method, rng=8)
    # a ranking, and one made from counts, are the same sample
    ranking = rl.Ranking(*sample)
    counts = rl.Ranking.from_groups(ranking.scores, ranking.pos, ranking.neg)
    assert rl.auc_interval(ranking, method=method, rng=7) == first
    assert rl.auc_interval(counts, method=method, rng=7) == first


def test_the_ends_of_the_scale_by_method():
    labels, scores = [0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6]
    for method in ("auto", "score", "newcombe"):
        interval = rl.auc_interval(labels, scores, method=method)
        assert interval.low < 0.9
        assert interval.high == 1
    for method in ("delong", "bootstrap", "bca"):
        with pytest.warns(rl.DegenerateIntervalWarning, match=f"The {method} interval has zero"):
            interval = rl.auc_interval(labels, scores, method=method, rng=0)
        assert (interval.low, interval.high) == (1, 1)
        with pytest.warns(rl.DegenerateIntervalWarning, match="zero width"):
            rl.auc_interval(labels, scores, method=method, rng=0, alternative="greater")
    for method in ("logit", "bootstrap_t"):
        with pytest.warns(rl.UndefinedMeasureWarning, match="are nan. Choose method='auto'"):
            interval = rl.auc_interval(labels, scores, method=method, rng=0)
        assert math.isnan(interval.low + interval.high)


def test_clusters_widen_the_interval_of_repeated_rows(sample):
    """Every row three times: as clusters they are as many as before."""
    y, s = sample
    repeated = np.repeat(y, 3), np.repeat(s, 3)
    patients = np.repeat([f"patient {i}" for i in range(60)], 3)
    once = rl.auc_interval(y, s, method="bootstrap", rng=0, stratified=False)
    clustered = rl.auc_interval(*repeated, method="bootstrap", rng=0, cluster=patients)
    naive = rl.auc_interval(*repeated, method="bootstrap", rng=0)
    assert clustered.low == pytest.approx(once.low, abs=0.02)
    assert clustered.high == pytest.approx(once.high, abs=0.02)
    assert naive.high - naive.low < 0.7 * (clustered.high - clustered.low)
    assert clustered.standard_error == pytest.approx(once.standard_error, rel=0.15)
    with pytest.raises(rl.InputError, match="Choose 'auto'"):
        rl.auc_interval(*repeated, cluster=patients, method=["bootstrap"])


def test_replicates_without_a_class_are_left_out():
    interval = rl.auc_interval(
        [1, 0, 0, 0], [2, 1, 3, 1], method="bootstrap", stratified=False, rng=0, n_resamples=500
    )
    # no positive among four draws: (3/4)^4; no negative: (1/4)^4
    assert interval.n_resamples == pytest.approx(500 * (1 - 82 / 256), abs=50)
    assert not math.isnan(interval.low)


def test_a_summary_has_nothing_to_draw_from():
    summary = rl.Ranking(Y, S).summary
    with pytest.raises(rl.InputError, match=r"a RangeSummary has none.*method='auto'"):
        rl.auc_interval(summary, method="bca")
    with pytest.raises(rl.InputError, match=r"a RangeSummary has none.*method='log'"):
        rl.scored_auc_interval(summary, method="bca")


@pytest.mark.filterwarnings("ignore::roclab.SmallSampleWarning")
class TestScoredAUC:
    def test_delong(self, sample):
        interval = rl.scored_auc_interval(*sample, method="delong")
        variance = float(reference.scored_auc_variance(*sample))
        margin = 1.959963984540054 * math.sqrt(variance)
        assert interval.measure == "scored_auc"
        assert interval.value == pytest.approx(float(reference.scored_auc(*sample)), rel=1e-12)
        assert interval.low == pytest.approx(max(interval.value - margin, 0), rel=1e-10)
        assert interval.high == pytest.approx(interval.value + margin, rel=1e-10)
        summed = rl.scored_auc_interval(rl.Ranking(*sample).summary, method="delong")
        assert summed.high == pytest.approx(interval.high, rel=1e-12)

    def test_log(self, sample):
        """Student's quantile, on the log scale; extreme margins leave few degrees of freedom."""
        found = rl.scored_auc_interval(*sample)
        y, s = sample
        margins = np.maximum(s[y][:, None] - s[~y][None, :], 0)
        total = spread = 0.0
        for of_class in (margins.mean(axis=1), margins.mean(axis=0)):
            n, variance = len(of_class), of_class.var()
            freedom = min(n - 1, 2 * n / max(stats.kurtosis(of_class, fisher=False) - 1, 2))
            total += variance / n
            spread += (variance / n) ** 2 / freedom
        pos, neg = found.n_pos, found.n_neg
        df = (pos + neg) ** 2 * (pos - 1) * (neg - 1)
        df /= pos**2 * (pos - 1) + neg**2 * (neg - 1)
        kurtosis_df = total**2 / spread
        assert found.method == "log"
        summed = rl.scored_auc_interval(rl.Ranking(*sample).summary)  # which has no kurtosis
        for interval, half in ((found, min(df, kurtosis_df) / 2), (summed, df / 2)):
            ratio = math.exp(stats.t.ppf(0.975, half) * found.standard_error / found.value)
            expected = (found.value / ratio, found.value * ratio)
            assert (interval.low, interval.high) == pytest.approx(expected, rel=1e-9)
        assert kurtosis_df < df

    def test_warns_of_extreme_scores(self):
        """A single score determines the variance, however many examples there are."""
        y = np.repeat([1, 0], [100, 100])
        s = y + np.sin(np.arange(200.0))
        s[0] = 1000.0
        with pytest.warns(rl.SmallSampleWarning, match="few extreme scores determine"):
            rl.scored_auc_interval(y, s)

    @pytest.mark.parametrize(("n_pos", "warned"), [(29, 1), (30, 0)])
    def test_warns_of_few_examples(self, n_pos, warned):
        y = np.repeat([1, 0], [n_pos, 40])
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            rl.scored_auc_interval(y, y + np.sin(np.arange(n_pos + 40)))
        assert [one.category for one in seen] == [rl.SmallSampleWarning] * warned

    @pytest.mark.parametrize("family", ["exponential", "t3", "lognormal"])
    def test_ten_positives_are_covered(self, family):
        """DeLong's interval covered 78 to 86 % of samples from the first and the last."""
        population = POPULATIONS[family]
        truth = population.value(rl.scored_auc)
        pos, neg = population.draw(np.random.default_rng(5), 10, 60, 400)
        y = np.repeat([1, 0], [10, 60])
        with pytest.warns(rl.SmallSampleWarning, match="10 positive and 60 negative examples"):
            found = [
                rl.scored_auc_interval(y, np.concatenate(s)) for s in zip(pos, neg, strict=True)
            ]
        assert np.mean([one.low <= truth <= one.high for one in found]) >= 0.88

    def test_resampled(self, sample):
        delong = rl.scored_auc_interval(*sample, method="delong")
        # the leads are skewed, so the corrected interval lies higher
        for method, near in (("bootstrap", 0.1), ("bca", 0.2)):
            found = rl.scored_auc_interval(*sample, method=method, rng=0, n_resamples=4000)
            assert found.value == pytest.approx(delong.value, rel=1e-12)
            assert found.low == pytest.approx(delong.low, abs=near)
            assert found.high == pytest.approx(delong.high, abs=near)

    def test_one_sided(self, sample):
        lower = rl.scored_auc_interval(*sample, alternative="greater")
        assert lower.high == math.inf
        assert rl.scored_auc_interval(*sample, alternative="less").low == 0

    def test_undefined_and_refused(self, sample):
        with pytest.warns(rl.UndefinedMeasureWarning, match="scored AUC needs both classes"):
            assert math.isnan(rl.scored_auc_interval([1, 1], [0.1, 0.2]).value)
        with pytest.warns(rl.UndefinedMeasureWarning, match="two examples of each class"):
            assert math.isnan(rl.scored_auc_interval([1, 0, 0], [0.1, 0.2, 0.5]).high)
        with pytest.raises(rl.InputError, match="Choose 'log', 'delong', 'bootstrap' or 'bca'"):
            rl.scored_auc_interval(*sample, method="auto")
        with pytest.raises(rl.InputError, match="finite"):
            rl.scored_auc_interval([0, 1, 0, 1], [0, 1, 2, np.inf])


def test_rounding_has_no_skewness():
    """All tied: no example moves the AUC, whatever the weights make of it in the last digits."""
    for weight in (None, [1.0, 2.0, 4.0, 3.0], [0.1, 0.7, 0.3, 0.9]):
        tied = rl.Ranking([0, 1, 0, 0], [5.0] * 4, sample_weight=weight)
        moved = influences(tied, "auc", Draws.of(1, 0))
        assert not moved.any()
        assert acceleration(moved) == 0


def test_a_replicate_that_separates_is_taken_half_a_pair_from_the_end():
    sample = Estimate(measure="auc", value=0.75, variance=0.04, pos=2, neg=2, n_pos=2, n_neg=2)
    low, high = studentized(np.array([0.75, 1.0]), np.array([0.04, 0.0]), sample, (0.0, 1.0))
    step = (logit(0.875) - logit(0.75)) * 0.875 * 0.125 / math.sqrt(0.875 * 0.125 / 4)
    assert low == pytest.approx(expit(logit(0.75) - step * 0.2 / (0.75 * 0.25)), rel=1e-12)
    assert high == pytest.approx(0.75, rel=1e-12)


def test_the_default_has_a_name_to_cite_wherever_it_is_used(sample):
    y, s = sample
    window = rl.WindowAUC(100)
    window.update_many(y, s)
    table = rl.ScoreTable(y, {"a": s, "b": -s}, groups={"pair": np.arange(60) // 2})
    found = [
        rl.auc_interval(y, s),
        rl.auc_interval(rl.Ranking(y, s).summary, alternative="less"),
        rl.auc_interval(y, s, sample_weight=np.arange(1, 61)),
        rl.auc_interval(y, s, cluster=np.arange(60) // 2),
        window.interval(),
        window.interval(alternative="greater"),
        rl.evaluate(table, cluster="pair").rows[0].interval,
        rl.compare(table).models[0].interval,
        rl.cross_validated_auc(y, s, fold=np.arange(60) % 4).averaged,
    ]
    assert {one.method for one in found} == {"shrunken_wilson"}
    assert rl.auc_interval(y, s, method="logit").method == "logit"
