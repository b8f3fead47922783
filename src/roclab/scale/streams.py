"""Streams of Arrow: they can be read only once, so their rows are kept for several passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from roclab.errors import InputError
from roclab.readers.batches import lazy_batches
from roclab.scale.spill import SpilledFrames
from roclab.scale.workers import cause_of

_SHARE_KEPT = 0.2  # of the memory, beside rows that a pass keeps and sorts
_SMALLEST_PIECE, _LARGEST_PIECE = 1 << 16, 1 << 23  # bytes


class ArrowStream:
    """An object with ``__arrow_c_stream__`` whose rows may not fit into memory.

    Parameters
    ----------
    source : object
        Its stream is read from the first call of `head` on, batch by batch.
    """

    def __init__(self, source: Any) -> None:
        with _one_error():
            self._scan = pl.scan_arrow_c_stream(source)
            self.names = self._scan.collect_schema().names()
        self._batches: Iterator[pl.DataFrame] = iter(())
        self._read: list[pl.DataFrame] = []

    def head(self, names: Sequence[str], rows: int) -> pl.DataFrame:
        """At least `rows` rows, if there are that many; other columns are not read."""
        scan = self._scan.select(names)
        with _one_error():
            self._batches = iter(scan.collect_batches())
            self._read = [pl.DataFrame(schema=scan.collect_schema())]
            found = 0
            for batch in self._batches:
                self._read.append(batch)
                found += batch.height
                if found >= rows:
                    break
            return pl.concat(self._read)

    @contextmanager
    def kept(
        self,
        names: Sequence[str],
        *,
        memory_limit: int,
        directory: Path,
        progress: Callable[[int, None], object] | None,
    ) -> Iterator[tuple[pl.LazyFrame, int]]:
        """All rows, with some of the columns, and their number.

        They are kept in memory while they fit into a share of it, then in a temporary file, which
        is closed at the end.
        """
        in_memory = int(_SHARE_KEPT * memory_limit)
        piece_bytes = min(max(in_memory // 16, _SMALLEST_PIECE), _LARGEST_PIECE)
        with SpilledFrames(1, directory, in_memory=in_memory) as kept:
            schema = self._read[0].select(names).schema
            # Pickles are copies: a column of a batch would keep all of its columns in memory.
            for piece in self._pieces(names, piece_bytes):
                kept.add(0, piece)
                if progress is not None:
                    progress(kept.rows[0], None)

            def batches(needed: Sequence[str] | None) -> Iterator[pl.DataFrame]:
                for frame in kept.frames(0):
                    yield frame if needed is None else frame.select(needed)

            yield lazy_batches(batches, schema), kept.rows[0]

    def _pieces(self, names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        """Small batches together, since each costs time however small it is."""
        together: list[pl.DataFrame] = []
        waiting = 0
        first, self._read = self._read, []
        with _one_error():
            for batch in chain(first, self._batches):
                frame = batch.select(names)
                together.append(frame)
                waiting += int(frame.estimated_size())
                if waiting >= size:
                    whole, pieces = pl.concat(together), waiting // size
                    together, waiting = [], 0
                    yield from whole.iter_slices(-(-whole.height // pieces))
            if together:
                yield pl.concat(together)


@contextmanager
def _one_error() -> Iterator[None]:
    """Whatever fails where the stream comes from is an error of one line."""
    try:
        yield
    except (pl.exceptions.PolarsError, ValueError) as error:
        raise InputError(
            found="The stream cannot be read: {cause}",
            cause=cause_of(str(error), type(error).__name__),
        ) from None
