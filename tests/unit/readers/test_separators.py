"""Separators and decimal signs of text files: named, or detected and said."""

import pytest
from score_files import read

import roclab as rl
from roclab import FileFormatError, InputError
from roclab.data.table import MissingValues
from roclab.report.documents.rows import missing_notes

pytestmark = pytest.mark.usefixtures("engine")

ROWS = [
    ("label", "a", "b", "site"),
    (1, "0.9", "7", "n"),
    (0, "0.25", "3", "s"),
    (1, "-1e3", "2", "n"),
]


def text(separator, decimal="."):
    lines = [separator.join(str(field).replace(".", decimal) for field in row) for row in ROWS]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("format", ["csv", "tsv"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators_are_detected_and_said(separator, format):
    table = read(text(separator), format=format, by="site")
    assert table.scores["a"].tolist() == [0.9, 0.25, -1000]
    assert table.scores["b"].tolist() == [7, 3, 2]
    assert table.groups["site"].tolist() == ["n", "s", "n"]
    usual = {"csv": ",", "tsv": "\t"}[format]
    assert table.missing.separator == (None if separator == usual else separator)
    assert table.missing.decimal is None


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_decimal_commas_are_detected_and_said(separator):
    table = read(text(separator, ","))
    assert table.scores["a"].tolist() == [0.9, 0.25, -1000]
    assert (table.missing.separator, table.missing.decimal) == (separator, ",")
    [note] = missing_notes(MissingValues(separator=separator, decimal=","))
    named = {";": "semicolons", "\t": "tabs", "|": "bars"}[separator]
    assert note.text.startswith(f"Fields are separated by {named} and decimals by commas, as detec")


def test_what_is_named_is_not_detected():
    table = read(text(":", ","), separator=":", decimal=",")
    assert table.scores["a"].tolist() == [0.9, 0.25, -1000]
    assert (table.missing.separator, table.missing.decimal) == (None, None)
    quoted = 'label,a\n1,"0,5"\n0,"0,25"\n'
    assert read(quoted, decimal=",", y_score="a").scores["a"].tolist() == [0.5, 0.25]
    # Without a name commas are fields, and a number with one is text.
    with pytest.raises(InputError, match="`0,5` in row 1"):
        read(quoted, y_score="a")


def test_points_and_commas_together_are_no_decimals():
    """Thousands would be read as fractions."""
    mixed = "label;a;b\n1;1,5;1.5\n0;2,5;2.5\n"
    table = read(mixed)
    assert table.names == ("b",)
    assert table.missing.columns_skipped == ("a",)
    with pytest.raises(InputError, match="`1,5` in row 1"):
        read(mixed, y_score="a")
    late = "label;a\n" + "1;0,5\n0;0,25\n" * 100 + "1;1.5\n"
    with pytest.raises(InputError, match=r"`1\.5` in row 201"):
        read(late, y_score="a")


def test_the_header_decides_by_the_columns_that_are_named():
    assert read("label;a, b\n1;2\n0;3\n", y_score="a, b").scores["a, b"].tolist() == [2, 3]
    assert read("label,a;b\n1,2\n0,3\n", y_score="a;b").scores["a;b"].tolist() == [2, 3]


def test_rows_of_other_lengths_are_counted_with_the_separator_that_was_found():
    with pytest.raises(FileFormatError, match="line 3: 3 fields, but the header has 2"):
        read("label;a\n1;2\n0;3;4\n")
    with pytest.raises(FileFormatError, match="line 3: 1 field, but the header has 2"):
        read("label;a\n1;2,5\n0\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"separator": ";;"}, "separator=';;' is not one character"),
        ({"separator": ""}, "separator='' is not one character"),
        ({"separator": "é"}, "separator='é' is not one character"),
        ({"separator": 3}, "separator=3 is not one character"),
        ({"separator": '"'}, "is not one character"),
        ({"decimal": ";"}, r"decimal=';' is not a decimal sign\. Pass decimal='\.' or decimal=','"),
        ({"separator": ",", "decimal": ","}, "separator and decimal are both ','"),
        ({"separator": ";", "format": "jsonl"}, "separator is for CSV and TSV, and .* JSON lines"),
        ({"decimal": ",", "format": "parquet"}, "decimal is for CSV and TSV, and .* is Parquet"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(InputError, match=message):
        read(text(","), **options)
    if "format" not in options:
        return
    import polars as pl

    with pytest.raises(InputError, match="is for files, and source is a DataFrame"):
        rl.read_scores(pl.DataFrame({"label": [0, 1], "a": [1, 2]}), y_true="label", **options)


def test_other_readers_take_them_too():
    import io

    from roclab.readers import read_examples, read_features
    from roclab.readers.rewriting import read_rows

    data = text(";", ",").encode()
    examples = read_examples(io.BytesIO(data), y_true="label")
    assert examples.features[:, 0].tolist() == [0.9, 0.25, -1000]
    features = read_features(io.BytesIO(data), ["a"], separator=";", decimal=",")
    assert features.features.ravel().tolist() == [0.9, 0.25, -1000]
    rows = read_rows(io.BytesIO(data))
    found = rows.score_table(y_true="label", y_score="a", pos_label=None, sample_weight=None, by=())
    assert found.scores["a"].tolist() == [0.9, 0.25, -1000]
    assert rows.frame["a"].to_list() == ["0,9", "0,25", "-1e3"]
