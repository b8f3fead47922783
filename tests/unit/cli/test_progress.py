"""The bar: on a terminal, when it takes long, and gone in the end."""

import io
import time

from rich.console import Console

from roclab.cli.output import quietly
from roclab.cli.progress import reading, resampling, training, writing


def terminal(*, is_terminal=True):
    return Console(file=io.StringIO(), force_terminal=is_terminal, width=80, _environ={})


def wait_for(condition):
    while not condition():
        time.sleep(0.01)


def test_shows_rows_and_is_erased():
    console = terminal()
    with reading(console, delay=0) as progress:
        progress(1_234_567, 2_000_000)
        wait_for(lambda: "1,234,567 rows" in console.file.getvalue())
    assert console.file.getvalue().endswith("\x1b[2K")


def test_nothing_before_the_delay():
    console = terminal()
    with reading(console, delay=3600) as progress:
        progress(1, None)
    assert console.file.getvalue() == ""


def test_nothing_without_a_terminal():
    console = terminal(is_terminal=False)
    with reading(console, delay=0) as progress:
        assert progress is None
    assert console.file.getvalue() == ""


def test_nothing_when_quiet():
    with reading(terminal(), delay=0, quiet=True) as progress:
        assert progress is None
    with quietly(), reading(terminal(), delay=0) as progress:
        assert progress is None


def test_replicates_are_shown_too():
    console = terminal()
    with resampling(console, delay=0) as progress:
        progress(1500, 4000)
        wait_for(lambda: "1,500 replicates" in console.file.getvalue())
    assert console.file.getvalue().endswith("\x1b[2K")


def test_sections_of_a_report_are_shown():
    console = terminal()
    with writing(console, delay=0) as progress:
        progress(3, 9)
        wait_for(lambda: "3 sections" in console.file.getvalue())


def test_training_shows_its_time():
    console = terminal()
    with training(console, delay=0):
        wait_for(lambda: "0:00:0" in console.file.getvalue())
    assert "training" in console.file.getvalue()
    assert console.file.getvalue().endswith("\x1b[2K")
