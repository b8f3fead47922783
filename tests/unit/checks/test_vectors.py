"""Whatever holds the values of the rows, the answer is that of a plain list of the same values."""

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import roclab as rl

_random = np.random.default_rng(0)
ROWS = 80
Y = _random.integers(0, 2, ROWS).tolist()
S = (_random.integers(0, 40, ROWS) / 40).tolist()
W = (_random.integers(1, 9, ROWS) / 4).tolist()
WIDE = 2**53


def repeated(*values):
    return [values[row % len(values)] for row in range(ROWS)]


# Read as numbers, neighbours would be equal.
TEXTS = repeated("1", "01", "1.0", "1e0", "2", "12345678901234560", "12345678901234561", " 1")
INTEGERS = repeated(WIDE, WIDE + 1, WIDE + 2, 0, 1)
FLOATS = repeated(0.5, 1.0, 1.5, -2.0, 1e300)
BOOLEANS = repeated(True, False)
DECIMALS = repeated(*map(decimal.Decimal, ("1.10", "1.20", "7", str(WIDE), str(WIDE + 1))))
DATES = repeated(*(datetime.date(2024, 2, day) for day in (1, 2, 3, 29)))
MOMENTS = repeated(*(datetime.datetime(2024, 2, 1, hour, 30) for hour in range(5)))
BYTES = repeated(b"a", b"b", b"a\0", b"1", b"01")


def encoded(values, kind=None):
    return pa.array(values, kind).dictionary_encode()


def chunked(values, kind=None):
    return pa.chunked_array([values[:5], [], values[5:]], type=kind or pa.array(values).type)


ANY = {
    "tuple": tuple,
    "numpy object": lambda v: np.fromiter(v, object, len(v)),
    "pandas": pd.Series,
    "pandas object": lambda v: pd.Series(v, dtype=object, index=range(7, 7 + len(v))),
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "pandas Categorical": pd.Categorical,
    "pandas Index": pd.Index,
    "pandas CategoricalIndex": pd.CategoricalIndex,
    "pandas array": lambda v: pd.Series(v).array,
    "pandas arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.array(v).type)),
    "pandas arrow dictionary": lambda v: pd.Series(pd.arrays.ArrowExtensionArray(encoded(v))),
    "polars": pl.Series,
    "polars object": lambda v: pl.Series(v, dtype=pl.Object),
    "arrow": pa.array,
    "arrow chunked": chunked,
    "list of rows": lambda v: [[value] for value in v],
    "numpy column": lambda v: np.fromiter(v, object, len(v))[:, np.newaxis],
    "pandas column": lambda v: pd.DataFrame({"a": v}, dtype=object, index=range(7, 7 + len(v))),
    "polars column": lambda v: pl.DataFrame({"a": pl.Series(v)}),
    "arrow column": lambda v: pa.table({"a": pa.array(v)}),
    "arrow dictionary": encoded,
    "arrow dictionary chunked": lambda v: chunked(v).dictionary_encode(),
}
TEXT_HOLDERS = ANY | {
    "numpy": np.array,
    "pandas str": lambda v: pd.Series(v, dtype="str"),
    "pandas string": lambda v: pd.Series(v, dtype="string"),
    "pandas string[python]": lambda v: pd.Series(v, dtype="string[python]"),
    "pandas string[pyarrow]": lambda v: pd.Series(v, dtype="string[pyarrow]"),
    "pandas string array": lambda v: pd.array(v, dtype="string"),
    "pandas large string": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.large_string())),
    "polars Categorical": lambda v: pl.Series(v, dtype=pl.Categorical),
    "polars Enum": lambda v: pl.Series(v, dtype=pl.Enum(list(dict.fromkeys(filter(None, v))))),
    "arrow large_string": lambda v: pa.array(v, pa.large_string()),
    "arrow string_view": lambda v: pa.array(v, pa.string_view()),
    "arrow string_view chunked": lambda v: chunked(v, pa.string_view()),
}
if hasattr(np.dtypes, "StringDType"):
    TEXT_HOLDERS["numpy StringDType"] = lambda v: np.array(v, np.dtypes.StringDType(na_object=None))
