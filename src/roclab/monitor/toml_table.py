"""Tables of a TOML file, whose values are checked one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from roclab.checks.options import shown
from roclab.errors import InputError
from roclab.formatting import listed

Value = TypeVar("Value")
Default = TypeVar("Default")

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_DURATION = re.compile(r"(\d+(?:\.\d+)?) ?([smhdw])")


class TomlTable:
    """A table of the file, with its place for messages.

    Values are looked up with a function that returns what is meant, or raises `UnusableError`.
    """

    def __init__(self, content: Any, place: str) -> None:
        if not isinstance(content, Mapping):
            raise InputError(
                found="{place} is {value}", needed="a table is needed", place=place, value=content
            )
        self.content, self.place = content, place

    def table(self, name: str) -> TomlTable:
        """A table inside, empty if it is missing."""
        return TomlTable(self.content.get(name, {}), f"[{name}]")

    def tables(self) -> list[tuple[str, Any]]:
        """All tables inside."""
        return list(self.content.items())

    def list_of_tables(self, name: str) -> list[TomlTable]:
        """Tables in double brackets."""
        found = self.content.get(name, [])
        place = f"[[{self.place.strip('[]')}.{name}]]" if self.place[0] == "[" else f"[[{name}]]"
        if not isinstance(found, list):
            raise InputError(
                found="{name} is a single table",
                needed="there may be several",
                fix="Write {place}.",
                name=name,
                place=place,
            )
        return [TomlTable(one, place) for one in found]

    def get(self, name: str, check: Callable[[Any], Value], default: Default) -> Value | Default:
        """A value, checked, or the default."""
        if name not in self.content:
            return default
        try:
            return check(self.content[name])
        except UnusableError as error:
            raise InputError(
                found="{name} in {place} is {value}",
                needed=f"{error} is needed",
                name=name,
                place=self.place,
                value=shown(self.content[name]),
            ) from None

    def needed(self, name: str, check: Callable[[Any], Value], example: str) -> Value:
        """A value that must be there."""
        found = self.get(name, check, None)
        if found is None:
            raise InputError(
                found="{place} has no {name}",
                fix="Add for example {example}.",
                place=self.place,
                name=name,
                example=example,
            )
        return found

    def check_known(self, names: Iterable[str]) -> None:
        """Refuse what nobody reads, which is a mistake more often than not."""
        known = list(names)
        for name in self.content:
            if name not in known:
                near = get_close_matches(name, known, n=1)
                raise InputError(
                    found="{place} has no setting {name}",
                    fix="Did you mean {near}?" if near else "There are: {known}.",
                    place=self.place,
                    name=shown(name),
                    near=near[0] if near else "",
                    known=listed(known),
                )


class UnusableError(Exception):
    """A value is not what is needed; the text says what is."""


def as_text(value: Any) -> str:
    """Text that is not empty."""
    if isinstance(value, str) and value:
        return value
    raise UnusableError("text")


def as_path(value: Any) -> Path:
    """The path of a file or directory."""
    return Path(as_text(value))


def as_flag(value: Any) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    raise UnusableError("true or false")


def as_texts(value: Any) -> tuple[str, ...]:
    """A list of texts."""
    if isinstance(value, list) and all(isinstance(one, str) and one for one in value):
        return tuple(value)
    raise UnusableError("a list of texts")


def as_count(low: int, high: int) -> Callable[[Any], int]:
    """A whole number in a range."""

    def check(value: Any) -> int:
        if type(value) is int and low <= value <= high:
            return value
        raise UnusableError(f"a whole number from {low:,} to {high:,}")

    return check


def as_choice(words: Any) -> Callable[[Any], Any]:
    """One of the words of a `Literal`."""

    def check(value: Any) -> Any:
        if value in get_args(words):
            return value
        raise UnusableError(" or ".join(f'"{one}"' for one in get_args(words)))

    return check


def as_duration(value: Any) -> timedelta:
    """A duration such as ``"90d"``, ``"12h"`` or ``"30 m"``."""
    found = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if 1e-6 <= seconds <= 3650 * 86_400:
        return timedelta(seconds=seconds)
    raise UnusableError('a duration such as "90d", "12h" or "30m", up to ten years,')


def as_time_zone(value: Any) -> str:
    """The name of a time zone."""
    try:
        ZoneInfo(as_text(value))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnusableError('a time zone such as "UTC" or "Europe/Berlin"') from None
    return str(value)


def as_web_address(value: Any) -> str:
    """The address of a page, without a slash at its end."""
    if isinstance(value, str) and re.fullmatch(r"https?://[^\s/?#@]+[^\s?#@]*", value):
        return value.rstrip("/")
    raise UnusableError('an address such as "https://monitor.example.org"')
