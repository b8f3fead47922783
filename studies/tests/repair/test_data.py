"""Repair on data sets: splits, answers and means."""

import math

import numpy as np
import pytest

from roclab_studies.repair import data as repair_data
from roclab_studies.repair.learners import LEARNERS


class TestData:
    @pytest.mark.parametrize("learner", LEARNERS)
    @pytest.mark.parametrize("method", repair_data.RULES)
    def test_every_rule_and_learner_has_an_answer(self, folder, learner, method):
        rng = np.random.default_rng(4)
        rows = []
        for i in range(240):
            x = rng.normal()
            turned = -x if abs(x) < 0.7 else x
            label = "2" if rng.random() < 1 / (1 + math.exp(-3 * turned)) else "1"
            rows.append(f"{x},{'abc'[i % 3]},{label}\n")
        (folder / "glass.csv").write_text("x,word,class\n" + "".join(rows))
        question = repair_data.Question(method=method, learner=learner, data="glass", repetitions=1)
        found = repair_data.answer(question)
        assert found.tests == 10
        assert 0 <= found.kept <= found.found <= 10
        assert math.isnan(found.auc) == (found.kept == 0)
        if found.kept:
            gain = found.kept / found.tests * (found.repaired - found.auc)
            assert found.gain == pytest.approx(gain, abs=1e-4)
        if learner == "Gaussian naive Bayes" and method == "no validation":
            assert found.gain > 0

    def test_splits_use_every_row_once_as_test_and_never_twice_in_one(self):
        labels = np.arange(50) % 3 == 0
        tests = []
        for training, checks, test in repair_data.splits(labels, 3, 1):
            assert len(checks) == 3
            together = np.concatenate((training, *checks, test))
            assert sorted(together.tolist()) == list(range(50))
            assert labels[test].any()
            tests += test.tolist()
        assert sorted(tests) == list(range(50))

    def test_small_classes_make_fewer_folds(self):
        labels = np.arange(50) < 5
        assert len(list(repair_data.splits(labels, 1, 1))) == 5

    def test_means_and_test(self):
        question = repair_data.questions()[0]
        before, after = np.array([0.5, 0.6, 0.7, 0.8]), np.array([0.6, 0.6, 0.9, 0.8])
        kept = np.array([True, False, True, False])
        found = repair_data._summed(question, before, after, kept, 3)
        assert (found.tests, found.found, found.kept) == (4, 3, 2)
        assert (found.auc, found.repaired) == pytest.approx((0.6, 0.75))
        assert found.gain == pytest.approx(0.075)
        assert found.pvalue == pytest.approx(2 * (0.5 - math.atan(3) / math.pi), rel=1e-2)
