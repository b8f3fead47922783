"""The lines and the picture of a stream."""

import math

import pytest

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


def test_the_last_line():
    last = {"auc": 0.75, "low": 0.5, "high": 0.9}
    end = {"events": 1234, "alarms": 1, "left_out": {"not JSON": 2}, "last": last}
    assert stream.summary(end) == (
        "1,234 events; AUC 0.750 [0.500, 0.900]; 1 alarm; 2 lines left out: not JSON 2."
    )
