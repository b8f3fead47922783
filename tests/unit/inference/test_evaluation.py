"""`evaluate`: one row a model, or a group and model, and one warning for all that is undefined."""

import datetime
import json
import math
import warnings
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import roclab as rl
from roclab.data.table import MissingValues

Y = [0, 1, 0, 1, 0, 1, 1, 0]
A = [0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.9, 0.5]
B = [4, 3, 2, 1, 4, 3, 2, 1]
WEIGHTS = [1, 2, 0, 4, 0.5, 1, 1, 3]
REGION = ["south", "south", "north", "north", "south", "south", "north", "north"]


@pytest.fixture
def table():
    return rl.ScoreTable(Y, {"a": A, "b": B}, groups={"region": REGION})


def rows_of(evaluation):
    return [(row.model, row.group) for row in evaluation.rows]


def one_class(by=("x", "x", "y", "z", "z", "z", "y", "y")):
    """Groups y and x have both classes; z has positives only, in three rows."""
    y = [0, 1, 0, 1, 1, 1, 1, 0]
    return rl.ScoreTable(y, {"a": A, "b": B}, groups={"g": list(by)})


def test_one_row_a_model_with_the_numbers_of_auc_interval(table):
    evaluation = rl.evaluate(table)
    assert rows_of(evaluation) == [("a", None), ("b", None)]
    assert evaluation.by is None
    assert [row.interval for row in evaluation.rows] == [
        rl.auc_interval(Y, A),
        rl.auc_interval(Y, B),
    ]


def test_by_groups_in_order_of_first_appearance_then_models(table):
    evaluation = rl.evaluate(table, by="region")
    assert rows_of(evaluation) == [
        ("a", "south"),
        ("b", "south"),
        ("a", "north"),
        ("b", "north"),
    ]
    south = np.array(REGION) == "south"
    assert evaluation.by == "region"
    assert evaluation.rows[0].interval == rl.auc_interval(np.array(Y)[south], np.array(A)[south])


@pytest.mark.parametrize("options", [{"method": "delong"}, {"confidence_level": 0.8}])
def test_options_reach_auc_interval(table, options):
    assert rl.evaluate(table, **options).rows[0].interval == rl.auc_interval(Y, A, **options)


def test_weights_count():
    table = rl.ScoreTable(Y, {"a": A}, sample_weight=WEIGHTS, groups={"region": REGION})
    expected = rl.auc_interval(Y, A, sample_weight=WEIGHTS)
    assert rl.evaluate(table).rows[0].interval == expected
    assert expected != rl.auc_interval(Y, A)
    south = np.array(REGION) == "south"
    assert rl.evaluate(table, by="region").rows[0].interval == rl.auc_interval(
        np.array(Y)[south], np.array(A)[south], sample_weight=np.array(WEIGHTS)[south]
    )


def test_the_same_numbers_as_through_rankings(table):
    for row in rl.evaluate(table).rows:
        assert row.interval == rl.auc_interval(table[row.model])


def test_missing_values_are_passed_on():
    missing = MissingValues(rows_read=10, rows_dropped=2, by_column={"a": 2})
    assert rl.evaluate(rl.ScoreTable(Y, {"a": A}, missing=missing)).missing == missing


def test_groups_of_one_class_give_nan_and_one_warning():
    with pytest.warns(rl.UndefinedMeasureWarning) as caught:
        evaluation = rl.evaluate(one_class(), by="g")
    assert len(caught) == 1
    assert "both classes, and one is missing in 1 of 3 groups of `g` (z)" in str(caught[0].message)
    assert caught[0].filename == __file__
    by_group = {row.group: row.interval for row in evaluation.rows}
    assert math.isnan(by_group["z"].value)
    assert (by_group["z"].n_pos, by_group["z"].n_neg) == (3, 0)
    assert not math.isnan(by_group["x"].value)


def test_the_warning_names_a_few_groups_and_counts_all():
    table = rl.ScoreTable([1] * 8, {"a": A, "b": B}, groups={"g": range(8)})
    with pytest.warns(rl.UndefinedMeasureWarning, match=r"8 of 8 groups .*4 and 3 more\): it is"):
        rl.evaluate(table, by="g")


def test_a_table_of_one_class_gives_one_warning():
    with pytest.warns(rl.UndefinedMeasureWarning, match="8 positive and 0 negative") as caught:
        evaluation = rl.evaluate(
            rl.ScoreTable([1] * 8, {"a": A, "b": B}), measures="average_precision"
        )
    assert len(caught) == 1
    assert str(caught[0].message).endswith(": all AUCs are nan.")  # other measures are defined
    assert [row.values["average_precision"] for row in evaluation.rows] == [1, 1]
    assert all(math.isnan(row.interval.value) for row in evaluation.rows)


