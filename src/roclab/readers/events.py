"""Events, one per line, as they arrive: JSON records, or CSV below a header.

Unlike a file, a stream is not refused as a whole: a line that is not an event is skipped and
reported by its kind.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any, NamedTuple

from roclab.checks.vectors import EXACT_UP_TO
from roclab.errors import ColumnError, InputError
from roclab.readers.columns import Columns, quoted
from roclab.readers.csv_rows import SEPARATORS, is_ragged, split_header
from roclab.readers.literals import MISSING, as_number, is_rounded
from roclab.readers.opening import FileOptions

_LONGEST = 1 << 20
_LABELS = {"1": True, "true": True, "0": False, "-1": False, "false": False}
_BOOLEANS = {"true": "1", "false": "0"}


class Event(NamedTuple):
    """A line that is an event."""

    line: int
    y_true: bool
    y_score: float
    sample_weight: float | None


class BadLine(NamedTuple):
    """A line that is not an event: the kind of fault, and what was found."""

    line: int
    kind: str
    found: str


class _Fault(Exception):
    def __init__(self, kind: str, found: Any) -> None:
        super().__init__(kind)
        self.kind = kind
        self.found = f"{found!r:.60}" if not isinstance(found, str) else f"{found:.60}"


@dataclass(kw_only=True)
class EventLines:
    """How lines are read: names of the columns, the positive label, the format.

    Attributes
    ----------
    label, score : str
        Columns, or keys of the records.
    weight : str or None
        The weight column.
    positive : str or None
        Positive class label, as text; numbers are compared by value, so 1 equals 1.0. Without it
        labels are 0/1, -1/1 or true/false.
    format : {"csv", "tsv", "jsonl"} or None
        None infers it from the first line: a record begins with a brace.
    separator : str or None
        What separates the fields of CSV and TSV; None for what the header shows.
    decimal : {".", ","} or None
        Decimal sign of numbers in CSV and TSV; None for a point.
    detected_separator : str or None
        What the header has shown, if it is not usual for the format.
    """

    label: str
    score: str
    weight: str | None = None
    positive: str | None = None
    format: str | None = None
    separator: str | None = None
    decimal: str | None = None
    detected_separator: str | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._columns()
        given = FileOptions(separator=self.separator, decimal=self.decimal)
        if self.format == "jsonl" and given != FileOptions():
            raise InputError(
                found="{name} is for CSV and TSV, and the events are JSON lines",
                fix="Leave it out.",
                name=given.first_given,
            )
        if self.format is None and given != FileOptions():
            self.format = "csv"

    def _columns(self) -> Columns:
        return Columns.named(
            y_true=self.label, y_score=self.score, sample_weight=self.weight, by=None
        )

    def read(self, stream: IO[bytes]) -> Iterator[Event | BadLine]:
        """Yield the lines of a stream as they arrive; blank ones are skipped.

        Raises
        ------
        ColumnError
            The header of a CSV stream lacks a column.
        """
        lines = _lines(stream)
        header: list[str] | None = None
        format, separator = self.format, ""
        for number, line in lines:
            if isinstance(line, _Fault):
                yield BadLine(number, line.kind, line.found)
                continue
            format = format or ("jsonl" if line.lstrip().startswith("{") else "csv")
            if format != "jsonl" and header is None:
                header, separator = self._header(line, format)
                continue
            try:
                record = _record(line) if header is None else _row(line, header, separator)
                yield self._event(number, record)
            except _Fault as fault:
                yield BadLine(number, fault.kind, fault.found)

    def _header(self, line: str, format: str) -> tuple[list[str], str]:
        fix = "The first line is read as the header of CSV."
        fix += "" if self.format else " For JSON lines pass {format=}'jsonl'."
        try:
            columns = self._columns()
            header, _, separator = split_header(
                [line],
                format=format,
                separator=self.separator,
                named={*columns.others, *(columns.scores or ())},
            )
            columns.needed(header)
        except csv.Error as error:
            raise ColumnError(found="{reason}", fix=fix, reason=error) from None
        except ColumnError as error:
            raise ColumnError(found=error.found, fix=f"{error.fix} {fix}", **error.values) from None
        if self.separator is None and separator != SEPARATORS[format]:
            self.detected_separator = separator
        return header, separator

    def _event(self, number: int, record: dict[str, Any]) -> Event:
        for name, kind in ((self.label, "no label"), (self.score, "no score")):
            value = record.get(name)
            if value is None or value != value or value in MISSING:
                keys = "no value" if name in record else f"not among {quoted(list(record))}"
                raise _Fault(kind, f"`{name}`: {keys}")
        weight = None
        if self.weight is not None:
            weight = self._number(record.get(self.weight), "weight is no number")
            if weight < 0:
                raise _Fault("weight is no number", record[self.weight])
        score = self._number(record[self.score], "score is no number")
        if abs(score) >= EXACT_UP_TO and is_rounded(str(record[self.score]).strip()):
            raise _Fault("score is an integer that float64 rounds", record[self.score])
        return Event(number, self._positive(record[self.label]), score, weight)

    def _number(self, value: Any, kind: str) -> float:
        number = None
        if isinstance(value, str):
            number = as_number(value, self.decimal or ".")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            number = as_number(str(value))
        if number is None or not math.isfinite(number):
            raise _Fault(kind, value)
        return number

    def _positive(self, label: Any) -> bool:
        text = label if isinstance(label, str) else json.dumps(label)
        if self.decimal == "," and as_number(text, ",") is not None:
            text = text.replace(",", ".")
        if self.positive is not None:
            return text == self.positive or _same_value(text, self.positive)
        text = text.strip().lower()
        text = text.removesuffix(".0")
        if text not in _LABELS:
            raise _Fault("label is not 0/1, -1/1 or true/false", label)
        return _LABELS[text]


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, str | _Fault]]:
    number = 0
    while raw := stream.readline(_LONGEST):
        number += 1
        if len(raw) == _LONGEST and not raw.endswith(b"\n"):
            while len(raw) == _LONGEST and not raw.endswith(b"\n"):
                raw = stream.readline(_LONGEST)
            yield number, _Fault("line is longer than a megabyte", "")
            continue
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            yield number, _Fault("not UTF-8", raw[:40])
            continue
        if line.strip():
            yield number, line


def _record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise _Fault("not JSON", line) from None
    if not isinstance(record, dict):
        raise _Fault("not a JSON object", line)
    return record


def _row(line: str, header: list[str], separator: str) -> dict[str, Any]:
    try:
        # One line at a time: a quote that is not closed must not swallow the stream.
        fields = next(csv.reader([line], delimiter=separator, strict=True))
    except csv.Error as error:
        raise _Fault("not CSV", str(error)) from None
    if is_ragged(fields, len(header)):
        raise _Fault("wrong number of fields", f"{len(fields)} in place of {len(header)}")
    return dict(zip(header, fields, strict=False))


def _same_value(label: str, positive: str) -> bool:
    """Whether two texts are the same number or the same boolean."""
    one, other = (text.strip().lower() for text in (label, positive))
    try:
        return float(_BOOLEANS.get(one, one)) == float(_BOOLEANS.get(other, other))
    except ValueError:
        return False
