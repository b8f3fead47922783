"""The study of tests across groups."""

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.comparison import group_tests as study
from roclab_studies.comparison.measure_tables import rejections


@pytest.mark.parametrize("test", study.TESTS)
def test_a_true_null_hypothesis_is_seldom_rejected(test):
    asked = [one for one in study.questions() if one.method == test and one.auc == 0.8]
    answers = [study.answer(replace(one, runs=20)) for one in asked]
    assert sum(row.rejected for row in answers) <= 0.15 * 20 * len(answers)
    assert len(rejections(answers).splitlines()) == 2 + len(study.DESIGNS) * len(study.FAMILIES)


@pytest.mark.parametrize("family", study.FAMILIES)
def test_scores_have_the_wanted_auc(family):
    y = np.arange(40_000) % 2
    noise = np.random.default_rng(0).standard_normal(len(y))
    assert rl.auc(y, study._scores(family, 0.9, y, noise)) == pytest.approx(0.9, abs=0.01)


def test_a_difference_between_groups_is_rejected(monkeypatch):
    """The study would see a test that never rejects."""
    monkeypatch.setattr(study, "_pvalue", lambda *_: 0.01)
    question = study.questions(fewer=100)[0]
    assert study.answer(question).rejected == question.runs
