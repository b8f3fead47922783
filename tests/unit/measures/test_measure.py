"""The arguments that all measures share, and their registry."""

import inspect
import json
import math
import warnings

import numpy as np
import pytest

import roclab as rl
from roclab.measures import find_measure
from roclab.measures import measure as registry
from roclab.measures.measure import (
    defined_ranking,
    measure,
    measured_ranking,
    measures_by_name,
)

Y = [0, 1, 0, 1, 1]
S = [0.1, 0.4, 0.4, 0.8, 0.2]
ABOUT = {"title": "Sum", "meaning": "m", "low": 0, "high": 9, "reference": "r"}


@pytest.fixture
def empty_register(monkeypatch):
    """So that measures of tests do not stay among the real ones."""
    monkeypatch.setattr("roclab.measures.measure._MEASURES", {})


def numbers(entry, result):
    """The numbers in a result, by name."""
    if entry.single:
        return {entry.name: float(result)}
    return {part: result.to_dict()[part] for part in entry.parts}


def near(expected):
    return {name: pytest.approx(value, rel=1e-12, abs=1e-14) for name, value in expected.items()}


MEASURES = measures_by_name()


@pytest.mark.parametrize("name", sorted(MEASURES))
class TestEveryMeasure:
    def test_is_public_and_described(self, name):
        entry = MEASURES[name]
        assert getattr(rl.measures, name) is entry.function
        assert entry.low < entry.high
        assert entry.meaning
        assert entry.reference
        options = [option.name for option in entry.options]
        parameters = list(inspect.signature(entry.function).parameters)
        assert parameters == ["y_true", "y_score", *options, "sample_weight", "pos_label"]

    def test_takes_arrays_and_rankings_but_no_table(self, name):
        entry, options = find_measure(MEASURES[name].example)
        labels, scores = [0, 1, 0, 1, 1, 0] * 10, [0.1, 0.4, 0.4, 0.8, 0.2, 0.7] * 10
        value = entry.function(labels, scores, **options)
        expected = numbers(entry, value)
        assert all(entry.low <= number <= entry.high for number in expected.values())
        ranking = rl.Ranking(labels, scores)
        assert numbers(entry, entry.function(ranking, **options)) == near(expected)
        assert numbers(entry, entry.value_of(ranking, **options)) == near(expected)
        with pytest.raises(rl.InputError, match=r"A ScoreTable was passed.*evaluate"):
            entry.function(rl.ScoreTable(labels, {"a": scores}), **options)

    def test_says_whether_it_is_a_single_number(self, name):
        entry, options = find_measure(MEASURES[name].example)
        value = entry.value_of(rl.Ranking(Y * 10, S * 10), **options)
        assert entry.single == isinstance(value, float)
        kept = {option.name for option in entry.options}
        if not entry.single:
            plain = {k: v for k, v in value.to_dict().items() if isinstance(v, float)}
            assert set(entry.parts) == plain.keys() - kept

    def test_does_not_depend_on_the_order_of_rows(self, name):
        entry, options = find_measure(MEASURES[name].example)
        rng = np.random.default_rng(3)
        labels, scores = rng.integers(0, 2, 80), rng.integers(0, 21, 80) / 20
        rows = rng.permutation(80)
        value = entry.function(labels[rows], scores[rows], **options)
        assert numbers(entry, value) == near(
            numbers(entry, entry.function(labels, scores, **options))
        )

    def test_one_class_is_no_error(self, name):
        entry, options = find_measure(MEASURES[name].example)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            value = entry.function([1, 1, 1], [0.1, 0.2, 0.2], **options)
        for number in numbers(entry, value).values():
            assert math.isnan(number) == bool(caught)
        assert all(w.category is rl.UndefinedMeasureWarning for w in caught)
        assert all(w.filename == __file__ for w in caught)

    def test_no_examples_are_nan_with_one_warning(self, name):
        entry, options = find_measure(MEASURES[name].example)
        nothing = rl.Ranking([], [])
        with pytest.warns(rl.UndefinedMeasureWarning, match=" needs .*The result is nan") as caught:
            value = entry.function(nothing, **options)
        assert all(math.isnan(number) for number in numbers(entry, value).values())
        assert [w.filename for w in caught] == [__file__]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            value = entry.value_of(nothing, **options)
        assert all(math.isnan(number) for number in numbers(entry, value).values())


