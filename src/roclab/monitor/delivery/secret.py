"""Secrets of channels, from the environment or a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from roclab.errors import InputError

_MOST = 65_536


def read_secret(
    variable: str | None, file: str | None, *, environment: Mapping[str, str], where: str
) -> str | None:
    """The secret in a variable or a file, without white space around it; None if neither is named.

    Parameters
    ----------
    variable : str or None
        Name of an environment variable.
    file : str or None
        Path of a file.
    environment : mapping
        Environment variables.
    where : str
        What the secret is for, for messages.

    Raises
    ------
    InputError
        If the named one does not have a secret.
    """
    if variable is not None:
        if not environment.get(variable, "").strip():
            raise InputError(
                found="{where}: the environment variable {variable} is {state}",
                needed="it must hold the secret",
                fix="Set it where the monitor is started.",
                where=where,
                variable=variable,
                state="empty" if variable in environment else "not set",
            )
        return environment[variable].strip()
    if file is None:
        return None
    try:
        with Path(file).open("rb") as opened:
            content = opened.read(_MOST + 1)
        text = content.decode("utf-8").strip()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise _unusable(where, file, f"cannot be read ({reason})") from None
    if not text or len(content) > _MOST:
        raise _unusable(where, file, "has more than 64 kB" if text else "is empty")
    return text


def _unusable(where: str, file: str, what: str) -> InputError:
    return InputError(
        found="{where}: the file {file} {what}",
        needed="it must hold the secret as text",
        fix="Check the path, and that the monitor may read it.",
        where=where,
        file=file,
        what=what,
    )
