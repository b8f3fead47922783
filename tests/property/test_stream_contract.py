"""One stream contract: any order of updates, reverts and restarts, against lists of events."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.errors import EventNotFoundError
from roclab.streaming import Alarm
from roclab.streaming.drift import blocks as block_module


class LastEvents:
    """The last events of a stream as a list of [label, score, time, weight]."""

    uses_time = False

    def __init__(self, size):
        self.size, self.kept = size, []

    def update(self, *event):
        if event[3]:
            self.kept = [*self.kept, event][-self.size :]

    def place(self, label, score, time, weight):
        """Position of the newest such event."""
        wanted = (label, score, time if self.uses_time else None, weight)
        found = [
            place
            for place, (y, x, t, w) in enumerate(self.kept)
            if (y, x, t if self.uses_time else None, w) == wanted
        ]
        return found[-1] if found else None

    def revert(self, *event):
        self.kept.pop(self.place(*event))

    def advance_to(self, time):
        """Only windows of a duration have a time."""

    def weights(self):
        return [weight for *_, weight in self.kept]


class LastHours(LastEvents):
    uses_time = True

    def __init__(self, duration, lateness, max_ahead):
        self.duration, self.lateness, self.max_ahead = duration, lateness, max_ahead
        self.kept, self.now, self.n_late, self.n_ahead = [], -math.inf, 0, 0

    def update(self, label, score, time, weight):
        if time - self.now > self.max_ahead and self.now > -math.inf:
            self.n_ahead += 1
        elif self.now - time > self.lateness or self.now - time >= self.duration:
            self.n_late += 1
        else:
            self.advance_to(time)
            self.kept += [(label, score, time, weight)] if weight else []

    def advance_to(self, time):
        self.now = max(self.now, time)
        self.kept = [event for event in self.kept if self.now - event[2] < self.duration]


class Decayed(LastEvents):
    """The third entry is the number of the event, by which its weight has halved."""

    def __init__(self, half_life):
        self.half_life, self.kept, self.n = half_life, [], 0

    def update(self, label, score, _, weight):
        if weight:
            self.n += 1
            self.kept.append((label, score, self.n, weight))

    def revert(self, *event):
        if self.kept.pop(self.place(*event))[2] == self.n:
            self.n -= 1  # the last event of all: the clock is set back

    def weights(self):
        return [w * 2.0 ** ((n - self.n) / self.half_life) for _, _, n, w in self.kept]


KINDS = {
    "sliding": (lambda: rl.WindowAUC(7), lambda: LastEvents(7)),
    "time": (
        lambda: rl.TimeWindowAUC(9, lateness=4, max_ahead=6),
        lambda: LastHours(9, 4, 6),
    ),
    "cumulative": (rl.CumulativeAUC, lambda: LastEvents(10**9)),
    "decayed": (lambda: rl.DecayedAUC(1.5, tolerance=1e-15), lambda: Decayed(1.5)),
    "approximate": (lambda: rl.ApproximateWindowAUC(7, 0), lambda: LastEvents(7)),
}
EVENTS = st.tuples(
    st.booleans(),
    st.integers(-2, 2).map(lambda score: score / 2),
    st.integers(-5, 8),  # how far ahead of its place in the stream the event is dated
    st.sampled_from([None, None, None, 1, 2.5, 0]),
)
ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["update"] * 5 + ["many", "revert", "revert", "any", "restart", "advance"]),
        EVENTS,
        st.integers(0, 99),
    ),
    max_size=60,
)


def agree(window, twin):
    """The window holds the events of its twin, and says of them what all pairs say."""
    labels, scores = [event[0] for event in twin.kept], [event[1] for event in twin.kept]
    weights = twin.weights()
    events = list(zip(labels, scores, weights, strict=True))
    assert (window.n_pos, window.n_neg) == (sum(labels), len(labels) - sum(labels))
    ranking = window.ranking()
    assert ranking.scores.tolist() == sorted(set(scores))
    for found, positive in ((ranking.pos, True), (ranking.neg, False)):
        masses = [
            sum(weight for *one, weight in events if one == [positive, score])
            for score in sorted(set(scores))
        ]
        if sum(masses):  # a decayed class has weights up to a factor
            expected = np.array(masses) / sum(masses)
            np.testing.assert_allclose(found / found.sum(), expected, rtol=1e-7, atol=1e-12)
    exact = [[Fraction(value) for value in values] for values in (scores, weights)]
    expected = float(reference.auc(labels, *exact)) if labels else math.nan
    assert window.auc == pytest.approx(expected, rel=1e-7, abs=1e-10, nan_ok=True)
    if isinstance(twin, LastHours):
        now = None if twin.now == -math.inf else twin.now
        assert (window.now, window.n_late, window.n_ahead) == (now, twin.n_late, twin.n_ahead)


@pytest.mark.parametrize("kind", KINDS)
@given(actions=ACTIONS)
def test_any_order_of_actions(kind, actions):
    make, make_twin = KINDS[kind]
    window, twin = make(), make_twin()
    for clock, (action, (label, score, ahead, weight), number) in enumerate(actions):
        weight = None if kind == "approximate" else weight
        given_time, mass = clock + ahead, 1 if weight is None else weight
        event = (label, score, given_time, mass)
        options = {"time": given_time, "sample_weight": weight}
        if action == "update":
            window.update(label, score, **options)
            twin.update(*event)
        elif action == "many":
            n = number % 4
            weights = None if weight is None else [weight] * n
            window.update_many([label] * n, [score] * n, time=[clock] * n, sample_weight=weights)
            for _ in range(n):
                twin.update(label, score, clock, mass)
        elif action == "revert" and twin.kept:
            y, x, t, w = twin.kept[number % len(twin.kept)]
            window.revert(y, x, time=t, sample_weight=None if w == 1 else w)
            twin.revert(y, x, t, w)
        elif action == "any" and twin.place(*event) is None:
            if kind == "cumulative" and any(one[:2] == (label, score) for one in twin.kept):
                continue  # it does not distinguish events of one class and score
            before = window.to_bytes()
            with pytest.raises(EventNotFoundError, match="No event with y_true="):
                window.revert(label, score, **options)
            assert window.to_bytes() == before
        elif action == "restart":
            data = window.to_bytes()
            window = (
                type(window).from_bytes(data) if number % 2 else pickle.loads(pickle.dumps(window))
            )
            assert window.to_bytes() == data
        elif action == "advance" and kind == "time":
            window.advance_to(given_time)
            twin.advance_to(given_time)
        agree(window, twin)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3), EVENTS), max_size=60))
def test_segments_are_windows_of_their_own(actions):
    """The time of a key is that of its own events, and a revert does not make a key recent."""
    segments = rl.SegmentedWindow(rl.TimeWindowAUC(9, lateness=4), max_keys=2)
    twins, dropped = {}, 0
    for clock, (key, action, (label, score, ahead, weight)) in enumerate(actions):
        event = (label, score, clock + ahead, 1 if weight is None else weight)
        twin = twins.get(key)
        if action:
            segments.update(key, label, score, time=event[2], sample_weight=weight)
            twins[key] = twins.pop(key, None) or LastHours(9, 4, math.inf)
            twins[key].update(*event)
            if len(twins) > 2:
                del twins[next(iter(twins))]
                dropped += 1
        elif twin is not None and twin.kept:
            label, score, time, mass = twin.kept[ahead % len(twin.kept)]
            segments.revert(key, label, score, time=time, sample_weight=mass)
            twin.revert(label, score, time, mass)
        else:
            with pytest.raises(EventNotFoundError):
                segments.revert(key, label, score, time=event[2], sample_weight=2.25)
        if clock % 7 == 0:
            segments = rl.SegmentedWindow.from_bytes(segments.to_bytes())
        assert list(segments) == list(twins)
        assert segments.n_events == sum(len(one.kept) for one in twins.values())
        assert segments.dropped_keys == dropped
        for name, one in twins.items():
            agree(segments[name], one)


class Blocks:
    """Blocks of a stream as lists; what is complete stays."""

    def __init__(self, per_class):
        self.per_class, self.block, self.complete = per_class, [], []

    def update(self, *event):
        self.block.append(event)
        positives = sum(label for label, *_ in self.block)
        if min(positives, len(self.block) - positives) >= self.per_class:
            self.complete.append(self.block)
            self.block = []

    def revert(self, *event):
        places = [place for place, one in enumerate(self.block) if one == event]
        if places:
            del self.block[places[-1]]
        return bool(places)


def without_numbers(alarm):
    """An alarm without the numbers of its events, which count reverted ones."""
    return {k: v for k, v in alarm.to_dict().items() if k not in ("event", "since_event")}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["update"] * 4 + ["revert", "revert", "any", "restart"]),
            EVENTS,
            st.integers(0, 99),
        ),
        min_size=40,
        max_size=80,
    ),
    st.integers(1, 2),
)
def test_a_watcher_is_the_twin_that_never_saw_what_was_reverted(actions, per_class):
    """Window and incomplete block forget an event; complete blocks do not."""

    def detector():
        return rl.BlockEDetector(0.9, per_class=per_class, average_run_length=6)

    watcher = rl.StreamWatcher(rl.WindowAUC(7), every=10**6, detector=detector(), quiet_events=0)
    window, blocks = LastEvents(7), Blocks(per_class)
    found, added = [], 0
    for clock, (action, (label, score, _, _), number) in enumerate(actions):
        event = (label, score, clock)
        if action == "update":
            found += watcher.update(*event[:2], time=clock)
            window.update(*event, 1)
            blocks.update(*event)
            added += 1
        elif action == "revert" and (window.kept or blocks.block):
            # The newest with this label and score, since the window does not know times.
            choices = [one[:3] for one in window.kept] + blocks.block
            wanted = choices[number % len(choices)]
            newest = max(one for one in choices if one[:2] == wanted[:2])
            watcher.revert(*newest[:2], time=newest[2])
            if window.place(*newest, 1) is not None:
                window.revert(*newest, 1)
            blocks.revert(*newest)
        elif action == "any":
            held = window.place(*event, 1) is not None
            if not held and event[:2] not in [one[:2] for one in blocks.block]:
                before = watcher.to_bytes()
                with pytest.raises(EventNotFoundError):
                    watcher.revert(*event[:2])
                assert watcher.to_bytes() == before
        elif action == "restart":
            data = watcher.to_bytes()
            watcher = rl.StreamWatcher.from_bytes(data)
            assert watcher.to_bytes() == data
        if action != "update":
            agree(watcher._window, window)
        assert (watcher.event, watcher.detector.n_events) == (added, added)
        assert watcher.detector.n_blocks == len(blocks.complete)
    twin = detector()
    expected = [
        alarm
        for label, score, time in [event for block in blocks.complete for event in block]
        + blocks.block
        if (alarm := twin.update(label, score, time=time)) is not None
    ]
    assert [without_numbers(one) for one in found] == [without_numbers(one) for one in expected]
    assert watcher.detector.statistic == twin.statistic
    assert all(isinstance(one, Alarm) for one in found)
    for one, other in zip(found, expected, strict=True):
        assert other.event <= one.event <= added


@given(
    st.lists(st.tuples(st.booleans(), st.integers(-2, 2), st.integers(0, 99)), min_size=40),
    st.booleans(),
)
def test_an_incomplete_reference_is_that_of_the_twin(actions, restart):
    """It keeps the order of its events, of which times distinguish equal ones."""
    options = {"every": 10**6, "reference_events": 2000}
    watcher = rl.StreamWatcher(rl.TimeWindowAUC(10**6), **options)
    kept = []
    for time, (label, score, number) in enumerate(actions):
        watcher.update(label, score, time=time)
        kept.append((label, score, time))
        if number < 30:
            event = kept.pop(number % len(kept))
            watcher.revert(*event[:2], time=event[2])
    if restart:
        watcher = rl.StreamWatcher.from_bytes(watcher.to_bytes())
    assert watcher.reference_missing == 2000 - len(kept)
    first = watcher._first
    assert list(zip(first._labels, first._scores, first._times, strict=True)) == kept
    rest = [(number % 2, float(number % 5), 10**5 + number) for number in range(2000 - len(kept))]
    for label, score, time in rest:
        watcher.update(label, score, time=time)
    events = kept + rest
    expected = rl.DriftReference([one[0] for one in events], [one[1] for one in events])
    assert watcher.reference.block_aucs.tolist() == expected.block_aucs.tolist()


@pytest.mark.parametrize("limit", [10, 200_000])
def test_reverts_of_a_block_that_is_thinned(limit, monkeypatch):
    """Events that were dropped to bound the memory are not found, and nothing else is lost."""
    monkeypatch.setattr(block_module, "_MOST_WAITING", limit)
    detector = rl.BlockEDetector(0.9, per_class=2)
    for number in range(15):
        detector.update(0, float(number), time=number)
    found = []
    for number in range(15):
        try:
            detector.revert(0, float(number), time=number)
        except EventNotFoundError:
            continue
        found.append(number)
    assert found[-1] == 14
    assert len(found) == (15 if limit > 100 else 10)
    detector = rl.BlockEDetector.from_bytes(detector.to_bytes())
    assert detector.n_events == 15
    for label, score in [(0, 0.0), (1, 1.0), (0, 0.0), (1, 1.0)]:
        detector.update(label, score)
    assert detector.n_blocks == 1


PREDICTED = st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 30))


@given(
    st.lists(PREDICTED, max_size=80),
    st.integers(1, 4),
    st.sampled_from([None, 3, 12]),
    st.booleans(),
)
def test_pending_labels_return_what_lists_find(calls, most, max_age, keep_early):
    pending = rl.PendingLabels(most, max_age=max_age, keep_early_labels=keep_early)
    age = math.inf if max_age is None else max_age
    predictions, labels, now = [], [], -math.inf
    for number, (is_label, id, time) in enumerate(calls):
        now = max(now, time)
        for waiting in (predictions, labels):  # the oldest in the order of arrival
            while waiting and now - waiting[0][1] > age:
                del waiting[0]
        expected = None
        if is_label:
            found = [one for one in predictions if one[0] == id]
            if found:
                predictions.remove(found[0])
                expected = found[0] if abs(time - found[0][1]) <= age else None
            elif keep_early and id not in [one[0] for one in labels]:
                labels = [*labels, (id, time)][-most:]
            joined = pending.add_label(id, number, time=time)
            if joined is not None:
                assert joined.y_true == number
        else:
            prediction = (id, time, number / 2, 1 + number, {"n": number})
            early = [one for one in labels if one[0] == id]
            labels = [one for one in labels if one[0] != id]
            if early and abs(time - early[0][1]) <= age:
                expected = prediction
            elif id not in [one[0] for one in predictions]:
                predictions = [*predictions, prediction][-most:]
            joined = pending.add_prediction(
                id, prediction[2], time=time, sample_weight=prediction[3], segments=prediction[4]
            )
        if expected is None:
            assert joined is None
        else:
            fields = (joined.time, joined.y_score, joined.sample_weight, joined.segments)
            assert fields == expected[1:]
        if number % 5 == 0:
            data = pending.to_bytes()
            pending = rl.PendingLabels.from_bytes(data)
            assert pending.to_bytes() == data
        assert (len(pending), pending.counts.early) == (len(predictions), len(labels))
