"""The arithmetic of the decision panel, in node, against the library."""

import json
import math
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

import roclab as rl
from roclab.inference.intervals.proportions import wilson_ends
from roclab.report.decision import MOST_THRESHOLDS, ModelCounts

SCRIPT = Path(rl.__file__).parent / "report" / "page" / "decision.js"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(
    NODE is None, reason="node, which runs the page's script, is missing"
)


def sample(n, seed=0, decimals=9):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, (rng.normal(size=n) + y).round(decimals)


def in_node(model, expression):
    """The value of a JavaScript expression of `decision` and `model`."""
    data = asdict(model)
    data["threshold"] = [None if math.isinf(one) else one for one in data["threshold"]]
    program = (
        f"const decision = require({json.dumps(str(SCRIPT))}); const model = {json.dumps(data)};"
        "model.threshold = model.threshold.map((one) => one === null ? Infinity : one);"
        f"process.stdout.write(JSON.stringify({expression}));"
    )
    run = subprocess.run([NODE, "-e", program], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize("decimals", [9, 1])
@pytest.mark.parametrize("n", [30, 800, 20_000])
def test_counts_are_those_of_operating_points_and_hold_the_hull(n, decimals):
    ranking = rl.Ranking(*sample(n, decimals=decimals))
    model = ModelCounts.of("a", ranking, rl.roc_hull(ranking))
    points = rl.operating_points(ranking)
    assert len(model.threshold) <= MOST_THRESHOLDS
    assert (model.threshold[0], model.threshold[-1]) == (math.inf, points.threshold[-1])
    for threshold, tp, fp in zip(model.threshold, model.tp, model.fp, strict=True):
        point = points.at(threshold=threshold)
        assert (point.tp, point.fp) == (tp, fp)
    assert set(rl.roc_hull(ranking).thresholds) <= set(model.threshold)
    if len(points) <= MOST_THRESHOLDS:
        assert model.threshold == tuple(points.threshold)


@needs_node
@pytest.mark.parametrize(
    ("prevalence", "ratio", "capacity"),
    [(0.3, 1, 1), (0.02, 25, 1), (0.5, 1, 1), (0.3, 4, 0.2), (0.9, 0.1, 1)],
)
@pytest.mark.parametrize("n", [60, 5000])
def test_the_best_threshold_is_that_of_choose_threshold(n, prevalence, ratio, capacity):
    ranking = rl.Ranking(*sample(n, seed=n))
    model = ModelCounts.of("a", ranking, rl.roc_hull(ranking))
    options = {"prevalence": prevalence, "costRatio": ratio, "capacity": capacity}
    found = in_node(
        model,
        f"decision.at(model, decision.best(model, {json.dumps(options)}), {json.dumps(options)})",
    )
    choice = rl.choose_threshold(
        ranking,
        false_positive_cost=1,
        false_negative_cost=ratio,
        prevalence=prevalence,
        capacity=capacity,
        n_resamples=2,
        rng=0,
    )
    if capacity == 1 or n <= MOST_THRESHOLDS:
        assert found["threshold"] == choice.threshold
        assert found["expectedCost"] == pytest.approx(choice.expected_cost)
        assert [found[key] for key in ("tp", "fp", "tn", "fn")] == [
            choice.tp,
            choice.fp,
            choice.tn,
            choice.fn,
        ]
    assert found["expectedCost"] >= choice.expected_cost - 1e-12
    assert found["calledPositive"] <= capacity + 1e-12


@needs_node
def test_rates_intervals_and_net_benefit():
    ranking = rl.Ranking(*sample(200, seed=5, decimals=1))
    model = ModelCounts.of("a", ranking, rl.roc_hull(ranking))
    points = rl.operating_points(ranking)
    place, options = len(model.threshold) // 2, {"prevalence": 0.1, "costRatio": 9, "capacity": 1}
    found = in_node(model, f"decision.at(model, {place}, {json.dumps(options)})")
    point = points.at(threshold=model.threshold[place])
    assert (found["tpr"], found["fpr"]) == (point.tpr, point.fpr)
    z = 1.959963984540054
    for rate, size in (("tpr", ranking.n_pos), ("fpr", ranking.n_neg)):
        ends = wilson_ends(getattr(point, rate), 0.0, size, z)
        assert found[f"{rate}Interval"] == pytest.approx(list(map(float, ends)))
    called = 0.1 * point.tpr + 0.9 * point.fpr
    assert found["ppv"] == pytest.approx(0.1 * point.tpr / called)
    assert found["npv"] == pytest.approx(0.9 * (1 - point.fpr) / (1 - called))
    # Vickers and Elkin: at the threshold probability 1 / 10 the odds are 1 to 9.
    assert found["netBenefit"] == pytest.approx(0.1 * point.tpr - 0.9 * point.fpr / 9)


@needs_node
def test_weights_have_effective_sizes():
    y, s = sample(100)
    ranking = rl.Ranking(y, s, sample_weight=np.arange(1, 101))
    model = ModelCounts.of("a", ranking, rl.roc_hull(ranking))
    options = {"prevalence": 0.5, "costRatio": 1, "capacity": 1}
    found = in_node(model, f"decision.at(model, 20, {json.dumps(options)})")
    low, high = wilson_ends(found["tpr"], 0.0, ranking.summary.effective_pos, 1.959963984540054)
    assert found["tprInterval"] == pytest.approx([float(low), float(high)])
    assert found["tp"] + found["fn"] == pytest.approx(model.pos)
