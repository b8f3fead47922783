"""The benchmark of windows: the streams and the contenders."""

from collections import deque
from importlib.util import find_spec
from itertools import islice

import pytest

import roclab as rl
from benchmarks import windows
from benchmarks.harness import check_agreement
from benchmarks.windows import EXACT, Stream

needs_river = pytest.mark.skipif(not find_spec("river"), reason="river is for `make bench`")


def test_no_score_is_twice_in_a_window_and_none_comes_in_for_its_like():
    stream, window = Stream(50), deque(maxlen=50)
    first = zip(stream.labels[:50].tolist(), stream.scores[:50].tolist(), strict=True)
    for event in (*first, *islice(stream.events(), 400)):
        assert event not in window
        window.append(event)
    assert abs(stream.labels.mean() - 0.5) < 0.1


def test_batches_are_the_events_in_their_order():
    stream = Stream(30)
    events = list(islice(stream.events(), 3 * stream.batch))
    batches = islice(stream.batches(), 3)
    found = [pair for y, s in batches for pair in zip(y.tolist(), s.tolist(), strict=True)]
    assert stream.batch == 60
    assert found == events


def test_contenders_begin_full_with_the_same_events_and_agree():
    case = windows._over_a_scan(150)
    check_agreement(case)
    assert [one.name for one in case.contenders][-1] == EXACT
    assert {one.units for one in case.contenders if "roclab" in one.name} == {windows.EVENTS}
    stream = Stream(150)
    value = rl.auc(*(column[150:300] for column in (stream.labels, stream.scores)))
    contender = windows._contender(stream, "w", rl.WindowAUC(150), windows.aucs, compared=150)
    assert contender.call() == value


def test_readings_are_those_of_the_window():
    stream = Stream(40)
    expected = stream.fill(rl.WindowAUC(40))
    events = list(islice(stream.events(), 30))
    for event in events:
        expected.update(*event)
    found = [
        read(stream.fill(rl.WindowAUC(40)), events)
        for read in (windows.aucs, windows.intervals, windows.scored_aucs)
    ]
    assert found == [expected.auc, expected.interval(), expected.scored_auc]


@needs_river
def test_river_finds_the_same_without_ties_and_gives_ties_no_half_credit():
    from river.metrics import RollingROCAUC

    stream = Stream(40)
    found = windows.river_values(stream.fill(RollingROCAUC(40)), list(islice(stream.events(), 30)))
    window = stream.fill(rl.WindowAUC(40))
    assert found == windows.aucs(window, list(islice(stream.events(), 30)))
    tied = [(True, 0.5), (False, 0.5)]
    assert windows.aucs(rl.WindowAUC(2), tied) == 0.5
    assert windows.river_values(RollingROCAUC(2), tied) == 0.0
