"""Which columns are read, and in which role."""

import io
import re

import pandas as pd
import polars as pl
import pytest
from score_files import FILES, TEXTS, read

import roclab as rl
from roclab import ColumnError, InputError, read_scores, scale

pytestmark = pytest.mark.usefixtures("engine")


class TestColumns:
    def test_named_scores_and_weights(self):
        table = read("label,a,b,w\n1,2,3,0.5\n0,4,5,2\n", y_score="b", sample_weight="w")
        assert table.names == ("b",)
        assert table.sample_weight.tolist() == [0.5, 2.0]

    def test_order_is_the_users(self):
        assert read("label,a,b\n1,2,3\n0,4,5\n", y_score=["b", "a"]).names == ("b", "a")

    def test_default_leaves_out_text_booleans_empty_and_unnamed_columns(self):
        table = read(",label,a,t,f,n\n0,1,2,x,True,\n1,0,3,y,False,NA\n")
        assert table.names == ("a",)
        assert table.missing.rows_dropped == 0

    def test_default_leaves_out_other_roles(self):
        table = read("label,a,w,g\n1,2,3,4\n0,5,6,7\n", sample_weight="w", by="g")
        assert table.names == ("a",)

    def test_boolean_score_by_name(self):
        assert read("label,a\n1,true\n0,false\n", y_score="a").scores["a"].tolist() == [1, 0]

    def test_a_file_without_a_header(self):
        with pytest.raises(ColumnError) as caught:
            read("0,0.5\n1,0.7\n", y_true="y")
        assert str(caught.value) == (
            "No column `y`, and all names of columns are numbers: `0`, `0.5`; the first row must "
            "have the names. Has the file no header? Put a row of names before the others."
        )

    def test_unknown_column_suggests_the_nearest(self):
        with pytest.raises(ColumnError) as caught:
            read("label,score_a\n1,2\n", y_true="lable")
        assert str(caught.value) == (
            "No column `lable`. Columns: `label`, `score_a`. Did you mean `label`?"
        )

    @pytest.mark.parametrize("role", ["y_true", "y_score", "sample_weight", "by"])
    @pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
    def test_unknown_column_in_every_role_and_format(self, role, format):
        data = {**TEXTS, "parquet": FILES["x.parquet"]}[format]
        with pytest.raises(ColumnError, match=r"No column `Region `.*Did you mean `region`"):
            read(data, format=format, **{role: "Region "})

    def test_nothing_near(self):
        with pytest.raises(ColumnError, match=r"`label`, `a`\.$"):
            read("label,a\n1,2\n", y_score="zzz")

    def test_long_list_is_abbreviated(self):
        names = [f"c{i:02d}" for i in range(50)]
        with pytest.raises(ColumnError, match="`c19` and 30 more") as caught:
            read(",".join(names) + "\n" + ",".join("1" * 50) + "\n")
        assert "c20" not in str(caught.value)

    @pytest.mark.parametrize(
        ("options", "where"),
        [
            ({"y_score": ["a", "label"]}, "y_true and y_score"),
            ({"y_score": ["a", "a"]}, "y_score"),
            ({"sample_weight": "label"}, "y_true and sample_weight"),
            ({"y_score": "a", "by": "a"}, "y_score and by"),
            ({"sample_weight": "a", "by": ["b", "a"]}, "sample_weight and by"),
        ],
    )
    def test_one_role_a_column(self, options, where):
        with pytest.raises(InputError, match=f"named twice, in {where};"):
            read("label,a,b\n1,2,3\n", **options)

    @pytest.mark.parametrize(
        "options", [{"y_true": 3}, {"y_score": []}, {"y_score": [1]}, {"by": 1}]
    )
    def test_names_are_text(self, options):
        with pytest.raises(InputError, match="needed"):
            read("label,a\n1,2\n", **options)

    def test_repeated_names_matter_only_where_needed(self):
        text = "x,x,label,a\n1,2,1,3\n4,5,0,6\n"
        assert read(text, y_score="a").scores["a"].tolist() == [3, 6]
        with pytest.raises(InputError, match="2 columns are called `x`"):
            read(text)
        with pytest.raises(InputError, match="2 columns are called `x`"):
            read(text, y_score="x")

    def test_no_numeric_column(self):
        with pytest.raises(InputError, match=r"No numeric column.*`a` \(text\), `b` \(empty\)"):
            read("label,a,b\n1,x,\n0,y,\n")

    def test_text_among_scores_is_shown(self):
        with pytest.raises(InputError, match=r"Column `a` is text.*`oops` in row 3"):
            read("label,a\n1,2\n0,\n0,oops\n", y_score="a")
        with pytest.raises(InputError, match=r"`1_000` in row 2.*sample_weight needs numbers"):
            read("label,a,w\n1,2,1\n0,3,1_000\n", sample_weight="w")


