"""`ApproximateWindowAUC`: values, events in every form, what is refused, and its bytes."""

import math
import pickle
import struct
import subprocess
import sys
import threading
import zlib

import numpy as np
import pytest

import roclab as rl
from roclab.data import AUCBounds

Window = rl.ApproximateWindowAUC
FOUR = ([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])


def filled(eps=0.1, size=4, **options):
    window = Window(size, eps, **options)
    window.update_many(*FOUR)
    return window


def stream(n, seed=0, positives=0.4):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < positives
    return truth, np.round(rng.normal(size=n) + truth, 1)


@pytest.mark.parametrize("eps", [0, 0.1])
def test_four_events_with_a_tie(eps):
    window = filled(eps)
    assert window.auc == window.auc_flipped == 0.875
    assert window.auc_bounds == AUCBounds(low=0.875, high=0.875)
    assert (window.n_pos, window.n_neg, len(window)) == (2, 2, 4)
    assert (window.size, window.eps, window.flipped) == (4, eps, True)
    assert window.compressed_size == 4  # two positives and the sentinels


def test_a_coarse_list_counts_its_gaps_half():
    # 9+, 8+, 7+, 6-, 5+ with eps 3: after 9 the next listed may have up to 4 positives above it,
    # so all the rest is one gap: three positives and one negative, which counts 1 + 3/2 of 4.
    window = Window(10, 3)
    window.update_many([1, 1, 1, 0, 1], [9, 8, 7, 6, 5])
    scores, own, other = window._listed(True)
    assert scores.tolist() == [math.inf, 9, -math.inf]
    assert (own.tolist(), other.tolist()) == ([0, 4, 0], [0, 1, 0])
    assert window.auc == 2.5 / 4
    # The list of negatives is of the one negative, so it is exact.
    assert window.auc_flipped == 0.75
    assert window.auc_bounds == AUCBounds(low=0.75, high=0.75)
    alone = Window(10, 3, flipped=False)
    alone.update_many([1, 1, 1, 0, 1], [9, 8, 7, 6, 5])
    assert alone.auc_bounds == AUCBounds(low=0.25, high=1.0)


def test_the_oldest_event_leaves_first():
    window = Window(2, 0.1)
    window.update_many([1, 0, 0], [3, 1, 2])
    assert math.isnan(window.auc)
    assert (window.n_pos, window.n_neg) == (0, 2)


def test_exact_for_eps_zero_at_every_event():
    truth, scores = stream(400)
    window = Window(90, 0)
    values = window.update_many(truth, scores, return_auc=True)
    for step in range(2, 400):
        first = max(0, step + 1 - 90)
        inside = truth[first : step + 1]
        if inside.any() and not inside.all():
            assert values[step] == rl.auc(inside, scores[first : step + 1])


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_is_undefined_without_a_warning(label):
    window = Window(5, 0.1)
    assert math.isnan(window.auc)
    window.update(label, 1.0)
    values = [window.auc, window.auc_flipped, window.auc_bounds.low, window.auc_bounds.high]
    assert all(map(math.isnan, values))
    assert np.isnan(window.update_many([label], [2.0], return_auc=True)).all()
    assert "AUC nan" in repr(window)


def test_negative_zero_ties_with_zero():
    window = Window(4, 0)
    window.update(1, -0.0)
    window.update(0, 0.0)
    assert window.auc == 0.5
    window.revert(0, -0.0)
    assert len(window) == 1


def test_the_largest_and_smallest_finite_scores():
    window = Window(9, 0.5)
    extremes = [5e-324, -5e-324, sys.float_info.max, -sys.float_info.max]
    window.update_many([1, 0, 1, 0], extremes)
    assert window.auc == 1
    assert window.ranking().scores.tolist() == sorted(extremes)


