"""What is delivered, with text that is safe in one line, a message or JSON; or was not."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

from roclab.errors import RoclabError

Kind = Literal["firing", "resolved", "test"]
Severity = Literal["alarm", "warning"]

# Line ends of all alphabets, control characters, and marks that reverse the order of letters.
_BREAKS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)
_BREAKS_IN_LINES = re.compile(_BREAKS.pattern.replace("\x00-\x1f", "\x00-\x09\x0b-\x1f"))
_SURROGATES = re.compile("[\ud800-\udfff]")
_LONGEST_TEXT = 20_000
_DEEPEST = 20


@dataclass(frozen=True, kw_only=True)
class Notification:
    """What is delivered: an alert that fires or has ended, or a test.

    Attributes
    ----------
    key : str
        Deduplication key of the alert, the same for firing and resolved.
    kind : {"firing", "resolved", "test"}
        What happened to the alert.
    severity : {"alarm", "warning"}
        Severity of the alert.
    model : str
        Name of the model.
    stream : str
        The model, or one segment of it: ``"credit, region north"``.
    title : str
        One line.
    text : str
        The sentence with numbers.
    facts : tuple of (str, str)
        Label and value of each fact.
    since : str
        When the alert began, ISO 8601.
    at : str
        When this was written, ISO 8601.
    link : str or None
        Address of the page at that moment.
    details : dict
        More data for webhooks, as JSON.
    """

    key: str
    kind: Kind
    severity: Severity
    model: str
    stream: str
    title: str
    text: str
    facts: tuple[tuple[str, str], ...] = ()
    since: str
    at: str
    link: str | None = None
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """Shape and word of the state: ``"▲ alarm"``, ``"○ resolved"``."""
        if self.kind == "firing":
            return "▲ alarm" if self.severity == "alarm" else "△ warning"
        return "○ resolved" if self.kind == "resolved" else "◇ test"

    @property
    def headline(self) -> str:
        """State and title on one line."""
        return f"{self.status}: {self.title}"

    def cleaned(self) -> Notification:
        """The same with text that every channel can carry.

        Fields of one line have no line ends; nothing has control characters, lone surrogates or
        marks that reverse the direction of text. A link that is not http(s) is left out.
        """
        return replace(
            self,
            key=one_line(self.key, 1000),
            model=one_line(self.model, 300),
            stream=one_line(self.stream, 300),
            title=one_line(self.title, 500),
            text=lines(self.text, _LONGEST_TEXT),
            facts=tuple((one_line(a, 200), one_line(b, 1000)) for a, b in self.facts[:50]),
            since=one_line(self.since, 100),
            at=one_line(self.at, 100),
            link=_safe_link(self.link),
            details=json_safe(self.details),
        )


class DeliveryError(RoclabError):
    """A notification could not be delivered; the message holds no URL, token or password.

    Parameters
    ----------
    retryable : bool
        Whether the same call may succeed later.
    retry_after : float, optional
        Seconds that the receiver asks to wait before the next attempt.
    **parts
        Parts and values of the message, see `roclab.errors.Message`.
    """

    def __init__(self, *, retryable: bool, retry_after: float | None = None, **parts: Any) -> None:
        self.retryable, self.retry_after = retryable, retry_after
        super().__init__(**parts)


def test_notification(  # it is no test of ours: see __test__ below
    *,
    at: str | None = None,  # noqa: PT028
    link: str | None = None,  # noqa: PT028
) -> Notification:
    """The notification that the *Test* of a channel sends.

    Parameters
    ----------
    at : str, optional
        Time of the test, ISO 8601; now by default.
    link : str, optional
        Address of the monitor's page.
    """
    moment = at or datetime.now(UTC).isoformat(timespec="seconds")
    return Notification(
        key="roclab-test",
        kind="test",
        severity="warning",
        model="test",
        stream="test",
        title="Test of this channel",
        text="The roclab monitor can deliver alerts here. Nothing is wrong, and nothing is to do.",
        facts=(("Sent", moment),),
        since=moment,
        at=moment,
        link=link,
        details={},
    )


test_notification.__test__ = False  # type: ignore[attr-defined]  # pytest collects by name


def one_line(text: str, limit: int) -> str:
    """Text on one line of at most `limit` characters, without control characters."""
    return cut(" ".join(_BREAKS.sub(" ", _whole(text)).split()), limit)


def lines(text: str, limit: int) -> str:
    """Text of at most `limit` characters whose only control character is the line feed."""
    with_feeds = re.sub("\r\n?|[\u2028\u2029\x85]", "\n", _whole(text))
    return cut(_BREAKS_IN_LINES.sub(" ", with_feeds).strip(), limit)


def cut(text: str, limit: int) -> str:
    """The first characters, with an ellipsis where some are left out."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def json_safe(value: Any, depth: int = 0) -> Any:
    """JSON that every reader takes: no lone surrogates, no nan or infinity, no deep nesting."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, dict):
        return {_whole(str(key)): json_safe(one, depth + 1) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(one, depth + 1) for one in value]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return _whole(str(value))


def _whole(text: str) -> str:
    """Surrogates that stand alone, which UTF-8 cannot write, as the replacement character."""
    return _SURROGATES.sub("\ufffd", text)


def _safe_link(link: str | None) -> str | None:
    if link is None or _BREAKS.search(link) or len(link) > 2000:
        return None
    # Quotes and brackets would end the attribute or the markup that the link is put into.
    usable = re.fullmatch(r"https?://[^\s<>\"'|\\^`{}\ud800-\udfff]+", link)
    return link if usable else None
