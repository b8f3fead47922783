"""What workers of a cluster send, and what the driver says when they fail."""

import os
import pickle
import threading
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.readers.rows import RowReader
from roclab.scale.slots import CountTask, SlotCounts, divided_counts, merged_counts, rejoined_counts
from roclab.scale.tasks import SummaryTask, counted_rows, many_ties, merged_rows
from roclab.scale.workers import Outcome, cluster_error, errors_of, one_thread

READER = RowReader(label="y", models=("s",))
FRAME = pl.DataFrame({"y": [0, 1, 0, 1, 1], "s": [0.5, 0.5, -0.0, 0.0, 2.0]})


def test_an_error_of_ours_comes_back_as_a_value():
    def task(frames):
        for frame in frames:
            raise rl.InputError(found="{column} is odd", column=frame.columns[0])

    sent = Outcome.of(task, [FRAME]).to_bytes()
    with pytest.raises(rl.InputError, match=r"^y is odd\.$"):
        Outcome.from_bytes(sent).checked()


def test_other_errors_are_left_to_the_engine_which_tries_again():
    def task(frames):
        raise OSError(f"lost after {len([*frames])}")

    with pytest.raises(OSError, match="lost after 1"):
        Outcome.of(task, [FRAME])


def test_rows_are_counted():
    outcome = Outcome.of(lambda frames: sum(frame.height for frame in frames), [FRAME, FRAME])
    assert (outcome.rows, outcome.result) == (10, 10)


@pytest.mark.parametrize("before", [None, "3"])
def test_threads_of_a_worker_leave_the_setting_as_it_was(before, monkeypatch):
    if before is None:
        monkeypatch.delenv("ROCLAB_NUM_THREADS", raising=False)
    else:
        monkeypatch.setenv("ROCLAB_NUM_THREADS", before)
    first, second = threading.Event(), threading.Event()

    def late():
        with one_thread():
            first.set()
            second.wait()

    thread = threading.Thread(target=late)
    with one_thread():
        thread.start()
        first.wait()
    assert os.environ["ROCLAB_NUM_THREADS"] == "1"
    second.set()
    thread.join()
    assert os.environ.get("ROCLAB_NUM_THREADS") == before


TRACEBACK = """An exception was thrown from the Python worker:
Traceback (most recent call last):
  File "x.py", line 1, in f
    raise ValueError("no")
ValueError: no
way
 SQLSTATE: 38000"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TRACEBACK, "Spark could not finish: ValueError: no. See the Spark log"),
        (
            "Job aborted\n  at org.apache.X",
            "Spark could not finish: Job aborted. See the Spark log",
        ),
        ("", "Spark could not finish: RuntimeError. See the Spark log"),
        (
            "Traceback (most recent call last)\nModuleNotFoundError: No module named 'polars'",
            "Workers of Spark cannot import polars; they need the packages that the driver has. "
            "Install 'roclab[spark]' for them, and set PYSPARK_PYTHON to their python.",
        ),
        ("No module named 'mine.own'", "Install mine for them, and set"),
    ],
)
def test_a_failure_is_one_line_with_the_cause(text, said):
    assert said in str(cluster_error("Spark", "spark", RuntimeError(text)))


def test_the_stack_of_a_worker_is_not_shown():
    with pytest.raises(rl.RoclabError) as error, errors_of("Dask", "dask"):
        raise RuntimeError("lost")
    assert error.value.__suppress_context__
    assert str(error.value) == "Dask could not finish: lost. See the Dask log for details."


@pytest.mark.parametrize("n", [1, 2, 7, 1000])
def test_counts_are_the_same_after_a_journey_in_pieces(n):
    rng = np.random.default_rng(n)
    cuts = (rng.random(n).cumsum(), np.arange(3.0))
    task = CountTask(RowReader(label="y", models=("a", "b")), cuts)
    found = []
    for _ in range(3):
        y, a, b = rng.integers(0, 2, 50), rng.random(50) * n / 2, rng.integers(0, 3, 50) * 1.0
        found.append(task([pl.DataFrame({"y": y, "a": a, "b": b})]))
    survey, wanted = merged_counts(found)
    divided = [[*divided_counts(pickle.loads(pickle.dumps(one)), 4)] for one in found]
    merged = [merged_counts(pieces) for pieces in zip(*divided, strict=True)]
    again, rejoined = rejoined_counts(merged)
    assert again.counts == survey.counts
    for one, other in zip(rejoined, wanted, strict=True):
        for here, there in zip(one.masses, other.masses, strict=True):
            np.testing.assert_array_equal(here, there)


def test_large_counts_and_weights_survive_packing():
    counts = SlotCounts((np.array([0, 2**40, 0]), np.array([0, 1, 0])))
    weights = SlotCounts(tuple(np.array([0, 0.1, 0]) * k for k in (1.0, 2.0, 3.0, 4.0)))
    for one in (counts, weights, SlotCounts((np.zeros(3, np.int64),) * 2)):
        again = pickle.loads(pickle.dumps(one))
        for here, there in zip(again.masses, one.masses, strict=True):
            assert here.dtype == there.dtype
            np.testing.assert_array_equal(here, there)


def test_ties_that_were_counted_have_the_summary_of_their_rows():
    parts = [counted_rows(part) for part in (FRAME, FRAME[1:4])]
    rows = pl.concat([FRAME, FRAME[1:4]])
    wanted = rl.RangeSummary.from_arrays(rows["y"], rows["s"])
    task = SummaryTask(replace(READER, counted=True))
    for found in (task(parts), task([merged_rows(parts, 10)])):
        for name in ("n_pos", "n_neg", "twice_wins", "auc_variance", "scored_auc", "lowest"):
            assert getattr(found, name) == getattr(wanted, name), name
    assert task([]) == rl.RangeSummary()
    assert merged_rows(parts, 3) is None


def test_many_ties_are_few_scores_or_one_that_is_most():
    rng = np.random.default_rng(0)
    assert many_ties(np.round(rng.random(1000), 1), 2)
    assert not many_ties(rng.random(1000), 50)
    assert many_ties(np.where(rng.random(1000) < 0.5, 0, rng.random(1000)), 50)
