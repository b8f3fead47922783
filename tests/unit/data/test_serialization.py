"""Bytes of all that has a state: damage, other kinds and versions, and forged content."""

import copy
import math
import struct
import zlib
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import numpy as np
import pytest

import roclab as rl
from roclab.data.serialization import from_json, to_json
from roclab.streaming import LabelledScore

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
    weights = rng.random(n) if weighted else None
    window.update_many(labels, scores, time=first + np.arange(n), sample_weight=weights)
    return window


def segments():
    made = rl.SegmentedWindow(rl.WindowAUC(5), max_keys=3)
    for i, key in enumerate(["a", ("b", 1), None, 2.5, ("b", 1)]):
        made.update(key, i % 2, i / 4)
        made.update(key, 0, 0.5)
    return made


def pending():
    made = rl.PendingLabels(3, max_age=timedelta(hours=2), keep_early_labels=True)
    start = datetime(2024, 1, 1, tzinfo=UTC)
    for i, key in enumerate(["a", b"b", UUID(int=3), 4]):
        more = (
            {"sample_weight": 0.5 + i, "segments": {"region": ("north", i)}} if i % 2 == 0 else {}
        )
        made.add_prediction(key, i / 4, time=start + timedelta(minutes=i), **more)
    made.add_label("early", "yes", time=start)
    made.add_label(4, True, time=start + timedelta(minutes=9))
    return made


def detector(kind, **options):
    rng = np.random.default_rng(3)
    labels, scores = rng.random(400) < 0.5, rng.normal(size=400).round(1)
    reference = rl.DriftReference(labels, scores + labels)
    made = kind(reference, alternative="two-sided", **options)
    made.update_many(labels[:33], scores[:33], time=np.arange(33.0))
    return made


def watcher():
    made = rl.StreamWatcher(
        rl.WindowAUC(5), every=3, detector=detector(rl.BlockEDetector), key=("a", 2)
    )
    made.update(1, 0.5, time=datetime(2024, 1, 1, tzinfo=UTC))
    return made


def duel(**options):
    rng = np.random.default_rng(3)
    made = rl.SequentialComparison(margin=0.2, names=("old", "new"), **options)
    labels, scores = rng.random(2000) < 0.5, rng.normal(size=2000)
    made.update_many(labels, scores + 4 * labels, scores + 2 * labels, time=np.arange(2000))
    return made


def sequence():
    rng = np.random.default_rng(3)
    made = rl.BlockConfidenceSequence(per_class=2, method="hedged_capital")
    labels, scores = rng.random(2001) < 0.5, rng.normal(size=2001)
    made.update_many(labels, scores + 4 * labels)
    return made


def waiting():
    made = rl.StreamWatcher(rl.TimeWindowAUC(5), every=3, reference_events=100)
    for i in range(5):
        made.update(i % 2, i / 4, time=i)
    return made


STATEFUL = {
    "WindowAUC": lambda: fed(rl.WindowAUC(20)),
    "TimeWindowAUC": lambda: fed(rl.TimeWindowAUC(20)),
    "DecayedAUC": lambda: fed(rl.DecayedAUC(5)),
    "CumulativeAUC": lambda: fed(rl.CumulativeAUC()),
    "ApproximateWindowAUC": lambda: fed(rl.ApproximateWindowAUC(20, 0.1)),
    "SegmentedWindow": segments,
    "PendingLabels": pending,
    "BlockEDetector": lambda: detector(rl.BlockEDetector),
    "BlockCUSUM": lambda: detector(rl.BlockCUSUM, average_run_length=10_000),
    "StreamWatcher": watcher,
    "BlockConfidenceSequence": sequence,
    "SequentialComparison": lambda: duel(method="empirical_bernstein"),
}


def restored(kind, data):
    return getattr(rl, kind).from_bytes(data)


def with_checksum(data, payload):
    magic, version, _ = HEADER.unpack_from(data)
    return HEADER.pack(magic, version, zlib.crc32(payload)) + payload


@pytest.mark.parametrize("kind", STATEFUL)
def test_bytes_of_every_stateful_class(kind):
    data = STATEFUL[kind]().to_bytes()
    again = restored(kind, data)
    assert type(again) is getattr(rl, kind)
    assert again.to_bytes() == data == restored(kind, memoryview(data)).to_bytes()
    assert repr(again) == repr(STATEFUL[kind]())
    for wrong in [*(data[:end] for end in range(len(data))), data + b"0", "text", None]:
        with pytest.raises(rl.SerializationError, match=r"hold no|damaged|cannot be restored"):
            restored(kind, wrong)
    for place in range(len(data)):
        flipped = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        with pytest.raises(rl.SerializationError):
            restored(kind, flipped)
    for other in set(STATEFUL) - {kind}:
        with pytest.raises(rl.SerializationError) as caught:
            restored(kind, STATEFUL[other]().to_bytes())
        assert str(caught.value) == (
            f"These bytes hold no {kind}. Pass the result of its to_bytes()."
        )
    with pytest.raises(rl.SerializationError) as caught:
        restored(kind, data[:4] + b"\x09\x00" + data[6:])
    assert str(caught.value) == (
        f"This {kind} was written in version 9; this release of roclab reads version "
        f"{getattr(rl, kind)._version}. Install a release that reads it."
    )
    with pytest.raises(rl.SerializationError) as caught:
        restored(kind, data[:-1] + bytes([data[-1] ^ 1]))
    assert str(caught.value) == f"The bytes of this {kind} are damaged. Use another copy."


