"""The study of thresholds: one cell, and its table."""

from dataclasses import replace

from roclab_studies.coverage import thresholds
from roclab_studies.coverage.threshold_tables import coverage


def test_the_smoothed_interval_covers_more_than_the_plain_bootstrap():
    asked = [
        replace(one, runs=20)
        for one in thresholds.questions()
        if (one.family, one.n_pos, one.n_neg, one.cost_of_misses) == ("equal", 20, 20, 10.0)
    ]
    smoothed, plain = map(thresholds.answer, asked)
    assert (smoothed.method, plain.method) == ("smoothed", "bootstrap")
    assert smoothed.covered > plain.covered
    assert min(smoothed.excess, plain.excess) > 0
    assert 0.5 < smoothed.optimism / smoothed.excess < 2


def test_the_table_has_a_line_for_each_size_and_cost():
    answers = [
        thresholds.Answer(
            **{**vars(one), "runs": 10}, covered=9, width=0.25, excess=0.1, optimism=0.2
        )
        for one in thresholds.questions()
    ]
    lines = coverage(answers).splitlines()
    assert len(lines) == 2 + len(thresholds.SIZES) * len(thresholds.COSTS)
    assert lines[2] == (
        "| 20+20 | 1 | 0.900 | 0.900 | 0.25 | 0.900 | 0.900 | 0.25 | 0.100 | 0.200 |"
    )
