"""The lines and the picture of a stream."""

import io
import math

import pytest
from rich.console import Console

from roclab.report import stream


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([0.0, 0.5, 1.0], "▁▅█"),
        ([0.7, 0.7], "▄▄"),
        ([0.2, math.nan, 0.9], "▁ █"),
        ([math.nan], " "),
        ([], ""),
        ([k / 7 for k in range(8)], "▁▂▃▄▅▆▇█"),
    ],
)
def test_sparkline(values, shown):
    assert stream.sparkline(values) == shown


def test_lines_left_out():
    assert stream.bad_lines({}) == ""
    assert stream.bad_lines({"not JSON": 1200, "no label": 1}) == (
        "1,201 lines left out: not JSON 1,200, no label 1"
    )


STEP = {
    "event": 300,
    "auc": 0.8,
    "low": 0.75,
    "high": 0.85,
    "confidence_level": 0.95,
    "n_pos": 40,
    "n_neg": 60,
    "statistic": 0.5,
    "threshold": 20.0,
}
ALARM = {"event": 1234, "reference_block_mean": 0.9, "block_mean": 0.8, "since_event": 1001}


def shown(view, width=80):
    console = Console(file=io.StringIO(), width=width)
    console.print(view)
    return console.file.getvalue().splitlines()


class TestView:
    def test_of_a_stream(self):
        view = stream.view(STEP, [0.7, math.nan, 0.9, 0.8], [ALARM], {"not JSON": 1})
        assert shown(view) == [
            "AUC 0.800  [0.750, 0.850], 95 %",
            "300 events; window 40+ 60-",
            "▁ █▅  0.700 to 0.900",
            "drift: 0.5, alarm from 20 on",
            "alarm at event 1,234: AUC of blocks 0.900 -> 0.800 since event 1,001",
            "1 line left out: not JSON 1",
        ]

    def test_of_one_that_has_not_begun(self):
        step = STEP | {"event": 0, "auc": math.nan, "statistic": None}
        view = stream.view(step, [], [], {}, why="reference incomplete", reference_missing=1)
        assert shown(view) == [
            "waiting for events",
            "not watched for changes: the reference needs at least 1 more event",
        ]

    def test_of_one_class(self):
        step = STEP | {"event": 1, "auc": math.nan, "n_pos": 0, "n_neg": 1, "statistic": None}
        view = stream.view(step, [math.nan], [], {}, why="no detector")
        assert shown(view) == [
            "AUC undefined",
            "1 event; window 0+ 1-",
            "not watched for changes: no drift detector",
        ]

    def test_the_curve_fits_a_narrow_terminal_and_any_encoding(self):
        values = [0.5 + n / 100 for n in range(40)]
        lines = shown(stream.view(STEP, values, [], {}, width=32, unicode=False), 32)
        assert lines[2].endswith("#  0.740 to 0.890")
        assert len(lines[2]) == 32
        assert lines[2].isascii()


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({"alarms": 1, "watched_events": 1234}, "1 alarm"),
        ({"alarms": 0, "watched_events": 1000}, "0 alarms in 1,000 watched events"),
        (
            {"not_watched": "reference incomplete", "reference_missing": 7},
            "not watched for changes: the reference needs at least 7 more events",
        ),
        (
            {"not_watched": "too few positives", "reference_missing": 1},
            "not watched for changes: the reference has too few positive events",
        ),
        (
            {"not_watched": "no complete block", "watched_events": 1000},
            "not watched for changes: no block of events is complete",
        ),
        ({"not_watched": "no detector"}, "not watched for changes: no drift detector"),
        ({"not_watched": "weights"}, "not watched for changes: drift detectors take no weights"),
    ],
)
def test_the_last_line(found, words):
    last = {"auc": 0.75, "low": 0.5, "high": 0.9}
    end = {"events": 1234, "watched_events": 0, "reference_missing": 0, "last": last}
    end |= {"alarms": None, "not_watched": None}
    assert stream.summary(end | {"left_out": {"not JSON": 2}} | found) == (
        f"1,234 events; AUC 0.750 [0.500, 0.900]; {words}; 2 lines left out: not JSON 2."
    )
