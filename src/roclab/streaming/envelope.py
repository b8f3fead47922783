"""Serialized state: a header with type, version and checksum, and the bytes of the core."""

from __future__ import annotations

import struct
import zlib
from typing import Any

from roclab.errors import SerializationError

_HEADER = struct.Struct("<4sHI")


def packed(magic: bytes, version: int, payload: bytes) -> bytes:
    """Return a payload with its header."""
    return _HEADER.pack(magic, version, zlib.crc32(payload)) + payload


def unpacked(magic: bytes, version: int, data: Any, kind: str) -> bytes:
    """Check the header and return the payload."""
    raw = bytes(data) if isinstance(data, bytes | bytearray | memoryview) else b""
    if len(raw) < _HEADER.size or raw[:4] != magic:
        raise SerializationError(
            found="These bytes are not a {kind}",
            fix="Pass the result of its to_bytes().",
            kind=kind,
        )
    _, written, checksum = _HEADER.unpack_from(raw)
    if written != version:
        raise SerializationError(
            found="This {kind} was written in version {written}",
            needed="this release of roclab reads version {version}",
            fix="Install a release that reads it.",
            kind=kind,
            written=written,
            version=version,
        )
    payload = raw[_HEADER.size :]
    if zlib.crc32(payload) != checksum:
        raise SerializationError(
            found="The bytes of this {kind} are damaged", fix="Use another copy.", kind=kind
        )
    return payload
