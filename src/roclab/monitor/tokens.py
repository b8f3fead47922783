"""Tokens: secrets that are shown once, and kept as hashes."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest

from roclab.errors import InputError
from roclab.monitor.installation import Installation
from roclab.monitor.schema import UnknownError
from roclab.monitor.store.records import Scope, Token

# A name is shown in logs and tables, and is a part of addresses.
NAME = re.compile(r"^\w(?:[\w .@-]{0,98}[\w.@-])?$")


def create(installation: Installation, name: str, scope: Scope, expires: int | None = None) -> str:
    """Add a token, inside a transaction, and return its secret."""
    store = installation.store
    if not NAME.fullmatch(name):
        raise InputError(
            found="{name} is no name of a token",
            needed="1 to 100 letters, digits, spaces and . _ @ - that begin with a letter or digit "
            "are needed",
            name=ascii(name[:200]),
        )
    if any(one.name == name for _, one in store.tokens()):
        raise InputError(
            found="There is a token {name} already", fix="Choose another name.", name=repr(name)
        )
    secret = f"rlm_{secrets.token_urlsafe(32)}"
    store.add_token(name, digest(secret), scope, installation.now(), expires)
    return secret


def revoke(installation: Installation, name: str) -> None:
    """Revoke a token, inside a transaction."""
    if not installation.store.revoke_token(name, installation.now()):
        raise UnknownError(found="There is no valid token {name}", name=ascii(name[:200]))


def token_of(secret: str, tokens: Iterable[tuple[bytes, Token]], now: int) -> Token | None:
    """The valid token of a secret; every token is compared, in constant time."""
    given, found = digest(secret), None
    for known, token in tokens:
        if (
            compare_digest(known, given)
            and token.revoked is None
            and (token.expires is None or token.expires > now)
        ):
            found = token
    return found


def digest(secret: str) -> bytes:
    """What is stored: the secret is random and long, so a plain hash is enough."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
