"""Choosing among models: against a plain loop over drawn rows, and at the edges."""

from __future__ import annotations

import math
import pickle
import warnings
from statistics import NormalDist

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, roc_auc_score

import roclab as rl
from roclab import _core
from roclab.checks.options import seed_of
from roclab.errors import ColumnError, InputError, UndefinedMeasureWarning
from roclab.report.document import document
from roclab.report.documents.selection import outcome
from roclab.selection import criterion
from roclab.selection.select import _optimism

RESAMPLES = 60


def sorted_table(n: int = 60, *, tied: bool = False, weights: bool = False, models: int = 4):
    """Rows as the core numbers them: positives first, each class by the first model's scores."""
    rng = np.random.default_rng(3)
    y = np.arange(n) < n // 3
    base = rng.normal(size=n) + y
    scores = {f"m{k}": base + rng.normal(size=n) * (0.4 + 0.2 * k) for k in range(models)}
    if tied:
        scores = {name: column.round() for name, column in scores.items()}
    order = np.lexsort((scores["m0"], ~y))
    w = rng.integers(1, 5, n).astype(float)[order] if weights else None
    return rl.ScoreTable(
        y[order], {name: column[order] for name, column in scores.items()}, sample_weight=w
    )


def drawn_counts(table: rl.ScoreTable, seed: int) -> list[np.ndarray]:
    n_pos = int(table.y_true.sum())
    resampler = _core.Resampler(n_pos, len(table) - n_pos, True, None, 0)
    return [resampler.draw(seed_of(seed), i) for i in range(RESAMPLES)]


def by_hand(table: rl.ScoreTable, seed: int, measure, sign: float = 1.0, *, bounded: bool = True):
    """Shares of wins and optimism, by repeating rows; values are from 0 to 1, or unbounded."""
    names, w = table.names, table.sample_weight

    def value(name, rows):
        y = table.y_true[rows]
        more = {} if w is None else {"sample_weight": w[rows]}
        return measure(y, table.scores[name][rows], **more)

    everything = np.arange(len(table))
    in_sample = [sign * value(name, everything) for name in names]
    shares, drawn = dict.fromkeys(names, 0.0), []
    for counts in drawn_counts(table, seed):
        rows = everything.repeat(counts)
        values = [sign * value(name, rows) for name in names]
        winners = [name for name, one in zip(names, values, strict=True) if one == max(values)]
        for name in winners:
            shares[name] += 1 / len(winners) / RESAMPLES
        drawn.append(values)
    w = np.ones(len(table)) if w is None else w
    classes = (w[table.y_true], w[~table.y_true])
    units = min(of_class.sum() ** 2 / (of_class**2).sum() for of_class in classes)
    best = max(in_sample)

    def scale(value):
        return math.asin(math.sqrt(value if sign > 0 else 1 + value)) if bounded else value

    in_sample = [scale(value) for value in in_sample]
    drawn = [[scale(value) for value in values] for values in drawn]
    means = [math.fsum(column) / RESAMPLES for column in zip(*drawn, strict=True)]
    chosen = []
    for values in drawn:
        moved = [
            (v - m) * math.sqrt(units / (units - 1)) for v, m in zip(values, means, strict=True)
        ]
        again = [v + e / math.sqrt(2) for v, e in zip(in_sample, moved, strict=True)]
        chosen.append(moved[again.index(max(again))])
    bias = math.sqrt(3) * math.fsum(chosen) / RESAMPLES
    if not bounded:
        return shares, bias
    corrected = math.sin(max(in_sample) - bias) ** 2
    return shares, best - (corrected if sign > 0 else corrected - 1)


@pytest.mark.parametrize("tied", [False, True])
def test_wins_and_optimism_are_those_of_a_plain_loop(tied):
    table = sorted_table(tied=tied)
    chosen = rl.select_model(table, n_resamples=RESAMPLES, rng=5)
    shares, optimism = by_hand(table, 5, lambda y, s: rl.auc(y, s))
    assert dict(chosen.win_share) == pytest.approx(shares, abs=1e-12)
    assert 0 < max(shares.values()) < 1  # or nothing would be compared
    assert chosen.optimism == pytest.approx(optimism, abs=1e-12)
    assert chosen.corrected_value == pytest.approx(chosen.value - optimism, abs=1e-12)


