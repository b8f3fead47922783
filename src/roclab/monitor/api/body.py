"""Bodies of requests: read within limits of size, time and memory."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Request
from starlette.exceptions import HTTPException

from roclab.monitor.settings import Limits

# What a form of another site cannot send.
TYPES = ("application/json", "application/x-ndjson", "application/ndjson", "application/jsonl")
_AT_ONCE = 4  # bodies of the largest size that all requests together may hold
_FIRST_SECONDS = 10.0  # that a body may take, however short it is
_FEWEST_BYTES = 64 * 1024  # a second, after them
_GZIP = 16 + zlib.MAX_WBITS


class Intake:
    """Reads bodies, of all requests together no more than memory is meant to hold.

    Parameters
    ----------
    limits : Limits
        Bytes of a body, also after it was unpacked.
    """

    def __init__(self, limits: Limits) -> None:
        self._most = limits.body
        self._held = 0

    @asynccontextmanager
    async def body(self, request: Request) -> AsyncIterator[bytes]:
        """The body of a request, which counts as held until the request is answered.

        Raises
        ------
        HTTPException
            It has another type (415), is too large (413) or too slow (408), or too many others
            are held (429).
        """
        _check_type(request)
        unpack = _is_packed(request)
        if int(request.headers.get("content-length", "0")) > self._most:
            raise self._too_large()
        parts: list[bytes] = []
        try:
            await self._read(request, parts)
            body = b"".join(parts)
            yield self._unpacked(body) if unpack else body
        finally:
            self._held -= sum(map(len, parts))

    async def _read(self, request: Request, parts: list[bytes]) -> None:
        size, begun = 0, asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(_FIRST_SECONDS) as deadline:
                async for part in request.stream():
                    size += len(part)
                    if size > self._most:
                        raise self._too_large()
                    if self._held + len(part) > _AT_ONCE * self._most:
                        raise HTTPException(
                            429,
                            "Too many requests are read at the same time. Send it again after a "
                            "second.",
                            {"Retry-After": "1"},
                        )
                    parts.append(part)
                    self._held += len(part)
                    if size >= _FEWEST_BYTES:
                        deadline.reschedule(begun + _FIRST_SECONDS + size / _FEWEST_BYTES)
        except TimeoutError:
            raise HTTPException(
                408, f"The body took too long: {size:,} bytes came. Send smaller batches."
            ) from None

    def _unpacked(self, body: bytes) -> bytes:
        unpacker = zlib.decompressobj(_GZIP)
        try:
            found = unpacker.decompress(body, self._most + 1)
        except zlib.error:
            raise HTTPException(422, "The body is not gzip, as its header says.") from None
        if len(found) > self._most:
            raise self._too_large()
        if not unpacker.eof or unpacker.unused_data:
            raise HTTPException(422, "The body in gzip is incomplete, or has more than one part.")
        return found

    def _too_large(self) -> HTTPException:
        return HTTPException(
            413,
            f"The body has more than {self._most:,} bytes. Send smaller batches, or raise body in "
            "[limits].",
        )


def _check_type(request: Request) -> None:
    given = request.headers.get("content-type", TYPES[0]).partition(";")[0].strip().lower()
    if given not in TYPES:
        raise HTTPException(
            415,
            f"The body has the type {given[:100]!a}. Send JSON as application/json, or one object "
            "a line as application/x-ndjson.",
        )


def _is_packed(request: Request) -> bool:
    given = request.headers.get("content-encoding", "identity").strip().lower()
    if given in ("gzip", "x-gzip"):
        return True
    if given == "identity":
        return False
    raise HTTPException(
        415,
        f"The body is packed with {given[:100]!a}. Send it plain, or with gzip.",
        {"Accept-Encoding": "gzip"},
    )
