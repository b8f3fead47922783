"""Coverage with cross-validation folds: true AUCs of the models, answers counted right."""

import math
from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.coverage import folds as fold_coverage
from roclab_studies.populations import labels_of

# Samples that separate the classes have an interval of Wald's type without width.
pytestmark = pytest.mark.filterwarnings("ignore::roclab.DegenerateIntervalWarning")

FOLDED = fold_coverage.Question(
    method="averaged auto", n_pos=30, n_neg=30, folds=5, dimensions=3, auc=0.9, runs=20
)


def test_samples_belong_to_the_cell_and_not_to_the_method():
    one = next(fold_coverage.samples(FOLDED))
    other = next(fold_coverage.samples(replace(FOLDED, method="spread of folds")))
    np.testing.assert_array_equal(one.scores.y_score, other.scores.y_score)
    for method in fold_coverage.TEN_ROUNDS:
        many = list(fold_coverage.samples(replace(FOLDED, method=method, runs=2)))
        once = list(fold_coverage.samples(replace(FOLDED, runs=2)))
        for tenfold, single in zip(many, once, strict=True):
            scores = tenfold.scores
            np.testing.assert_array_equal(scores.y_score[:60], single.scores.y_score)
            assert tenfold.true_final == single.true_final
            assert np.bincount(scores.fold).tolist() == [12] * 50
            assert np.bincount(scores.row).tolist() == [10] * 60


def test_true_aucs_of_folds():
    direction = np.array([1.0, 2.0, -0.5])
    rng = np.random.default_rng(2)
    data = rng.standard_normal((200_000, 3))
    labels = labels_of(100_000, 100_000)
    data[labels, 0] += 1.5
    expected = fold_coverage._true_auc(direction, 1.5)
    assert rl.auc(labels, data @ direction) == pytest.approx(expected, abs=0.005)
    found, _ = fold_coverage._discriminant(data, labels)
    assert found[0] == pytest.approx(1.5, abs=0.02)
    assert np.abs(found[1:]).max() < 0.02


def test_folds_are_counted_right():
    found = fold_coverage.answer(FOLDED)
    covered, widths = 0, []
    for one in fold_coverage.samples(FOLDED):
        interval = rl.cross_validated_auc(one.scores).averaged
        covered += interval.low <= one.true <= interval.high
        widths.append(interval.high - interval.low)
        assert np.bincount(one.scores.fold[:30]).tolist() == [6] * 5
    assert found.covered == covered
    assert found.mean_width == pytest.approx(np.mean(widths), rel=1e-3)
    assert abs(found.bias) < 0.1


def test_the_spread_of_folds_is_students_interval():
    one = next(fold_coverage.samples(FOLDED))
    value, low, high = fold_coverage.interval("spread of folds", one.scores)
    y, s, fold = one.scores.y_true, one.scores.y_score, one.scores.fold
    values = [rl.auc(y[fold == k], s[fold == k]) for k in range(5)]
    assert value == pytest.approx(np.mean(values))
    # 2.776 is Student's quantile of four degrees of freedom.
    assert high - value == pytest.approx(2.7764451 * np.std(values, ddof=1) / math.sqrt(5))
    assert value - low == pytest.approx(high - value)


@pytest.mark.parametrize("method", ["averaged auto", "pooled wald", "spread of folds, ten rounds"])
def test_recorded_coverage_of_folds_is_that_of_the_library_as_it_is(method):
    """If a formula has changed: python -m roclab_studies fold_coverage --again."""
    question = replace(FOLDED, method=method)
    cell = (30, 5, 3, 0.9)
    rows = [row for row in STUDIES["fold_coverage"].recorded() if row.method == method]
    row = next(row for row in rows if (row.n_neg, row.folds, row.dimensions, row.auc) == cell)
    again = fold_coverage.answer(replace(question, runs=100))
    error = math.sqrt(row.coverage * (1 - row.coverage) / 100)
    assert again.coverage == pytest.approx(row.coverage, abs=3.5 * error + 0.011)
    assert again.mean_width == pytest.approx(row.mean_width, rel=0.05)
