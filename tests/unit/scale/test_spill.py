"""Rows on disk, divided by score: exact for any scores, in few files and few bytes."""

import errno
from functools import reduce

import numpy as np
import polars as pl
import pytest
from partitioned_rows import FAMILIES

import roclab as rl
from roclab.data.summary import RangeSummary
from roclab.readers.rows import RowReader
from roclab.scale import spill
from roclab.scale.spill import SpilledFrames, spilled_summaries
from roclab.scale.tasks import SummaryTask

ROWS = 6000


def summed(frame, sample, directory, *, in_memory=100, weight=None):
    reader = RowReader(label="y", models=("s",), weight=weight)
    found = spilled_summaries(
        lambda: frame.iter_slices(max(700, frame.height // 10)),
        SummaryTask(reader),
        rows=frame.height,
        sample=sample,
        rows_in_memory=in_memory,
        directory=directory,
    )
    return reduce(RangeSummary.join, found, RangeSummary())


@pytest.fixture
def opened(monkeypatch):
    """How many rows were written, and how many parts were open at the same time."""
    seen = {"rows": 0, "open": 0, "most": 0}

    class Watched(SpilledFrames):
        def __init__(self, parts, *given, **options):
            super().__init__(parts, *given, **options)
            seen["open"] += parts
            seen["most"] = max(seen["most"], seen["open"])

        def add(self, part, frame):
            super().add(part, frame)
            seen["rows"] += frame.height

        def free(self, part):
            seen["open"] -= not self._files[part].closed
            super().free(part)

    monkeypatch.setattr(spill, "SpilledFrames", Watched)
    return seen


@pytest.mark.parametrize("informative", [True, False])
@pytest.mark.parametrize("family", FAMILIES)
def test_any_scores_are_divided_in_few_steps(family, informative, opened, tmp_path):
    """Even if the first sample has one score only: the parts are sampled by themselves."""
    rng = np.random.default_rng(7)
    y = rng.random(ROWS) < 0.4
    scores = FAMILIES[family](rng, y)
    frame = pl.DataFrame({"y": y.astype(np.int64), "s": scores})
    sample = scores[::10].copy() if informative else scores[:1]
    found = summed(frame, sample, tmp_path)
    wanted = rl.Ranking(y, scores).summary
    for name in ("n_pos", "n_neg", "twice_wins", "pos_moment", "neg_moment"):
        assert getattr(found, name) == getattr(wanted, name), name
    assert found.auc == wanted.auc
    # A division that helps little may come first; after that each row is written at most once.
    assert opened["rows"] <= (1 if informative else 2) * 1.2 * ROWS
    assert opened["open"] == 0
    assert opened["most"] <= 2 * (spill.MOST_PARTS + 1)


@pytest.mark.parametrize("family", ["mostly infinities", "only infinities", "one value"])
def test_weights_are_divided_with_their_rows(family, opened, tmp_path):
    rng = np.random.default_rng(8)
    y = rng.random(ROWS) < 0.4
    scores, weights = FAMILIES[family](rng, y), rng.choice([0.5, 1.0, 4.0], ROWS)
    frame = pl.DataFrame({"y": y.astype(np.int64), "s": scores, "w": weights})
    found = summed(frame, scores[:1], tmp_path, weight="w")
    wanted = rl.Ranking(y, scores, sample_weight=weights).summary
    for name in ("auc", "auc_variance", "effective_pos", "effective_neg"):
        assert getattr(found, name) == pytest.approx(getattr(wanted, name), rel=1e-12), name
    assert opened["most"] <= 2 * (spill.MOST_PARTS + 1)


@pytest.mark.parametrize("order", ["random", "ascending", "descending", "periodic"])
def test_parts_that_are_divided_again_are_small(order, opened, tmp_path):
    """Whatever the order of the rows, also where every k-th row has the same score."""
    rng = np.random.default_rng(9)
    n = 60_000
    scores = rng.permutation(n).astype(np.float64)
    if order == "periodic":
        scores[::32] = -1.0
    elif order != "random":
        scores = np.arange(n, dtype=np.float64)[:: 1 if order == "ascending" else -1].copy()
    y = rng.random(n) < 0.4
    frame = pl.DataFrame({"y": y.astype(np.int64), "s": scores})
    found = summed(frame, scores[:1], tmp_path, in_memory=1000)
    assert found.twice_wins == rl.Ranking(y, scores).summary.twice_wins
    # The useless division, then one into parts that fit.
    assert opened["rows"] <= 2 * n
    assert opened["most"] <= 2 + spill.MOST_PARTS + 1


def test_a_full_disk_is_one_line(monkeypatch, tmp_path):
    class Full:
        closed = False

        def write(self, _):
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(spill, "_temporary_file", lambda *_: Full())
    frame = pl.DataFrame({"y": [0, 1] * 100, "s": np.arange(200.0)})
    with pytest.raises(rl.RoclabError, match=r"No space left on device\. Name another") as error:
        summed(frame, np.arange(200.0), tmp_path, in_memory=20)
    assert error.value.__suppress_context__


def test_a_directory_that_does_not_exist_is_one_line(tmp_path):
    frame = pl.DataFrame({"y": [0, 1] * 100, "s": np.arange(200.0)})
    with pytest.raises(rl.RoclabError, match=r"No such file or directory\. Name another directory"):
        summed(frame, np.arange(200.0), tmp_path / "none", in_memory=20)
