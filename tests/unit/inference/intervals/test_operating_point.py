import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import roclab as rl
from roclab.inference.intervals.combined import Bounded
from roclab.inference.intervals.operating_point import PointShares

RATES = (
    *("sensitivity", "specificity", "ppv", "npv", "lr_pos", "lr_neg"),
    *("accuracy", "called_positive", "youden", "f1"),
)


def counted(tp, fp, tn, fn):
    return rl.Ranking.from_groups([0, 1], pos=[fn, tp], neg=[tn, fp])


def ends(interval):
    return interval.low, interval.high


def test_shares_have_binomial_intervals():
    point = rl.operating_point_interval(counted(26, 14, 58, 15), threshold=1)
    assert tuple(point.rates) == RATES
    for name, hits, number in (
        ("sensitivity", 26, 41),
        ("specificity", 58, 72),
        ("ppv", 26, 40),
        ("npv", 58, 73),
        ("accuracy", 84, 113),
        ("called_positive", 40, 113),
    ):
        expected = stats.binomtest(hits, number).proportion_ci(method="exact")
        rate = point.rates[name]
        assert rate.value == pytest.approx(hits / number)
        assert ends(rate) == pytest.approx((expected.low, expected.high), rel=1e-9)
        assert rate.standard_error == pytest.approx(
            math.sqrt(hits * (number - hits) / number**3), rel=1e-12
        )
        assert rate.confidence_level == 0.95
    jaccard = stats.binomtest(26, 55).proportion_ci(method="exact")
    assert ends(point.rates["f1"]) == pytest.approx(
        tuple(2 * end / (1 + end) for end in jaccard), rel=1e-9
    )
    wilson = rl.operating_point_interval(counted(26, 14, 58, 15), threshold=1, method="wilson")
    expected = stats.binomtest(26, 40).proportion_ci(method="wilson")
    assert ends(wilson.rates["ppv"]) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_differences_and_ratios_that_others_print():
    # Newcombe (1998), Statistics in Medicine 17:873, table II, method 10: 56/70 - 48/80.
    point = rl.operating_point_interval(counted(56, 48, 32, 14), threshold=1, method="wilson")
    assert ends(point.rates["youden"]) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    # In a large sample the interval on the log scale, Simel et al. (1991), is the same.
    point = rl.operating_point_interval(counted(670, 202, 640, 74), threshold=1, method="wilson")
    for name, a, n_a, b, n_b in (
        ("lr_pos", 670, 744, 202, 842),
        ("lr_neg", 74, 744, 640, 842),
    ):
        ratio, error = (a / n_a) / (b / n_b), math.sqrt(1 / a - 1 / n_a + 1 / b - 1 / n_b)
        log_ends = (ratio * math.exp(sign * 1.959964 * error) for sign in (-1, 1))
        assert ends(point.rates[name]) == pytest.approx(tuple(log_ends), rel=0.01)
        assert point.rates[name].standard_error == pytest.approx(ratio * error, rel=1e-12)


def test_prevalence_replaces_that_of_the_data():
    point = rl.operating_point_interval(counted(26, 14, 58, 15), threshold=1, prevalence=0.1)
    lr_pos, lr_neg = point.rates["lr_pos"], point.rates["lr_neg"]
    for end in ("low", "value", "high"):
        odds = getattr(lr_pos, end) / 9
        assert getattr(point.rates["ppv"], end) == pytest.approx(odds / (1 + odds))
    odds = lr_neg.high / 9
    assert point.rates["npv"].low == pytest.approx(1 / (1 + odds))
    same = rl.operating_point_interval(counted(26, 14, 58, 15), threshold=1, prevalence=41 / 113)
    plain = rl.operating_point_interval(counted(26, 14, 58, 15), threshold=1)
    for name in RATES:
        assert same.rates[name].value == pytest.approx(plain.rates[name].value)
        low, high = ends(same.rates[name])
        assert low <= same.rates[name].value <= high
    with pytest.raises(rl.InputError, match="prevalence=0 is out of range"):
        rl.operating_point_interval(counted(1, 1, 1, 1), threshold=1, prevalence=0)


