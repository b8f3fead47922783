"""The benchmark harness: contenders that disagree are refused, threads are set for the call."""

import os

import numpy as np
import pytest

from benchmarks import harness
from benchmarks.harness import Case, Contender, DisagreementError


@pytest.mark.parametrize("wrong", [0.5 + 1e-6, np.nan, [0.5, 0.5]])
def test_contenders_that_disagree_are_not_timed(wrong):
    case = Case(
        name="halves",
        contenders=[
            Contender(name="peer", call=lambda: 0.5),
            Contender(name="wrong", call=lambda: wrong, tolerance=1e-9),
        ],
    )
    with pytest.raises(DisagreementError, match="wrong finds"):
        harness.timing_table("halves", iter([case]))


def test_what_was_left_out_is_said():
    case = Case(
        name="halves",
        contenders=[Contender(name="peer", call=lambda: 0.5)],
        skipped=["rival left out: too slow"],
    )
    table = harness.timing_table("halves", iter([case]))
    assert "- halves: rival left out: too slow" in table.to_markdown()


def test_threads_are_set_for_the_call_only(monkeypatch):
    monkeypatch.setenv("ROCLAB_NUM_THREADS", "7")
    contender = Contender(name="peer", call=lambda: os.environ["ROCLAB_NUM_THREADS"], threads=2)
    assert harness._call(contender) == "2"
    assert os.environ["ROCLAB_NUM_THREADS"] == "7"
