"""Which concavities are kept, by each rule, and the reasons given."""

import math

import numpy as np
import pytest

import roclab as rl

FOUND = rl.Ranking([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])


def inverted(n=40):
    """n examples inside the stretch, all negatives above all positives."""
    scores = np.linspace(0.41, 0.69, n)
    return rl.Ranking(scores < 0.55, scores)


def straight(n=40):
    scores = np.linspace(0.41, 0.69, n)
    return rl.Ranking(scores > 0.55, scores)


def plain(ranking):
    """A test of Mann and Whitney by hand: AUC, and its standard deviation if labels are random."""
    deviation = math.sqrt((len(ranking) + 1) / (12 * ranking.n_pos * ranking.n_neg))
    return rl.auc(ranking), deviation


def test_a_confirmed_inversion_is_mirrored():
    result = rl.checked_repair(FOUND, inverted())
    (decision,) = result.decisions
    assert decision.kept
    assert (decision.checked_pos, decision.checked_neg) == (20, 20)
    assert decision.pvalue < 1e-6
    assert decision.gains == (pytest.approx(1.0),)
    assert result.kept == (decision,)
    assert result.refused == ()
    assert result.repair == rl.repair_section(FOUND)
    assert result.gain.difference == pytest.approx(1.0)
    assert result.gain.n_pos == 20


def test_what_is_not_confirmed_is_refused():
    result = rl.checked_repair(FOUND, straight())
    (decision,) = result.decisions
    assert not decision.kept
    assert decision.reason.endswith("; below 0.05 is needed")
    assert result.gain is None
    assert len(result.repair) == 0
    assert repr(result) == "CheckedRepair(0 of 1 concavity repaired)"


def test_too_few_examples_cannot_confirm():
    few = rl.Ranking([0, 1, 1], [0.8, 0.5, 0.45])
    (decision,) = rl.checked_repair(FOUND, few).decisions
    assert math.isnan(decision.pvalue)
    assert decision.reason == "2+ 1- checked examples in it; a test needs two of each class"


def test_the_rules_about_folds():
    folds = [inverted(), straight(), inverted()]
    kept = {
        keep: rl.checked_repair(FOUND, folds, keep=keep).decisions[0]
        for keep in ("every_fold", "most_folds")
    }
    assert kept["most_folds"].kept
    assert kept["most_folds"].reason == "AUC rises in 2 of 3 folds"
    assert not kept["every_fold"].kept
    assert kept["every_fold"].reason == "AUC rises in 2 of 3 folds; 3 needed"
    assert [gain > 0 for gain in kept["every_fold"].gains] == [True, False, True]
    two = rl.checked_repair(FOUND, folds[:2], keep="most_folds").decisions[0]
    assert two.reason == "AUC rises in 1 of 2 folds; 2 needed"


def test_a_fold_without_positives_has_no_gain_and_confirms_nothing():
    negatives = rl.Ranking([0, 0, 0], [0.5, 0.6, 0.7])
    for keep in ("every_fold", "most_folds"):
        (decision,) = rl.checked_repair(FOUND, negatives, keep=keep).decisions
        assert math.isnan(decision.gains[0])
        assert not decision.kept
    (decision,) = rl.checked_repair(FOUND, negatives).decisions
    assert decision.reason.startswith("0+ 3- checked examples")


def test_no_change_is_no_rise():
    """The paper discards a repair whose AUC is not higher, also one whose AUC is the same."""
    outside = rl.Ranking([0, 1], [0.1, 0.95])
    (decision,) = rl.checked_repair(FOUND, outside, keep="every_fold").decisions
    assert decision.gains == (0.0,)
    assert not decision.kept


def test_folds_are_pooled_for_the_test():
    folds = [inverted(n=8), inverted(n=8)]
    pooled = rl.checked_repair(FOUND, folds).decisions[0]
    assert (pooled.checked_pos, pooled.checked_neg) == (8, 8)
    single = rl.checked_repair(FOUND, folds[0]).decisions[0]
    assert pooled.pvalue < single.pvalue