@pytest.mark.parametrize(
    ("method", "mean", "least"),
    [("wilson", (0.94, 0.96), 0.87), ("clopper_pearson", (0.95, 1), 0.95)],
)
def test_exact_coverage_in_small_samples(method, mean, least):
    """The probability of all outcomes of 10 positives and 20 negatives whose interval covers."""
    n_pos, n_neg, share = 10, 20, 0.2
    found = {
        (tp, fp): rl.operating_point_interval(
            counted(tp, fp, n_neg - fp, n_pos - tp),
            threshold=1,
            prevalence=share,
            false_negative_cost=3,
            method=method,
        ).rates
        for tp in range(n_pos + 1)
        for fp in range(n_neg + 1)
    }
    coverage = {name: [] for name in (*RATES, "expected_cost")}
    for sensitivity in (0.5, 0.7, 0.9):
        for specificity in (0.5, 0.7, 0.9, 0.95):
            # Masses of a population with these rates.
            truth = rl.curves.OperatingPoint(
                threshold=1,
                tp=share * sensitivity,
                fp=(1 - share) * (1 - specificity),
                tn=(1 - share) * specificity,
                fn=share * (1 - sensitivity),
            )
            weights = np.outer(
                stats.binom.pmf(range(n_pos + 1), n_pos, sensitivity),
                stats.binom.pmf(range(n_neg + 1), n_neg, 1 - specificity),
            )
            for name in coverage:
                true = getattr(truth, name)
                if name == "expected_cost":
                    true = truth.expected_cost(false_positive_cost=1, false_negative_cost=3)
                coverage[name].append(
                    sum(
                        weights[outcome]
                        for outcome, rates in found.items()
                        if rates[name].low - 1e-12 <= true <= rates[name].high + 1e-12
                    )
                )
    for name in coverage:
        assert mean[0] <= np.mean(coverage[name]) <= mean[1], name
        assert min(coverage[name]) >= least, name


@given(*[st.integers(0, 30)] * 4, st.sampled_from([None, 0.02, 0.5]))
def test_intervals_contain_their_values(tp, fp, tn, fn, prevalence):
    if not (tp + fn and fp + tn):
        return
    for method in ("wilson", "clopper_pearson"):
        point = rl.operating_point_interval(
            counted(tp, fp, tn, fn), threshold=1, prevalence=prevalence, method=method
        )
        for name, rate in point.rates.items():
            assert math.isnan(rate.value) == math.isnan(rate.low) == math.isnan(rate.high), name
            if not math.isnan(rate.value):
                assert rate.low <= rate.value * (1 + 1e-12) + 1e-12, name
                assert rate.value <= rate.high * (1 + 1e-12) + 1e-12, name
                assert rate.low >= (-1 if name == "youden" else 0)
                assert rate.high <= (math.inf if name.startswith("lr") else 1 + 1e-12)
        # The joint intervals have a higher level.
        for name in ("sensitivity", "specificity"):
            joint = getattr(point, name)
            assert joint.low <= point.rates[name].low
            assert joint.high >= point.rates[name].high


def test_a_ratio_and_its_inverse_have_inverse_ends():
    a, b = Bounded(0.4, 0.3, 0.55, 0.01), Bounded(0.2, 0.05, 0.6, 0.02)
    one, other = a.over(b), b.over(a)
    assert (one.low, one.high) == pytest.approx((1 / other.high, 1 / other.low))


def test_weights_give_effective_numbers():
    y = np.array([1, 1, 1, 0, 0, 0])
    s, w = [3, 1, 3, 3, 1, 1], np.array([1, 2, 3, 1, 1, 4])
    point = rl.operating_point_interval(y, s, threshold=2, sample_weight=w, method="wilson")
    number = 5**2 / (1 + 9 + 1)  # those predicted positive
    z = 1.959963984540054
    centre = (0.8 + z * z / (2 * number)) / (1 + z * z / number)
    margin = z * math.sqrt(0.16 / number + z * z / (4 * number**2)) / (1 + z * z / number)
    assert ends(point.rates["ppv"]) == pytest.approx((centre - margin, centre + margin))
    twice = rl.operating_point_interval(y, s, threshold=2, sample_weight=2 * w, method="wilson")
    for name in RATES:
        assert ends(twice.rates[name]) == pytest.approx(ends(point.rates[name]))


@given(*[st.integers(0, 30)] * 4, *[st.sampled_from([None, 0, 0.3, 1, 20])] * 2)
def test_the_expected_cost_is_that_of_all_examples(tp, fp, tn, fn, alarm, miss):
    if not (tp + fn and fp + tn) or alarm == miss == 0:
        return
    options = {"false_positive_cost": alarm, "false_negative_cost": miss, "threshold": 1}
    rates = rl.operating_point_interval(counted(tp, fp, tn, fn), **options).rates
    assert ("expected_cost" in rates) == (alarm is not None or miss is not None)
    if "expected_cost" not in rates:
        return
    alarm, miss = (1 if cost is None else cost for cost in (alarm, miss))
    cost, total = rates["expected_cost"], tp + fp + tn + fn
    assert cost.value == pytest.approx((alarm * fp + miss * fn) / total, abs=1e-12)
    assert 0 <= cost.low <= cost.value <= cost.high
    assert cost.high <= (alarm * (fp + tn) + miss * (tp + fn)) / total + 1e-9
    if not (alarm and miss):  # a multiple of one error rate, with its exact interval
        errors, size = (fn, tp + fn) if miss else (fp, fp + tn)
        factor = max(alarm, miss) * size / total
        expected = stats.binomtest(errors, size).proportion_ci(method="exact")
        assert ends(cost) == pytest.approx((factor * expected.low, factor * expected.high))


