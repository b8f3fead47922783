"""Planning: what is solved for, what is refused, and what simulated studies say."""

import json
import math

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError

PAIRED = {"other_auc": 0.75, "correlation": 0.5}


def test_what_is_left_out_is_solved_for():
    assert rl.plan_auc_study(0.8, n_pos=30, n_neg=60).solved_for == "power"
    assert rl.plan_auc_study(0.8, n_pos=30, ratio=2).solved_for == "power"
    assert rl.plan_auc_study(0.8, n_neg=60, ratio=2).n_pos == 30
    assert rl.plan_auc_study(0.8).solved_for == "n"
    assert rl.plan_auc_study(0.8, n_pos=30).solved_for == "n_neg"
    assert rl.plan_auc_study(0.8, n_neg=30, power=0.8).solved_for == "n_pos"
    assert rl.plan_auc_study(0.8, n_neg=300, width=0.1).solved_for == "n_pos"
    assert rl.plan_auc_study(n_pos=30, n_neg=60).solved_for == "auc"
    assert rl.plan_auc_study(0.8, n_pos=30, n_neg=60, alpha=None).solved_for == "alpha"


def test_power_of_nine_tenths_is_what_is_meant_without_a_word():
    assert rl.auc_sample_size(0.7) == rl.auc_sample_size(0.7, power=0.9, ratio=1, alpha=0.05)


def test_known_size_of_one_class_gives_the_other():
    plan = rl.auc_sample_size(0.7, n_neg=200)
    assert plan.n_neg == 200
    assert rl.auc_power(0.7, plan.n_pos, 200) == pytest.approx(0.9, abs=1e-10)


def test_detectable_auc_lies_where_the_test_looks():
    sizes = {"n_pos": 50, "n_neg": 50}
    two_sided = rl.plan_auc_study(**sizes).auc
    assert two_sided > rl.plan_auc_study(**sizes, alternative="greater").auc > 0.5
    less = rl.plan_auc_study(**sizes, alternative="less").auc
    assert less == pytest.approx(1 - rl.plan_auc_study(**sizes, alternative="greater").auc)


def test_sample_ratio_scales_the_other_sample():
    plan = rl.auc_sample_size(0.85, other_auc=0.75, paired=False, sample_ratio=3)
    assert (plan.n_pos_b, plan.n_neg_b) == (3 * plan.n_pos, 3 * plan.n_neg)
    assert plan.n_pos < rl.auc_sample_size(0.85, other_auc=0.75, paired=False).n_pos


def test_correlation_of_the_estimates_is_told():
    plan = rl.plan_auc_study(0.8, **PAIRED, method="delong")
    again = rl.plan_auc_study(
        0.8,
        n_pos=plan.n_pos,
        n_neg=plan.n_neg,
        other_auc=0.75,
        estimate_correlation=plan.estimate_correlation,
        method="delong",
    )
    assert again.power == pytest.approx(0.9, abs=1e-10)
    assert 0.4 < plan.estimate_correlation < 0.5  # a little less than that of the scores


def test_width_may_be_asked_at_the_null_value():
    plan = rl.auc_sample_size(0.5, width=0.1)
    assert plan.width == pytest.approx(0.1)
    assert plan.power == pytest.approx(0.025)


