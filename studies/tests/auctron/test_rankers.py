"""The learners that AUCtron is compared with: their columns, their settings and their scores."""

import math

import numpy as np
import pytest
from auctron_rows import LABELS, NUMERIC, VALUES
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score

from roclab_studies.auctron.rankers import (
    CHOSEN,
    PENALTIES,
    PUBLISHED,
    RANKERS,
    Encoding,
    scores_of,
)


class TestEncoding:
    def test_columns_are_those_of_the_training_rows(self):
        encoding = Encoding.of(VALUES[:80], NUMERIC)
        columns = encoding.columns(VALUES[:80])
        assert columns.shape == (80, 2 + 3 + 1)  # of two categories an indicator is enough
        np.testing.assert_allclose(columns.mean(axis=0), 0, atol=1e-12)
        np.testing.assert_allclose(columns.std(axis=0), 1)
        new = encoding.columns(np.array([[np.nan, 0.0, 7.0, 1.0], [0.0, 0.0, np.nan, 0.0]]))
        back = new * encoding.deviation + encoding.mean
        np.testing.assert_allclose(
            back,
            [[np.nanmedian(VALUES[:80, 0]), 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0]],
            atol=1e-12,
        )

    def test_a_column_without_values_or_without_change_does_no_harm(self):
        encoding = Encoding.of(np.array([[np.nan, 5.0, 1.0], [np.nan, 5.0, 2.0]]), NUMERIC[:3])
        assert np.isfinite(encoding.columns(np.array([[3.0, np.nan, np.nan]]))).all()


class TestRankers:
    def test_the_setting_with_the_best_inner_auc_is_chosen(self):
        X = Encoding.of(VALUES, NUMERIC).columns(VALUES)
        model, setting = CHOSEN["logistic regression"].trained(X, LABELS, ~NUMERIC)
        folds = StratifiedKFold(3, shuffle=True, random_state=0)
        means = [
            cross_val_score(
                LogisticRegression(C=1 / (one * 120)), X, LABELS, scoring="roc_auc", cv=folds
            ).mean()
            for one in PENALTIES
        ]
        assert setting == PENALTIES[int(np.argmax(means))]
        assert model.get_params()["C"] == pytest.approx(1 / (setting * 120))

    def test_nothing_is_chosen_where_the_paper_chooses_nothing(self):
        X = Encoding.of(VALUES, NUMERIC).columns(VALUES)
        with pytest.warns(UserWarning, match="max_iter=80"):
            model, setting = PUBLISHED["AUCtron, descent"].trained(X, LABELS, ~NUMERIC)
        assert math.isnan(setting)
        assert (model.solver, model.alpha, model.n_iter_) == ("auctron", 0, 80)

    @pytest.mark.parametrize("name", ["AUCtron, L-BFGS", "linear SVM", "AUCsplit"])
    def test_scores_are_cut_at_zero(self, name):
        ranker = RANKERS[name]
        X = VALUES if ranker.raw else Encoding.of(VALUES, NUMERIC).columns(VALUES)
        model, _ = ranker.trained(X, LABELS, ~NUMERIC)
        assert (scores_of(model, X) > 0).tolist() == model.predict(X).tolist()
