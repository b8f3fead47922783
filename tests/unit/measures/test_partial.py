import math

import pytest

import roclab as rl

SAMPLE = ([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])


def test_standardized_by_hand():
    # Half of the square: 3/8 of area, 1/8 of it under the diagonal, 1/2 in the box.
    assert rl.partial_auc(*SAMPLE, fpr_range=(0, 0.5), standardize=True) == (1 + 2 / 3) / 2
    perfect, diagonal = ([0, 1], [1, 2]), ([0, 1], [1, 1])
    for box in (
        {"fpr_range": (0.25, 0.5)},
        {"tpr_range": (0.5, 1)},
        {"fpr_range": (0, 0.5), "tpr_range": (0.25, 0.75)},
    ):
        assert rl.partial_auc(*perfect, **box, standardize=True) == 1
        assert rl.partial_auc(*diagonal, **box, standardize=True) == 0.5


def test_a_curve_below_the_diagonal_is_below_one_half():
    assert rl.partial_auc([1, 0], [1, 2], fpr_range=(0, 0.5), standardize=True) < 0.5


def test_the_whole_range_is_the_auc():
    whole = {"fpr_range": (0, 1), "standardize": True}
    assert rl.partial_auc(*SAMPLE, **whole) == 0.875
    assert rl.partial_auc(SAMPLE[0], [4, 3, 2, 1], **whole) == 0.25


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "No range was passed"),
        ({"standardize": True}, "No range was passed"),
        ({"fpr_range": (0.5, 0.5)}, "0 <= low < high <= 1"),
        ({"fpr_range": (0.5, 0.1)}, "0 <= low < high <= 1"),
        ({"tpr_range": (-0.1, 0.1)}, "0 <= low < high <= 1"),
        ({"tpr_range": (0, 1.1)}, "0 <= low < high <= 1"),
        ({"fpr_range": (0, math.nan)}, "0 <= low < high <= 1"),
        ({"fpr_range": 0.1}, "a pair of rates"),
        ({"fpr_range": (0, 0.1, 0.2)}, "a pair of rates"),
        ({"fpr_range": "ab"}, "a pair of rates"),
        ({"fpr_range": (0.5, 1), "tpr_range": (0, 0.5), "standardize": True}, "diagonal"),
    ],
)
def test_impossible_ranges(options, message):
    with pytest.raises(rl.InputError, match=message):
        rl.partial_auc(*SAMPLE, **options)


def test_one_class_is_nan():
    with pytest.warns(rl.UndefinedMeasureWarning, match="Partial AUC"):
        assert math.isnan(rl.partial_auc([1, 1], [1, 2], fpr_range=(0, 0.1)))
