"""Points of the scatter plot are models of the selection."""

import pytest
from attribute_tables import table

from roclab_studies.scored_auc import (
    scatter,
    selection,
)


def test_a_point_is_a_model_of_the_selection(monkeypatch):
    monkeypatch.setattr(selection, "read", lambda _: table(5, 240))
    monkeypatch.setattr(scatter, "REPETITIONS", 3)
    scatter.points.cache_clear()
    question = scatter.Question(share=0.1, learner="naive Bayes", repetition=2, model=7)
    found = scatter.answer(question)
    scatter.points.cache_clear()
    *_, trial = selection.trials("credit-a", "naive Bayes", range(3), 0.1)
    assert found.test_auc == pytest.approx(trial.test_auc[7], rel=1e-4)
    assert found.scored == pytest.approx(trial.scored[7], rel=1e-4)
    assert found.brier == pytest.approx(-trial.brier[7], rel=1e-4)