def test_weights_are_those_of_the_rows():
    table = sorted_table(weights=True)
    chosen = rl.select_model(table, n_resamples=RESAMPLES, rng=5)
    shares, optimism = by_hand(table, 5, roc_auc_score)
    assert dict(chosen.win_share) == pytest.approx(shares, abs=1e-12)
    assert chosen.optimism == pytest.approx(optimism, abs=1e-12)


def probabilities(table: rl.ScoreTable) -> rl.ScoreTable:
    scores = {name: 1 / (1 + np.exp(1 - s)) for name, s in table.scores.items()}
    return rl.ScoreTable(table.y_true, scores, sample_weight=table.sample_weight)


def test_a_loss_selects_the_lowest_and_a_function_does_as_the_measure():
    table = probabilities(sorted_table())
    chosen = rl.select_model(table, measure="brier_score", n_resamples=RESAMPLES, rng=2)
    shares, optimism = by_hand(table, 2, brier_score_loss, sign=-1.0)
    assert chosen.best == min(
        table.names, key=lambda name: brier_score_loss(table.y_true, table.scores[name])
    )
    assert dict(chosen.win_share) == pytest.approx(shares, abs=1e-12)
    assert chosen.optimism == pytest.approx(optimism, abs=1e-12)
    assert chosen.corrected_value == pytest.approx(chosen.value + optimism, abs=1e-12)
    own = rl.select_model(
        table, measure=brier_score_loss, better="lower", n_resamples=RESAMPLES, rng=2
    )
    assert own.best == chosen.best
    assert dict(own.win_share) == pytest.approx(dict(chosen.win_share), abs=1e-12)
    # Nothing is known of the range of a function.
    _, optimism = by_hand(table, 2, brier_score_loss, sign=-1.0, bounded=False)
    assert own.optimism == pytest.approx(optimism, abs=1e-12)
    assert own.optimism == pytest.approx(chosen.optimism, rel=0.2)
    assert own.measure == "brier_score_loss"


@pytest.mark.parametrize(
    "by",
    ["scored_auc", "lambda_auc(granularity=0.05)", "rho_auc(grid=10)", "probabilistic_auc",
     "h_measure", rl.scored_auc],
)  # fmt: skip
def test_measures_choose_what_they_say(by):
    table = probabilities(sorted_table())
    measure, options = rl.find_measure(by)
    values = {name: measure.function(table[name], **options) for name in table.names}
    chosen = rl.select_model(table, measure=by, n_resamples=20, rng=0)
    assert chosen.best == max(values, key=values.get)
    assert {one.model: one.value for one in chosen.models} == pytest.approx(values, rel=1e-12)
    assert [one.value for one in chosen.models] == sorted(values.values(), reverse=True)


def test_scored_auc_in_the_core_is_that_of_rankings():
    table = probabilities(sorted_table(tied=True))
    compiled = rl.select_model(table, measure="scored_auc", n_resamples=RESAMPLES, rng=4)
    own = rl.select_model(
        table, measure=lambda y, s: rl.scored_auc(y, s), n_resamples=RESAMPLES, rng=4
    )
    assert dict(compiled.win_share) == pytest.approx(dict(own.win_share), abs=1e-9)
    assert compiled.optimism == pytest.approx(own.optimism, abs=1e-12)


def normal_grid(count: int) -> np.ndarray:
    """Standard normal quantiles in the middle of equal parts."""
    return np.array([NormalDist().inv_cdf((k + 0.5) / count) for k in range(count)])


@pytest.mark.parametrize("lead", [0.0, 0.5, 1.0, 2.0, 4.0])
def test_the_optimism_of_two_models_by_its_formula(lead):
    # sqrt(1 + s^2) / s * phi(lead / s) standard errors of the difference, with s^2 = 1/2.
    replicates = np.zeros((20_000, 2))
    replicates[:, 1] = normal_grid(20_000) - lead
    found = _optimism(np.array([0.0, -lead]), replicates, 0, 1e12)
    expected = math.sqrt(3) * NormalDist().pdf(lead * math.sqrt(2))
    assert found == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("models", [2, 5, 20])
