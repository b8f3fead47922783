"""The studies of repair: populations and learners are what they claim, counts are right."""

import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB
from sklearn.tree import DecisionTreeClassifier

import roclab as rl
from studies import two_classes
from studies.ledger import Ledger
from studies.pages import RESULTS
from studies.repair import data as repair_data
from studies.repair import rules
from studies.repair.learners import LEARNERS, DiscretisedNaiveBayes, LaplaceTree
from studies.runner import question_of

RULE = rules.Question(method="significant", population="inverted 0.25", n=120, runs=25)


class TestPopulations:
    @pytest.mark.parametrize("population", rules.PLANTED)
    def test_the_band_has_the_auc_it_says_and_the_rest_ranks_well(self, population):
        rng = np.random.default_rng(1)
        ranking = rl.Ranking(*rules.draw(population, 200_000, rng))
        inside = rl.auc_interval(ranking.between(*rules.BAND), confidence_level=0.999)
        assert inside.low < rules.PLANTED[population] < inside.high
        assert rl.auc(ranking) > 0.7

    def test_the_others(self):
        rng = np.random.default_rng(2)
        auc = rl.auc(*rules.draw("no skill", 100_000, rng))
        assert auc == pytest.approx(0.5, abs=0.01)
        auc = rl.auc(*rules.draw("binormal", 100_000, rng))
        assert auc == pytest.approx(0.7602, abs=0.01)


class TestRules:
    @pytest.mark.parametrize("method", rules.RULES)
    def test_counts_what_a_loop_counts(self, method):
        question = replace(RULE, method=method)
        found = rules.answer(question)
        options, folds = rules.RULES[method]
        kept = 0
        for ranking, labels, scores in rules.samples(question):
            parts = [rl.Ranking(labels[k::folds], scores[k::folds]) for k in range(folds)]
            kept += bool(rl.checked_repair(ranking, parts, **options).kept)
        assert found.kept == kept > 0
        assert found.share == kept / 25
        assert found.gain_kept * kept == pytest.approx(found.gain * 25, rel=1e-2)

    def test_all_rules_see_the_same_samples(self):
        one, two = (
            [scores.tolist() for _, _, scores in rules.samples(replace(RULE, method=method))]
            for method in ("significant", "rises in 4 folds")
        )
        assert one == two

    def test_asks_each_question_once(self):
        asked = rules.questions()
        assert len(set(asked)) == len(asked) == 6 * 6 * 3

    def test_the_recorded_answers_are_those_of_the_library_as_it_is(self):
        """If the repair has changed: python -m studies repair_rules --again."""
        rows = Ledger(RESULTS / "repair_rules" / "binormal.csv", rules.Answer).read()
        row = next(one for one in rows if (one.method, one.n) == ("rises in 1 fold", 250))
        asked = question_of(rules, row)
        first = [
            len(rl.checked_repair(ranking, rl.Ranking(labels, scores), keep="every_fold").kept)
            for ranking, labels, scores in rules.samples(replace(asked, runs=200))
        ]
        assert sum(first) / 200 == pytest.approx(row.share, abs=0.1)
        rows = Ledger(RESULTS / "repair_rules" / "no_skill.csv", rules.Answer).read()
        significant = [one for one in rows if one.method == "significant"]
        assert len(significant) == 3
        assert all(one.share <= 0.06 for one in significant)


# Sizes of more than ten values, levels of few (10 comes before 2 in the alphabet), words, and
# nominal numbers.
TABLE = """A1,A2,A3,A5,class
red,1.5,2,1,1
blue,2.5,10,2,0
red,3.5,,3,0
,4.5,2,4,1
blue,5.5,2,5,0
red,6.5,10,6,1
blue,7.5,2,7,0
red,8.5,2,8,0
blue,9.5,2,9,0
red,10.5,2,10,1
blue,,2,11,0
blue,11.5,2,12,
red,12.5,2,,0
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder whose tables pass for the known ones."""

    def load_known(name, version):
        data = rl.datasets.load(name, version=version, folder=tmp_path, verify=False)
        return replace(data, checked="cells")

    monkeypatch.setattr(two_classes, "load_known", load_known)
    two_classes.read.cache_clear()
    yield tmp_path
    two_classes.read.cache_clear()


