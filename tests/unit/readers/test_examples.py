"""Tables to train on, where texts are categories and features may be missing."""

import io

import numpy as np
import pytest

from roclab.errors import ColumnError, InputError
from roclab.readers import read_examples, read_features

FILE = b"""y,age,region,code,seen,w
1,50,north,7,true,1
0,,south,07,false,2
1,40, NA ,7,,1
,30,north,11,true,1
0,inf,east,,true,0.5
"""


def read(**options):
    return read_examples(io.BytesIO(FILE), **({"y_true": "y"} | options))


def values(features):
    return [[None if value != value else value for value in row] for row in features.tolist()]


def test_numbers_texts_and_codes_side_by_side():
    table = read(categories=["code"], sample_weight="w")
    assert table.names == ("age", "region", "code", "seen")
    assert table.categories == ("region", "code")
    assert table.features.dtype == object
    assert values(table.features) == [
        [50, "north", "7", 1],
        [None, "south", "07", 0],
        [40, None, "7", None],
        [np.inf, "east", None, 1],
    ]
    assert table.y_true.tolist() == [True, False, True, False]
    assert table.sample_weight.tolist() == [1, 2, 1, 0.5]
    assert table.missing.to_dict() == {
        "rows_read": 5,
        "rows_dropped": 1,
        "by_column": {"y": 1},
        "columns_skipped": [],
        "identifiers": [],
        "separator": None,
        "decimal": None,
    }
    assert repr(table) == "ExampleTable(4 rows, 2 positive; 4 features, 2 of categories)"
    assert table.to_dict()["categories"] == ["region", "code"]


def test_numbers_alone_are_an_array_of_numbers():
    table = read(features=["age", "w"])
    assert table.features.dtype == np.float64
    assert values(table.features) == [[50, 1], [None, 2], [40, 1], [np.inf, 0.5]]
    assert table.categories == ()
    assert table.sample_weight is None


def test_complete_numbers_for_a_model_without_categories():
    table = read(categories=None)
    assert table.names == ("age", "code", "w")
    assert table.features.dtype == np.float64
    assert values(table.features) == [[50, 7, 1], [40, 7, 1]]
    assert table.y_true.tolist() == [True, True]
    assert table.missing.rows_dropped == 3
    assert table.missing.columns_skipped == ("region", "seen")


def test_categories_join_the_features_that_are_named():
    assert read(features=["age"], categories=["code"]).names == ("age", "code")
    assert read(features=["code", "age"], categories=["code"]).names == ("code", "age")


def test_a_trained_model_reads_the_same_texts():
    table = read_features(
        io.BytesIO(FILE), ["code", "age", "region"], categories=["region", "code"]
    )
    assert values(table.features) == [
        ["7", 50, "north"],
        ["07", None, "south"],
        ["7", 40, None],
        ["11", 30, "north"],
        [None, np.inf, "east"],
    ]
    # A code that looks like a number in this file, and not in that of the training.
    alone = read_features(io.BytesIO(b"code,x\n7,1\n8,1\n"), ["code"], categories=["code"])
    assert values(alone.features) == [["7"], ["8"]]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"y_true": "label"}, ColumnError, "No column `label`"),
        ({"categories": ["cod"]}, ColumnError, "Did you mean `code`"),
        ({"categories": ["y"]}, InputError, "named twice, in y_true and categories"),
        ({"categories": ["age", "age"]}, InputError, "named twice, in categories"),
        ({"y_true": "region"}, InputError, "y_true holds 3 values"),
        ({"sample_weight": "region"}, InputError, "sample_weight needs numbers"),
    ],
)
def test_refusals(options, error, message):
    with pytest.raises(error, match=message):
        read(**options)


@pytest.mark.parametrize(
    ("ask", "parameters", "message"),
    [
        (lambda: read(features=["region"], categories=None), ("features",), "features needs numb"),
        (lambda: read(features=[]), ("features",), "features is empty; at least one column"),
        (lambda: read(features=["y"]), ("y_true", "features"), "twice, in y_true and features"),
        (
            lambda: read_examples(io.BytesIO(b"y,a\n1,b\n0,c\n"), y_true="y", categories=None),
            ("features",),
            r"No numeric column for the features.*`a` \(text\); a feature must be a number",
        ),
        (
            lambda: read_examples(io.BytesIO(b"y:a\n1:b\n0:c\n"), y_true="y"),
            ("separator",),
            "needs a label and a feature",
        ),
        (lambda: read_features(io.BytesIO(FILE), ["region"]), (), r"the model needs numbers\. Con"),
        (
            lambda: read_features(io.BytesIO(b"x\n1\n"), ["a", "b"]),
            ("separator",),
            "needs `a`, `b`",
        ),
        (lambda: read_features(io.BytesIO(b"x,x\n1,2\n"), ["x"]), (), r"differ\. Rename them\.$"),
    ],
)
def test_messages_about_features_do_not_mention_scores(ask, parameters, message):
    with pytest.raises(InputError, match=message) as caught:
        ask()
    assert caught.value.parameters == parameters
    assert "score" not in str(caught.value)


def test_a_file_without_a_feature():
    with pytest.raises(
        InputError, match=r"No column can be a feature\. Columns without another role"
    ):
        read_examples(io.BytesIO(b"y,a\n1,\n0,\n"), y_true="y")
