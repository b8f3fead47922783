"""The loss over all pairs: against going through all pairs, finite differences and known values."""

import copy
import pickle
import warnings

import numpy as np
import pytest
import reference_learning

from roclab import Ranking
from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.learning import PairwiseObjective, pairwise_loss

LOSSES = [
    {"loss": "hinge", "gamma": 0.3, "p": 1},
    {"loss": "hinge", "gamma": 0.3, "p": 2},
    {"loss": "hinge", "gamma": 1.0, "p": 2},
    {"loss": "hinge", "gamma": 0.7, "p": 3},
    {"loss": "logistic", "gamma": 0.3},
    {"loss": "logistic", "gamma": 2.0},
]
SMOOTH = [options for options in LOSSES if options.get("p") != 1]
OUTPUTS = [0.9, 0.6, 0.55, 0.2], [0.7, 0.5, 0.1]  # positive and negative, as in GOLDEN
GOLDEN = [  # gamma, p, sum over pairs, its derivatives by the positives and by the negatives
    (0.1, 2, 0.625, [0.0, -0.4, -0.6, -2.0], [2.1, 0.9, 0.0]),
    (0.3, 2, 1.515, [-0.2, -1.2, -1.4, -3.2], [3.5, 2.1, 0.4]),
    (0.7, 2, 5.3875, [-1.6, -3.2, -3.5, -5.6], [6.7, 5.1, 2.1]),
    (0.1, 3, 0.30375, [0.0, -0.12, -0.195, -1.56], [1.3875, 0.4875, 0.0]),
    (0.3, 3, 0.91575, [-0.03, -0.6, -0.795, -3.12], [3.0375, 1.3875, 0.12]),
    (0.7, 3, 4.736375, [-1.02, -3.12, -3.6225, -8.4], [9.1575, 5.6175, 1.3875]),
]


def name(options):
    return " ".join(map(str, options.values()))


