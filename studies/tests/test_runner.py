"""Answers are recorded once, whatever the number of processes."""

from dataclasses import replace

import pytest

from roclab_studies.coverage import intervals
from roclab_studies.ledger import Ledger
from roclab_studies.runner import fill

SMALL = replace(intervals.questions()[0], n_pos=5, n_neg=5, runs=40)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "intervals.csv"


def recorded(path):
    return Ledger(path, intervals.Answer).read()


class TestRunning:
    def asked(self):
        return [replace(SMALL, method=method) for method in ("auto", "delong")]

    def test_answers_are_recorded_and_not_made_twice(self, path, monkeypatch, capsys):
        def run(**options):
            made.clear()
            fill(intervals, self.asked(), {"auto", "delong"}, path, **options)
            return [question.method for question in made]

        made = []
        answer = intervals.answer
        monkeypatch.setattr(
            intervals, "answer", lambda question: made.append(question) or answer(question)
        )
        assert sorted(run(again=False, processes=1)) == ["auto", "delong"]
        assert "2/2" in capsys.readouterr().err
        before = path.read_text()
        assert run(again=False, processes=1) == []
        auto = [one for one in recorded(path) if one.method == "auto"]
        Ledger(path, intervals.Answer).write(auto)  # as if interrupted before
        assert run(again=False, processes=1) == ["delong"]
        assert len(run(again=True, processes=1)) == 2
        assert path.read_text() == before

    def test_only_the_methods_named_are_done(self, path):
        fill(intervals, self.asked(), {"auto"}, path, again=False, processes=1)
        first = recorded(path)
        assert [one.method for one in first] == ["auto"]
        fill(intervals, self.asked(), {"delong"}, path, again=True, processes=1)
        assert [one.method for one in recorded(path)] == ["auto", "delong"]
        assert recorded(path)[:1] == first

    def test_answers_to_what_is_no_longer_asked_are_forgotten(self, path):
        asked = self.asked()
        fill(intervals, asked, {"delong"}, path, again=False, processes=1)
        fewer = [replace(question, runs=20) for question in asked]
        fill(intervals, fewer, {"delong"}, path, again=False, processes=1)
        assert [one.runs for one in recorded(path)] == [20]

    def test_processes_change_nothing(self, tmp_path):
        paths = [tmp_path / f"{processes}.csv" for processes in (1, 2)]
        for processes, path in enumerate(paths, start=1):
            fill(
                intervals,
                self.asked(),
                {"auto", "delong"},
                path,
                again=False,
                processes=processes,
            )
        assert paths[0].read_text() == paths[1].read_text()

    def test_answers_that_come_in_turns_are_all_recorded(self, path, monkeypatch):
        # As with Spark: this backend of joblib has no answers before all of a turn are there.
        monkeypatch.setattr("roclab_studies.runner._TURN", 1)
        asked = [replace(SMALL, runs=runs) for runs in (2, 3, 4, 5, 6)]
        fill(
            intervals,
            asked,
            {SMALL.method},
            path,
            again=False,
            processes=2,
            backend="multiprocessing",
        )
        assert [one.runs for one in recorded(path)] == [2, 3, 4, 5, 6]
