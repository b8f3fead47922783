"""Answers that cost time, computed once for all who wait for the same one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor


class SharedAnswers:
    """Computes answers in threads, each at most once at a time.

    Who asks while an answer is computed waits for the next computation, together with all others
    who do: the one under way may not have seen what the caller knows of. So an answer is never
    older than its question, and a thousand questions cost as much as two.

    Parameters
    ----------
    executor : Executor
        Threads that compute.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._running: dict[object, asyncio.Future[bytes]] = {}
        self._next: dict[object, asyncio.Task[bytes]] = {}

    async def get(self, key: object, compute: Callable[[], bytes]) -> bytes:
        """The answer of a computation that begins after this call.

        Parameters
        ----------
        key : hashable
            What is asked: the same key, the same answer.
        compute : callable
            Computes the answer.
        """
        if key not in self._next:
            running = self._running.get(key)
            if running is None:
                return await asyncio.shield(self._begin(key, compute))
            self._next[key] = asyncio.create_task(self._begin_next(running, key, compute))
        return await asyncio.shield(self._next[key])

    def _begin(self, key: object, compute: Callable[[], bytes]) -> asyncio.Future[bytes]:
        running = asyncio.get_running_loop().run_in_executor(self._executor, compute)
        self._running[key] = running
        running.add_done_callback(lambda done: self._end(key, done))
        return running

    def _end(self, key: object, done: asyncio.Future[bytes]) -> None:
        if self._running.get(key) is done:  # the next one may have begun
            del self._running[key]

    async def _begin_next(
        self, running: asyncio.Future[bytes], key: object, compute: Callable[[], bytes]
    ) -> bytes:
        await asyncio.wait([running])
        del self._next[key]
        return await self._begin(key, compute)
