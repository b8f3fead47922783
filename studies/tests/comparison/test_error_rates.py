"""Error rates of tests: answers counted right, recorded ones those of the library."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.comparison import error_rates
from roclab_studies.comparison.other_populations import (
    EXTREMES,
    FIVE_KINDS,
    OTHERS,
    OtherPopulation,
)
from roclab_studies.populations import labels_of
from roclab_studies.runner import question_of

PAIR = error_rates.Question(
    test="paired",
    method="delong",
    family="equal",
    correlation=0.5,
    n_pos=30,
    n_neg=30,
    auc=0.6,
    auc_a=0.75,
    runs=30,
)


class TestErrorRates:
    @pytest.mark.parametrize("method", ["auto", "delong"])
    @pytest.mark.parametrize(
        ("test", "compared"),
        [
            ("paired", rl.compare_auc),
            (
                "independent",
                lambda y, *s, **how: rl.compare_independent_auc(
                    *(rl.Ranking(y, x) for x in s), **how
                ),
            ),
            ("value", lambda y, s, _, **how: rl.compare_to_value(y, s, value=0.6, **how)),
            ("noninferior", partial(rl.compare_auc, alternative="noninferior", margin=0.1)),
            ("equivalent", partial(rl.compare_auc, alternative="equivalent", margin=0.1)),
        ],
    )
    @pytest.mark.parametrize("n", [20, 30])
    def test_counts_what_a_loop_counts(self, test, compared, method, n):
        question = replace(PAIR, test=test, method=method, n_pos=n, n_neg=n)
        labels = [True] * n + [False] * n
        found = [
            compared(labels, *(*s, None)[:2], method=method).pvalue < 0.05
            for s in error_rates.samples(question)
        ]
        answer = error_rates.answer(question)
        assert (answer.rejected, answer.undefined) == (sum(found), 0)
        assert answer.rate == sum(found) / 30

    @pytest.mark.parametrize("family", OTHERS | EXTREMES)
    def test_other_populations_have_the_auc_asked_for(self, family):
        rows = labels_of(50_000, 50_000)
        noise = np.random.default_rng(1).standard_normal(len(rows))
        for auc in (0.6, 0.95):
            scores = OtherPopulation(family=family, auc=auc).scores(noise, rows)
            assert rl.auc(rows, scores) == pytest.approx(auc, abs=0.006)

    @pytest.mark.parametrize("n", [20, 30])
    @pytest.mark.parametrize("method", ["holm", "omnibus"])
    def test_of_five_models_any_difference_counts(self, method, n):
        question = replace(PAIR, test="all_models", method=method, n_pos=n, n_neg=n)
        rejected = 0
        for scores in error_rates.samples(question):
            assert len(scores) == 5
            table = rl.ScoreTable(labels_of(n, n), dict(zip("abcde", scores, strict=True)))
            comparison = rl.compare(table)
            if method == "omnibus":
                rejected += comparison.omnibus.pvalue < 0.05
            else:
                rejected += any(pair.adjusted_pvalue < 0.05 for pair in comparison.pairs)
        assert 0 < rejected < 30
        assert error_rates.answer(question).rejected == rejected

    @pytest.mark.parametrize("correlation", [0.0, 0.5])
    def test_noise_is_correlated_and_aucs_are_those_asked_for(self, correlation):
        question = replace(
            PAIR, correlation=correlation, n_pos=20_000, n_neg=20_000, runs=1, family="equal"
        )
        (first, second), labels = next(error_rates.samples(question)), labels_of(20_000, 20_000)
        for scores, auc in ((first, 0.75), (second, 0.6)):
            assert rl.auc(labels, scores) == pytest.approx(auc, abs=0.015)
        for rows in (labels, ~labels):
            found = np.corrcoef(first[rows], second[rows])[0, 1]
            assert found == pytest.approx(correlation, abs=0.03)

    def test_five_models_of_different_kinds(self):
        """The third has Cauchy positives, the fifth 60 % of its negatives at zero."""
        question = replace(
            PAIR,
            test="all_models_other",
            family=FIVE_KINDS,
            n_pos=20_000,
            n_neg=20_000,
            runs=1,
            auc=0.95,
            auc_a=0.95,
        )
        scores, labels = next(error_rates.samples(question)), labels_of(20_000, 20_000)
        assert len(scores) == 5
        for one in scores:
            assert rl.auc(labels, one) == pytest.approx(0.95, abs=0.006)
        assert scores[0][:20_000].std() == pytest.approx(1, abs=0.05)
        assert np.abs(scores[2][:20_000]).max() > 1000
        assert np.mean(scores[4][20_000:] == 0) == pytest.approx(0.6, abs=0.02)

    def test_mixed_models_differ_in_spread(self):
        question = replace(PAIR, family="mixed", n_pos=20_000, n_neg=20_000, runs=1, auc_a=0.6)
        first, second = next(error_rates.samples(question))
        assert first[:20_000].std() == pytest.approx(1, abs=0.05)
        assert second[:20_000].std() == pytest.approx(2, abs=0.05)

    def test_a_hypothesis_is_true_where_models_are_alike_or_at_the_margin(self):
        assert not PAIR.true
        assert replace(PAIR, auc_a=0.6).true
        assert not replace(PAIR, test="noninferior", auc_a=0.6).true
        assert replace(PAIR, test="equivalent", auc_a=0.5).true
        at_margin = [
            one
            for one in error_rates.questions()
            if one.test in ("noninferior", "equivalent") and one.true
        ]
        assert {round(one.auc - one.auc_a, 9) for one in at_margin} == {error_rates.MARGIN}

    def test_asks_each_question_once_and_every_method(self):
        asked = error_rates.questions()
        assert len(set(asked)) == len(asked)
        for test, methods in error_rates.METHODS.items():
            for truth in (True,) if test.endswith("_other") else (True, False):
                found = {one.method for one in asked if one.test == test and one.true == truth}
                assert found == set(methods)


@pytest.mark.parametrize(
    ("test", "method"),
    [
        ("paired", "auto"),
        ("independent", "auto"),
        ("value", "auto"),
        ("noninferior", "auto"),
        ("paired", "delong"),
        ("paired", "permutation"),
        ("independent", "delong"),
        ("value", "delong"),
        ("value", "score"),
        ("equivalent", "delong"),
    ],
)
def test_recorded_rates_are_those_of_the_library_as_it_is(test, method):
    """If a test has changed: python -m roclab_studies error_rates --again --methods <method>."""
    row = next(
        row
        for row in STUDIES["error_rates"].recorded()
        if (row.test, row.method) == (test, method)
        and (row.family, row.n_pos, row.n_neg) == ("ordinal", 10, 10)
        and row.auc == 0.8
        and row.true
    )
    assert error_rates.answer(question_of(error_rates, row)) == row