def test_a_ranking_is_passed_alone():
    with pytest.raises(rl.InputError, match="a Ranking already has"):
        rl.auc(rl.Ranking(Y, S), S)
    with pytest.raises(TypeError, match="unexpected keyword argument 'by'"):
        rl.auc(Y, S, by="where")


@pytest.mark.usefixtures("empty_register")
def test_the_decorator_registers_and_returns_the_function():
    def power(y_true, y_score=None, *, exponent: int = 1, sample_weight=None, pos_label=None):
        """The number of positives to a power."""
        ranking = defined_ranking(power, y_true, y_score, sample_weight, pos_label)
        return math.nan if ranking is None else float(ranking.n_pos**exponent)

    assert measure(**ABOUT)(power) is power
    assert power(Y, S, exponent=2) == 9
    entry = registry._MEASURES["power"]
    assert [str(option) for option in entry.options] == ["exponent=1"]
    assert entry.value_of(rl.Ranking(Y, S), exponent=3) == 27


@pytest.mark.usefixtures("empty_register")
def test_weights_are_refused_where_there_is_no_weighted_form():
    @measure(**ABOUT, weighted=False)
    def rows(y_true, y_score=None, *, sample_weight=None, pos_label=None):
        return float(len(measured_ranking(rows, y_true, y_score, sample_weight, pos_label)))

    assert rows(Y, S) == 5
    with pytest.raises(rl.InputError, match="rows has no weighted form"):
        rows(Y, S, sample_weight=[1, 2, 1, 1, 1])


@pytest.mark.usefixtures("empty_register")
@pytest.mark.parametrize(
    ("kind", "scores", "message"),
    [
        ("probability", [0.1, 0.4, 1.5, 0.8, 0.2], "from 0.1 to 1.5; .*probabilities"),
        ("probability", [-1, 0, 0, 1, 1], "from -1 to 1"),
        ("finite", [0.1, math.inf, 0.4, 0.8, 0.2], "finite scores"),
    ],
)
def test_scores_that_do_not_fit_are_refused(kind, scores, message):
    @measure(**ABOUT, scores=kind)
    def anything(y_true, y_score=None, *, sample_weight=None, pos_label=None):
        measured_ranking(anything, y_true, y_score, sample_weight, pos_label)
        return 1.0

    assert anything(Y, S) == 1
    with pytest.raises(rl.InputError, match=message):
        anything(Y, scores)


def test_every_number_of_a_ranking_is_in_the_registry():
    public = {name: getattr(rl, name) for name in rl.__all__}
    public |= {name: getattr(rl.measures, name) for name in rl.measures.__all__}
    numbers = {
        name
        for name, found in public.items()
        if inspect.isfunction(found)
        and list(inspect.signature(found).parameters)[:2] == ["y_true", "y_score"]
        and inspect.signature(found).return_annotation == "float"
    }
    # Of several rankings, or of more than two classes.
    others = {"stratified_auc", "multiclass_auc", "multiclass_brier_score", "multiclass_log_loss"}
    floats = {
        name
        for name, entry in MEASURES.items()
        if inspect.signature(entry.function).return_annotation == "float"
    }
    assert numbers - others == floats


def test_the_list_of_measures():
    listed = rl.list_measures()
    names = [entry.name for entry in listed.measures]
    assert names == sorted(MEASURES)
    assert repr(listed).startswith("MeasureList(")
    entry = listed.to_dict()["measures"][names.index("auc")]
    assert entry["low"] == 0
    assert entry["better"] == "higher"
    assert entry["options"] == entry["parts"] == []
    entry = listed.to_dict()["measures"][names.index("granular_auc")]
    assert entry["options"][:2] == [
        {"name": "granularity", "kind": "a number", "required": False, "default": 0.02},
        {
            "name": "definition",
            "kind": "'clean' or 'published'",
            "required": False,
            "default": "clean",
        },
    ]
    assert entry["parts"] == ["low", "auc", "up", "lambda"]
    assert entry["example"] == "granular_auc(granularity=0.05)"
    json.dumps(listed.to_dict())


def test_the_registry_knows_which_variances_have_a_closed_form():
    known = {name for name, entry in MEASURES.items() if entry.has_variance}
    assert known == {"auc", "scored_auc"}
    table = rl.ScoreTable([0, 1, 0, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.1, 0.4, 0.8, 0.9]})
    for name in known:
        assert rl.compare(table, measure=name).measure == name
