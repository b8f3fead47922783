"""What is said about files, and opening them, or the one line why they cannot be opened."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO

from roclab.checks.options import shown
from roclab.errors import InputError, Parameter

_Path = str | os.PathLike[str]
Files = _Path | Sequence[_Path] | IO[bytes] | bytes


def is_files(source: Any) -> bool:
    """Whether a table is given as files: paths, bytes or an open file."""
    if isinstance(source, list | tuple):
        return all(isinstance(one, str | os.PathLike) for one in source)
    return isinstance(source, str | os.PathLike | bytes) or callable(getattr(source, "read", None))


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """What is said about files: format, and separator and decimal sign of CSV and TSV."""

    format: str | None = None
    separator: str | None = None
    decimal: str | None = None

    def __post_init__(self) -> None:
        separator: Any = self.separator
        if separator is not None and not (isinstance(separator, str) and _is_one_byte(separator)):
            raise InputError(
                found="{separator=}{value} is not one character",
                needed="fields are separated by a single one, in ASCII",
                fix="Pass {separator=}';'.",
                value=shown(separator),
            )
        if self.decimal not in (None, ".", ","):
            raise InputError(
                found="{decimal=}{value} is not a decimal sign",
                fix="Pass {decimal=}'.' or {decimal=}','.",
                value=shown(self.decimal),
            )
        if separator is not None and separator == self.decimal:
            raise InputError(
                found="{separator} and {decimal} are both {value}",
                needed="they must differ",
                value=repr(separator),
            )

    @property
    def first_given(self) -> Parameter:
        """The first option that was given."""
        return Parameter(next(name for name, value in vars(self).items() if value is not None))


def _is_one_byte(text: str) -> bool:
    return len(text) == 1 and text.isascii() and text not in '"\r\n'


def with_home(source: str | os.PathLike[str]) -> str:
    """The path with its ``~`` replaced, unless there is no such user; raise if it is no path."""
    try:
        path = os.path.expanduser(os.fspath(source))
        if "\0" in path:
            raise ValueError("embedded null byte")
        return path
    except ValueError as error:  # of characters that no path has
        raise InputError(
            found="`{path}` cannot be opened: {reason}",
            needed="the path of a file is needed",
            fix="Check the path.",
            path=os.fspath(source),
            reason=error,
        ) from None


def open_path(source: str | os.PathLike[str]) -> tuple[Path, BinaryIO]:
    """The absolute path, its home expanded, and its open file."""
    if not os.fspath(source):
        raise InputError(found="The name of the file is empty", fix="Name a file.")
    path = Path(with_home(source)).absolute()
    name = f"`{os.fspath(source)}`"
    try:
        return path, path.open("rb")
    except FileNotFoundError:
        raise InputError(
            found="No file {name} (`{path}`)", fix="Check the path.", name=name, path=path
        ) from None
    except IsADirectoryError:
        raise InputError(
            found="{name} is a directory", needed="a file is needed", name=name
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            found="{name} cannot be opened: {reason}", name=name, reason=reason
        ) from None
