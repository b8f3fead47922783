"""What comes in: predictions, labels, deployments and summaries, decoded row by row."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from roclab.errors import InputError
from roclab.monitor.calendar import microseconds
from roclab.monitor.settings import Limits

Identifier = bytes | str

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Neither the end of a line nor anything else that a terminal or a log would obey.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_EARLIEST = microseconds(datetime(1972, 1, 1, tzinfo=UTC))


class PredictionRow(msgspec.Struct, forbid_unknown_fields=True):
    """A prediction, with its label if that is known already."""

    id: str
    score: float
    model: str | None = None
    time: str | float | None = None
    version: str | None = None
    segments: dict[str, str | int | bool | None] | None = None
    label: bool | int | None = None
    label_time: str | float | None = None


class LabelRow(msgspec.Struct, forbid_unknown_fields=True):
    """A label of a prediction."""

    id: str
    label: bool | int
    model: str | None = None
    time: str | float | None = None


class SummaryRow(msgspec.Struct, forbid_unknown_fields=True):
    """A finished cohort that was computed elsewhere."""

    cohort: str | float
    auc: float
    variance: float
    n_pos: int
    n_neg: int
    model: str | None = None
    n: int | None = None
    mean_score: float | None = None
    segment: str | None = None
    value: str | None = None
    summary: str | None = None


class DeploymentRow(msgspec.Struct, forbid_unknown_fields=True):
    """A version of a model that was deployed."""

    version: str
    model: str | None = None
    time: str | float | None = None
    note: str | None = None


class Prediction(NamedTuple):
    """A prediction that was checked; times in microseconds since 1970."""

    id: Identifier
    score: float
    time: int
    version: str | None
    segments: tuple[tuple[str, str], ...]
    label: bool | None
    label_time: int | None


class Label(NamedTuple):
    """A label that was checked."""

    id: Identifier
    label: bool
    time: int


class Rejected(NamedTuple):
    """A row that was refused, and why."""

    reason: str


_ROWS: dict[type, Any] = {
    kind: msgspec.json.Decoder(kind)
    for kind in (PredictionRow, LabelRow, SummaryRow, DeploymentRow)
}
_RAW_LIST = msgspec.json.Decoder(list[msgspec.Raw])


def decode(body: bytes, kind: type, limits: Limits) -> list[Any]:
    """Rows of a request: a JSON object, a list of them, or one object a line.

    Parameters
    ----------
    body : bytes
        The body.
    kind : type
        What a row is: `PredictionRow`, `LabelRow`, `SummaryRow` or `DeploymentRow`.
    limits : Limits
        Number of rows that are accepted.

    Returns
    -------
    list of kind or Rejected
        One for each row, so that one bad row does not lose the others.
    """
    decoder = _ROWS[kind]
    rows: list[Any] = []
    for raw in _raw_rows(body, limits):
        try:
            rows.append(decoder.decode(raw))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            rows.append(Rejected(_plain(error)))
    return rows


def _raw_rows(body: bytes, limits: Limits) -> Iterator[Any]:
    start = body.lstrip()[:1]
    if start == b"[":
        try:
            raw: list[Any] = _RAW_LIST.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InputError(
                found="The body is not JSON: {reason}",
                fix="Send a list of objects, or one object a line.",
                reason=error,
            ) from None
    else:
        raw = [line for line in body.split(b"\n") if line.strip()]
    if not raw:
        raise InputError(
            found="The body is empty", fix="Send an object, a list, or one object a line."
        )
    if len(raw) > limits.batch:
        raise InputError(
            found="The batch has {count} rows",
            needed="at most {most} are accepted",
            fix="Send smaller batches, or raise batch in [limits].",
            count=f"{len(raw):,}",
            most=f"{limits.batch:,}",
        )
    return iter(raw)


def _plain(error: Exception) -> str:
    text = _CONTROL.sub("?", str(error)).replace("`", "").replace("$.", "")
    return text[:300]


class Checker:
    """Checks rows, with a memory of the segments that were seen before.

    Parameters
    ----------
    limits : Limits
        Lengths of texts, numbers of segments, and how far a time may lie ahead.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._texts: set[str] = set()

    def prediction(self, row: PredictionRow, now: int) -> Prediction | Rejected:
        """Check a prediction."""
        score = row.score
        if not math.isfinite(score):
            return Rejected(f"score is {score}; a finite number is needed")
        try:
            time = now if row.time is None else self.time(row.time, now)
            label = None if row.label is None else _label(row.label)
            label_time = None
            if label is not None:
                label_time = now if row.label_time is None else self.time(row.label_time, now)
            elif row.label_time is not None:
                return Rejected("label_time without a label")
            return Prediction(
                self.identifier(row.id),
                score + 0.0,
                time,
                None if row.version is None else self.text(row.version, "version"),
                self._segments(row.segments) if row.segments else (),
                label,
                label_time,
            )
        except Refused as error:
            return Rejected(str(error))

    def label(self, row: LabelRow, now: int) -> Label | Rejected:
        """Check a label."""
        try:
            time = now if row.time is None else self.time(row.time, now)
            return Label(self.identifier(row.id), _label(row.label), time)
        except Refused as error:
            return Rejected(str(error))

    def identifier(self, given: str) -> Identifier:
        """An id as it is stored: 16 bytes if it is a UUID in its usual form, otherwise text."""
        if len(given) == 36 and _UUID.fullmatch(given):
            return UUID(given).bytes
        return self._checked(given, "id")

    def text(self, given: str, what: str) -> str:
        """A name; those that were accepted before are known."""
        if given in self._texts:
            return given
        checked = self._checked(given, what)
        if len(self._texts) < 100_000:
            self._texts.add(checked)
        return checked

    def time(self, given: str | float, now: int) -> int:
        """A time in microseconds: ISO 8601, in UTC if it has no zone, or seconds since 1970."""
        if isinstance(given, str):
            try:
                found = microseconds(datetime.fromisoformat(given))
            except (ValueError, OverflowError):
                raise Refused(
                    f"time {given[:60]!a} is no time; ISO 8601 or seconds since 1970 are needed"
                ) from None
        elif abs(given) < 1e11:
            found = round(given * 1e6)
        else:
            raise Refused(f"time {given!r} is no time; seconds since 1970 are needed")
        if found < _EARLIEST:
            raise Refused(f"time {given!r} is before 1972")
        ahead = self._limits.ahead
        if found > now + ahead.total_seconds() * 1e6:
            raise Refused(
                f"time {given!r} is more than {ahead.total_seconds():.0f} s in the future; check "
                "the clock and the zone of the sender, or raise ahead in [limits]"
            )
        return found

    def _segments(self, given: dict[str, Any]) -> tuple[tuple[str, str], ...]:
        if len(given) > self._limits.segments:
            raise Refused(
                f"{len(given)} segments; at most {self._limits.segments} are accepted, raise "
                "segments in [limits] for more"
            )
        return tuple(
            sorted(
                (self.text(name, "segment"), self.text(_value(value), "value of a segment"))
                for name, value in given.items()
                if value is not None
            )
        )

    def _checked(self, given: str, what: str) -> str:
        if not 0 < len(given) <= self._limits.identifier:
            raise Refused(
                f"{what} has {len(given):,} characters; 1 to {self._limits.identifier} are "
                "accepted, raise identifier in [limits] for more"
            )
        if _CONTROL.search(given):
            raise Refused(f"{what} {given[:60]!a} holds control characters")
        return given


class Refused(Exception):
    """Why a row is refused."""


def _label(given: bool | int) -> bool:
    if given in (0, 1):  # booleans as well
        return bool(given)
    raise Refused(f"label is {given}; 0, 1, true or false is needed")


def _value(given: str | int | bool) -> str:
    if isinstance(given, bool):
        return "true" if given else "false"
    return str(given)


def shown_identifier(stored: Identifier) -> str:
    """An id as it was sent."""
    return str(UUID(bytes=stored)) if isinstance(stored, bytes) else stored
