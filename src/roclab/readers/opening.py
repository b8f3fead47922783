"""Open a file by its path, or say in one line why it cannot be opened."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from roclab.errors import InputError


def open_path(source: str | os.PathLike[str]) -> tuple[Path, BinaryIO]:
    """The absolute path, its home expanded, and its open file."""
    if not os.fspath(source):
        raise InputError(found="The name of the file is empty", fix="Name a file.")
    path = Path(os.path.expanduser(source)).absolute()
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
