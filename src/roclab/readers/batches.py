"""Rows in batches: of a query, of which few are in memory, and as a query that reads them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

BATCH_ROWS = 200_000
_CHUNK_BYTES = 1 << 20
_CHUNK_SIZES = ("POLARS_CSV_CHUNK_SIZE", "POLARS_NDJSON_CHUNK_SIZE")  # lines as JSON lines


def batches_of(query: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    """Yield the rows of a query in their order, in batches of which few are in memory."""
    with small_chunks():
        batches = iter(query.collect_batches(chunk_size=BATCH_ROWS, maintain_order=True))
        first = next(batches, None)
    if first is not None:
        yield first
        yield from batches


@contextmanager
def small_chunks() -> Iterator[None]:
    """Let polars read text in small chunks while a query begins.

    It reads several of them ahead. In its own size they take 300 MB, in this one 50 MB and no more
    time. There is no option for it, only variables of the environment, as for all of its settings;
    those that the user has set stay.
    """
    ours = [name for name in _CHUNK_SIZES if name not in os.environ]
    os.environ.update(dict.fromkeys(ours, str(_CHUNK_BYTES)))
    try:
        yield
    finally:
        for name in ours:
            os.environ.pop(name, None)


def lazy_batches(
    batches: Callable[[list[str] | None], Iterable[pl.DataFrame]], schema: Mapping[str, Any]
) -> pl.LazyFrame:
    """A lazy frame of batches that can be read any number of times.

    `batches` is called with the columns that are needed; None for all.
    """

    def read(
        names: list[str] | None,
        predicate: pl.Expr | None,
        n_rows: int | None,
        batch_size: int | None,  # noqa: ARG001, as polars calls it
    ) -> Iterator[pl.DataFrame]:
        for batch in batches(names):
            frame = batch if predicate is None else batch.filter(predicate)
            if n_rows is not None:
                frame = frame.head(n_rows)
                n_rows -= frame.height
            yield frame
            if n_rows == 0:
                return

    return register_io_source(read, schema=schema)
