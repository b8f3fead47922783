"""What `auc_given_errors` refuses, and what its result says."""

import numpy as np
import pytest

import roclab as rl


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((0, 3, 1), "n_pos=0 is out of range.*from 1 to"),
        ((3, -1, 1), "n_neg=-1"),
        ((3, 3, -1), "n_errors=-1.*from 0 to"),
        ((3, 3, 7), r"n_errors=7 .* from 0 to 6 .* more errors than n_pos \+ n_neg examples"),
        ((3.0, 3, 1), r"n_pos=3\.0"),
        ((3, "3", 1), "n_neg='3'"),
        ((3, 3, True), "n_errors=True"),
        ((3, 3, None), "n_errors=None"),
    ],
)
def test_what_is_no_count_is_refused(counts, message):
    with pytest.raises(rl.InputError, match=message):
        rl.auc_given_errors(*counts)


def test_the_result_says_what_it_is():
    result = rl.auc_given_errors(np.int32(2), n_neg=3, n_errors=1)
    assert repr(result) == (
        "AUCGivenErrors(mean 0.7857, standard deviation 0.1717; 2+ 3-, 1 errors)"
    )
    assert result.to_dict() == {
        "mean": 11 / 14,
        "variance": 13 / 441,
        "n_pos": 2,
        "n_neg": 3,
        "n_errors": 1,
    }
    assert result.standard_deviation**2 == pytest.approx(result.variance)
