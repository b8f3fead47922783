"""What comes in: predictions, labels, deployments and summaries, and rows that were checked."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple
from uuid import UUID

import msgspec

from roclab.errors import InputError
from roclab.monitor.settings import Limits
from roclab.streaming.calendar import microseconds

Identifier = bytes | str
Segments = tuple[tuple[str, str], ...]

# As programs write a UUID: in either case, in braces, as a URN.
_UUID = re.compile(
    r"(?:urn:uuid:)?(\{)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?(1)\})", re.IGNORECASE
)
UUID_LENGTHS = {36, 38, 45}
# Neither the end of a line nor anything else that a terminal or a log would obey, nor what makes a
# text look like another one: directions of writing and spaces without width.
CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
_BOM = b"\xef\xbb\xbf"
_VALUES_OF_A_ROW = 20  # without segments; a list of more than rows can have is refused unread
_KNOWN = 100_000  # names that are not checked again
EARLIEST = microseconds(datetime(1972, 1, 1, tzinfo=UTC))


def _said(words: str) -> msgspec.Meta:
    return msgspec.Meta(description=words)


_Id = Annotated[str, _said("Id, once in a model; a UUID is the same in upper case or in braces")]
_Model = Annotated[str | None, _said("Model; without it that of the address, ?model=")]
_LABEL = _said("0, 1, true or false")
_VERSION = _said("Version of the model")


# Rows have no cycles, so that the garbage collector need not look at them.
class PredictionRow(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A prediction, with its label if that is known already."""

    id: _Id
    score: Annotated[float, _said("Score; larger for positives")]
    model: _Model = None
    time: Annotated[
        str | float | None,
        _said("When it was made: ISO 8601, in UTC without a zone, or seconds since 1970; or now"),
    ] = None
    version: Annotated[str | None, _VERSION] = None
    segments: Annotated[
        dict[str, str | int | bool | None] | None, _said('Segments, such as {"region": "north"}')
    ] = None
    label: Annotated[bool | float | None, _LABEL] = None
    label_time: Annotated[
        str | float | None, _said("When the label became known, as `time`; or now")
    ] = None