def test_the_optimism_of_equal_models_has_no_bias(models):
    rng = np.random.default_rng(models)
    highest, found = [], []
    for _ in range(400):
        values = rng.normal(size=models)
        replicates = values + rng.normal(size=(400, models))
        best = int(values.argmax())
        highest.append(values[best])
        found.append(_optimism(values, replicates, best, 1e12))
    error = math.sqrt((np.var(highest) + np.var(found)) / 400)
    assert abs(np.mean(found) - np.mean(highest)) < 4 * error


def test_the_optimism_of_a_clear_winner_is_near_the_true_one():
    # The best of five is better by two standard errors of a difference; the bias is 0.21. The
    # estimate from rows that were not drawn is 0.65.
    rng = np.random.default_rng(30)
    truth = np.array([2 * math.sqrt(2), 0, 0, 0, 0])
    bias, found = [], []
    for _ in range(600):
        values = truth + rng.normal(size=5)
        best = int(values.argmax())
        bias.append(values[best] - truth[best])
        found.append(_optimism(values, values + rng.normal(size=(400, 5)), best, 1e12))
    assert np.mean(bias) == pytest.approx(0.21, abs=0.1)
    assert np.mean(found) == pytest.approx(0.45, abs=0.06)


def test_the_optimism_near_the_highest_value():
    # Twenty models of AUC 0.99: the true bias is 0.0074, and without the scale the estimate 0.0034.
    rng = np.random.default_rng(30)
    y = np.arange(150) < 50
    found = []
    for run in range(60):
        noise = rng.normal(size=(150, 1)) + rng.normal(size=(150, 20))
        scores = noise / math.sqrt(2) + math.sqrt(2) * NormalDist().inv_cdf(0.99) * y[:, None]
        table = rl.ScoreTable(y, {str(k): scores[:, k] for k in range(20)})
        found.append(rl.select_model(table, rng=run, n_resamples=200).optimism)
    assert np.mean(found) == pytest.approx(0.007, abs=0.0015)


