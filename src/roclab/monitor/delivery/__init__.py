"""Delivery of alerts: webhook, Slack, Teams, PagerDuty, mail and log.

`make_channel` turns the settings of a channel into an object whose `send` delivers one
notification, or raises a `DeliveryError` that says whether another attempt can help. Nothing here
knows the store, starts threads or waits between attempts: that is the outbox's work. `http` is the
client that all channels with a URL share; `addresses` says which addresses it refuses.
"""

from roclab.monitor.delivery.channel import Channel, make_channel
from roclab.monitor.delivery.http import HttpClient
from roclab.monitor.delivery.message import DeliveryError, Notification, test_notification
from roclab.monitor.delivery.settings import ChannelSettings
from roclab.monitor.delivery.signature import sign, verify_signature

__all__ = [
    "Channel",
    "ChannelSettings",
    "DeliveryError",
    "HttpClient",
    "Notification",
    "make_channel",
    "sign",
    "test_notification",
    "verify_signature",
]