def test_delong_of_one_example_is_told_in_the_same_warning():
    with pytest.warns(rl.UndefinedMeasureWarning) as caught:
        rl.evaluate(one_class(), by="g", method="delong")
    assert [w.category for w in caught] == [rl.UndefinedMeasureWarning]
    message = str(caught[0].message)
    assert "one is missing in 1 of 3 groups of `g` (z)" in message
    assert "two examples of each class, is nan in 2 of 3 groups of `g` (x, y)" in message


def test_delong_without_width_is_told_once():
    table = rl.ScoreTable([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [1, 2, 3, 5]})
    with pytest.warns(
        rl.DegenerateIntervalWarning, match=r"2 of 2 rows \(models: a, b\)"
    ) as caught:
        rl.evaluate(table, method="delong")
    assert len(caught) == 1


def test_the_callers_warning_filters_are_left_alone(table):
    before = list(warnings.filters)
    rl.evaluate(table)
    assert warnings.filters == before


def test_a_warning_turned_into_an_error_is_raised():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(rl.UndefinedMeasureWarning):
            rl.evaluate(one_class(), by="g")


def test_an_unknown_group_column_is_refused(table):
    with pytest.raises(rl.ColumnError, match=r"regio'.*region"):
        rl.evaluate(table, by="regio")


@pytest.mark.parametrize("wrong", [{"method": "wald"}, {"confidence_level": 95}])
def test_wrong_options_are_refused(table, wrong):
    with pytest.raises(rl.InputError):
        rl.evaluate(table, **wrong)


@pytest.mark.parametrize("wrong", ["scores.csv", [[0, 1], [1, 2]], None])
def test_anything_but_a_table_is_refused(wrong):
    with pytest.raises(rl.InputError, match="read_scores"):
        rl.evaluate(wrong)


def test_to_dict_is_flat_plain_and_keeps_nan():
    with pytest.warns(rl.UndefinedMeasureWarning):
        data = rl.evaluate(one_class(), by="g").to_dict()
    assert json.loads(json.dumps(data))["by"] == "g"
    assert list(data["rows"][0]) == [
        "model",
        "group",
        "measure",
        "value",
        "low",
        "high",
        "standard_error",
        "confidence_level",
        "method",
        "n_pos",
        "n_neg",
        "alternative",
        "n_resamples",
    ]
    assert {row["measure"] for row in data["rows"]} == {"auc"}
    assert any(math.isnan(row["value"]) for row in data["rows"])
    assert data["missing"] == {
        "rows_read": 8,
        "rows_dropped": 0,
        "by_column": {},
        "columns_skipped": [],
        "identifiers": [],
        "separator": None,
        "decimal": None,
    }


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (datetime.date(2024, 2, 29), "2024-02-29"),
        (datetime.datetime(2024, 2, 29, 12), "2024-02-29T12:00:00"),
        (True, True),
        (3, 3),
        ("north", "north"),
        ((1, 2), "(1, 2)"),
    ],
)
def test_groups_become_types_that_json_has(value, plain):
    groups = np.empty(8, dtype=object)
    groups[:] = [value] * 8
    evaluation = rl.evaluate(rl.ScoreTable(Y, {"a": A}, groups={"g": groups}), by="g")
    assert evaluation.rows[0].group == value
    assert evaluation.to_dict()["rows"][0]["group"] == plain


def test_reprs_are_one_line(table):
    evaluation = rl.evaluate(table)
    ends = [f"[{row.interval.low:.2f}, {row.interval.high:.2f}]" for row in evaluation.rows]
    shown = f"a 0.719 {ends[0]}, b 0.375 {ends[1]}"
    assert repr(evaluation) == f"Evaluation(2 models: {shown}; 95 % Wilson-type)"
    by_region = rl.evaluate(table, by="region")
    assert repr(by_region) == "Evaluation(2 models in 2 groups of region)"
    assert repr(by_region.rows[0]).startswith("EvaluationRow(a in south: AUC 0.")
    many = rl.evaluate(rl.ScoreTable(Y, {f"m\n{i}": A for i in range(9)}))
    assert repr(many).endswith("and 4 more; 95 % Wilson-type)")
    assert "\n" not in repr(many) + repr(many.rows[0])


def test_results_are_frozen(table):
    evaluation = rl.evaluate(table)
    with pytest.raises(FrozenInstanceError):
        evaluation.by = "x"
    with pytest.raises(FrozenInstanceError):
        evaluation.rows[0].model = "x"


