"""Confidence sequence for the mean AUC of blocks, and what it shares with comparisons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy.typing as npt

from roclab import _core
from roclab.choices import SequenceMethod
from roclab.errors import InputError, Parameter
from roclab.options import check_level, check_method, shown
from roclab.result import Result
from roclab.streaming.drift.blocks import Block, BlockCutter, BlockRule
from roclab.streaming.drift.detector import checked_number
from roclab.streaming.sequences.empirical_bernstein import EmpiricalBernstein
from roclab.streaming.sequences.hedged_capital import HedgedCapital
from roclab.streaming.state import Serializable, checked_counts, packed, unpacked

_SEQUENCES: dict[str, type[HedgedCapital | EmpiricalBernstein]] = {
    "hedged_capital": HedgedCapital,
    "empirical_bernstein": EmpiricalBernstein,
}


class BlockSequence(Serializable, ABC):
    """A confidence sequence of blocks, of one column of scores or of two."""

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


@dataclass(frozen=True, kw_only=True, repr=False)
class BlockMeanInterval(Result):
    """The mean AUC of blocks, with an interval that holds at all times at once.

    Attributes
    ----------
    value : float
        Mean AUC of the blocks so far; nan before the first. With ``"hedged_capital"`` it can lie
        outside of the interval, which is the intersection of all intervals so far.
    low, high : float
        Ends of the interval; nan if no constant mean is compatible with all blocks.
    confidence_level : float
        Probability that all intervals, of all times, hold the mean.
    method : {"hedged_capital", "empirical_bernstein"}
        Method of the sequence.
    n_blocks, n_events : int
        Number of complete blocks and of events.
    changed_event, changed_time : int or None, object
        Event by which no constant mean was left, and its time: the mean AUC of blocks has changed.
    """

    value: float
    low: float
    high: float
    confidence_level: float
    method: SequenceMethod
    n_blocks: int
    n_events: int
    changed_event: int | None = None
    changed_time: Any = None

    def __repr__(self) -> str:
        return (
            f"mean AUC of blocks {self.value:.3f} "
            f"{shown_ends(self)}, {100 * self.confidence_level:g} % at all times, "
            f"{self.n_blocks:,} blocks"
        )


def shown_ends(result: Any) -> str:
    """The ends of an interval of blocks, or that there is none."""
    if result.changed_event is None:
        return f"[{result.low:.3f}, {result.high:.3f}]"
    return f"[not constant: changed by event {result.changed_event:,}]"


class BlockConfidenceSequence(BlockSequence):
    """Confidence sequence for the mean AUC of blocks: intervals that hold at all times at once.

    Look after every event, and stop whenever you like: the probability that any of the intervals
    misses the mean is at most ``1 - confidence_level``. It is about the **mean AUC of blocks**, not
    about the AUC over all pairs; if events are independent, both have the same expectation.

    Parameters
    ----------
    confidence_level : float, default 0.95
        Confidence level of all intervals together.
    method : {"hedged_capital", "empirical_bernstein"}, default "hedged_capital"
        ``"hedged_capital"`` is for a mean that is constant: the expected AUC of each block, given
        all blocks before it. If no constant mean is left, the interval says so. With
        ``"empirical_bernstein"`` this expectation may drift; the interval is wider, and it is of
        the mean of the expectations of all blocks so far.
    per_class, events : int, optional
        Number of examples of each class that complete a block, 5 by default, or number of events
        that complete it, once it has both classes.

    Notes
    -----
    Hedged capital keeps each mean m in a grid of 10,000 steps until bets against it have multiplied
    their capital by ``2 / (1 - confidence_level)``. Ends are rejected points of the grid, so that
    the interval is at most two steps too long. A block costs time in proportion to the length of
    the interval.

    References
    ----------
    I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting, JRSS B
    86 (2024) 1-27. S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon, Time-uniform, nonparametric,
    nonasymptotic confidence sequences, Annals of Statistics 49 (2021) 1055-1080, theorem 4 and
    proposition 9.

    Examples
    --------
    >>> sequence = BlockConfidenceSequence(per_class=2)
    >>> sequence.update_many([0, 0, 1, 1] * 50, [0.1, 0.4, 0.4, 0.8] * 50)
    >>> sequence.interval()
    mean AUC of blocks 0.875 [0.806, 0.902], 95 % at all times, 50 blocks
    """

    _kind: ClassVar = b"CS"
    _columns: ClassVar = ("y_score",)

    def __init__(
        self,
        *,
        confidence_level: float = 0.95,
        method: SequenceMethod = "hedged_capital",
        per_class: int | None = None,
        events: int | None = None,
    ) -> None:
        super().__init__(confidence_level, method, BlockRule.of(per_class, events))

    def update(
        self, y_true: Any, y_score: Any, *, time: Any = None, sample_weight: None = None
    ) -> None:
        """Add one event.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event.
        sample_weight : None
            Weights are refused: blocks count events.
        """
        self._add(y_true, (y_score,), time, sample_weight)

    def update_many(
        self,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        time: npt.ArrayLike | None = None,
        sample_weight: None = None,
    ) -> None:
        """Add events, equivalent to adding one by one. If a check fails, none is added."""
        self._add_many(y_true, (y_score,), time, sample_weight)

    def interval(self) -> BlockMeanInterval:
        """Return the interval of the mean AUC of blocks."""
        low, high = self._ends()
        return BlockMeanInterval(
            value=self._means[0],
            low=low,
            high=high,
            confidence_level=self._level,
            method=self._method,
            n_blocks=self.n_blocks,
            n_events=self.n_events,
            changed_event=self._changed[0],
            changed_time=self._changed[1],
        )

    def _value(self, aucs: list[float]) -> float:
        return aucs[0]

    def __repr__(self) -> str:
        return f"BlockConfidenceSequence({self.interval()!r})"


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
            found="{column=}{value} is no score of a stream",
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
