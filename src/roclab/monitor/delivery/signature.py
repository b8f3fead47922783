"""Signatures of webhooks: who sent a body, and when."""

from __future__ import annotations

import hashlib
import hmac

_VERSION = "v1="
_LONGEST_TIMESTAMP = 12


def sign(secret: str | bytes, timestamp: str, body: bytes) -> str:
    """The signature of a body that is sent at a time: ``v1=`` and HMAC-SHA-256 in hex.

    Parameters
    ----------
    secret : str or bytes
        Secret that sender and receiver share.
    timestamp : str
        Seconds since 1970, as in the header ``X-Roclab-Timestamp``.
    body : bytes
        Body of the request, byte by byte as it was sent.
    """
    key = secret.encode() if isinstance(secret, str) else secret
    signed = timestamp.encode("utf-8", "replace") + b"." + body
    return _VERSION + hmac.new(key, signed, hashlib.sha256).hexdigest()


def verify_signature(
    secret: str | bytes,
    timestamp: str,
    body: bytes,
    signature: str,
    *,
    now: float,
    tolerance: float = 300,
) -> bool:
    """Whether a webhook was sent by a holder of the secret, and recently. In constant time.

    Parameters
    ----------
    secret : str or bytes
        Secret that sender and receiver share.
    timestamp : str
        Header ``X-Roclab-Timestamp``.
    body : bytes
        Body of the request as it was received, before it is parsed.
    signature : str
        Header ``X-Roclab-Signature``.
    now : float
        Present time in seconds since 1970: ``time.time()``.
    tolerance : float, default 300
        Largest difference between `timestamp` and `now` in seconds. Within it, a request that
        is repeated has the same ``delivery`` in its body, which the signature covers.

    Examples
    --------
    >>> signature = sign("secret", "1700000000", b"[]")
    >>> verify_signature("secret", "1700000000", b"[]", signature, now=1700000010)
    True
    >>> verify_signature("secret", "1700000000", b"[]", signature, now=1700009999)
    False
    """
    if not (secret and timestamp and signature):
        return False
    digits = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= _LONGEST_TIMESTAMP
    expected = sign(secret, timestamp, body)
    same = hmac.compare_digest(expected.encode(), signature.encode("utf-8", "replace"))
    return same and digits and abs(now - int(timestamp)) <= tolerance