def test_columns_that_are_no_numbers_are_told():
    data = b"label,who,a,flag\n1,x,0.9,true\n0,y,0.1,false\n"
    assert read_scores(io.BytesIO(data), y_true="label").missing.columns_skipped == ("who", "flag")
    named = read_scores(io.BytesIO(data), y_true="label", y_score="a", by="who")
    assert named.missing.columns_skipped == ()
    grouped = read_scores(io.BytesIO(data), y_true="label", by="who")
    assert grouped.missing.columns_skipped == ("flag",)


class TestOneBadCell:
    """A column of numbers with a value that is none is ignored, and reported."""

    data = "y,s,t,site\n" + "".join(
        f"{i % 2},{'oops' if i == 17 else i / 10},{i / 7},{'abc'[i % 3]}\n" for i in range(80)
    )

    def test_it_is_named(self):
        with pytest.warns(rl.RoclabWarning) as warned:
            table = read_scores(io.BytesIO(self.data.encode()), y_true="y")
        assert [str(one.message) for one in warned] == [
            "Column `s` is ignored: `oops` in row 18 is not a number. Correct that value or leave "
            "it empty, or name all score columns with y_score."
        ]
        assert table.names == ("t",)

    def test_in_parts_as_well(self, tmp_path):
        path = tmp_path / "scores.csv"
        path.write_text(self.data)
        with pytest.warns(rl.RoclabWarning, match="`s` is ignored: `oops` in row 18 is not"):
            evaluation = scale.evaluate(path, y_true="y")
        assert evaluation.missing.columns_skipped == ("s", "site")

    def test_beyond_the_rows_that_every_engine_looks_at(self):
        frame = pd.DataFrame({"y": [0, 1] * 6000, "t": 0.5})
        frame["s"] = pd.Series([*range(11_999), "oops"], dtype=object)
        assert read_scores(frame, y_true="y").missing.columns_skipped == ("s",)  # in silence
        frame.loc[9_999, "s"] = "late"
        with pytest.warns(rl.RoclabWarning, match="`late` in row 10,000 is not a number"):
            read_scores(frame, y_true="y")

    def test_no_other_column_is_left(self):
        with pytest.raises(InputError, match=r"role: `s` \(text: `oops` in row 18\), `t` \(empty"):
            read(re.sub(r",[\d.]+,\w\n", ",,a\n", self.data), y_true="y")

    def test_decimal_commas(self):
        file = io.BytesIO(b"y;s;t\n0;0,1;0,1\n1;0.3;0,2\n0;0,5;0,3\n")
        with pytest.warns(rl.RoclabWarning, match=r"`0\.3` in row 2 is not a number"):
            read_scores(file, y_true="y", decimal=",")

    @pytest.mark.parametrize("values", ["1,x,y", "01,02,03", ",,x"])
    def test_text_is_silent(self, values):
        frame = pl.DataFrame({"y": [0, 1, 1], "t": [0.5, 1.5, 2.5], "s": values.split(",")})
        assert read_scores(frame, y_true="y").names == ("t",)

    def test_named_columns_and_identifiers_are_silent(self):
        file = io.BytesIO(self.data.encode())
        assert read_scores(file, y_true="y", y_score="t").names == ("t",)
        file = io.BytesIO(self.data.replace("y,s", "y,patient_id").encode())
        assert read_scores(file, y_true="y").names == ("t",)


class TestCommas:
    data = b'y,a,b,"a,b"\n1,0.9,0.4,3\n0,0.1,0.4,2\n'

    def read(self, y_score, data=data, **options):
        return read_scores(io.BytesIO(data), y_true="y", y_score=y_score, **options).names

    @pytest.mark.parametrize("names", ["b,a", ["b", "a"], "b , a,", ["b,a"]])
    def test_a_text_may_hold_several_names(self, names):
        assert self.read(names) == ("b", "a")

    def test_a_column_of_that_name_comes_first(self):
        assert self.read("a,b") == ("a,b",)
        assert self.read(["a,b", "b,a"]) == ("a,b", "b", "a")

    def test_in_every_format(self):
        records = b'{"y": 1, "a": 1, "b": 2}\n{"y": 0, "a": 2, "b": 2}\n'
        assert self.read("b,a", records, format="jsonl") == ("b", "a")
        later = records + b'{"y": 1, "a": 1, "b": 2, "b,a": 3}\n{"y": 0, "b,a": 2}\n'
        assert self.read("b,a", later, format="jsonl") == ("b,a",)
        frame = pl.DataFrame({"y": [1, 0], "a": [1, 2], "b": [1, 2]})
        assert read_scores(frame, y_true="y", y_score="b,a").names == ("b", "a")
        file = io.BytesIO()
        frame.write_parquet(file)
        assert self.read("b,a", file.getvalue(), format="parquet") == ("b", "a")

    def test_twice_is_refused_and_unknown_parts_are_named(self):
        with pytest.raises(InputError, match="Column `a` is named twice, in y_score"):
            self.read(["b,a", "a"])
        with pytest.raises(InputError, match="Column `y` is named twice, in y_true and y_score"):
            self.read("a,y")
        with pytest.raises(ColumnError, match="No column `c`"):
            self.read("a,c")
        with pytest.raises(InputError, match="y_score is empty"):
            self.read(",")