def drawn(n=60, *, offset=0.0, spread=1.0, seed=0, share=0.4):
    """(truth, scores, weights) with many ties, on a grid that any offset leaves exact."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < share
    truth[:2] = True, False
    scores = offset + np.round(32 * spread * (rng.normal(size=n) + truth)) / 32
    return truth, scores, rng.random(n) + 0.1


def close(found, expected, within):
    scale = max(np.abs(expected).max(), 1e-300)
    return np.abs(found - expected).max() <= within * scale


@pytest.mark.parametrize(("gamma", "p", "total", "by_pos", "by_neg"), GOLDEN)
def test_golden_values(gamma, p, total, by_pos, by_neg):
    # From the specification's golden.json, where they were found by an independent program.
    found = pairwise_loss([1] * 4 + [0] * 3, [*OUTPUTS[0], *OUTPUTS[1]], gamma=gamma, p=p)
    assert found.value * 12 == pytest.approx(total, rel=1e-13)
    assert found.gradient * 12 == pytest.approx([*by_pos, *by_neg], abs=1e-14, rel=1e-13)


@pytest.mark.parametrize("offset", [0.0, 1e4, -1e8])
@pytest.mark.parametrize("spread", [0.2, 1.0, 20.0])
@pytest.mark.parametrize("options", LOSSES, ids=name)
def test_equals_going_through_all_pairs(options, spread, offset):
    truth, scores, weights = drawn(offset=offset, spread=spread)
    for w in (None, weights):
        value, gradient, hessian = reference_learning.pair_loss(truth, scores, weights=w, **options)
        objective = PairwiseObjective(truth, sample_weight=w, **options)
        found = objective(scores, hessian=True)
        assert close(found.value, value, 1e-13)
        assert close(found.gradient, gradient, 1e-13)
        assert close(found.hessian_bound, 2 * np.diag(hessian), 1e-13)
        vector = np.random.default_rng(1).normal(size=len(scores))
        assert close(objective.hessian_product(vector), hessian @ vector, 1e-12)
        assert objective.value(scores) == found.value


@pytest.mark.parametrize("options", LOSSES, ids=name)
def test_many_chunks_and_boxes_equal_all_pairs(options):
    # Large enough for several chunks of the hinge and crowded boxes of the logistic loss.
    truth, scores, weights = drawn(4000, spread=3.0, seed=3)
    d = scores[truth][:, np.newaxis] - scores[~truth]
    mass = np.outer(weights[truth], weights[~truth])
    mass /= mass.sum()
    if options["loss"] == "hinge":
        short = np.maximum(options["gamma"] - d, 0)
        losses = short ** options["p"]
        slopes = -options["p"] * short ** (options["p"] - 1) * (short > 0)
    else:
        losses = np.logaddexp(0, -d / options["gamma"])
        slopes = -1 / (1 + np.exp(d / options["gamma"])) / options["gamma"]
    found = pairwise_loss(truth, scores, sample_weight=weights, **options)
    assert found.value == pytest.approx((mass * losses).sum(), rel=1e-12)
    assert close(found.gradient[truth], (mass * slopes).sum(axis=1), 1e-12)
    assert close(found.gradient[~truth], -(mass * slopes).sum(axis=0), 1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e4])
@pytest.mark.parametrize("options", SMOOTH, ids=name)
def test_the_gradient_is_that_of_finite_differences(options, offset):
    # Two steps and Richardson's extrapolation: the rest is of fourth order for a smooth loss. The
    # hinge of power 2 has a kink in its slope, so its pairs are kept away from gamma.
    rng = np.random.default_rng(5)
    truth = np.arange(12) % 3 == 0
    scores = offset + np.where(truth, 0.0, 4.0) + np.round(64 * rng.random(12)) / 64
    objective = PairwiseObjective(truth, **options)
    gradient = objective(scores).gradient
    for row in range(12):

        def slope(step, row=row):
            moved = np.zeros(12)
            moved[row] = step
            return (objective.value(scores + moved) - objective.value(scores - moved)) / (2 * step)

        h = 2.0**-7
        assert gradient[row] == pytest.approx((4 * slope(h / 2) - slope(h)) / 3, rel=1e-10)


@pytest.mark.parametrize("options", LOSSES, ids=name)
def test_a_constant_added_to_all_scores_changes_no_digit(options):
    truth, scores, _ = drawn(300)
    found, moved = (pairwise_loss(truth, scores + c, **options) for c in (0.0, 1e4))
    assert moved.value == pytest.approx(found.value, rel=1e-14)
    assert close(moved.gradient, found.gradient, 1e-14)


@pytest.mark.parametrize("options", LOSSES, ids=name)
def test_the_order_of_the_rows_does_not_matter(options):
    truth, scores, weights = drawn(3000, seed=2)
    order = np.random.default_rng(0).permutation(len(scores))
    found = pairwise_loss(truth, scores, sample_weight=weights, **options)
    other = pairwise_loss(truth[order], scores[order], sample_weight=weights[order], **options)
    assert other.value == pytest.approx(found.value, rel=1e-13)
    assert close(other.gradient, found.gradient[order], 1e-13)


@pytest.mark.parametrize("options", LOSSES, ids=name)
def test_whole_weights_are_repetitions(options):
    truth, scores, _ = drawn(40)
    times = np.random.default_rng(4).integers(0, 4, 40)
    times[:2] = 1
    rows = np.repeat(np.arange(40), times)
    weighted = pairwise_loss(truth, scores, sample_weight=times, **options)
    repeated = pairwise_loss(truth[rows], scores[rows], **options)
    assert weighted.value == pytest.approx(repeated.value, rel=1e-13)
    assert close(weighted.gradient, np.bincount(rows, repeated.gradient, 40), 1e-13)


@pytest.mark.parametrize("options", LOSSES, ids=name)
def test_threads_change_no_digit(options, monkeypatch):
    truth, scores, weights = drawn(70_000, seed=6)
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("ROCLAB_NUM_THREADS", threads)
        objective = PairwiseObjective(truth, sample_weight=weights, **options)
        loss = objective(scores, hessian=True)
        found.append([loss.value, loss.gradient, loss.hessian_bound])
        found[-1].append(objective.hessian_product(scores))
    assert all(map(np.array_equal, *found))


@pytest.mark.parametrize("options", LOSSES, ids=name)
def test_an_objective_is_the_same_after_other_scores(options):
    truth, scores, _ = drawn(5000)
    objective = PairwiseObjective(truth, **options)
    for seed in (1, 2):
        objective(drawn(5000, seed=seed, spread=5.0)[1])
    again, fresh = objective(scores), pairwise_loss(truth, scores, **options)
    assert again.value == fresh.value
    assert np.array_equal(again.gradient, fresh.gradient)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
@pytest.mark.parametrize("weights", [None, [1, 2, 0.5, 1]])
def test_an_objective_can_be_copied(copied, weights):
    y, s = ["b", "a", "b", "a"], [0.1, 0.4, 0.4, 0.8]
    for options in ({"gamma": 0.7, "p": 3}, {"loss": "logistic", "gamma": 0.2}):
        objective = PairwiseObjective(y, sample_weight=weights, pos_label="b", **options)
        expected = objective(s)
        again = copied(objective)(s)
        assert (again.value, again.n_pos) == (expected.value, 2)
        assert again.gradient.tolist() == expected.gradient.tolist()


def test_the_bound_is_nowhere_below_the_hessian():
    truth, scores, weights = drawn()
    for options in SMOOTH:
        _, _, hessian = reference_learning.pair_loss(truth, scores, weights=weights, **options)
        bound = pairwise_loss(truth, scores, sample_weight=weights, hessian=True, **options)
        least = np.linalg.eigvalsh((np.diag(bound.hessian_bound) - hessian).astype(float)).min()
        assert least >= -1e-15


@pytest.mark.parametrize("scale", [1e-100, 1e-3, 1e6, 1e100])
def test_scores_of_any_size(scale):
    truth, scores, _ = drawn()
    found = pairwise_loss(truth, scores * scale, gamma=0.3 * scale)
    expected = pairwise_loss(truth, scores, gamma=0.3)
    assert found.value / scale / scale == pytest.approx(expected.value, rel=1e-12)


def test_outliers_take_no_digits_off_the_rest():
    truth, scores, _ = drawn(40)
    for options in LOSSES:
        alone = pairwise_loss(truth, scores, **options)
        # A negative far below all positives is in no pair that costs anything.
        with_one = pairwise_loss(np.append(truth, False), np.append(scores, -1e12), **options)
        pairs = alone.n_neg / with_one.n_neg
        assert with_one.value == pytest.approx(pairs * alone.value, rel=1e-12)


@pytest.mark.parametrize("far", [1e12, 1e18, -1e20])
def test_ties_far_out_are_ties(far):
    truth, scores = np.array([False, True, False, True, False]), np.array([far, far, 0, 0, 0])
    for options in LOSSES:
        _, gradient, hessian = reference_learning.pair_loss(truth, scores, **options)
        found = pairwise_loss(truth, scores, hessian=True, **options)
        assert found.gradient == pytest.approx(gradient.astype(float), rel=1e-12)
        assert found.hessian_bound == pytest.approx(2 * np.diag(hessian).astype(float), rel=1e-12)


@pytest.mark.parametrize("weight", [1.0, 0.1])
def test_many_equal_scores_take_no_digits_off_a_loss(weight):
    truth, ones = np.arange(400_000) % 4 == 0, np.ones(400_000)
    for options, value in (({"loss": "logistic"}, np.log(2)), ({"p": 3, "gamma": 0.5}, 0.125)):
        found = pairwise_loss(truth, ones, sample_weight=weight * ones, **options)
        assert found.value == pytest.approx(value, rel=1e-13)
        assert found.gradient[truth] == pytest.approx(found.gradient[0], rel=1e-12)
        assert found.gradient[truth].sum() + found.gradient[~truth].sum() == pytest.approx(
            0, abs=1e-12
        )


def test_a_pair_exactly_gamma_apart_costs_nothing():
    for p in (1, 2, 3):
        found = pairwise_loss([1, 0], [0.5, 0.25], gamma=0.25, p=p)
        assert (found.value, found.gradient.tolist()) == (0.0, [0.0, 0.0])


def test_scores_of_other_types_and_labels_with_names():
    expected = pairwise_loss([0, 1, 0, 1], [1.0, 3.0, 2.0, 2.0], gamma=1.5)
    for scores in (np.array([1, 3, 2, 2], np.uint8), np.array([1, 3, 2, 2], np.float32)):
        found = pairwise_loss(["n", "y", "n", "y"], scores, gamma=1.5, pos_label="y")
        assert found.value == expected.value


@pytest.mark.parametrize("offset", [2**60, -(2**62)])
def test_whole_numbers_keep_all_their_digits(offset):
    truth, scores, _ = drawn()
    whole = (32 * scores).astype(np.int64)
    for options in LOSSES:
        found, expected = (pairwise_loss(truth, s, **options) for s in (whole + offset, whole))
        assert found.value == expected.value
        assert found.gradient.tolist() == expected.gradient.tolist()


def test_a_ranking_has_all_that_is_needed():
    truth, scores, weights = drawn()
    found = pairwise_loss(Ranking(truth, scores, sample_weight=weights))
    expected = pairwise_loss(truth, scores, sample_weight=weights)
    assert found.value == expected.value
    assert np.array_equal(found.gradient, expected.gradient)
    with pytest.raises(InputError, match="already holds labels"):
        pairwise_loss(Ranking(truth, scores), scores)
    with pytest.raises(InputError, match="Only y_true"):
        pairwise_loss(truth)


def test_without_a_class_the_value_is_undefined_and_nothing_moves():
    for labels in ([1, 1], [0, 0]):
        with pytest.warns(UndefinedMeasureWarning, match="needs both classes"):
            found = pairwise_loss(labels, [0.1, 0.2], hessian=True)
        assert np.isnan(found.value)
        assert found.gradient.tolist() == found.hessian_bound.tolist() == [0.0, 0.0]
    weightless = PairwiseObjective([0, 1], sample_weight=[1, 0])
    with warnings.catch_warnings():
        assert np.isnan(weightless.value([0.1, 0.2]))
    assert weightless.hessian_product([1.0, 2.0]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gamma": 0}, "gamma=0 is out of range; a finite number above 0"),
        ({"gamma": -0.3}, "gamma=-0.3 is out of range"),
        ({"gamma": float("nan")}, "gamma=nan"),
        ({"gamma": "wide"}, "gamma='wide'"),
        ({"p": 4}, "p=4 is not an option. Choose 1, 2 or 3"),
        ({"p": 1.5}, r"p=1\.5"),
        ({"loss": "hinges"}, "loss='hinges' is not an option. Choose 'hinge' or 'logistic'"),
        ({"y_score": [0.1, np.nan]}, "y_score is nan in row 1"),
        ({"y_score": [np.inf, 0.1]}, "y_score is inf in row 0"),
        ({"y_score": [0.1]}, "y_score has 1"),
        ({"sample_weight": [1, -1]}, "not negative"),
    ],
)
def test_bad_input_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        pairwise_loss([0, 1], **{"y_score": [0.1, 0.2], **options})


def test_a_hessian_needs_scores_first():
    objective = PairwiseObjective([0, 1])
    with pytest.raises(InputError, match="has not been evaluated yet"):
        objective.hessian_product([1.0, 2.0])


def test_a_loss_beyond_all_doubles_is_refused():
    for scores in ([1e200, -1e200, 0.0], [-1e308, 1e308, 0.0]):
        with pytest.raises(InputError, match=r"y_score ranges from -1e.* the loss overflows"):
            pairwise_loss([0, 1, 1], scores, p=3)


def test_a_result_can_be_shown_and_written_down():
    found = pairwise_loss([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], hessian=True)
    assert repr(found) == "PairwiseLoss(0.0225, 2+ 2-)"
    assert found.to_dict() == {
        "value": found.value,
        "gradient": found.gradient.tolist(),
        "hessian_bound": found.hessian_bound.tolist(),
        "n_pos": 2,
        "n_neg": 2,
    }
