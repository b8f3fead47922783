"""Coverage of calibration and net benefit: what is drawn, counted and recorded."""

import math
from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab.decisions import calibration_summary
from roclab_studies.catalogue import STUDIES
from roclab_studies.coverage import probabilities as study
from roclab_studies.coverage.probability_tables import BENEFIT_BLOCKS, CALIBRATION_BLOCKS

ASKED = study.Question(quantity="slope", population="too extreme", n=200, runs=20)


@pytest.fixture
def few(monkeypatch):
    """True values from fewer examples."""
    cached = (study._large, study.prevalence_of, study.true_values, study.ends)
    for function in cached:
        function.cache_clear()
    monkeypatch.setattr(study, "LARGE", 100_000)
    yield
    for function in cached:
        function.cache_clear()


def test_samples_of_a_cell_are_the_same_again():
    (one, labels), (other, _) = study.samples("too extreme", 200, 2)
    again, same = next(study.samples("too extreme", 200, 1))
    np.testing.assert_array_equal(one.model, again.model)
    np.testing.assert_array_equal(labels, same)
    assert one.model.shape == one.other.shape == labels.shape == (200,)
    assert (one.model != other.model).any()


@pytest.mark.parametrize("population", study.POPULATIONS)
def test_probabilities_are_drawn_inside_the_unit_interval(population):
    drawn = study.draw(population, np.random.default_rng(1), 20_000)
    for column in drawn:
        assert 0 < column.min() <= column.max() < 1


@pytest.mark.usefixtures("few")
def test_true_values_are_those_that_are_known():
    calibrated, no_skill = map(study.true_values, ("beta, calibrated", "no skill"))
    assert calibrated["slope"] == pytest.approx(1, abs=1e-9)
    assert calibrated["intercept"] == pytest.approx(0, abs=1e-9)
    assert study.true_values("too extreme")["slope"] == pytest.approx(1 / 1.6, abs=1e-9)
    assert no_skill["slope"] == pytest.approx(0, abs=1e-9)
    # Of probabilities uniform on [0.1, 0.5] half are at least 0.3.
    benefit = 0.5 * (0.25 - 0.75 * 3 / 7)
    for known in ("", ", known prevalence"):
        assert no_skill[f"net benefit at 0.3{known}"] == pytest.approx(benefit, abs=0.001)
    assert study.prevalence_of("beta, calibrated") == pytest.approx(0.25, abs=0.002)


def test_intervals_are_those_of_the_library():
    drawn, labels = next(study.samples("too extreme", 200, 1))
    found = study.estimates(drawn, labels, 0.3)
    assert found.keys() == set(study.CALIBRATION + study.BENEFIT)
    summary = calibration_summary(labels, drawn.model)
    for quantity, one in (
        ("intercept", summary.intercept),
        ("slope", summary.slope),
        ("observed/expected", summary.observed_expected),
    ):
        assert found[quantity] == (one.value, one.low, one.high)
    table = rl.ScoreTable(labels, {"model": drawn.model, "other": drawn.other})
    for known, design in ((None, ""), (0.3, ", known prevalence")):
        curves = rl.decision_curve(table, thresholds=[0.3], prevalence=known)
        (pair,) = curves.differences
        assert found[f"difference at 0.3{design}"] == (pair.difference, pair.low, pair.high)
        assert found[f"net benefit at 0.3{design}"][0] == curves["model"].net_benefit


@pytest.mark.usefixtures("few")
def test_covered_intervals_are_counted():
    found = study.answer(ASKED)
    truth = study.true_values("too extreme")["slope"]
    ends = [
        study.estimates(*sample, 0.3)["slope"][1:]
        for sample in study.samples("too extreme", 200, 20)
    ]
    assert found.covered == sum(low <= truth <= high for low, high in ends)
    assert found.covered + found.below + found.above == found.runs == 20
    assert found.median_width == pytest.approx(
        np.median([high - low for low, high in ends]), rel=1e-3
    )


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("quantity", ["slope", "net benefit at 0.3", "difference at 0.3"])
def test_recorded_coverage_is_that_of_the_library_as_it_is(quantity):
    """If a formula has changed: python -m roclab_studies probability_coverage --again."""
    question = replace(ASKED, quantity=quantity)
    rows = [row for row in STUDIES["probability_coverage"].recorded() if row.quantity == quantity]
    row = next(row for row in rows if (row.population, row.n) == ("too extreme", 200))
    again = study.answer(replace(question, runs=100))
    error = math.sqrt(row.coverage * (1 - row.coverage) / 100)
    assert again.coverage == pytest.approx(row.coverage, abs=3.5 * error + 0.011)
    assert again.median_width == pytest.approx(row.median_width, rel=0.1)


def test_tables_have_a_line_for_each_interval():
    answers = STUDIES["probability_coverage"].recorded()
    (calibration,) = (table(answers) for table in CALIBRATION_BLOCKS.values())
    (benefit,) = (table(answers) for table in BENEFIT_BLOCKS.values())
    assert len(calibration.splitlines()) == 2 + len(study.CALIBRATION)
    assert [line.split(" | ")[0] for line in benefit.splitlines()[2:]] == [
        f"| {quantity}" for quantity in study.BENEFIT
    ]