INTEGER_HOLDERS = ANY | {
    "numpy": np.array,
    "numpy uint64": lambda v: np.array(v, np.uint64),
    "numpy big-endian": lambda v: np.array(v, ">i8"),
    "pandas Int64": lambda v: pd.Series(v, dtype="Int64"),
    "pandas UInt64": lambda v: pd.Series(v, dtype="UInt64"),
    "pandas Int64 array": lambda v: pd.array(v, dtype="Int64"),
    "pandas Int64 Index": lambda v: pd.Index(v, dtype="Int64"),
    "pandas Int64 category": lambda v: pd.Series(v, dtype="Int64").astype("category"),
    "pandas sparse": lambda v: pd.Series(v, dtype=pd.SparseDtype("int64", 0)),
    "polars UInt64": lambda v: pl.Series(v, dtype=pl.UInt64),
    "polars Int128": lambda v: pl.Series(v, dtype=pl.Int128),
    "arrow uint64": lambda v: pa.array(v, pa.uint64()),
}
FLOAT_HOLDERS = ANY | {
    "numpy": np.array,
    "pandas Float64": lambda v: pd.Series(v, dtype="Float64"),
    "pandas sparse": lambda v: pd.Series(v, dtype=pd.SparseDtype("float64")),
}
BOOLEAN_HOLDERS = ANY | {
    "numpy": np.array,
    "pandas boolean": lambda v: pd.Series(v, dtype="boolean"),
}
DECIMAL_HOLDERS = ANY | {
    "polars Decimal": lambda v: pl.Series(v, dtype=pl.Decimal(38, 2)),
    "arrow decimal256": lambda v: pa.array(v, pa.decimal256(40, 2)),
}
DATE_HOLDERS = ANY | {"numpy": lambda v: np.array(v, "M8[D]")}
MOMENT_HOLDERS = ANY | {
    "numpy": lambda v: np.array(v, "M8[ns]"),
    "pandas zone": lambda v: pd.Series(v).dt.tz_localize("UTC"),
    "polars zone": lambda v: pl.Series(v).dt.replace_time_zone("UTC"),
    "arrow zone": lambda v: pa.array(v, pa.timestamp("us", "UTC")),
}
BYTES_HOLDERS = {name: hold for name, hold in ANY.items() if "category" not in name.lower()}
KINDS = {
    "texts": (TEXTS, TEXT_HOLDERS),
    "integers": (INTEGERS, INTEGER_HOLDERS),
    "floats": (FLOATS, FLOAT_HOLDERS),
    "booleans": (BOOLEANS, BOOLEAN_HOLDERS),
    "decimals": (DECIMALS, DECIMAL_HOLDERS),
    "dates": (DATES, DATE_HOLDERS),
    "moments": (MOMENTS, MOMENT_HOLDERS),
    "bytes": (BYTES, BYTES_HOLDERS),
}
# What cannot hold a missing value, or is then another type.
NEVER_MISSING = {
    "numpy": {"texts", "integers", "booleans", "bytes"},
    "numpy uint64": {"integers"},
    "numpy big-endian": {"integers"},
    "pandas sparse": {"integers"},
}


def cases(kinds=KINDS):
    return [
        pytest.param(KINDS[kind][0], hold, id=f"{kind}-{name}")
        for kind in kinds
        for name, hold in KINDS[kind][1].items()
    ]


@pytest.mark.parametrize(("values", "hold"), cases())
def test_clusters_strata_folds_and_groups(values, hold):
    held = hold(values)
    distinct = len(set(values))
    assert rl.auc_interval(Y, S, cluster=held) == rl.auc_interval(Y, S, cluster=values)
    assert rl.stratified_auc(Y, S, stratum=held) == rl.stratified_auc(Y, S, stratum=values)
    folds, plain = (rl.cross_validated_auc(Y, S, fold=fold) for fold in (held, values))
    assert len(folds.folds) == distinct
    assert [one.value for one in folds.folds] == [one.value for one in plain.folds]
    table, as_list = (rl.ScoreTable(Y, {"a": S}, groups={"g": g}) for g in (held, values))
    found, wanted = (list(one.split("g").values()) for one in (table, as_list))
    assert [rl.auc(one["a"]) for one in found] == [rl.auc(one["a"]) for one in wanted]
    if not isinstance(values[0], datetime.date):
        assert list(table.split("g")) == list(dict.fromkeys(values))
        assert [one.fold for one in folds.folds] == [one.fold for one in plain.folds]


@pytest.mark.parametrize(
    ("values", "hold"), cases([kind for kind in KINDS if kind not in ("dates", "moments")])
)
def test_labels(values, hold):
    held = hold(values)
    for positive in dict.fromkeys(values):
        wanted = [value == positive for value in values]
        assert rl.auc(held, S, pos_label=positive) == rl.auc(wanted, S)
        assert rl.Ranking(held, S, pos_label=positive).n_pos == sum(wanted)
    scores = dict.fromkeys(values, S)
    assert rl.multiclass_auc(held, scores) == rl.multiclass_auc(values, scores)
    other = 7 if isinstance(values[0], str) else "1"
    with pytest.raises(rl.InputError, match="pos_label"):
        rl.auc(held, S, pos_label=other)


