"""Rules of repair: populations are what they claim, counts are right."""

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.repair import rules
from roclab_studies.runner import question_of

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
        """If the repair has changed: python -m roclab_studies repair_rules --again."""
        rows = [one for one in STUDIES["repair_rules"].recorded() if one.population == "binormal"]
        row = next(one for one in rows if (one.method, one.n) == ("rises in 1 fold", 250))
        asked = question_of(rules, row)
        first = [
            len(rl.checked_repair(ranking, rl.Ranking(labels, scores), keep="every_fold").kept)
            for ranking, labels, scores in rules.samples(replace(asked, runs=200))
        ]
        assert sum(first) / 200 == pytest.approx(row.share, abs=0.1)
        significant = [
            one
            for one in STUDIES["repair_rules"].recorded()
            if (one.population, one.method) == ("no skill", "significant")
        ]
        assert len(significant) == 3
        assert all(one.share <= 0.06 for one in significant)
