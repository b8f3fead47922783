import math
from dataclasses import replace

import pytest

from roclab_studies.coverage import multiclass, rates
from roclab_studies.coverage.rate_tables import multiclass_coverage, rate_coverage


def test_coverage_is_the_probability_of_all_outcomes_that_cover():
    (asked,) = (
        one
        for one in rates.questions(fewer=2)
        if (one.method, one.rate) == ("clopper_pearson", "sensitivity")
    )
    found = rates.answer(replace(asked, n_pos=3, n_neg=2))
    # Rate 0.8 has the least coverage: of 3 examples only the interval of 0 hits excludes it.
    assert found.least == pytest.approx(1 - 0.2**3, abs=1e-4)
    rows = [
        rates.Answer(method="wilson", rate=rate, n_pos=3, n_neg=2, mean=0.951, least=0.9)
        for rate in rates.RATES
    ]
    assert "| 3+2 | `wilson` | 0.951, 0.900 |" in rate_coverage(rows)


def test_intervals_of_several_classes_contain_the_true_value():
    asked = multiclass.questions(fewer=20)
    assert len(asked) == 24
    found = multiclass.answer(replace(asked[0], runs=30))
    assert 25 <= found.covered <= 30
    assert 0.7 < found.truth < 0.9
    assert not math.isnan(found.mean_width)
    assert "| 8, 15, 40 | `hand_till` |" in multiclass_coverage([found])
