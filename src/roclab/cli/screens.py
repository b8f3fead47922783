"""Output of ``roclab watch``: JSON lines, a growing table, or a live view of a terminal."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from roclab.cli.output import note, write

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from roclab.readers.events import BadLine
    from roclab.streaming import Alarm, DriftReference
    from roclab.streaming.watcher import StreamStep, StreamWatcher

_SPARKS = 60
_ALARMS = 5
_PAUSE = 0.25  # seconds between two drawings


class Screen(ABC):
    """Output of a stream."""

    @abstractmethod
    def begin(self, begin: dict[str, Any]) -> None:
        """The first line: what is watched, and with which reference."""

    @abstractmethod
    def reference(self, event: int, reference: DriftReference) -> None:
        """The reference, complete with this event."""

    @abstractmethod
    def step(self, step: StreamStep) -> None:
        """The window after an event."""

    @abstractmethod
    def alarm(self, alarm: Alarm) -> None:
        """A change."""

    @abstractmethod
    def end(self, end: dict[str, Any]) -> None:
        """The last line."""

    def left_out(self, line: BadLine, counts: dict[str, int]) -> None:
        """A line that is no event; each kind is reported once."""
        if counts[line.kind] == 1:
            found = f": {line.found}" if line.found else ""
            note(f"line {line.line:,} is left out, like others of this kind: {line.kind}{found}")

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> None:
        return None  # nothing to put away


class JSONScreen(Screen):
    """One JSON object a line, with every digit."""

    def begin(self, begin: dict[str, Any]) -> None:
        """The first line."""
        self._write("begin", begin)

    def reference(self, event: int, reference: DriftReference) -> None:
        """The reference."""
        names = ("n_events", "n_blocks", "per_class", "block_mean", "standard_error", "pooled_auc")
        values = {name: getattr(reference, name) for name in names}
        self._write("reference", {"event": event, **values})

    def step(self, step: StreamStep) -> None:
        """The window after an event."""
        self._write("step", step.to_dict())

    def alarm(self, alarm: Alarm) -> None:
        """A change."""
        from roclab.report.document import document

        self._write("alarm", document(alarm).data)

    def end(self, end: dict[str, Any]) -> None:
        """The last line."""
        self._write("end", {name: value for name, value in end.items() if name != "last"})

    def _write(self, kind: str, data: Mapping[str, Any]) -> None:
        from roclab.report.json import to_json_line

        write(to_json_line(kind, data))


class TextScreen(Screen):
    """A table that grows by a row a step."""

    def __init__(self) -> None:
        self._begun = False

    def begin(self, begin: dict[str, Any]) -> None:
        """The first line."""
        from roclab.report import stream

        write(f"{stream.opening(begin)}\n")

    def reference(self, event: int, reference: DriftReference) -> None:
        """The reference."""
        from roclab.report import stream

        write(f"{stream.reference(event, reference)}\n")

    def step(self, step: StreamStep) -> None:
        """The window after an event."""
        from roclab.report import stream

        if not self._begun:
            write(f"{stream.header(step.confidence_level)}\n")
            self._begun = True
        write(f"{stream.row(step.to_dict())}\n")

    def alarm(self, alarm: Alarm) -> None:
        """A change."""
        from roclab.report.document import document

        for one in document(alarm).notes:
            write(f"alarm: {one.text}\n")

    def end(self, end: dict[str, Any]) -> None:
        """The last line."""
        from roclab.report import stream

        write(f"{stream.summary(end)}\n")


class LiveScreen(Screen):
    """A view that is redrawn in its place, four times a second.

    A separate thread draws, so that the view stays right while no event arrives.
    """

    def __init__(self, console: Console, watched: StreamWatcher) -> None:
        from rich.live import Live

        self._console = console
        self._watched = watched
        # Replaced and never changed, since another thread draws them.
        self._values: tuple[float, ...] = ()
        self._alarms: tuple[dict[str, Any], ...] = ()
        self._counts: dict[str, int] = {}
        self._weighted = False
        self._live = Live(
            console=console,
            get_renderable=self._view,
            auto_refresh=False,  # its own thread is not waited for at the end
            redirect_stdout=False,
            redirect_stderr=sys.stderr is not None and sys.stderr.isatty(),
        )
        self._done = Event()
        self._drawing = Thread(target=self._draw, daemon=True)

    def __enter__(self) -> Screen:
        self._live.start(refresh=True)
        self._drawing.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the last view on the screen."""
        self._done.set()
        self._drawing.join()
        self._live.stop()

    def begin(self, begin: dict[str, Any]) -> None:
        """The first line, which the view repeats in its own way."""
        self._weighted = begin["weight"] is not None

    def reference(self, event: int, reference: DriftReference) -> None:
        """The reference, which the view shows by its statistic."""

    def step(self, step: StreamStep) -> None:
        """The window after an event."""
        self._values = (*self._values, step.auc)[-_SPARKS:]

    def alarm(self, alarm: Alarm) -> None:
        """A change."""
        self._alarms = (*self._alarms, alarm.to_dict())[-_ALARMS:]

    def left_out(self, line: BadLine, counts: dict[str, int]) -> None:
        """A line that is no event; the counts are part of the view."""
        super().left_out(line, counts)
        self._counts = dict(counts)

    def end(self, end: dict[str, Any]) -> None:
        """The last line, below the last view."""
        from roclab.report import stream

        self.__exit__()
        write(f"{stream.summary(end)}\n")

    def _draw(self) -> None:
        while not self._done.wait(_PAUSE):
            self._live.refresh()

    def _view(self) -> RenderableType:
        from roclab.report import stream

        # Before the step: events may come between the two, and then its detector has a statistic.
        why = self._watched.not_watched
        return stream.view(
            self._watched.step().to_dict(),
            self._values,
            self._alarms,
            self._counts,
            why="weights" if self._weighted else why,
            reference_missing=self._watched.reference_missing,
            width=self._console.width,
            unicode=(self._console.encoding or "").lower().startswith("utf"),
        )


def text_screen(watched: StreamWatcher) -> Screen:
    """A view on a terminal, lines elsewhere."""
    from rich.console import Console

    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    plain = not console.is_terminal or console.is_dumb_terminal
    return TextScreen() if plain else LiveScreen(console, watched)
