"""Files in object stores and on web servers: what is one, and what is wrong with it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar
from urllib.parse import urlsplit

from roclab.errors import InputError

Result = TypeVar("Result")

PATIENCE = 60.0  # seconds for the first answer
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_SCHEMES = (
    *("http", "https", "s3", "s3a", "gs", "gcs", "az", "azure", "adl", "abfs", "abfss", "hf"),
)
_STATUS = re.compile(r"status code: (\d{3}(?: [A-Z][A-Za-z' -]*)?)")
_REASONS = {
    "Range request not supported": "the server does not send parts of files; download it first",
    "onnection refused": "the connection is refused",
    "dns error": "the host is not known",
    "timed out": "it does not answer",
    "error sending request": "there is no connection",
}


def is_remote(path: str | os.PathLike[str]) -> bool:
    """Whether a path is the address of a file elsewhere; raise if nothing reads it."""
    scheme = _SCHEME.match(os.fspath(path))
    if scheme is None or scheme[1].lower() == "file":
        return False
    if scheme[1].lower() in _SCHEMES:
        return True
    if os.path.lexists(path):
        return False
    raise InputError(
        found="`{path}` has the scheme `{scheme}`",
        needed="files are read from {known}",
        fix="Download it, and name the copy.",
        path=path,
        scheme=scheme[1],
        known=", ".join(f"{one}://" for one in _SCHEMES),
    )


def local_path(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """The path of a file on this machine, also if it is given as ``file://``."""
    text = os.fspath(path)
    if not text.lower().startswith("file://"):
        return path
    from urllib.request import url2pathname  # which most programs need not load

    try:
        return url2pathname(urlsplit(text).path)
    except ValueError as error:
        raise InputError(
            found="`{path}` is no address of a file: {reason}",
            needed="file:// and the path of a file on this machine are needed",
            fix="Pass the path alone.",
            path=path,
            reason=error,
        ) from None


def answered(name: str, call: Callable[[], Result]) -> Result:
    """What a call that reads a remote file returns; raise if it takes too long.

    polars tries a server that accepts a connection and says nothing for many minutes, and has no
    option against it for web servers. Such a call is left behind in a thread.
    """
    found: SimpleQueue[tuple[Result | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            found.put((call(), None))
        except BaseException as error:
            found.put((None, error))

    Thread(target=run, name=f"roclab: {name}", daemon=True).start()
    try:
        result, error = found.get(timeout=PATIENCE)
    except Empty:
        raise unreachable(name, f"it does not answer within {PATIENCE:g} seconds") from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]


def unreachable(name: str, reason: str) -> InputError:
    """The error of a remote file that cannot be had, with the reason that a library gives."""
    status = _STATUS.search(reason)
    if status is not None:
        reason = f"the server says {status[1].strip()}"
    known = (text for part, text in _REASONS.items() if part in reason)
    return InputError(
        found="{file} cannot be reached: {reason}",
        fix="Check the address and the access to it.",
        file=name,
        reason=next(known, reason.split("\n")[0].removeprefix("object-store error: ").rstrip(".")),
    )
