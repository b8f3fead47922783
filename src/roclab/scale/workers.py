"""What the workers of a cluster run, whatever the engine, and what the driver makes of it.

A task is called in a worker and its result comes back in bytes, with the number of rows that it was
called with. An error of roclab comes back as a value too: it is certain, so a second try would be
in vain, and it is raised again where the user is, without the stack trace of the worker.
"""

from __future__ import annotations

import os
import pickle
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import polars as pl

from roclab.errors import RoclabError

RANGE_ROWS = 2_000_000  # of a part, if rows are divided
SAMPLED_IN_ALL = 1 << 24  # scores of samples, from all parts and models
_CAUSE = re.compile(r"^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Killed\w*)\b.*$", re.MULTILINE)
_NO_MODULE = re.compile(r"No module named '(\w+)")
_LONGEST_CAUSE = 300
_OURS = frozenset(
    {"roclab", "polars", "numpy", "narwhals", "scipy", "sklearn", "pyarrow", "pandas"}
)
_THREADS = "ROCLAB_NUM_THREADS"


@dataclass
class ClusterTable:
    """What tables on clusters have in common.

    Attributes
    ----------
    frame : object
        A frame of the engine.
    rows : int or None
        Known after the first pass.
    memory_limit : int
        Memory of each task for the rarer class and its counts; a sixteenth of it is sent.
    """

    frame: Any
    rows: int | None = None
    memory_limit: int = 512 << 20

    keep_bytes: ClassVar[int] = 0

    @property
    def broadcast_bytes(self) -> int:
        """Memory for the rarer class and its counts."""
        return self.memory_limit

    @property
    def names(self) -> list[str]:
        """Names of all columns."""
        return [*self.frame.columns]


@dataclass
class CountedFrames:
    """Frames that are counted while they are read."""

    frames: Iterable[pl.DataFrame]
    rows: int = field(default=0, init=False)

    def __iter__(self) -> Iterator[pl.DataFrame]:
        for frame in self.frames:
            self.rows += frame.height
            yield frame


@dataclass(frozen=True)
class Outcome:
    """What a worker sends: the result of a part or its error, and the number of rows."""

    rows: int
    result: Any = None
    error: RoclabError | None = None

    @classmethod
    def of(cls, task: Any, frames: Iterable[pl.DataFrame]) -> Outcome:
        """Call a task in a worker."""
        counted = CountedFrames(frames)
        try:
            with one_thread():
                result = task(counted)
        except RoclabError as error:
            return cls(counted.rows, error=error)
        return cls(counted.rows, result)

    def to_bytes(self) -> bytes:
        """The outcome, pickled."""
        return pickle.dumps((self.rows, self.result, self.error), pickle.HIGHEST_PROTOCOL)

    @classmethod
    def from_bytes(cls, data: Any) -> Outcome:
        """Restore an outcome from bytes that our own worker has sent."""
        return cls(*pickle.loads(data))

    def checked(self) -> Outcome:
        """Raise the error, if there is one."""
        if self.error is not None:
            raise self.error
        return self


_LOCK = threading.Lock()
_NESTED: list[str | None] = []  # the setting before, once for each task that runs


@contextmanager
def one_thread() -> Iterator[None]:
    """Let the core use one thread: a cluster runs a task on every processor.

    Several threads of a worker may be inside; the last one to leave restores the setting.
    """
    with _LOCK:
        _NESTED.append(_NESTED[0] if _NESTED else os.environ.get(_THREADS))
        os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        with _LOCK:
            before = _NESTED.pop()
            if not _NESTED:
                os.environ.pop(_THREADS, None)
                if before is not None:
                    os.environ[_THREADS] = before


@contextmanager
def errors_of(engine: str, extra: str) -> Iterator[None]:
    """Whatever fails on the cluster inside is one error of one line."""
    try:
        yield
    except RoclabError:
        raise
    except Exception as error:
        raise cluster_error(engine, extra, error) from None


def cluster_error(engine: str, extra: str, error: BaseException) -> RoclabError:
    """The error of a job that failed, with the first line of its cause."""
    text = str(error)
    lacking = _NO_MODULE.search(text)
    if lacking:
        python = ", and set PYSPARK_PYTHON to their python" if extra == "spark" else ""
        package = lacking[1]
        return RoclabError(
            found="Workers of {engine} cannot import {package}",
            needed="they need the packages that the driver has",
            fix="Install {wanted} for them" + python + ".",
            engine=engine,
            package=package,
            wanted=f"'roclab[{extra}]'" if package in _OURS else package,
        )
    return RoclabError(
        found="{engine} could not finish: {cause}",
        fix="See the {engine} log for details.",
        engine=engine,
        cause=cause_of(text, type(error).__name__),
    )


def cause_of(text: str, kind: str) -> str:
    """The last line of a traceback of Python inside the text, else its first line."""
    _, traceback, inside = text.rpartition("Traceback (most recent call last)")
    found = _CAUSE.findall(inside) if traceback else []
    lines: Sequence[str] = found[:1] or [line for line in map(str.strip, text.splitlines()) if line]
    cause = lines[0] if lines else kind
    return cause[:_LONGEST_CAUSE].rstrip(". ")
