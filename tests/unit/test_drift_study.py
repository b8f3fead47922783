"""The drift study: its page quotes what was recorded, and its parts do what they say."""

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from studies import drift, drift_tables


def test_the_page_quotes_the_recorded_answers():
    found = drift.recorded()
    answers = [found[question] for question in drift.questions()]
    assert drift_tables.updated(drift.PAGE, answers) == drift.PAGE.read_text(encoding="utf-8")


def test_streams_have_the_auc_they_should():
    labels, scores = drift.stream(np.random.default_rng(0), 0.9, 0.05, 400_000)
    assert rl.auc(labels, scores) == pytest.approx(0.9, abs=0.004)
    assert labels.mean() == pytest.approx(0.05, abs=0.002)


def test_a_large_drop_is_found_and_a_calm_stream_is_counted():
    [question] = [
        one
        for one in drift.questions()
        if (one.kind, one.method, one.auc, one.rate) == ("change", "test", 0.9, 0.5)
        and (one.drop, one.per_class, one.reference) == (0.1, 5, drift.KNOWN)
    ]
    found = drift.answer(replace(question, streams=2))
    assert (found.events, found.calm, found.found) == (40_000, 2, 2)
    assert 100 < found.delay < 3000
    assert -0.25 < found.difference < -0.05


def test_answers_survive_being_written_down(tmp_path):
    one = next(iter(drift.recorded().values()))
    drift.write([one], tmp_path / "answers.csv")
    [(question, again)] = drift.recorded(tmp_path / "answers.csv").items()
    assert repr(again) == repr(one)
    assert question.method == one.method
