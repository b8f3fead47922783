"""What all routes share: the service, who may ask, and the threads that answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from fastapi import Depends

from roclab.monitor.api.access import Access
from roclab.monitor.api.body import Intake
from roclab.monitor.api.errors import SlowError
from roclab.monitor.api.shared import SharedAnswers
from roclab.monitor.installation import Installation
from roclab.monitor.schema import Checker
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings
from roclab.monitor.store.records import Scope

Value = TypeVar("Value")

_READERS = 4  # threads, each with a connection to the database
_DECODERS = 2
_SMALL = 32 * 1024  # bytes that are decoded at once, without a thread
_PATIENCE = 60.0  # seconds that a request waits until it is written


class Context:
    """What routes work with.

    Parameters
    ----------
    settings : Settings
        Settings of the installation.
    service : Service or None
        The service, or None if it is made later.
    """

    def __init__(self, settings: Settings, service: Service | None) -> None:
        self.settings = settings
        self.access = Access(settings, lambda: self.service)
        self.checker = Checker(settings.limits)
        self.intake = Intake(settings.limits)
        self.rows: Counter[tuple[str, str]] = Counter()  # by kind and outcome
        self.types: set[type] = set()  # of bodies and answers
        self.stopping = asyncio.Event()
        self._service = service
        # Threads that last: each has a connection, which a thread that ends would leave behind.
        self._readers = ThreadPoolExecutor(_READERS, "roclab-answers")
        self._decoders = ThreadPoolExecutor(_DECODERS, "roclab-decoder")
        self._shared = SharedAnswers(self._readers)

    @property
    def service(self) -> Service:
        """The service, once it runs."""
        if self._service is None:
            raise RuntimeError("the application has not been started")
        return self._service

    @property
    def installation(self) -> Installation:
        """What the service knows."""
        return self.service.installation

    def start(self, make: Callable[[], Service]) -> None:
        """Begin to serve, with a service that is made if there is none."""
        if self._service is None:
            self._service = make()
        self._service.start()

    def stop(self) -> None:
        """Stop the service, and the threads."""
        self.stopping.set()
        self._readers.shutdown()
        self._decoders.shutdown()
        self.service.stop()

    def needs(self, scope: Scope) -> Any:
        """A parameter of a route that has the caller, who must have a scope."""
        return Depends(self.access.needs(scope))

    async def shared(self, key: tuple[object, ...], compute: Callable[[], bytes]) -> bytes:
        """An answer that is computed once for all who wait for it."""
        return await self._shared.get(key, compute)

    async def decoded(self, size: int, decode: Callable[[], Value]) -> Value:
        """Decode a body; a large one in a thread, so that others are answered meanwhile."""
        if size <= _SMALL:
            return decode()
        return await asyncio.get_running_loop().run_in_executor(self._decoders, decode)

    async def written(self, futures: Sequence[Future[Any]]) -> list[Any]:
        """Results of the writing thread, once they are durable, or why they are not.

        A request that ends does not take back what it has asked for.
        """
        waiting = [asyncio.wrap_future(one) for one in futures]
        if waiting:
            await asyncio.wait(waiting, timeout=_PATIENCE)  # which leaves them alone if it is ended
        return [_result(one) for one in waiting]

    async def act(self, function: Callable[[Installation], Value]) -> Value:
        """Let the writing thread call a function, inside a transaction, and wait for it."""
        (found,) = await self.written([self.service.call(function)])
        if isinstance(found, Exception):
            raise found
        result: Value = found
        return result


def _result(future: asyncio.Future[Any]) -> Any:
    """What came of it; an exception is a value here."""
    if not future.done():
        return SlowError(
            found="Nothing has been written for {seconds} s, and it is not known whether this "
            "will be",
            fix="Send it again; what is known already is not added twice.",
            seconds=round(_PATIENCE),
        )
    if future.cancelled():
        return SlowError(
            found="The service ends, and has not written this",
            fix="Send it again when it is back.",
        )
    return future.exception() or future.result()
