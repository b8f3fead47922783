"""Bytes of windows: what cannot be is refused, also where the checksum is right."""

import struct
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import roclab as rl
from roclab.streaming.envelope import packed

HEADER = struct.Struct("<4sHI")
MADE = {
    "last events": lambda: rl.WindowAUC(20),
    "last hours": lambda: rl.TimeWindowAUC(20),
    "decay": lambda: rl.DecayedAUC(5),
    "all": rl.CumulativeAUC,
}


def fed(window, n=60, weighted=False, first=0):
    rng = np.random.default_rng(n)
    labels, scores = rng.random(n) < 0.5, rng.normal(size=n).round(1)
    more = {"time": first + np.arange(n)} if isinstance(window, rl.TimeWindowAUC) else {}
    window.update_many(labels, scores, sample_weight=rng.random(n) if weighted else None, **more)
    return window


def with_checksum(data, payload):
    magic, version, _ = HEADER.unpack_from(data)
    return packed(magic, version, bytes(payload))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", MADE)
def test_forged_bytes_are_refused_or_harmless(kind, weighted):
    data = fed(MADE[kind](), weighted=weighted).to_bytes()
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(300):
        payload = bytearray(data[HEADER.size :])
        for place in rng.integers(0, len(payload), 2):
            payload[place] = rng.integers(256)
        try:
            window = MADE[kind]().from_bytes(with_checksum(data, payload))
        except rl.SerializationError:
            refused += 1
            continue
        if not (kind == "last hours" and not isinstance(window.duration, float)):
            fed(window, first=1e9)
    assert refused > 10


@pytest.mark.parametrize("kind", MADE)
def test_bytes_that_end_early_or_go_on(kind):
    data = fed(MADE[kind]()).to_bytes()
    payload = data[HEADER.size :]
    for end in range(len(payload)):
        with pytest.raises(rl.SerializationError):
            MADE[kind]().from_bytes(with_checksum(data, payload[:end]))
    with pytest.raises(rl.SerializationError, match="they go on too long"):
        MADE[kind]().from_bytes(with_checksum(data, payload + b"0"))


def test_events_that_are_not_those_of_the_tree():
    window = rl.WindowAUC(3)
    window.update(1, 0.5)
    data = window.to_bytes()
    place = data.rindex(struct.pack("<d", 0.5))
    payload = data[HEADER.size : place] + struct.pack("<d", 0.25) + data[place + 8 :]
    with pytest.raises(rl.SerializationError, match="their events are not those of their scores"):
        rl.WindowAUC.from_bytes(with_checksum(data, payload))


@pytest.mark.parametrize("kind", ["dates", "numbers"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, -1.0, 0.0, 1e300, 1e23, 5e-324])
def test_durations_and_times_that_cannot_be(kind, value):
    dated = kind == "dates"
    window = rl.TimeWindowAUC(timedelta(hours=5) if dated else 5)
    for hour in range(9):
        time = datetime(2024, 1, 1, hour, tzinfo=UTC) if dated else hour
        window.update(hour % 2, hour / 9, time=time)
    data = window.to_bytes()
    payload = data[HEADER.size :]
    for place in range(len(payload) - 7):
        forged = payload[:place] + struct.pack("<d", value) + payload[place + 8 :]
        try:
            found = rl.TimeWindowAUC.from_bytes(with_checksum(data, forged))
        except rl.SerializationError:
            continue
        assert found.now is None or found.now == found.now
        assert found.duration > type(found.duration)(0)
        assert found.lateness is not None
        assert repr(found)
