"""Planning: what holds for every study."""

import pytest
import reference_planning as reference
from hypothesis import assume, given
from hypothesis import strategies as st

import roclab as rl
from roclab.inference.planning.variance import COVARIANCES

AUCS = st.floats(0.05, 0.95)
SIZES = st.floats(5, 5000)
RATIOS = st.floats(0.1, 10)
METHODS = st.sampled_from(["obuchowski", "delong"])
POWERS = st.floats(0.55, 0.99)
ALPHAS = st.floats(0.001, 0.2)
CORRELATIONS = st.floats(-0.9, 0.95)


@st.composite
def questions(draw):
    """A value, or another model with its link to the first."""
    kind = draw(st.sampled_from(["value", "scores", "classes", "estimates", "unpaired"]))
    if kind == "value":
        return {"null_value": draw(AUCS)}
    other = {"other_auc": draw(AUCS)}
    if kind == "scores":
        return other | {"correlation": draw(CORRELATIONS)}
    if kind == "classes":
        return other | {"correlation": (draw(CORRELATIONS), draw(CORRELATIONS))}
    if kind == "estimates":
        return other | {"estimate_correlation": draw(CORRELATIONS)}
    return other | {"paired": False, "sample_ratio": draw(RATIOS)}


def apart(auc, question, least=0.02):
    null = question.get("null_value", question.get("other_auc"))
    assume(abs(auc - null) > least)
    return null


@given(AUCS, SIZES, SIZES)
def test_obuchowski_variance_is_the_published_one(auc, n_pos, n_neg):
    found = COVARIANCES["obuchowski"](auc, auc, (n_pos, n_neg), (1.0, 1.0))
    assert found == pytest.approx(reference.obuchowski_variance(auc, n_pos, n_neg), rel=1e-12)


@given(AUCS, AUCS, st.integers(1, 50), st.integers(1, 50), CORRELATIONS, CORRELATIONS)
def test_delong_covariance_is_that_over_all_pairs(first, second, n_pos, n_neg, in_pos, in_neg):
    found = COVARIANCES["delong"](first, second, (n_pos, n_neg), (in_pos, in_neg))
    slow = reference.empirical_covariance(first, second, n_pos, n_neg, in_pos, in_neg)
    assert found == pytest.approx(slow, rel=1e-6, abs=1e-9)


@given(AUCS, st.integers(1, 50), st.integers(1, 50))
def test_delong_variance_is_that_over_all_pairs(auc, n_pos, n_neg):
    found = COVARIANCES["delong"](auc, auc, (n_pos, n_neg), (1.0, 1.0))
    slow = reference.empirical_covariance(auc, auc, n_pos, n_neg, 1, 1)
    assert found == pytest.approx(slow, rel=1e-6, abs=1e-9)


@given(st.floats(0.55, 0.95), POWERS, RATIOS, ALPHAS, st.booleans())
def test_sizes_are_those_of_the_published_equation(auc, power, ratio, alpha, two_sided):
    side = "two-sided" if two_sided else "greater"
    plan = rl.auc_sample_size(auc, power=power, ratio=ratio, alpha=alpha, alternative=side)
    n_pos, n_neg = reference.obuchowski_sizes(auc, power, ratio, alpha, two_sided)
    assert plan.n_pos == pytest.approx(n_pos, rel=1e-10)
    assert plan.n_neg == pytest.approx(n_neg, rel=1e-10)


@given(AUCS, POWERS, RATIOS, ALPHAS, METHODS, questions())
def test_sizes_and_power_are_inverse(auc, power, ratio, alpha, method, question):
    apart(auc, question)
    plan = rl.auc_sample_size(auc, power=power, ratio=ratio, alpha=alpha, method=method, **question)
    assert plan.power == pytest.approx(power, abs=1e-9)
    assert rl.auc_power(
        auc, plan.n_pos, plan.n_neg, alpha=alpha, method=method, **question
    ) == pytest.approx(power, abs=1e-9)
    assert plan.n_neg / plan.n_pos == pytest.approx(ratio, rel=1e-12)


