"""The service: one thread writes, one reads cohorts, the outbox delivers, and others ask."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from roclab.errors import InputError, RoclabError
from roclab.monitor import tokens
from roclab.monitor.clock import SteadyClock, check_clock
from roclab.monitor.delivery import make_channel
from roclab.monitor.installation import Installation
from roclab.monitor.outbox import Outbox
from roclab.monitor.readings import Readings
from roclab.monitor.settings import Settings
from roclab.monitor.state import ModelState
from roclab.monitor.store.database import StoreError
from roclab.monitor.store.events import Outcome
from roclab.monitor.store.records import CohortCount, Scope, Token
from roclab.monitor.store.sqlite import SQLiteStore

Kind = Literal["predictions", "labels"]

AT_ONCE = 10_000  # rows of a transaction
_TICK = 1.0
_READING_SHARE = 0.2  # of the time, so that rows do not wait for readings
_LARGEST_LOG = 64 * 2**20  # bytes, then it is moved into the file
_TRACES = 60.0  # seconds between looks for traces of what was forgotten
_BEHIND = 60_000_000  # microseconds that a clock may be behind without a word
_NEWS = 1_000

log = logging.getLogger("roclab.monitor")


class BusyError(RoclabError):
    """Too many rows wait to be written."""

    retry_after = 1


@dataclass
class _Job:
    """Rows, or a function, that the writing thread deals with."""

    kind: Kind | Literal["call"]
    model: str = ""
    rows: Sequence[Any] = ()
    function: Callable[[Installation], Any] | None = None
    result: Future[Any] = field(default_factory=Future)


class Service:
    """A running installation.

    Parameters
    ----------
    settings : Settings
        All settings.
    clock : callable, optional
        The time in microseconds since 1970; by default a `SteadyClock`.
    environment : mapping
        Where the secrets of channels are found.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Callable[[], int] | None = None,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.settings = settings
        environment = {} if environment is None else environment
        channels = {
            one.name: make_channel(one, environment=environment) for one in settings.alerts.channel
        }
        store = SQLiteStore(settings.data, synchronous=settings.store.synchronous)
        pause = settings.limits.pause
        self._clock = SteadyClock(pause) if clock is None else clock
        try:
            check_clock(self._clock(), store.state("time"), pause)
            self.installation = Installation(settings, store, self._clock)
        except BaseException:
            store.close()
            raise
        self.store = store
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self._waiting = 0
        self._counts = threading.Lock()
        self._stopping, self._stopped = threading.Event(), threading.Event()
        self._outbox = Outbox(channels, self.installation, self.call)
        self.feed = Feed()
        self._problems: dict[str, str] = {}
        self._logged: dict[str, str] = {}
        self._stale = False  # whether memory may differ from the store
        self._apart = False  # whether models are judged one by one, since one cannot be
        self._next_traces = time.monotonic() + _TRACES
        self._clock_is_wrong = False
        self._next_boundary = 0
        self._tokens = store.tokens()
        self._writer = threading.Thread(target=self._write, name="roclab-writer", daemon=True)
        self._reader = threading.Thread(target=self._read, name="roclab-reader", daemon=True)

    def start(self) -> None:
        """Begin to write, to read cohorts and to deliver."""
        self._writer.start()
        self._reader.start()
        self._outbox.start()

    def stop(self) -> None:
        """Write what waits, and close the store."""
        self._outbox.stop()  # first, so that what was delivered is recorded
        self._stopping.set()
        self._jobs.put(None)
        if self._writer.is_alive():
            self._writer.join()
        self._stopped.set()
        while not self._jobs.empty():  # nobody would ever answer them
            job = self._jobs.get()
            if job is not None:
                job.result.cancel()
        if self._reader.is_alive():
            self._reader.join(10)  # a connection must not be closed while it reads
        self.store.close()

    @property
    def alive(self) -> bool:
        """Whether rows are written."""
        return self._writer.is_alive() and self.problem is None

    @property
    def problem(self) -> str | None:
        """Why rows are not written, or time is not judged; None if all is well."""
        return next(iter(list(self._problems.values())), None)

    @property
    def clock_problem(self) -> str | None:
        """Why the time is not that of the machine's clock, if it is not."""
        behind = self.installation.now() - self._clock()
        if behind > _BEHIND:
            return f"The clock is {behind / 1e6:,.0f} s behind; time stands still meanwhile."
        return getattr(self._clock, "problem", None)

    @property
    def waiting(self) -> int:
        """Number of rows that wait to be written."""
        return self._waiting

    def submit(self, kind: Kind, model: str, rows: Sequence[Any]) -> Future[list[Outcome]]:
        """Let rows be written; the result comes when they are durable.

        Raises
        ------
        BusyError
            Too many rows wait.
        """
        return self.submit_all(kind, {model: rows})[0]

    def submit_all(
        self, kind: Kind, rows_of: Mapping[str, Sequence[Any]]
    ) -> list[Future[list[Outcome]]]:
        """Let rows of several models be written: of all, or of none if too many rows wait.

        Raises
        ------
        BusyError
            Too many rows wait.
        """
        count = sum(map(len, rows_of.values()))
        with self._counts:
            if self._waiting + count > self.settings.limits.waiting_rows and self._waiting:
                raise BusyError(
                    found="{count} rows wait to be written",
                    fix="Send them again after a second, or raise waiting_rows in [limits].",
                    count=f"{self._waiting:,}",
                )
            self._waiting += count
        jobs = [_Job(kind, model, rows) for model, rows in rows_of.items()]
        for job in jobs:
            self._jobs.put(job)
        return [job.result for job in jobs]

    def call(self, function: Callable[[Installation], Any]) -> Future[Any]:
        """Let the writing thread call a function, inside a transaction."""
        job = _Job("call", function=function)
        self._jobs.put(job)
        if self._stopped.is_set():
            job.result.cancel()
        return job.result

    # Tokens

    def create_token(self, name: str, scope: Scope, expires: int | None = None) -> str:
        """Create a token and return its secret, which is shown this once."""
        secret: str = self.call(lambda at: tokens.create(at, name, scope, expires)).result()
        self._tokens = self.store.tokens()
        return secret

    def revoke_token(self, name: str) -> None:
        """Revoke a token, at once."""
        self.call(lambda at: tokens.revoke(at, name)).result()
        self._tokens = self.store.tokens()

    def tokens(self) -> list[Token]:
        """All tokens, without their secrets."""
        return [token for _, token in self._tokens]

    def token_of(self, secret: str) -> Token | None:
        """The valid token of a secret."""
        return tokens.token_of(secret, self._tokens, self.installation.now())

    # The writing thread

    def _write(self) -> None:
        last_tick = 0.0
        while not (self._stopping.is_set() and self._jobs.empty()):
            try:
                jobs = self._take(max(0.0, last_tick + _TICK - time.monotonic()))
                if jobs:
                    self._run(jobs)
                if time.monotonic() >= last_tick + _TICK:
                    last_tick = time.monotonic()
                    self._tick()
                self._keep_house()
                self._problems.pop("upkeep", None)
            except Exception as error:  # nobody would be answered any more if this thread ended
                self._fails("upkeep", error)

    def _tick(self) -> None:
        """Judge what has become due; a model that cannot be judged does not hold up the others."""
        installation = self.installation
        self._next_boundary = installation.next_boundary()
        if not self._apart:
            _, error = self._in_transaction(installation.tick, "time")
            self._apart = error is not None and not isinstance(error, StoreError)
        if self._apart:
            self._problems = {
                what: why for what, why in self._problems.items() if not what.startswith("time")
            }
            failed = [
                self._in_transaction(partial(installation.tick, only=one), f"time of {one}")[1]
                for one in list(installation.models)
            ]
            self._apart = any(failed)
        self._in_transaction(lambda: installation.remove_old(installation.now(), AT_ONCE), "age")
        self._look_at_clock()
        with suppress(StoreError):
            self._tokens = self.store.tokens()  # commands may have changed them

    def _look_at_clock(self) -> None:
        problem = self.clock_problem
        if bool(problem) is not self._clock_is_wrong:
            self._clock_is_wrong = bool(problem)
            log.warning(problem or "the clock is right again")

    def _keep_house(self) -> None:
        """Move a long log into the file, and rewrite that after something was forgotten."""
        now = time.monotonic()
        try:
            if self.store.wal_bytes > _LARGEST_LOG:
                self.store.checkpoint()
            if now >= self._next_traces and self.installation.has_traces:
                # Several are often forgotten at a time, and readers may need the log.
                self._next_traces = now + _TRACES
                self.installation.remove_traces()
        except StoreError as error:
            log.warning("the file cannot be tidied up", extra={"reason": str(error)})

    def _take(self, wait: float) -> list[_Job]:
        """Jobs that wait, up to so many rows; those that come at the same time are one group."""
        jobs: list[_Job] = []
        rows = 0
        try:
            job = self._jobs.get(timeout=wait) if wait else self._jobs.get_nowait()
            while True:
                if job is not None:
                    jobs.append(job)
                    rows += len(job.rows)
                if rows >= AT_ONCE:
                    break
                job = self._jobs.get_nowait()
        except queue.Empty:
            pass
        return jobs

    def _run(self, jobs: list[_Job]) -> None:
        """Run jobs, and answer them when what they wrote is durable."""
        if self.installation.now() >= self._next_boundary:
            self._tick()  # what is due is judged before later rows change what it is judged by
        now = self.installation.now()  # not before that
        # From here on nobody can cancel them, so that their results can be set.
        kept = [job.result.set_running_or_notify_cancel() for job in jobs]
        self._wait_no_longer(job for job, one in zip(jobs, kept, strict=True) if not one)
        self._run_together([job for job, one in zip(jobs, kept, strict=True) if one], now)

    def _wait_no_longer(self, jobs: Iterable[_Job]) -> None:
        """Make room for other rows; before jobs are answered, so that whoever asks finds it."""
        with self._counts:
            self._waiting -= sum(len(job.rows) for job in jobs)

    def _run_together(self, jobs: list[_Job], now: int) -> None:
        """Run jobs in one transaction; if one of them fails, each in its own."""
        results, error = self._in_transaction(lambda: self._results(jobs, now), "rows")
        if error is not None and len(jobs) > 1 and not isinstance(error, StoreError):
            for job in jobs:
                self._run_together([job], now)
            return
        self._wait_no_longer(jobs)
        if error is not None:
            for job in jobs:
                job.result.set_exception(error)
        else:
            for job, result in zip(jobs, results, strict=True):
                if isinstance(result, InputError):
                    job.result.set_exception(result)
                else:
                    job.result.set_result(result)

    def _results(self, jobs: list[_Job], now: int) -> list[Any]:
        results: list[Any] = []
        for job in jobs:
            before = self.store.n_changes
            try:
                results.append(self._result(job, now))
            except InputError as error:
                if self.store.n_changes != before:
                    raise  # half of it was written
                results.append(error)
        return results

    def _result(self, job: _Job, now: int) -> Any:
        if job.function is not None:
            return job.function(self.installation)
        if job.kind == "predictions":
            return self.installation.predictions(job.model, job.rows, now)
        return self.installation.labels(job.model, job.rows, now)

    def _in_transaction(
        self, function: Callable[[], Any], what: str
    ) -> tuple[Any, Exception | None]:
        """Call a function inside a transaction; what fails is logged, and undone in memory."""
        try:
            if self._stale:
                self.installation.load()
                self._stale = False
            with self.store.transaction():
                result = function()
        except Exception as error:
            self._fails(what, error)
            try:
                self.installation.rolled_back()
            except Exception:  # tried again before the next transaction
                self._stale = True
            return None, error
        self._problems.pop(what, None)
        self._logged.pop(what, None)
        try:
            self.installation.committed()
            self.feed.publish(self.installation.take_news())
        except Exception:  # it is durable all the same, so it is acknowledged
            log.exception("memory is built again from the store")
            self._stale = True
        return result, None

    def _fails(self, what: str, error: Exception) -> None:
        reason = str(error) if isinstance(error, RoclabError) else f"{what}: {error!r}"
        if self._logged.get(what) != reason:  # once, not every second
            log.error("a transaction failed", exc_info=error, extra={"reason": reason})
        self._problems[what] = self._logged[what] = reason

    # The reading thread

    def _read(self) -> None:
        """Read cohorts that have changed, again and again, for a share of the time."""
        pause = _TICK
        while not self._stopping.wait(pause):
            begun = time.thread_time()
            try:
                for state, count in self.installation.changed():
                    readings = self.installation.read(state, count)
                    self._keep(state, count, readings)
                    if self._stopping.is_set():
                        return
            except Exception:  # a model was forgotten, or the disk fails: seen by the writer too
                if not self._stopping.is_set():
                    log.exception("cohorts could not be read")
            pause = max(_TICK, (time.thread_time() - begun) * (1 / _READING_SHARE - 1))

    def _keep(self, state: ModelState, count: CohortCount, readings: Readings) -> None:
        self.call(lambda at: at.keep(state, count, readings)).result()

    # Channels

    def test_channel(self, name: str) -> None:
        """Send a test through a channel, at once.

        Raises
        ------
        DeliveryError
            It was not delivered.
        """
        self._outbox.test(name)

    @property
    def channels(self) -> list[str]:
        """Names of the channels."""
        return list(self._outbox.channels)


class Feed:
    """News for pages that are open, with numbers by which they resume."""

    def __init__(self) -> None:
        self._news: deque[tuple[int, dict[str, Any]]] = deque(maxlen=_NEWS)
        self._number = 0
        self._listeners: set[Callable[[], object]] = set()

    def publish(self, news: Sequence[dict[str, Any]]) -> None:
        """Add news, and wake those who listen."""
        for one in news:
            self._number += 1
            self._news.append((self._number, one))
        if news:
            for listener in list(self._listeners):
                listener()

    def since(self, number: int) -> list[tuple[int, dict[str, Any]]]:
        """News after a number."""
        return [one for one in list(self._news) if one[0] > number]

    @property
    def last(self) -> int:
        """Number of the latest news."""
        return self._number

    def listen(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Be woken by news; call the result to be left alone."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)
