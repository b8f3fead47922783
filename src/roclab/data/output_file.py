"""Output files: never over a file that is read, and complete or not written at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Callable, Sequence
from typing import IO

from roclab.errors import InputError


def check_output(path: str, *others: str | os.PathLike[str] | IO[bytes]) -> None:
    """Raise, before long work, if an output cannot be written or would overwrite other files.

    Parameters
    ----------
    path : str
        The output file.
    others : paths or binary file objects
        All other files that are read or written. None may be the same file, also not through a
        link or hard link.
    """
    if not path:
        raise InputError(found="The name of the output file is empty", fix="Name a file.")
    if os.path.isdir(path):
        raise InputError(
            found="`{path}` is a directory",
            needed="an output file is needed",
            fix="Name a file in it.",
            path=path,
        )
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise InputError(
            found="There is no folder `{folder}` to write to", fix="Create it.", folder=folder
        )
    if not os.access(path if _in_place(path) else folder, os.W_OK):
        raise _not_writable(path, "Permission denied")
    for other in others:
        if _same_file(path, other):
            is_path = isinstance(other, str | os.PathLike)
            raise InputError(
                found="Output `{path}` and {other} are the same file, which would be overwritten",
                fix="Name another output.",
                path=path,
                other=f"`{other}`" if is_path else "standard input",
            )


def check_suffix(path: str, known: Sequence[str], kind: str) -> str:
    """The suffix of an output file, in lower case; refuse one that is not known.

    Parameters
    ----------
    path : str
        The output file.
    known : sequence of str
        Suffixes with their dot; an empty one if none is needed.
    kind : str
        What the file is, for the message.
    """
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in known:
        raise InputError(
            found="The suffix of `{path}` is not that of {kind}",
            fix="Possible suffixes: {known}.",
            path=path,
            kind=kind,
            known=", ".join(filter(None, known)),
        )
    return suffix


def write_output(path: str | os.PathLike[str], write: Callable[[IO[bytes]], object]) -> None:
    """Write a file; if that fails, the previous file is left as it was.

    Parameters
    ----------
    path : path
        The output file. A link is followed; a device or a pipe is written to as it is.
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
        raise _not_writable(os.fspath(path), error.strerror or str(error)) from None
    finally:
        with contextlib.suppress(OSError):
            os.remove(part)


def _not_writable(path: str, reason: str) -> InputError:
    return InputError(found="`{path}` cannot be written: {reason}", path=path, reason=reason)


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
