"""Standard output and standard error; nothing else in roclab prints."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, TextIO

from roclab import __version__
from roclab.formatting import one_line

if TYPE_CHECKING:
    from roclab.report.document import Document

OutputFormat = Literal["table", "json", "csv", "markdown", "latex"]

_UNLIMITED = 100_000
_quiet: list[bool] = []  # an entry for each command that is running


class OutputClosed(Exception):
    """The reader of standard output is gone, as `head` leaves when it has enough: no error."""


def write(content: str | bytes) -> None:
    """Write on standard output, text as UTF-8, and flush it."""
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


def write_version() -> None:
    """Write which release this is."""
    write(f"roclab {__version__}\n")


class _Closed(io.RawIOBase):
    """Standard output that the shell has closed (``>&-``)."""

    def writable(self) -> bool:
        return True

    def write(self, _: Any) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


@contextlib.contextmanager
def refused_if_closed() -> Iterator[None]:
    """Let writes on a closed standard output fail, which Python and typer pass over in silence."""
    if sys.stdout is not None:
        yield
        return
    sys.stdout = io.TextIOWrapper(_Closed(), "utf-8", write_through=True)
    try:
        yield
    finally:
        sys.stdout = None


def os_message(error: OSError) -> str:
    """The words of an error of the system, with its file but without its number."""
    if error.strerror is None:
        return str(error)
    return (
        f"{error.strerror}." if error.filename is None else f"{error.strerror}: `{error.filename}`."
    )


def give_up_output() -> None:
    """Discard what standard output still holds if it cannot be written."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _discard(sys.stdout)


def _discard(stream: TextIO) -> None:
    """Discard what is left in the stream, or Python would complain at exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def show(result: Any, format: OutputFormat) -> None:
    """Write a result on standard output; programs' formats get warnings on standard error."""
    from roclab.report import csv, json, latex, markdown
    from roclab.report.document import document

    shown = document(result)
    if format == "table":
        write(_rendered(shown))
    elif format == "markdown":
        write(markdown.to_markdown(shown))
    elif format == "latex":
        write(latex.to_latex(shown))
    else:
        for one in shown.notes:
            if one.severity == "warning":
                note(one.text)
        write(json.to_json(shown) if format == "json" else csv.to_csv(shown))


def _rendered(document: Document) -> bytes:
    """A document in the style and encoding of standard output.

    As wide as the terminal, or as wide as needed where there is none; never so narrow that a
    number would be cut.
    """
    from rich.console import Console
    from rich.measure import Measurement

    from roclab.report.terminal import least_width, to_terminal

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
    renderable = to_terminal(document)
    if screen.is_terminal or os.environ.get("COLUMNS", "").isdigit():
        if Measurement.get(console, console.options, renderable).minimum > screen.width:
            renderable = to_terminal(document, narrow=True)
            if least_width(renderable) > screen.width:
                renderable = to_terminal(document, narrow=True, stacked=True)
        console.width = max(screen.width, least_width(renderable))
    console.print(renderable)
    page.seek(0)
    return page.buffer.read()


def complain(message: str) -> None:
    """Print an error in one line on standard error."""
    _print(f"roclab: {one_line(message)}")


def note(message: str, *, always: bool = False) -> None:
    """Print a note in one line on standard error, if notes are wanted or it is never said again."""
    if always or not is_quiet():
        _print(f"note: {one_line(message)}")


@contextlib.contextmanager
def quietly(quiet: bool = True) -> Iterator[None]:
    """Print no notes and no progress, if `quiet`, while a command runs."""
    _quiet.append(quiet)
    try:
        yield
    finally:
        _quiet.pop()


def is_quiet() -> bool:
    """Whether notes and progress are not wanted."""
    return any(_quiet)


def _print(line: str) -> None:
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
