"""Connections: deadlines for those who send or read slowly, and a limit to their number.

uvicorn has a deadline between two requests, and none for the first one, for headers that come byte
by byte, for the rest of a body that was refused, and for answers that nobody reads.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import h11
import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol

from roclab.monitor.api.errors import HEADERS, NO_STORE, ErrorAnswer


class Connection(H11Protocol):
    """A connection that is closed if it waits for too long.

    The headers of a request must be complete within `SECONDS` after the connection was made, or
    after the last answer; an answer must be read on within `SECONDS`. If there are more than
    `MOST` connections, the one that has waited longest for a request is closed.
    """

    SECONDS: ClassVar[float] = 15.0
    MOST: ClassVar[int] = 800  # files that a process may have open are often 1,024

    _waiting: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._since = self.loop.time()
        if len(self.connections) > self.MOST:
            self._make_room()
        self._watch()

    def _make_room(self) -> None:
        opened: list[Any] = [one for one in self.connections if not one.transport.is_closing()]
        if len(opened) > self.MOST:
            idle = [one for one in opened if not one.answering]  # this one at least
            min(idle, key=lambda one: one._since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all clocks."""
        super().connection_lost(exc)
        for timer in (self._waiting, self._unread):
            if timer is not None:
                timer.cancel()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()
        self._watch()

    @property
    def answering(self) -> bool:
        """Whether a request is being answered; its body has a deadline of its own."""
        return self.cycle is not None and not self.cycle.response_complete

    def _watch(self) -> None:
        if self.answering:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.SECONDS, self._give_up)

    def _give_up(self) -> None:
        self.transport.close()
        if self._unread is None:  # what was answered may be unread
            self._expect_reading(None)

    def pause_writing(self) -> None:
        """Wait until more of the answer was read."""
        super().pause_writing()
        self._expect_reading(None)

    def resume_writing(self) -> None:
        """Go on with the answer."""
        super().resume_writing()
        if self._unread is not None and not self.transport.is_closing():
            self._unread.cancel()
            self._unread = None

    def _expect_reading(self, before: int | None) -> None:
        size = self.transport.get_write_buffer_size()
        if before is not None and size >= before:
            self.transport.abort()
            return
        self._unread = self.loop.call_later(self.SECONDS, self._expect_reading, size)

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP in the shape of all errors."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()  # an answer was sent already
            return
        content = msgspec.json.encode(ErrorAnswer(msg))
        headers = [
            *(HEADERS | NO_STORE).items(),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(content))),
            ("Connection", "close"),
        ]
        for event in (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=content),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
