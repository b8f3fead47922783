"""URLs that deliveries go to: which are accepted, and what of them may be shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from roclab.errors import InputError
from roclab.monitor.delivery.addresses import scope_of

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
        # Python's parser drops line ends, and others read a backslash as a slash.
        if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
            raise _bad_url(
                where,
                "has spaces, backslashes, control characters or letters beyond ASCII",
                "a URL has percent escapes (%20) and punycode (xn--) in their place",
            )
        parts = _split(url)
        if parts is None or parts.scheme not in ("http", "https"):
            raise _bad_url(where, "does not begin with https://", "https://host/path is needed")
        host = checked_host(parts.hostname or "")
        if host is None:
            raise _bad_url(where, "has no valid host", "https://host/path is needed")
        if "@" in parts.netloc:
            raise _bad_url(
                where, "has a user name or password", "no credentials may be in the host part"
            )
        loopback = is_this_host(host)
        if parts.scheme == "http" and not loopback:
            raise _bad_url(where, "has http://", "deliveries need https; http only to localhost")
        port = _port(parts)
        if port is None:
            raise _bad_url(where, "has no valid port", "a port is a number from 1 to 65535")
        return cls(
            secure=parts.scheme == "https",
            host=host,
            port=port,
            target=(parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
            loopback=loopback,
            allow_private=allow_private,
        )


def checked_host(text: str) -> str | None:
    """A name or an address in its usual form; None if it is neither."""
    host = text.lower()
    try:
        address = ip_address(host)
    except ValueError:
        labels = host.removesuffix(".").split(".")
        return host if len(host) <= 253 and all(map(_LABEL.fullmatch, labels)) else None
    return None if isinstance(address, IPv6Address) and address.scope_id else str(address)


def is_this_host(host: str) -> bool:
    """Whether a host is this one literally: ``localhost`` or a loopback address."""
    try:
        return scope_of(ip_address(host))[0] == "loopback"
    except ValueError:
        return host == "localhost"


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:  # its text shows the URL: it must not be the context of another error
        return None


def _port(parts: SplitResult) -> int | None:
    try:
        port = parts.port
    except ValueError:
        return None
    return (443 if parts.scheme == "https" else 80) if port is None else port or None


def _bad_url(where: str, found: str, needed: str) -> InputError:
    return InputError(
        found="The URL of {where} {what}",
        needed=needed,
        fix="Check where the URL is set; it is not shown here, since it may be a secret.",
        where=where,
        what=found,
    )
