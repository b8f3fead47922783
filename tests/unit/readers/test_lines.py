"""Rows of different lengths: the fast search finds what the exact one finds."""

import csv
import io

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from roclab import FileFormatError, read_scores
from roclab.readers.lines import may_be_ragged, ragged_row

FIELDS = st.text(alphabet='ab,;"\n ', max_size=4)


def lines_of(rows, separator, quoting):
    page = io.StringIO(newline="")
    csv.writer(page, delimiter=separator, lineterminator="\n", quoting=quoting).writerows(rows)
    return page.getvalue().removesuffix("\n").split("\n")


@given(
    st.lists(st.lists(FIELDS, max_size=5), min_size=1, max_size=8),
    st.sampled_from([",", ";", "\t", "|", "a"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.integers(1, 4),
)
@example([["a", "b"], ["a", "b", *[""] * 20, "c"]], ",", csv.QUOTE_MINIMAL, 3)
@example([["a", "b,c\n\nd,e"], ["a", "b", "", ""]], ",", csv.QUOTE_MINIMAL, 1)
@example([['"', 'a"'], ["a"], ["b", "c"]], ",", csv.QUOTE_MINIMAL, 2)
def test_no_ragged_row_is_missed(rows, separator, quoting, at_once):
    lines = lines_of(rows, separator, quoting)
    parts = [pl.Series("line", lines[i : i + at_once]) for i in range(0, len(lines), at_once)]
    for width in range(1, 5):
        odd = [
            row
            for row in rows
            if len(row) != width
            and "".join(row).strip()
            and (len(row) < width or "".join(row[width:]).strip())
        ]
        exact = ragged_row(lines, separator=separator, width=width)
        assert (exact is not None) == bool(odd)
        if exact is not None:
            assert exact[1] == len(odd[0])
            assert may_be_ragged(parts, separator=separator, width=width)


@given(st.lists(st.lists(FIELDS, min_size=3, max_size=3), min_size=1, max_size=8))
def test_rows_of_one_length_need_no_exact_search(rows):
    """Fields in quotes may have separators and line ends."""
    lines = pl.Series("line", lines_of(rows, ",", csv.QUOTE_ALL))
    assert not may_be_ragged([lines], separator=",", width=3)


@pytest.mark.usefixtures("engine")
class TestEmptyFieldsAfterTheLastColumn:
    @pytest.mark.parametrize("surplus", [1, 2, 8, 9, 40])
    @pytest.mark.parametrize("last", ["", "0.5"])
    def test_do_not_count(self, surplus, last):
        """Whether or not the last column has all its values."""
        data = f"label,a,b\n1,2,1{',' * surplus}\n0,1,{last}\n1,3,2\n0,2,1\n".encode()
        assert read_scores(data, y_true="label", y_score="a").scores["a"].tolist() == [2, 1, 3, 2]

    @pytest.mark.parametrize("surplus", [1, 2, 8, 9, 40])
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    @pytest.mark.parametrize("value", ["5", '"5"', '"x,y"', '"x\ny"'])
    def test_count_before_a_value(self, surplus, end, value):
        row = f"0,3{',' * surplus}{value}"
        data = f"label,a{end}1,2{end}{row}{end}1,4,{end}".encode()
        line = 3 + value.count("\n")
        message = f"line {line}: {surplus + 2} fields, but the header has 2; all rows"
        with pytest.raises(FileFormatError, match=message):
            read_scores(data, y_true="label")
