"""Who may do what: tokens, the machine itself, and users named by a trusted proxy."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request
from starlette.exceptions import HTTPException

from roclab.monitor.service import Service
from roclab.monitor.settings import Settings
from roclab.monitor.store.records import Scope

# What a scope includes.
_INCLUDES: dict[str, set[str]] = {
    "read": {"read"},
    "write": {"write"},
    "admin": {"read", "write", "admin"},
}


@dataclass(frozen=True)
class Caller:
    """Who asks, for the records of acts."""

    name: str
    scope: Scope


class Access:
    """Decides whether a request is allowed.

    Parameters
    ----------
    settings : Settings
        Settings of the server.
    service : callable
        The service, which knows the tokens.
    """

    def __init__(self, settings: Settings, service: Callable[[], Service]) -> None:
        server = settings.server
        self._service = service
        self._needs_token = server.require_tokens or not is_loopback(server.host)
        self._proxies = [ipaddress.ip_network(one, strict=False) for one in server.trusted_proxies]
        self._header = server.user_header
        page = settings.alerts.page
        self._page = None if page is None else urlsplit(page).hostname

    def needs(self, scope: Scope) -> Callable[[Request], Any]:
        """A check that a request has a scope."""

        async def check(request: Request) -> Caller:
            caller = self._caller(request)
            if scope not in _INCLUDES[caller.scope]:
                raise HTTPException(
                    403,
                    f"The token {caller.name!r} has the scope {caller.scope}, and this needs "
                    f"{scope}.",
                )
            return caller

        return check

    def _caller(self, request: Request) -> Caller:
        given = request.headers.get("authorization", "")
        if given:
            kind, _, secret = given.partition(" ")
            token = self._service().token_of(secret.strip()) if kind.lower() == "bearer" else None
            if token is None:
                raise HTTPException(
                    401,
                    "The token is not valid. Create one by roclab monitor token create.",
                    {"WWW-Authenticate": "Bearer"},
                )
            return Caller(token.name, token.scope)
        user = self._proxied_user(request)
        if user is not None:
            return Caller(user, "admin")
        if self._needs_token:
            raise HTTPException(
                401,
                "A token is needed: Authorization: Bearer …. Create one by roclab monitor token "
                "create.",
                {"WWW-Authenticate": "Bearer"},
            )
        self._check_origin(request)
        return Caller("this machine", "admin")

    def _proxied_user(self, request: Request) -> str | None:
        if self._header is None or request.client is None:
            return None
        user = request.headers.get(self._header)
        try:
            address = ipaddress.ip_address(request.client.host)
        except ValueError:
            return None
        trusted = any(address in network for network in self._proxies)
        return user[:100] if user and trusted else None

    def _check_origin(self, request: Request) -> None:
        """Refuse pages of other sites that a browser on this machine has open."""
        host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
        if not (is_loopback(host) or host == self._page or host == "testserver"):
            raise HTTPException(
                403,
                f"The request is for {host[:100]!a}. Without tokens only this machine is served, "
                "as localhost.",
            )
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
            raise HTTPException(403, "Pages of other sites may not ask.")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
