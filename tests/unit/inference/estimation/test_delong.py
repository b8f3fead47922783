"""JointEstimate: exact zeros, digits that survive, what is refused and what is printed."""

import math
from fractions import Fraction

import numpy as np
import pytest
import reference_comparison as twin

import roclab as rl
from roclab.inference.estimation.delong import joint_estimate

Y = [0, 1, 0, 1]
COLUMNS = {"a": [0.1, 0.4, 0.4, 0.8], "b": [4, 3, 2, 1]}


def test_values_and_covariances_of_four_rows():
    joint = joint_estimate(rl.ScoreTable(Y, COLUMNS))
    assert joint.names == ("a", "b")
    assert joint.values.tolist() == [7 / 8, 1 / 4]
    expected = np.array([[1 / 32, -1 / 16], [-1 / 16, 1 / 8]])
    assert joint.covariance == pytest.approx(expected, rel=1e-15, abs=0)
    assert joint.difference_variance == pytest.approx(
        np.array([[0, 9], [9, 0]]) / 32, rel=1e-15, abs=0
    )
    assert joint.identical == (0, 1)
    with pytest.raises(ValueError, match="read-only"):
        joint.covariance[0, 0] = 1
    assert (joint.n_pos, joint.n_neg, joint.effective_pos, joint.effective_neg) == (2, 2, 2, 2)
    assert repr(joint) == "JointEstimate(auc of 2 models, 2+ 2-)"


def test_one_model_is_as_in_an_interval():
    joint = joint_estimate(rl.ScoreTable(Y, {"a": COLUMNS["a"]}))
    estimate = joint.of(0)
    interval = rl.auc_interval(Y, COLUMNS["a"], method="delong")
    assert estimate.value == interval.value
    assert math.sqrt(estimate.variance) == pytest.approx(interval.standard_error, rel=1e-15, abs=0)
    assert repr(joint) == "JointEstimate(auc of 1 model, 2+ 2-)"


def test_labels_in_other_words():
    words = ["no", "yes", "no", "yes"]
    named = joint_estimate(rl.ScoreTable(words, COLUMNS, pos_label="yes"))
    assert (
        named.covariance.tolist() == joint_estimate(rl.ScoreTable(Y, COLUMNS)).covariance.tolist()
    )


@pytest.mark.parametrize("weight", [None, "weights"])
def test_models_that_order_every_pair_alike_are_identical(weight):
    """Other scores, and another order of rows of one class: the placements are the same."""
    rng = np.random.default_rng(4)
    truth = rng.random(500) < 0.4
    weight = None if weight is None else rng.gamma(0.5, size=500)
    scores = np.round(rng.normal(size=500) + truth, 1)
    monotone = np.exp(scores)
    # negatives move among themselves wherever no positive is in between
    values, place = np.unique(scores, return_inverse=True)
    alone = ~np.isin(values, scores[truth])
    shuffled = place * 10.0
    runs = np.cumsum(~alone)
    for run in np.unique(runs[alone]):
        inside = alone[place] & (runs[place] == run)
        shuffled[inside] = rng.permutation(shuffled[inside])
    columns = {"a": scores, "other": rng.permutation(scores), "b": monotone, "c": shuffled}
    joint = joint_estimate(rl.ScoreTable(truth, columns, sample_weight=weight))
    assert joint.identical == (0, 1, 0, 0)
    assert joint.difference_variance[0].tolist() == [0, joint.difference_variance[0, 1], 0, 0]
    assert (joint.covariance[0] == joint.covariance[3]).all()
    assert joint.values[0] == joint.values[2] == joint.values[3]


@pytest.mark.parametrize("weighted", [False, True])
def test_perfect_and_constant_models_have_a_variance_of_exactly_zero(weighted):
    rng = np.random.default_rng(0)
    truth = rng.random(300) < 0.3
    weight = rng.lognormal(sigma=3, size=300) if weighted else None
    columns = {"perfect": truth + rng.random(300), "constant": np.ones(300), "worst": -1.0 * truth}
    joint = joint_estimate(rl.ScoreTable(truth, columns, sample_weight=weight))
    assert joint.values == pytest.approx([1, 0.5, 0], abs=0)
    assert (joint.covariance == 0).all()
    assert (joint.difference_variance == 0).all()
    assert joint.identical == (0, 1, 2)


