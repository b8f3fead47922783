"""The panel of intervals: what is asked, what is counted, and the tables."""

import dataclasses

import numpy as np
import pytest

from roclab_studies.coverage import panel, panel_tables


def ask(measure, **changes):
    found = next(one for one in panel.questions() if one.measure == measure)
    return dataclasses.replace(found, **changes)


@pytest.mark.parametrize(
    ("measure", "truth"),
    [
        ("specificity_at(sensitivity=0.9)", 0.4636),
        ("average_precision", 0.7952),
        ("scored_auc", 1.3481),
    ],
)
def test_true_values(measure, truth):
    """Of normal scores with AUC 0.8; the first is Phi(sqrt 2 Phi^-1(0.8) - Phi^-1(0.9))."""
    found = panel.true_value(measure, "equal", 0.8, 0.5)
    assert found == pytest.approx(truth, abs=2e-4)


@pytest.mark.parametrize(
    "measure", ["auc", "scored_auc", "sensitivity_at(specificity=0.9)", "brier_score"]
)
def test_intervals_are_counted(measure):
    found = panel.answer(ask(measure, runs=5, n_pos=12, n_neg=12, family="equal"))
    assert found.covered + found.below + found.above == 5
    assert found.median_width > 0


def test_clusters_and_the_earlier_default():
    found = panel.answer(ask(panel.CLUSTERED, runs=20))
    assert found.covered >= 14
    before = ask("scored_auc", method="before", runs=30, n_pos=10, n_neg=100)
    now, earlier = (
        panel.answer(dataclasses.replace(before, method=m)) for m in ("default", "before")
    )
    assert now.median_width > earlier.median_width
    assert now.warned == 30


def test_tables():
    answers = [
        panel.Answer(
            **dataclasses.asdict(one),
            covered=round(0.96 * one.runs),
            below=0,
            above=round(0.04 * one.runs),
            warned=0,
            median_width=0.2,
        )
        for one in panel.questions()
    ]
    low = answers.index(next(one for one in answers if one.n_pos == 10 and one.measure == "auc"))
    answers[low] = dataclasses.replace(answers[low], covered=round(0.7 * answers[low].runs))
    summary = panel_tables.summary(answers).splitlines()
    assert len(summary) == 2 + 3 + 1 + len(panel.RATES) + len(panel.RESAMPLED) + 1
    assert "| **0.700 ± 0.020** | 0.960" in summary[2]
    assert "| 1 | 1 |" in summary[2]
    assert len(panel_tables.shortest(answers).splitlines()) == 3
    assert "0.960" in panel_tables.by_family(answers)
    assert len(panel_tables.clusters(answers).splitlines()) == 2 + 12


def test_cluster_sizes_have_a_mean_of_ten():
    rng = np.random.default_rng(0)
    for kind in panel.CLUSTER_SIZES:
        assert panel._cluster_sizes(rng, kind, 20_000).mean() == pytest.approx(10, rel=0.05)