class TestTables:
    def test_columns_have_their_kinds(self, folder):
        (folder / "australian.csv").write_text(TABLE)
        table = two_classes.read("australia")
        assert table.numeric.tolist() == [False, True, False, True]
        assert len(table.labels) == 12  # a row without a class is gone
        assert table.labels.sum() == 4
        assert table.values[:3, 0].tolist() == [1, 0, 1]
        assert math.isnan(table.values[3, 0])
        assert table.values[:2, 2].tolist() == [1, 0]
        assert math.isnan(table.values[2, 2])
        assert table.values[:3, 3].tolist() == [1, 2, 3]
        assert math.isnan(table.values[11, 3])
        assert table.encoded.shape == (12, 6)
        assert table.encoded[10, 2] == 6.5  # the median of eleven sizes

    def test_of_many_rows_some_are_taken(self, folder, monkeypatch):
        rows = "".join(f"{i},{'abcdefghijkl'[i % 12]},{'MR'[i % 2]}\n" for i in range(40))
        rows = rows.replace("M", "Mine").replace("R", "Rock")
        (folder / "sonar.csv").write_text(f"x,word,class\n{rows}")
        monkeypatch.setattr(two_classes, "MOST_ROWS", 12)
        table = two_classes.read("sonar")
        kept = table.values[:, 0].astype(int)
        assert table.numeric.tolist() == [True, False]
        assert len(set(kept.tolist())) == 12
        assert table.labels.tolist() == [bool(i % 2) for i in kept]
        # Words that no row has left have no number.
        present = sorted({"abcdefghijkl"[i % 12] for i in kept})
        assert len(present) < 12
        assert [present[int(code)] for code in table.values[:, 1]] == [
            "abcdefghijkl"[i % 12] for i in kept
        ]


class TestLearners:
    def test_naive_bayes_is_that_of_scikit_learn_on_nominal_columns(self):
        rng = np.random.default_rng(3)
        x = rng.integers(0, 4, (300, 5)).astype(float)
        y = rng.random(300) < 0.3 + 0.1 * x[:, 0]
        mine = DiscretisedNaiveBayes(np.zeros(5, bool)).fit(x, y).predict_proba(x)[:, 1]
        peer = CategoricalNB().fit(x, y).predict_proba(x)[:, 1]
        odds, expected = (p / (1 - p) for p in (mine, peer))
        ratio = odds / expected  # the priors differ: it counts after Laplace there too
        np.testing.assert_allclose(ratio, ratio[0])

    def test_missing_and_unseen_values_say_nothing(self):
        x = np.array([[0.0], [0.0], [1.0], [1.0]])
        y = np.array([True, True, False, False])
        model = DiscretisedNaiveBayes(np.zeros(1, bool)).fit(x, y)
        assert model.predict_proba(np.array([[np.nan]]))[0, 1] == pytest.approx(0.5)

    def test_numbers_are_cut_into_ten(self):
        x = np.arange(100.0)[:, None]
        model = DiscretisedNaiveBayes(np.ones(1, bool)).fit(x, x[:, 0] > 50)
        assert len(model.cuts_[0]) == 9

    def test_leaves_are_smoothed(self):
        x = np.repeat([[0.0], [1.0]], 10, axis=0)
        y = np.array([True] * 9 + [False] * 11)
        model = LaplaceTree().fit(x, y)
        assert model.predict_proba(np.array([[0.0], [1.0]]))[:, 1].tolist() == [10 / 12, 1 / 12]
        assert isinstance(model.tree_, DecisionTreeClassifier)


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
