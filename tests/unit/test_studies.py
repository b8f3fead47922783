"""The studies: populations of the AUC they claim, answers counted right, pages that quote them."""

import csv
import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr

import roclab as rl
from studies.__main__ import main
from studies.comparison import error_rates
from studies.coverage import intervals
from studies.ledger import Ledger
from studies.pages import PAGES, RESULTS
from studies.populations import CUTS, FAMILIES, Population, labels_of, ordinal_auc
from studies.runner import fill, question_of, recorded

SMALL = intervals.Question(
    method="delong",
    level=0.95,
    alternative="two-sided",
    family="ordinal",
    n_pos=5,
    n_neg=5,
    auc=0.8,
    runs=40,
)
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


class TestPopulation:
    @pytest.mark.parametrize("auc", [0.5, 0.6, 0.8, 0.95, 0.99])
    def test_five_levels_have_the_auc_exactly(self, auc):
        shift = Population(family="ordinal", auc=auc).shift
        cuts = np.array([-math.inf, *(CUTS + shift / 2), math.inf])
        pos, neg = (
            ndtr(cuts[1:] - shift) - ndtr(cuts[:-1] - shift),
            ndtr(cuts[1:]) - ndtr(cuts[:-1]),
        )
        by_pairs = sum(
            pos[i] * neg[j] * ((i > j) + (i == j) / 2)
            for i, j in itertools.product(range(5), repeat=2)
        )
        assert by_pairs == pytest.approx(auc, abs=1e-12)
        assert ordinal_auc(shift) == pytest.approx(auc, abs=1e-12)

    @pytest.mark.parametrize(("family", "spread"), [("equal", 1.0), ("wide", 2.0)])
    @pytest.mark.parametrize("auc", [0.6, 0.8, 0.95, 0.99])
    def test_normal_scores_have_the_auc_exactly(self, family, spread, auc):
        shift = Population(family=family, auc=auc).shift
        density = 1 / math.sqrt(2 * math.pi)
        won, _ = quad(lambda z: ndtr(spread * z + shift) * density * math.exp(-z * z / 2), -12, 12)
        assert won == pytest.approx(auc, abs=1e-9)

    @pytest.mark.parametrize("family", FAMILIES)
    def test_scores_follow_it(self, family):
        labels = labels_of(20_000, 20_000)
        noise = np.random.default_rng(3).standard_normal(len(labels))
        scores = Population(family=family, auc=0.8).scores(noise, labels)
        interval = rl.auc_interval(labels, scores, method="delong", confidence_level=0.9999)
        assert interval.low < 0.8 < interval.high
        assert len(np.unique(scores)) == (5 if family == "ordinal" else len(labels))
        ratio = scores[labels].std() / scores[~labels].std()
        assert ratio == pytest.approx(2 if family == "wide" else 1, abs=0.05)


class TestCoverage:
    @pytest.mark.filterwarnings("ignore::roclab.UndefinedMeasureWarning")
    @pytest.mark.filterwarnings("ignore::roclab.DegenerateIntervalWarning")
    @pytest.mark.parametrize("method", intervals.METHODS)
    def test_counts_what_a_loop_counts(self, method):
        question = replace(SMALL, method=method)
        found = intervals.answer(question)
        labels = [True] * 5 + [False] * 5
        counts, widths = (
            dict.fromkeys(("covered", "below", "above", "undefined", "no_width"), 0),
            [],
        )
        for run, scores in enumerate(intervals.samples(question)):
            one = rl.auc_interval(labels, scores, method=method, n_resamples=999, rng=run)
            if math.isnan(one.low) or math.isnan(one.high):
                counts["undefined"] += 1
                continue
            widths.append(one.high - one.low)
            counts["no_width"] += one.low == one.high
            side = "below" if one.low > 0.8 else "above" if one.high < 0.8 else "covered"
            counts[side] += 1
        assert {name: getattr(found, name) for name in counts} == counts
        assert found.mean_width == pytest.approx(np.mean(widths), rel=1e-5)
        assert found.coverage == counts["covered"] / 40

    def test_undefined_and_widthless_intervals_do_occur_here(self):
        """Otherwise the test above would not try them."""
        assert intervals.answer(replace(SMALL, method="logit")).undefined > 0
        assert intervals.answer(SMALL).no_width > 0

    def test_nothing_but_nan_has_no_width_and_covers_nothing(self):
        found = intervals.answer(replace(SMALL, method="delong", n_pos=1))
        assert (found.undefined, found.covered, found.no_width) == (40, 0, 0)
        assert math.isnan(found.mean_width)

    def test_a_bound_alone_errs_on_its_side_only(self):
        rows = {
            side: intervals.answer(replace(SMALL, alternative=side, runs=400, level=0.8))
            for side in ("greater", "less")
        }
        assert rows["greater"].above == rows["less"].below == 0
        assert rows["greater"].below > 0
        assert rows["less"].above > 0

    def test_all_methods_see_the_same_samples(self):
        first, second = (
            list(intervals.samples(replace(SMALL, method=method, runs=runs)))
            for method, runs in (("auto", 40), ("bca", 20))
        )
        assert np.array_equal(first[:20], second)

    def test_asks_for_every_method_in_every_cell(self):
        asked = intervals.questions()
        main_claims = [one for one in asked if (one.level, one.alternative) == (0.95, "two-sided")]
        assert len(set(asked)) == len(asked)
        assert len(main_claims) == 8 * 3 * 8 * 4
        assert {one.runs for one in main_claims if one.method == "auto"} == {10_000, 2000}
        assert {one.runs for one in main_claims if one.method == "bca"} == {2000, 500}


