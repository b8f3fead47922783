"""A bar on standard error while a long file is read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["reading"]


@contextmanager
def reading(
    console: Console | None = None, *, delay: float = 1.0, quiet: bool = False
) -> Iterator[Callable[[int, int | None], None] | None]:
    """Show rows read so far, on a terminal only, from `delay` seconds on; gone at the end.

    Gives the function that `read_scores` calls with its progress, or None where nobody would see
    the bar; nor is there one if `quiet`, as when the table is typed in.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=True) if console is None else console
    if quiet or not console.is_terminal or console.is_dumb_terminal:
        yield None
        return
    bar = Progress(
        TextColumn("reading", markup=False),
        BarColumn(),
        TextColumn("{task.completed:,.0f} rows"),
        console=console,
        transient=True,
    )
    task = bar.add_task("reading", total=None)
    # A timer and not the first progress: the first rows of a large file may be long in coming.
    timer = threading.Timer(delay, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda done, total: bar.update(task, completed=done, total=total)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
