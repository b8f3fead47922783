"""What a channel does, and how one is made from its settings."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Protocol

from roclab.monitor.delivery.endpoint import Endpoint
from roclab.monitor.delivery.http import HttpClient
from roclab.monitor.delivery.mail import MailChannel
from roclab.monitor.delivery.message import Notification
from roclab.monitor.delivery.pagerduty import EVENTS_URL, PagerDutyChannel
from roclab.monitor.delivery.secret import read_secret
from roclab.monitor.delivery.settings import ChannelSettings
from roclab.monitor.delivery.slack import SlackChannel
from roclab.monitor.delivery.teams import TeamsChannel
from roclab.monitor.delivery.webhook import LogChannel, WebhookChannel


class Channel(Protocol):
    """Delivers notifications."""

    @property
    def name(self) -> str:
        """Name of the channel."""

    def send(self, notification: Notification, *, attempt_id: str) -> None:
        """Deliver one notification.

        Parameters
        ----------
        notification : Notification
            What is delivered.
        attempt_id : str
            Id of the delivery, the same for each attempt, so that receivers can drop repetitions.

        Raises
        ------
        DeliveryError
            If it was not delivered.
        """


def make_channel(
    settings: ChannelSettings,
    *,
    environment: Mapping[str, str],
    client: HttpClient | None = None,
    clock: Callable[[], float] = time.time,
) -> Channel:
    """The channel of settings, with its secrets read.

    Parameters
    ----------
    settings : ChannelSettings
        From `ChannelSettings.of`.
    environment : mapping
        Environment variables: ``os.environ``.
    client : HttpClient, optional
        What posts to URLs; one with a deadline of 10 seconds by default.
    clock : callable, optional
        Present time in seconds since 1970; ``time.time`` by default.

    Raises
    ------
    InputError
        If a secret is missing, or a URL is none to deliver to.
    """
    where = f"channel {settings.name}"
    name, http = settings.name, client or HttpClient()

    def secret(variable: str | None, file: str | None) -> str | None:
        return read_secret(variable, file, environment=environment, where=where)

    if settings.type == "log":
        return LogChannel(name=name)
    if settings.type == "mail":
        return MailChannel(
            name=name,
            host=settings.host or "",
            port=settings.mail_port,
            to=settings.to,
            sender=settings.sender or "",
            tls=settings.tls,
            user=secret(settings.user_env, None),
            password=secret(settings.password_env, settings.password_file),
        )
    url = settings.url or secret(settings.url_env, settings.url_file) or EVENTS_URL
    endpoint = Endpoint.of(url, where=where, allow_private=settings.allow_private)
    key = secret(settings.secret_env, settings.secret_file)
    if settings.type == "slack":
        return SlackChannel(name=name, endpoint=endpoint, client=http)
    if settings.type == "teams":
        return TeamsChannel(name=name, endpoint=endpoint, client=http)
    if settings.type == "pagerduty":
        return PagerDutyChannel(name=name, endpoint=endpoint, client=http, routing_key=key or "")
    return WebhookChannel(name=name, endpoint=endpoint, client=http, secret=key, clock=clock)