class TestErrorRates:
    @pytest.mark.parametrize(
        ("test", "pvalue"),
        [
            ("paired", lambda y, s: rl.compare_auc(y, *s).pvalue),
            (
                "independent",
                lambda y, s: rl.compare_independent_auc(*(rl.Ranking(y, x) for x in s)).pvalue,
            ),
            ("value", lambda y, s: rl.compare_to_value(y, s[0], 0.6).pvalue),
            (
                "noninferior",
                lambda y, s: rl.compare_auc(y, *s, alternative="noninferior", margin=0.1).pvalue,
            ),
            (
                "equivalent",
                lambda y, s: rl.compare_auc(y, *s, alternative="equivalent", margin=0.1).pvalue,
            ),
        ],
    )
    def test_counts_what_a_loop_counts(self, test, pvalue):
        question = replace(PAIR, test=test)
        labels = [True] * 30 + [False] * 30
        rejected = sum(pvalue(labels, s) < 0.05 for s in error_rates.samples(question))
        found = error_rates.answer(question)
        assert (found.rejected, found.undefined) == (rejected, 0)
        assert found.rate == rejected / 30

    @pytest.mark.parametrize("method", ["holm", "omnibus"])
    def test_of_five_models_any_difference_counts(self, method):
        question = replace(PAIR, test="all_models", method=method)
        rejected = 0
        for scores in error_rates.samples(question):
            assert len(scores) == 5
            table = rl.ScoreTable(labels_of(30, 30), dict(zip("abcde", scores, strict=True)))
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
            for truth in (True, False):
                found = {one.method for one in asked if one.test == test and one.true == truth}
                assert found == set(methods)


