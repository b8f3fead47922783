"""Model selection by scored AUC: splits are fair, answers are those of a loop."""

import math
from dataclasses import replace

import numpy as np
import pytest
from attribute_tables import table

from roclab_studies import subset_learners
from roclab_studies.scored_auc import (
    few_rows,
    selection,
)


@pytest.fixture
def data(monkeypatch):
    monkeypatch.setattr(selection, "read", lambda _: table(5, 240))


@pytest.mark.usefixtures("data")
class TestSelection:
    @pytest.mark.parametrize("learner", subset_learners.LEARNERS)
    def test_is_that_of_a_loop(self, learner):
        blocks = [
            selection.Question(data="monk1", learner=learner, block=block, repetitions=6)
            for block in range(2)
        ]
        (found,) = selection.together([selection.answer(one) for one in blocks])
        assert found.repetitions == 12
        assert (found.rows, found.validation) == (240, 24)
        aucs, gains, blind, broken = {"auc": [], "scored": [], "brier": []}, [], [], []
        for trial in selection.trials("monk1", learner, range(12), 0.2):
            for name, list_of in aucs.items():
                list_of.append(trial.test_auc[np.argmax(getattr(trial, name))])
            gains.append(aucs["scored"][-1] - aucs["auc"][-1])
            blind.append(trial.test_auc.mean())
            best = max(range(10), key=lambda at, one=trial: (one.auc[at], one.scored[at]))
            broken.append(trial.test_auc[best])
        for name, values in aucs.items():
            assert getattr(found, name) == pytest.approx(np.mean(values), rel=1e-5)
        assert found.over_auc == pytest.approx(np.mean(gains), rel=1e-5)
        parts = np.std(np.reshape(gains, (2, 6)), axis=1, ddof=1)
        error = math.sqrt(np.mean(parts**2) / 12)
        assert found.over_auc_error == pytest.approx(error, rel=1e-5)
        assert found.any_model == pytest.approx(np.mean(blind), rel=1e-5)
        assert found.tie_broken == pytest.approx(np.mean(broken), rel=1e-5)
        assert found.any_model < found.best_model
        assert max(found.auc, found.scored, found.brier) <= found.best_model

    def test_fewer_rows_validate_and_the_rest_tests(self):
        (question, *_) = few_rows.questions(50)
        few, many = few_rows.answer(question), selection.answer(question)
        assert (few.validation, many.validation) == (5, 24)
        assert few.auc_ties >= many.auc_ties
        asked = few_rows.questions()
        assert len(set(asked)) == len(asked) == 3 * 11 * 2

    def test_learners_see_the_same_rows_and_attributes(self, monkeypatch):
        seen = {}

        def spy(name, scorer):
            def scores(attributes, labels, learn, judge, usable):
                seen.setdefault(name, []).append((learn.tolist(), usable.tolist()))
                return scorer(attributes, labels, learn, judge, usable)

            return scores

        spies = {name: spy(name, one) for name, one in subset_learners.LEARNERS.items()}
        monkeypatch.setattr(selection, "LEARNERS", spies)
        for name in spies:
            list(selection.trials("monk1", name, range(2), 0.2))
        assert seen["tree"] == seen["naive Bayes"] == seen["logistic regression"]
        assert seen["tree"][0] != seen["tree"][1]

    def test_models_lack_three_attributes(self):
        usable = selection.subsets(8, np.random.default_rng(0))
        assert usable.shape == (10, 8)
        assert (usable.sum(axis=1) == 5).all()
        assert len(np.unique(usable, axis=0)) > 5

    @pytest.mark.parametrize(("share", "sizes"), [(0.2, (50, 10, 41)), (0.5, (50, 26, 25))])
    def test_parts_have_their_sizes_and_both_classes(self, share, sizes):
        labels = np.arange(101) < 8
        for seed in range(20):
            parts = selection.split(labels, share, np.random.default_rng(seed))
            assert tuple(map(len, parts)) == sizes
            assert sorted(np.concatenate(parts).tolist()) == list(range(101))
            assert all(labels[part].any() for part in parts)

    def test_correlation(self):
        first = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0], [3.0, 1.0, 2.0]])
        second = np.array([[2.0, 4.0, 7.0], [1.0, 2.0, 3.0], [1.0, 3.0, 2.0]])
        expected = (np.corrcoef(first[0], second[0])[0, 1] - 1) / 2
        assert selection.correlation(first, second) == pytest.approx(expected)


def test_asks_each_question_once():
    asked = selection.questions()
    assert len(set(asked)) == len(asked) == 3 * (11 * 8 + 6 * 5)
    assert {replace(one, repetitions=0) for one in asked} == {
        replace(one, repetitions=0) for one in selection.questions(50)
    }