def test_placements_that_differ_by_a_constant_leave_no_variance():
    """Every positive falls by one negative; the weights within a class are equal, and odd."""
    rng = np.random.default_rng(0)
    truth = np.repeat([1, 0], 4)
    first = np.array([3.5, 2.5, 0.5, 1.5, 0, 1, 2, 3])
    for _ in range(100):
        weight = np.repeat(rng.random(2), 4)
        joint = joint_estimate(
            rl.ScoreTable(truth, {"a": first, "b": first - truth}, sample_weight=weight)
        )
        assert joint.values[0] - joint.values[1] == pytest.approx(0.25, rel=1e-14, abs=0)
        assert joint.difference_variance[0, 1] == 0
        assert joint.covariance[0, 0] > 0.01
        assert joint.identical == (0, 1)


def test_nearly_identical_models_keep_the_digits_of_their_difference():
    """One exchange of neighbours in 40,000 rows: var + var - 2 cov would leave nothing."""
    rng = np.random.default_rng(3)
    truth = rng.random(40_000) < 0.5
    scores = rng.permutation(40_000)
    place = np.argsort(scores)
    pair = next(i for i in range(40_000) if truth[place[i]] and not truth[place[i + 1]])
    other = scores.copy()
    other[place[pair]], other[place[pair + 1]] = scores[place[pair + 1]], scores[place[pair]]
    joint = joint_estimate(rl.ScoreTable(truth, {"a": scores, "b": other}))
    m, n = int(truth.sum()), int((~truth).sum())
    # one placement in each class moves by one row
    one = [Fraction(1, n**2) * (1 - Fraction(1, m)) / (m - 1) / m]
    one += [Fraction(1, m**2) * (1 - Fraction(1, n)) / (n - 1) / n]
    assert joint.values[1] - joint.values[0] == pytest.approx(1 / (m * n), rel=1e-6, abs=0)
    assert joint.difference_variance[0, 1] == pytest.approx(float(sum(one)), rel=1e-9, abs=0)
    assert joint.identical == (0, 1)


def test_near_a_perfect_auc_no_digit_is_lost():
    """2e-4 of the variance would be lost by sums of squares in doubles, 2e-13 by a BLAS product."""
    m = n = 200_000
    truth = np.repeat([True, False], [m, n])
    scores = np.concatenate([np.arange(m) + n, np.arange(n)]).astype(float)
    scores[0] = -1.0  # one positive below all
    joint = joint_estimate(rl.ScoreTable(truth, {"a": scores}))
    mean = Fraction(m - 1, m)
    s10 = ((1 - mean) ** 2 * (m - 1) + mean**2) / (m - 1)
    assert joint.covariance[0, 0] == float(s10 / m)  # the negatives have equal placements
    weight = np.where(truth, 0.1, 3.0)
    weighted = joint_estimate(rl.ScoreTable(truth, {"a": scores}, sample_weight=weight))
    assert weighted.covariance[0, 0] == pytest.approx(float(s10 / m), rel=2e-15, abs=0)


def test_scored_outliers_cost_no_other_row_its_digits():
    rng = np.random.default_rng(1)
    truth = np.repeat([True, False], [30, 30])
    scores = np.round(rng.random(60) + 0.3 * truth, 3)
    scores[0], scores[1] = -1e9, 1e9  # positives, one lost and one far ahead
    joint = joint_estimate(rl.ScoreTable(truth, {"a": scores}), measure="scored_auc")
    assert joint.values[0] == pytest.approx(
        float(twin.value(truth, scores, measure="scored_auc")), rel=1e-14, abs=0
    )
    no_lead = truth.copy()
    no_lead[1] = False
    scores[1] = 0.5
    joint = joint_estimate(rl.ScoreTable(no_lead, {"a": scores}), measure="scored_auc")
    expected = twin.covariance(no_lead, scores, scores, measure="scored_auc")
    assert joint.covariance[0, 0] == pytest.approx(float(expected), rel=1e-12, abs=0)


