"""The benchmark of windows: the streams, the contenders and what pages quote of it."""

from collections import deque
from importlib.util import find_spec
from itertools import islice

import numpy as np
import pytest

import roclab as rl
from benchmarks import window_memory, window_pages, windows
from benchmarks.harness import check_agreement
from benchmarks.windows import EXACT, H_MEASURE, HULL, INTERVAL, MANY, RIVER, SCORED, TREE, Stream

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


@pytest.mark.parametrize("name", [name for name in window_memory.CALLS if name != RIVER])
def test_windows_whose_memory_is_measured_slide(name):
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.5
    s = rng.normal(size=400) + y
    last = rl.WindowAUC(200)
    last.update_many(y[200:], s[200:])
    value = window_memory.CALLS[name](y, s)
    if "read" in name:
        assert value == pytest.approx(last.interval().low + last.scored_auc, rel=1e-14)
    else:
        assert value == pytest.approx(last.auc, abs=0.05 if "eps" in name else 1e-12)


def row(case, contender, wall, **columns):
    return {"case": case, "contender": contender, "threads": 1, "wall ms": wall, **columns}


@pytest.fixture
def results():
    case = "window of 1e3"
    tables = {
        windows.OVER_A_SCAN: [
            row(case, RIVER, 0.004, **{"wall ratio": 1}),
            row(case, "scan in Python", 0.25, **{"wall ratio": 0.016}),
            row(case, "roclab ApproximateWindowAUC, eps 0.1, one list", 0.001),
            row(case, EXACT, 0.0002, **{"wall ratio": 20}),
            row("window of 1e4", RIVER, 0.04, **{"wall ratio": 1}),
            row("window of 1e4", EXACT, 0.0003, **{"wall ratio": 133}),
        ],
        windows.OTHER_READINGS: [
            row(case, EXACT, 0.0002, **{"times auc": 1}),
            row(case, INTERVAL, 0.0004, **{"times auc": 2}),
            row(case, SCORED, 0.002, **{"times auc": 10}),
            row(case, MANY, 0.0001, **{"times auc": 0.5}),
            *(
                row("window of 1e4", name, 0.0003, **{"times auc": 1})
                for name in (EXACT, INTERVAL, SCORED, MANY)
            ),
        ],
        windows.ON_READ: [
            row("window of 1e6", EXACT, 0.001),
            row("window of 1e6", HULL, 30),
            row("window of 1e6", H_MEASURE, 40),
            row("window of 1e6", TREE, 0.004),
        ],
        window_memory.TITLE: [
            row("window of 1e6", "roclab WindowAUC", 0, wanted=64, **{"bytes an event": 41.7})
        ],
    }
    about = {"cores": 2, "processor": "p", "date": "d", "river": "0.26.1"}
    return {
        "machine": about,
        "tables": [{"title": title, "rows": rows} for title, rows in tables.items()],
    }


def cells(text):
    """Those of the first line under the head."""
    return [cell.strip() for cell in text.splitlines()[2].strip("|").split("|")]


def test_pages_quote_the_speed(results):
    found = cells(window_pages.speed(results))
    assert found == ["1,000", "200 ns", "20x", "10x", "2.00", "10.00", "0.50"]


def test_pages_quote_the_memory(results):
    assert cells(window_pages.memory(results)) == ["1,000,000", "roclab WindowAUC", "42", "64"]


def test_pages_quote_every_window_beside_the_exact_one(results):
    text = window_pages.approximation(results)
    names = "| window | river RollingROCAUC | scan in Python | eps 0.1, one list | `WindowAUC` |"
    assert text.startswith(names)
    assert cells(text) == ["1,000", "4 µs", "250 µs", "1 µs", "200 ns"]
    assert "\n| 10,000 | 40 µs | - | - | 300 ns |\n" in text


def test_a_hull_kept_up_to_date_costs_the_square_of_the_height(results):
    node, kept = window_pages.maintained(1024, 0.4)
    assert (node, kept) == (0.02, 2.0)
    height = np.log2(1e6)
    node, kept = 0.004 / (2 * height), 0.004 * height / 2
    found = cells(window_pages.hull(results))
    assert found[:4] == ["1,000,000", "30 ms", "40 ms", "1 µs"]
    assert found[4] == f"{1e6 * node:.3g} ns"
    assert found[5] == f"{1e3 * (kept + 0.001):.3g} µs ({(kept + 0.001) / 0.001:.0f} times)"
    assert found[6] == f"{30 / kept:.0f} events"


def test_pages_without_a_run_of_windows_have_heads_only(results):
    empty = results | {"tables": []}
    blocks = (window_pages.speed, window_pages.memory, window_pages.hull)
    for block in (*blocks, window_pages.approximation):
        head, rule, *rest = block(empty).splitlines()
        assert head.startswith("| window")
        assert rule.startswith("|--")
        assert rest == ["", "Medians of one run on 2 cores (p), d, river 0.26.1."]
