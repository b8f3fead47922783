"""What the store holds, as its callers see it. Times are microseconds since 1970."""

from __future__ import annotations

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
