"""State as bytes: what it is, its version and a checksum around what the core wrote."""

from __future__ import annotations

import struct
import zlib
from typing import Any

from roclab.errors import SerializationError

__all__ = ["packed", "unpacked"]

_HEADER = struct.Struct("<4sHI")


def packed(magic: bytes, version: int, payload: bytes) -> bytes:
    """A payload in its envelope."""
    return _HEADER.pack(magic, version, zlib.crc32(payload)) + payload


def unpacked(magic: bytes, version: int, data: Any, what: str) -> bytes:
    """The payload, after making sure that it is what it should be."""
    raw = bytes(data) if isinstance(data, bytes | bytearray | memoryview) else b""
    if len(raw) < _HEADER.size or raw[:4] != magic:
        raise SerializationError(f"These bytes are no {what}. Pass what its to_bytes() gave.")
    _, found, checksum = _HEADER.unpack_from(raw)
    if found != version:
        raise SerializationError(
            f"This {what} was written in version {found}; this roclab reads version {version}. "
            "Install a release that reads it."
        )
    payload = raw[_HEADER.size :]
    if zlib.crc32(payload) != checksum:
        raise SerializationError(f"The bytes of this {what} are damaged. Take another copy.")
    return payload
