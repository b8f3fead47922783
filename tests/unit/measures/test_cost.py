import math

import pytest

import roclab as rl

SAMPLE = ([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])


def test_by_hand():
    costs = {"false_positive_cost": 1, "false_negative_cost": 5}
    assert rl.expected_cost(*SAMPLE, **costs) == 0.25
    assert rl.expected_cost(*SAMPLE, **costs, threshold=0.8) == 1.25
    assert rl.expected_cost(*SAMPLE, **costs, threshold=0.5) == 1.25
    assert rl.expected_cost(*SAMPLE, **costs, prevalence=0.1) == pytest.approx(0.25)
    assert rl.expected_cost(*SAMPLE, **costs, prevalence=0.1, threshold=0.4) == pytest.approx(0.45)
    assert rl.expected_cost(*SAMPLE, false_positive_cost=0, false_negative_cost=1) == 0


def test_equal_costs():
    costs = {"false_positive_cost": 1, "false_negative_cost": 1}
    assert rl.expected_cost(*SAMPLE, **costs) == 0.25
    assert rl.expected_cost(SAMPLE[0], [4, 3, 2, 1], **costs) == 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"false_positive_cost": -1}, "false_positive_cost=-1"),
        ({"false_negative_cost": math.inf}, "a finite number of at least 0"),
        ({"false_negative_cost": math.nan}, "a finite number of at least 0"),
        (
            {"false_positive_cost": 0, "false_negative_cost": 0},
            "false_negative_cost are both 0",
        ),
        ({"prevalence": 0}, "between 0 and 1"),
        ({"prevalence": 1.0}, "between 0 and 1"),
        ({"prevalence": -0.5}, "between 0 and 1"),
        ({"threshold": math.nan}, "threshold=nan is not a number"),
    ],
)
def test_impossible_costs(options, message):
    with pytest.raises(rl.InputError, match=message):
        rl.expected_cost(*SAMPLE, **{"false_positive_cost": 1, "false_negative_cost": 1, **options})
