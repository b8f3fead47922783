"""Connections with one deadline for all that is sent and received, however slowly it comes."""

from __future__ import annotations

import io
import socket
import time
from collections.abc import Sequence
from typing import Any

MOST_READ = 65_536
_MOST_ADDRESSES = 4


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


def system_addresses(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, as the system resolves its name."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def connect(addresses: Sequence[str], port: int, deadline: Deadline) -> socket.socket:
    """Connect to the first of at most four addresses that answers, never to a name.

    Each has an equal share of the time that is left, so that one that is silent, as that of a
    network without IPv6, leaves time for the next.
    """
    failure = OSError()
    tried = addresses[:_MOST_ADDRESSES]
    for place, address in enumerate(tried):
        try:
            return socket.create_connection((address, port), deadline.left() / (len(tried) - place))
        except OSError as error:
            failure = error
    raise failure


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
