"""The sign test and the signed-rank test are exact, with ties and zeros too."""

import numpy as np
import pytest
from scipy.stats import wilcoxon

from roclab_studies.paired_tests import better_and_worse, sign_pvalue, wilcoxon_pvalue


def test_nine_of_eleven_are_not_significant_and_ten_are():
    gains = np.ones(11)
    gains[:2] = -1
    assert sign_pvalue(gains) == pytest.approx(0.0654, abs=5e-5)
    gains[0] = 1
    assert sign_pvalue(gains) == pytest.approx(0.0117, abs=5e-5)
    gains[0] = 0  # does not count: nine of ten
    assert sign_pvalue(gains) == pytest.approx(0.0215, abs=5e-5)
    assert sign_pvalue(np.zeros(3)) == 1


@pytest.mark.parametrize("count", [1, 6, 11, 22])
def test_signed_ranks_equal_those_of_scipy(count):
    gains = np.random.default_rng(count).normal(0.4, 1, count)
    expected = wilcoxon(gains, method="exact").pvalue
    assert wilcoxon_pvalue(gains) == pytest.approx(expected)


def test_signed_ranks_with_ties():
    # Ranks 2, 2, 2, 4: of 16 ways to give signs, all plus and all minus are as far out.
    assert wilcoxon_pvalue([1.0, 1.0, 1.0, 2.0, 0.0]) == 2 / 16
    assert wilcoxon_pvalue([0.1, 0.1, 0.1, 0.0]) == 0.25
    assert wilcoxon_pvalue([0.0, 0.0, 0.0]) == 1


def test_a_difference_within_the_rounding_of_the_answers_is_none():
    gains = [2.3052e-06 - 4.9562e-05 + 4.7257e-05, 0.1, 0.2, -0.1]
    assert gains[0] != 0
    assert better_and_worse(gains) == (2, 1)
    assert sign_pvalue(gains) == 1
    assert wilcoxon_pvalue(gains) == wilcoxon_pvalue(gains[1:])
