"""Coverage of intervals: answers counted right, recorded ones those of the library."""

import math
from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.coverage import intervals
from roclab_studies.runner import question_of

SMALL = intervals.Question(
    method="delong",
    level=0.95,
    alternative="two-sided",
    family="ordinal",
    n_pos=5,
    n_neg=5,
    auc=0.8,
    runs=40,
)


class TestCoverage:
    @pytest.mark.filterwarnings("ignore::roclab.UndefinedMeasureWarning")
    @pytest.mark.filterwarnings("ignore::roclab.DegenerateIntervalWarning")
    @pytest.mark.parametrize("method", intervals.METHODS)
    def test_counts_what_a_loop_counts(self, method):
        question = replace(SMALL, method=method)
        found = intervals.answer(question)
        labels = [True] * 5 + [False] * 5
        counts, widths = (
            dict.fromkeys(("covered", "below", "above", "undefined", "no_width"), 0),
            [],
        )
        for run, scores in enumerate(intervals.samples(question)):
            one = rl.auc_interval(labels, scores, method=method, n_resamples=999, rng=run)
            if math.isnan(one.low) or math.isnan(one.high):
                counts["undefined"] += 1
                continue
            widths.append(one.high - one.low)
            counts["no_width"] += one.low == one.high
            side = "below" if one.low > 0.8 else "above" if one.high < 0.8 else "covered"
            counts[side] += 1
        assert {name: getattr(found, name) for name in counts} == counts
        assert found.mean_width == pytest.approx(np.mean(widths), rel=1e-5)
        assert found.coverage == counts["covered"] / 40

    def test_undefined_and_widthless_intervals_do_occur_here(self):
        """Otherwise the test above would not try them."""
        assert intervals.answer(replace(SMALL, method="logit")).undefined > 0
        assert intervals.answer(SMALL).no_width > 0

    def test_nothing_but_nan_has_no_width_and_covers_nothing(self):
        found = intervals.answer(replace(SMALL, method="delong", n_pos=1))
        assert (found.undefined, found.covered, found.no_width) == (40, 0, 0)
        assert math.isnan(found.mean_width)

    def test_a_bound_alone_errs_on_its_side_only(self):
        rows = {
            side: intervals.answer(replace(SMALL, alternative=side, runs=400, level=0.8))
            for side in ("greater", "less")
        }
        assert rows["greater"].above == rows["less"].below == 0
        assert rows["greater"].below > 0
        assert rows["less"].above > 0

    def test_all_methods_see_the_same_samples(self):
        first, second = (
            list(intervals.samples(replace(SMALL, method=method, runs=runs)))
            for method, runs in (("auto", 40), ("bca", 20))
        )
        assert np.array_equal(first[:20], second)

    def test_asks_for_every_method_in_every_cell(self):
        asked = intervals.questions()
        main_claims = [one for one in asked if (one.level, one.alternative) == (0.95, "two-sided")]
        assert len(set(asked)) == len(asked)
        assert len(main_claims) == 8 * 3 * 8 * 4
        assert {one.runs for one in main_claims if one.method == "auto"} == {10_000, 2000}
        assert {one.runs for one in main_claims if one.method == "bca"} == {2000, 500}


@pytest.mark.parametrize("method", intervals.METHODS)
def test_recorded_coverage_is_that_of_the_library_as_it_is(method):
    """If a formula has changed: roclab_studies interval_coverage --again --methods <method>."""
    row = next(
        row
        for row in STUDIES["interval_coverage"].recorded()
        if row.method == method
        and (row.family, row.n_pos, row.n_neg, row.auc) == ("wide", 5, 5, 0.6)
        and (row.level, row.alternative) == (0.95, "two-sided")
    )
    found = intervals.answer(question_of(intervals, row))
    assert replace(found, mean_width=0) == replace(row, mean_width=0)
    assert found.mean_width == pytest.approx(row.mean_width, rel=1e-5)
