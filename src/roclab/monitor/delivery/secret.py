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
                found="For {where} the environment variable {variable} is {state}",
                needed="it must hold the secret",
                fix="Set it where the monitor is started.",
                where=where,
                variable=variable,
                state="empty" if variable in environment else "not set",
            )
        return environment[variable].strip()
    if file is None:
        return None
    text, problem = _content(Path(file))
    if problem:
        raise InputError(
            found="For {where} the file {file} {what}",
            needed="it must hold the secret as text",
            fix="Check the path, and that the monitor may read it.",
            where=where,
            file=file,
            what=problem,
        )
    return text


def _content(path: Path) -> tuple[str, str]:
    """The text of a file and what is wrong with it, without an exception that holds the text."""
    try:
        with path.open("rb") as opened:
            content = opened.read(_MOST + 1)
        text = content.decode("utf-8").strip()
    except OSError as error:
        return "", f"cannot be read ({error.strerror})"
    except ValueError:
        return "", "is not UTF-8 text"
    if len(content) > _MOST:
        return "", "has more than 64 kB"
    return text, "" if text else "is empty"
