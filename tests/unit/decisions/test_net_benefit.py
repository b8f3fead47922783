"""Decision curves at the edges: what is refused, undefined and drawn."""

import numpy as np
import pytest

import roclab as rl
from roclab.report.document import document
from roclab.report.figure import Band

Y = [0, 1, 0, 1, 1, 0]
P = [0.1, 0.4, 0.4, 0.8, 0.3, 0.5]


def test_the_usual_thresholds_are_hundredths():
    curve = rl.decision_curve(Y, P)
    assert curve.thresholds.tolist() == [float(f"0.{place:02d}") for place in range(1, 100)]
    assert (curve.n_pos, curve.n_neg, curve.prevalence) == (3, 3, 0.5)


def test_a_ranking_or_its_arrays():
    ranking = rl.Ranking(["no", "yes", "no", "yes"], [0.1, 0.4, 0.4, 0.8], pos_label="yes")
    curve = rl.decision_curve(ranking, thresholds=[0.2])
    assert curve.net_benefit.tolist() == [0.4375]


def test_a_threshold_in_the_type_of_the_scores():
    """0.7 as a float32 is below 0.7 as a float64, and reaches it all the same."""
    scores = np.array([0.2, 0.7, 0.1, 0.7], np.float32)
    assert rl.decision_curve([0, 1, 0, 1], scores, thresholds=[0.7]).net_benefit[0] == 0.5
    assert rl.measures.net_benefit([0, 1, 0, 1], scores, threshold=0.7) == 0.5
    table = rl.ScoreTable([0, 1, 0, 1], {"a": scores, "b": [0, 1, 0, 1]})
    assert rl.decision_curve(table, thresholds=[0.7]).differences[0].difference[0] == 0


@pytest.mark.parametrize("labels", [[0, 0, 0], [1, 1, 1]])
def test_a_missing_class_is_nan(labels):
    with pytest.warns(rl.UndefinedMeasureWarning, match="needs both classes") as caught:
        curve = rl.decision_curve(labels, [0.1, 0.2, 0.2])
    assert caught[0].filename == __file__
    assert np.isnan([curve.net_benefit, curve.low, curve.high, curve.treat_all]).all()
    with pytest.warns(rl.UndefinedMeasureWarning):
        found = rl.decision_curve(rl.ScoreTable(labels, {"a": [0.1, 0.2, 0.2], "b": [0, 0, 1]}))
    assert np.isnan(found.differences[0].low).all()
    with pytest.warns(rl.UndefinedMeasureWarning):
        assert np.isnan(rl.measures.net_benefit(labels, [0.1, 0.2, 0.2], threshold=0.1))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"thresholds": [0.2, 0.1]}, "is not a grid of rates"),
        ({"thresholds": [0.5, 1]}, "thresholds must be below 1"),
        ({"thresholds": []}, "is not a grid"),
        ({"prevalence": 1.0}, "prevalence=1.0 is out of range"),
        ({"confidence_level": 95}, "confidence_level=95 is out of range"),
    ],
)
def test_what_is_refused(given, said):
    with pytest.raises(rl.InputError, match=said):
        rl.decision_curve(Y, P, **given)


def test_scores_that_are_no_probabilities_are_refused():
    with pytest.raises(rl.InputError, match="decision_curve needs probabilities"):
        rl.decision_curve([0, 1], [-1.0, 2.0])
    with pytest.raises(rl.InputError, match="net_benefit needs probabilities"):
        rl.measures.net_benefit([0, 1], [-1.0, 2.0], threshold=0.1)
    with pytest.raises(rl.InputError, match="threshold=1 is out of range"):
        rl.measures.net_benefit([0, 1], [0.1, 0.2], threshold=1)


def test_a_table_comes_alone():
    table = rl.ScoreTable(Y, {"a": P})
    assert rl.decision_curve(table).differences == ()
    with pytest.raises(rl.InputError, match="Pass it alone"):
        rl.decision_curve(table, P)


def test_net_benefit_is_a_measure_like_others():
    found = rl.interval(Y * 5, P * 5, measure="net_benefit(threshold=0.2)", rng=0, n_resamples=50)
    assert found.measure == "net_benefit(threshold=0.2)"
    assert found.low < found.value < found.high
    table = rl.ScoreTable(Y, {"a": P})
    row = rl.evaluate(table, measures="net_benefit(threshold=0.2)").rows[0]
    assert row.values["net_benefit(threshold=0.2)"] == rl.measures.net_benefit(Y, P, threshold=0.2)
    entry, options = rl.find_measure("net_benefit(threshold=0.2, prevalence=0.1)")
    assert entry.range_with(options) == (-np.inf, 0.1)


def test_the_figure_ends_where_treating_everybody_does_harm():
    (figure,) = document(rl.decision_curve(Y, P)).figures
    band, everybody, nobody, model = figure.series
    assert isinstance(band, Band)
    assert [line.label for line in (everybody, nobody, model)] == [
        "treat all",
        "treat none",
        "",
    ]
    assert figure.axes.y_range[0] == -0.125


def test_models_are_drawn_apart():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure, ax = pyplot.subplots()
    rl.plot(rl.decision_curve(rl.ScoreTable(Y, {"a": P, "b": P[::-1]})), ax=ax)
    colors = {line.get_label(): line.get_color() for line in ax.get_lines()}
    assert len(set(colors.values())) == 4
    pyplot.close(figure)


def test_results_say_what_they_are():
    found = rl.decision_curve(rl.ScoreTable(Y, {"a": P, "b": P[::-1]}), thresholds=[0.2, 0.5])
    assert repr(found) == "DecisionCurves(a, b: 2 thresholds)"
    assert repr(found.differences[0]) == (
        "NetBenefitDifference(a - b: interval excludes 0 at 0 of 2 thresholds)"
    )
    assert not found["b"].low.flags.writeable
    tables = {table.name: table for table in document(found).tables}
    assert len(tables["models"].records) == 4
    assert tables["differences"].records[1]["threshold"] == 0.5
