"""Slack: a message of blocks, by an incoming webhook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from roclab.monitor.delivery.endpoint import Endpoint
from roclab.monitor.delivery.http import HttpClient, json_body
from roclab.monitor.delivery.message import Notification, cut

# Slack refuses a whole message if one text is longer; lengths are those of the escaped text.
_HEADER, _TEXT, _FIELD = 150, 3000, 2000
_MOST_FIELDS = 10

_NEW_URL = "The URL is no longer valid: create a new incoming webhook in Slack."
_ADVICE: dict[int | str, str] = {
    "channel_is_archived": "The channel is archived: choose another one in Slack.",
    "channel_not_found": "The channel does not exist any more: create a new incoming webhook.",
    "action_prohibited": "An administrator of the workspace has restricted this webhook.",
    "posting_to_general_channel_access_denied": "Posting to #general is restricted: choose "
    "another channel.",
    "no_service": _NEW_URL,
    "no_service_id": _NEW_URL,
    "no_active_hooks": _NEW_URL,
    "invalid_token": _NEW_URL,
    "no_team": _NEW_URL,
    "team_disabled": "The workspace is disabled.",
    "too_many_attachments": "Slack does not take this message.",
    "invalid_payload": "Slack does not take this message.",
    "invalid_blocks": "Slack does not take this message.",
}


@dataclass(frozen=True, kw_only=True)
class SlackChannel:
    """Posts a notification to an incoming webhook of Slack."""

    name: str
    endpoint: Endpoint
    client: HttpClient

    def send(self, notification: Notification, *, attempt_id: str) -> None:
        """Deliver one notification."""
        body = json_body(payload(notification))
        self.client.post(self.endpoint, body, attempt_id=attempt_id, advice=_ADVICE)


def payload(notification: Notification) -> dict[str, Any]:
    """Blocks, and the text that notifications of phones show.

    All text is plain, since Slack's markup has no escapes for its signs: what a model is called
    cannot become bold, a link or a mention.
    """
    safe = notification.cleaned()
    blocks: list[dict[str, Any]] = [{"type": "header", "text": _plain(safe.headline, _HEADER)}]
    if safe.text:
        blocks.append({"type": "section", "text": _plain(safe.text, _TEXT)})
    if safe.facts:
        facts = [_plain(f"{label}: {value}", _FIELD) for label, value in safe.facts[:_MOST_FIELDS]]
        blocks.append({"type": "section", "fields": facts})
    context = _plain(f"{safe.stream} · since {safe.since}", _FIELD)
    blocks.append({"type": "context", "elements": [context]})
    if safe.link:
        button = {"type": "button", "text": _plain("Open the page", _FIELD), "url": safe.link}
        blocks.append({"type": "actions", "elements": [button]})
    fallback = escaped(f"{safe.headline}. {safe.text}", _TEXT)
    return {"text": fallback, "mrkdwn": False, "unfurl_links": False, "blocks": blocks}


def escaped(text: str, limit: int) -> str:
    """Text in which Slack finds no mentions or links, of at most `limit` characters."""
    kept = cut(text, limit)
    while len(result := _escape(kept)) > limit:
        kept = cut(text, len(kept) - max(1, (len(result) - limit) // 5))
    return result


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _plain(text: str, limit: int) -> dict[str, Any]:
    return {"type": "plain_text", "text": escaped(text, limit), "emoji": False}