def test_weights_of_zero_leave_rows_out():
    columns = {"a": [0.1, 0.4, 0.4, 0.8, 9.0, np.inf], "b": [4, 3, 2, 1, 0, 7]}
    joint = joint_estimate(rl.ScoreTable([*Y, 0, 1], columns, sample_weight=[2, 2, 2, 2, 0, 0]))
    assert joint.values.tolist() == [7 / 8, 1 / 4]
    assert joint.covariance == pytest.approx(np.array([[1 / 32, -1 / 16], [-1 / 16, 1 / 8]]))
    assert (joint.n_pos, joint.n_neg) == (2, 2)


@pytest.mark.parametrize("measure", ["auc", "scored_auc"])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_missing_class_and_single_examples(measure, weighted):
    def of(labels):
        columns = {"a": np.arange(len(labels)), "b": np.zeros(len(labels))}
        weight = np.linspace(1, 2, len(labels)) if weighted else None
        return joint_estimate(rl.ScoreTable(labels, columns, sample_weight=weight), measure=measure)

    nobody = of([1, 1, 1])
    assert np.isnan(nobody.values).all()
    assert np.isnan(nobody.covariance).all()
    assert np.isnan(nobody.difference_variance).all()
    alone = of([0, 0, 1])
    assert alone.values[0] == pytest.approx(1.0 if measure == "auc" else 1.5, rel=0.2, abs=0)
    assert np.isnan(alone.covariance).all()
    empty = joint_estimate(rl.ScoreTable([], {"a": []}), measure=measure)
    assert np.isnan(empty.values).all()
    assert (empty.n_pos, empty.n_neg) == (0, 0)


def test_one_weight_that_dominates_keeps_the_correction():
    truth = [1, 1, 1, 0, 0]
    scores, weight = [3, 1, 2, 1, 2], [1e12, 1.0, 2.0, 1.0, 3.0]
    joint = joint_estimate(rl.ScoreTable(truth, {"a": scores}, sample_weight=weight))
    expected = twin.covariance(truth, scores, scores, weight)
    assert joint.covariance[0, 0] == pytest.approx(float(expected), rel=1e-9, abs=0)


@pytest.mark.parametrize(
    ("scores", "match"),
    [
        ([1.0, 2.0, np.nan, 4.0], r"column 'b' holds NaN in 1 of 4 rows, the first at row 2"),
        ([1.0, 2.0], r"column 'b' has 2"),
        (["x", "y", "z", "w"], "column 'b' holds text"),
    ],
)
def test_columns_that_cannot_be_used_are_named(scores, match):
    with pytest.raises(rl.InputError, match=match):
        joint_estimate(rl.ScoreTable(Y, {"a": [1, 2, 3, 4], "b": scores}))


@pytest.mark.parametrize("far", [np.inf, 1e200, 1e308])
def test_scored_auc_refuses_scores_without_a_finite_square(far):
    with pytest.raises(rl.InputError, match="finite scores whose squares"):
        joint_estimate(
            rl.ScoreTable(Y, {"a": [1, 2, 3, 4], "b": [0.0, 1.0, -far, far]}), measure="scored_auc"
        )
    joint_estimate(rl.ScoreTable(Y, {"a": [1, 2, 3, 4], "b": [0.0, 1.0, -far, far]}))


@pytest.mark.parametrize("dtype", ["i8", "u8"])
def test_integers_beyond_doubles_are_told_apart(dtype):
    base = 2**62 if dtype == "i8" else 2**63 + 2**62
    scores = np.array([base, base + 1, base + 2, base + 3], dtype)
    joint = joint_estimate(rl.ScoreTable([0, 1, 0, 1], {"a": scores, "b": [0, 1, 2, 3]}))
    assert joint.identical == (0, 0)
    scored = joint_estimate(
        rl.ScoreTable([0, 1, 0, 1], {"a": scores, "b": [0, 1, 2, 3]}), measure="scored_auc"
    )
    assert scored.values.tolist() == [1.25, 1.25]
    assert scored.identical == (0, 0)
