"""Values that are missing."""

import pytest
from score_files import parquet_bytes, read

from roclab import InputError

pytestmark = pytest.mark.usefixtures("engine")


class TestMissing:
    @pytest.mark.parametrize("word", ["", "NA", "N/A", "null", "NULL", "NaN", "nan", '""', '"NA"'])
    def test_words_for_missing_in_every_role(self, word):
        text = f"label,a,b,w,g\n1,1,2,1,x\n{word},1,2,1,x\n0,{word},3,1,y\n0,2,3,{word},y\n"
        text += f"1,1,1,1,{word}\n0,{word},{word},1,y\n"
        table = read(text, y_score=["a", "b"], sample_weight="w", by="g")
        assert len(table) == 1
        assert table.missing.to_dict() == {
            "rows_read": 6,
            "rows_dropped": 5,
            "by_column": {"label": 1, "w": 1, "g": 1, "a": 2, "b": 1},
            "columns_skipped": [],
            "identifiers": [],
            "separator": None,
            "decimal": None,
        }
        assert "5 of 6" in repr(table)

    def test_a_row_leaves_all_columns(self):
        table = read("label,a,b\n1,1,\n0,,2\n1,3,4\n0,5,6\n")
        assert table.scores["a"].tolist() == [3, 5]
        assert table.scores["b"].tolist() == [4, 6]

    def test_columns_not_selected_do_not_count(self):
        assert len(read("label,a,b\n1,1,\n0,2,\n", y_score="a")) == 2

    def test_blank_lines_are_rows_without_values(self):
        table = read("label,a\n1,2\n\n0,3\n\n")
        assert table.scores["a"].tolist() == [2, 3]
        assert table.missing.rows_dropped == 2

    def test_json_null_and_absent_key(self):
        data = b'{"label": 1, "a": 2}\n{"label": 0}\n{"label": 0, "a": null}\n{"a": 1}\n'
        table = read(data, format="jsonl")
        assert table.missing.by_column == {"label": 1, "a": 2}

    def test_json_column_that_appears_late(self):
        data = b'{"label": 0}\n' * 2000 + b'{"label": 0, "a": 1.5}\n'
        for y_score in (None, "a"):
            table = read(data, format="jsonl", y_score=y_score)
            assert table.scores["a"].tolist() == [1.5]
            assert table.missing.rows_dropped == 2000

    def test_parquet_null_and_nan(self):
        rows = {"label": [1, 0, None, 1], "a": [0.5, float("nan"), 0.1, None]}
        table = read(parquet_bytes(rows), format="parquet")
        assert table.missing.by_column == {"label": 1, "a": 2}
        assert table.scores["a"].tolist() == [0.5]

    def test_a_column_missing_everywhere(self):
        with pytest.raises(InputError, match="Column `a` is missing in all 2 rows"):
            read("label,a,b\n1,,1\n0,NA,2\n", y_score=["a", "b"])
        with pytest.raises(InputError, match="Column `label` is missing in all 2 rows"):
            read("label,a\n,1\n,2\n")

    def test_no_row_complete(self):
        with pytest.raises(InputError, match=r"Every one of 2 rows misses a value.*`a` 1, `b` 1"):
            read("label,a,b\n1,,1\n0,1,\n")
