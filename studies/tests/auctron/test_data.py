"""AUCtron on the data sets of the paper: answers that a loop finds too, recorded ones that hold."""

import math
import os
from dataclasses import replace

import numpy as np
import pytest
from auctron_rows import LABELS, NUMERIC, VALUES
from sklearn.metrics import recall_score

import roclab as rl
from roclab_studies import datasets
from roclab_studies.auctron import data as auctron_data
from roclab_studies.auctron import defaults as auctron_defaults
from roclab_studies.auctron import fixed_errors
from roclab_studies.auctron import starts as auctron_starts
from roclab_studies.auctron.rankers import Encoding, scores_of
from roclab_studies.catalogue import STUDIES
from roclab_studies.runner import question_of


class TestData:
    @pytest.mark.usefixtures("table")
    def test_what_is_known_only_with_the_class_is_left_out(self):
        assert auctron_data.examples("wpbc").X.shape == (120, 4)
        found = auctron_data.examples("wpbc without time")
        assert found.feature_names == ("a", "b", "d")
        assert np.array_equal(found.X, VALUES[:, [0, 1, 3]], equal_nan=True)
        assert found.numeric.tolist() == [True, True, False]
        assert len(found.categories) == 3

    def test_splits_keep_shares_and_come_in_one_order(self):
        many = list(auctron_data.splits(LABELS, 5))
        for learn, judge in many:
            assert sorted([*learn, *judge]) == list(range(120))
            assert len(judge) == 36
            assert LABELS[judge].mean() == pytest.approx(LABELS.mean(), abs=0.02)
        for few, all_ in zip(auctron_data.splits(LABELS, 2), many, strict=False):
            assert few[1].tolist() == all_[1].tolist()

    @pytest.mark.usefixtures("table")
    @pytest.mark.parametrize("learner", ["MSEtron, L-BFGS", "AUCsplit, no limits"])
    def test_answers_what_a_loop_finds(self, learner):
        found = auctron_data.answer(auctron_data.Question(learner=learner, data="pima", splits=3))
        aucs, rates = [], []
        for learn, judge in auctron_data.splits(LABELS, 3):
            X, new = VALUES[learn], VALUES[judge]
            if learner == "AUCsplit, no limits":
                model = rl.AUCSplitTreeClassifier(categorical_features=[2, 3])
            else:
                encoding = Encoding.of(X, NUMERIC)
                X, new = encoding.columns(X), encoding.columns(new)
                model = rl.MSEtronClassifier(max_iter=2000, standardize=False, random_state=0)
            model.fit(X, LABELS[learn])
            aucs.append(rl.auc(LABELS[judge], scores_of(model, new)))
            called = model.predict_proba(new)[:, 1] >= 0.5
            rates.append([recall_score(LABELS[judge], called, pos_label=one) for one in (1, 0)])
        assert found.aucs == pytest.approx(aucs, abs=1e-6)
        assert (found.sensitivity, found.specificity) == pytest.approx(
            tuple(np.mean(rates, axis=0)), abs=1e-4
        )
        assert (found.rows, found.positives) == (120, int(LABELS.sum()))

    @pytest.mark.usefixtures("table")
    def test_the_other_threshold_is_learned_from_the_training_rows(self):
        question = auctron_data.Question(learner="MSEtron, L-BFGS", data="pima", splits=2)
        found, rates = auctron_data.answer(question), []
        for learn, judge in auctron_data.splits(LABELS, 2):
            encoding = Encoding.of(VALUES[learn], NUMERIC)
            X, new = encoding.columns(VALUES[learn]), encoding.columns(VALUES[judge])
            model = rl.MSEtronClassifier(max_iter=2000, standardize=False, random_state=0)
            known = model.fit(X, LABELS[learn]).decision_function(X)
            sums = [
                (known[LABELS[learn]] >= cut).mean() + (known[~LABELS[learn]] < cut).mean()
                for cut in known
            ]
            called = model.decision_function(new) >= known[np.argmax(sums)]
            rates.append([recall_score(LABELS[judge], called, pos_label=one) for one in (1, 0)])
        assert (found.best_sensitivity, found.best_specificity) == pytest.approx(
            tuple(np.mean(rates, axis=0)), abs=1e-4
        )

    @pytest.mark.parametrize(
        "study", [auctron_data, auctron_starts, auctron_defaults, fixed_errors]
    )
    def test_asks_each_question_once(self, study):
        asked = study.questions()
        assert len(set(asked)) == len(asked)
        assert len(study.questions(50)) <= len(asked)


def needs_data():
    if not os.environ.get("ROCLAB_DATA"):
        pytest.skip("ROCLAB_DATA is not set: no folder with pima.csv")


class TestRecorded:
    @pytest.mark.parametrize("data", ["pima", "ionosphere"])
    @pytest.mark.parametrize("learner", ["AUCtron, descent", "MSEtron, L-BFGS"])
    def test_aucs_are_those_of_the_library_as_it_is(self, learner, data):
        """If a learner has changed: python -m roclab_studies auctron_data --again."""
        needs_data()
        rows = STUDIES["auctron_data"].recorded()
        row = next(row for row in rows if (row.learner, row.data) == (learner, data))
        found = auctron_data.answer(replace(question_of(auctron_data, row), splits=3))
        assert found.aucs == pytest.approx(row.aucs[:3], abs=1e-3)

    @pytest.mark.parametrize(("data", "loss"), [("pima", 0.0428), ("ionosphere", 0.0063)])
    def test_small_starts_end_where_an_independent_program_ended(self, data, loss):
        """SPEC 3.3: losses after 80 epochs from coefficients of size 0.01, on all rows."""
        needs_data()
        found = datasets.load(data)
        model = rl.AUCtronClassifier(
            alpha=0, tol=1e-5, solver="auctron", max_iter=80, random_state=0
        )
        with pytest.warns(UserWarning, match="max_iter=80"):
            model.fit(found.X, found.y)
        assert model.loss_curve_[-1] == pytest.approx(loss, abs=1e-4)

    @pytest.mark.parametrize(
        ("learner", "data", "auc"),
        [
            ("AUCtron, descent", "pima", 0.826),
            ("MSEtron, descent", "pima", 0.827),
            ("AUCtron, descent", "ionosphere", 0.876),
            ("MSEtron, descent", "ionosphere", 0.864),
        ],
    )
    def test_means_are_near_those_of_an_independent_program(self, learner, data, auc):
        """SPEC 3.6: means over 15 other splits of the same kind."""
        rows = STUDIES["auctron_data"].recorded()
        row = next(row for row in rows if (row.learner, row.data) == (learner, data))
        error = np.std(row.aucs) * math.sqrt(1 / 15 + 1 / 50)
        assert np.mean(row.aucs) == pytest.approx(auc, abs=3 * error)