class LabelRow(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A label of a prediction, which may come before it; a second one corrects it."""

    id: _Id
    label: Annotated[bool | float, _LABEL]
    model: _Model = None
    time: Annotated[
        str | float | None, _said("When it became known: ISO 8601 or seconds since 1970; or now")
    ] = None


class SummaryRow(msgspec.Struct, forbid_unknown_fields=True):
    """A finished cohort that was computed elsewhere.

    AUC and variance are needed with at least ten of each class; with fewer they are not shown.
    """

    cohort: Annotated[str | float, _said("Beginning of the cohort")]
    n_pos: Annotated[int, _said("Number of positives")]
    n_neg: Annotated[int, _said("Number of negatives")]
    auc: Annotated[float | None, _said("AUC")] = None
    variance: Annotated[float | None, _said("Variance of the AUC")] = None
    model: _Model = None
    n: Annotated[int | None, _said("Number of predictions, without a label too")] = None
    mean_score: Annotated[float | None, _said("Mean of the scores")] = None
    segment: Annotated[str | None, _said("Segment, if it is not the whole model")] = None
    value: Annotated[str | None, _said("Value of the segment")] = None


class DeploymentRow(msgspec.Struct, forbid_unknown_fields=True):
    """A version of a model that was deployed."""

    version: Annotated[str, _VERSION]
    model: _Model = None
    time: Annotated[str | float | None, _said("When it was deployed; or now")] = None
    note: Annotated[str | None, _said("What is new")] = None


class Prediction(NamedTuple):
    """A prediction that was checked; times in microseconds since 1970."""

    id: Identifier
    score: float
    time: int
    version: str | None
    segments: Segments
    label: bool | None
    label_time: int | None


class Label(NamedTuple):
    """A label that was checked."""

    id: Identifier
    label: bool
    time: int


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predictions of a model as columns: the fields of `Prediction`.

    `segments` are places in `combinations`.
    """

    id: Sequence[Identifier]
    score: Sequence[float]
    time: Sequence[int]
    version: Sequence[str | None]
    segments: Sequence[int]
    label: Sequence[bool | None]
    label_time: Sequence[int | None]
    combinations: Sequence[Segments]

    @classmethod
    def of(cls, rows: Predictions | Sequence[Prediction]) -> Predictions:
        """Build from rows."""
        if isinstance(rows, Predictions):
            return rows
        if not rows:
            return cls((), (), (), (), (), (), (), ())
        key, score, time, version, segments, label, label_time = zip(*rows, strict=True)
        places: dict[Segments, int] = {}
        numbers = [places.setdefault(one, len(places)) for one in segments]
        return cls(key, score, time, version, numbers, label, label_time, tuple(places))

    def __len__(self) -> int:
        return len(self.id)

    def __iter__(self) -> Iterator[Prediction]:
        named = map(self.combinations.__getitem__, self.segments)
        return map(
            Prediction,
            *(self.id, self.score, self.time, self.version, named, self.label, self.label_time),
        )


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels of a model as columns: the fields of `Label`."""

    id: Sequence[Identifier]
    label: Sequence[bool]
    time: Sequence[int]

    @classmethod
    def of(cls, rows: Labels | Sequence[Label]) -> Labels:
        """Build from rows."""
        if isinstance(rows, Labels):
            return rows
        return cls(*zip(*rows, strict=True)) if rows else cls((), (), ())

    def __len__(self) -> int:
        return len(self.id)

    def where(self, places: Sequence[int]) -> Labels:
        """Some of them."""
        return Labels(
            [self.id[place] for place in places],
            [self.label[place] for place in places],
            [self.time[place] for place in places],
        )

    def __iter__(self) -> Iterator[Label]:
        return map(Label, self.id, self.label, self.time)


class Rejected(NamedTuple):
    """A row that was refused, and why."""

    reason: str


class Refused(Exception):
    """Why a row is refused."""


class UnknownError(InputError):
    """What was named does not exist."""


_ROWS: dict[type, Any] = {
    kind: msgspec.json.Decoder(kind)
    for kind in (PredictionRow, LabelRow, SummaryRow, DeploymentRow)
}
_RAW = msgspec.json.Decoder(msgspec.Raw)
_RAW_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def decode(body: bytes, kind: type, limits: Limits) -> list[Any]:
    """Rows of a request: a JSON object, a list of them, or one object a line.

    If an object names a field twice, the last one counts.

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
        One for each row, so that one bad row does not lose the others. Empty lines are no rows.
    """
    decoder = _ROWS[kind]
    body = body.removeprefix(_BOM)
    whole = _decode_lines(body, decoder, limits)
    if whole is not None:
        return whole
    rows: list[Any] = []
    for raw in _raw_rows(body, limits):
        try:
            rows.append(decoder.decode(raw))
        except _UNREADABLE as error:
            rows.append(Rejected(plain_reason(error)))
    return rows


def _decode_lines(body: bytes, decoder: Any, limits: Limits) -> list[Any] | None:
    """All lines at once; None if something is wrong with one of them, or they are not lines."""
    count = body.count(b"}\n{")
    # No other ends of lines, so that neither an object extends over several nor a line has two.
    if not count or count != body.count(b"\n", 0, -1):
        return None
    _check_count(count + 1, limits)
    try:
        rows: list[Any] = decoder.decode_lines(body)
    except _UNREADABLE:
        return None
    return rows if len(rows) == count + 1 else None


def _raw_rows(body: bytes, limits: Limits) -> list[Any]:
    start = body.lstrip()[:1]
    if start == b"[":
        _check_count(body.count(b",") // (_VALUES_OF_A_ROW + limits.segments), limits)
        raw = _raw_list(body)
    elif start == b"{" and _is_one_object(body):
        raw = [body]
    else:
        _check_count(body.count(b"\n") // 2, limits)  # every other line may be empty
        raw = [line for line in body.split(b"\n") if line.strip()]
    if not raw:
        raise InputError(
            found="The body is empty", fix="Send an object, a list, or one object a line."
        )
    _check_count(len(raw), limits)
    return raw


def _raw_list(body: bytes) -> list[Any]:
    try:
        found: list[Any] = _RAW_LIST.decode(body)
    except _UNREADABLE as error:
        no_numbers = b"NaN" in body or b"Infinity" in body
        raise InputError(
            found="The body is not JSON: {reason}",
            fix="JSON has no NaN and no Infinity: leave such rows out."
            if no_numbers
            else "Send a list of objects, or one object a line.",
            reason=plain_reason(error),
        ) from None
    return found


def _is_one_object(body: bytes) -> bool:
    """Whether the body is one object, which may extend over several lines."""
    try:
        _RAW.decode(body)
    except _UNREADABLE:
        return False
    return True


def _check_count(count: int, limits: Limits) -> None:
    if count > limits.batch:
        raise InputError(
            found="The batch has {count} rows",
            needed="at most {most} are accepted",
            fix="Send smaller batches, or raise batch in [limits].",
            count=f"{count:,}",
            most=f"{limits.batch:,}",
        )


def plain_reason(error: Exception) -> str:
    """Why something cannot be decoded, in one line without control characters."""
    text = CONTROL.sub("?", str(error)).replace("`", "").replace("$.", "")
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
        self._ahead = round(limits.ahead.total_seconds() * 1e6)
        self._combinations: dict[Segments, Segments] = {}
        self._texts: set[str] = set()
        self._models: set[str] = set()

    def prediction(self, row: PredictionRow, now: int) -> Prediction | Rejected:
        """Check a prediction."""
        score = row.score
        if not math.isfinite(score):
            return Rejected(f"score is {score}; a finite number is needed")
        try:
            time = now if row.time is None else self.time(row.time, now)
            label = None if row.label is None else label_of(row.label)
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
                self.segments(row.segments) if row.segments else (),
                label,
                label_time,
            )
        except Refused as error:
            return Rejected(str(error))

    def label(self, row: LabelRow, now: int) -> Label | Rejected:
        """Check a label."""
        try:
            time = now if row.time is None else self.time(row.time, now)
            return Label(self.identifier(row.id), label_of(row.label), time)
        except Refused as error:
            return Rejected(str(error))

    def identifier(self, given: str) -> Identifier:
        """An id as it is stored: 16 bytes if it is a UUID with hyphens, otherwise text.

        Programs write the same UUID in different ways, and it must not become two ids. Without
        hyphens it stays text, since hashes look alike.
        """
        if len(given) in UUID_LENGTHS and (found := _UUID.fullmatch(given)):
            return bytes.fromhex(found[2].replace("-", ""))
        return self._checked(given, "id")

    def model(self, given: str | None) -> str:
        """The name of a model. It is a part of addresses, so it cannot hold a slash."""
        if not given:
            raise Refused("no model; name it in each row, or in the address: ?model=credit")
        if given in self._models:
            return given
        checked = self._checked(given, "model")
        if "/" in checked or "\\" in checked or checked in (".", ".."):
            raise Refused(
                f"model {_quoted(given)} is a path; names of models have no slashes, write for "
                "example team.credit"
            )
        if len(self._models) < _KNOWN:
            self._models.add(checked)
        return checked

    def text(self, given: str, what: str) -> str:
        """A name; those that were accepted before are known."""
        if given in self._texts:
            return given
        checked = self._checked(given, what)
        if len(self._texts) < _KNOWN:
            self._texts.add(checked)
        return checked

    @property
    def ahead(self) -> int:
        """How far a time may lie ahead, in microseconds."""
        return self._ahead

    @property
    def longest(self) -> int:
        """Characters that a text may have."""
        return self._limits.identifier

    def time(self, given: str | float, now: int) -> int:
        """A time in microseconds: ISO 8601, in UTC if it has no zone, or seconds since 1970."""
        if isinstance(given, str):
            try:
                found = microseconds(datetime.fromisoformat(given))
            except (ValueError, OverflowError):
                raise Refused(
                    f"time {_quoted(given)} is no time; ISO 8601 or seconds since 1970 are needed"
                ) from None
        elif abs(given) < 1e11:
            found = round(given * 1e6)
        else:
            raise Refused(f"time {given!r} is no time; seconds since 1970 are needed")
        if found < EARLIEST:
            raise Refused(f"time {_quoted(given)} is before 1972")
        if found > now + self._ahead:
            raise Refused(
                f"time {_quoted(given)} is more than {self._ahead / 1e6:.0f} s in the future; "
                "check the clock and the zone of the sender, or raise ahead in [limits]"
            )
        return found

    def segments(self, given: dict[str, Any]) -> Segments:
        """Segments and their values as text, in the order of their names."""
        given_pairs = tuple(given.items())
        known = self._combinations.get(given_pairs)
        if known is not None:
            return known
        if len(given) > self._limits.segments:
            raise Refused(
                f"{len(given)} segments; at most {self._limits.segments} are accepted, raise "
                "segments in [limits] for more"
            )
        checked = tuple(
            sorted(
                (self.text(name, "segment"), self.text(_value(value), "value of a segment"))
                for name, value in given.items()
                if value is not None
            )
        )
        # Only texts: 1 and true are equal as keys, and not as values.
        texts = all(isinstance(value, str) for value in given.values())
        if texts and len(self._combinations) < _KNOWN:
            self._combinations[given_pairs] = checked
        return checked

    def _checked(self, given: str, what: str) -> str:
        if not 0 < len(given) <= self._limits.identifier:
            raise Refused(
                f"{what} has {len(given):,} characters; 1 to {self._limits.identifier} are "
                "accepted, raise identifier in [limits] for more"
            )
        if CONTROL.search(given):
            raise Refused(f"{what} {_quoted(given)} holds control characters")
        if given != given.strip():
            raise Refused(f"{what} {_quoted(given)} begins or ends with a space")
        return given


def _quoted(given: object) -> str:
    """A value of a user in a message: short, in ASCII, with quotes."""
    return ascii(str(given)[:60])


def label_of(given: bool | float) -> bool:
    """A label that was sent as a number or a truth value."""
    if given in (0, 1):  # booleans as well
        return bool(given)
    raise Refused(f"label is {given:g}; 0, 1, true or false is needed")


def _value(given: str | int | bool) -> str:
    if isinstance(given, bool):
        return "true" if given else "false"
    return str(given)


def shown_identifier(stored: Identifier) -> str:
    """An id as it was sent."""
    return str(UUID(bytes=stored)) if isinstance(stored, bytes) else stored
