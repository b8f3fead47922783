"""One deadline for all that is sent to and read from a socket, however slowly it comes."""

from __future__ import annotations

import io
import socket
import time
from typing import Any

MOST_READ = 65_536


class Deadline:
    """The time that is left of a number of seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds that are left.

        Raises
        ------
        TimeoutError
            If none are.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class DeadlineReader(io.RawIOBase):
    """What a socket receives before the deadline, and at most `most` bytes of it.

    The timeout of a socket counts from each call, so a server that sends a byte a second would
    never run into it.
    """

    def __init__(self, sock: socket.socket, deadline: Deadline, most: int = MOST_READ) -> None:
        self._socket, self._deadline, self._left = sock, deadline, most

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what is there; 0 bytes at the end, or once `most` bytes were read."""
        with memoryview(buffer) as view:
            wanted = view[: min(len(view), self._left)]
            if not wanted:
                return 0
            self._socket.settimeout(self._deadline.left())
            count = self._socket.recv_into(wanted)
        self._left -= count
        return count


class DeadlineSocket:
    """The part of a socket that `http.client` uses, with one deadline for all calls."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._socket, self._deadline = sock, deadline

    def sendall(self, data: bytes) -> None:
        """Send everything before the deadline."""
        view = memoryview(data)
        while view:
            self._socket.settimeout(self._deadline.left())
            view = view[self._socket.send(view) :]

    def makefile(self, mode: str) -> io.BufferedReader:  # noqa: ARG002
        """A reader of the answer."""
        return io.BufferedReader(DeadlineReader(self._socket, self._deadline))

    def close(self) -> None:
        """Nothing: the reader of the answer still needs the connection, and its owner closes it."""
