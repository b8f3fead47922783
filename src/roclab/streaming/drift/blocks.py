"""Disjoint blocks of a stream, each with both classes.

The end of a block depends on labels alone. So the expectation of its AUC is the AUC of the stream,
whatever the scores, which is all that `BlockDriftTest` needs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.errors import InputError
from roclab.options import check_count, shown
from roclab.ranking import Ranking
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
    def most_waiting(self) -> int:
        """Maximum number of events of an incomplete block; then the frequent class is thinned.

        Half of them suffice for a block, so that the rest can still be completed.
        """
        return max(_MOST_WAITING, 2 * self.events)

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


@dataclass(frozen=True, kw_only=True)
class Block:
    """A complete block: its number, its first and last event (from 1), examples and AUC."""

    number: int
    first_event: int
    last_event: int
    labels: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.float64]
    auc: float


class BlockCutter:
    """Collects events into blocks."""

    def __init__(self, rule: BlockRule) -> None:
        self._rule = rule
        self.event = 0
        self.block = 0
        self._begin()

    def add(self, y_true: Any, y_score: Any) -> Block | None:
        """Add one event; return the block that it completes, if any."""
        return self._add(*_core.checked_event(y_true, y_score))

    def add_many(self, y_true: npt.ArrayLike, y_score: npt.ArrayLike) -> Iterator[Block]:
        """Add events, all checked before the first is added; yield the blocks they complete."""
        labels, scores, _ = checked_events(y_true, y_score)
        return self._add_many(labels, scores)

    def _add_many(
        self, labels: npt.NDArray[np.uint8], scores: npt.NDArray[np.float64]
    ) -> Iterator[Block]:
        start, total = 0, len(labels)
        while start < total and self._labels:  # complete the current block first
            block = self._add(bool(labels[start]), float(scores[start]))
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
            if end - start > self._rule.most_waiting:
                yield from self._add_each(labels[start:end], scores[start:end])
                start = end
                continue
            self.event += end - start
            # Copies, so that a block does not keep a large array alive.
            yield self._finished(labels[start:end].copy(), scores[start:end].copy())
            start = end
        yield from self._add_each(labels[start:], scores[start:])

    def _add_each(
        self, labels: npt.NDArray[np.uint8], scores: npt.NDArray[np.float64]
    ) -> Iterator[Block]:
        for label, score in zip(labels.tolist(), scores.tolist(), strict=True):
            block = self._add(bool(label), score)
            if block is not None:
                yield block

    def _add(self, label: bool, score: float) -> Block | None:
        self.event += 1
        self._labels.append(label)
        self._scores.append(score)
        self._n_pos += label
        size, least = len(self._labels), self._rule.least
        if size >= self._rule.events and least <= self._n_pos <= size - least:
            return self._finished(
                np.array(self._labels, np.uint8), np.array(self._scores, np.float64)
            )
        if size > self._rule.most_waiting:
            self._thin()
        return None

    def _finished(self, labels: npt.NDArray[np.uint8], scores: npt.NDArray[np.float64]) -> Block:
        self.block += 1
        block = Block(
            number=self.block,
            first_event=self._first_event,
            last_event=self.event,
            labels=labels,
            scores=scores,
            auc=_core.count_pairs(labels, scores, False, 1).auc,
        )
        self._begin()
        return block

    def _begin(self) -> None:
        self._first_event = self.event + 1
        self._labels: list[bool] = []
        self._scores: list[float] = []
        self._n_pos = 0

    def _thin(self) -> None:
        """Drop the older half of the frequent class, to bound the memory.

        The choice depends on labels only, so that the expectation of the AUC stays the same.
        """
        frequent = 2 * self._n_pos > len(self._labels)
        surplus = self._rule.most_waiting // 2
        kept = []
        for label, score in zip(self._labels, self._scores, strict=True):
            if label == frequent and surplus:
                surplus -= 1
            else:
                kept.append((label, score))
        self._labels, self._scores = [event[0] for event in kept], [event[1] for event in kept]
        self._n_pos = sum(self._labels)


class RecentBlocks:
    """The last blocks, about 20,000 events, for the AUC since a change."""

    def __init__(self) -> None:
        self._blocks: deque[Block] = deque()
        self._events = 0

    def add(self, block: Block) -> None:
        """Add a block, and drop old ones."""
        self._blocks.append(block)
        self._events += len(block.labels)
        while self._events - len(self._blocks[0].labels) >= _MOST_RECENT:
            self._events -= len(self._blocks.popleft().labels)

    def since(self, event: int) -> Ranking:
        """Return a ranking of the kept blocks from this event on."""
        blocks = [block for block in self._blocks if block.first_event >= event]
        return Ranking(
            np.concatenate([block.labels for block in blocks]),
            np.concatenate([block.scores for block in blocks]),
        )

    def clear(self) -> None:
        """Drop all blocks."""
        self._blocks.clear()
        self._events = 0
