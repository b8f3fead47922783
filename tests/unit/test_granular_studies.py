"""The studies of granular ROC: readings, models and choices are what they claim."""

import math
from dataclasses import replace

import numpy as np
import pytest
import reference_granular
from scipy.stats import spearmanr
from sklearn.naive_bayes import CategoricalNB, GaussianNB

import roclab as rl
from studies.granular_roc import bands, example, selection, tables
from studies.granular_roc.bootstrap_bayes import bootstrap_weights, log_odds
from studies.granular_roc.readings import READINGS
from studies.pages import RESULTS
from studies.runner import question_of, recorded


def sample(n, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.4
    return labels, rng.normal(0.45, 0.2, n) + 0.2 * labels


class TestReadings:
    def test_low_as_printed_is_that_of_a_loop(self):
        labels, scores = sample(60)
        order = np.argsort(-scores)
        rows = list(zip(scores[order].tolist(), labels[order].tolist(), strict=True))
        expected = reference_granular.published_rows(rows, 0.05, low_as_printed=True)
        found = READINGS["low as printed"](labels, scores, 0.05)
        assert found == pytest.approx([float(one) for one in expected])

    def test_scores_are_clipped_and_scaled(self):
        labels, scores = sample(80)
        scores *= 2
        clipped = rl.granular_auc(labels, np.clip(scores, 0, 1), definition="published")
        assert READINGS["published, clipped scores"](labels, scores, 0.02) == (
            clipped.low,
            clipped.up,
        )
        scaled = READINGS["published, scaled scores"](labels, scores, 0.02)
        assert scaled == pytest.approx(
            READINGS["published, scaled scores"](labels, 5 * scores - 3, 0.02)
        )

    def test_constant_denominators_of_four(self):
        labels = np.array([True, False, True, False])
        scores = np.array([0.9, 0.8, 0.2, 0.1])
        # Blocks {0.9}, {0.9, 0.8}, {0.2}, {0.2, 0.1} at a granularity of 0.15.
        low, up = READINGS["constant denominators"](labels, scores, 0.15)
        # Up (0, 1/2), (0, 1), (1/2, 1), (1/2, 3/2); low (1/2, 0), (1, 0), (1, 1/2), (3/2, 1/2).
        assert up == pytest.approx(1 / 2 + 5 / 8)
        assert low == pytest.approx(1 / 4 - 3 / 8)


class TestExample:
    def test_printed_values_are_met_but_for_the_last_which_is_cut(self):
        for name, (auc, low, up) in example.PRINTED.items():
            found = example.answer(example.Question(classifier=name, method="published, doubles"))
            assert found.auc == pytest.approx(auc)
            assert round(found.low, 3) == low
            assert (round(found.up, 3) if name == "A" else math.floor(1000 * found.up) / 1000) == up

    def test_the_recorded_answers_are_those_of_the_library_as_it_is(self):
        rows = recorded(example, RESULTS / "granular_example")
        assert [example.answer(question_of(example, row)) for row in rows] == rows


class TestBands:
    QUESTION = bands.Question(method="clean", size=100, granularity=0.02, runs=40)

    def test_means_and_shares_are_those_of_a_loop(self):
        found = bands.answer(self.QUESTION)
        areas = [rl.granular_auc(labels, scores) for labels, scores in bands.samples(100, 40)]
        assert found.auc == pytest.approx(np.mean([one.auc for one in areas]), rel=1e-4)
        assert found.up_sd == pytest.approx(np.std([one.up for one in areas], ddof=1), rel=1e-4)
        assert found.lambda_ == pytest.approx(np.mean([one.lambda_ for one in areas]), rel=1e-4)
        inside = [one.low <= bands.TRUE_AUC <= one.up for one in areas]
        assert 0 < found.area_inside == np.mean(inside) < 1
        assert math.isnan(found.rank_2001)

    def test_a_wide_band_holds_everything_and_other_readings_have_none(self):
        wide = bands.answer(replace(self.QUESTION, granularity=2.0))
        assert (wide.curve_inside, wide.points_inside, wide.other_inside) == (1, 1, 1)
        other = bands.answer(replace(self.QUESTION, method="constant denominators"))
        assert math.isnan(other.curve_inside)
        assert math.isnan(other.other_inside)

    def test_the_heights_of_a_step(self):
        curve = rl.roc_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])  # up, right to 1/2, up, right
        half = np.flatnonzero(bands.RATES == 0.5)[0]
        assert bands.lowest(curve)[half] == 0.5
        assert bands.highest(curve)[half] == 1

    def test_recorded_bands_are_near_the_verified_ones(self):
        """SPEC 4.4; if a measure has changed: python -m studies granular_bands --again."""
        rows = {
            row.method: row
            for row in recorded(bands, RESULTS / "granular_bands")
            if (row.size, row.granularity) == (2000, 0.02)
        }
        published, clean = rows["published"], rows["clean"]
        assert (published.above, published.below) == pytest.approx((0.0198, -0.0298), abs=2e-4)
        assert (clean.above, clean.below) == pytest.approx((0.0214, -0.0225), abs=2e-4)
        assert published.lambda_ == pytest.approx(0.9364, abs=3e-4)
        assert rows["low as printed"].lambda_ > 1


