"""Base class of confidence sequences on blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from roclab import _core
from roclab.checks.choices import SequenceMethod
from roclab.checks.options import check_level, check_method, shown
from roclab.data.serialization import Serializable, checked_counts, packed, unpacked
from roclab.errors import InputError, Parameter
from roclab.streaming.drift.blocks import Block, BlockCutter, BlockRule
from roclab.streaming.drift.detector import checked_number
from roclab.streaming.sequences.empirical_bernstein import EmpiricalBernstein
from roclab.streaming.sequences.hedged_capital import HedgedCapital

_SEQUENCES: dict[str, type[HedgedCapital | EmpiricalBernstein]] = {
    "hedged_capital": HedgedCapital,
    "empirical_bernstein": EmpiricalBernstein,
}


class BlockSequence(Serializable, ABC):
    """A confidence sequence of blocks, of one column of scores or of two."""

    _version: ClassVar = 2
    _columns: ClassVar[tuple[str, ...]]

    def __init__(self, confidence_level: float, method: Any, rule: BlockRule) -> None:
        self._level = check_level(confidence_level)
        self._method: SequenceMethod = check_method(method, SequenceMethod)
        self._rule = rule
        self.reset()

    def reset(self) -> None:
        """Remove all events, but keep the settings."""
        self._cutters = [BlockCutter(self._rule) for _ in self._columns]
        self._totals = [0.0 for _ in self._columns]
        self._sequence = _SEQUENCES[self._method](1 - self._level)
        self._changed: tuple[int | None, Any] = (None, None)

    @property
    def n_events(self) -> int:
        """Number of events so far."""
        return self._cutters[0].event

    @property
    def n_blocks(self) -> int:
        """Number of complete blocks so far."""
        return self._cutters[0].block

    @property
    def _means(self) -> list[float]:
        """Mean AUC of the blocks of each column."""
        n = self.n_blocks
        return [total / n if n else float("nan") for total in self._totals]

    @abstractmethod
    def _value(self, aucs: list[float]) -> float:
        """Return the value of a block, from 0 to 1."""

    def _add(self, y_true: Any, scores: tuple[Any, ...], time: Any, weight: Any) -> None:
        refuse_weights(weight)
        _core.checked_event(y_true, 0.0)
        for name, score in zip(self._columns, scores, strict=True):
            _check_score(name, score)  # all, before the first is added
        added = zip(self._cutters, scores, strict=True)
        self._judge([cutter.add(y_true, score, time) for cutter, score in added])

    def _add_many(self, y_true: Any, scores: tuple[Any, ...], time: Any, weight: Any) -> None:
        refuse_weights(weight)
        columns = []
        for name, cutter, column in zip(self._columns, self._cutters, scores, strict=True):
            with _about(name):
                columns.append(cutter.add_many(y_true, column, time))
        # Blocks end by labels alone, so those of all columns end together.
        for blocks in zip(*columns, strict=True):
            self._judge(list(blocks))

    def _judge(self, blocks: list[Any]) -> None:
        """Add a block of each column, if they are complete."""
        if blocks[0] is None:
            return
        aucs = [block.auc for block in blocks]
        self._totals = [total + auc for total, auc in zip(self._totals, aucs, strict=True)]
        self._sequence.add(self._value(aucs))
        if self._sequence.empty and self._changed[0] is None:
            self._changed = blocks[0].last_event, blocks[0].last_time
        self._decide(blocks[0])

    def _decide(self, block: Block) -> None:
        """Conclude from the sequence after a block."""

    def _ends(self, scale: float = 1.0, origin: float = 0.0) -> tuple[float, float]:
        """Return the ends, scaled after subtracting the origin; nan if no mean is left."""
        if self._changed[0] is not None:
            return float("nan"), float("nan")
        low, high = (scale * (end - origin) for end in (self._sequence.low, self._sequence.high))
        return low, high

    def _settings(self) -> dict[str, Any]:
        """Return the arguments of the constructor, besides those of all sequences."""
        return {}

    def _conclusion(self) -> list[Any]:
        """Return what `_decide` has concluded."""
        return []

    def _conclude(self, conclusion: list[Any]) -> None:
        """Continue from the result of `_conclusion`."""
        if conclusion:
            raise ValueError("it has no conclusion")

    def _content(self) -> bytes:
        common = [self._level, self._method, self._rule.least, self._rule.events]
        numbers, capital = self._sequence.state()
        cutters = [cutter.state() for cutter in self._cutters]
        values = [
            *(common, [list(one) for one in self._settings().items()], self._totals),
            *(list(self._changed), self._conclusion()),
            *(numbers, [state for state, _ in cutters]),
        ]
        return packed(values, [part for _, parts in cutters for part in parts] + capital)

    @classmethod
    def _restored(cls, content: bytes, *_: Any) -> Self:
        (common, settings, totals, changed, conclusion, numbers, states), parts = unpacked(content)
        level, method, least, events = common
        one = cls(**dict(settings), confidence_level=level, method=method)
        if not (type(least) is type(events) is int and 1 <= least <= events // 2):
            raise ValueError("its rule for blocks is none")
        one._rule = BlockRule(least=least, events=events)
        one.reset()
        for place, (cutter, state) in enumerate(zip(one._cutters, states, strict=True)):
            cutter.restore(state, parts[2 * place : 2 * place + 2])
        waiting = parts[: 2 * len(states)]
        if len(set(waiting[::2])) > 1 or len({str(state[:3]) for state in states}) > 1:
            raise ValueError("its columns have different labels")
        one._totals = [checked_number(total, 0, one.n_blocks) for total in totals]
        if len(totals) != len(one._columns):
            raise ValueError("its columns are not these")
        one._sequence.restore(numbers, parts[len(waiting) :])
        event, time = changed
        one._changed = (None if event is None else checked_counts([event])[0], time)
        if numbers[0] != one.n_blocks or (event is not None) != one._sequence.empty:
            raise ValueError("its interval is not that of its blocks")
        one._conclude(conclusion)
        return one


def refuse_weights(sample_weight: Any) -> None:
    """Raise an error for weights: blocks count events."""
    if sample_weight is not None:
        raise InputError(
            found="Confidence sequences of blocks take no weights",
            fix="Omit {sample_weight}.",
        )


def _check_score(column: str, score: Any) -> None:
    try:
        _core.checked_score(score)
    except ValueError:
        raise InputError(
            found="{column=}{value} is not a score of a stream",
            needed="a finite number is needed",
            fix="Clip infinite scores, drop missing ones.",
            column=Parameter(column),
            value=shown(score),
        ) from None


@contextmanager
def _about(column: str) -> Iterator[None]:
    """Name the column of scores that an error is about, if it is not the only one."""
    try:
        yield
    except InputError as error:
        if column == "y_score" or "y_score" not in error.parameters:
            raise
        raise error.about(column) from None


def shown_ends(result: Any) -> str:
    """The ends of an interval of blocks, or that there is none."""
    if result.changed_event is None:
        return f"[{result.low:.3f}, {result.high:.3f}]"
    return f"[not constant: changed by event {result.changed_event:,}]"


def drift_hint(value: float, low: float, high: float) -> str:
    """A hint if the mean of the blocks so far is outside of their interval."""
    return "; outside of the interval: does it drift?" if value < low or value > high else ""
