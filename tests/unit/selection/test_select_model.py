"""Choosing among models: against a plain loop over drawn rows, and at the edges."""

from __future__ import annotations

import math
import pickle
import warnings

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, roc_auc_score

import roclab as rl
from roclab import _core
from roclab.errors import ColumnError, InputError, UndefinedMeasureWarning
from roclab.options import seed_of
from roclab.report.documents.selection import outcome

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


def by_hand(table: rl.ScoreTable, seed: int, measure, sign: float = 1.0):
    """Shares of wins and optimism, by repeating rows."""
    names, w = table.names, table.sample_weight

    def value(name, rows):
        y = table.y_true[rows]
        if y.all() or not y.any():
            return math.nan
        more = {} if w is None else {"sample_weight": w[rows]}
        return measure(y, table.scores[name][rows], **more)

    everything = np.arange(len(table))
    best = max(names, key=lambda name: sign * value(name, everything))
    shares, gaps = dict.fromkeys(names, 0.0), []
    for counts in drawn_counts(table, seed):
        rows = everything.repeat(counts)
        values = {name: sign * value(name, rows) for name in names}
        top = max(values.values())
        winners = [name for name in names if values[name] == top]
        for name in winners:
            shares[name] += 1 / len(winners) / RESAMPLES
        left_out = everything[counts == 0]
        gaps.append(sign * (value(best, left_out) - value(winners[0], left_out)))
    return shares, float(np.nanmean(gaps))


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
    assert own.optimism == pytest.approx(chosen.optimism, abs=1e-12)
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
        assert outcome(chosen) == "b has the highest AUC (1.000). Also contenders at 95 %: a."

    def test_one_class_has_no_best(self):
        with pytest.warns(UndefinedMeasureWarning, match="undefined for 2 of 2 models"):
            chosen = rl.select_model(rl.ScoreTable([1, 1], {"a": [1, 0], "b": [0, 1]}), rng=0)
        assert chosen.best is None
        assert chosen.contenders == ("a", "b")
        assert math.isnan(chosen.value)
        assert "No model can be chosen" in outcome(chosen)

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
