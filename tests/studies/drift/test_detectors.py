"""The drift study: its streams are what they should be, and its counts those of the library."""

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from studies.drift import detectors
from studies.pages import RESULTS
from studies.runner import question_of, recorded


def question(**wanted):
    [found] = [
        one
        for one in detectors.questions()
        if all(getattr(one, name) == value for name, value in wanted.items())
    ]
    return found


def test_streams_have_the_auc_they_should():
    labels, scores = detectors.stream(np.random.default_rng(0), 0.9, 0.05, 400_000)
    assert rl.auc(labels, scores) == pytest.approx(0.9, abs=0.004)
    assert labels.mean() == pytest.approx(0.05, abs=0.002)


def test_a_large_drop_is_found_and_a_calm_stream_is_counted():
    asked = question(
        kind="change",
        method="test",
        auc=0.9,
        rate=0.5,
        drop=0.1,
        per_class=5,
        reference=detectors.KNOWN,
    )
    found = detectors.answer(replace(asked, streams=2))
    assert (found.events, found.calm, found.found) == (40_000, 2, 2)
    assert 100 < found.delay < 3000
    assert -0.25 < found.difference < -0.05


@pytest.mark.parametrize("method", ["test", "cusum"])
def test_recorded_delays_are_those_of_the_library_as_it_is(method):
    """If a detector has changed: python -m studies drift --again --methods <method>."""
    rows = recorded(detectors, RESULTS / "drift")
    row = next(
        row
        for row in rows
        if (row.kind, row.method, row.auc, row.rate) == ("change", method, 0.9, 0.05)
        and (row.per_class, row.reference) == (20, detectors.KNOWN)
    )
    assert detectors.answer(question_of(detectors, row)) == row
