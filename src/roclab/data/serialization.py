"""Serialized state: every stateful object has the same header of kind, version and checksum."""

from __future__ import annotations

import copy
import json
import struct
import zlib
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self
from uuid import UUID

import numpy as np

from roclab.checks.options import shown
from roclab.errors import InputError, SerializationError

_HEADER = struct.Struct("<2s2sHI")  # "RL", kind, version, CRC-32 of the content
_MAGIC = b"RL"
_LENGTH = struct.Struct("<Q")
_WRONG_CONTENT = (ArithmeticError, LookupError, RecursionError, TypeError, ValueError, struct.error)


class DeepCopied:
    """Objects whose copies are deep, since shallow copies would share part of their state."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return copy.deepcopy(self)


class Stateful(DeepCopied):
    """An object with bytes; subclasses define their content."""

    __slots__ = ()
    _kind: ClassVar[bytes]  # two letters, different for each class
    _version: ClassVar[int] = 1

    if TYPE_CHECKING:  # defined by subclasses

        def _content(self) -> bytes: ...
        @classmethod
        def _restored(cls, content: bytes, *context: Any) -> Self: ...

    def to_bytes(self) -> bytes:
        """The state in a versioned format; a restored object continues with equal values."""
        content = self._content()
        return _HEADER.pack(_MAGIC, self._kind, self._version, zlib.crc32(content)) + content

    @classmethod
    def _from_bytes(cls, data: bytes, *context: Any) -> Self:
        """Restore an object from its bytes and from what bytes cannot hold."""
        content = _checked_content(data, cls)
        try:
            return cls._restored(content, *context)
        except _WRONG_CONTENT as error:
            reason, fix = str(error), "Use another copy."
            if isinstance(error, SerializationError):  # of a state inside, which says what to do
                reason = "; ".join(filter(None, map(error.part, ("found", "needed"))))
                fix = error.part("fix")
            raise SerializationError(
                found="This {kind} cannot be restored: {reason}",
                fix="{fix_inside}",
                kind=cls.__name__,
                reason=reason.rstrip("."),
                fix_inside=fix,
            ) from None


class Serializable(Stateful):
    """An object that can be restored from its bytes alone."""

    __slots__ = ()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Restore an object from the result of `to_bytes`.

        Parameters
        ----------
        data : bytes
            The result of `to_bytes`.

        Raises
        ------
        SerializationError
            The bytes are damaged, of another version or of another type.
        """
        return cls._from_bytes(data)


def _checked_content(data: Any, kind: type[Stateful]) -> bytes:
    """Check the header and return what follows it."""
    raw = bytes(data) if isinstance(data, bytes | bytearray | memoryview) else b""
    name = kind.__name__
    if len(raw) < _HEADER.size or raw[:4] != _MAGIC + kind._kind:
        raise SerializationError(
            found="These bytes hold no {kind}",
            fix="Pass the result of its to_bytes().",
            kind=name,
        )
    _, _, written, checksum = _HEADER.unpack_from(raw)
    if written != kind._version:
        raise SerializationError(
            found="This {kind} was written in version {written}",
            needed="this release of roclab reads version {version}",
            fix="Install a release that reads it.",
            kind=name,
            written=written,
            version=kind._version,
        )
    content = raw[_HEADER.size :]
    if zlib.crc32(content) != checksum:
        raise SerializationError(
            found="The bytes of this {kind} are damaged", fix="Use another copy.", kind=name
        )
    return content


def packed(values: Any, parts: Sequence[bytes]) -> bytes:
    """Plain values, as for `to_json`, and bytes after them."""
    head = to_json([values, [len(part) for part in parts]])
    return b"".join([_LENGTH.pack(len(head)), head, *parts])


def unpacked(content: bytes) -> tuple[Any, list[bytes]]:
    """Restore the arguments of `packed`."""
    start = _LENGTH.size + _LENGTH.unpack_from(content)[0]
    values, lengths = from_json(content[_LENGTH.size : start])
    ends = list(accumulate(checked_counts(lengths), initial=start))
    if ends[-1] != len(content):
        raise ValueError("its parts do not have their lengths")
    return values, [content[first:last] for first, last in pairwise(ends)]


def to_json(value: Any) -> bytes:
    """Lists of plain values as bytes; text, numbers, dates, UUIDs, bytes and tuples are plain."""
    return json.dumps(_to_plain(value), separators=(",", ":")).encode()


def from_json(content: bytes) -> Any:
    """Restore the argument of `to_json`."""
    return json.loads(content, object_hook=_from_plain)


def checked_counts(counts: list[Any]) -> list[int]:
    """Counts that were restored."""
    if any(type(count) is not int or count < 0 for count in counts):
        raise ValueError("a count is not a whole number of at least 0")
    return counts


# How types that JSON lacks are written and read: as {name: value}.
_Codec = tuple[str, Callable[[Any], Any], Callable[[Any], Any]]
_CODECS: dict[type, _Codec] = {
    tuple: ("tuple", lambda value: [_to_plain(part) for part in value], tuple),
    bytes: ("bytes", bytes.hex, bytes.fromhex),
    datetime: ("datetime", datetime.isoformat, datetime.fromisoformat),
    date: ("date", date.isoformat, date.fromisoformat),
    timedelta: (
        "timedelta",
        lambda value: [value.days, value.seconds, value.microseconds],
        lambda parts: timedelta(*parts),
    ),
    Decimal: ("decimal", str, Decimal),
    UUID: ("uuid", str, UUID),
    np.datetime64: (
        "datetime64",
        # A missing one may have no unit, with which it cannot be made again: any will do.
        lambda value: [
            *(("s", 1) if np.isnat(value) else np.datetime_data(value)),
            int(value.astype(np.int64)),
        ],
        lambda parts: np.datetime64(parts[2], tuple(parts[:2])),
    ),
}
_READERS = {name: read for name, _, read in _CODECS.values()}


def _to_plain(value: Any) -> Any:
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, list):
        return [_to_plain(part) for part in value]
    if type(value) in _CODECS:
        name, write, _ = _CODECS[type(value)]
        return {name: write(value)}
    if isinstance(value, np.number | np.bool_ | np.str_) and not isinstance(value, np.longdouble):
        return _to_plain(value.item())
    raise InputError(
        found="{value} cannot be written to bytes",
        needed="ids, keys, labels and times must be text, numbers, dates, UUIDs or tuples of these",
        fix="Convert it to text first.",
        value=shown(value),
    )


def _from_plain(coded: dict[str, Any]) -> Any:
    [(name, value)] = coded.items()
    return _READERS[name](value)
