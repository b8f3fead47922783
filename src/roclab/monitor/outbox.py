"""The outbox: what waits in the store is delivered at least once, by one thread for each channel.

An attempt that failed and may succeed later is repeated after 10 seconds, then after twice the
time, up to an hour; after a day the notification is a dead letter. Each attempt has the same id, so
that receivers can drop repetitions.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from roclab.monitor.delivery import Channel, DeliveryError, Notification, test_notification
from roclab.monitor.installation import Installation
from roclab.monitor.schema import UnknownError
from roclab.monitor.store.records import Delivery
from roclab.streaming.calendar import iso

_PAUSE = 1.0  # seconds between two looks at what is due
_STOP = 5.0  # seconds that attempts have to end; what is not recorded is repeated
_FIRST_RETRY, _LONGEST_RETRY, _GIVE_UP = 10e6, 3600e6, 24 * 3600e6  # microseconds

log = logging.getLogger("roclab.monitor")


class Outbox:
    """Delivers what waits in the store of an installation.

    Parameters
    ----------
    channels : mapping of str to Channel
        The channels by their names. One that hangs delays no other.
    installation : Installation
        Time and store.
    call : callable
        Lets the writing thread call a function inside a transaction.
    """

    def __init__(
        self,
        channels: Mapping[str, Channel],
        installation: Installation,
        call: Callable[[Callable[[Installation], Any]], Future[Any]],
    ) -> None:
        self.channels = channels
        self._installation, self._call = installation, call
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(name,), name=f"roclab-{name}", daemon=True)
            for name in channels
        ]

    def start(self) -> None:
        """Begin to deliver, and give up what waits for channels that are no more."""
        known = tuple(self.channels)
        self._call(lambda at: at.store.abandon_deliveries(known))
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End, after attempts that are under way or a few seconds."""
        self._stopping.set()
        end = time.monotonic() + _STOP
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, end - time.monotonic()))

    def test(self, name: str) -> None:
        """Send a test through a channel, at once.

        Parameters
        ----------
        name : str
            Name of the channel.

        Raises
        ------
        DeliveryError
            It was not delivered.
        """
        channel = self.channels.get(name)
        if channel is None:
            raise UnknownError(
                found="There is no channel {name}",
                fix="The settings name: {known}.",
                name=repr(name[:100]),
                known=", ".join(self.channels) or "none",
            )
        at = iso(self._installation.now())
        channel.send(test_notification(at=at), attempt_id=f"test-{secrets.token_hex(8)}")

    def _run(self, name: str) -> None:
        while not self._stopping.wait(_PAUSE):
            try:
                due = self._installation.store.deliveries(
                    due=self._installation.now(), channel=name
                )
            except Exception:  # the disk fails: seen by the writer too
                log.exception("the outbox cannot be read")
                continue
            for one in due:
                self._record(one, self._attempt(one))
                if self._stopping.is_set():
                    return

    def _attempt(self, one: Delivery) -> DeliveryError | None:
        """Try to deliver; what failed, if it did."""
        try:
            content = {**one.content, "facts": tuple(map(tuple, one.content["facts"]))}
            # The number alone is used again after a model was forgotten.
            attempt_id = f"delivery-{one.created}-{one.number}"
            self.channels[one.channel].send(Notification(**content), attempt_id=attempt_id)
        except DeliveryError as failure:
            return failure
        except Exception as mistake:  # of ours: others must not wait for it, nor see its secrets
            return DeliveryError(
                found="The notification could not be written ({kind})",
                fix="This is a mistake in roclab: please report it.",
                retryable=True,
                kind=type(mistake).__name__,
            )
        return None

    def _record(self, one: Delivery, failure: DeliveryError | None) -> None:
        """Record an attempt; while the store cannot be written, nothing is sent again."""
        now = self._installation.now()
        state, next_at, error = "delivered", now, None
        if failure is not None:
            error = str(failure)
            late = now - one.created > _GIVE_UP
            state = "waiting" if failure.retryable and not late else "dead"
            pause = min(_FIRST_RETRY * 2**one.attempts, _LONGEST_RETRY)
            next_at = now + round(max(pause, (failure.retry_after or 0) * 1e6))
            log.warning(
                "delivery failed",
                extra={"channel": one.channel, "delivery": state, "reason": error},
            )
        recorded = (one.number, state, one.attempts + 1, next_at, error)
        while True:
            try:
                self._call(lambda at: at.store.set_delivery(*recorded)).result()
            except Exception:
                if self._stopping.wait(_PAUSE):
                    return
            else:
                return
