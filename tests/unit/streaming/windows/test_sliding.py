"""WindowAUC: what it takes, what it refuses and what it says."""

import copy
import dataclasses
import math
import pickle
import threading
import warnings

import numpy as np
import pytest

import roclab as rl
from roclab import _core
from roclab.inference import Interval
from roclab.streaming import StreamingAUC


@pytest.fixture
def window():
    window = rl.WindowAUC(4)
    window.update_many([0, 0, 1, 0, 1], [0.9, 0.1, 0.4, 0.4, 0.8])
    return window


def test_the_oldest_leaves(window):
    assert (len(window), window.n_pos, window.n_neg, window.size) == (4, 2, 2, 4)
    assert window.auc == 0.875
    assert repr(window) == "WindowAUC(AUC 0.875, 2+ 2-)"
    assert isinstance(window, StreamingAUC)


@pytest.mark.parametrize(
    "label",
    [True, 1, 1.0, np.True_, np.int8(1), np.uint64(1), np.float32(1)],
)
def test_labels_of_every_kind(label):
    window = rl.WindowAUC(3)
    window.update(label, 1)
    assert window.n_pos == 1
    for negative in (False, 0, -1, -1.0, np.False_, np.int64(-1)):
        window.update(negative, 0)
    assert window.n_neg == 3


@pytest.mark.parametrize("label", [2, "1", b"1", None, 0.5, math.nan, [1], 10**30, "yes"])
def test_labels_that_are_refused(window, label):
    with pytest.raises(rl.InputError, match=r"y_true is .*must be a boolean, 0/1 or -1/1"):
        window.update(label, 0.5)
    assert window.auc == 0.875


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, None, "0.5", [0.5], 10**400])
def test_scores_that_are_refused(window, score):
    with pytest.raises(
        rl.InputError, match=r"y_score is .*(needs finite scores|a real number is needed)"
    ):
        window.update(1, score)
    assert len(window) == 4


@pytest.mark.parametrize("weight", [-1, math.nan, math.inf, "2"])
def test_weights_that_are_refused(window, weight):
    with pytest.raises(rl.InputError, match=r"sample_weight is .*not negative"):
        window.update(1, 0.5, sample_weight=weight)
    assert not window.weighted


@pytest.mark.parametrize("size", [0, -1, 2.5, "10", True, None, 2**40])
def test_sizes_that_are_refused(size):
    with pytest.raises(rl.InputError, match="size="):
        rl.WindowAUC(size)


def test_many_events_that_are_refused_leave_the_window_as_it_was(window):
    with pytest.raises(rl.InputError, match=r"nan \(first in row 1\)"):
        window.update_many([0, 1], [0.1, np.nan])
    with pytest.raises(rl.InputError, match="inf"):
        window.update_many([0, 1], [0.1, np.inf])
    with pytest.raises(rl.InputError, match="y_score"):
        window.update_many([0, 1], [0.1])
    assert window.auc == 0.875


def test_one_class_is_nan_without_a_warning():
    window = rl.WindowAUC(3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(window.auc)
        window.update(1, 0.5)
        interval = window.interval()
        assert math.isnan(interval.value)
        assert math.isnan(interval.high)
        assert math.isnan(window.interval(method="delong").low)
        assert math.isnan(window.scored_auc)
        assert math.isnan(window.h_measure())
        window.update(0, 0.2)
        assert window.auc == 1
        assert window.interval().low > 0
        assert math.isnan(window.auc_variance)


def test_intervals_are_those_of_the_batch(window):
    ranking = window.ranking()
    assert window.interval() == rl.auc_interval(ranking)
    assert isinstance(window.interval(), Interval)
    for options in (
        {"confidence_level": 0.8},
        {"alternative": "greater"},
        {"method": "delong", "confidence_level": 0.5},
        {"method": "newcombe"},
    ):
        assert window.interval(**options) == rl.auc_interval(ranking, **options)
    with pytest.raises(rl.InputError, match="a number between 0 and 1 is needed"):
        window.interval(confidence_level=95)
    with pytest.raises(rl.InputError, match="resamples examples, and a RangeSummary has none"):
        window.interval(method="bootstrap")


def test_an_interval_of_a_window_is_complete_and_frozen(window):
    """The core sets its fields without `__init__`."""
    found = window.interval()
    assert {name: type(value) for name, value in found.to_dict().items()} == {
        "measure": str,
        "value": float,
        "low": float,
        "high": float,
        "standard_error": float,
        "confidence_level": float,
        "method": str,
        "n_pos": int,
        "n_neg": int,
        "alternative": str,
        "n_resamples": type(None),
    }
    assert pickle.loads(pickle.dumps(found)) == copy.copy(found) == found
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.low = 0.5


def test_the_core_creates_intervals_only_of_a_class_with_slots():
    class Incomplete:
        __slots__ = ("value",)

    class WithoutSlots(Incomplete):
        value = low = high = standard_error = n_pos = n_neg = 0.0

    with pytest.raises(AttributeError, match="low"):
        _core.register_interval(float, Incomplete)
    with pytest.raises(TypeError, match="not in a slot"):
        _core.register_interval(float, WithoutSlots)
    assert isinstance(rl.WindowAUC(4).interval(), Interval)  # as registered before


def test_a_snapshot_does_not_change(window):
    before = window.ranking()
    window.update(0, 5.0)
    assert rl.auc(before) == 0.875
    assert window.auc != 0.875
    assert rl.roc_hull(before).auc == 0.875
    assert window.hull().auc == rl.roc_hull(window.ranking()).auc


def test_weights_from_some_event_on(window):
    window.update(1, 0.6, sample_weight=2.0)
    assert window.weighted
    ranking = rl.Ranking([1, 0, 1, 1], [0.4, 0.4, 0.8, 0.6], sample_weight=[1, 1, 1, 2])
    assert window.auc == pytest.approx(rl.auc(ranking), rel=1e-14)
    point = window.point_at(0.5)
    assert (point.tp, point.fn, point.fp, point.tn) == (3, 1, 0, 1)
    window.update(1, 0.6, sample_weight=0)
    assert len(window) == 4
    window.reset()
    assert len(window) == 0
    assert not window.weighted


def test_negative_zero_is_zero():
    window = rl.WindowAUC(4)
    window.update(1, -0.0)
    window.update_many([0], [0.0])
    assert window.auc == 0.5
    window.revert(1, 0.0)
    assert window.n_pos == 0


def test_bytes_that_are_refused(window):
    data = window.to_bytes()
    for wrong in (
        b"",
        b"RLWA",
        data[:-1],
        data[:20] + b"x" + data[21:],
        b"XXXX" + data[4:],
        "text",
    ):
        with pytest.raises(rl.SerializationError):
            rl.WindowAUC.from_bytes(wrong)
    with pytest.raises(rl.SerializationError, match="version 9"):
        rl.WindowAUC.from_bytes(data[:4] + b"\x09\x00" + data[6:])


def test_readers_beside_a_writer():
    """Whatever a reader sees is a state that the window was in."""
    window = rl.WindowAUC(500)
    rng = np.random.default_rng(0)
    labels, scores = rng.random(200_000) < 0.5, rng.normal(size=200_000)
    wrong, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            interval = window.interval()
            if not (math.isnan(interval.value) or interval.low <= interval.value <= interval.high):
                wrong.append(interval)
            if len(window.ranking()) > 500:
                wrong.append(len(window))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    window.update_many(labels, scores)
    stop.set()
    for reader in readers:
        reader.join()
    assert not wrong
