"""What the store holds, as its callers see it. Times are microseconds since 1970."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

AlertState = Literal["firing", "ended"]
Scope = Literal["read", "write", "admin"]


class Model(NamedTuple):
    """A model: its calendar, until when its cohorts have been judged, and the latest times.

    `last_prediction` is when the latest prediction was made, `last_label` when a label last came.
    """

    number: int
    name: str
    period: str
    time_zone: str
    created: int
    closed: int
    last_prediction: int | None = None
    last_label: int | None = None


class Stream(NamedTuple):
    """A model, if segment and value are empty, or one value of one of its segments."""

    number: int
    model: int
    segment: str
    value: str


class Change(NamedTuple):
    """A label that became known or was corrected; None for no label."""

    time: int
    score: float
    segments: int
    before: bool | None
    after: bool | None


@dataclass(frozen=True)
class LabelChanges:
    """Labels that became known or were corrected, as columns; -1 for no label.

    Those that became known may be in any order.
    """

    time: npt.NDArray[np.int64]
    score: npt.NDArray[np.float64]
    segments: npt.NDArray[np.int64]
    before: npt.NDArray[np.int8]
    after: npt.NDArray[np.int8]

    @classmethod
    def of(cls, rows: Sequence[Change]) -> LabelChanges:
        """Build from rows."""
        time, score, segments, before, after = zip(*rows, strict=True) if rows else [()] * 5
        return cls(
            np.array(time, np.int64),
            np.array(score, np.float64),
            np.array(segments, np.int64),
            np.array([-1 if one is None else one for one in before], np.int8),
            np.array([-1 if one is None else one for one in after], np.int8),
        )

    @classmethod
    def known(
        cls,
        time: Sequence[int],
        score: Sequence[float],
        segments: Sequence[int],
        label: Sequence[bool],
    ) -> LabelChanges:
        """Build from labels that became known."""
        return cls(
            np.array(time, np.int64),
            np.array(score, np.float64),
            np.array(segments, np.int64),
            np.full(len(time), -1, np.int8),
            np.array(label, np.int8),
        )

    def __len__(self) -> int:
        return len(self.time)

    def where(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> LabelChanges:
        """Some of them."""
        return LabelChanges(*(column[chosen] for column in vars(self).values()))

    def and_then(self, others: LabelChanges) -> LabelChanges:
        """These, followed by others."""
        if not len(self) or not len(others):
            return self if len(self) else others
        pairs = zip(vars(self).values(), vars(others).values(), strict=True)
        return LabelChanges(*(np.concatenate(pair) for pair in pairs))

    def by_segments(self) -> Iterator[tuple[int, LabelChanges]]:
        """Those of each combination of segments, in their order."""
        numbers = self.segments
        if (numbers == numbers[:1]).all():
            yield from ((number, self) for number in numbers[:1].tolist())
            return
        order = np.argsort(numbers, kind="stable")
        ends = np.flatnonzero(np.diff(numbers[order], append=-1)) + 1
        start = 0
        for end in ends.tolist():
            some = order[start:end]
            yield int(numbers[some[0]]), self.where(some)
            start = end


class CohortCount(NamedTuple):
    """What is known of a cohort without reading its rows.

    `changes` counts everything that concerned it, `read` is the count at its latest reading, and
    `frozen` the time at which it was found mature.
    """

    cohort: int
    n: int
    labelled: int
    changes: int
    read: int
    frozen: int | None


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Rows of cohorts as columns, in the order of time.

    `label` is -1 where none is known; `segments` are numbers of combinations of segments.
    """

    number: npt.NDArray[np.int64]
    time: npt.NDArray[np.int64]
    score: npt.NDArray[np.float64]
    segments: npt.NDArray[np.int64]
    label: npt.NDArray[np.int8]
    label_received: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.score)

    def where(self, mask: npt.NDArray[np.bool_]) -> Rows:
        """Some of the rows."""
        return Rows(**{name: column[mask] for name, column in vars(self).items()})


@dataclass(frozen=True, kw_only=True)
class Block:
    """A block of a change rule: one mature cohort, or several small ones that were joined.

    `run_length` is the average number of blocks to a false alarm that it was judged by.
    """

    number: int
    since: int
    until: int
    cohorts: tuple[int, ...]
    auc: float
    n_pos: int
    n_neg: int
    judged: int
    run_length: float


@dataclass(frozen=True, kw_only=True)
class Alert:
    """An alert, from its first firing on."""

    number: int
    stream: int
    rule: str
    key: str
    state: AlertState
    since: int
    fired: int
    ended: int | None
    content: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Act:
    """What a person did: mute, unmute, close, rebase, note."""

    number: int
    at: int
    author: str
    kind: str
    model: str
    stream: int | None
    alert: int | None
    until: int | None
    reason: str


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """A notification on its way to a channel."""

    number: int
    alert: int | None
    channel: str
    kind: str
    content: dict[str, Any]
    state: str
    attempts: int
    next_at: int
    created: int
    error: str | None


@dataclass(frozen=True, kw_only=True)
class Token:
    """A token, without its secret."""

    name: str
    scope: Scope
    created: int
    expires: int | None
    revoked: int | None
