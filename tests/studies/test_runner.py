"""Answers are recorded once, whatever the number of processes."""

from dataclasses import replace

from studies.coverage import intervals
from studies.runner import fill, recorded

SMALL = replace(intervals.questions()[0], n_pos=5, n_neg=5, runs=40)


class TestRunning:
    def asked(self):
        return [replace(SMALL, method=method) for method in ("auto", "delong")]

    def test_answers_are_recorded_and_not_made_twice(self, tmp_path, monkeypatch, capsys):
        def run(**options):
            made.clear()
            fill(intervals, self.asked(), {"auto", "delong"}, tmp_path, **options)
            return [question.method for question in made]

        made = []
        answer = intervals.answer
        monkeypatch.setattr(
            intervals, "answer", lambda question: made.append(question) or answer(question)
        )
        assert sorted(run(again=False, processes=1)) == ["auto", "delong"]
        assert "2/2" in capsys.readouterr().err
        before = (tmp_path / "auto.csv").read_text()
        assert run(again=False, processes=1) == []
        (tmp_path / "delong.csv").unlink()  # as if interrupted before
        assert run(again=False, processes=1) == ["delong"]
        assert len(run(again=True, processes=1)) == 2
        assert (tmp_path / "auto.csv").read_text() == before

    def test_only_the_methods_named_are_done(self, tmp_path):
        fill(intervals, self.asked(), {"auto"}, tmp_path, again=False, processes=1)
        assert [path.name for path in tmp_path.iterdir()] == ["auto.csv"]

    def test_answers_to_what_is_no_longer_asked_are_forgotten(self, tmp_path):
        asked = self.asked()
        fill(intervals, asked, {"delong"}, tmp_path, again=False, processes=1)
        fewer = [replace(question, runs=20) for question in asked]
        fill(intervals, fewer, {"delong"}, tmp_path, again=False, processes=1)
        assert [one.runs for one in recorded(intervals, tmp_path)] == [20]

    def test_processes_change_nothing(self, tmp_path):
        for processes in (1, 2):
            folder = tmp_path / str(processes)
            fill(
                intervals,
                self.asked(),
                {"auto", "delong"},
                folder,
                again=False,
                processes=processes,
            )
        for name in ("auto.csv", "delong.csv"):
            assert (tmp_path / "1" / name).read_text() == (tmp_path / "2" / name).read_text()

    def test_answers_that_come_in_turns_are_all_recorded(self, tmp_path, monkeypatch):
        # As with Spark: this backend of joblib has no answers before all of a turn are there.
        monkeypatch.setattr("studies.runner._TURN", 1)
        asked = [replace(SMALL, runs=runs) for runs in (2, 3, 4, 5, 6)]
        fill(
            intervals,
            asked,
            {SMALL.method},
            tmp_path,
            again=False,
            processes=2,
            backend="multiprocessing",
        )
        assert [one.runs for one in recorded(intervals, tmp_path)] == [2, 3, 4, 5, 6]