@pytest.mark.parametrize("holder", INTEGER_HOLDERS)
def test_zeros_and_ones(holder):
    assert rl.auc(INTEGER_HOLDERS[holder](Y), S) == rl.auc(Y, S)


@pytest.mark.parametrize("holder", BOOLEAN_HOLDERS)
def test_true_and_false(holder):
    assert rl.auc(BOOLEAN_HOLDERS[holder]([y == 1 for y in Y]), S) == rl.auc(Y, S)


@pytest.mark.parametrize(("values", "hold"), cases(("integers", "floats", "booleans")))
def test_scores(values, hold):
    held = hold(values)
    assert rl.auc(Y, held) == rl.auc(Y, values)
    ranking = rl.Ranking(Y, held)
    assert ranking.scores.tolist() == sorted(set(values))
    assert rl.auc(ranking) == rl.auc(Y, values)
    assert rl.ScoreTable(Y, {"a": held}).scores["a"].tolist() == values
    assert rl.auc(Y, S, sample_weight=[min(abs(v), 9) for v in values]) == rl.auc(
        Y, S, sample_weight=hold([type(v)(min(abs(v), 9)) for v in values])
    )


@pytest.mark.parametrize(("values", "hold"), cases(("texts", "dates", "moments", "bytes")))
def test_what_is_no_number_is_no_score(values, hold):
    for refused in (values, hold(values)):
        with pytest.raises(rl.InputError, match=r"^y_score holds "):
            rl.auc(Y, refused)
        with pytest.raises(rl.InputError, match=r"^y_score holds "):
            rl.Ranking(Y, refused)
        with pytest.raises(rl.InputError, match=r"^sample_weight holds "):
            rl.auc(Y, S, sample_weight=refused)


@pytest.mark.parametrize(("values", "hold"), cases(("decimals",)))
def test_decimals_are_scores_unless_float64_makes_two_of_them_equal(values, hold):
    narrow = [min(value, decimal.Decimal(9)) for value in values]
    for held in (narrow, hold(narrow)):
        assert rl.auc(Y, held) == rl.auc(Y, list(map(float, narrow)))
        assert rl.Ranking(Y, held).scores.tolist() == sorted(set(map(float, narrow)))
        assert rl.auc(Y, S, sample_weight=held) == rl.auc(
            Y, S, sample_weight=list(map(float, narrow))
        )
    for held in (values, hold(values)):
        with pytest.raises(rl.InputError, match=r"^y_score holds .* rounds to the same number"):
            rl.auc(Y, held)


@pytest.mark.parametrize(
    ("values", "hold"),
    [
        pytest.param(values, hold, id=f"{kind}-{name}")
        for kind, (values, holders) in KINDS.items()
        for name, hold in ({"list": list} | holders).items()
        if kind not in NEVER_MISSING.get(name, ())
    ],
)
def test_a_missing_value_is_refused_with_its_row(values, hold):
    held = hold([*values[:3], None, *values[4:]])
    for ask, name in (
        (lambda: rl.auc(held, S, pos_label=values[0]), "y_true"),
        (lambda: rl.auc_interval(Y, S, cluster=held), "cluster"),
        (lambda: rl.stratified_auc(Y, S, stratum=held), "stratum"),
        (lambda: rl.cross_validated_auc(Y, S, fold=held), "fold"),
        (lambda: rl.ScoreTable(Y, {"a": S}, groups={"g": held}), r"groups\['g'\]"),
    ):
        with pytest.raises(rl.InputError, match=f"^{name} has no value in row 3 "):
            ask()
    # NaN among floats may be in a row of weight 0, so that scores are looked at later.
    with pytest.raises(rl.InputError, match=r"^y_score (has no value in|holds NaN.*at) row 3"):
        rl.auc(Y, held)
    with pytest.raises(rl.InputError, match=r"^sample_weight (has no value|is nan) in row 3"):
        rl.auc(Y, S, sample_weight=held)


@pytest.mark.parametrize(
    "missing", [None, np.nan, pd.NA, pd.NaT, np.datetime64("NaT", "s"), decimal.Decimal("sNaN")]
)
@pytest.mark.parametrize("values", [TEXTS, DECIMALS, DATES], ids=["texts", "decimals", "dates"])
def test_whatever_stands_for_a_missing_value(missing, values):
    with pytest.raises(rl.InputError, match=r"^cluster has no value in row 3 "):
        rl.auc_interval(Y, S, cluster=[*values[:3], missing, *values[4:]])


def test_digits_are_kept_whatever_is_missing():
    """A row of weight 0 must not turn the scores of the others into doubles."""
    scores = pd.Series([WIDE, WIDE + 1, None], dtype="Int64")
    with pytest.raises(rl.InputError, match="no value in row 2"):
        rl.auc([0, 1, 0], scores, sample_weight=[1, 1, 0])


