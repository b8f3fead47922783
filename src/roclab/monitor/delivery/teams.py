"""Microsoft Teams: an adaptive card, by the webhook of a workflow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from roclab.monitor.delivery.endpoint import Endpoint
from roclab.monitor.delivery.http import HttpClient, json_body
from roclab.monitor.delivery.message import Notification, cut

# Teams takes 28 kB; these keep below, with four bytes for each character.
_TITLE, _TEXT, _LABEL, _VALUE = 200, 2500, 60, 200
_MOST_FACTS = 10


@dataclass(frozen=True, kw_only=True)
class TeamsChannel:
    """Posts a notification to a workflow of Teams."""

    name: str
    endpoint: Endpoint
    client: HttpClient

    def send(self, notification: Notification, *, attempt_id: str) -> None:
        """Deliver one notification."""
        body = json_body(payload(notification))
        self.client.post(self.endpoint, body, attempt_id=attempt_id)


def payload(notification: Notification) -> dict[str, Any]:
    """The card in the envelope of a message.

    All text is in text runs, which, unlike text blocks and facts, have no Markdown: what a model
    is called cannot become a link.
    """
    safe = notification.cleaned()
    body = [
        _runs(_run(cut(safe.headline, _TITLE), size="Large", weight="Bolder", color=_color(safe))),
        *(_runs(_run(line)) for line in cut(safe.text, _TEXT).splitlines()[:20] if line.strip()),
        *(
            _runs(_run(f"{cut(label, _LABEL)}: ", weight="Bolder"), _run(cut(value, _VALUE)))
            for label, value in safe.facts[:_MOST_FACTS]
        ),
        _runs(_run(cut(f"{safe.stream} · since {safe.since}", _TITLE), isSubtle=True)),
    ]
    card: dict[str, Any] = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "fallbackText": cut(safe.headline, _TITLE),
        "body": body,
    }
    if safe.link:
        card["actions"] = [{"type": "Action.OpenUrl", "title": "Open the page", "url": safe.link}]
    attachment = {
        "contentType": "application/vnd.microsoft.card.adaptive",
        "contentUrl": None,
        "content": card,
    }
    return {"type": "message", "attachments": [attachment]}


def _runs(*runs: dict[str, Any]) -> dict[str, Any]:
    return {"type": "RichTextBlock", "inlines": list(runs)}


def _run(text: str, **style: Any) -> dict[str, Any]:
    return {"type": "TextRun", "text": text, **style}


def _color(notification: Notification) -> str:
    if notification.kind == "resolved":
        return "Good"
    if notification.kind == "test":
        return "Default"
    return "Attention" if notification.severity == "alarm" else "Warning"