@pytest.mark.parametrize(
    ("yes", "no"),
    [(True, False), (1, 0), (1, -1), (1.0, -1.0), (np.True_, np.False_), (np.int8(1), np.uint8(0))],
)
def test_labels_in_every_form(yes, no):
    window = Window(4, 0)
    for label, score in ((no, 1), (yes, np.float32(2)), (no, np.int64(3)), (yes, 4.0)):
        window.update(label, score)
    assert window.auc == 0.75
    window.revert(yes, 4)
    assert (window.n_pos, window.n_neg) == (1, 2)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ((2, 0.5), "y_true is 2; a label of a stream must be a boolean, 0/1 or -1/1"),
        ((None, 0.5), "y_true is None;"),
        (("1", 0.5), "y_true is '1';"),
        ((math.nan, 0.5), "y_true is nan;"),
        ((1, math.nan), "y_score is nan; a stream needs finite scores"),
        ((1, None), "y_score is None; a real number is needed"),
        ((1, "x" * 500), "y_score is 'x{59}; a real number"),
        ((0, math.inf), "y_score is inf; a stream needs finite scores"),
        ((0, -math.inf), "y_score is -inf;"),
    ],
)
def test_an_event_that_cannot_be_is_refused_and_changes_nothing(event, message):
    window = filled()
    before = window.to_bytes()
    for call in (window.update, window.revert):
        with pytest.raises(rl.InputError, match=message):
            call(*event)
    assert window.to_bytes() == before


def test_weights_are_refused():
    window = filled()
    before = window.to_bytes()
    message = r"sample_weight is .*2.*; this window .* takes no weights\. Omit sample_weight"
    for call in (window.update, window.revert):
        with pytest.raises(rl.InputError, match=message):
            call(1, 0.8, sample_weight=2.0)
    with pytest.raises(rl.InputError, match=message):
        window.update_many([1], [0.8], sample_weight=[2.0])
    assert window.to_bytes() == before


@pytest.mark.parametrize(
    ("events", "message"),
    [
        (([1, 0], [0.5, math.nan]), r"y_score holds nan \(first in row 1\)"),
        (([1, 0], [0.5, math.inf]), r"y_score holds inf \(first in row 1\); .* finite scores"),
        (([1, 2], [0.5, 0.5]), "which one is positive is known only for"),
        (([1, 0], [0.5]), "y_true has 2 rows and y_score has 1"),
        (([1, 0], [1, 2**53 + 1]), r"integers beyond 2\*\*53"),
        (([1, 0], ["a", "b"]), "y_score holds text"),
    ],
)
def test_no_event_enters_if_one_of_many_is_refused(events, message):
    window = filled()
    before = window.to_bytes()
    with pytest.raises(rl.InputError, match=message):
        window.update_many(*events)
    assert window.to_bytes() == before


@pytest.mark.parametrize("size", [0, -1, 2**30 + 1, 2.5, "9", None])
def test_sizes_that_cannot_be(size):
    with pytest.raises(
        rl.InputError, match=r"size=.* an integer from 1 to 1,073,741,824 is needed"
    ):
        Window(size, 0.1)


@pytest.mark.parametrize("eps", [-0.1, math.nan, math.inf, "a", None])
def test_eps_that_cannot_be(eps):
    with pytest.raises(rl.InputError, match=r"eps=.* a finite number of at least 0 is needed"):
        Window(9, eps)


def test_none_of_many_events():
    window = filled()
    assert window.update_many([], []) is None
    assert window.update_many([], [], return_auc=True).shape == (0,)
    assert len(window) == 4


def test_reset_forgets_events_and_keeps_the_settings():
    window = filled()
    window.reset()
    assert len(window) == 0
    assert math.isnan(window.auc)
    assert window.compressed_size == 2
    window.update_many(*FOUR)
    assert window.to_bytes() == filled().to_bytes()


def test_without_the_second_list():
    window = filled(flipped=False)
    assert window.auc == 0.875
    assert window.auc_bounds.low <= 0.875 <= window.auc_bounds.high
    with pytest.raises(rl.InputError, match="keeps no list of negatives"):
        _ = window.auc_flipped
    assert pickle.loads(pickle.dumps(window)).flipped is False


def test_ranking_answers_what_the_window_does_not_keep():
    truth, scores = stream(300)
    window = Window(120, 0.5)
    window.update_many(truth, scores)
    batch = rl.Ranking(truth[-120:], scores[-120:])
    assert rl.auc_interval(window.ranking()) == rl.auc_interval(batch)
    options = {"confidence_level": 0.9, "alternative": "greater"}
    assert window.interval(method="delong", **options) == rl.auc_interval(
        batch, method="delong", **options
    )
    assert rl.scored_auc(window.ranking()) == rl.scored_auc(batch)


