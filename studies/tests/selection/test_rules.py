"""The study of rules for choosing a model: rows where they should be, gains counted right."""

import numpy as np
import pytest

import roclab as rl
from roclab_studies import datasets
from roclab_studies.selection import rule_tables, rules
from roclab_studies.selection.rules import RULES, Question, Trial

QUESTION = Question(data="sonar", learner="naive Bayes", size=20, repetitions=3)


@pytest.fixture
def sonar(tmp_path, monkeypatch):
    """A small set that passes for sonar."""
    rng = np.random.default_rng(7)
    labels = rng.random(120) < 0.4
    lines = [",".join([*(f"a{i}" for i in range(60)), "class"])]
    for label in labels:
        values = rng.normal(size=60) + 0.3 * label * (np.arange(60) < 12)
        lines.append(",".join([*(f"{v:.4f}" for v in values), "Rock" if label else "Mine"]))
    (tmp_path / "sonar.csv").write_text("\n".join(lines) + "\n")
    data = datasets.load("sonar", folder=tmp_path, verify=False)
    monkeypatch.setattr(rules, "load_known", lambda _: data)
    rules.trials.cache_clear()
    yield data
    rules.trials.cache_clear()


class TestRows:
    @pytest.mark.parametrize(("rows", "share"), [(208, 0.47), (731, 0.06), (6435, 0.1)])
    def test_parts_are_apart_and_in_proportion(self, rows, share):
        labels = np.random.default_rng(0).random(rows) < share
        parts = rules.parts(labels, np.random.default_rng(1))
        together = np.concatenate(parts)
        assert len(np.unique(together)) == len(together) <= rows
        training, validation, test = map(len, parts)
        assert abs(training - min(0.35 * rows, 400)) <= 1
        assert abs(validation - min(0.3 * rows, 500)) <= 1
        assert test >= min(0.34 * rows, 2999)
        for part in parts:
            assert labels[part].sum() == pytest.approx(labels.mean() * len(part), abs=1.5)
            assert (np.diff(labels[part].astype(int)) <= 0).all()  # positives first

    def test_smaller_samples_are_part_of_larger_ones(self):
        trial = Trial(n_pos=30, scores=np.arange(2.0 * 90).reshape(2, 90), test_aucs=np.zeros(2))
        labels, scores = trial.part(20)
        more_labels, more = trial.part(50)
        assert (labels.sum(), more_labels.sum()) == (7, 17)
        assert set(scores[0]) < set(more[0])
        assert scores.shape == (2, 20)

    def test_a_rare_class_has_one_row(self):
        trial = Trial(n_pos=2, scores=np.arange(200.0)[None], test_aucs=np.zeros(1))
        assert trial.part(20)[0].sum() == 1

    def test_a_third_of_the_attributes_is_left_out(self):
        kept = rules.subsets(60, np.random.default_rng(2))
        assert kept.shape == (20, 60)
        assert (kept.sum(axis=1) == 40).all()

    def test_asks_only_for_sizes_that_a_set_has(self):
        asked = rules.questions()
        assert len(set(asked)) == len(asked)
        assert {one.size for one in asked if one.data == "sonar"} == {20, 50}
        assert {one.size for one in asked if one.data == "sick"} == set(rules.SIZES)


class TestAnswers:
    def test_counts_what_a_loop_counts(self, sonar):  # noqa: ARG002
        found = rules.answer(QUESTION)
        trials, training, test = rules.trials("sonar", "naive Bayes", 3)
        assert (found.training, found.test) == (training, test) == (42, 42)
        won = {rule: [] for rule in (*RULES, "auc_then_scored")}
        for trial in trials:
            labels, scores = trial.part(20)
            for rule in RULES:
                sign = -1 if rule == "brier_score" else 1
                options = {"grid": 50} if rule == "rho_auc" else {}
                values = [sign * getattr(rl, rule)(labels, row, **options) for row in scores]
                best = [
                    auc
                    for auc, value in zip(trial.test_aucs, values, strict=True)
                    if value == max(values)
                ]
                won[rule].append(np.mean(best))
            aucs, scored = (
                [getattr(rl, rule)(labels, row) for row in scores] for rule in ("auc", "scored_auc")
            )
            winner = max(range(20), key=lambda k: (aucs[k], scored[k]))
            won["auc_then_scored"].append(trial.test_aucs[winner])
        assert found.auc == pytest.approx(np.mean(won["auc"]), rel=1e-4)
        for rule in rule_tables.OTHERS:
            gains = np.subtract(won[rule], won["auc"])
            assert getattr(found, rule) == pytest.approx(gains.mean(), rel=1e-4, abs=1e-12)
            error = gains.std(ddof=1) / np.sqrt(3)
            assert getattr(found, f"{rule}_error") == pytest.approx(error, rel=1e-4, abs=1e-12)
        assert found.random < found.best
        assert found.positives == 8

    @pytest.mark.parametrize("learner", rules.LEARNERS)
    def test_every_learner_makes_probabilities(self, sonar, learner):  # noqa: ARG002
        (trial, *_), _, _ = rules.trials("sonar", learner, 2)
        assert trial.scores.shape == (20, 36)
        assert ((trial.scores >= 0) & (trial.scores <= 1)).all()
        assert np.ptp(trial.test_aucs) > 0


class TestTables:
    def test_rare_positives_are_rare(self):
        """Numbers of rows and of positives as the data sets' list has them."""
        # Of several versions the first one is what `load` takes.
        known = {one.name: one for one in reversed(list(datasets.list_datasets()))}
        for data, rows in rules.DATA.items():
            assert rows == known[data].rows
            share = known[data].positives / rows
            assert (share <= 0.11) == (data in rule_tables.RARE), (data, share)

    def test_sets_are_the_sample(self):
        mean, half = rule_tables.interval([0.0, 0.2, 0.4])
        assert mean == pytest.approx(0.2)
        assert half == pytest.approx(4.303 * 0.2 / 3**0.5, rel=1e-3)

    def test_a_gain_of_a_set_is_the_mean_of_its_learners(self, sonar):  # noqa: ARG002
        rows = [
            rules.answer(Question(data="sonar", learner=learner, size=20, repetitions=2))
            for learner in rules.LEARNERS
        ]
        found = rule_tables.gains_by_set(rows, "best", 20)
        assert found["sonar"] == pytest.approx(np.mean([row.best - row.auc for row in rows]))
        assert rule_tables.gains_by_set(rows, "best", 50) == {}
