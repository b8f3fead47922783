"""`scale.compare`: the plan follows from the numbers of rows, and what is refused."""

import numpy as np
import polars as pl
import pytest
from parted_table import PartedTable

import roclab as rl
from roclab.readers.rows import RowReader
from roclab.scale import compare
from roclab.scale.comparison import compared
from roclab.scale.paired import CutSizes, gathered, rare_rows
from roclab.scale.sources import Reading

ROWS = 300_000
IN_MEMORY, BY_RARE_CLASS = 1, 2  # passes over the table
READER = RowReader(label="y", models=("good", "near", "same", "level"))


def frame_of(rows, share, seed=3):
    rng = np.random.default_rng(seed)
    y = rng.random(rows) < share
    good = rng.normal(size=rows) + y
    return pl.DataFrame(
        {
            "y": y.astype(np.int64),
            "good": good,
            "near": np.round(good + rng.normal(size=rows) / 5, 2).astype(np.float32),
            "same": 3 * good,
            "level": rng.integers(0, 5, rows) + y,
        }
    )


@pytest.fixture(scope="module", params=[0.01, 0.98])
def large(request):
    return frame_of(ROWS, request.param)


def passes(source, **options):
    """The comparison, and how often the table was read."""
    seen = []
    found = compare(source, y_true="y", progress=lambda done, _: seen.append(done), **options)
    return found, seen.count(ROWS)


def equal(found, expected):
    assert found.to_dict() == expected.to_dict()
    assert found == expected


def test_the_rarer_class_is_kept(large):
    found, read = passes(large.lazy(), memory_limit="10MB")
    assert read == BY_RARE_CLASS
    equal(found, rl.compare(rl.read_scores(large, y_true="y")))
    assert {pair.method for pair in found.pairs} == {"mover", "agreement"}


def test_balanced_rows_that_fit_are_compared_in_memory():
    balanced = frame_of(ROWS, 0.5)
    found, read = passes(balanced, correction="fdr", method="delong", confidence_level=0.9)
    assert read == IN_MEMORY
    table = rl.read_scores(balanced, y_true="y")
    equal(found, rl.compare(table, correction="fdr", method="delong", confidence_level=0.9))


@pytest.mark.parametrize("complete", ["all", 0, 1, None])
def test_rows_of_the_rarer_class_are_those_kept_or_are_read_again(complete):
    frame = frame_of(500, 0.1)
    table = PartedTable([*frame.iter_slices(90)])
    rows = gathered(table, READER)
    survey = table.survey(READER)
    survey.complete = complete
    if complete is not None:
        survey.kept.add(rows if complete == "all" else rows.of_class(complete))
    found = rare_rows(table, READER, survey)
    assert found.labels.tolist() == [1] * survey.counts.pos
    for model, scores in zip(READER.models, found.scores, strict=True):
        assert scores.tolist() == frame.filter(pl.col("y") == 1)[model].to_list()


def test_missing_values_and_text(tmp_path):
    frame = frame_of(400, 0.3).with_columns(
        near=pl.when(pl.col("level") > 3).then(None).otherwise("near"),
        y=pl.when(pl.col("y") == 1).then(pl.lit("ill")).otherwise(pl.lit("well")),
    )
    frame.write_csv(tmp_path / "scores.csv", null_value="NA")
    found = compare(tmp_path / "scores.csv", y_true="y", pos_label="ill")
    expected = rl.compare(rl.read_scores(tmp_path / "scores.csv", y_true="y", pos_label="ill"))
    equal(found, expected)
    assert found.missing.rows_dropped > 0
    two = compare(tmp_path / "scores.csv", y_true="y", y_score=["near", "good"], pos_label="ill")
    assert [one.model for one in two.models] == ["near", "good"]


def test_a_small_table_on_a_cluster_has_the_test_that_needs_rows():
    frame = frame_of(100, 0.45)
    expected = rl.compare(rl.read_scores(frame, y_true="y"))
    assert "studentized_permutation" in {pair.method for pair in expected.pairs}
    table = PartedTable([*frame.iter_slices(7)])
    found = compared(table, Reading(READER), correction="holm", method="auto", level=0.95)
    equal(found, expected)


def test_parts_without_rows_of_the_rarer_class():
    frame = frame_of(50_000, 0.002)
    parts = [frame.filter(pl.col("y") == 0), frame.head(0), frame.filter(pl.col("y") == 1)]
    found = compared(
        PartedTable(parts), Reading(READER), correction="holm", method="auto", level=0.95
    )
    equal(found, rl.compare(rl.read_scores(frame, y_true="y")))


def test_a_rarer_class_that_does_not_fit_is_refused():
    frame = frame_of(ROWS, 0.5)
    rare = min(frame["y"].sum(), ROWS - frame["y"].sum())
    with pytest.raises(rl.InputError, match=rf"has {rare:,} rows with 4 scores each") as refused:
        compare(frame, y_true="y", memory_limit="10MB")
    for words in ("would fit into memory", "memory_limit", "y_score", "sample", "independent"):
        assert words in str(refused.value)


@pytest.mark.parametrize("label", [0, 1])
def test_a_missing_class_is_undefined(label):
    frame = frame_of(20, 0.5).with_columns(y=pl.lit(label))
    with pytest.warns(rl.UndefinedMeasureWarning, match="needs both classes"):
        found = compare(frame, y_true="y")
    assert np.isnan(found.models[0].interval.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"correction": "bonferroni"}, "correction"),
        ({"method": "bootstrap"}, "method"),
        ({"confidence_level": 95}, "confidence_level"),
        ({"memory_limit": "lots"}, "memory_limit"),
        ({"y_score": "absent"}, "absent"),
        ({"y_score": "y"}, "named twice"),
    ],
)
def test_wrong_options_are_refused(options, words):
    with pytest.raises(rl.InputError, match=words):
        compare(frame_of(20, 0.5), y_true="y", **options)


def test_sizes_of_cuts_are_sent_in_few_bytes():
    ties, none = CutSizes.of(np.array([1, 300, 2])), CutSizes.of(np.array([1, 1]))
    assert ties.sizes.dtype == np.uint16
    assert none.sizes is None
    assert ties.by_slot().tolist() == [0, 1, 0, 300, 0, 2, 0]
    assert none.by_slot().tolist() == [0, 1, 0, 1, 0]
