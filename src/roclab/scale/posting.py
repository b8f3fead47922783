"""Rows on their way to a monitor, by the standard library: a cluster's driver needs no other."""

from __future__ import annotations

import ipaddress
import json
import math
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from roclab.checks.options import check_between
from roclab.errors import InputError, RoclabError

BATCH = 1_000  # rows of a request
_ATTEMPTS, _CONNECTIONS = 8, 3  # of a request: while it is put off, and while nobody answers
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0  # seconds
_LATER = (429, 503)
_MOST_BYTES = 16 << 20  # of an answer
_SHOWN_LETTERS = 300
_SECRET = re.compile(r"[\x21-\x7e]+")


class _Stay(HTTPRedirectHandler):
    """Follows no redirect: the token is for this address only."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True)
class Target:
    """A monitor that rows are sent to.

    Attributes
    ----------
    address : str
        Where rows are posted.
    token : str or None
        Token with the scope ``write``.
    timeout : float
        Seconds after which a request fails.
    opener : OpenerDirector
        What makes requests.
    """

    address: str
    token: str | None = field(repr=False)
    timeout: float
    opener: OpenerDirector = field(repr=False)

    @classmethod
    def of(cls, url: str, *, token: str | None, timeout: float) -> Target:
        """Check what the user has passed."""
        parts = _parts(url)
        here = _is_this_machine(parts.hostname or "")
        if parts.scheme != "https" and not (parts.scheme == "http" and here):
            raise InputError(
                found="{url} is {value}",
                needed="rows and token are sent by https, or by http on this machine",
                fix="Pass {url=}'https://…'.",
                value=repr(f"{parts.scheme}://{parts.hostname}"),
            )
        if token is not None and not (isinstance(token, str) and _SECRET.fullmatch(token)):
            raise InputError(
                found="{token} has characters that no token has",
                fix="Check how it was read: it has no blanks and ends without a line end.",
            )
        seconds = check_between("timeout", timeout, 0, math.inf, fix="Pass {timeout=}60.")
        # What stays on this machine passes no proxy.
        opener = build_opener(_Stay, *([ProxyHandler({})] if here else []))
        address = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/v1/summaries"
        return cls(address, token, seconds, opener)

    def post(self, rows: Sequence[bytes]) -> list[dict[str, Any]]:
        """Send rows in batches; return the outcomes of those that are not new, with their rows."""
        outcomes = []
        for begin in range(0, len(rows), BATCH):
            answer = self._answer(b"\n".join(rows[begin : begin + BATCH]), begin)
            outcomes += [{**one, "row": begin + one["row"]} for one in answer["rows"]]
        return outcomes

    def _answer(self, body: bytes, sent: int) -> dict[str, Any]:
        """The answer to a batch, after so many rows that were sent."""
        status, problem, attempts = 0, "", 0
        while True:
            pause = min(_FIRST_PAUSE * 2**attempts, _LONGEST_PAUSE)
            try:
                status, headers, content = self._request(body)
            except (URLError, TimeoutError, ConnectionError, HTTPException) as error:
                problem, most = str(getattr(error, "reason", error)) or repr(error), _CONNECTIONS
            else:
                answer = _decoded(content)
                if status in (200, 422) and _has_outcomes(answer, body.count(b"\n") + 1):
                    return answer
                problem = f"{status} {answer.get('error', '')}".strip()
                most = _ATTEMPTS if status in _LATER else 1
                pause = _retry_after(headers.get("Retry-After"), pause)
            attempts += 1
            if attempts >= most:
                break
            time.sleep(pause)
        raise RoclabError(
            found="The monitor at {address} does not take rows: {problem}",
            needed="{sent} rows were sent before" if sent else "",
            fix=_FIXES.get(status, "Post them again later: rows that it has are duplicates."),
            address=self.address,
            problem=problem[:_SHOWN_LETTERS],
            sent=f"{sent:,}",
        )

    def _request(self, body: bytes) -> tuple[int, Any, bytes]:
        headers = {"Content-Type": "application/x-ndjson", "Accept": "application/json"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        request = Request(self.address, body, headers, method="POST")
        try:
            with self.opener.open(request, timeout=self.timeout) as answer:
                return answer.status, answer.headers, answer.read(_MOST_BYTES)
        except HTTPError as error:  # an answer too
            with error:
                return error.code, error.headers, error.read(_MOST_BYTES)


_FIXES = {
    401: "Pass a valid {token}; roclab monitor token create makes one.",
    403: "Pass a {token} with the scope write.",
    404: "Check {url}: is it the address of the monitor?",
    413: "Raise body in [limits] of the monitor.",
}


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0
    except (ValueError, TypeError, AttributeError):
        usable = False
    if not usable or parts.username is not None or parts.query or parts.fragment:
        raise InputError(
            found="{url} cannot be used",  # and is not shown, since it may hold a password
            needed="an address of scheme, host, port and path is needed, and nothing else",
            fix="Pass {url=}'https://monitor.example.com', and the token by {token}.",
        )
    return parts


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _decoded(content: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _has_outcomes(answer: dict[str, Any], sent: int) -> bool:
    """Whether an answer says what became of rows, and of none that were not sent."""
    rows = answer.get("rows")
    return isinstance(rows, list) and all(
        isinstance(one, dict)
        and type(one.get("row")) is int
        and 0 <= one["row"] < sent
        and isinstance(one.get("outcome"), str)
        for one in rows
    )


def _retry_after(given: str | None, pause: float) -> float:
    """The pause that a server asks for, in seconds or until a date; `pause` if it does not."""
    if given is None:
        return pause
    try:
        seconds = float(given)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(given) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, IndexError, OverflowError):
            return pause
    return min(max(seconds, 0.0), _LONGEST_PAUSE) if math.isfinite(seconds) else pause