def test_further_measures():
    table = rl.ScoreTable([0, 1, 0, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [4, 3, 2, 1]})
    evaluation = rl.evaluate(table, measures=["auc", "gini", "gini"])
    assert evaluation.measures == ("gini",)
    assert [row.values for row in evaluation.rows] == [{"gini": 0.75}, {"gini": -0.5}]
    assert evaluation.to_dict()["rows"][0]["gini"] == 0.75
    assert rl.evaluate(table, measures="gini") == evaluation
    with pytest.raises(rl.InputError, match=r"No measure 'ginni'\. Did you mean 'gini'\?"):
        rl.evaluate(table, measures=["ginni"])


def test_further_measures_with_options(table):
    words = ["margin_auc(margin=.2)", "margin_auc(margin=0.3)", "margin_auc( margin=0.20 )"]
    evaluation = rl.evaluate(table, measures=words)
    assert evaluation.measures == ("margin_auc(margin=0.2)", "margin_auc(margin=0.3)")
    for row in evaluation.rows:
        ranking = table[row.model]
        assert row.values == {
            "margin_auc(margin=0.2)": rl.margin_auc(ranking, margin=0.2),
            "margin_auc(margin=0.3)": rl.margin_auc(ranking, margin=0.3),
        }
    assert rl.evaluate(table, measures=", ".join(words)) == evaluation
    assert rl.evaluate(table, measures=[rl.gini]) == rl.evaluate(table, measures="gini")


def test_a_measure_with_parts_has_a_value_for_each(table):
    evaluation = rl.evaluate(table, by="region", measures="granular_auc(granularity=0.1),gini")
    word = "granular_auc(granularity=0.1)"
    parts = [f"{word}.{part}" for part in ("low", "auc", "up", "lambda")]
    assert evaluation.measures == (*parts, "gini")
    south = np.array(REGION) == "south"
    values = evaluation.rows[0].values
    expected = rl.granular_auc(np.array(Y)[south], np.array(A)[south], granularity=0.1)
    assert [values[part] for part in parts] == [
        expected.low,
        expected.auc,
        expected.up,
        expected.lambda_,
    ]
    assert list(evaluation.to_dict()["rows"][0])[-5:] == list(evaluation.measures)
    json.dumps(evaluation.to_dict())


def test_a_measure_that_the_scores_do_not_suit_names_model_and_word(table):
    with pytest.raises(rl.InputError, match=r"Model 'b', log_loss\(clip=0\.1\): .*from 1 to 4"):
        rl.evaluate(table, measures="log_loss(clip=0.1)")
    with pytest.raises(rl.InputError, match="Model 'a', partial_auc: No range was passed"):
        rl.evaluate(table, measures="partial_auc")


def test_every_measure_can_be_evaluated():
    table = rl.ScoreTable(Y * 10, {"a": A * 10}, groups={"region": REGION * 10})
    words = [measure.example for measure in rl.list_measures().measures]
    (row,) = rl.evaluate(table, measures=words).rows
    expected = {}
    for measure in rl.list_measures().measures:
        value = measure.value_of(table["a"], **rl.find_measure(measure.example)[1])
        parts = {} if measure.single else value.to_dict()
        expected |= {f"{measure.example}.{part}": parts[part] for part in measure.parts}
        expected |= {} if parts else {measure.example: value}
    del expected["auc"]
    assert row.values == expected


def test_parts_of_one_class_are_nan():
    with pytest.warns(rl.UndefinedMeasureWarning) as caught:
        evaluation = rl.evaluate(one_class(), by="g", measures="scored_parts, accuracy")
    assert len(caught) == 1
    for row in evaluation.rows:
        parts = [value for name, value in row.values.items() if name != "accuracy"]
        assert [math.isnan(part) for part in parts] == [row.group == "z"] * 6
        assert not math.isnan(row.values["accuracy"])


def test_resampled_intervals_are_the_same_for_every_model_and_seed(table):
    told = []
    options = {"method": "bootstrap", "n_resamples": 200, "rng": 5}
    evaluation = rl.evaluate(table, progress=lambda *at: told.append(at), **options)
    for row in evaluation.rows:
        alone = rl.auc_interval(table.y_true, table.scores[row.model], **options)
        assert row.interval == alone
    assert told == [(200 * (i + 1), 200 * len(table.names)) for i in range(len(table.names))]
    assert rl.evaluate(table, **options).rows == evaluation.rows


def test_one_sided_intervals_of_every_model(table):
    rows = rl.evaluate(table, alternative="greater").rows
    assert {row.interval.high for row in rows} == {1.0}