@given(AUCS, POWERS, RATIOS, ALPHAS, METHODS, questions())
def test_one_size_is_found_again_from_the_other(auc, power, ratio, alpha, method, question):
    apart(auc, question)
    plan = rl.auc_sample_size(auc, power=power, ratio=ratio, alpha=alpha, method=method, **question)
    assume(plan.n_pos > 1 and plan.n_neg > 1)
    for known in ("n_pos", "n_neg"):
        size = {known: getattr(plan, known)}
        again = rl.auc_sample_size(auc, power=power, alpha=alpha, method=method, **size, **question)
        assert (again.n_pos, again.n_neg) == pytest.approx((plan.n_pos, plan.n_neg), rel=1e-5)


@given(AUCS, POWERS, RATIOS, ALPHAS, METHODS, questions())
def test_alpha_and_detectable_auc_are_found_again(auc, power, ratio, alpha, method, question):
    null = apart(auc, question)
    plan = rl.auc_sample_size(auc, power=power, ratio=ratio, alpha=alpha, method=method, **question)
    same = {"n_pos": plan.n_pos, "n_neg": plan.n_neg, "power": power, "method": method, **question}
    assert rl.plan_auc_study(auc, alpha=None, **same).alpha == pytest.approx(alpha, rel=1e-6)
    side = "greater" if auc > null else "less"
    one_sided = rl.auc_sample_size(
        auc, power=power, ratio=ratio, alpha=alpha, method=method, alternative=side, **question
    )
    same |= {"n_pos": 1.02 * one_sided.n_pos, "n_neg": 1.02 * one_sided.n_neg, "alternative": side}
    nearest = rl.plan_auc_study(alpha=alpha, **same)
    assert nearest.power == pytest.approx(power, abs=1e-9)
    # A larger study finds what is nearer; of a value, where nothing else changes, hardly so.
    assert abs(nearest.auc - null) < abs(auc - null)
    if "null_value" in question:
        assert nearest.auc == pytest.approx(auc, abs=0.02)


@given(AUCS, SIZES, SIZES, st.floats(1.1, 3), METHODS, questions())
def test_power_rises_with_size(auc, n_pos, n_neg, factor, method, question):
    apart(auc, question)
    low = rl.auc_power(auc, n_pos, n_neg, method=method, **question)
    high = rl.auc_power(auc, factor * n_pos, factor * n_neg, method=method, **question)
    assert high >= low


@given(SIZES, SIZES, METHODS, st.floats(0.05, 0.9), st.lists(st.floats(0.01, 0.99), min_size=2))
def test_power_rises_with_the_distance(n_pos, n_neg, method, null, shares):
    aucs = sorted(null + share * (0.98 - null) for share in shares)
    powers = [rl.auc_power(auc, n_pos, n_neg, null_value=null, method=method) for auc in aucs]
    # Where it is below one half a wider spread can raise it.
    risen = [power for power in powers if power >= 0.5]
    assert risen == sorted(risen)


@given(AUCS, SIZES, SIZES, METHODS)
def test_reversed_scores_have_the_same_power(auc, n_pos, n_neg, method):
    assume(abs(auc - 0.5) > 1e-6)
    assert rl.auc_power(auc, n_pos, n_neg, method=method) == pytest.approx(
        rl.auc_power(1 - auc, n_pos, n_neg, method=method), rel=1e-9
    )


@given(AUCS, AUCS, SIZES, SIZES, CORRELATIONS, CORRELATIONS, METHODS)
def test_power_rises_with_the_correlation(auc, other, n_pos, n_neg, one, two, method):
    assume(abs(auc - other) > 0.01)
    low, high = sorted((one, two))
    weak, strong = (
        rl.auc_power(
            auc, n_pos, n_neg, other_auc=other, estimate_correlation=correlation, method=method
        )
        for correlation in (low, high)
    )
    assert strong >= weak or strong < 0.5


@given(AUCS, AUCS, SIZES, SIZES, METHODS)
def test_unpaired_is_paired_without_correlation(auc, other, n_pos, n_neg, method):
    assume(auc != other)
    paired, unpaired = (
        rl.auc_power(auc, n_pos, n_neg, other_auc=other, method=method, **link)
        for link in ({"estimate_correlation": 0}, {"paired": False})
    )
    assert paired == pytest.approx(unpaired, rel=1e-12)


@given(AUCS, st.floats(0.01, 0.5), RATIOS, ALPHAS, METHODS, questions())
def test_width_is_had(auc, width, ratio, alpha, method, question):
    plan = rl.auc_sample_size(auc, ratio=ratio, alpha=alpha, width=width, method=method, **question)
    assert plan.width == pytest.approx(width, rel=1e-9)
