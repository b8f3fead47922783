"""Base class of drift detectors on blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy.typing as npt

from roclab.choices import DriftAlternative
from roclab.options import check_alternative
from roclab.streaming.drift.alarm import Alarm, Direction
from roclab.streaming.drift.blocks import Block, BlockCutter, BlockRule, RecentBlocks
from roclab.streaming.drift.reference import (
    Reference,
    checked_reference,
    difference_to,
    reference_auc,
)
from roclab.streaming.state import DeepCopied


class Finding(NamedTuple):
    """A statistic that reached its threshold, and the event since which it has grown."""

    direction: Direction
    statistic: float
    since_event: int


class BlockDetector(DeepCopied, ABC):
    """A detector that divides a stream into blocks and updates a statistic after each."""

    def __init__(self, reference: Any, alternative: Any, per_class: Any, events: Any) -> None:
        self._reference: Reference = checked_reference(reference)
        self._directions = directions_of(alternative)
        self._rule = BlockRule.of(per_class, events)
        self._cutter = BlockCutter(self._rule)
        self._recent = RecentBlocks()

    def update(self, y_true: Any, y_score: Any) -> Alarm | None:
        """Add one event.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.

        Returns
        -------
        Alarm or None
            The alarm that the event raises, if any. The detector then restarts with the same
            reference, so that a persistent change raises an alarm again.
        """
        block = self._cutter.add(y_true, y_score)
        return None if block is None else self._judge(block)

    def update_many(self, y_true: npt.ArrayLike, y_score: npt.ArrayLike) -> tuple[Alarm, ...]:
        """Add events, equivalent to adding one by one; return the alarms they raise."""
        judged = (self._judge(block) for block in self._cutter.add_many(y_true, y_score))
        return tuple(alarm for alarm in judged if alarm is not None)

    def reset(self) -> None:
        """Remove all events and alarms, but keep the reference."""
        self._cutter = BlockCutter(self._rule)
        self._restart()

    @property
    def n_events(self) -> int:
        """Number of events so far."""
        return self._cutter.event

    @property
    def n_blocks(self) -> int:
        """Number of complete blocks so far."""
        return self._cutter.block

    @property
    @abstractmethod
    def statistic(self) -> float:
        """Current value of the statistic."""

    @property
    @abstractmethod
    def threshold(self) -> float:
        """Value of the statistic at which an alarm is raised."""

    @abstractmethod
    def _step(self, block: Block) -> Finding | None:
        """Update the statistic by one block."""

    @abstractmethod
    def _reset_statistic(self) -> None:
        """Reset the statistic to its initial value."""

    @abstractmethod
    def _claims(self, statistic: float) -> dict[str, float]:
        """Return the fields of an alarm about its significance."""

    def _judge(self, block: Block) -> Alarm | None:
        self._recent.add(block)
        finding = self._step(block)
        if finding is None:
            return None
        current = self._recent.since(finding.since_event)
        comparison = difference_to(self._reference, current)
        alarm = Alarm(
            detector=type(self).__name__,
            direction=finding.direction,
            event=block.last_event,
            block=block.number,
            since_event=finding.since_event,
            reference_auc=reference_auc(self._reference),
            auc=comparison.value_a,
            difference=comparison.difference,
            low=comparison.low,
            high=comparison.high,
            confidence_level=comparison.confidence_level,
            n_pos=current.n_pos,
            n_neg=current.n_neg,
            statistic=finding.statistic,
            threshold=self.threshold,
            **self._claims(finding.statistic),
        )
        self._restart()
        return alarm

    def _restart(self) -> None:
        self._recent.clear()
        self._reset_statistic()

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(reference AUC {reference_auc(self._reference):.3f}, "
            f"{self.n_events:,} events, {self.n_blocks:,} blocks, statistic "
            f"{self.statistic:.3g} of {self.threshold:.3g})"
        )


def directions_of(alternative: Any) -> tuple[Direction, ...]:
    """Return the directions of change that an alternative hypothesis includes."""
    checked: DriftAlternative = check_alternative(alternative, DriftAlternative)
    if checked == "two-sided":
        return ("drop", "rise")
    return ("drop",) if checked == "less" else ("rise",)