class TestContenders:
    def test_clearly_worse_models_are_none(self):
        rng = np.random.default_rng(0)
        y = np.arange(400) % 2 == 0
        good = rng.normal(size=400) + 2 * y
        near = good + 0.05 * rng.normal(size=400)
        noise = rng.normal(size=400)
        chosen = rl.select_model(
            rl.ScoreTable(y, {"noise": noise, "good": good, "near": near}), rng=0
        )
        assert set(chosen.contenders) == {"good", "near"}
        assert chosen.models[-1].model == "noise"
        assert chosen.models[-1].pvalue == pytest.approx(1 / 2001)
        assert "1 of 2 others" in outcome(chosen)

    def test_a_higher_level_keeps_more(self):
        table = sorted_table(n=90, models=6)
        sizes = [
            len(rl.select_model(table, confidence_level=level, rng=0).contenders)
            for level in (0.5, 0.9, 0.999)
        ]
        assert sizes == sorted(sizes)
        assert sizes[0] < sizes[-1]

    def test_clusters_make_it_less_sure(self):
        rng = np.random.default_rng(1)
        of_cluster = rng.normal(size=(2, 40)).repeat(10, axis=1)
        y = np.arange(400) % 2 == 0
        scores = {
            "a": y + of_cluster[0] + 0.1 * rng.normal(size=400),
            "b": 0.7 * y + of_cluster[1] + 0.1 * rng.normal(size=400),
        }
        table = rl.ScoreTable(y, scores, groups={"patient": np.arange(400) // 10})
        naive = rl.select_model(table, rng=0)
        honest = rl.select_model(table, cluster="patient", rng=0)
        same = rl.select_model(table, cluster=np.arange(400) // 10, rng=0)
        assert honest.models[-1].pvalue > naive.models[-1].pvalue
        assert honest == same
        with pytest.raises(ColumnError, match="No group column 'site'"):
            rl.select_model(table, cluster="site")
        with pytest.raises(InputError, match="3 values and there are 400 rows"):
            rl.select_model(table, cluster=[1, 2, 3])


def many_rows(n: int = 10_000, *, models: int = 3) -> rl.ScoreTable:
    rng = np.random.default_rng(8)
    y = np.arange(n) % 2 == 0
    base = rng.normal(size=n)
    scores = {f"m{k}": base + rng.normal(size=n) + (1 + 0.004 * k) * y for k in range(models)}
    return rl.ScoreTable(y, scores, groups={"patient": np.arange(n) // 2})


class TestJointNormal:
    @pytest.mark.parametrize("measure", ["auc", "scored_auc"])
    def test_it_agrees_with_the_bootstrap_to_a_percentage_point(self, measure, monkeypatch):
        table = many_rows()
        limit = rl.select_model(table, measure=measure, rng=1, n_resamples=20_000)
        monkeypatch.setattr(criterion, "_MANY", 5_001)
        drawn = rl.select_model(table, measure=measure, rng=1, n_resamples=20_000)
        assert (limit.method, drawn.method) == ("joint_normal", "bootstrap")
        assert limit.contenders == drawn.contenders
        for one, other in zip(limit.models, drawn.models, strict=True):
            # The standard error of a difference of two shares is at most 0.005.
            assert one.win_share == pytest.approx(other.win_share, abs=0.015)
            assert one.pvalue == pytest.approx(other.pvalue, abs=0.015)
            assert one.standard_error == pytest.approx(other.standard_error, rel=0.03)
        assert limit.optimism == pytest.approx(drawn.optimism, rel=0.1)

    def test_the_seed_determines_it_and_the_report_names_it(self):
        table = many_rows()
        chosen = rl.select_model(table, rng=4, n_resamples=100)
        assert chosen == rl.select_model(table, rng=4, n_resamples=100)
        assert chosen.models != rl.select_model(table, rng=5, n_resamples=100).models
        told = " ".join(part.text for part in document(chosen).parts if hasattr(part, "text"))
        assert "100 replicates from the joint normal limit with DeLong's covariance" in told
        reports = []
        rl.select_model(table, n_resamples=7, progress=lambda *at: reports.append(at))
        assert reports == [(7, 7)]

    def test_identical_models_share_all_wins(self):
        table = many_rows()
        best = table.scores["m2"]
        table = rl.ScoreTable(table.y_true, {"a": best, "b": best, "c": table.scores["m0"]})
        chosen = rl.select_model(table, rng=0, n_resamples=500)
        assert chosen.method == "joint_normal"
        assert chosen.win_share["a"] == chosen.win_share["b"] > 0.25
        only = rl.ScoreTable(table.y_true, {"a": best, "b": best})
        assert rl.select_model(only, rng=0).optimism == 0.0

    def test_rows_are_drawn_where_the_limit_is_far(self):
        table = many_rows()
        assert rl.select_model(table, cluster="patient", n_resamples=10).method == "joint_normal"
        few = rl.ScoreTable(table.y_true[1:], {n: s[1:] for n, s in table.scores.items()})
        assert rl.select_model(few, n_resamples=10).method == "bootstrap"
        groups = {"site": np.arange(len(table)) // 4}
        grouped = rl.ScoreTable(table.y_true, table.scores, groups=groups)
        assert rl.select_model(grouped, cluster="site", n_resamples=10).method == "bootstrap"
        moved = table.scores["m0"].copy()
        moved[:5] = moved[5:10]
        near = rl.ScoreTable(table.y_true, {"m0": table.scores["m0"], "moved": moved})
        assert rl.select_model(near, n_resamples=10).method == "bootstrap"
        far = {name: np.where(np.arange(10_000) == 7, 1e4, s) for name, s in table.scores.items()}
        outlier = rl.ScoreTable(table.y_true, far)
        assert rl.select_model(outlier, n_resamples=10).method == "joint_normal"
        by_margin = rl.select_model(outlier, measure="scored_auc", n_resamples=10)
        assert by_margin.method == "bootstrap"
        huge = rl.ScoreTable(table.y_true, {n: s * 1e200 for n, s in table.scores.items()})
        by_margin = rl.select_model(huge, measure="scored_auc", n_resamples=10)
        assert by_margin.method == "bootstrap"
        heavy = np.where(np.arange(10_000) == 3, 500.0, 1.0)
        weighted = rl.ScoreTable(table.y_true, table.scores, sample_weight=heavy)
        assert rl.select_model(weighted, n_resamples=10).method == "bootstrap"


class TestCaution:
    def table(self, n: int) -> rl.ScoreTable:
        """A model that ranks well with small margins, and one that is bold and worse."""
        rng = np.random.default_rng(2)
        y = np.arange(n) % 2 == 0
        timid = 0.5 + 0.01 * (rng.normal(size=n) + 2 * y)
        bold = 1 / (1 + np.exp(-3 * (rng.normal(size=n) + y - 0.5)))
        return rl.ScoreTable(y, {"bold": bold, "timid": timid})

    @pytest.mark.parametrize(
        ("measure", "least"),
        [("scored_auc", 200), ("lambda_auc(granularity=0.05)", 200), ("probabilistic_auc", 200),
         ("rho_auc(grid=10)", 500)],
    )  # fmt: skip
    def test_measures_that_lose_to_auc_with_many_rows(self, measure, least):
        fewer = rl.select_model(self.table(least - 2), measure=measure, rng=0, n_resamples=10)
        assert fewer.best_by_auc is None
        assert "choosing by AUC" not in str(fewer)
        chosen = rl.select_model(self.table(least), measure=measure, rng=0, n_resamples=10)
        assert (chosen.best, chosen.best_by_auc) == ("bold", "timid")
        assert repr(chosen).endswith("; caution: AUC chooses timid)")
        assert chosen.to_dict()["best_by_auc"] == "timid"
        notes = [part for part in document(chosen).parts if hasattr(part, "severity")]
        warned = [note.text for note in notes if note.severity == "warning"]
        assert len(warned) == 1
        assert warned[0].startswith(f"With {least} rows, choosing by AUC finds models of higher")
        assert warned[0].endswith("AUC chooses timid.")

    def test_the_same_choice_is_said_and_other_measures_have_none(self):
        table = self.table(300)
        agreed = rl.ScoreTable(
            table.y_true, {"a": table.scores["bold"], "b": 1 - table.scores["bold"]}
        )
        chosen = rl.select_model(agreed, measure="scored_auc", rng=0, n_resamples=10)
        assert chosen.best_by_auc == chosen.best == "a"
        assert "AUC chooses the same model." in str(chosen)
        assert "caution" not in repr(chosen)
        for measure in ("auc", "brier_score", "h_measure"):
            assert rl.select_model(table, measure=measure, n_resamples=5).best_by_auc is None


class TestSentence:
    @pytest.mark.parametrize(
        ("models", "said"),
        [
            (2, "The other model, m1, is also a contender at 95 %."),
            (3, "Both others are also contenders at 95 %."),
            (4, "All 3 others are also contenders at 95 %."),
        ],
    )
    def test_all_others_are_contenders(self, models, said):
        scores = {f"m{k}": [0.1, 0.9, 0.4, 0.3 + 0.01 * k] for k in range(models)}
        chosen = rl.select_model(rl.ScoreTable([0, 1, 0, 1], scores), rng=0, n_resamples=50)
        assert len(chosen.contenders) == models
        assert said in outcome(chosen)

    def test_one_of_several_is_a_contender(self):
        rng = np.random.default_rng(0)
        y = np.arange(400) % 2 == 0
        good = rng.normal(size=400) + 2 * y
        scores = {"good": good, "near": good + 0.05 * rng.normal(size=400), "noise": -good}
        said = outcome(rl.select_model(rl.ScoreTable(y, scores), rng=0))
        assert "Also a contender at 95 %: " in said
        assert "(1 of 2 others)." in said

    def test_several_models_have_the_same_value(self):
        column = [0.1, 0.9, 0.4, 0.3]
        table = rl.ScoreTable([0, 1, 0, 1], {"a": column, "b": column, "c": column})
        said = outcome(rl.select_model(table, rng=0, n_resamples=20))
        assert "as have b, c; it is the first in the table" in said


class TestEdges:
    def test_one_model(self):
        chosen = rl.select_model(rl.ScoreTable([0, 1, 0], {"a": [1, 2, 3]}), rng=0)
        assert (chosen.best, chosen.contenders, dict(chosen.win_share)) == ("a", ("a",), {"a": 1.0})
        assert chosen.optimism == 0.0
        assert outcome(chosen) == "a is the only model; its AUC is 0.500."

    def test_identical_models_share_wins_and_the_first_is_taken(self):
        column = [0.1, 0.9, 0.4, 0.3]
        chosen = rl.select_model(
            rl.ScoreTable([0, 1, 0, 1], {"z": column, "a": column}), rng=0, n_resamples=50
        )
        assert chosen.best == "z"
        assert chosen.contenders == ("z", "a")
        assert dict(chosen.win_share) == {"z": 0.5, "a": 0.5}
        assert chosen.optimism == 0.0
        assert "as has a; it is the first in the table" in outcome(chosen)

    def test_ties_may_be_broken_by_another_measure(self):
        scores = {"timid": [0.4, 0.6, 0.4, 0.6], "bold": [0.1, 0.9, 0.2, 0.8], "bad": [1, 0, 0, 1]}
        table = rl.ScoreTable([0, 1, 0, 1], scores)
        first = rl.select_model(table, rng=0, n_resamples=20)
        second = rl.select_model(table, ties="scored_auc", rng=0, n_resamples=20)
        lowest = rl.select_model(table, ties="brier_score", rng=0, n_resamples=20)
        assert (first.best, second.best, lowest.best) == ("timid", "bold", "bold")
        assert [one.model for one in second.models] == ["bold", "timid", "bad"]
        assert first.win_share == second.win_share
        assert "as has timid; it is chosen by scored AUC" in outcome(second)
        with pytest.raises(InputError, match="No measure 'score'"):
            rl.select_model(table, ties="score")

    def test_constant_scores_have_one_half_and_lose_to_many_sure_ones(self):
        y = [0, 1] * 30
        table = rl.ScoreTable(y, {"constant": [0.5] * 60, "perfect": [0.1, 0.9] * 30})
        chosen = rl.select_model(table, rng=0, n_resamples=50)
        assert chosen.contenders == ("perfect",)
        assert chosen.models[-1].value == 0.5
        few = rl.ScoreTable([0, 1] * 2, {"constant": [0.5] * 4, "perfect": [0.1, 0.9] * 2})
        assert len(rl.select_model(few, rng=0, n_resamples=50).contenders) == 2

    def test_two_rows_tell_nothing(self):
        chosen = rl.select_model(rl.ScoreTable([0, 1], {"a": [1, 0], "b": [0, 1]}), rng=0)
        assert chosen.best == "b"
        assert chosen.contenders == ("b", "a")
        assert math.isnan(chosen.optimism)
        assert outcome(chosen) == (
            "b has the highest AUC (1.000). The other model, a, is also a contender at 95 %."
        )

    def test_one_class_has_no_best(self):
        with pytest.warns(UndefinedMeasureWarning, match="undefined for 2 of 2 models"):
            chosen = rl.select_model(rl.ScoreTable([1, 1], {"a": [1, 0], "b": [0, 1]}), rng=0)
        assert chosen.best is None
        assert chosen.contenders == ("a", "b")
        assert math.isnan(chosen.value)
        assert "No model can be chosen" in outcome(chosen)
        assert "Wins" not in str(chosen)  # there are no replicates

    def test_a_model_without_a_value_comes_last(self):
        table = rl.ScoreTable([0, 1] * 5, {"a": np.arange(10), "b": -np.arange(10)})
        with pytest.warns(UndefinedMeasureWarning, match="1 of 2 models"):
            chosen = rl.select_model(
                table,
                measure=lambda _y, s: math.nan if s[0] == 0 or s.min() >= 0 else float(s.mean()),
                rng=0,
                n_resamples=20,
            )
        assert chosen.best == "b"
        assert chosen.contenders == ("b",)
        assert chosen.win_share == {"b": 1.0, "a": 0.0}

    def test_the_column_that_cannot_be_judged_is_named(self):
        table = rl.ScoreTable([0, 1, 0, 1], {"p": [0.1, 0.9, 0.2, 0.8], "logit": [-1, 4, 0, 2]})
        with pytest.raises(InputError, match=r"Column 'logit': .*; brier_score needs prob"):
            rl.select_model(table, measure="brier_score")

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"measure": "acu"}, "No measure 'acu'. Did you mean 'auc'"),
            ({"ties": 3}, "ties=3 is neither the name of a measure"),
            ({"measure": 3}, "measure=3 is neither the name of a measure nor a function"),
            ({"measure": "granular_auc"}, "has several parts"),
            ({"measure": "brier_score", "better": "higher"}, "Leave out better"),
            ({"better": "best"}, "better='best' is not an option"),
            ({"measure": lambda _y, _s: "good"}, "returned 'good'; a number is needed"),
            ({"confidence_level": 95}, "For 95 % pass confidence_level=0.95"),
            ({"n_resamples": 0}, "n_resamples=0 is out of range"),
        ],
    )
    def test_bad_options_get_one_message(self, options, message):
        table = rl.ScoreTable([0, 1, 0, 1], {"a": [0.1, 0.9, 0.2, 0.8]})
        with pytest.raises(InputError, match=message):
            rl.select_model(table, **options)

    def test_a_table_is_needed(self):
        with pytest.raises(InputError, match="a ScoreTable is needed"):
            rl.select_model({"a": [1, 2]})

    def test_results_are_plain_and_can_be_kept(self):
        chosen = rl.select_model(sorted_table(), rng=0, n_resamples=20)
        assert pickle.loads(pickle.dumps(chosen)) == chosen
        plain = chosen.to_dict()
        assert plain["models"][0]["model"] == chosen.best
        assert plain["win_share"] == dict(chosen.win_share)

    def test_the_same_seed_gives_the_same_whatever_the_threads(self, monkeypatch):
        table = sorted_table()
        found = []
        for threads in ("1", "2"):
            monkeypatch.setenv("ROCLAB_NUM_THREADS", threads)
            found.append(rl.select_model(table, rng=9, n_resamples=40))
        assert found[0] == found[1]

    def test_progress_is_told_and_nothing_warned(self):
        told = []
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rl.select_model(
                sorted_table(), rng=0, n_resamples=30, progress=lambda *at: told.append(at)
            )
        assert told[-1] == (30, 30)


class TestSmallSamples:
    """Of the AUC, contenders are left out only if `compare_auc` says so."""

    @staticmethod
    def drawn(n_pos=10, n_neg=1000):
        """Normal scores, Cauchy negatives, a few of them above all positives, and weak scores."""
        rng = np.random.default_rng(7)
        y = np.arange(n_pos + n_neg) < n_pos
        normal = rng.normal(size=len(y)) + 2.6 * y
        heavy = np.where(y, rng.normal(size=len(y)) + 10, rng.standard_cauchy(len(y)))
        return y, {"normal": normal, "heavy": heavy, "weak": rng.normal(size=len(y)) + y}

    @pytest.mark.parametrize("given", ["rows", "weights", "clusters"])
    @pytest.mark.parametrize(("n_pos", "n_neg"), [(10, 1000), (40, 45), (200, 300)])
    def test_no_pvalue_is_below_that_of_the_clearest_lead(self, n_pos, n_neg, given):
        y, scores = self.drawn(n_pos, n_neg)
        weights = 1.0 + np.arange(len(y)) % 3 if given == "weights" else None
        cluster = np.arange(len(y)) // 2 if given == "clusters" else None
        table = rl.ScoreTable(y, scores, sample_weight=weights)
        chosen = rl.select_model(table, n_resamples=200, rng=0, cluster=cluster)
        values = {name: table[name].summary.auc for name in scores}
        options = {"alternative": "greater", "sample_weight": weights, "cluster": cluster}
        for one in chosen.models[1:]:
            leads = [
                rl.compare_auc(y, scores[name], scores[one.model], **options).pvalue
                for name in scores
                if values[name] > values[one.model]
            ]
            assert one.pvalue >= min(leads) - 1e-12, one.model

    def test_ten_positives_do_not_exclude_a_model_that_compare_does_not_find_worse(self):
        y, scores = self.drawn()
        both = {name: scores[name] for name in ("normal", "heavy")}
        table = rl.ScoreTable(y, both)
        assert rl.compare(table).pairs[0].pvalue > 0.1
        chosen = rl.select_model(table, rng=0)
        assert set(chosen.contenders) == set(both)

    def test_the_gini_coefficient_has_the_contenders_of_the_auc(self):
        y, scores = self.drawn()
        table = rl.ScoreTable(y, scores)
        auc, gini = (
            rl.select_model(table, measure=measure, n_resamples=200, rng=0)
            for measure in ("auc", "gini")
        )
        assert auc.contenders == gini.contenders
        for one, other in zip(auc.models, gini.models, strict=True):
            assert one.pvalue == pytest.approx(other.pvalue, abs=0.02)
