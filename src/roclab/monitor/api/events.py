"""News as server-sent events, by which a page that is open learns what has changed."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException

from roclab.monitor.api.access import Caller
from roclab.monitor.api.context import Context
from roclab.monitor.api.openapi import operation
from roclab.monitor.service import Feed

MOST_STREAMS = 100
_LOOK = 1.0  # seconds between two looks at what ends a stream
_RETRY = 2000  # milliseconds after which a page connects again


class Listener:
    """One stream: what its reader has been told, and what comes next.

    Parameters
    ----------
    feed : Feed
        The news.
    run : str
        Names this run of the service; numbers of another run mean nothing.
    given : str
        Id of the last event that the reader has seen, if any.
    """

    def __init__(self, feed: Feed, run: str, given: str) -> None:
        self._feed, self._run = feed, run
        self._last = feed.last
        self._missed = False
        if given:
            before, _, number = given.rpartition("-")
            known = before == run and number.isascii() and number.isdecimal() and len(number) < 16
            self._missed = not known or int(number) > feed.last
            if not self._missed:
                self._last = int(number)

    def next(self) -> list[ServerSentEvent]:
        """News since the last call; a reader who missed some is told to ask again."""
        news = self._feed.since(self._last)
        self._missed |= bool(news) and news[0][0] > self._last + 1
        if self._missed:
            self._missed = False
            self._last = news[-1][0] if news else self._feed.last
            return [self._event("resync", {"kind": "resync"}, self._last)]
        if news:
            self._last = news[-1][0]
        return [self._event(one["kind"], one, number) for number, one in news]

    def _event(self, kind: str, content: dict[str, Any], number: int) -> ServerSentEvent:
        return ServerSentEvent(event=kind, data=content, id=f"{self._run}-{number}")


def add_events(app: FastAPI, context: Context) -> None:
    """Add the route of news."""
    run = secrets.token_hex(4)
    as_reader = context.needs("read")
    opened = 0

    def place() -> None:
        if opened >= MOST_STREAMS:
            raise HTTPException(
                503,
                f"{MOST_STREAMS} streams of news are open, and no more are served.",
                {"Retry-After": "30"},
            )

    described = operation(context, "read", media="text/event-stream", errors=[503])
    described["dependencies"].append(Depends(place))

    @app.get(
        "/v1/events",
        summary="News as server-sent events; Last-Event-ID resumes",
        response_class=EventSourceResponse,
        **described,
    )
    async def events(
        request: Request, caller: Caller = as_reader
    ) -> AsyncIterator[ServerSentEvent]:
        nonlocal opened
        feed, loop, woken = context.service.feed, asyncio.get_running_loop(), asyncio.Event()
        listener = Listener(feed, run, request.headers.get("last-event-id", ""))
        leave = feed.listen(lambda: loop.call_soon_threadsafe(woken.set))
        opened += 1
        try:
            yield ServerSentEvent(comment="connected", retry=_RETRY)
            while not context.stopping.is_set() and context.access.lasts(caller):
                woken.clear()
                for event in listener.next():
                    yield event
                try:
                    await asyncio.wait_for(woken.wait(), _LOOK)
                except TimeoutError:
                    continue
        finally:
            opened -= 1
            leave()