def test_what_is_not_estimated_is_that_of_the_exact_window():
    truth, scores = stream(300)
    window, exact = Window(100, 0.5), rl.WindowAUC(100)
    for label, score in zip(truth[:2], scores[:2], strict=True):
        window.update(label, score)
        exact.update(label, score)
    for name in ("auc_variance", "scored_auc", "scored_auc_variance"):
        np.testing.assert_equal(getattr(window, name), getattr(exact, name))
    window.update_many(truth, scores)
    exact.update_many(truth, scores)
    for name in ("auc_variance", "scored_auc", "scored_auc_variance"):
        assert getattr(window, name) == pytest.approx(getattr(exact, name), rel=1e-12)
    assert window.interval() == exact.interval()


def test_printed_forms():
    window = filled()
    assert repr(window) == "ApproximateWindowAUC(4, eps=0.1: 2 positive, 2 negative, AUC 0.875)"
    assert repr(window.auc_bounds) == "AUCBounds(0.875 to 0.875)"
    assert window.auc_bounds.to_dict() == {"low": 0.875, "high": 0.875}


@pytest.mark.parametrize("flipped", [True, False])
@pytest.mark.parametrize("eps", [0, 0.1, 2])
@pytest.mark.parametrize(
    "copy", [lambda w: pickle.loads(pickle.dumps(w)), lambda w: Window.from_bytes(w.to_bytes())]
)
def test_a_restored_window_goes_on_with_identical_values(copy, eps, flipped):
    truth, scores = stream(900)
    window = Window(200, eps, flipped=flipped)
    window.update_many(truth[:500], scores[:500])
    again = copy(window)
    assert type(again) is Window
    assert (again.size, again.eps, again.flipped, len(again)) == (200, eps, flipped, 200)
    assert again._problem() == ""
    np.testing.assert_array_equal(
        window.update_many(truth[500:], scores[500:], return_auc=True),
        again.update_many(truth[500:], scores[500:], return_auc=True),
    )
    assert again.auc_bounds == window.auc_bounds
    assert again.to_bytes() == window.to_bytes()


def test_an_empty_window_has_bytes_too():
    assert len(Window.from_bytes(Window(3, 0.5).to_bytes())) == 0


def test_another_process_goes_on_from_the_last_snapshot():
    truth, scores = stream(60)
    window = Window(25, 0.5)
    window.update_many(truth[:40], scores[:40])
    code = (
        "import sys, roclab as rl\n"
        "window = rl.ApproximateWindowAUC.from_bytes(bytes.fromhex(sys.argv[1]))\n"
        f"window.update_many({truth[40:].tolist()}, {scores[40:].tolist()})\n"
        "print(window.to_bytes().hex())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, window.to_bytes().hex()], capture_output=True, text=True
    )
    window.update_many(truth[40:], scores[40:])
    assert run.stdout.strip() == window.to_bytes().hex(), run.stderr


@pytest.mark.parametrize(
    ("offset", "value"),
    [
        (0, struct.pack("<Q", 3)),  # a window smaller than its events
        (0, struct.pack("<Q", 0)),
        (8, struct.pack("<d", -1)),  # eps
        (8, struct.pack("<d", math.nan)),
        (8, struct.pack("<d", 9)),  # for which the list is too long
        (16, b"\x00"),  # not flipped, with a list of negatives
        (17, struct.pack("<Q", 2**60)),  # events
        (17, struct.pack("<Q", 3)),
        (25, b"\x01"),  # a label: the first event is negative
        (26, struct.pack("<d", math.nan)),  # a score
        (61, struct.pack("<Q", 3)),  # nodes in a list
    ],
)
def test_bytes_of_a_window_that_cannot_be_are_refused(offset, value):
    payload = bytearray(filled().to_bytes()[10:])
    payload[offset : offset + len(value)] = value
    header = struct.pack("<4sHI", b"RLAW", 1, zlib.crc32(payload))
    with pytest.raises(rl.SerializationError, match="This ApproximateWindowAUC cannot be restored"):
        Window.from_bytes(header + payload)


def test_readers_see_a_whole_window_while_another_thread_writes():
    truth, scores = stream(60_000)
    window = Window(500, 0.5)
    window.update_many(truth[:500], scores[:500])
    writer = threading.Thread(target=window.update_many, args=(truth, scores))
    writer.start()
    looks = 0
    while writer.is_alive() or not looks:
        copy = Window.from_bytes(window.to_bytes())
        assert len(copy) == 500
        assert copy._problem() == ""
        assert 0 <= window.auc_bounds.low <= window.auc_bounds.high <= 1
        looks += 1
    writer.join()
    assert window._problem() == ""
