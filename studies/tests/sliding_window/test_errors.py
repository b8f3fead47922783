"""Errors of the approximate window: answers that a loop finds too."""

import os

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.runner import question_of
from roclab_studies.sliding_window import drift
from roclab_studies.sliding_window import errors as window_errors
from roclab_studies.sliding_window import times as window_times


class TestErrors:
    question = window_errors.Question(stream="airlines", size=60, eps=0.3, events=350)

    def test_answers_what_a_loop_finds(self, stream):
        labels, scores = (column[:350] for column in stream)
        plain, other = rl.ApproximateWindowAUC(60, 0.3), rl.ApproximateWindowAUC(60, 0.3)
        errors, flipped, lengths = [], [], []
        for end in range(1, 351):
            plain.update(labels[end - 1], scores[end - 1])
            other.update(not labels[end - 1], scores[end - 1])
            if end >= 60:
                auc = rl.auc(labels[end - 60 : end], scores[end - 60 : end])
                errors.append(abs(plain.auc - auc) / auc)
                flipped.append(abs(1 - other.auc - auc) / auc)
                lengths.append(plain.compressed_size)
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
        """If the window has changed: python -m roclab_studies window_errors --again."""
        if not os.environ.get("ROCLAB_DATA"):
            pytest.skip("ROCLAB_DATA is not set: no folder with electricity.csv.gz")
        rows = STUDIES["window_errors"].recorded()
        row = next(row for row in rows if (row.stream, row.eps) == ("electricity", 0.1))
        found = window_errors.answer(question_of(window_errors, row))
        assert found.windows == row.windows == 33_984 - 999
        # Another scikit-learn may stop its fit a little elsewhere.
        for name in ("mean_auc", "mean_error", "mean_flipped_error", "mean_list"):
            assert getattr(found, name) == pytest.approx(getattr(row, name), rel=0.01)