def test_width_is_what_the_interval_has_on_average():
    plan = rl.plan_auc_study(0.75, width=0.15, method="delong", simulate=400, rng=0)
    # The mean of 400 widths is within 1 % of theirs; DeLong's variance is a little too large.
    assert plan.simulation.width == pytest.approx(0.15, rel=0.02)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"auc": 0.5}, "same as null_value"),
        ({"auc": 0.75, **PAIRED}, "same as other_auc"),
        ({"auc": 0.8, "power": 0.05}, "not above alpha"),
        ({"auc": 0.8, "power": 0.02}, "not above alpha"),
        ({"auc": 0.8, "power": 1}, "power=1 is out of range; a number between 0 and 1"),
        ({"auc": 1}, "auc=1 is out of range; a number between 0 and 1"),
        ({"auc": True}, "auc=True is out of range"),
        ({"auc": "0.8"}, "auc='0.8' is out of range"),
        ({"auc": float("nan")}, "auc=nan is out of range"),
        ({"auc": 0.8, "alpha": 0}, "alpha=0 is out of range"),
        (
            {"auc": 0.8, "alpha": 0.5, "power": 0.9, "alternative": "greater"},
            "between 0 and 0.5 is needed",
        ),
        ({"auc": 0.8, "n_pos": 0}, "n_pos=0 is out of range; a positive number"),
        ({"auc": 0.8, "n_neg": -3}, "n_neg=-3 is out of range; a positive number"),
        ({"auc": 0.8, "ratio": float("inf")}, "ratio=inf is out of range"),
        ({"auc": 0.8, "ratio": 1e300}, "ratio=1e+300 is out of range"),
        ({"auc": 0.8, "n_pos": 1e-320, "n_neg": 3}, "n_pos=1e-320 is out of range"),
        ({"auc": 1e-300}, "within 1e-12 of them an AUC has no variance"),
        ({"auc": 0.8, "null_value": 1 - 1e-16}, "within 1e-12 of them an AUC has no variance"),
        ({"auc": 0.8, "n_pos": 9, "n_neg": 9, "ratio": 1}, "two of them determine the third"),
        ({}, "the AUC and the sizes were left out"),
        ({"auc": 0.8, "alpha": None}, "the sizes and alpha were left out"),
        ({"auc": 0.8, "n_pos": 9, "n_neg": 9, "power": 0.8}, "nothing was left out"),
        ({"auc": 0.8, "power": 0.8, "width": 0.1}, "replaces the power"),
        ({"auc": 0.8, "n_pos": 9, "n_neg": 9, "width": 0.1}, "replaces the power"),
        ({"auc": 0.8, "width": 0}, "width=0 is out of range"),
        ({"auc": 0.8, "width": 0.1, "alternative": "less"}, "that of a two-sided interval"),
        ({"auc": 0.8, "alternative": "less"}, "auc=0.8 is on the other side of null_value=0.5"),
        ({"auc": 0.8, "alternative": "equivalent"}, "alternative='equivalent' is not an option"),
        ({"auc": 0.8, "method": "hanley"}, "Choose 'obuchowski' or 'delong'"),
        ({"auc": 0.8, "null_value": 0.6, "other_auc": 0.7}, "both define the null hypothesis"),
        ({"auc": 0.8, "correlation": 0.5}, "has no effect without a second model"),
        ({"auc": 0.8, "paired": False}, "has no effect without a second model"),
        ({"auc": 0.8, "other_auc": 0.7}, "No correlation was passed"),
        ({"auc": 0.8, "other_auc": 0.7, "correlation": 1}, "between -1 and 1"),
        ({"auc": 0.8, "other_auc": 0.7, "correlation": (0.1, -2)}, "between -1 and 1"),
        ({"auc": 0.8, "other_auc": 0.7, "correlation": (0.1,)}, "has 1 values"),
        ({"auc": 0.8, "other_auc": 0.7, "estimate_correlation": 1.5}, "between -1 and 1"),
        (
            {"auc": 0.8, "other_auc": 0.7, "correlation": 0.5, "estimate_correlation": 0.5},
            "each determines the other",
        ),
        ({"auc": 0.8, "other_auc": 0.7, "correlation": 0.5, "paired": False}, "do not correlate"),
        ({"auc": 0.8, "other_auc": 0.7, "paired": "no"}, "neither True nor False"),
        ({"auc": 0.8, "sample_ratio": 2}, "different rows"),
        ({"auc": 0.8, "sample_ratio": [1, 2]}, "sample_ratio=[1, 2] is out of range"),
        ({"auc": 0.8, "simulate": 2.5}, "simulate=2.5"),
        ({"auc": 0.8, "simulate": 10**10}, "an integer from 0 to 1,000,000,000"),
        ({"auc": 0.5001, "simulate": 1}, "3.33e+08 examples is too large to simulate"),
        (
            {"auc": 0.8, "n_pos": 9e6, "n_neg": 9e6, "other_auc": 0.7, "paired": False}
            | {"simulate": 1},
            "3.6e+07 examples is too large",
        ),
        ({"auc": 0.6, "n_neg": 10}, "With n_neg=10 no number of the other class is enough"),
        ({"auc": 0.6, "n_pos": 10}, "With n_pos=10 no number of the other class is enough"),
        ({"n_pos": 2, "n_neg": 2}, "are too few: not even an AUC of 1"),
        ({"n_pos": 1, "n_neg": 1, "alternative": "less"}, "not even an AUC of 0"),
        ({"auc": 0.51, "n_pos": 9, "n_neg": 9, "alpha": None}, "No alpha between 0 and 0.9"),
        ({"auc": 0.51, "n_pos": 9, "n_neg": 9, "alpha": None, "power": 0.3}, "between 0 and 0.3"),
        (
            {"auc": 0.6, "n_pos": 5, "n_neg": 5, "alpha": None, "alternative": "greater"},
            "No alpha between 0 and 0.5",
        ),
        ({"auc": 0.5, "null_value": 0.99, "power": 0.3}, "samples of any size have power 0.3"),
    ],
)
def test_impossible_requests_are_told(options, message):
    with pytest.raises(InputError) as caught:
        rl.plan_auc_study(**options)
    assert message in str(caught.value)


