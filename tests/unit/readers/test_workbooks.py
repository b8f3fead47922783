"""Excel workbooks: cells of every kind in every role, in the types that CSV has."""

from datetime import date, datetime, time

import numpy as np
import pytest
from workbooks import error, formula, percent, write_workbook

from roclab import ColumnError, InputError, read_scores
from roclab.readers.rewriting import read_rows

pytestmark = pytest.mark.usefixtures("engine")

Y = [1, 0, 1, 0]
A = [2.5, 1.5, 3, 2]
MANY = 1200  # more rows than a reader that guesses looks at


@pytest.fixture
def read(tmp_path):
    """Read a table that is written as the first sheet."""

    def read(*sheets, merged=(), **options):
        path = tmp_path / "scores.xlsx"
        write_workbook(path, *sheets, merged=merged)
        return read_scores(path, **{"y_true": "y"} | options)

    return read


def sheet(y=Y, a=A, **others):
    return [["y", "a", *others], *map(list, zip(y, a, *others.values(), strict=True))]


@pytest.mark.parametrize(
    "scores",
    [
        A,
        [*map(str, A)],
        [2.5, "1.5", 3, " 2 "],
        [*map(formula, A)],
        [*map(formula, map(str, A))],
        [percent(one) for one in A],
    ],
    ids=["numbers", "text", "both", "formulas", "formulas of text", "per cent"],
)
def test_numbers_are_numbers(read, scores):
    assert read(sheet(a=scores)).scores["a"].tolist() == A


def test_numbers_keep_their_digits(read):
    """Their text has nine decimals."""
    values = [0.1 + 0.2, 1 / 3, 1e-300, -123456789.123456789, 5e-324, 1e22, 1e308, 2.0**60]
    for others in ([], ["0.5"]):  # numbers alone, and beside one that is text
        table = read(sheet([1, 0] * 4 + [1] * len(others), values + others))
        assert table.scores["a"].tolist() == [*values, *map(float, others)]


def test_whole_numbers_are_integers(read):
    scores = read(sheet(a=[2**53, 2**53 - 1, -5, 0])).scores["a"]
    assert scores.dtype == np.int64
    assert scores.tolist() == [2**53, 2**53 - 1, -5, 0]


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        ([True, False] * 2, {}),
        (["1", "0"] * 2, {}),
        ([1, "0"] * 2, {}),
        ([formula(True), formula(False)] * 2, {}),
        (["yes", "no"] * 2, {"pos_label": "yes"}),
        ([date(2020, 1, 2), date(2020, 1, 1)] * 2, {"pos_label": "2020-01-02"}),
        ([datetime(2020, 1, 2, 3), datetime(2020, 1, 2)] * 2, {"pos_label": "2020-01-02 03:00"}),
    ],
)
def test_labels(read, labels, options):
    assert read(sheet(labels), **options).y_true.tolist() == [True, False] * 2


@pytest.mark.parametrize(
    ("groups", "read_as"),
    [
        ([date(2020, 1, 2), date(2020, 1, 1)], [date(2020, 1, 2), date(2020, 1, 1)]),
        ([datetime(2020, 1, 2, 3, 4, 5), date(2020, 1, 1)], [datetime(2020, 1, 2, 3, 4, 5),
                                                               datetime(2020, 1, 1)]),
        ([time(1, 2, 3), time(4)], [time(1, 2, 3), time(4)]),
        ([7, 8], [7, 8]),
        ([7, "x"], ["7", "x"]),
        (["007", 7], ["007", "7"]),
        ([1.5, 2], ["1.5", "2"]),
        ([0.1 + 0.2, 0.3], ["0.30000000000000004", "0.3"]),
        ([True, False], ["true", "false"]),
        (["b ", "b"], ["b ", "b"]),
        ([date(2020, 1, 1), "later"], ["2020-01-01 00:00:00", "later"]),
    ],
)  # fmt: skip
def test_groups(read, groups, read_as):
    table = read(sheet(g=groups * 2), by="g")
    assert table.groups["g"].tolist() == read_as * 2


@pytest.mark.parametrize(
    "missing",
    [None, "", "NA", "  ", error(), error("#N/A"), formula(None)],
    ids=["nothing", "no text", "NA", "blanks", "an error", "not available", "not computed"],
)
def test_missing_values(read, missing):
    table = read(sheet(a=[2.5, missing, 3, 2]))
    assert table.scores["a"].tolist() == [2.5, 3, 2]
    assert table.missing.by_column == {"a": 1}
    table = read(sheet([1, missing, 1, 0]))
    assert table.missing.by_column == {"y": 1}


def test_all_but_the_first_of_merged_cells_are_missing(read):
    table = read(sheet(g=["n", None, "s", None]), by="g", merged=["C2:C3", "C4:C5"])
    assert table.groups["g"].tolist() == ["n", "s"]
    assert table.missing.by_column == {"g": 2}


