import math

import pytest

import roclab as rl

SAMPLE = ([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])


@pytest.mark.parametrize("bad", [0, -1, math.inf, math.nan, 1e-320])
def test_a_severity_ratio_is_positive(bad):
    with pytest.raises(rl.InputError, match=r"severity_ratio=.*a positive finite number"):
        rl.h_measure(*SAMPLE, severity_ratio=bad)


def test_extreme_severity_ratios_have_limits():
    # Misses alone matter at 0: Beta(2, large) is at 0, where the edges' shares p/(p + n) count.
    sample = ([0, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.8, 0.6])
    values = [rl.h_measure(*sample, severity_ratio=10.0**k) for k in (-300, -12)]
    assert values == pytest.approx([1 / 3, 1 / 3], rel=1e-9)
    values = [rl.h_measure(*sample, severity_ratio=10.0**k) for k in (12, 300)]
    assert values[0] == pytest.approx(values[1], rel=1e-9)


def test_the_default_severity_ratio_is_positives_over_negatives():
    sample = ([0, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.8, 0.6])
    assert rl.h_measure(*sample) == rl.h_measure(*sample, severity_ratio=2 / 3)
    weight = [1, 2, 1, 2, 1]
    assert rl.h_measure(*sample, sample_weight=weight) == rl.h_measure(
        *sample, sample_weight=weight, severity_ratio=4 / 3
    )


def test_class_shares_take_no_severity_ratio():
    with pytest.raises(rl.InputError, match="severity_ratio=2 was passed with cost_distribution='"):
        rl.h_measure(*SAMPLE, cost_distribution="class_shares", severity_ratio=2)
    with pytest.raises(rl.InputError, match=r"cost_distribution='beta'.*'severity_ratio' or 'cla"):
        rl.h_measure(*SAMPLE, cost_distribution="beta")


def test_scores_that_the_package_refuses():
    assert rl.h_measure([0, 1, 0, 1], [-300, 2**60, 2**60, math.inf]) == rl.h_measure(*SAMPLE)


def test_huge_counts_do_not_overflow():
    big = 2**40
    ranking = rl.Ranking.from_groups([1, 2], pos=[big, 3 * big], neg=[3 * big, big])
    assert rl.ks_statistic(ranking) == 0.5
    small = rl.Ranking.from_groups([1, 2], pos=[1, 3], neg=[3, 1])
    assert rl.h_measure(ranking) == pytest.approx(rl.h_measure(small), rel=1e-12)


def test_four_rows():
    assert rl.ks_statistic(*SAMPLE) == rl.ks_statistic(SAMPLE[0], [4, 3, 2, 1]) == 0.5
    assert rl.h_measure(*SAMPLE) == pytest.approx(0.5, abs=1e-15)
    assert rl.h_measure(SAMPLE[0], [4, 3, 2, 1]) == 0