def test_only_the_largest_is_tested_if_only_it_is_considered():
    rng = np.random.default_rng(3)
    y, s = rng.random(300) < 0.5, rng.normal(size=300)
    check = rl.Ranking(rng.random(300) < 0.5, rng.normal(size=300))
    ranking = rl.Ranking(y, s)
    all_of_them = rl.checked_repair(ranking, check, sections="all").decisions
    (largest,) = rl.checked_repair(ranking, check).decisions
    assert len(all_of_them) > 3
    same = next(one for one in all_of_them if one.low == largest.low)
    assert largest.pvalue < same.pvalue  # no correction for one test
    inside = check.between(largest.low, largest.high)
    auc, deviation = plain(inside)
    z = (auc - 0.5) / deviation
    assert largest.pvalue == pytest.approx((1 + math.erf(z / math.sqrt(2))) / 2)


def test_kept_sections_are_those_that_are_repaired():
    rng = np.random.default_rng(9)
    y, s = rng.random(400) < 0.5, rng.normal(size=400).round(1)
    check = rl.Ranking(rng.random(400) < 0.5, rng.normal(size=400).round(1))
    result = rl.checked_repair(rl.Ranking(y, s), check, sections="all", keep="every_fold")
    assert 0 < len(result.kept) < len(result.decisions)
    gains = sum(one.gains[0] for one in result.kept)
    assert result.gain.difference == pytest.approx(gains)
    assert len(result.repair) == len(result.kept)


def test_weights_count():
    scores = np.linspace(0.41, 0.69, 40)
    y = scores < 0.55
    doubled = rl.Ranking(y, scores, sample_weight=np.full(40, 2.0))
    once = rl.checked_repair(FOUND, rl.Ranking(y, scores)).decisions[0]
    twice = rl.checked_repair(FOUND, doubled).decisions[0]
    assert twice.pvalue == pytest.approx(once.pvalue)
    folds = rl.checked_repair(FOUND, [doubled, rl.Ranking(y, scores)]).decisions[0]
    assert (folds.checked_pos, folds.checked_neg) == (40, 40)


def test_without_rows_there_is_a_decision_but_no_interval():
    check = rl.Ranking.from_groups([0.5, 0.6, 0.7], pos=[30, 0, 0], neg=[0, 0, 30])
    result = rl.checked_repair(FOUND, check)
    assert result.decisions[0].kept
    assert result.gain is None


def test_to_dict_is_plain():
    data = rl.checked_repair(FOUND, inverted()).to_dict()
    assert data["decisions"][0]["kept"] is True
    assert data["gain"]["difference"] == pytest.approx(1.0)
    assert data["repair"]["steps"][0][0]["method"] == "mirror"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keep": "always"}, "keep='always' is not an option"),
        ({"alpha": 5}, "alpha=5 is out of range; a number between 0 and 1"),
        ({"alpha": True}, "alpha=True"),
        ({"method": "x"}, "method='x'"),
        ({"sections": "x"}, "sections='x'"),
    ],
)
def test_refuses_options(options, message):
    with pytest.raises(rl.InputError, match=message):
        rl.checked_repair(FOUND, straight(), **options)


@pytest.mark.parametrize("check", [None, [], [[0, 1]], "ab"])
def test_refuses_checks(check):
    with pytest.raises(rl.InputError, match="a Ranking of data not used to find"):
        rl.checked_repair(FOUND, check)


def test_concavities_refuse_checks_that_are_no_ranking():
    with pytest.raises(rl.InputError, match="check is a list"):
        rl.concavities(FOUND, check=[0, 1])


@pytest.mark.filterwarnings("ignore::roclab.UndefinedMeasureWarning")
def test_one_class_has_nothing_to_decide():
    result = rl.checked_repair(rl.Ranking([1, 1], [1, 2]), straight())
    assert result.decisions == ()
    assert len(result.repair) == 0
