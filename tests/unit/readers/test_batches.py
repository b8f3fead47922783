"""Batches of text files: small chunks of them, whatever the rows are."""

import os

import polars as pl
import pytest

from roclab import read_scores
from roclab.readers.batches import batches_of, small_chunks

NAME = "POLARS_CSV_CHUNK_SIZE"


def test_the_environment_is_as_before(monkeypatch):
    monkeypatch.delenv(NAME, raising=False)
    before = dict(os.environ)
    with small_chunks():
        assert int(os.environ[NAME]) < 1 << 22
    assert dict(os.environ) == before
    assert sum(batch.height for batch in batches_of(pl.LazyFrame({"a": [1, 2]}))) == 2
    assert dict(os.environ) == before


def test_what_the_user_has_set_stays(monkeypatch):
    monkeypatch.setenv(NAME, "12345")
    with small_chunks():
        assert os.environ[NAME] == "12345"
    assert os.environ[NAME] == "12345"


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("end", ["", ",\n", "\n\n"])
def test_rows_longer_than_a_chunk(tmp_path, end):
    """A record may begin in one chunk and end in the next but two."""
    sizes = [10, 1 << 19, (1 << 20) - 1, 1 << 20, 3 << 20, 5, (1 << 20) + 1, 2 << 20] * 2
    texts = [("x" * 997 + end) * (size // 1000 + 1) for size in sizes]
    frame = pl.DataFrame({"label": [0, 1] * 8, "a": range(16), "t": texts})
    frame.write_csv(tmp_path / "scores.csv")
    frame.write_ndjson(tmp_path / "scores.jsonl")
    for name in ("scores.csv", "scores.jsonl"):
        table = read_scores(tmp_path / name, y_true="label", y_score="a", by="t")
        assert table.scores["a"].tolist() == [*range(16)]
        assert table.groups["t"].tolist() == texts
