"""A client that posts to a URL from a configuration, and to nothing that the URL leads on to.

Only ``https``, or ``http`` to this host. The name is resolved once, every address is checked, and
the connection goes to a checked address, so that a name cannot lead elsewhere between check and
use. TLS verifies the certificate for the name. No proxies, redirects or cookies; one deadline.
"""

from __future__ import annotations

import contextlib
import http
import http.client
import json
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import Any

from roclab import __version__
from roclab.monitor.delivery.addresses import scope_of
from roclab.monitor.delivery.connection import (
    MOST_READ,
    Deadline,
    DeadlineSocket,
    connect,
    system_addresses,
)
from roclab.monitor.delivery.endpoint import Endpoint
from roclab.monitor.delivery.message import DeliveryError

Resolver = Callable[[str, int], Sequence[str]]

_LONGEST_WAIT = 3600.0  # a receiver cannot silence a channel for longer
_RETRYABLE = {408, 425, 429}


def json_body(payload: Any) -> bytes:
    """JSON in UTF-8, compact."""
    return json.dumps(payload, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


@dataclass(frozen=True, kw_only=True)
class HttpClient:
    """Posts to an endpoint.

    Parameters
    ----------
    resolve : callable, optional
        Called once per request as ``resolve(host, port)``; returns addresses. The system's
        resolver by default, whose own time limit applies.
    context : ssl.SSLContext, optional
        Context of TLS. By default certificates are verified with the system's authorities.
    deadline : float, default 10.0
        Seconds for a whole request, from connecting to the end of the answer.
    clock : callable, optional
        Present time in seconds since 1970; ``time.time`` by default.
    """

    resolve: Resolver = system_addresses
    context: ssl.SSLContext | None = None
    deadline: float = 10.0
    clock: Callable[[], float] = time.time

    def post(
        self,
        endpoint: Endpoint,
        body: bytes,
        *,
        attempt_id: str,
        headers: Mapping[str, str] | None = None,
        advice: Mapping[int | str, str] | None = None,
    ) -> None:
        """Post a body; a status of 2xx is a delivery.

        Parameters
        ----------
        endpoint : Endpoint
            Where to.
        body : bytes
            What is sent.
        attempt_id : str
            Id of the delivery, the same for each attempt.
        headers : mapping, optional
            Headers beside those of the protocol.
        advice : mapping, optional
            What to do, by whole answers of the receiver or by status. Other answers are never
            shown, since they may repeat a secret.

        Raises
        ------
        DeliveryError
            If the receiver did not accept it.
        """
        deadline = Deadline(self.deadline)
        addresses = self._checked_addresses(endpoint)
        try:
            with contextlib.closing(self._connected(endpoint, addresses, deadline)) as sock:
                connection = _Pinned(endpoint, DeadlineSocket(sock, deadline))
                sent = _all_headers({"X-Roclab-Delivery": attempt_id, **(headers or {})})
                connection.request("POST", endpoint.target, body, sent)
                failure = self._judged(endpoint, connection.getresponse(), advice or {})
        except (OSError, http.client.HTTPException) as error:
            failure = self._failure(endpoint, error)
        # Raised here, not where it was found: so nothing that the receiver said is its context.
        if failure is not None:
            raise failure

    def _checked_addresses(self, endpoint: Endpoint) -> list[str]:
        """Every address of the host, if all of them are allowed."""
        try:
            found = [ip_address(one) for one in self.resolve(endpoint.host, endpoint.port)]
        except (OSError, ValueError):
            found = []
        if not found:
            raise _failed(
                endpoint, "cannot be resolved to an address", fix="Check the name and the DNS."
            )
        for address in found:
            scope, words = scope_of(address)
            if endpoint.loopback:
                allowed = scope == "loopback"
            else:
                allowed = scope == "public" or (scope == "private" and endpoint.allow_private)
            if not allowed:
                raise _refused(endpoint, words, may_allow=scope == "private")
        return [str(address) for address in found]

    def _connected(
        self, endpoint: Endpoint, addresses: Sequence[str], deadline: Deadline
    ) -> socket.socket:
        sock = connect(addresses, endpoint.port, deadline)
        try:
            if endpoint.secure:
                context = self.context or ssl.create_default_context()
                sock.settimeout(deadline.left())
                name = endpoint.host.removesuffix(".")
                return context.wrap_socket(sock, server_hostname=name)
        except BaseException:
            sock.close()
            raise
        return sock

    def _judged(
        self,
        endpoint: Endpoint,
        response: http.client.HTTPResponse,
        advice: Mapping[int | str, str],
    ) -> DeliveryError | None:
        status = response.status
        if 200 <= status < 300:
            return None
        if 300 <= status < 400:
            return DeliveryError(
                found="{host} answered {status}: a redirect, which is not followed",
                fix="Set the final URL of the receiver.",
                retryable=False,
                host=endpoint.host,
                status=_status_words(status),
            )
        known = advice.get(_answer(response)) or advice.get(status)
        return DeliveryError(
            found="{host} answered {status}",
            fix=known or _advice(status),
            retryable=status in _RETRYABLE or status >= 500,
            retry_after=retry_after(response.getheader("Retry-After"), now=self.clock()),
            host=endpoint.host,
            status=_status_words(status),
        )

    def _failure(self, endpoint: Endpoint, error: Exception) -> DeliveryError:
        if isinstance(error, TimeoutError):
            return _failed(
                endpoint,
                "has not answered within {seconds} seconds",
                seconds=f"{self.deadline:g}",
            )
        if isinstance(error, ssl.SSLCertVerificationError):
            return _failed(
                endpoint,
                "has a certificate that is not valid for it ({reason})",
                fix="Nothing was sent. Check the name in the URL; for an authority of your own set "
                "SSL_CERT_FILE.",
                reason=error.verify_message,
            )
        return _failed(endpoint, "{reason}", reason=_connection_words(error))


class _Pinned(http.client.HTTPConnection):
    """A connection that exists already; its name is only for the header ``Host``."""

    def __init__(self, endpoint: Endpoint, sock: DeadlineSocket) -> None:
        super().__init__(endpoint.host, endpoint.port)
        self.default_port = 443 if endpoint.secure else 80
        self.auto_open = 0
        self.sock = sock


def _all_headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {
        "User-Agent": f"roclab-monitor/{__version__}",
        "Content-Type": "application/json",
        "Accept": "*/*",
        "Connection": "close",
        **headers,
    }


def retry_after(header: str | None, *, now: float) -> float | None:
    """Seconds to wait, from a number of seconds or an HTTP date; at most an hour."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), _LONGEST_WAIT)
    try:
        date = parsedate_to_datetime(text)
        seconds = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(seconds, 0.0), _LONGEST_WAIT)


def _answer(response: http.client.HTTPResponse) -> str:
    """The beginning of the answer, as far as it came."""
    try:
        content = response.read(MOST_READ)
    except (OSError, http.client.HTTPException, ValueError):  # the last: a chunk of -5 bytes
        return ""
    return content.decode("utf-8", "replace").strip()


def _status_words(status: int) -> str:
    try:
        return f"{status} {http.HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _advice(status: int) -> str:
    if status in (401, 403):
        return "Check the secret or the permission of this channel."
    if status in (404, 410):
        return "The URL may have been revoked: create a new one at the receiver."
    if status in _RETRYABLE or status >= 500:
        return "The receiver cannot take it at the moment."
    return "The receiver does not take this message: check the type of the channel and its URL."


def _connection_words(error: Exception) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "refused the connection"
    if isinstance(error, ConnectionError):  # also a connection that ends without an answer
        return "closed the connection without an answer"
    if isinstance(error, ssl.SSLError):
        return "failed in the TLS handshake"
    if isinstance(error, http.client.HTTPException):
        return "did not answer with HTTP"
    return "cannot be reached"


def _failed(endpoint: Endpoint, found: str, *, fix: str = "", **values: Any) -> DeliveryError:
    return DeliveryError(
        found="{host} " + found,
        fix=fix or "Check the host and the port, and that they can be reached from here.",
        retryable=True,
        host=endpoint.host,
        **values,
    )


def _refused(endpoint: Endpoint, words: str, *, may_allow: bool) -> DeliveryError:
    if endpoint.loopback:
        needed = "localhost must resolve to this host"
    elif may_allow:
        needed = "deliveries go to public addresses"
    else:
        needed = "deliveries never go there, since a URL could reach internal services"
    fix = "If the receiver is in your own network, set allow_private = true." if may_allow else ""
    return DeliveryError(
        found="{host} resolves to {words}, and nothing was sent",
        needed=needed,
        fix=fix or "Set the public URL of the receiver.",
        retryable=False,
        host=endpoint.host,
        words=words,
    )