def test_a_state_inside_says_what_is_wrong_and_what_to_do_once():
    data = rl.StreamWatcher(rl.WindowAUC(5), every=3).to_bytes()
    inside = rl.WindowAUC(5).to_bytes()
    payload = data[HEADER.size :]
    assert payload.count(inside) == 1
    for wrong, message in [
        (
            inside[:-1] + bytes([inside[-1] ^ 1]),
            "The bytes of this WindowAUC are damaged. Use another copy.",
        ),
        (
            inside[:4] + b"\x09\x00" + inside[6:],
            "This WindowAUC was written in version 9; this release of roclab reads version "
            f"{rl.WindowAUC._version}. Install a release that reads it.",
        ),
    ]:
        with pytest.raises(rl.SerializationError) as caught:
            restored("StreamWatcher", with_checksum(data, payload.replace(inside, wrong)))
        assert str(caught.value) == f"This StreamWatcher cannot be restored: {message}"


@pytest.mark.parametrize(
    "kind",
    [
        *("SegmentedWindow", "PendingLabels", "BlockEDetector", "BlockCUSUM", "StreamWatcher"),
        *("BlockConfidenceSequence", "SequentialComparison"),
    ],
)
def test_forged_text_is_refused_or_harmless(kind):
    data = STATEFUL[kind]().to_bytes()
    payload = data[HEADER.size :]
    rng = np.random.default_rng(1)
    refused = 0
    for place in rng.integers(0, min(len(payload), 400), 600):
        for value in (b"9", b"-", b'"', b"[", b"n", bytes(rng.integers(0, 256, 1).tolist())):
            forged = payload[:place] + value + payload[place + 1 :]
            try:
                again = restored(kind, with_checksum(data, forged))
            except rl.SerializationError:
                refused += 1
                continue
            assert repr(again)
            if kind == "PendingLabels" and again._now is not None:
                again.add_prediction("new", 0.5, time=again._clock.shown_time(again._now))
            if kind in ("BlockEDetector", "BlockCUSUM", "BlockConfidenceSequence"):
                again.update_many([0, 1] * 20, [0.5] * 40)
            if kind == "SequentialComparison":
                again.update_many([0, 1] * 20, [0.5] * 40, [0.5] * 40)
    assert refused > 1000
    deep = b"[" * 100_000
    for content in (deep, struct.pack("<Q", len(deep)) + deep, b"", b"null", b'{"none": 1}'):
        with pytest.raises(rl.SerializationError, match="cannot be restored"):
            restored(kind, with_checksum(data, content))


def test_segments_continue():
    made = segments()
    again = rl.SegmentedWindow.from_bytes(made.to_bytes())
    assert list(again) == list(made) == [None, 2.5, ("b", 1)]
    assert (again.n_events, again.dropped_keys, again.dropped_events) == (8, 1, 2)
    for each in (made, again):
        each.update("new", 1, 0.5)
    assert again.to_bytes() == made.to_bytes()


def test_pending_labels_continue():
    made = pending()
    again = rl.PendingLabels.from_bytes(made.to_bytes())
    assert again.counts == made.counts
    assert again.counts.to_dict() == made.counts.to_dict()
    time = datetime(2024, 1, 1, 1, tzinfo=UTC)
    joined = again.add_label(UUID(int=3), 0, time=time)
    assert joined == LabelledScore(
        y_true=0,
        y_score=0.5,
        time=datetime(2024, 1, 1, 0, 2, tzinfo=UTC),
        sample_weight=2.5,
        segments={"region": ("north", 2)},
    )
    assert again.add_prediction("early", 0.75, time=time).y_true == "yes"
    assert again.add_label(b"b", 1, time=time + timedelta(hours=3)) is None
    assert again.counts.expired == 1


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 0, -(2**70), 0.1, -0.0, math.inf, "", "\ud800 {}", b"\xff", (1, ("a",), ())),
        *(Decimal("1.10"), UUID(int=7), date(2024, 2, 29), timedelta(-1, 5, 7)),
        *(datetime(2024, 1, 1), datetime(2024, 1, 1, 5, tzinfo=timezone(timedelta(hours=-3.5)))),
        *(np.int8(3), np.float32(0.5), np.bool_(True), np.str_("a")),
        *(np.datetime64("2024-01-01T00:00:00.000000001"), np.datetime64(5, "25m")),
    ],
    ids=repr,
)
def test_plain_values_come_back_equal(value):
    [again] = from_json(to_json([value]))
    assert again == value
    assert hash(again) == hash(value)
    assert type(again) is type(value) or isinstance(value, np.generic)


@pytest.mark.parametrize("value", [object(), 1j, {1}, {"a": 1}, np.longdouble(1), np.arange(2)])
def test_other_values_have_no_bytes(value):
    made = rl.PendingLabels(3)
    made.add_prediction(repr(value), 0.5, time=value)
    with pytest.raises(rl.InputError, match=r"cannot be written to bytes; ids, keys, labels"):
        made.to_bytes()
    assert len(copy.deepcopy(made)) == 1


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
