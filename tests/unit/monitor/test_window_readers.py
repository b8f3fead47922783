"""Windows that are read while labels are corrected hold all rows at any time."""

import sys
import threading
from collections import Counter
from datetime import timedelta

import pytest

from roclab.monitor.store.records import Change, LabelChanges
from roclab.monitor.streams import Window
from tests.unit.monitor.fleet import START


@pytest.fixture
def restless():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("restless")
def test_a_correction_is_read_whole():
    window, labels = Window(timedelta(days=7)), [i % 2 == 0 for i in range(300)]
    window.advance(START)
    window.update(
        LabelChanges.of([Change(START - i, i / 7, 0, None, one) for i, one in enumerate(labels)])
    )
    found, ends = Counter(), threading.Event()

    def read():
        while not ends.is_set():
            one = window.read()
            found[one["n_pos"] + one["n_neg"]] += 1

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for _ in range(40):
            window.update(
                LabelChanges.of(
                    [Change(START - i, i / 7, 0, one, not one) for i, one in enumerate(labels)]
                )
            )
            labels = [not one for one in labels]
    finally:
        ends.set()
        thread.join()
    assert found.keys() == {300}
