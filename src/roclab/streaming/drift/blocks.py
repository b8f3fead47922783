"""Disjoint blocks of a stream, each with both classes.

The end of a block depends on labels alone. So if events are independent, the expectation of its AUC
is the AUC of the stream, whatever the scores. If they depend on each other, it depends on the
length of the block, and only blocks that are cut by the same rule can be compared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.labels_and_scores import check_same_length
from roclab.checks.options import check_count, number_or_nan, shown
from roclab.checks.vectors import as_vector
from roclab.data.serialization import checked_counts
from roclab.errors import InputError
from roclab.streaming.event_time import same_time
from roclab.streaming.events import checked_events

_PER_CLASS = 5
_MOST_WAITING = 200_000
_MOST_RECENT = 20_000


@dataclass(frozen=True, kw_only=True)
class BlockRule:
    """A block is complete with `least` examples of each class and `events` in total."""

    least: int
    events: int

    @property
    def whole(self) -> bool:
        """Whether blocks arrive whole, as their AUCs, and each counts as one event."""
        return self == WHOLE_BLOCKS

    @property
    def most_waiting(self) -> int:
        """Maximum number of events of an incomplete block; then the frequent class is thinned.

        Half of them suffice for a block, so that the rest can still be completed.
        """
        return max(_MOST_WAITING, 2 * self.events)

    def completes(self, size: int, n_pos: int) -> bool:
        """Whether `size` events with `n_pos` positives complete a block."""
        return size >= self.events and self.least <= n_pos <= size - self.least

    @classmethod
    def of(cls, per_class: Any, events: Any) -> BlockRule:
        """Return the rule of at most one of the two arguments."""
        if per_class is not None and events is not None:
            raise InputError(
                found="{per_class=}{by_class} and {events=}{by_events} are two rules for the end "
                "of a block",
                needed="one is needed",
                fix="Omit one of them.",
                by_class=shown(per_class),
                by_events=shown(events),
            )
        if events is not None:
            return cls(least=1, events=check_count("events", events, 2))
        per_class = _PER_CLASS if per_class is None else check_count("per_class", per_class)
        return cls(least=per_class, events=2 * per_class)


WHOLE_BLOCKS = BlockRule(least=1, events=1)


@dataclass(frozen=True, kw_only=True)
class Block:
    """A complete block: its number, its first and last event (from 1), examples and AUC.

    It has no examples if it arrived whole.
    """

    number: int
    first_event: int
    last_event: int
    first_time: Any
    last_time: Any
    labels: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.float64]
    times: Sequence[Any]
    auc: float


class BlockCutter:
    """Collects events into blocks."""

    def __init__(self, rule: BlockRule) -> None:
        self._rule = rule
        self.event = 0
        self.block = 0
        self._first_time: Any = None
        self._begin()

    @property
    def waiting(self) -> int:
        """Number of events of the incomplete block."""
        return len(self._labels)

    @property
    def waiting_pos(self) -> int:
        """Number of positive events of the incomplete block."""
        return self._n_pos

    def add(self, y_true: Any, y_score: Any, time: Any = None) -> Block | None:
        """Add one event; return the block that it completes, if any."""
        return self._add(*_core.checked_event(y_true, y_score), time)

    def add_many(
        self, y_true: npt.ArrayLike, y_score: npt.ArrayLike, time: Any = None
    ) -> Iterator[Block]:
        """Add events, all checked before the first is added; yield the blocks they complete."""
        labels, scores, _ = checked_events(y_true, y_score)
        times = [None] * len(labels) if time is None else _each(as_vector(time, "time"))
        check_same_length(len(labels), len(times), "time")
        return self.add_checked(labels, scores, times)

    def add_whole(self, auc: float, since_time: Any, time: Any) -> Block:
        """Add a block by its AUC."""
        self.event += 1
        self.block += 1
        self._begin()
        return Block(
            number=self.block,
            first_event=self.event,
            last_event=self.event,
            first_time=since_time,
            last_time=time,
            labels=np.zeros(0, np.uint8),
            scores=np.zeros(0),
            times=[],
            auc=auc,
        )

    def remove(self, y_true: Any, y_score: Any, time: Any = None) -> bool:
        """Remove the newest such event of the incomplete block; whether there was one.

        Times are compared if both are known. Numbers of events stay as they are: they count what
        was added. The cost is proportional to the size of the incomplete block.
        """
        label, score = _core.checked_event(y_true, y_score)
        for place in range(len(self._labels) - 1, -1, -1):
            if self._scores[place] != score or self._labels[place] != label:
                continue
            known = self._times[place]
            if known is None or time is None or same_time(known, time):
                break
        else:
            return False
        for column in (self._labels, self._scores, self._times):
            del column[place]
        self._n_pos -= label
        if not self._labels:
            self._begin()
        elif place == 0:
            self._first_event += 1
            self._first_time = self._times[0]
        return True

    def add_checked(
        self,
        labels: npt.NDArray[np.uint8],
        scores: npt.NDArray[np.float64],
        times: Sequence[Any],
    ) -> Iterator[Block]:
        """Add events that were checked before; yield the blocks they complete."""
        start, total = 0, len(labels)
        while start < total and self._labels:  # complete the current block first
            block = self._add(bool(labels[start]), float(scores[start]), times[start])
            start += 1
            if block is not None:
                yield block
        pos, neg = np.flatnonzero(labels), np.flatnonzero(labels == 0)
        pos_before = np.concatenate([[0], labels.cumsum(dtype=np.int64)])
        least, events = self._rule.least, self._rule.events
        while start + events <= total:
            last_pos = int(pos_before[start]) + least - 1
            last_neg = start - int(pos_before[start]) + least - 1
            if last_pos >= len(pos) or last_neg >= len(neg):
                break
            end = max(int(pos[last_pos]), int(neg[last_neg]), start + events - 1) + 1
            part = slice(start, end)
            start = end
            if part.stop - part.start > self._rule.most_waiting:
                yield from self._add_each(labels[part], scores[part], times[part])
                continue
            self.event += part.stop - part.start
            self._first_time = times[part.start]
            # Copies, so that a block does not keep a large array alive.
            yield self._finished(labels[part].copy(), scores[part].copy(), times[part])
        yield from self._add_each(labels[start:], scores[start:], times[start:])

    def _add_each(
        self,
        labels: npt.NDArray[np.uint8],
        scores: npt.NDArray[np.float64],
        times: Sequence[Any],
    ) -> Iterator[Block]:
        for label, score, time in zip(labels.tolist(), scores.tolist(), times, strict=True):
            block = self._add(bool(label), score, time)
            if block is not None:
                yield block

    def _add(self, label: bool, score: float, time: Any) -> Block | None:
        if not self._labels:
            self._first_time = time
        self.event += 1
        self._labels.append(label)
        self._scores.append(score)
        self._times.append(time)
        self._n_pos += label
        if self._rule.completes(len(self._labels), self._n_pos):
            return self._finished(
                np.array(self._labels, np.uint8), np.array(self._scores, np.float64), self._times
            )
        if len(self._labels) > self._rule.most_waiting:
            self._thin()
        return None

    def _finished(
        self,
        labels: npt.NDArray[np.uint8],
        scores: npt.NDArray[np.float64],
        times: Sequence[Any],
    ) -> Block:
        self.block += 1
        block = Block(
            number=self.block,
            first_event=self._first_event,
            last_event=self.event,
            first_time=self._first_time,
            last_time=times[-1],
            labels=labels,
            scores=scores,
            times=times,
            auc=_core.count_pairs(labels, scores, False, 1).auc,
        )
        self._begin()
        return block

    def _begin(self) -> None:
        self._first_event = self.event + 1
        self._first_time = None
        self._labels: list[bool] = []
        self._scores: list[float] = []
        self._times: list[Any] = []
        self._n_pos = 0

    def _thin(self) -> None:
        """Drop the older half of the frequent class, to bound the memory.

        The choice depends on labels only, so that the expectation of the AUC stays the same.
        """
        frequent = 2 * self._n_pos > len(self._labels)
        surplus = self._rule.most_waiting // 2
        kept = []
        for place, label in enumerate(self._labels):
            if label == frequent and surplus:
                surplus -= 1
            else:
                kept.append(place)
        self._labels = [self._labels[place] for place in kept]
        self._scores = [self._scores[place] for place in kept]
        self._times = [self._times[place] for place in kept]
        self._n_pos = sum(self._labels)

    def state(self) -> tuple[list[Any], list[bytes]]:
        """Return the counts, and the events of the incomplete block."""
        known = any(time is not None for time in self._times)
        times = self._times if known else None
        numbers = [self.event, self.block, self._first_event, self._first_time, times]
        return numbers, _packed(np.array(self._labels, np.uint8), np.array(self._scores, float))

    def restore(self, numbers: list[Any], events: list[bytes]) -> None:
        """Continue from the result of `state`."""
        *counts, self._first_time, times = numbers
        self.event, self.block, self._first_event = checked_counts(counts)
        labels, scores = _unpacked(events)
        self._labels, self._scores = labels.astype(bool).tolist(), scores.tolist()
        self._n_pos = sum(self._labels)
        size = len(self._labels)
        self._times = [None] * size if times is None else times
        if not (isinstance(self._times, list) and len(self._times) == size):
            raise ValueError("its events do not have their times")
        beyond = size > self._rule.most_waiting or self._first_event + size > self.event + 1
        if beyond or self._rule.completes(size, self._n_pos):
            raise ValueError("its incomplete block is not one")


class BlockRun:
    """Consecutive blocks that a statistic has grown since: where they begin, and their mean AUC."""

    def __init__(self) -> None:
        self.first_event = self.n_blocks = 0
        self.first_time: Any = None
        self._total = 0.0

    def begin(self, block: Block) -> None:
        """Begin again with this block, which is added later."""
        self.first_event, self.first_time = block.first_event, block.first_time
        self.n_blocks, self._total = 0, 0.0

    def add(self, block: Block) -> None:
        """Add a block."""
        self.n_blocks += 1
        self._total += block.auc

    @property
    def mean(self) -> float:
        """Mean AUC of the blocks."""
        return self._total / self.n_blocks

    def state(self) -> list[Any]:
        """Return what `restore` needs."""
        return [self.first_event, self.n_blocks, self.first_time, self._total]

    def restore(self, state: list[Any]) -> None:
        """Continue from the result of `state`."""
        *counts, self.first_time, self._total = state
        self.first_event, self.n_blocks = checked_counts(counts)
        if not (type(self._total) is float and 0 <= self._total <= self.n_blocks):
            raise ValueError("a sum of AUCs is out of range")


class RecentBlocks:
    """The events of the last blocks, about 20,000, for the pooled AUC since a change."""

    def __init__(self) -> None:
        self._blocks: deque[tuple[int, npt.NDArray[np.uint8], npt.NDArray[np.float64]]] = deque()
        self._events = 0

    def add(self, block: Block) -> None:
        """Add a block, and drop old ones; blocks that arrived whole have no events to keep."""
        if not len(block.labels):
            return
        self._blocks.append((block.first_event, block.labels, block.scores))
        self._events += len(block.labels)
        while self._events - len(self._blocks[0][1]) >= _MOST_RECENT:
            self._events -= len(self._blocks.popleft()[1])

    def since(self, event: int) -> _core.PairCounts:
        """Return the pair counts of the kept blocks from this event on, pooled."""
        empty = (0, np.zeros(0, np.uint8), np.zeros(0))
        blocks = [block for block in self._blocks if block[0] >= event] or [empty]
        labels, scores = (np.concatenate([block[part] for block in blocks]) for part in (1, 2))
        return _core.count_pairs(labels, scores, False, 1)

    def clear(self) -> None:
        """Drop all blocks."""
        self._blocks.clear()
        self._events = 0

    def state(self) -> tuple[list[Any], list[bytes]]:
        """Return the first event and size of each block, and their events."""
        sizes = [[first, len(labels)] for first, labels, _ in self._blocks]
        labels = [labels for _, labels, _ in self._blocks]
        scores = [scores for _, _, scores in self._blocks]
        empty = [np.zeros(0, np.uint8)], [np.zeros(0)]
        return sizes, _packed(np.concatenate(empty[0] + labels), np.concatenate(empty[1] + scores))

    def restore(self, sizes: list[Any], events: list[bytes]) -> None:
        """Continue from the result of `state`."""
        self.clear()
        labels, scores = _unpacked(events)
        for first, size in sizes:
            checked_counts([first, size])
            part = slice(self._events, self._events + size)
            self._blocks.append((first, labels[part], scores[part]))
            self._events += size
            if not 0 < np.count_nonzero(labels[part]) < size:
                raise ValueError("a block lacks a class")
        if self._events != len(labels):
            raise ValueError("its blocks do not match their events")


def checked_block_auc(auc: Any, row: int | None = None) -> float:
    """Check the AUC of a whole block, and name the row if it is one of several."""
    number = number_or_nan(auc)
    if 0 <= number <= 1:
        return number
    raise InputError(
        found=f"{'{auc} is' if row is None else '{block_aucs} holds'} {{value}}{{first}}",
        needed="the AUC of a block lies between 0 and 1",
        fix="Leave out blocks without an AUC.",
        value=shown(auc),
        first="" if row is None else f" (first in row {row})",
    )


def _each(times: npt.NDArray[Any]) -> list[Any]:
    """Return times as plain values; dates as they are, since plain ones have no nanoseconds."""
    return list(times) if times.dtype.kind == "M" else times.tolist()


def _packed(labels: npt.NDArray[np.uint8], scores: npt.NDArray[np.float64]) -> list[bytes]:
    return [labels.tobytes(), scores.astype("<f8").tobytes()]


def _unpacked(parts: list[bytes]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    labels, scores = np.frombuffer(parts[0], np.uint8), np.frombuffer(parts[1], "<f8")
    if len(labels) != len(scores) or (labels > 1).any() or not np.isfinite(scores).all():
        raise ValueError("its events are not labels and finite scores")
    return labels.copy(), scores.astype(np.float64)
