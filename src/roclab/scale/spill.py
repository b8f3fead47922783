"""Rows kept on disk, divided into parts that fit into memory."""

from __future__ import annotations

import pickle
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO

import numpy as np
import polars as pl

from roclab import _core
from roclab.data.summary import RangeSummary
from roclab.errors import RoclabError
from roclab.readers.rows import RowReader
from roclab.readers.values import Array
from roclab.scale.cuts import quantile_cuts
from roclab.scale.tasks import SummaryTask

MOST_PARTS = 100  # each is an open file
_SAMPLED_AT_ONCE = 1000  # of the rows that fit into memory


class SpilledFrames:
    """Frames in temporary files, one for each part.

    The files have no name in the directory, so they vanish with the process, however it ends. The
    first bytes of each part, `in_memory` of them, need no file.
    """

    def __init__(self, parts: int, directory: Path, *, in_memory: int = 0) -> None:
        self.rows = [0] * parts
        self._directory = directory
        self._files: list[IO[bytes]] = []
        self._lock = threading.Lock()
        try:
            with _disk_errors(directory):
                for _ in range(parts):
                    self._files.append(_temporary_file(directory, in_memory))
        except BaseException:
            self.close()
            raise

    def add(self, part: int, frame: pl.DataFrame) -> None:
        """Append rows to a part."""
        if frame.height:
            with _disk_errors(self._directory):
                pickle.dump(frame, self._files[part], pickle.HIGHEST_PROTOCOL)
            self.rows[part] += frame.height

    def frames(self, part: int) -> Iterator[pl.DataFrame]:
        """Read the rows of a part. Several readers may do so at the same time."""
        file = self._files[part]
        place = read = 0
        while read < self.rows[part]:
            with self._lock, _disk_errors(self._directory):
                file.seek(place)
                frame: pl.DataFrame = pickle.load(file)
                place = file.tell()
            read += frame.height
            yield frame

    def free(self, part: int) -> None:
        """Remove a part."""
        with suppress(OSError):  # rows that are waiting to be written, on a full disk
            self._files[part].close()

    def close(self) -> None:
        """Remove all parts."""
        for part in range(len(self._files)):
            self.free(part)

    def __enter__(self) -> SpilledFrames:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _temporary_file(directory: Path, in_memory: int) -> IO[bytes]:
    if in_memory:
        return tempfile.SpooledTemporaryFile(in_memory, dir=str(directory), buffering=1 << 16)
    return tempfile.TemporaryFile(dir=directory, buffering=1 << 16)


@contextmanager
def _disk_errors(directory: Path) -> Iterator[None]:
    """A full disk or a directory that cannot be written is one clear error."""
    try:
        yield
    except OSError as error:
        raise RoclabError(
            found="Temporary files in {place} cannot be used: {reason}",
            fix="Name another directory with {directory}, or allow more memory with "
            "{memory_limit}.",
            place=str(directory),
            reason=error.strerror or str(error),
        ) from None


def spilled_summaries(
    frames: Callable[[], Iterable[pl.DataFrame]],
    task: SummaryTask,
    *,
    rows: int,
    sample: Array,
    rows_in_memory: int,
    directory: Path,
) -> Iterator[RangeSummary]:
    """Divide rows by score into parts on disk, and summarise each of them, in ascending order.

    Rows whose score is a bound of a part are counted and not stored, infinite scores too. A part
    that is still too large is divided again, by scores that `_sampled` takes from all of it. So
    each of its parts holds at most about 1 / 3 of its rows, or 1 / 77 if they need all files, and
    files are nested at most ``2 + log(rows / rows_in_memory, 77)`` deep, whatever the scores are.
    """
    if rows <= rows_in_memory:
        yield task(frames())
        return
    cuts = quantile_cuts(sample, min(MOST_PARTS, -(-2 * rows // rows_in_memory)))
    counter = _core.SlotCounter(cuts, 1)
    stored = RowReader(label="label", models=("score",), weight=task.reader.weight and "weight")
    with SpilledFrames(len(cuts) + 1, directory) as spilled:
        for frame in frames():
            read = task.reader.read(frame)
            scores = read.scores[0]
            order, begin = counter.divide(read.labels, scores)
            columns = {"label": read.labels[order], "score": scores[order]}
            if read.weights is not None:
                counter.add_weights(read.labels, scores, read.weights)
                columns["weight"] = read.weights[order]
            divided = pl.DataFrame(columns)
            for part, (first, last) in enumerate(zip(begin[:-1:2], begin[2::2], strict=True)):
                spilled.add(part, divided.slice(first, last - first))
        at_cuts = _at_cuts(cuts, counter, weighted=task.reader.weight is not None)
        for part, size in enumerate(spilled.rows):
            inner = cuts[:0]
            if size > rows_in_memory:
                inner = _sampled(spilled.frames(part), rows_in_memory)
            yield from spilled_summaries(
                lambda part=part: spilled.frames(part),  # type: ignore[misc]
                replace(task, reader=stored),
                rows=size,
                sample=inner,
                rows_in_memory=rows_in_memory,
                directory=directory,
            )
            spilled.free(part)
            if part < len(cuts):
                yield next(at_cuts)


def _sampled(frames: Iterable[pl.DataFrame], at_once: int) -> Array:
    """Every k-th score, in ascending order, of as many rows at a time as fit into memory.

    k is a thousandth of these, so that fewer than k rows at a time are between two scores of the
    sample: 0.3 % of all rows, in whatever order they come.
    """
    step = max(at_once // _SAMPLED_AT_ONCE, 1)
    found: list[Array] = []
    waiting: list[Array] = []
    for frame in frames:
        waiting.append(frame["score"].to_numpy())
        if sum(map(len, waiting)) >= at_once:
            found.append(_every(step, waiting))
            waiting = []
    if waiting:
        found.append(_every(step, waiting))
    return np.concatenate(found)


def _every(step: int, parts: list[Array]) -> Array:
    scores = np.concatenate(parts)
    chosen: Array = scores[_core.order_rows(scores, _core.thread_count())[::step]]
    return chosen


def _at_cuts(cuts: Array, counter: _core.SlotCounter, *, weighted: bool) -> Iterator[RangeSummary]:
    pos, neg = counter.counts(True)[1::2], counter.counts(False)[1::2]
    masses = [mass[1::2] for mass in counter.weights()] if weighted else [pos, neg]
    for i in range(len(cuts)):
        at = slice(i, i + 1)
        leaf = [np.ascontiguousarray(mass[at]) for mass in masses]
        yield RangeSummary._of_groups(cuts[at], leaf, int(pos[i]), int(neg[i]))