def test_equal_costs_are_those_of_errors():
    for method in ("wilson", "clopper_pearson"):
        options = {"threshold": 1, "prevalence": 0.2, "method": method}
        ranking = counted(26, 14, 58, 15)
        rates = rl.operating_point_interval(ranking, **options, false_positive_cost=1).rates
        cost, accuracy = rates["expected_cost"], rates["accuracy"]
        assert cost.value == pytest.approx(1 - accuracy.value)
        assert ends(cost) == pytest.approx((1 - accuracy.high, 1 - accuracy.low))
        assert cost.standard_error == pytest.approx(accuracy.standard_error)


def test_costs_have_their_own_scale_and_are_checked():
    ranking = counted(26, 14, 58, 15)
    point = rl.operating_point_interval(ranking, threshold=1, false_negative_cost=1e5)
    assert (point.false_positive_cost, point.false_negative_cost) == (1, 1e5)
    text = str(point)
    assert "expected cost" in text
    assert "13274.5" in text  # 15 misses in 113 examples
    assert "A false positive costs 1, a false negative 100000; cost per example." in text
    for options, message in (
        ({"false_positive_cost": -1}, "false_positive_cost=-1 is out of range"),
        (
            {"false_positive_cost": 0, "false_negative_cost": 0},
            "false_positive_cost and false_negative_cost are both 0",
        ),
    ):
        with pytest.raises(rl.InputError, match=message):
            rl.operating_point_interval(ranking, threshold=1, **options)


def test_a_share_called_positive_at_a_prevalence():
    point = rl.operating_point_interval(counted(26, 14, 58, 15), threshold=1, prevalence=0.1)
    called = point.rates["called_positive"]
    assert called.value == pytest.approx(0.1 * 26 / 41 + 0.9 * 14 / 72)
    sensitivity, specificity = point.rates["sensitivity"], point.rates["specificity"]
    below = math.hypot(
        0.1 * (sensitivity.value - sensitivity.low), 0.9 * (specificity.high - specificity.value)
    )
    assert called.low == pytest.approx(called.value - below)


def test_no_weight_above_an_infinite_score():
    """The infinite threshold of an infinite score calls it positive, the one above it nothing."""
    y, s, w = [1, 0, 1, 0], [math.inf, 1, 2, math.inf], [1, 2, 3, 4]
    points = rl.operating_points(y, s, sample_weight=w)
    ranking = rl.Ranking(y, s, sample_weight=w)
    nothing = PointShares(ranking, points[0])
    assert nothing.value_and_number("npv") == pytest.approx((0.6, 10**2 / (1 + 4 + 9 + 16)))
    assert math.isnan(nothing.value_and_number("ppv")[0])
    one = PointShares(ranking, points[1])
    assert one.value_and_number("ppv") == pytest.approx((0.2, 5**2 / (1 + 16)))


def test_several_thresholds_and_a_chosen_one():
    y, s = [0, 1, 0, 1, 1, 0], [0.1, 0.4, 0.4, 0.8, 0.9, 0.2]
    several = rl.operating_point_interval(y, s, threshold=[0.8, 0.4])
    assert len(several) == 2
    assert several[1] == rl.operating_point_interval(y, s, threshold=0.4)
    assert repr(several) == "OperatingPointIntervals(2 thresholds)"
    assert several.to_pandas()["sensitivity_low"].tolist() == [
        point.rates["sensitivity"].low for point in several.points
    ]
    chosen = rl.operating_point_interval(y, s, threshold="youden")
    assert chosen.threshold == rl.operating_points(y, s).best().threshold
    assert repr(chosen).endswith("; chosen on these data by youden")
    assert "The threshold was chosen on the same data (youden)" in str(chosen)
    assert "Jointly at 95 %" in str(chosen)
    with pytest.raises(rl.InputError, match=r"threshold='best' is not an option\. Choose 'youden'"):
        rl.operating_point_interval(y, s, threshold="best")
    with pytest.raises(rl.InputError, match="threshold='a' is not a number"):
        rl.operating_point_interval(y, s, threshold=[0.1, "a"])


def test_one_row_of_each_class_and_all_tied():
    point = rl.operating_point_interval([0, 1], [0.5, 0.5], threshold=0.5)
    assert point.rates["lr_pos"].value == 1
    assert point.rates["lr_pos"].low < 1 < point.rates["lr_pos"].high
    assert math.isnan(point.rates["npv"].value)


def test_the_picture_has_the_joint_region():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    point = rl.operating_point_interval(counted(26, 14, 58, 15), threshold=1)
    ax = rl.plot(point)
    x, y = ax.patches[0].get_xy().T
    assert (y.min(), y.max()) == pytest.approx(ends(point.sensitivity))
    assert (1 - x.max(), 1 - x.min()) == pytest.approx(ends(point.specificity))
    assert ax.get_legend().get_texts()[0].get_text() == "95 % joint region"
