"""Which columns of numbers are not taken for scores."""

import polars as pl
import pytest

from roclab.errors import InputError
from roclab.readers import read_examples, read_scores

pytestmark = pytest.mark.usefixtures("engine")

ROWS = 40
Y = [0, 1] * (ROWS // 2)
SCORE = [row % 7 / 7 for row in range(ROWS)]


def table(**columns):
    return read_scores(pl.DataFrame({"y": Y, **columns}), y_true="y")


@pytest.mark.parametrize(
    "name", ["id", "ID", "Id", "patient_id", "patient id", "PATIENT_ID", "patientId", "userID"]
)
def test_a_column_named_as_identifier_is_none(name):
    found = table(**{name: [1.5] * ROWS, "a": SCORE})
    assert found.names == ("a",)
    assert found.missing.identifiers == (name,)
    assert found.missing.columns_skipped == ()


@pytest.mark.parametrize("name", ["paid", "covid", "grid", "ideal", "id_score", "manifold"])
def test_other_names_stay_scores(name):
    assert table(**{name: SCORE, "a": SCORE}).names == (name, "a")


@pytest.mark.parametrize("name", ["fold", "cv_fold", "Fold", "cvFold"])
def test_numbers_of_folds_are_no_scores_but_other_folds_are(name):
    assert table(**{name: [1, 2, 3, 4] * 10, "a": SCORE}).missing.identifiers == (name,)
    assert table(**{name: SCORE, "a": SCORE}).names == (name, "a")
    assert table(fold_change=[1, 2] * 20, a=SCORE).names == ("fold_change", "a")


def test_integers_that_do_not_repeat():
    found = table(number=range(ROWS), a=SCORE)
    assert (found.names, found.missing.identifiers) == (("a",), ("number",))
    # One tie, one missing value, one fraction, or too few rows: scores.
    tied = [0, *range(ROWS - 1)]
    for values in (tied, [None, *range(ROWS - 1)], [0.5, *range(1, ROWS)]):
        assert table(number=pl.Series(values, strict=False), a=SCORE).names == ("number", "a")
    few = pl.DataFrame({"y": Y, "number": range(ROWS), "a": SCORE}).head(19)
    assert read_scores(few, y_true="y").names == ("number", "a")
    # A tie that the first rows show at last, and one that they do not.
    for rows, names in ((10_000, ("n", "a")), (10_002, ("a",))):
        numbers = [*range(rows - 1), 0]
        long = pl.DataFrame({"y": [0, 1] * (rows // 2), "n": numbers}).with_columns(a=0.5)
        assert read_scores(long, y_true="y").names == names


def test_ranks_alone_are_scores_and_an_identifier_alone_is_none():
    assert table(rank=range(ROWS)).names == ("rank",)
    assert table(rank=range(ROWS), id=range(ROWS)).names == ("rank",)
    with pytest.raises(InputError, match=r"`id` \(looks like an identifier\).*with y_score"):
        table(id=range(ROWS))


def test_what_is_named_is_taken():
    frame = pl.DataFrame({"y": Y, "id": range(ROWS), "a": SCORE})
    named = read_scores(frame, y_true="y", y_score=["id", "a"])
    assert (named.names, named.missing.identifiers) == (("id", "a"), ())
    grouped = read_scores(frame, y_true="y", by="id")
    assert (grouped.names, grouped.missing.identifiers) == (("a",), ())


@pytest.mark.parametrize("categories", [None, (), ("code",)])
def test_features_likewise(tmp_path, categories):
    path = tmp_path / "rows.csv"
    frame = pl.DataFrame({"y": Y, "row_id": range(ROWS), "code": range(ROWS), "a": SCORE})
    frame.write_csv(path)
    found = read_examples(path, y_true="y", categories=categories)
    kept = ("code", "a") if categories else ("a",)
    assert found.names == kept
    assert found.missing.identifiers == (("row_id",) if categories else ("row_id", "code"))
    assert read_examples(path, y_true="y", features=["row_id"]).names == ("row_id",)
