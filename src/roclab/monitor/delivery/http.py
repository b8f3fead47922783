"""A client that posts to a URL from a configuration, and to nothing that the URL leads on to.

Only ``https``, or ``http`` to this host. The name is resolved once, every address is checked, and
the connection goes to a checked address, so that a name cannot lead elsewhere between check and
use. TLS verifies the certificate for the name. No proxies, redirects or cookies; one deadline.
"""

from __future__ import annotations

import contextlib
import http
import http.client
import re
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import SplitResult, urlsplit

from roclab import __version__
from roclab.errors import InputError
from roclab.monitor.delivery.addresses import scope_of
from roclab.monitor.delivery.deadline import MOST_READ, Deadline, DeadlineSocket
from roclab.monitor.delivery.failure import DeliveryError

Resolver = Callable[[str, int], Sequence[str]]

_DEADLINE = 10.0
_LONGEST_WAIT = 3600.0  # a receiver cannot silence a channel for longer
_MOST_ADDRESSES = 4
_RETRYABLE = {408, 425, 429}
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A checked URL; only its host is ever shown.

    Attributes
    ----------
    secure : bool
        Whether TLS is used.
    host : str
        Name or address in ASCII, without brackets.
    port : int
        Port.
    target : str
        Path and query.
    loopback : bool
        Whether the URL names this host literally.
    allow_private : bool
        Whether the host may be in a private network.
    """

    secure: bool
    host: str
    port: int
    target: str = field(repr=False)
    loopback: bool
    allow_private: bool

    @classmethod
    def of(cls, url: str, *, where: str, allow_private: bool = False) -> Endpoint:
        """Check a URL.

        Parameters
        ----------
        url : str
            Address to post to.
        where : str
            Where it comes from, for messages; they never show the URL.
        allow_private : bool, default False
            Whether the host may be in a private network.

        Raises
        ------
        InputError
            If it is no URL to deliver to.
        """
        parts = _split(url, where)
        host = _host(parts, where)
        loopback = _is_literal_loopback(host)
        if parts.scheme == "http" and not loopback:
            raise _bad_url(where, "has http://", "deliveries need https; http only to localhost")
        if "@" in parts.netloc:
            raise _bad_url(
                where, "has a user name or password", "no credentials may be in the host part"
            )
        try:
            port = parts.port if parts.port is not None else 443 if parts.scheme == "https" else 80
        except ValueError:
            port = 0
        if not 0 < port < 65536:
            raise _bad_url(where, "has no valid port", "a port is a number from 1 to 65535")
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return cls(
            secure=parts.scheme == "https",
            host=host,
            port=port,
            target=target,
            loopback=loopback,
            allow_private=allow_private,
        )


def _split(url: str, where: str) -> SplitResult:
    # Python's parser drops line ends, and others read a backslash as a slash.
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise _bad_url(
            where,
            "has spaces, backslashes, control characters or letters beyond ASCII",
            "a URL has percent escapes (%20) and punycode (xn--) in their place",
        )
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _bad_url(where, "cannot be read as a URL", "https://host/path is needed") from None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise _bad_url(where, "does not begin with https://", "https://host/path is needed")
    return parts


def _host(parts: SplitResult, where: str) -> str:
    host = (parts.hostname or "").lower()
    with contextlib.suppress(ValueError):
        address = ip_address(host)
        if not (isinstance(address, IPv6Address) and address.scope_id):
            return str(address)
    labels = host.removesuffix(".").split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise _bad_url(where, "has no valid host", "https://host/path is needed")
    return host


def _is_literal_loopback(host: str) -> bool:
    try:
        return scope_of(ip_address(host))[0] == "loopback"
    except ValueError:
        return host == "localhost"


def _bad_url(where: str, found: str, needed: str) -> InputError:
    return InputError(
        found="The URL of {where} {what}",
        needed=needed,
        fix="Check where the URL is set; it is not shown here, since it may be a secret.",
        where=where,
        what=found,
    )


def system_addresses(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, as the system resolves its name."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


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
    deadline: float = _DEADLINE
    clock: Callable[[], float] = time.time

    def post(
        self,
        endpoint: Endpoint,
        body: bytes,
        headers: Mapping[str, str],
        *,
        reasons: Mapping[str, str] | None = None,
    ) -> None:
        """Post a body; a status of 2xx is a delivery.

        Parameters
        ----------
        endpoint : Endpoint
            Where to.
        body : bytes
            What is sent.
        headers : mapping
            Headers beside those of the protocol.
        reasons : mapping, optional
            What to do, by whole answers of the receiver. Other answers are never shown, since
            they may repeat a secret.

        Raises
        ------
        DeliveryError
            If the receiver did not accept it.
        """
        deadline = Deadline(self.deadline)
        addresses = self._checked_addresses(endpoint)
        try:
            with contextlib.closing(self._connect(endpoint, addresses, deadline)) as sock:
                connection = _Pinned(endpoint, DeadlineSocket(sock, deadline))
                connection.request("POST", endpoint.target, body, _all_headers(headers))
                response = connection.getresponse()
                self._judge(endpoint, response, reasons or {})
        except TimeoutError:
            raise _failed(
                endpoint,
                "has not answered within {seconds} seconds",
                seconds=f"{self.deadline:g}",
            ) from None
        except ssl.SSLCertVerificationError as error:
            raise _failed(
                endpoint,
                "has a certificate that is not valid for it ({reason})",
                fix="Nothing was sent. Check the name in the URL; for an authority of your own set "
                "SSL_CERT_FILE.",
                reason=error.verify_message,
            ) from None
        except (OSError, http.client.HTTPException) as error:
            raise _failed(endpoint, "{reason}", reason=_connection_words(error)) from None

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

    def _connect(
        self, endpoint: Endpoint, addresses: Sequence[str], deadline: Deadline
    ) -> socket.socket:
        """Connect to the first address that answers, never to the name."""
        failure: OSError = OSError()
        for address in addresses[:_MOST_ADDRESSES]:
            try:
                sock = socket.create_connection((address, endpoint.port), deadline.left())
            except TimeoutError:
                raise
            except OSError as error:
                failure = error
                continue
            if not endpoint.secure:
                return sock
            try:
                context = self.context or _default_context()
                sock.settimeout(deadline.left())
                return context.wrap_socket(sock, server_hostname=endpoint.host.removesuffix("."))
            except BaseException:
                sock.close()
                raise
        raise failure

    def _judge(
        self,
        endpoint: Endpoint,
        response: http.client.HTTPResponse,
        reasons: Mapping[str, str],
    ) -> None:
        status = response.status
        if 200 <= status < 300:
            return
        if 300 <= status < 400:
            raise DeliveryError(
                found="{host} answered {status}: a redirect, which is not followed",
                fix="Set the final URL of the receiver.",
                retryable=False,
                host=endpoint.host,
                status=_status_words(status),
            )
        raise DeliveryError(
            found="{host} answered {status}",
            fix=reasons.get(_answer(response), _advice(status)),
            retryable=status in _RETRYABLE or status >= 500,
            retry_after=retry_after(response.getheader("Retry-After"), now=self.clock()),
            host=endpoint.host,
            status=_status_words(status),
        )


class _Pinned(http.client.HTTPConnection):
    """A connection that exists already; its name is only for the header ``Host``."""

    def __init__(self, endpoint: Endpoint, sock: DeadlineSocket) -> None:
        super().__init__(endpoint.host, endpoint.port)
        self.default_port = 443 if endpoint.secure else 80
        self.auto_open = 0
        self.sock = sock


def _default_context() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


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
        seconds = parsedate_to_datetime(text).timestamp() - now
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(seconds, 0.0), _LONGEST_WAIT)


def _answer(response: http.client.HTTPResponse) -> str:
    """The beginning of the answer, as far as it came."""
    try:
        content = response.read(MOST_READ)
    except (OSError, http.client.HTTPException):
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
        return "It is tried again."
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
        fix=fix or "It is tried again.",
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
