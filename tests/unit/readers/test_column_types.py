"""Columns of every type in every role: used exactly, or refused by name."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

import roclab as rl
from roclab import InputError, read_scores
from roclab.readers import read_examples, read_features

pytestmark = pytest.mark.usefixtures("engine")

Y = [0, 1, 0, 1]
S = [0.1, 0.9, 0.4, 0.3]
BIG = 2**100


class Thing:
    """An object that is nothing else."""


NUMBERS = {
    "int128": pl.Series(Y, dtype=pl.Int128),
    "uint128": pl.Series(Y, dtype=pl.UInt128),
    "decimal": pl.Series(map(Decimal, Y), dtype=pl.Decimal(38, 2)),
    "float16": pl.Series(Y, dtype=pl.Float16),
    "float32": pl.Series(Y, dtype=pl.Float32),
    "int8": pl.Series(Y, dtype=pl.Int8),
    "uint64": pl.Series(Y, dtype=pl.UInt64),
    "boolean": pl.Series(map(bool, Y)),
}
# Different values that float64 cannot hold apart.
WIDE = {
    "int128": pl.Series([BIG + y for y in Y], dtype=pl.Int128),
    "uint128": pl.Series([2**127 + y for y in Y], dtype=pl.UInt128),
    "decimal": pl.Series([Decimal(10**30 + y) for y in Y], dtype=pl.Decimal(38, 2)),
}
DAY = datetime.date(2020, 2, 1)
NAMES = {
    "text": ["a", "b", "a", "b"],
    "enum": pl.Series(["a", "b", "a", "b"], dtype=pl.Enum(["a", "b"])),
    "category": pl.Series(["a", "b", "a", "b"], dtype=pl.Categorical),
    "date": [DAY.replace(day=1 + y) for y in Y],
    "time": [datetime.time(y) for y in Y],
    "moment": [datetime.datetime(2020, 2, 1 + y) for y in Y],
    "duration": [datetime.timedelta(seconds=y) for y in Y],
    "bytes": [b"\xff" if y else b"a" for y in Y],
}
NESTED = {
    "list": pl.Series([[y, 2] for y in Y]),
    "lists of nothing": pl.Series([[]] * 4, dtype=pl.List(pl.Null)),
    "array": pl.Series([[y, 2] for y in Y], dtype=pl.Array(pl.Int64, 2)),
    "struct": pl.Series([{"a": y, "b": 2} for y in Y]),
}
NO_NUMBERS = NAMES | NESTED | {"object": pl.Series([Thing() for _ in Y], dtype=pl.Object)}


def cases(columns):
    return pytest.mark.parametrize("values", columns.values(), ids=list(columns))


def frame(values):
    return pl.DataFrame({"y": Y, "s": S, "c": values})


class TestReadScores:
    @cases(NUMBERS)
    def test_numbers_play_every_role(self, values):
        data = frame(values)
        assert read_scores(data, y_true="c", y_score="s").y_true.tolist() == [False, True] * 2
        assert read_scores(data, y_true="c", y_score="s", pos_label="0").y_true.tolist() == [
            True,
            False,
        ] * 2  # fmt: skip
        table = read_scores(data, y_true="y", y_score=["c"], sample_weight="s")
        assert table.scores["c"].tolist() == Y
        table = read_scores(data, y_true="y", y_score="s", sample_weight="c")
        assert table.sample_weight.tolist() == Y
        table = read_scores(data, y_true="y", y_score="s", by="c")
        assert [len(part) for part in table.split("c").values()] == [2, 2]

    @cases(WIDE)
    def test_wide_numbers_are_labels_and_groups_and_no_scores(self, values):
        data = frame(values)
        first, second = values.to_list()[:2]
        with pytest.raises(InputError, match=r"`c` \(.*\) is \d+(\.00)? in row [12]; .* may have"):
            read_scores(data, y_true="y", y_score="c")
        table = read_scores(data, y_true="c", y_score="s", pos_label=str(second))
        assert table.y_true.tolist() == [False, True] * 2
        parts = read_scores(data, y_true="y", y_score="s", by="c").split("c")
        assert [*parts] == [first, second]

    @pytest.mark.parametrize("low", [-(2**63), 0, 2**63 - 4])
    def test_64_bits_are_exact(self, low):
        values = [low + at for at in range(4)]
        column = pl.Series(values, dtype=pl.Int128)
        assert read_scores(frame(column), y_true="y", y_score="c").scores["c"].tolist() == values
        unsigned = pl.Series([value + 2**63 for value in values], dtype=pl.UInt128)
        scores = read_scores(frame(unsigned), y_true="y", y_score="c").scores["c"]
        assert scores.tolist() == unsigned.to_list()
        table = rl.ScoreTable(Y, {"s": column}, groups={"g": column})
        assert table.scores["s"].tolist() == list(table.split("g")) == values
        beyond = pl.Series([1, 2, 2**63, 4], dtype=pl.Int128)
        with pytest.raises(InputError, match=r"Int128\) is 9223372036854775808 in row 3"):
            read_scores(frame(beyond), y_true="y", y_score="c")

    @pytest.mark.parametrize(("digits", "fine"), [(15, True), (16, False)])
    def test_decimals_have_as_many_digits_as_float64_keeps_apart(self, digits, fine):
        values = [Decimal(10**digits - 1 - at).scaleb(-3) for at in range(4)]
        data = frame(pl.Series(values, dtype=pl.Decimal(38, 3)))
        if fine:
            found = read_scores(data, y_true="y", y_score="c").scores["c"]
            assert found.tolist() == [float(value) for value in values]
            assert len({*found.tolist()}) == 4
        else:
            with pytest.raises(InputError, match=f"is {values[0]} in row 1; decimals may have 15"):
                read_scores(data, y_true="y", y_score="c")

    def test_wide_numbers_that_stay_distinct_are_taken(self):
        values = pl.Series([BIG * y for y in Y], dtype=pl.Int128)
        table = read_scores(frame(values), y_true="c", y_score="s", pos_label=BIG, by="y")
        assert table.y_true.tolist() == [False, True] * 2

    @cases(NO_NUMBERS)
    def test_what_is_no_number_is_no_score_and_no_weight(self, values):
        data = frame(values)
        with pytest.raises(InputError, match=r"Column `c` is .*, not numeric.*y_score needs"):
            read_scores(data, y_true="y", y_score="c")
        with pytest.raises(InputError, match=r"not numeric.*sample_weight needs numbers"):
            read_scores(data, y_true="y", y_score="s", sample_weight="c")
        assert read_scores(data, y_true="y").names == ("s",)

    @cases(NAMES)
    def test_names_are_labels_and_groups(self, values):
        data = frame(values)
        positive = data["c"].to_list()[1]
        table = read_scores(data, y_true="c", y_score="s", pos_label=positive)
        assert table.y_true.tolist() == [False, True] * 2
        parts = read_scores(data, y_true="y", y_score="s", by="c").split("c")
        assert list(parts) == data["c"].to_list()[:2]
        with pytest.raises(InputError, match="y_true holds two values"):
            read_scores(data, y_true="c", y_score="s")

    @cases(NESTED)
    def test_lists_are_neither(self, values):
        for roles in ({"y_true": "c"}, {"y_true": "y", "by": "c"}):
            with pytest.raises(InputError, match=r"Column `c` holds values of type `(list|dict)`"):
                read_scores(frame(values), y_score="s", **roles)

    @pytest.mark.parametrize("value", [[1], {"a": 1}, {1}, np.zeros(2)], ids=str)
    def test_nor_are_objects_of_pandas_that_hold_them(self, value):
        data = pd.DataFrame({"y": Y, "s": S, "c": pd.Series([value] * 4, dtype=object)})
        for roles in ({"y_true": "c"}, {"y_true": "y", "by": "c"}):
            with pytest.raises(InputError, match="Column `c` holds values of type"):
                read_scores(data, y_score="s", **roles)

    def test_a_long_list_of_categories_is_cut(self):
        names = [f"category {at}" for at in range(1000)]
        data = frame(pl.Series(names[:4], dtype=pl.Enum(names)))
        with pytest.raises(InputError, match=r"is (Categorical|Enum\(.{50,60}\.\.\.), not numeric"):
            read_scores(data, y_true="y", y_score="c")


@pytest.fixture
def path(tmp_path, values):
    path = tmp_path / "rows.parquet"
    frame(values).write_parquet(path)
    return path


class TestExamplesAndFeatures:
    @cases(NUMBERS)
    def test_numbers(self, path):
        table = read_examples(
            path, y_true="y", features=["c"], categories=["s"], sample_weight=None
        )
        assert table.features[:, 0].tolist() == Y
        assert read_examples(path, y_true="c", features=["s"]).y_true.tolist() == [False, True] * 2
        assert read_features(path, ["c"]).features.ravel().tolist() == Y

    @cases({name: NAMES[name] for name in ("text", "enum", "category", "date", "time", "moment")})
    def test_names_are_categories(self, path):
        texts = read_examples(path, y_true="y", categories=["c"], features=["s"]).features[:, 1]
        assert texts[0] == texts[2] != texts[1] == texts[3]
        assert all(isinstance(text, str) for text in texts)
        same = read_features(path, ["c"], categories=["c"]).features.ravel()
        assert same.tolist() == texts.tolist()

    @cases(NESTED | {name: NAMES[name] for name in ("duration", "bytes")})
    def test_other_columns_are_not(self, path):
        with pytest.raises(InputError, match=r"Column `c` is .*; a category is text, a number"):
            read_examples(path, y_true="y", categories=["c"])
        with pytest.raises(InputError, match=r"Column `c` is .*; a category is text, a number"):
            read_features(path, ["c"], categories=["c"])
        with pytest.raises(InputError, match="not numeric"):
            read_examples(path, y_true="y", features=["c"])
        with pytest.raises(InputError, match="not numeric"):
            read_features(path, ["c"])
        assert read_examples(path, y_true="y").names == ("s",)


class TestSeriesOfPolars:
    """Where arrays are taken, a series that NumPy has no type for is refused by us."""

    @pytest.mark.parametrize("name", ["int128", "uint128"])
    def test_128_bits(self, name):
        values, plain = NUMBERS[name], NUMBERS[name].to_list()
        for use in (
            lambda given: rl.ScoreTable(given, {"s": S}).y_true.tolist(),
            lambda given: rl.ScoreTable(Y, {"s": given})["s"].scores.tolist(),
            lambda given: len(rl.ScoreTable(Y, {"s": S}, groups={"g": given}).split("g")),
            lambda given: rl.auc(given, S),
            lambda given: rl.auc(Y, given),
            lambda given: rl.auc(Y, S, sample_weight=[v + 1 for v in given]),
            lambda given: rl.WindowAUC(4).update_many(Y, given, return_auc=True)[-1],
        ):
            assert use(values) == use(plain)
        assert rl.auc(Y, pl.Series([2**100, 1, 2, 3], dtype=pl.Int128)) == rl.auc(Y, [4, 1, 2, 3])
        with pytest.raises(InputError, match="y_score holds"):
            rl.auc(Y, pl.Series([2**100, 2**100 + 1, 2, 3], dtype=pl.Int128))

    @cases(NESTED)
    def test_lists(self, values):
        refused = r"holds a value of type ndarray in row 0|has shape \(4, 2\)"
        for use in (
            lambda: rl.ScoreTable(values, {"s": S}),
            lambda: rl.ScoreTable(values, {"s": S}, pos_label=1),
            lambda: rl.ScoreTable(Y, {"s": values}),
            lambda: rl.ScoreTable(Y, {"s": S}, sample_weight=values),
            lambda: rl.ScoreTable(Y, {"s": S}, groups={"g": values}),
            lambda: rl.auc(values, S),
            lambda: rl.auc(Y, values),
            lambda: rl.auc_interval(Y, S, cluster=values),
        ):
            with pytest.raises(InputError, match=refused):
                use()

    def test_a_group_of_two_columns_is_no_probability(self):
        with pytest.raises(InputError, match=r"groups\['g'\] has shape \(4, 2\).*Pass one column"):
            rl.ScoreTable(Y, {"s": S}, groups={"g": NESTED["array"]})

    @cases(NUMBERS | NAMES)
    def test_others_play_their_roles_or_are_refused(self, values):
        series = pl.Series(values)
        if series.dtype in (pl.Int128, pl.UInt128):
            return
        positive = series.to_list()[1]
        table = rl.ScoreTable(series, {"s": S}, pos_label=positive, groups={"g": series})
        assert table.y_true.tolist() == [False, True] * 2
        assert len(table.split("g")) == 2
        if series.dtype.is_numeric():
            assert rl.ScoreTable(Y, {"s": series}).scores["s"].tolist() == Y
        elif series.dtype != pl.Boolean:
            with pytest.raises(InputError, match=r"column 's' holds"):
                rl.ScoreTable(Y, {"s": series})


def test_arrays_that_fail_in_whatever_way_are_refused():
    class Odd:
        def __array__(self, dtype=None, copy=None):
            raise KeyError("two\nlines")

    with pytest.raises(InputError, match=r"y_score \(Odd\) cannot be read as an array \('two"):
        rl.auc(Y, Odd())

    class Large:
        def __array__(self, dtype=None, copy=None):
            raise MemoryError

    with pytest.raises(MemoryError):
        rl.auc(Y, Large())
