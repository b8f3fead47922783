"""Model selection by granular measures: models and choices are what they claim."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr

import roclab as rl
from roclab_studies import datasets
from roclab_studies.granular_roc import selection


@pytest.fixture
def sonar(tmp_path, monkeypatch):
    """A set that passes for sonar; its classes differ a little in the first of its numbers."""
    rng = np.random.default_rng(5)
    labels = rng.random(100) < 0.45
    columns = [f"a{i}" for i in range(60)]
    lines = [",".join([*columns, "class"])]
    for label in labels:
        values = rng.normal(size=60)
        values[:5] += 0.5 * label
        lines.append(",".join([*(f"{v:.4f}" for v in values), "Rock" if label else "Mine"]))
    (tmp_path / "sonar.csv").write_text("\n".join(lines) + "\n")
    data = datasets.load("sonar", folder=tmp_path, verify=False)
    monkeypatch.setattr(selection, "load_known", lambda *_, **__: data)
    return data


class TestSelection:
    QUESTION = selection.Question(
        method="rho AUC", data="Sonar", learner="normal", models=8, repetitions=3
    )

    def test_counts_what_a_loop_counts(self, sonar):
        found = selection.answer(self.QUESTION)
        own, by_auc, related, above = [], [], [], []
        for cut in selection.cuts(sonar, self.QUESTION):
            tested = [rl.auc(cut.test, scores) for scores in cut.tested[:-1]]
            rho = [rl.rho_auc(cut.validation, scores, grid=50) for scores in cut.validated[:-1]]
            auc = [rl.auc(cut.validation, scores) for scores in cut.validated[:-1]]
            own.append(tested[int(np.argmax(rho))])
            tied = [t for t, a in zip(tested, auc, strict=True) if a == max(auc)]
            by_auc.append(np.mean(tied))
            related.append(spearmanr(rho, tested).statistic)
            above.append(sum(t > own[-1] for t in tested))
        assert found.validation == 20
        assert found.auc == pytest.approx(np.mean(own), rel=1e-4)
        assert found.over_auc == pytest.approx(np.mean(own) - np.mean(by_auc), abs=1e-4)
        assert found.correlation == pytest.approx(np.mean(related), rel=1e-4)
        assert found.higher == pytest.approx(np.mean(above), rel=1e-4)
        assert found.better + found.worse <= 3

    def test_yardsticks_are_in_order_and_the_same_for_all(self, sonar):  # noqa: ARG002
        rows = [
            selection.answer(replace(self.QUESTION, method=method)) for method in selection.MEASURES
        ]
        assert all(row.best >= row.auc for row in rows)
        assert rows[0].method == "AUC"
        assert rows[0].over_auc == rows[0].correlation_over_auc == 0
        first = rows[0]
        assert first.best > first.random
        for row in rows:
            assert row.auc - row.over_auc == pytest.approx(first.auc, abs=1e-4)
            assert (row.random, row.best, row.all_rows) == pytest.approx(
                (first.random, first.best, first.all_rows), abs=1e-4
            )
        # Of eight models without ties, on average three and a half are better than a random one.
        assert 3 < first.random_higher <= 3.5

    @pytest.mark.parametrize("learner", selection.LEARNERS)
    def test_every_kind_of_learner_makes_probabilities(self, sonar, learner):
        question = replace(self.QUESTION, learner=learner)
        for cut in selection.cuts(sonar, question):
            assert cut.validated.shape == (9, 20)
            assert ((cut.tested >= 0) & (cut.tested <= 1)).all()

    def test_parts_keep_the_classes_in_proportion(self):
        labels = np.arange(100) < 35
        parts = selection.thirds(labels, np.random.default_rng(0))
        assert [len(part) for part in parts] == [60, 20, 20]
        assert [int(labels[part].sum()) for part in parts] == [21, 7, 7]
        assert sorted(np.concatenate(parts).tolist()) == list(range(100))

    def test_bins_are_cut_at_training_rows_only(self):
        X = np.column_stack((np.arange(40.0), np.arange(40) % 2))
        X[3, 0] = math.nan
        found = selection.binned(X, np.array([True, False]), np.arange(20, 40))
        assert math.isnan(found[3, 0])
        assert np.nanmax(found[:20, 0]) == 0
        assert len(np.unique(found[20:, 0])) == 10
        assert (found[:, 1] == X[:, 1]).all()

    def test_ties_share_and_a_constant_has_no_correlation(self):
        tested = np.array([0.5, 0.7, 0.9])
        assert selection.chosen(np.array([1.0, 2.0, 2.0]), tested) == pytest.approx(0.8)
        assert math.isnan(selection.correlation(np.ones(3), tested))

    def test_asks_each_question_once(self):
        asked = selection.questions()
        assert len(set(asked)) == len(asked) == (7 + 3 + 7 + 1) * 7