@pytest.mark.parametrize("missing", ["auc", "n_pos", "n_neg", "alpha"])
def test_power_needs_all_the_rest(missing):
    known = {"auc": 0.7, "n_pos": 20, "n_neg": 50, "alpha": 0.05} | {missing: None}
    with pytest.raises(InputError, match=f"{missing}=None.* are all needed for the power"):
        rl.auc_power(**known)


def test_alpha_of_many_tests_at_once():
    """The quantile of 1 - alpha / 2 would be infinite, or off in the third digit."""
    for alpha, quantile in ((1e-15, 8.026859), (1e-20, 9.336045)):
        plan = rl.plan_auc_study(0.7, width=0.1, alpha=alpha)
        at_95 = rl.plan_auc_study(0.7, width=0.1)
        assert plan.n_pos / at_95.n_pos == pytest.approx((quantile / 1.959964) ** 2, rel=1e-6)
        assert rl.auc_power(0.7, plan.n_pos, plan.n_neg, alpha=alpha) == pytest.approx(plan.power)


def test_sample_size_leaves_a_size_open():
    with pytest.raises(InputError, match="leave no size to solve for"):
        rl.auc_sample_size(0.8, ratio=2, n_neg=50)


def test_plan_in_one_line_and_as_plain_values():
    plan = rl.plan_auc_study(
        0.9, other_auc=0.8, correlation=(0.5, 0.4), n_pos=40, n_neg=80, simulate=20, rng=1
    )
    assert repr(plan).startswith("AUC 0.900 against 0.800: 40+ 80- (120 in all), power 0.")
    assert f"interval width of the difference {plan.width:.3f}" in repr(plan)
    assert "\n" not in repr(plan)
    assert repr(plan.simulation).endswith("20 simulated studies)")
    assert json.loads(json.dumps(plan.to_dict()))["correlation"] == [0.5, 0.4]
    assert plan.to_dict()["simulation"] == plan.simulation.to_dict()
    unpaired = rl.plan_auc_study(0.9, other_auc=0.8, n_pos=40, n_neg=80, paired=False)
    assert "40+ 80- and 40+ 80- (240 in all)" in repr(unpaired)
    assert unpaired.n == 240


def test_whole_examples_are_printed_and_fields_are_exact():
    plan = rl.auc_sample_size(0.7, power=0.9, ratio=2)
    assert plan.n_pos == pytest.approx(30.6, abs=0.05)
    assert plan.n_neg == 2 * plan.n_pos
    assert (plan.n, "31+ 62- (93 in all)" in repr(plan)) == (93, True)
    assert f"interval width of the AUC {plan.width:.3f}" in repr(plan)
    assert "With 31 positive and 62 negative examples (93 in all) a two-sided" in str(plan)
    twice = rl.auc_sample_size(0.8, other_auc=0.7, paired=False, sample_ratio=1.5)
    sizes = (twice.n_pos, twice.n_neg, twice.n_pos_b, twice.n_neg_b)
    assert twice.n == sum(map(math.ceil, sizes))
    assert f"for the other model ({twice.n:,} in all), a two-sided" in str(twice)


def test_a_solution_that_is_a_whole_number_is_not_rounded_up():
    power = rl.auc_power(0.7, 40, 80)
    plan = rl.auc_sample_size(0.7, power=power, ratio=2)
    assert plan.n_pos == pytest.approx(40, rel=1e-9)
    assert plan.n == 120


