"""The tables of windows: claims counted right."""

from dataclasses import replace

from roclab_studies.sliding_window import drift, streams, tables
from roclab_studies.sliding_window import errors as window_errors
from roclab_studies.sliding_window import times as window_times


class TestClaims:
    def errors(self):
        return [
            window_errors.Answer(
                stream=stream,
                size=1000,
                eps=eps,
                events=5000,
                windows=4001,
                mean_auc=0.8,
                mean_error=eps / 10,
                largest_error=eps / 3,
                mean_flipped_error=eps / 1000,
                largest_flipped_error=eps / 500,
                mean_list=10 / eps,
                largest_list=round(12 / eps),
            )
            for stream in streams.SOURCES
            for eps in (0.1, 1.0)
        ]

    def test_errors(self):
        lines = tables.error_claims(self.errors()).splitlines()[2:]
        assert "| largest is 0.67 of it at most | largest is 0.67 of it at most | yes |" in lines[0]
        assert "| smaller 5 to 5 times | smaller 5 to 5 times | **no** |" in lines[1]
        assert "| smaller 500 to 500 times | smaller 500 to 500 times | yes |" in lines[2]
        assert "mean in 1 of 1 steps, largest in 1 of 1 | yes |" in lines[3]
        assert "| 100 to 10 scores | 100 to 10 scores | yes |" in lines[4]
        broken = [replace(row, largest_error=row.eps) for row in self.errors()]
        assert "largest is 2.00 of it at most | **no** |" in tables.error_claims(broken)

    def times(self):
        windows = [(1000, eps) for eps in (0.01, 0.1, 1.0)] + [(10_000, 0.1)]
        return [
            window_times.Answer(
                stream=stream,
                size=size,
                eps=eps,
                events=5000,
                approximate={0.01: 3000.0, 0.1: 1100.0, 1.0: 1000.0}[eps],
                recomputed=2.2 * size,
                exact=400.0,
            )
            for stream in streams.SOURCES
            for size, eps in windows
        ]

    def test_times(self):
        lines = tables.time_claims(self.times()).splitlines()[2:]
        assert "by 3.0 times from the smallest eps to the largest | yes |" in lines[0]
        assert "within 1.10 times from eps 0.1 on | yes |" in lines[1]
        assert "| 2.0x to 20.0x | yes |" in lines[2]
        assert "| 20.0 times | 20.0 times | yes |" in lines[3]
        assert "2.8 to 2.8 times faster than eps 0.1 | **no** |" in lines[4]

    def test_tables_are_by_stream_and_in_order(self):
        text = tables.speed_ups(self.times()[::-1])
        assert [line.split(" | ")[:2] for line in text.splitlines()[2:]] == [
            [f"| {stream}", size] for stream in streams.SOURCES for size in ("1,000", "10,000")
        ]
        assert text.splitlines()[2].endswith("| 1,100 | 2,200 | 400 | 2.0x | 2.8x |")
        assert len(tables.times(self.times()).splitlines()) == 2 + 6
        assert "| airlines | 0.1 | 0.05 | 0.01 | 0.033 | 0.0001 | 0.0002 | 100 | 120 |" in (
            tables.errors(self.errors())
        )

    def test_differences_that_are_too_large_stand_out(self):
        answer = drift.Answer(
            weights="none",
            scores="tied",
            size=10**5,
            slides=10**7,
            auc=2e-15,
            auc_variance=0.0,
            scored_auc=3e-16,
            scored_auc_variance=2e-10,
        )
        line = tables.drift([answer]).splitlines()[-1]
        assert line == "| none | tied | 100,000 | **2.0e-15** | 0 | 3.0e-16 | **2.0e-10** |"
