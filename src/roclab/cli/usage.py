"""Wrong words at the shell: what they are, what is needed, and the word that was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

_CHOICE = re.compile(
    r"^(?:Value error, )?(?P<quote>['\"])(?P<given>.*)(?P=quote) is not one of (?P<known>'.*')\.?$"
)
# What a number must be, by the beginning of the validating library's word for the error.
_NEEDED = {"int": "a whole number", "float": "a number"}
_LIMITS = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "more than"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "less than"),
}


def usage_error(error: Exception, command: str) -> str | None:
    """The message of a usage error in one line; None for any other error.

    typer's usage errors have had several homes (click's, then its own), so they are known by what
    they can do. `command` is what was called, for errors that do not know it.
    """
    format_message = getattr(error, "format_message", None)
    if format_message is None:
        return None
    said = " ".join(str(format_message()).split())
    message = _wrong_option(error) or _wrong_value(error) or said
    stop = "" if message.endswith((".", "?", "!")) else "."
    path = getattr(getattr(error, "ctx", None), "command_path", None)
    path = path or ("roclab" if command.startswith("-") else f"roclab {command}")
    return f"{message}{stop} See: {path} --help"


def _wrong_option(error: Any) -> str | None:
    if not hasattr(error, "possibilities"):
        return None
    return f"No such option {error.option_name}.{_meant(error.option_name, error.possibilities)}"


def _wrong_value(error: Any) -> str | None:
    """An option with a value that it cannot have."""
    names = getattr(getattr(error, "param", None), "opts", None)
    if not names:
        return None
    choice = _CHOICE.search(str(error.message))
    if choice:
        known = re.findall("'([^']*)'", choice["known"])
        found = f"{names[0]} is '{choice['given']}', which is not one of {', '.join(known)}."
        return found + _meant(choice["given"].casefold(), known)
    errors = getattr(error.__cause__, "errors", None)
    if errors is None:
        return None
    first = errors()[0]
    return f"{names[0]} is {first['input']}; {_needed(first)} is needed."


def _needed(first: dict[str, Any]) -> str:
    kind = str(first["type"])
    if kind in _LIMITS:
        limit, word = _LIMITS[kind]
        return f"{word} {first['ctx'][limit]:.12g}"
    return _NEEDED.get(kind.split("_")[0], "another value")


def _meant(given: str, known: Iterable[str] | None) -> str:
    near = get_close_matches(given, list(known or ()), n=1)
    return f" Did you mean {near[0]}?" if near else ""
