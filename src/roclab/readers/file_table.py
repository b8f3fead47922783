"""Files as one table: the type of each column, and its rows in batches, any number of times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import polars as pl

from roclab.errors import FileFormatError, InputError
from roclab.readers.batches import lazy_batches
from roclab.readers.columns import quoted
from roclab.readers.csv_rows import SEPARATORS
from roclab.readers.files import TEXT_FORMATS, UNTYPED_FORMATS, explained, open_files
from roclab.readers.opening import FileOptions
from roclab.readers.scans import AnyColumns, Scan, scan_file
from roclab.readers.text import TextType, first_rounded, may_be_rounded

Progress = Callable[[int, int | None], object]


class FileTable:
    """The needed columns of one or several files, with the types of all their rows.

    Parameters
    ----------
    source : path, pattern, directory, list of paths, bytes or binary file object
        The files, all of the same columns.
    columns : Columns or AllColumns
        What is needed of them.
    options : FileOptions
        What is said about them.
    keep_bytes : int, optional
        Memory for rows of text files that are kept while their types are found, so that they are
        not read again. All are kept by default.
    progress : callable, optional
        Called with the number of rows that were read, and with that of all rows if it is known.
    """

    def __init__(
        self,
        source: Any,
        columns: AnyColumns,
        options: FileOptions,
        *,
        keep_bytes: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        files = open_files(source, options.format)
        self.name = files[0].name if len(files) == 1 else f"{files[0].name} and others"
        self.format = files[0].format
        self._scans = [scan_file(file, columns, options) for file in files]
        first = self._scans[0]
        self.columns, self.needed = first.columns, first.needed
        self.decimal = first.decimal
        # What is not usual for the format was detected, unless it was named.
        unusual = first.separator != SEPARATORS.get(self.format, "") and not options.separator
        self.detected_separator = first.separator if unusual else None
        self.detected_decimal = "," if first.decimal == "," and not options.decimal else None
        for other in self._scans[1:]:
            _refuse_other_columns(first, other)
        self._progress = progress
        totals = [None if progress is None else scan.file.rows() for scan in self._scans]
        self._estimated = None if None in totals else sum(filter(None, totals))
        self._types: dict[str, TextType] = {}
        self._large: set[str] = set()  # columns of JSON lines with numbers beyond 2^53
        self._kept: pl.DataFrame | None = None
        self.rows: int | None = None
        if self.format not in UNTYPED_FORMATS:
            self._find_rows()
        elif len({str(scan.query.collect_schema()) for scan in self._scans}) > 1:
            self._find_types_of_text(keep_bytes)
        else:
            try:
                self._find_types(keep_bytes)
            except FileFormatError:
                if self._scans[0].text is None:
                    raise
                self._find_types_of_text(keep_bytes)
        if self.rows == 0:
            raise InputError(
                found="{file} has no rows below its header",
                needed="at least one row is needed",
                file=self.name,
            )

    def batches(self, names: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yield columns in batches, in the order of the rows and in their types."""
        wanted = self.needed if names is None else names
        done = 0
        for scan in self._scans:
            for batch in scan.batches(wanted):
                done += batch.height
                with explained(scan.file):
                    yield batch.with_columns(
                        self._types[name].read(batch[name])
                        for name in batch.columns
                        if name in self._types
                    )
        if done != self.rows:
            raise FileFormatError(
                found="{file} has {done} rows, and there were {rows} when it was opened",
                fix="Write it again, and read it when it no longer changes.",
                file=self.name,
                done=f"{done:,}",
                rows=f"{self.rows:,}",
            )

    @property
    def rounded(self) -> dict[str, tuple[int, str]]:
        """Columns of text with an integer that float64 rounds: its row, from 0, and the integer."""
        found = {name: one.rounded for name, one in self._types.items()}
        found |= {name: self._first_rounded(name) for name in self._large}
        return {name: first for name, first in found.items() if first is not None}

    def _first_rounded(self, name: str) -> tuple[int, str] | None:
        """The same of a column of JSON lines, of which polars says only the rounded value."""
        begin = 0
        for scan in self._scans:
            for batch in scan.as_text().batches([name]):
                text = batch[name]
                found = first_rounded(text, text.cast(pl.Float64, strict=False))
                if found is not None:
                    return begin + found[0], found[1]
                begin += batch.height
        return None

    def explained(self) -> AbstractContextManager[None]:
        """Convert errors of reading `lazy` to one that names the file."""
        return explained(replace(self._scans[0].file, name=self.name))

    def frame(self) -> pl.DataFrame:
        """All rows."""
        if self._kept is None:
            parts, done = [], 0
            for batch in self.batches():
                parts.append(batch)
                done += batch.height
                if self._progress is not None:
                    self._progress(done, self._estimated)
            self._kept = pl.concat(parts, how="vertical_relaxed")  # a column may be empty in a file
            if self._progress is not None:
                self._progress(done, done)
        return self._kept

    def lazy(self) -> pl.LazyFrame:
        """All rows, read when they are needed."""
        if self._kept is not None:
            return self._kept.lazy()
        if self.format in UNTYPED_FORMATS:
            schema = self._scans[0].query.collect_schema()
            types = {name: schema[name] for name in self.needed}
            types |= {name: one.dtype for name, one in self._types.items()}
            return lazy_batches(self.batches, types)
        queries = [scan.query.select(self.needed) for scan in self._scans]
        return pl.concat(queries, how="vertical_relaxed")

    def _find_types_of_text(self, keep_bytes: int | None) -> None:
        self._scans = [scan.as_text() for scan in self._scans]
        self._large = set()
        self._find_types(keep_bytes)

    def _find_types(self, keep_bytes: int | None) -> None:
        """Read all rows once; keep them if they fit."""
        schema = self._scans[0].query.collect_schema()
        self._types = {
            name: TextType(self.columns.reading(name), self.decimal)
            for name in self.needed
            if schema[name] == pl.String
        }
        kept: list[pl.DataFrame] | None = []
        size = done = 0
        for scan in self._scans:
            for batch in scan.batches(self.needed):
                with explained(scan.file):
                    typed = batch.with_columns(
                        self._types[column.name].add(column)
                        for column in batch.get_columns()
                        if column.name in self._types
                    )
                self._large |= {
                    column.name
                    for column in batch.get_columns()
                    if column.dtype == pl.Float64 and may_be_rounded(column).any()
                }
                done += batch.height
                size += int(typed.estimated_size())
                if keep_bytes is not None and size > keep_bytes:
                    kept = None
                if kept is not None:
                    kept.append(typed)
                if self._progress is not None:
                    self._progress(done, self._estimated)
            scan.refuse_ragged()
        self.rows = done
        if kept and done:
            self._kept = self._joined(kept)
        if done and self._progress is not None:
            self._progress(done, done)

    def _joined(self, kept: list[pl.DataFrame]) -> pl.DataFrame:
        """One frame; text of which some batches looked like numbers is read again."""
        again = [
            name
            for name, one in self._types.items()
            if one.dtype == pl.String
            and any(batch.schema[name] not in (pl.String, pl.Null) for batch in kept)
        ]
        types: Any = {name: one.dtype for name, one in self._types.items() if name not in again}
        whole = pl.concat([batch.drop(again).cast(types) for batch in kept])
        if not again:
            return whole
        return whole.hstack(pl.concat([*self.batches(again)])).select(self.needed)

    def _find_rows(self) -> None:
        with explained(self._scans[0].file):
            counted = [scan.query.select(pl.len()).collect().item() for scan in self._scans]
        self.rows = sum(counted)


def _refuse_other_columns(first: Scan, other: Scan) -> None:
    """Raise if a file does not have the format, the columns and the types of the first one."""

    def refusal(differ: str) -> FileFormatError:
        return FileFormatError(
            found="{other} and {first} differ in {differ}",
            needed="all files must be parts of one table",
            other=other.file.name,
            first=first.file.name,
            differ=differ,
        )

    for part in ("separator", "decimal"):
        if getattr(first, part) != getattr(other, part):
            raise refusal(f"their {part} ({getattr(other, part)!r}, {getattr(first, part)!r})")
    if first.file.format != other.file.format:
        raise refusal(f"their format ({other.file.format}, {first.file.format})")
    unlike = {*first.needed} ^ {*other.needed}
    if unlike:
        names = [name for name in [*first.needed, *other.needed] if name in unlike]
        raise refusal(f"their columns ({quoted(names)})")
    if first.file.format in TEXT_FORMATS:
        return
    types, others = first.query.collect_schema(), other.query.collect_schema()
    for name in first.needed:
        if types[name] != others[name] and pl.Null not in (types[name], others[name]):
            raise refusal(f"the type of column `{name}` ({others[name]}, {types[name]})")
