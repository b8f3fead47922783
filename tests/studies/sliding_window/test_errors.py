"""Errors of the approximate window: answers that a loop finds too."""

import os

import numpy as np
import pytest
from reference_streaming import PaperWindow, twice_wins

from studies.pages import RESULTS
from studies.runner import question_of, recorded
from studies.sliding_window import drift
from studies.sliding_window import errors as window_errors
from studies.sliding_window import times as window_times


class TestErrors:
    question = window_errors.Question(stream="airlines", size=60, eps=0.3, events=350)

    def test_answers_what_a_loop_finds(self, stream):
        paper = {False: PaperWindow(0.3), True: PaperWindow(0.3)}  # plain, and with labels flipped
        events, errors, flipped, lengths = [], [], [], []
        for label, score in zip(*(column[:350].tolist() for column in stream), strict=True):
            events.append((label, score))
            gone = [events.pop(0)] if len(events) > 60 else []
            for y, s in gone:
                (paper[False].rem_pos if y else paper[False].rem_neg)(-s)
                (paper[True].rem_neg if y else paper[True].rem_pos)(-s)
            (paper[False].add_pos if label else paper[False].add_neg)(-score)
            (paper[True].add_neg if label else paper[True].add_pos)(-score)
            if len(events) == 60:
                n_pos = sum(y for y, _ in events)
                pairs, wins = n_pos * (60 - n_pos), twice_wins(events) / 2
                errors.append(abs(float(paper[False].approx()) - wins) / wins)
                flipped.append(abs(pairs - float(paper[True].approx()) - wins) / wins)
                lengths.append(len(paper[False].C.nodes))
        found = window_errors.answer(self.question)
        assert (found.windows, found.largest_list) == (291, max(lengths))
        assert found.mean_list == pytest.approx(np.mean(lengths), rel=1e-3)
        for name, values in (("error", errors), ("flipped_error", flipped)):
            assert getattr(found, f"mean_{name}") == pytest.approx(np.mean(values), rel=1e-3)
            assert getattr(found, f"largest_{name}") == pytest.approx(max(values), rel=1e-3)
        assert 0 < found.mean_error < found.guarantee == 0.15

    def test_windows_without_a_class_are_left_out(self, stream, monkeypatch):
        labels = stream[0].copy()
        labels[100:200] = True
        labels[[99, 200]] = False
        monkeypatch.setattr(window_errors, "scored", {"airlines": (labels, stream[1])}.get)
        assert window_errors.answer(self.question).windows == 291 - 41

    @pytest.mark.parametrize("study", [window_errors, window_times, drift])
    def test_asks_each_question_once(self, study):
        asked = study.questions()
        assert len(set(asked)) == len(asked)
        assert all(question.events > 0 for question in asked if hasattr(question, "events"))

    def test_recorded_errors_are_those_of_the_library_as_it_is(self):
        """If the window has changed: python -m studies window_errors --again."""
        if not os.environ.get("ROCLAB_DATA"):
            pytest.skip("ROCLAB_DATA is not set: no folder with electricity.csv.gz")
        rows = recorded(window_errors, RESULTS / "window_errors")
        row = next(row for row in rows if (row.stream, row.eps) == ("electricity", 0.1))
        found = window_errors.answer(question_of(window_errors, row))
        assert found.windows == row.windows == 33_984 - 999
        # Another scikit-learn may stop its fit a little elsewhere.
        for name in ("mean_auc", "mean_error", "mean_flipped_error", "mean_list"):
            assert getattr(found, name) == pytest.approx(getattr(row, name), rel=0.01)
