"""Alarms as data: everything that a time or a key may be becomes a value that JSON has."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import numpy as np
import pytest

import roclab as rl
from roclab.streaming import Alarm

IDENTIFIER = UUID("12345678-1234-5678-1234-567812345678")


@pytest.fixture(scope="module")
def alarm():
    detector = rl.BlockEDetector(0.99, per_class=1)
    [found, *_] = detector.update_many([0, 1] * 10, [0.4] * 20, time=np.arange(20))
    return found


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (7, 7),
        (7.5, 7.5),
        (np.int64(7), 7),
        (np.float32(0.5), 0.5),
        (np.longdouble(0.5), 0.5),
        (np.bool_(True), True),
        (float("nan"), None),
        (np.float64("-inf"), None),
        ("north", "north"),
        (np.str_("north"), "north"),
        (datetime(2024, 5, 1, 12), "2024-05-01T12:00:00"),
        (datetime(2024, 5, 1, 12, tzinfo=UTC), "2024-05-01T12:00:00+00:00"),
        (
            datetime(2024, 5, 1, 12, tzinfo=timezone(timedelta(hours=2))),
            "2024-05-01T12:00:00+02:00",
        ),
        (date(2024, 5, 1), "2024-05-01"),
        (np.datetime64("2024-05-01T12:00:00"), "2024-05-01T12:00:00"),
        (np.datetime64("2024-05-01T12:00:00.000000001"), "2024-05-01T12:00:00.000000001"),
        (IDENTIFIER, str(IDENTIFIER)),
        (Decimal("1.50"), "1.50"),
        (("north", 1), "('north', 1)"),
        (frozenset({1}), "frozenset({1})"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("name", ["time", "since_time", "key"])
def test_times_and_keys_are_written_as_json(alarm, name, value, expected):
    found = replace(alarm, **{name: value}).to_dict()
    assert found[name] == expected
    assert type(found[name]) is type(expected) or isinstance(expected, str)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize("detector", [rl.BlockEDetector, rl.BlockCUSUM])
def test_alarms_of_whole_blocks_are_written_as_json(detector):
    reference = rl.DriftReference.from_blocks([0.78, 0.8, 0.82] * 10)
    made = detector(reference, average_run_length=100)
    [alarm, *_] = filter(
        None, (made.update_block(0.6, time=date(2024, 5, day)) for day in range(1, 9))
    )
    found = alarm.to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert (found["pooled_auc"], found["reference_pooled_auc"]) == (None, None)
    assert found["block_mean"] == pytest.approx(0.6)


def test_alarms_and_steps_of_a_watcher_are_written_as_json():
    window = rl.TimeWindowAUC(timedelta(hours=1))
    watcher = rl.StreamWatcher(
        window, every=4, detector=rl.BlockEDetector(0.99, per_class=1), key=IDENTIFIER
    )
    start = np.datetime64("2024-05-01T12:00:00")
    found = [
        one
        for place in range(12)
        for one in watcher.update(place % 2, 0.4, time=start + np.timedelta64(place, "m"))
    ]
    assert {type(one).__name__ for one in found} == {"Alarm", "StreamStep"}
    for one in found:
        assert json.loads(json.dumps(one.to_dict())) == one.to_dict()
    [alarm] = [one for one in found if isinstance(one, Alarm)]
    assert alarm.time == start + np.timedelta64(7, "m")
    assert alarm.to_dict()["time"] == "2024-05-01T12:07:00"
    assert alarm.to_dict()["since_time"] == "2024-05-01T12:00:00"
    assert alarm.to_dict()["key"] == str(IDENTIFIER)
