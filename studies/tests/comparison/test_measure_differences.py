"""The study of differences of any measure: its populations, true values and counts."""

import numpy as np
import pytest

import roclab as rl
from roclab_studies.comparison import measure_differences as study
from roclab_studies.comparison.measure_tables import coverage


@pytest.mark.parametrize("family", study.FAMILIES)
def test_both_models_have_the_wanted_aucs_and_err_together(family):
    labels = np.arange(60_000) % 2 == 0
    rng = np.random.default_rng(0)
    scores = study.paired_scores(rng, family, labels, (0.85, 0.75))
    assert [rl.auc(labels, one) for one in scores] == pytest.approx([0.85, 0.75], abs=0.01)
    negatives = [one[~labels] for one in scores]
    assert np.corrcoef(negatives)[0, 1] > 0.2


@pytest.mark.parametrize("measure", [*study.CLOSED, *study.RESAMPLED])
def test_true_values_are_those_of_large_samples(measure):
    labels = np.arange(200_000) % 4 == 0
    [scores, _] = study.paired_scores(np.random.default_rng(1), "tenth", labels, (0.8, 0.8))
    if measure == "brier_score":
        scores = study._probabilities(scores, study.population_of("tenth", 0.8))
    entry, options = rl.find_measure(measure)
    value = entry.value_of(rl.Ranking(labels, scores), **options)
    assert value == pytest.approx(study.true_value(measure, "tenth", 0.8, 0.25), abs=0.01)


def test_every_sample_is_counted_once():
    asked = [one for one in study.questions(fewer=30) if one.family == "three"]
    answers = [study.answer(one) for one in asked[::7]]
    for row in answers:
        assert row.covered + row.below + row.above + row.undefined == row.runs
        assert 0 < row.median_width < 1
    table = coverage(answers).splitlines()
    assert table[0].startswith("| measure | method | n+, n- |")
    assert len(table) > 3
