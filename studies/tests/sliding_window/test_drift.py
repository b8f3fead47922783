"""Rounding errors of a window that has slid many times."""

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.sliding_window import drift


class TestDrift:
    question = drift.Question(weights="alike", scores="tied", size=300, slides=5000)

    @pytest.mark.parametrize("weights", ["none", "alike", "many magnitudes"])
    @pytest.mark.parametrize("scores", drift.SCORES)
    def test_there_is_next_to_none(self, weights, scores):
        found = drift.answer(replace(self.question, weights=weights, scores=scores))
        assert found.auc <= (0 if weights == "none" else 1e-14)
        assert max(found.auc_variance, found.scored_auc, found.scored_auc_variance) <= 1e-10

    @pytest.mark.parametrize("name", ["auc", "auc_variance", "scored_auc", "scored_auc_variance"])
    def test_what_is_wrong_once_is_found(self, monkeypatch, name):
        right, reads = getattr(rl.WindowAUC, name), []

        def wrong(window):
            reads.append(1)
            return right.__get__(window) * (1 + 1e-3 * (len(reads) == 57))

        with monkeypatch.context() as patch:
            patch.setattr(
                drift.rl, "WindowAUC", type("W", (rl.WindowAUC,), {name: property(wrong)})
            )
            found = drift.answer(self.question)
        assert len(reads) == drift.CHECKS + 1
        assert getattr(found, name) == pytest.approx(1e-3, rel=0.5)
        others = {"auc", "auc_variance", "scored_auc", "scored_auc_variance"} - {name}
        assert max(getattr(found, other) for other in others) < 1e-12

    def test_a_value_that_is_missing_is_found(self, monkeypatch):
        missing = type("W", (rl.WindowAUC,), {"auc_variance": property(lambda _: np.nan)})
        monkeypatch.setattr(drift.rl, "WindowAUC", missing)
        found = drift.answer(self.question)
        assert found.auc_variance == np.inf
        assert found.scored_auc < 1e-12

    def test_weights_fall_with_time(self):
        question = replace(self.question, weights="falling", slides=1000)
        rng = np.random.default_rng(0)
        for time, weight in ((0.001, 1e6), (0.5, 1.0), (1.0, 1e-6)):
            found = drift._events(question, rng, 1, time)[2]
            assert 0.4 * weight < found[0] < 1.6 * weight

    def test_scores_move_away_with_time(self):
        rng = np.random.default_rng(0)
        question = replace(self.question, scores="moving away", slides=10**6)
        *_, scores, _ = drift._events(question, rng, 1000, 1.0)
        assert scores[-1] == pytest.approx(1e6, abs=6)
        assert scores[0] == pytest.approx(1e6 - 999, abs=6)

    def test_recorded_drift_is_within_what_is_promised(self):
        rows = STUDIES["window_drift"].recorded()
        assert {row.slides for row in rows} == {10**7}
        for row in rows:
            assert row.auc <= (0 if row.weights == "none" else 1e-14)
            assert max(row.auc_variance, row.scored_auc, row.scored_auc_variance) <= 1e-10
