"""Who may do what: tokens, the machine itself, and users named by a trusted proxy."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from fastapi import Request
from starlette.exceptions import HTTPException

from roclab.errors import InputError
from roclab.monitor.service import Service
from roclab.monitor.settings import ServerSettings, Settings
from roclab.monitor.store.records import Scope, Token

# What a scope includes.
_INCLUDES: dict[Scope, set[Scope]] = {
    "read": {"read"},
    "write": {"write"},
    "admin": {"read", "write", "admin"},
}
# By these a proxy tells that the request comes from elsewhere.
_FORWARDED = {b"forwarded", b"via", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip"}
_LONGEST_USER = 100


@dataclass(frozen=True)
class Caller:
    """Who asks, for the records of acts."""

    name: str
    scope: Scope
    token: Token | None = None


class Access:
    """Decides whether a request is allowed.

    Without an `Authorization` header a browser may be asking on behalf of a page of another site:
    then the request must be for an address that only this service has, and come from its own page.

    Parameters
    ----------
    settings : Settings
        Settings of the server.
    service : callable
        The service, which knows the tokens.
    """

    def __init__(self, settings: Settings, service: Callable[[], Service]) -> None:
        server, page = settings.server, settings.alerts.page
        self._service = service
        self._needs_token = needs_token(server)
        self._proxies = _networks(server)
        self._header = server.user_header
        self._page = None if page is None else urlsplit(page).hostname
        self._checks = {scope: self._check_of(scope) for scope in _INCLUDES}

    def needs(self, scope: Scope) -> Callable[[Request], Awaitable[Caller]]:
        """A check that a request has a scope, for `fastapi.Depends`: the same one each time."""
        return self._checks[scope]

    def _check_of(self, scope: Scope) -> Callable[[Request], Awaitable[Caller]]:
        async def check(request: Request) -> Caller:
            return self.caller(request, scope)

        return check

    def caller(self, request: Request, scope: Scope) -> Caller:
        """Who asks, if they have a scope.

        Raises
        ------
        HTTPException
            They have not (403), or a token is needed or not valid (401).
        """
        caller = self._caller(request)
        if scope not in _INCLUDES[caller.scope]:
            raise HTTPException(
                403,
                f"The token {caller.name!a} has the scope {caller.scope}, and this needs {scope}.",
            )
        return caller

    def allows(self, request: Request, scope: Scope) -> bool:
        """Whether a request has a scope, for answers that say more to those who have it."""
        try:
            return scope in _INCLUDES[self._caller(request).scope]
        except HTTPException:
            return False

    def lasts(self, caller: Caller) -> bool:
        """Whether a caller may still do what was allowed before."""
        token, service = caller.token, self._service()
        if token is None:
            return True
        expired = token.expires is not None and token.expires <= service.installation.now()
        return not expired and token in service.tokens()  # a revoked token is another value

    def _caller(self, request: Request) -> Caller:
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            token = self._service().token_of(secret.strip())
            if token is None:
                raise _unauthorized("The token is not valid.")
            return Caller(token.name, token.scope, token)
        user = self._proxied_user(request)
        if user is not None:
            self._check_host(request, proxied=True)
            self._check_site(request)
            return Caller(user, "admin")
        if self._needs_token or kind:
            raise _unauthorized("A token is needed: Authorization: Bearer ….")
        if not _FORWARDED.isdisjoint(name for name, _ in request.scope["headers"]):
            raise HTTPException(
                403,
                "The request came through a proxy, and without tokens only this machine is "
                "served. Set require_tokens, or user_header and trusted_proxies, in [server].",
            )
        self._check_host(request, proxied=False)
        self._check_site(request)
        return Caller("this machine", "admin")

    def _proxied_user(self, request: Request) -> str | None:
        if self._header is None or request.client is None:
            return None
        users = request.headers.getlist(self._header)
        if not any(users) or not self._is_proxy(request.client.host):
            return None
        if len(users) > 1:
            raise HTTPException(
                403, f"{self._header} is there twice; the proxy must replace what others send."
            )
        # Headers are bytes, which Starlette reads as Latin-1.
        user = users[0].encode("latin-1").decode("utf-8", "replace")
        shown = "".join(letter for letter in user if letter.isprintable()).strip()
        return shown[:_LONGEST_USER] or None

    def _is_proxy(self, client: str) -> bool:
        try:
            address = ipaddress.ip_address(client)
        except ValueError:
            return False
        address = getattr(address, "ipv4_mapped", None) or address
        return any(address in network for network in self._proxies)

    def _check_host(self, request: Request, *, proxied: bool) -> None:
        """Refuse names that someone else has let point at this machine."""
        host = _host(f"//{request.headers.get('host', '')}")
        if is_loopback(host) or (proxied and (host == self._page or _is_address(host))):
            return
        raise HTTPException(
            403,
            f"The request is for {host[:100]!a}. "
            + (
                "The proxy must pass on the host of page in [alerts]."
                if proxied
                else "Without tokens only this machine is served, as localhost."
            ),
        )

    def _check_site(self, request: Request) -> None:
        """Refuse pages of other sites that a browser has open."""
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        if site is not None:  # set by the browser itself
            opened = request.method == "GET" and request.headers.get("sec-fetch-mode") == "navigate"
            own = site in ("same-origin", "none") or opened
        else:
            own = origin is None or _is_origin(origin, request.headers.get("host", ""), self._page)
        if not own:
            raise HTTPException(403, "Pages of other sites may not ask.")


def needs_token(server: ServerSettings) -> bool:
    """Whether requests without a user of a proxy need a token.

    Where a proxy names users, a request without a name is of nobody, also from this machine.
    """
    return server.require_tokens or server.user_header is not None or not is_loopback(server.host)


@lru_cache(maxsize=256)
def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by a usual name of it."""
    if host == "localhost":
        return True
    if not _is_address(host):
        return False
    address = ipaddress.ip_address(host)
    # IPv4 in the form of IPv6 is loopback from Python 3.13 on.
    return address.is_loopback and getattr(address, "ipv4_mapped", None) is None


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=256)
def _host(address: str) -> str:
    """The host of an address, in lower case; nothing if it has none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _is_origin(origin: str, host: str, page: str | None) -> bool:
    """Whether a page is of this service, by its address and the one that it asks."""
    name = _host(origin)
    return bool(name) and (name == page or origin.partition("://")[2].lower() == host.lower())


def _networks(server: ServerSettings) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    if server.user_header is not None and not server.trusted_proxies:
        raise InputError(
            found="user_header in [server] is {header}, and no proxy is trusted",
            fix='Add for example trusted_proxies = ["127.0.0.1"].',
            header=repr(server.user_header),
        )
    try:
        return [ipaddress.ip_network(one, strict=False) for one in server.trusted_proxies]
    except ValueError as error:
        raise InputError(
            found="trusted_proxies in [server]: {reason}",
            needed='addresses or networks such as "10.0.0.0/8" are needed',
            reason=error,
        ) from None


def _unauthorized(found: str) -> HTTPException:
    return HTTPException(
        401,
        f"{found} Create one by roclab monitor token create.",
        {"WWW-Authenticate": "Bearer"},
    )