QUESTIONS = {
    "value": (0.7, 40, 60, {}),
    "paired": (0.85, 80, 100, {"other_auc": 0.75, "correlation": (0.6, 0.4)}),
    "estimates": (0.85, 80, 100, {"other_auc": 0.75, "estimate_correlation": 0.4}),
    "unpaired": (0.85, 90, 90, {"other_auc": 0.7, "paired": False, "sample_ratio": 1.5}),
    "one-sided": (0.3, 40, 30, {"alternative": "less"}),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_simulated_studies_agree_with_the_exact_variance(question):
    auc, n_pos, n_neg, options = QUESTIONS[question]
    plan = rl.plan_auc_study(
        auc, n_pos=n_pos, n_neg=n_neg, method="delong", simulate=1500, rng=2, **options
    )
    drawn = plan.simulation
    assert drawn.standard_error == pytest.approx(
        np.sqrt(drawn.power * (1 - drawn.power) / 1500), rel=1e-12
    )
    # Four standard errors, and what DeLong's estimate of the variance costs at such sizes.
    assert drawn.power == pytest.approx(plan.power, abs=4 * drawn.standard_error + 0.03)
    assert np.isnan(drawn.width) == (question == "one-sided")


def test_simulation_can_be_had_again_and_tells_its_progress():
    options = {"n_pos": 10.2, "n_neg": 12, "simulate": 30}
    told = []
    plan = rl.plan_auc_study(0.8, **options, rng=5, progress=lambda *step: told.append(step))
    assert told == [(done, 30) for done in range(1, 31)]
    assert plan == rl.plan_auc_study(0.8, **options, rng=5)
    seeds = {rl.plan_auc_study(0.8, **options, rng=seed).simulation.width for seed in range(3)}
    assert len(seeds) == 3


def test_studies_too_small_to_test_do_not_reject():
    drawn = rl.plan_auc_study(0.9, n_pos=1, n_neg=5, simulate=10, rng=0).simulation
    assert (drawn.power, drawn.n_simulations) == (0, 10)
    assert np.isnan(drawn.width)


def test_estimates_that_normal_scores_cannot_have_are_not_simulated():
    options = {"n_pos": 50, "n_neg": 50, "other_auc": 0.6, "estimate_correlation": 0.99}
    assert rl.plan_auc_study(0.95, **options).power > 0.9
    with pytest.raises(InputError, match=r"estimates have correlations from -0\.\d+ to 0\.\d+"):
        rl.plan_auc_study(0.95, **options, simulate=10)


def exponential_pilot():
    """Exponential scores with means 1 and 4, AUC 0.8, and a noisier model on the same rows."""
    rng = np.random.default_rng(6)
    y = np.arange(4000) < 2000
    a = rng.exponential(size=4000) * np.where(y, 4, 1)
    return rl.ScoreTable(y, {"a": a, "b": a + 2 * rng.normal(size=4000)})


class TestPilot:
    def test_the_variance_is_that_of_scores_like_these(self):
        """Of 60+120 exponential scores the AUC has the variance that theory gives."""
        auc, n_pos, n_neg = 0.8, 60, 120
        # P(X > Y, X > Y') and P(X > Y, X' > Y), for X with mean 4 and Y with mean 1.
        both_neg = 1 - 2 * (1 / 5) + 1 / 9
        both_pos = 1 / (1 + 2 / 4)
        variance = (
            auc * (1 - auc) + (n_neg - 1) * (both_neg - auc**2) + (n_pos - 1) * (both_pos - auc**2)
        ) / (n_pos * n_neg)
        plan = rl.plan_auc_study(
            auc,
            n_pos=n_pos,
            n_neg=n_neg,
            null_value=0.7,
            pilot=exponential_pilot()["a"],
        )
        assert plan.method == "pilot"
        assert plan.width == pytest.approx(2 * 1.96 * math.sqrt(variance), rel=0.05)
        normal = rl.plan_auc_study(auc, n_pos=n_pos, n_neg=n_neg, null_value=0.7, method="delong")
        assert plan.width > 1.05 * normal.width

    def test_sizes_keep_the_ratio_of_the_pilot(self):
        table = exponential_pilot()
        kept = np.flatnonzero(~table.y_true | (np.cumsum(table.y_true) % 3 == 1))
        scores = {name: column[kept] for name, column in table.scores.items()}
        rare = rl.ScoreTable(table.y_true[kept], scores)
        ratio = rare["a"].n_neg / rare["a"].n_pos
        assert ratio > 2
        for pilot, options in ((rare, {}), (rare["a"], {}), (rare, {"paired": False})):
            plan = rl.plan_auc_study(pilot=pilot, power=0.8, **options)
            assert plan.ratio == pytest.approx(ratio, rel=1e-12)
            assert rl.plan_auc_study(pilot=pilot, power=0.8, ratio=1, **options).ratio == 1
            one = rl.plan_auc_study(pilot=pilot, power=0.8, n_neg=1e4, **options)
            assert one.n_neg == 1e4

    def test_the_order_of_two_models_does_not_change_the_power(self):
        table = exponential_pilot()
        other = rl.ScoreTable(table.y_true, {name: table.scores[name] for name in ("b", "a")})
        sizes = {"n_pos": 50, "n_neg": 90}
        power = rl.plan_auc_study(pilot=table, **sizes).power
        assert rl.plan_auc_study(pilot=other, **sizes).power == pytest.approx(power, rel=1e-12)

    def test_the_correlation_of_two_models_comes_from_the_pilot(self):
        table = exponential_pilot()
        pair = rl.compare(table).pairs[0]
        aucs = [one.interval.value for one in rl.compare(table).models]
        plan = rl.plan_auc_study(aucs[0], other_auc=aucs[1], n_pos=2000, n_neg=2000, pilot=table)
        assert plan.paired
        assert plan.width == pytest.approx(2 * 1.96 * pair.standard_error, rel=1e-3)
        assert 0.3 < plan.estimate_correlation < 1

    def test_two_curves_need_no_aucs(self):
        table = exponential_pilot()
        aucs = [rl.auc(table[name]) for name in table]
        given = rl.plan_auc_study(aucs[0], other_auc=aucs[1], n_pos=50, n_neg=90, pilot=table)
        assert rl.plan_auc_study(n_pos=50, n_neg=90, pilot=table) == given
        assert given.solved_for == "power"
        plan = rl.plan_auc_study(pilot=table, ratio=2, power=0.8)
        assert plan.solved_for == "n"
        same = rl.plan_auc_study(pilot=table, n_pos=plan.n_pos, n_neg=plan.n_neg)
        assert same.power == pytest.approx(0.8)
        one = rl.plan_auc_study(pilot=table["a"], n_pos=50, n_neg=90)
        assert one.auc == rl.auc(table["a"])
        # Nothing else is unknown: the AUC is solved for.
        solved = rl.plan_auc_study(pilot=table, n_pos=50, n_neg=90, power=0.8)
        assert solved.solved_for == "auc"
        assert solved.auc > solved.other_auc == aucs[1]

    def test_unpaired_curves(self):
        table = exponential_pilot()
        other = rl.Ranking(np.arange(60) % 2, np.arange(60) * 7 % 11 + np.arange(60) % 2)
        plan = rl.plan_auc_study(pilot=(table["a"], other), paired=False, n_pos=2000, n_neg=2000)
        first = rl.auc_interval(table["a"]).standard_error
        second = rl.auc_interval(other, method="delong").standard_error
        # The second sample is as large as the first, not as large as its pilot.
        error = math.sqrt(first**2 + second**2 * 30 / 2000)
        assert plan.width == pytest.approx(2 * 1.959964 * error, rel=1e-3)
        assert not plan.paired
        apart = rl.plan_auc_study(pilot=table, paired=False, n_pos=100, n_neg=100)
        together = rl.plan_auc_study(pilot=table, n_pos=100, n_neg=100)
        assert together.power > apart.power
        assert apart.estimate_correlation is None
        with pytest.raises(rl.InputError, match="needs a ScoreTable of two models"):
            rl.plan_auc_study(pilot=(table["a"], other), n_pos=100, n_neg=100)

    def test_partial_auc(self):
        rng = np.random.default_rng(3)
        y = np.arange(300) < 120
        a = np.round(rng.normal(size=300) + 1.2 * y, 1)
        table = rl.ScoreTable(y, {"a": a, "b": np.round(a + rng.normal(size=300), 1)})
        word = "partial_auc(fpr_range=(0, 0.2))"
        plan = rl.plan_auc_study(pilot=table["a"], n_pos=120, n_neg=180, measure=word)
        bootstrap = rl.interval(table["a"], measure=word, method="bootstrap", rng=0).standard_error
        assert plan.width / 2 / 1.96 == pytest.approx(bootstrap, rel=0.05)
        assert plan.measure == word
        assert plan.null_value == pytest.approx(0.02)
        assert plan.auc == rl.partial_auc(table["a"], fpr_range=(0, 0.2))
        assert repr(plan).startswith(f"{word} {plan.auc:.3f} against 0.020")
        solved = rl.plan_auc_study(
            pilot=table["a"], n_pos=120, n_neg=180, measure=word, power=plan.power
        )
        assert solved.auc == pytest.approx(plan.auc, rel=1e-9)
        # The whole box is the AUC, whose jackknife influences are its placements.
        whole = {"pilot": table, "n_pos": 60, "n_neg": 90}
        box = rl.plan_auc_study(measure="partial_auc(fpr_range=(0, 1))", **whole)
        assert box.power == pytest.approx(rl.plan_auc_study(**whole).power, rel=1e-9)

    def test_the_covariance_of_two_partial_aucs_is_that_of_resampled_rows(self):
        rng = np.random.default_rng(4)
        y = np.arange(200) < 80
        a = np.round(rng.normal(size=200) + 1.2 * y, 1)
        b = np.round(a + rng.normal(size=200), 1)
        word = "partial_auc(fpr_range=(0, 0.3))"
        table = rl.ScoreTable(y, {"a": a, "b": b})
        plan = rl.plan_auc_study(pilot=table, n_pos=80, n_neg=120, measure=word)
        differences = []
        for _ in range(1000):
            rows = np.r_[rng.integers(0, 80, 80), rng.integers(80, 200, 120)]
            values = (rl.partial_auc(y[rows], one[rows], fpr_range=(0, 0.3)) for one in (a, b))
            differences.append(next(values) - next(values))
        assert plan.width / 2 / 1.96 == pytest.approx(np.std(differences), rel=0.08)

    def test_partial_aucs_that_cannot_be_planned(self):
        word = "partial_auc(fpr_range=(0, 0.2))"
        with pytest.raises(rl.InputError, match="has no formula for its variance"):
            rl.plan_auc_study(0.1, power=0.8, measure=word)
        with pytest.raises(rl.InputError, match="measure='gini' cannot be planned"):
            rl.plan_auc_study(0.1, power=0.8, measure="gini", pilot=exponential_pilot()["a"])
        with pytest.raises(rl.InputError, match=r"auc=0\.5 is out of range"):
            rl.plan_auc_study(0.5, power=0.8, measure=word, pilot=exponential_pilot()["a"])
        many = rl.Ranking(np.arange(30_000) % 3 == 0, np.arange(30_000))
        with pytest.raises(rl.InputError, match="leaves out each of 30,000 distinct examples"):
            rl.plan_auc_study(power=0.8, measure=word, pilot=many)

    def test_assumptions_are_said(self):
        assert rl.plan_auc_study(0.8, power=0.8).assumption == (
            "normal scores with equal standard deviations; variance under the null hypothesis"
        )
        plan = rl.plan_auc_study(0.8, power=0.8, method="delong")
        assert plan.assumption == "normal scores with equal standard deviations; DeLong's test"
        pilot = exponential_pilot()["a"]
        plan = rl.auc_sample_size(0.8, power=0.8, pilot=pilot)
        assert "pilot" in plan.assumption
        assert plan.assumption in str(plan)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"method": "delong"}, "both determine the variance"),
            ({"other_auc": 0.7, "correlation": 0.5}, "correlation was passed with pilot"),
            ({"other_auc": 0.7}, "needs a ScoreTable of two models"),
            ({"simulate": 10}, "simulate draws normal scores"),
        ],
    )
    def test_what_is_refused(self, options, message):
        pilot = exponential_pilot()["a"]
        with pytest.raises(rl.InputError, match=message):
            rl.plan_auc_study(0.8, power=0.8, pilot=pilot, **options)

    @pytest.mark.parametrize(
        ("pilot", "message"),
        [
            (rl.Ranking([0, 1, 0], [1, 2, 3]), "needs two of each"),
            (rl.Ranking([0, 1, 0, 1], [1, 3, 2, 4]), "AUC of pilot is 0 or 1"),
            (rl.Ranking([0, 1, 0, 1], [1, 3, 2, 2], sample_weight=[1, 2, 1, 1]), "has weights"),
            ([0.1, 0.2], "this study needs a Ranking"),
        ],
    )
    def test_pilots_without_a_variance(self, pilot, message):
        with pytest.raises(rl.InputError, match=message):
            rl.plan_auc_study(0.8, power=0.8, pilot=pilot)
