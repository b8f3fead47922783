"""The study of defaults: what it asks, and what its tables make of the answers."""

import os
from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.auctron import default_tables, defaults
from roclab_studies.auctron.rankers import Encoding
from roclab_studies.catalogue import STUDIES
from roclab_studies.runner import question_of


def test_every_learner_sees_the_same_rows_again():
    first, again = (list(defaults.parts("outliers, 10 positives", 2)) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        for a, b in zip(one, other, strict=True):
            assert a.tolist() == b.tolist()
    X, y, new, truth = first[0]
    assert (len(y), y.sum(), len(truth), truth.sum()) == (1000, 10, 40_000, 400)
    assert X.shape[1] == new.shape[1] == 5
    assert not np.array_equal(X, first[1][0])


def test_an_answer_is_the_auc_of_new_rows():
    asked = defaults.Question(
        learner="AUCtronClassifier", data="heavy tails, 10 positives", splits=2
    )
    found = defaults.answer(asked)
    assert (found.rows, found.positives) == (500, 10)
    X, y, new, truth = next(defaults.parts(asked.data, 1))
    encoding = Encoding.of(X, np.ones(10, bool))
    model = rl.AUCtronClassifier(random_state=0).fit(encoding.columns(X), y)
    expected = rl.auc(truth, model.decision_function(encoding.columns(new)))
    assert found.aucs[0] == pytest.approx(expected, abs=1e-6)


@pytest.fixture
def answers():
    leads = {"AUCtronClassifierCV": 0.01, "AUCtronClassifier": 0.02}
    noise = 0.002 * np.resize([1, -1], 4)
    return [
        defaults.Answer(
            learner=asked.learner,
            data=asked.data,
            splits=4,
            rows=100,
            positives=30,
            aucs=tuple(0.8 + leads.get(asked.learner, 0) * (1 + noise / 0.01)),
        )
        for asked in defaults.questions()
    ]


def test_the_mean_over_all_sets_has_two_intervals(answers):
    """Of eight equal differences: a mean of 0.01, a deviation of 0.002 * sqrt(4 / 3)."""
    pair = default_tables.CHOSEN
    mean, low, high = default_tables.mean_difference(answers, pair, corrected=False)
    deviation = 0.002 * (4 / 3) ** 0.5
    assert mean == pytest.approx(0.01)
    assert high - mean == pytest.approx(1.959964 * deviation / (4 * 8) ** 0.5, rel=1e-6)
    assert mean - low == pytest.approx(high - mean)
    mean, low, high = default_tables.mean_difference(answers, pair, corrected=True)
    assert high - mean == pytest.approx(1.959964 * deviation * (1.25 / 8) ** 0.5, rel=1e-6)


def test_tables(answers):
    lines = default_tables.real(answers).splitlines()
    assert len(lines) == 2 + 8 + 2
    assert len({line.count("|") for line in lines}) == 1
    assert lines[2].startswith("| ionosphere | 100 | 30 | 0.8100 | 0.8000 | +0.0100 (")
    assert "| +0.0100 (+0.0092 to +0.0108) |" in lines[-2]
    assert len(default_tables.simulated(answers).splitlines()) == 2 + len(defaults.SIMULATED)


class TestRecorded:
    rows = tuple(STUDIES["auctron_defaults"].recorded())

    def test_the_mean_difference_to_logistic_regression_is_no_worse_than_promised(self):
        _, low, _ = default_tables.mean_difference(
            self.rows, default_tables.CHOSEN, corrected=False
        )
        assert low > -0.005
        mean, low, _ = default_tables.mean_difference(
            self.rows, default_tables.FIXED, corrected=False
        )
        assert mean > 0
        assert low > -0.005

    @pytest.mark.parametrize(
        "data", ["outliers, 40 positives", "outliers, 10 positives", "heavy tails, 10 positives"]
    )
    def test_ahead_where_the_model_is_wrong_and_positives_are_few(self, data):
        for pair in (default_tables.CHOSEN, default_tables.FIXED):
            assert default_tables.differences(self.rows, data, pair).interval()[0] > 0

    @pytest.mark.parametrize("learner", ["AUCtronClassifierCV", "AUCtronClassifier"])
    @pytest.mark.parametrize("data", ["pima", "heavy tails, 10 positives"])
    def test_aucs_are_those_of_the_library_as_it_is(self, learner, data):
        """If a learner has changed: python -m roclab_studies auctron_defaults --again."""
        if data in defaults.DATA and not os.environ.get("ROCLAB_DATA"):
            pytest.skip(f"ROCLAB_DATA is not set: no folder with {data}.csv")
        row = next(row for row in self.rows if (row.learner, row.data) == (learner, data))
        found = defaults.answer(replace(question_of(defaults, row), splits=2))
        assert found.aucs == pytest.approx(row.aucs[:2], abs=1e-3)
