"""Times of windows: the same events in turns."""

from itertools import chain

import pytest

import roclab as rl
from roclab_studies.sliding_window import times as window_times


class TestTimes:
    question = window_times.Question(stream="airlines", size=50, eps=0.5, events=100)

    def test_all_windows_take_the_same_events_in_turns(self, stream, monkeypatch):
        calls = []

        def seconds(window, labels, scores):
            calls.append((window, labels.tolist(), scores.tolist()))
            window.update_many(labels, scores)
            # A slow round in five must not count.
            return {0.5: 2, 0: 6}.get(getattr(window, "eps", None), 1) * (
                9 if len(calls) < 4 else 1
            )

        monkeypatch.setattr(window_times, "_seconds", seconds)
        found = window_times.answer(self.question)
        per_event = 1e9 / 20
        assert found.approximate == 2 * per_event
        assert found.recomputed == 6 * per_event
        assert found.exact == per_event
        assert found.speed_up == 3
        for place in range(3):
            taken = calls[place::3]
            assert len({id(window) for window, *_ in taken}) == 1
            for column in (0, 1):
                parts = [call[1 + column] for call in taken]
                assert list(chain(*parts)) == stream[column][50:150].tolist()
        content = [call[0].ranking() for call in calls[-3:]]
        assert len({rl.auc(one) for one in content}) == 1

    @pytest.mark.usefixtures("stream")
    def test_times_are_taken(self):
        found = window_times.answer(self.question)
        assert min(found.approximate, found.recomputed, found.exact) > 0