@pytest.mark.parametrize("late", ["oops", date(2020, 1, 2), True])
def test_what_is_no_number_is_refused_wherever_it_is(read, late):
    scores = [*A * (MANY // 4), late, 1]
    shown = {"oops": "oops", True: "true"}.get(late, "2020-01-02 00:00:00")
    message = f"^Column `a` is text, not numeric: `{shown}` in row {MANY + 1}; y_score needs"
    with pytest.raises(InputError, match=message):
        read(sheet([1, 0] * (MANY // 2 + 1), scores), y_score="a")


def test_values_after_many_missing_ones(read):
    table = read(sheet([None] * MANY + Y, [1] * MANY + A))
    assert (table.scores["a"].tolist(), table.missing.rows_dropped) == (A, MANY)
    table = read(sheet([1] * MANY + Y, [None] * MANY + A))
    assert (table.scores["a"].tolist(), table.missing.rows_dropped) == (A, MANY)


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: [[], [None, None], *rows],
        lambda rows: [[None, *row] for row in rows],
        lambda rows: [[row[0], None, row[1]] for row in rows],
        lambda rows: [*rows[:2], [], [None, None], *rows[2:], [], [None, None]],
        lambda rows: [*rows[:3], [*rows[3], 9], *rows[4:]],  # a remark beside the table
    ],
    ids=["rows above", "column before", "column between", "rows between", "beside"],
)  # fmt: skip
def test_empty_rows_and_columns_are_left_out(read, change):
    table = read(change(sheet()))
    assert table.scores.keys() == {"a"}
    assert table.scores["a"].tolist() == A
    assert table.missing.rows_dropped == 0


@pytest.mark.parametrize(("name", "shown"), [(2020, "2020"), (True, "true"), (0.5, "0.5")])
def test_names_that_are_no_text(read, name, shown):
    rows = sheet()
    rows[0][1] = name
    assert read(rows, y_score=shown).scores[shown].tolist() == A


class TestRefusals:
    def test_repeated_names(self, read):
        rows = [[*row, row[1]] for row in sheet()]
        with pytest.raises(InputError, match=r"^2 columns are called `a`; names must differ"):
            read(rows)
        named = [["y", "a", "x", "x"], *([*row, 1, 2] for row in sheet()[1:])]
        assert read(named, y_score="a").scores["a"].tolist() == A

    def test_a_title_above_the_header(self, read):
        message = (
            "^No column `y`. Columns: `Results`, ``. The first row with values is the header.$"
        )
        with pytest.raises(ColumnError, match=message):
            read([["Results"], [], *sheet()])

    def test_tables_in_another_sheet(self, read):
        message = "The first row with values is the header of the first sheet of `sheet1`, `sheet2`"
        with pytest.raises(ColumnError, match=f"^No column `y`. Columns: `notes`. {message}"):
            read([["notes"], ["x"]], sheet())
        message = r"is empty \(sheets: `sheet1`, `sheet2`\); a table with rows is needed"
        with pytest.raises(InputError, match=message):
            read([], sheet())
        assert read(sheet(), [["notes"]]).scores["a"].tolist() == A

    @pytest.mark.parametrize("rows", [[], [[]], [[None, None]]])
    def test_sheets_without_values(self, read, rows):
        with pytest.raises(InputError, match=r"^The first sheet of .* is empty"):
            read(rows)

    def test_no_rows_below_the_header(self, read):
        with pytest.raises(InputError, match="has no rows below its header"):
            read([["y", "a"], [], [None]])

    def test_dates_and_booleans_as_scores(self, read):
        with pytest.raises(InputError, match=r"`a` \(Date\); a score must be a number"):
            read(sheet(a=[date(2020, 1, 1 + at) for at in range(4)]))
        with pytest.raises(InputError, match=r"`a` \(Boolean\)"):
            read(sheet(a=[True, False] * 2))
        assert read(sheet(a=[True, False] * 2), y_score="a").scores["a"].tolist() == [1, 0, 1, 0]


def test_several_workbooks_are_one_table(tmp_path):
    write_workbook(tmp_path / "1.xlsx", sheet())
    write_workbook(tmp_path / "2.xlsx", sheet(a=["1", "2", 0.5, None]))
    table = read_scores(str(tmp_path / "*.xlsx"), y_true="y")
    assert table.scores["a"].tolist() == [*A, 1, 2, 0.5]


def test_rows_that_are_written_again(tmp_path):
    write_workbook(
        tmp_path / "x.xlsx", sheet(a=[2.5, "1.5", 0.1 + 0.2, None], t=["x", 1, None, "z"])
    )
    rows = read_rows(tmp_path / "x.xlsx")
    changed = rows.with_changed("a", np.negative, suffix="_new")
    assert changed["a_new"].to_list() == [-2.5, -1.5, -(0.1 + 0.2), None]
    assert changed["t"].to_list() == ["x", "1", None, "z"]
