"""Confidence sequence for the mean AUC of blocks of one model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy.typing as npt

from roclab.checks.choices import SequenceMethod
from roclab.formatting import level_and_method
from roclab.result import Result
from roclab.streaming.drift.blocks import BlockRule
from roclab.streaming.sequences.block_sequence import BlockSequence, drift_hint, shown_ends


@dataclass(frozen=True, kw_only=True, repr=False)
class BlockMeanInterval(Result):
    """The mean AUC of blocks, with an interval that holds simultaneously at all times.

    Attributes
    ----------
    value : float
        Mean AUC of the blocks so far; nan before the first. With ``"hedged_capital"`` it can lie
        outside of the interval, which is the intersection of all intervals so far.
    low, high : float
        Ends of the interval; nan if no constant mean is compatible with all blocks.
    confidence_level : float
        Probability that the intervals of all times contain the mean.
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
            f"mean AUC of blocks {self.value:.3f} {shown_ends(self)}, "
            f"{level_and_method(self.confidence_level, self.method)} at all times, "
            f"{self.n_blocks:,} blocks{drift_hint(self.value, self.low, self.high)}"
        )


class BlockConfidenceSequence(BlockSequence):
    """Confidence sequence for the mean AUC of blocks: intervals valid simultaneously at all times.

    Look after every event, and stop whenever you like: the probability that any of the intervals
    misses the mean is at most ``1 - confidence_level``. It is about the **mean AUC of blocks**, not
    about the AUC over all pairs; if events are independent, both have the same expectation.

    Parameters
    ----------
    method : {"hedged_capital", "empirical_bernstein"}, default "empirical_bernstein"
        ``"hedged_capital"`` is for a mean that is constant: the expected AUC of each block, given
        all blocks before it. If no constant mean is left, the interval says so. With
        ``"empirical_bernstein"`` this expectation may drift; the interval is wider, and it is of
        the mean of the expectations of all blocks so far.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for all intervals together, at every time.
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
    mean AUC of blocks 0.875 [0.774, 0.976], 95 % empirical Bernstein at all times, 50 blocks
    """

    _kind: ClassVar = b"CS"
    _columns: ClassVar = ("y_score",)

    def __init__(
        self,
        *,
        method: SequenceMethod = "empirical_bernstein",
        confidence_level: float = 0.95,
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
        """Add events as if one by one. If a check fails, none is added.

        Parameters
        ----------
        y_true : array-like
            Target labels: booleans, 0/1 or -1/1, in the order of arrival.
        y_score : array-like
            Finite scores, higher for the positive class.
        time : array-like, optional
            Time of each event.
        sample_weight : None
            Weights are refused: blocks count events.
        """
        self._add_many(y_true, (y_score,), time, sample_weight)

    def interval(self) -> BlockMeanInterval:
        """The mean AUC of blocks with its interval."""
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