class TestBootstrapBayes:
    def test_is_that_of_scikit_learn_for_numbers(self):
        rng = np.random.default_rng(1)
        X, y = rng.normal(size=(90, 4)) * [1, 100, 0.1, 1], rng.random(90) < 0.4
        X[:, 0] += y
        training = np.arange(60)
        weights = bootstrap_weights(60, 3, rng)
        found = log_odds(X, y, np.ones(4, bool), weights, training)
        for row, weight in zip(found, weights, strict=True):
            model = GaussianNB().fit(X[:60], y[:60], sample_weight=weight)
            logs = model.predict_log_proba(X)
            np.testing.assert_allclose(row, logs[:, 1] - logs[:, 0], rtol=1e-5)

    def test_is_that_of_scikit_learn_for_nominal_values(self):
        rng = np.random.default_rng(2)
        X, y = rng.integers(0, 4, (80, 3)).astype(float), rng.random(80) < 0.4
        weights = bootstrap_weights(80, 2, rng)
        found = log_odds(X, y, np.zeros(3, bool), weights, np.arange(80))
        for row, weight in zip(found, weights, strict=True):
            logs = CategoricalNB().fit(X, y, sample_weight=weight).predict_log_proba(X)
            np.testing.assert_allclose(row, logs[:, 1] - logs[:, 0])

    def test_what_is_missing_says_nothing(self):
        rng = np.random.default_rng(3)
        X, y = rng.normal(size=(40, 2)), rng.random(40) < 0.5
        X[:, 1] = X[:, 1] > 0
        X[0] = math.nan
        weights = bootstrap_weights(30, 5, rng)
        found = log_odds(X, y, np.array([True, False]), weights, np.arange(10, 40))
        pos = weights[:, y[10:]].sum(axis=1)
        np.testing.assert_allclose(found[:, 0], np.log(pos / (30 - pos)))

    def test_a_sample_has_as_many_rows(self):
        weights = bootstrap_weights(50, 7, np.random.default_rng(4))
        assert weights.shape == (7, 50)
        assert (weights.sum(axis=1) == 50).all()
        assert len(np.unique(weights)) > 2


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
    data = rl.datasets.load("sonar", folder=tmp_path, verify=False)
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


class TestStatistics:
    def test_printed_correlations_fit_twenty_models(self):
        pairs = zip(tables.PRINTED_CORRELATIONS, tables.PRINTED_PVALUES, strict=True)
        for related, printed in pairs:
            assert tables.correlation_pvalue(related, 20) == pytest.approx(printed, abs=1e-3)
            assert tables.correlation_pvalue(related, 100) < 1e-6