class TestRunning:
    def asked(self):
        return [replace(SMALL, method=method) for method in ("auto", "delong")]

    def test_answers_are_recorded_and_not_made_twice(self, tmp_path, monkeypatch, capsys):
        def run(**options):
            made.clear()
            fill(intervals, self.asked(), {"auto", "delong"}, tmp_path, **options)
            return [question.method for question in made]

        made = []
        answer = intervals.answer
        monkeypatch.setattr(
            intervals, "answer", lambda question: made.append(question) or answer(question)
        )
        assert sorted(run(again=False, processes=1)) == ["auto", "delong"]
        assert "2/2" in capsys.readouterr().err
        before = (tmp_path / "auto.csv").read_text()
        assert run(again=False, processes=1) == []
        (tmp_path / "delong.csv").unlink()  # as if interrupted before
        assert run(again=False, processes=1) == ["delong"]
        assert len(run(again=True, processes=1)) == 2
        assert (tmp_path / "auto.csv").read_text() == before

    def test_only_the_methods_named_are_done(self, tmp_path):
        fill(intervals, self.asked(), {"auto"}, tmp_path, again=False, processes=1)
        assert [path.name for path in tmp_path.iterdir()] == ["auto.csv"]

    def test_answers_to_what_is_no_longer_asked_are_forgotten(self, tmp_path):
        asked = self.asked()
        fill(intervals, asked, {"delong"}, tmp_path, again=False, processes=1)
        fewer = [replace(question, runs=20) for question in asked]
        fill(intervals, fewer, {"delong"}, tmp_path, again=False, processes=1)
        assert [one.runs for one in recorded(intervals, tmp_path)] == [20]

    def test_processes_change_nothing(self, tmp_path):
        for processes in (1, 2):
            folder = tmp_path / str(processes)
            fill(
                intervals,
                self.asked(),
                {"auto", "delong"},
                folder,
                again=False,
                processes=processes,
            )
        for name in ("auto.csv", "delong.csv"):
            assert (tmp_path / "1" / name).read_text() == (tmp_path / "2" / name).read_text()

    def test_answers_that_come_in_turns_are_all_recorded(self, tmp_path, monkeypatch):
        # As with Spark: this backend of joblib has no answers before all of a turn are there.
        monkeypatch.setattr("studies.runner._TURN", 1)
        asked = [replace(SMALL, runs=runs) for runs in (2, 3, 4, 5, 6)]
        fill(
            intervals,
            asked,
            {SMALL.method},
            tmp_path,
            again=False,
            processes=2,
            backend="multiprocessing",
        )
        assert [one.runs for one in recorded(intervals, tmp_path)] == [2, 3, 4, 5, 6]

    def test_a_ledger_keeps_types_and_order(self, tmp_path):
        ledger = Ledger(tmp_path / "rows.csv", error_rates.Answer)
        assert ledger.read() == []
        rows = [error_rates.answer(replace(PAIR, n_pos=n_pos, runs=2)) for n_pos in (30, 4)]
        for row in rows:
            ledger.add(row)
        assert ledger.read() == rows[::-1]
        assert question_of(error_rates, rows[1]) == replace(PAIR, n_pos=4, runs=2)
        with ledger.path.open(newline="") as file:
            assert [line["n_pos"] for line in csv.DictReader(file)] == ["4", "30"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["coverage"], "no study coverage; there are interval_coverage"),
            (["error_rates", "--methods", "auto,delong"], "no method auto; there are bootstrap"),
        ],
    )
    def test_unknown_words_are_refused(self, capsys, arguments, message):
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert stop.value.code == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
class TestPage:
    def test_all_questions_are_answered_and_no_others(self, page):
        found = [question_of(page.study, one) for one in recorded(page.study, RESULTS / page.name)]
        assert sorted(found, key=str) == sorted(page.study.questions(), key=str)

    def test_tables_are_those_of_the_recorded_answers(self, page):
        assert page.path.read_text(encoding="utf-8") == page.updated(page.answers())


@pytest.mark.parametrize("method", intervals.METHODS)
def test_recorded_coverage_is_that_of_the_library_as_it_is(method):
    """If a formula has changed: python -m studies interval_coverage --again --methods <method>."""
    rows = Ledger(RESULTS / "interval_coverage" / f"{method}.csv", intervals.Answer).read()
    row = next(
        row
        for row in rows
        if (row.family, row.n_pos, row.n_neg, row.auc) == ("wide", 5, 5, 0.6)
        and (row.level, row.alternative) == (0.95, "two-sided")
    )
    found = intervals.answer(question_of(intervals, row))
    assert replace(found, mean_width=0) == replace(row, mean_width=0)
    assert found.mean_width == pytest.approx(row.mean_width, rel=1e-5)


@pytest.mark.parametrize(
    ("test", "method"),
    [
        ("paired", "delong"),
        ("paired", "permutation"),
        ("independent", "delong"),
        ("value", "delong"),
        ("value", "score"),
        ("equivalent", "delong"),
    ],
)
def test_recorded_rates_are_those_of_the_library_as_it_is(test, method):
    """If a test has changed: python -m studies error_rates --again --methods <method>."""
    rows = Ledger(RESULTS / "error_rates" / f"{test}.csv", error_rates.Answer).read()
    row = next(
        row
        for row in rows
        if (row.method, row.family, row.n_pos, row.n_neg) == (method, "ordinal", 10, 10)
        and row.auc == 0.8
        and row.true
    )
    assert error_rates.answer(question_of(error_rates, row)) == row
