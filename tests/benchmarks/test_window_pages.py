"""What pages quote of the benchmark of windows."""

import numpy as np
import pytest

from benchmarks import window_memory, window_pages, windows
from benchmarks.windows import EXACT, H_MEASURE, HULL, INTERVAL, MANY, RIVER, SCORED, TREE


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
    assert found == ["1,000", "200 ns", "20x", "2.00", "10.00", "0.50"]


def test_pages_quote_the_memory(results):
    assert cells(window_pages.memory(results)) == ["1,000,000", "roclab WindowAUC", "42"]


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
