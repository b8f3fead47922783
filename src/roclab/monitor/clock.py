"""The time: the clock of the machine, as far as it can be believed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta

from roclab.errors import InputError
from roclab.streaming.calendar import iso

_SMALL = 60_000_000  # microseconds that a clock is set back by in its usual upkeep


class SteadyClock:
    """The clock of the machine, unless it jumps in a way that no machine sleeps.

    A clock that is set ahead for one hour by mistake would freeze cohorts for ever, and time could
    not go back afterwards. So a clock that is set back, or ahead by more than `pause`, is not
    followed: time goes on as the machine's steady counter does, until the clock is right again or
    the service is started anew.

    Parameters
    ----------
    pause : timedelta
        The clock is followed if it is ahead by at most this: the machine has slept.
    wall, steady : callable
        The clock, and a counter that is never set, in nanoseconds.
    """

    def __init__(
        self,
        pause: timedelta,
        *,
        wall: Callable[[], int] = lambda: time.time_ns(),
        steady: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._pause = pause // timedelta(microseconds=1)
        self._wall, self._steady = wall, steady
        self._lock = threading.Lock()
        self._now, self._count = wall() // 1000, steady() // 1000
        self.problem: str | None = None

    def __call__(self) -> int:
        """The time in microseconds since 1970."""
        with self._lock:
            wall, count = self._wall() // 1000, self._steady() // 1000
            expected = self._now + count - self._count
            believed = -_SMALL <= wall - expected <= self._pause
            self._now, self._count = wall if believed else expected, count
            self.problem = None
            if not believed:
                self.problem = (
                    f"The clock of the machine was set to {iso(wall)}; time goes on from "
                    f"{iso(expected)} without it. Set the clock, or start the service again if it "
                    "is right now."
                )
            return self._now


def check_clock(now: int, last: int | None, pause: timedelta) -> None:
    """Refuse a clock that is too far from the time at which a store was last used.

    Parameters
    ----------
    now : int
        What the clock shows, in microseconds since 1970.
    last : int or None
        When the store was last used.
    pause : timedelta
        How long that may be ago, or ahead.
    """
    if last is None or abs(now - last) <= pause // timedelta(microseconds=1):
        return
    raise InputError(
        found="The clock says {now}, and the store was last used {last}",
        needed="there may be {pause} between them",
        fix="Set the clock. If it is right, raise pause in [limits]."
        if now > last
        else "Set the clock. If it is right, it was wrong before: export the models, and import "
        "them into a new directory.",
        now=iso(now),
        last=iso(last),
        pause=f"{pause.total_seconds() / 86_400:g} days",
    )
