"""Summaries of cohorts on clusters: the rows of one table, bit by bit, for any partitions."""

import numpy as np
import polars as pl
import pytest

import roclab as rl

pytestmark = [
    # PySpark 4.3 is not sure of pandas 3 yet.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
NAMES = {"y_true": "label", "y_score": "p.score", "time": "decided at", "model": "credit"}


def table(seed=0, n=4000):
    """Predictions over a change of the clocks, with ties, missing labels and segments."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    time = np.datetime64("2026-03-26", "us") + rng.integers(0, 6 * 86_400e6, n).astype("m8[us]")
    regions = pl.Series(rng.choice(["north", "south"], n))
    return pl.DataFrame(
        {
            "label": pl.Series(y.astype(np.int64)).set(pl.Series(rng.random(n) < 0.15), None),
            "p.score": np.round(rng.normal(size=n) + y, 1),
            "decided at": pl.Series(time).dt.replace_time_zone("UTC"),
            "region": regions.set(pl.Series(rng.random(n) < 0.1), None),
            "tier": rng.integers(1, 3, n),
            "other": rng.normal(size=n),
        }
    )


def parted(frame):
    """Partitions: one class, none, no labels, a single row, and the others."""
    labelled = frame.filter(frame["label"].is_not_null())
    positives, negatives = (
        labelled.filter(pl.col("label") == 1),
        labelled.filter(pl.col("label") == 0),
    )
    return [
        positives[:300],
        frame[:0],
        frame.filter(frame["label"].is_null()),
        negatives[:1],
        pl.concat([negatives[1:1500], positives[300:]]),
        negatives[1500:],
    ]


@pytest.mark.parametrize(("cohort", "large"), [("hour", False), ("day", False), ("day", True)])
def test_any_partitions_give_the_rows_of_one_table(engine, cohort, large, monkeypatch):
    """Also where a cohort is too large for a worker."""
    if large:
        monkeypatch.setattr(engine.table, "broadcast_bytes", 40 * 500)
    options = {"cohort": cohort, "time_zone": "Europe/Berlin", "by": ["region", "tier"]}
    frame = table()
    found = rl.scale.cohort_summaries(engine.frame(parted(frame)), **NAMES, **options)
    assert found == rl.scale.cohort_summaries(frame, **NAMES, **options)
    assert len(found.rows) > 20


def test_times_of_text(engine):
    frame = table(1).with_columns(
        pl.col("decided at").dt.strftime("%Y-%m-%dT%H:%M:%S%.fZ"), pl.col("tier").cast(pl.String)
    )
    found = rl.scale.cohort_summaries(engine.frame(parted(frame)), **NAMES, by=["tier"])
    assert found == rl.scale.cohort_summaries(frame, **NAMES, by=["tier"])


def test_what_cannot_be_used_is_one_line(engine):
    frame = engine.frame(parted(table(2)))
    with pytest.raises(rl.InputError, match="`other` is Float64; a segment is text"):
        rl.scale.cohort_summaries(frame, **NAMES, by=["other"])
    with pytest.raises(rl.InputError, match=r"Column `other` has the time .* 1972 to 9998"):
        rl.scale.cohort_summaries(frame, **NAMES | {"time": "other"})
