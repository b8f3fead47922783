"""The margin curve as an object: what it says of itself and what it refuses."""

import json

import numpy as np
import pytest

import roclab as rl

Y, S = [0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0]


def test_it_is_read_only():
    curve = rl.margin_curve(Y, S)
    with pytest.raises(AttributeError):
        curve.low = 0.0
    for array in (curve.pos_scores, curve.neg_scores, curve.pos, curve.neg):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_to_dict_is_plain():
    described = rl.margin_curve(Y, S).to_dict(points=3)
    assert json.loads(json.dumps(described)) == {
        "low": 0.0,
        "high": 1.0,
        "n_pos": 2,
        "n_neg": 2,
        "strict": False,
        "scale": 1.0,
        "auc": 0.875,
        "area": 0.5,
        "tau": [0.0, 0.5, 1.0],
        "theta": [0.875, 0.5, 0.125],
    }


def test_repr():
    assert repr(rl.margin_curve(Y, [0, 5, 5, 10], strict=True)) == (
        "MarginCurve(2 positive, 2 negative, margins 0 to 10, strict)"
    )


def test_a_scalar_gives_a_float_and_an_array_its_shape():
    curve = rl.margin_curve(Y, S)
    assert type(curve.at(0)) is float
    assert type(curve.at(np.float32(0.5))) is float
    assert type(curve.area()) is float
    assert curve.at(np.zeros((2, 0, 3))).shape == (2, 0, 3)


def test_decimals_decide_in_decimals():
    y, s = [1, 0], [0.6, 0.5]  # 0.6 - 0.5 < 0.1 in binary
    assert rl.margin_curve(y, s).at(0.1) == 0
    assert rl.margin_curve(y, s, decimals=1).at([0.1, 0.09, 0.11]).tolist() == [0.5, 1, 0]
    assert rl.margin_curve(y, s, decimals=1).area() == pytest.approx(0.1, rel=1e-15)
    assert rl.margin_curve(y, s, decimals=1, normalize=True).at(1) == 0.5


def test_decimals_that_the_scores_do_not_have_are_refused():
    with pytest.raises(rl.InputError, match="decimals"):
        rl.margin_curve(Y, [0.1, 0.25, 0.3, 0.4], decimals=1)


def test_counts_beyond_64_bits():
    ranking = rl.Ranking.from_groups([0, 1, 2], pos=[0, 10**10, 10**10], neg=[10**10, 10**10, 0])
    curve = rl.margin_curve(ranking)
    assert curve.at([0, 1, 1.5]) == pytest.approx([0.875, 0.5, 0.25], rel=1e-15)
    assert curve.area() == pytest.approx(1.0, rel=1e-15)


def test_the_empty_sample():
    with pytest.warns(rl.UndefinedMeasureWarning):
        curve = rl.margin_curve([], [])
    assert np.isnan(curve.at(0))
    with pytest.warns(rl.UndefinedMeasureWarning):
        assert np.isnan(rl.margin_curve([], [], decimals=2).at(0))


@pytest.mark.parametrize("scores", [[0.0, np.inf, 1, 2], [-1e308, 0.0, 1e308, 2], [-np.inf] * 4])
def test_scores_without_a_range_are_refused(scores):
    with pytest.raises(rl.InputError, match="finite"):
        rl.margin_curve(Y, scores)


def test_bad_arguments_are_refused():
    curve = rl.margin_curve(Y, S)
    with pytest.raises(rl.InputError, match="NaN"):
        curve.at([0.0, np.nan])
    with pytest.raises(rl.InputError, match="low=1 and high=0"):
        curve.area(low=1, high=0)
    with pytest.raises(rl.InputError, match="nan"):
        curve.area(low=np.nan, high=1)
    with pytest.raises(rl.InputError, match="points=1"):
        curve.taus(points=1)
