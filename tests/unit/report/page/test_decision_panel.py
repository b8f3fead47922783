"""The arithmetic of the decision panel, in node, against the library."""

import json
import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import roclab as rl
from roclab.decisions.threshold.goal import Goal
from roclab.inference.intervals.proportions import clopper_pearson_ends
from roclab.report.page.counts import MOST_THRESHOLDS, ModelCounts

SCRIPT = Path(rl.__file__).parent / "report" / "page" / "decision.js"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(
    NODE is None, reason="node, which runs the page's script, is missing"
)
NOTHING = {"miss": None, "alarm": None, "prevalence": None, "capacity": None}


def sample(n, seed=0, decimals=9):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, (rng.normal(size=n) + y).round(decimals)


def counts_of(ranking, groups=None):
    return ModelCounts.of("a", ranking, rl.roc_hull(ranking), groups)


def in_node(model, *expressions):
    """Values of JavaScript expressions of `decision` and `model`; infinite ones as text."""
    program = (
        f"const decision = require({json.dumps(str(SCRIPT))});"
        f"const model = decision.unpacked({json.dumps(model.to_dict())});"
        f"const found = [{','.join(expressions)}];"
        "const plain = (_, one) => typeof one === 'number' && !isFinite(one) ? String(one) : one;"
        "process.stdout.write(JSON.stringify(found, plain));"
    )
    run = subprocess.run([NODE, "-e", program], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize("decimals", [9, 1])
@pytest.mark.parametrize("n", [30, 800, 20_000])
def test_counts_are_those_of_operating_points_and_hold_the_hull(n, decimals):
    ranking = rl.Ranking(*sample(n, decimals=decimals))
    model = counts_of(ranking)
    points = rl.operating_points(ranking)
    assert len(model.thresholds) <= MOST_THRESHOLDS
    assert (model.thresholds[0], model.thresholds[-1]) == (math.inf, points.threshold[-1])
    counted = zip(model.thresholds, model.texts, model.counts.tp, model.counts.fp, strict=True)
    for threshold, text, tp, fp in counted:
        point = points.at(threshold=threshold)
        assert (point.tp, point.fp) == (tp, fp)
        if text != "above all scores":
            assert points.at(threshold=float(text)).tp == tp
    assert set(rl.roc_hull(ranking).thresholds) <= set(model.thresholds)
    if len(points) <= MOST_THRESHOLDS:
        assert tuple(model.thresholds) == tuple(points.threshold)


def test_groups_are_counted_at_the_thresholds_of_all():
    y, s = sample(300, decimals=1)
    group = np.arange(300) % 3
    parts = {one: rl.Ranking(y[group == one], s[group == one]) for one in range(3)}
    model = counts_of(rl.Ranking(y, s), parts)
    assert np.array_equal(sum(one.tp for one in model.groups), model.counts.tp)
    assert np.array_equal(sum(one.fp for one in model.groups), model.counts.fp)
    for one, part in zip(model.groups, parts.values(), strict=True):
        points = rl.operating_points(part)
        for place in (0, 5, len(one.tp) - 1):
            point = points.at(threshold=model.thresholds[place])
            assert (point.tp, point.fp) == (one.tp[place], one.fp[place])


def test_infinite_scores_have_names_of_their_own():
    model = counts_of(rl.Ranking([0, 1, 0, 1], [-math.inf, math.inf, 2, math.inf]))
    assert model.texts == ("above all scores", "inf", "2", "any score")
    if NODE is not None:
        assert in_node(model, "decision.placeOf(model, 3)", "model.tp[1]") == [1, 2]


def test_the_best_threshold_for_a_capacity_is_kept():
    ranking = rl.Ranking(*sample(20_000, seed=8))
    options = {"max_fpr": None, "min_tpr": None, "of_data": 0.3, "prevalence": None}
    for capacity in (0.0371, 0.2):
        goal = Goal.of(
            false_positive_cost=None, false_negative_cost=None, capacity=capacity, **options
        )
        model = ModelCounts.of("a", ranking, rl.roc_hull(ranking), goals=[goal])
        choice = rl.choose_threshold(
            ranking, capacity=capacity, prevalence=0.3, n_resamples=2, rng=0
        )
        assert choice.threshold in model.thresholds


def test_integers_beyond_float64_keep_their_counts():
    scores = 2**60 + np.arange(6)
    model = counts_of(rl.Ranking([0, 1, 0, 1, 1, 0], scores))
    assert model.counts.tp.tolist() == [0, 0, 1, 2, 2, 3, 3]
    assert model.texts[1] == str(2**60 + 5)


@needs_node
@pytest.mark.parametrize(
    "state",
    [
        {"prevalence": 0.3, "miss": 1, "alarm": 1},
        {"prevalence": 0.02, "miss": 25, "alarm": 1},
        {"miss": 400, "alarm": 120},
        {"miss": 4, "alarm": 1, "capacity": 0.2},
        {"capacity": 0.15},
        {"prevalence": 0.01, "capacity": 0.05},
        {"prevalence": 0.9, "miss": 0.1, "alarm": None},
    ],
)
@pytest.mark.parametrize("n", [60, 900, 5000])
def test_the_best_threshold_is_that_of_choose_threshold(n, state):
    ranking = rl.Ranking(*sample(n, seed=n, decimals=2 if n == 900 else 9))
    model = counts_of(ranking)
    state = NOTHING | state
    chosen = f"decision.best(model, {json.dumps(state)})"
    place, found = in_node(model, chosen, f"decision.at(model, {chosen}, {json.dumps(state)})")
    choice = rl.choose_threshold(
        ranking,
        false_positive_cost=state["alarm"],
        false_negative_cost=state["miss"],
        prevalence=state["prevalence"],
        capacity=state["capacity"],
        n_resamples=2,
        rng=0,
    )
    if state["capacity"] is None or len(ranking.scores) < MOST_THRESHOLDS:
        assert model.thresholds[place] == choice.threshold
        assert found["cost"]["value"] == pytest.approx(choice.expected_cost)
        assert [found[key] for key in ("tp", "fp", "tn", "fn")] == [
            choice.tp,
            choice.fp,
            choice.tn,
            choice.fn,
        ]
    limit = 1 if state["capacity"] is None else state["capacity"]
    assert found["called"]["value"] <= limit + 1e-12


@needs_node
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("prevalence", [None, 0.1, 0.8])
def test_rates_and_cost_have_the_intervals_of_the_library(prevalence, weighted):
    y, s = sample(200, seed=5, decimals=1)
    weights = np.arange(1, 201) / 40 if weighted else None
    ranking = rl.Ranking(y, s, sample_weight=weights)
    model = counts_of(ranking)
    state = json.dumps(NOTHING | {"prevalence": prevalence, "miss": 7, "alarm": 2})
    places = (1, 10, len(model.thresholds) // 2, len(model.thresholds) - 1)
    rows = in_node(model, *(f"decision.at(model, {place}, {state})" for place in places))
    for place, row in zip(places, rows, strict=True):
        threshold = model.thresholds[place]
        expected = rl.operating_point_interval(
            ranking,
            threshold=threshold,
            prevalence=prevalence,
            false_negative_cost=7,
            false_positive_cost=2,
        ).rates
        pairs = {"tpr": "sensitivity", "ppv": "ppv", "npv": "npv", "cost": "expected_cost"}
        for ours, theirs in pairs.items():
            one = expected[theirs]
            shown = [float(row[ours][key]) for key in ("value", "low", "high")]
            assert shown == pytest.approx([one.value, one.low, one.high], rel=1e-9, nan_ok=True)
        specificity = expected["specificity"]
        assert row["fpr"]["low"] == pytest.approx(1 - specificity.high, abs=1e-12)
        share = ranking.pos.sum() / (ranking.pos.sum() + ranking.neg.sum())
        share = share if prevalence is None else prevalence
        tpr, fpr = row["tpr"]["value"], row["fpr"]["value"]
        # Vickers and Elkin: a false alarm weighs 2 / 7 of a hit.
        assert row["benefit"] == pytest.approx(share * tpr - (1 - share) * fpr * 2 / 7)


@needs_node
def test_exact_intervals_of_many_sizes():
    cases = [(0.5, 10), (0.01, 1e6), (0.9999, 1e5), (1 / 3, 3), (0.2, 7.5), (0, 5), (1, 5)]
    model = counts_of(rl.Ranking(*sample(30)))
    found = in_node(model, *(f"decision.exactShare({value}, {n})" for value, n in cases))
    for (value, n), one in zip(cases, found, strict=True):
        assert [one["low"], one["high"]] == pytest.approx(
            list(map(float, clopper_pearson_ends(value, n, 0.95))), abs=1e-11
        )


@needs_node
def test_a_typed_threshold_is_the_place_with_its_counts():
    ranking = rl.Ranking([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    places = in_node(
        counts_of(ranking),
        *(f"decision.placeOf(model, {one})" for one in (9, 0.8, 0.5, 0.4, 0.2, -1)),
    )
    points = rl.operating_points(ranking)
    expected = [points.at(threshold=one).tp for one in (9, 0.8, 0.5, 0.4, 0.2, -1)]
    assert [points.tp[place] for place in places] == expected
