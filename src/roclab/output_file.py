"""A file that is written: never over a file that is read, and whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Callable
from typing import IO

from roclab.errors import InputError

__all__ = ["check_output", "write_output"]


def check_output(path: str, *others: str | os.PathLike[str] | IO[bytes]) -> None:
    """Refuse, before long work, an output that cannot be written or would destroy other files.

    Parameters
    ----------
    path : str
        Where the output is to go.
    others : paths or binary file objects
        Everything else that is read or written. None of them may be the same file, under whatever
        name, link or hard link.
    """
    if not path:
        raise InputError("The name of the output file is empty. Name a file.")
    if os.path.isdir(path):
        raise InputError(f"`{path}` is a directory; an output file is needed. Name a file in it.")
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise InputError(f"There is no folder `{folder}` to write to. Make it first.")
    if not os.access(path if _in_place(path) else folder, os.W_OK):
        raise InputError(f"`{path}` cannot be written: Permission denied.")
    for other in others:
        if _same_file(path, other):
            is_path = isinstance(other, str | os.PathLike)
            name = f"`{other}`" if is_path else "standard input"
            raise InputError(
                f"Output `{path}` and {name} are the same file, which would be overwritten. Name "
                "another output."
            )


def write_output(path: str | os.PathLike[str], write: Callable[[IO[bytes]], object]) -> None:
    """Write a file; if that fails, what was there before is still there.

    Parameters
    ----------
    path : path
        Where to. A link is followed; a device or a pipe is written to as it is.
    write : callable
        Called with the open file.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    target = os.fspath(path)
    in_place = _in_place(target)
    if not in_place:
        target = os.path.realpath(target)
    # In the same folder, since a file can be renamed only within a file system.
    part = os.path.join(os.path.dirname(target), f".roclab-{secrets.token_hex(8)}.part")
    try:
        with open(target if in_place else part, "wb") as file:
            write(file)
        if not in_place:
            if os.path.exists(target):
                shutil.copymode(target, part)
            os.replace(part, target)
    except OSError as error:
        raise InputError(
            f"`{os.fspath(path)}` cannot be written: {error.strerror or error}."
        ) from None
    finally:
        with contextlib.suppress(OSError):
            os.remove(part)


def _in_place(path: str) -> bool:
    """Whether a path names what must not be replaced by a file, such as a device."""
    return os.path.exists(path) and not os.path.isfile(path)


def _same_file(path: str, other: str | os.PathLike[str] | IO[bytes]) -> bool:
    try:
        if isinstance(other, str | os.PathLike):
            name = os.path.expanduser(other)  # as readers do
            return os.path.realpath(path) == os.path.realpath(name) or os.path.samefile(path, name)
        return os.path.samestat(os.stat(path), os.fstat(other.fileno()))
    except (OSError, ValueError):  # not there yet, or a file object without a file
        return False
