"""A progress bar on standard error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from roclab.cli.output import is_quiet

if TYPE_CHECKING:
    from rich.console import Console

Tell = Callable[[int, int | None], None]


@contextmanager
def reading(
    console: Console | None = None, *, delay: float = 1.0, quiet: bool = False
) -> Iterator[Tell | None]:
    """Show the rows read so far; nothing if `quiet`, as when the table is typed in."""
    with _bar("reading", "rows", console, delay, quiet) as tell:
        yield tell


@contextmanager
def replaying(console: Console | None = None, *, delay: float = 1.0) -> Iterator[Tell | None]:
    """Show the rows of history that have been replayed so far."""
    with _bar("replaying", "rows", console, delay, quiet=False) as tell:
        yield tell


@contextmanager
def resampling(console: Console | None = None, *, delay: float = 1.0) -> Iterator[Tell | None]:
    """Show bootstrap replicates made so far."""
    with _bar("resampling", "replicates", console, delay, quiet=False) as tell:
        yield tell


@contextmanager
def simulating(console: Console | None = None, *, delay: float = 1.0) -> Iterator[Tell | None]:
    """Show simulated studies made so far."""
    with _bar("simulating", "studies", console, delay, quiet=False) as tell:
        yield tell


@contextmanager
def training(console: Console | None = None, *, delay: float = 1.0) -> Iterator[None]:
    """Show how long a model has been trained: nobody knows how long it will take."""
    with _bar("training", None, console, delay, quiet=False):
        yield


@contextmanager
def writing(console: Console | None = None, *, delay: float = 1.0) -> Iterator[Tell | None]:
    """Show sections of a report made so far."""
    with _bar("writing", "sections", console, delay, quiet=False) as tell:
        yield tell


@contextmanager
def _bar(
    work: str, unit: str | None, console: Console | None, delay: float, quiet: bool
) -> Iterator[Tell | None]:
    """Show progress, on a terminal only, after `delay` seconds; removed at the end.

    Work without a unit shows the time it has taken.

    Yields a function to call with the work done and the total, or None where nobody would see the
    bar.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True) if console is None else console
    if quiet or is_quiet() or not console.is_terminal or console.is_dumb_terminal:
        yield None
        return
    bar = Progress(
        TextColumn(work, markup=False),
        BarColumn(),
        TimeElapsedColumn() if unit is None else TextColumn("{task.completed:,.0f} " + unit),
        console=console,
        transient=True,
    )
    task = bar.add_task(work, total=None, rate="")
    started = time.monotonic()

    def tell(done: int, total: int | None) -> None:
        rate = done / max(time.monotonic() - started, 1e-9)
        bar.update(task, completed=done, total=total, rate=f"{rate:,.0f} a second")

    # A timer, since the first rows of a large file may take long.
    timer = threading.Timer(delay, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