def test_a_list_keeps_what_numpy_would_make_equal():
    mixed = repeated(1, "1", "nan", 2.5, True)
    assert len(rl.cross_validated_auc(Y, S, fold=mixed).folds) == 4  # 1 and True are equal
    assert len(rl.cross_validated_auc(Y, S, fold=repeated("a", "a\0", "b")).folds) == 3
    assert rl.auc(["a", "a\0", "b"], [3, 1, 2], pos_label="a\0") == 0
    wide = repeated(WIDE, WIDE + 1, 0.5)
    assert len(rl.cross_validated_auc(Y, S, fold=wide).folds) == 3
    with pytest.raises(rl.InputError, match="float64 rounds to the same number"):
        rl.auc(Y, wide)
    assert rl.auc([0, 1, 1], [float(WIDE), WIDE + 2, 0.5]) == 0.5
    with pytest.raises(rl.InputError, match="float64 rounds to the same number"):
        rl.auc([0, 1], pl.Series([2**100, 2**100 + 1], dtype=pl.Int128))


def test_values_that_cannot_be_names():
    for values in (pa.array([[y] for y in Y]), pl.Series([[y, y] for y in Y], dtype=pl.Object)):
        for ask in (
            lambda v=values: rl.auc_interval(Y, S, cluster=v),
            lambda v=values: rl.ScoreTable(Y, {"a": S}, groups={"g": v}),
            lambda v=values: rl.multiclass_auc(v, {0: S, 1: S}),
        ):
            with pytest.raises(rl.InputError, match="holds a value of type"):
                ask()


@pytest.mark.parametrize("positive", [pa.scalar("1"), np.str_("1"), np.array("1")])
def test_a_positive_label_taken_from_a_column(positive):
    texts = repeated("1", "0", "0")
    assert rl.auc(texts, S, pos_label=positive) == rl.auc([t == "1" for t in texts], S)


@pytest.mark.parametrize("missing", [pd.NA, np.nan, pa.scalar(None, pa.string())])
def test_a_missing_positive_label(missing):
    with pytest.raises(rl.InputError, match="pos_label is missing"):
        rl.auc(TEXTS, S, pos_label=missing)


@pytest.mark.parametrize("hold", [pd.Series, pl.Series, pa.array, chunked])
def test_streams_take_what_batches_take(hold):
    window = rl.WindowAUC(100)
    window.update_many(hold(Y), hold(S), sample_weight=hold(W))
    assert window.auc == pytest.approx(rl.auc(Y, S, sample_weight=W), rel=1e-12)
    timed = rl.TimeWindowAUC(100)
    timed.update_many(hold(Y), hold(S), time=hold(list(range(ROWS))))
    assert timed.auc == rl.auc(Y, S)
    with pytest.raises(rl.InputError, match=r"^time holds '1'"):
        timed.update_many(hold(Y), hold(S), time=hold(TEXTS))
    dated = rl.TimeWindowAUC(datetime.timedelta(days=99))
    dated.update_many(hold(Y), hold(S), time=hold(sorted(MOMENTS)))
    assert dated.auc == rl.auc(Y, S)


@pytest.mark.parametrize("hold", [np.array, pd.Series, lambda v: pd.Series(v, dtype="string")])
def test_models_of_text_labels_are_scored(hold):
    from sklearn.linear_model import LogisticRegression

    features = [[s] for s in S]
    labels = repeated("1", "01")
    model = LogisticRegression().fit(features, labels)
    wanted = rl.auc([label == "1" for label in labels], model.decision_function(features))
    assert rl.scorers["auc"](model, features, hold(labels)) == wanted


def test_text_is_no_feature_unless_it_is_a_category():
    frame = pd.DataFrame({"code": repeated("1", "01", "2"), "colour": repeated("a", "b")})
    for columns in (frame, frame.astype("category"), frame.to_numpy(object)):
        tree = rl.AUCSplitTreeClassifier(categorical_features=[0, 1]).fit(columns, Y)
        assert len(tree._codes.encoder.categories_[0]) == 3
        with pytest.raises(rl.InputError, match=r"^Feature 0 holds values that are not numbers"):
            rl.AUCSplitTreeClassifier(categorical_features=[1]).fit(columns, Y)


@pytest.mark.parametrize("text", ["0.5", ["0.5"], pd.Series(["0.5"])])
def test_text_is_no_margin_and_no_rate(text):
    with pytest.raises(rl.InputError, match=r"^tau holds text"):
        rl.margin_curve(Y, S).at(text)
    with pytest.raises(rl.InputError, match=r"^fpr holds text"):
        rl.binormal_fit(Y, S).tpr_at(text)
