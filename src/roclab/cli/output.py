"""What is written on standard output and standard error; nothing else in roclab prints."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TextIO

from roclab.formatting import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = [
    "OutputClosed",
    "OutputFormat",
    "complain",
    "note",
    "render",
    "show",
    "write",
]

_UNLIMITED = 100_000


class OutputFormat(StrEnum):
    """Formats that are written."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"


class OutputClosed(Exception):
    """Whoever read standard output has gone; no error, as `head` leaves when it has enough."""


def write(content: str | bytes) -> None:
    """Write on standard output, text as UTF-8, and see to it that it has arrived."""
    if sys.stdout is None:  # closed by the shell: >&-
        return
    data = content.encode() if isinstance(content, str) else content
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard(sys.stdout)
        raise OutputClosed from None
    except OSError as error:
        _discard(sys.stdout)
        raise OSError(f"Standard output cannot be written: {error.strerror}.") from None


def _discard(stream: TextIO) -> None:
    """Send what is still in the stream nowhere, or Python would complain about it at its end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def show(result: Any, format: OutputFormat) -> None:
    """Write a result on standard output; programs' formats get warnings on standard error."""
    from roclab.report import csv, json, markdown, terminal
    from roclab.report.document import document

    shown = document(result)
    if format is OutputFormat.table:
        write(render(terminal.to_terminal(shown)))
    elif format is OutputFormat.markdown:
        write(markdown.to_markdown(shown))
    else:
        for one in shown.notes:
            if one.severity == "warning":
                note(one.text)
        write(json.to_json(shown) if format is OutputFormat.json else csv.to_csv(shown))


def render(renderable: RenderableType) -> bytes:
    """A rich renderable in the style and encoding of standard output.

    As wide as the terminal, or as wide as it needs where there is no terminal; never so narrow
    that a number would be cut.
    """
    from rich.console import Console
    from rich.measure import Measurement

    screen = Console(file=sys.stdout)
    page = io.TextIOWrapper(io.BytesIO(), encoding=screen.encoding, errors="backslashreplace")
    console = Console(
        file=page,
        force_terminal=screen.is_terminal,
        width=_UNLIMITED,
        highlight=False,
        markup=False,
        emoji=False,
    )
    if screen.is_terminal or os.environ.get("COLUMNS", "").isdigit():
        least = Measurement.get(console, console.options, renderable).minimum
        console.width = max(screen.width, least)
    console.print(renderable)
    page.seek(0)
    return page.buffer.read()


def complain(message: str) -> None:
    """Say in one line on standard error what went wrong."""
    _tell(f"roclab: {one_line(message)}")


def note(message: str) -> None:
    """Say in one line on standard error what the user should know."""
    _tell(f"note: {one_line(message)}")


def _tell(line: str) -> None:
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
