"""Coverage of bands: populations as they claim, answers counted right."""

import math
from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.coverage import bands
from roclab_studies.populations import labels_of

SMALL = bands.Question(method="ks", family="equal", n_pos=10, n_neg=10, auc=0.7, runs=20)


FAMILIES = [*bands.FAMILIES, bands.PAPER]


@pytest.mark.parametrize("family", FAMILIES)
def test_true_curves_are_those_of_the_scores(family):
    auc = bands.PAPER_AUC if family == bands.PAPER else 0.7
    population = bands.CurvePopulation(family=family, auc=auc)
    grid = np.linspace(0, 1, 20_001)
    tpr = population.tpr(grid)
    assert np.trapezoid(tpr, grid) == pytest.approx(auc, abs=1e-4)
    labels = labels_of(100_000, 100_000)
    curve = rl.roc_curve(labels, population.scores(np.random.default_rng(1), labels))
    found = np.interp(grid, curve.fpr, curve.tpr)
    assert np.abs(found - tpr)[200:-200].max() < 0.012


def test_all_cells_are_possible():
    for question in bands.questions():
        true = bands.CurvePopulation(family=question.family, auc=question.auc)
        assert not np.isnan(true.tpr(bands.GRID)).any()


def test_samples_belong_to_the_cell_and_not_to_the_method():
    first = next(bands.samples(SMALL))
    np.testing.assert_array_equal(first, next(bands.samples(replace(SMALL, method="bootstrap"))))
    assert not np.array_equal(first, next(bands.samples(replace(SMALL, auc=0.85))))


def test_bands_are_counted_right():
    found = bands.answer(SMALL)
    true = bands.CurvePopulation(family="equal", auc=0.7).tpr(bands.GRID)
    covered, at_010, widths = 0, 0, []
    for scores in bands.samples(SMALL):
        band = rl.roc_band(labels_of(10, 10), scores, method="ks", fpr=bands.GRID)
        held = (band.low <= true) & (true <= band.high)
        covered += held[1:-1].all()
        at_010 += held[20]
        widths.append((band.high - band.low).mean())
    assert (found.covered, found.at_010, found.undefined) == (covered, at_010, 0)
    assert found.mean_width == pytest.approx(np.mean(widths), rel=1e-3)
    assert found.at_points[1] == at_010 / 20


def test_a_band_that_is_not_defined_is_a_miss():
    apart = replace(SMALL, method="binormal", auc=0.95, runs=40)
    found = bands.answer(apart)
    assert 0 < found.undefined < 40
    assert found.covered <= 40 - found.undefined
    assert not math.isnan(found.mean_width)


def test_the_envelope_holds_its_share_of_replicates():
    scores = next(bands.samples(SMALL))
    ranking = rl.Ranking(labels_of(10, 10), scores)
    low, high = bands.envelope(ranking, 0)
    draws = bands.Draws.of(bands.RESAMPLES, 0)
    replicates = bands.resample_rates(ranking, draws, bands.GRID, across=1.0, up=0.0)
    inside = ((low <= replicates) & (replicates <= high)).all(axis=1)
    assert bands.LEVEL <= inside.mean() < 1


@pytest.mark.parametrize("method", ["ks", "bootstrap", "pointwise wilson", "binormal", "envelope"])
def test_recorded_coverage_is_that_of_the_library_as_it_is(method):
    """If a formula has changed: roclab_studies band_coverage --again --methods <method>."""
    question = replace(SMALL, method=method, runs=bands.RUNS)
    rows = [row for row in STUDIES["band_coverage"].recorded() if row.method == method]
    row = next(row for row in rows if (row.family, row.n_pos, row.auc) == ("equal", 10, 0.7))
    again = bands.answer(replace(question, runs=100))
    # The first hundred of its samples.
    error = math.sqrt(row.coverage * (1 - row.coverage) / 100)
    assert again.coverage == pytest.approx(row.coverage, abs=3.5 * error + 0.011)
    assert again.mean_width == pytest.approx(row.mean_width, rel=0.05)
