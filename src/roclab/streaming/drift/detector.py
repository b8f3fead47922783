"""What detectors on blocks have in common: events in, blocks, alarms out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, NamedTuple

import numpy.typing as npt

from roclab.options import check_alternative
from roclab.streaming.drift.alarm import Alarm, Direction
from roclab.streaming.drift.blocks import Block, BlockCutter, BlockRule, RecentBlocks
from roclab.streaming.drift.reference import (
    Reference,
    checked_reference,
    difference_to,
    reference_auc,
)
from roclab.streaming.state import CopiedWhole

__all__ = ["BlockDetector", "DriftAlternative", "Finding", "directions_of"]

DriftAlternative = Literal["less", "greater", "two-sided"]


class Finding(NamedTuple):
    """That a side's statistic has reached its threshold, and since which event it has grown."""

    direction: Direction
    statistic: float
    since_event: int


class BlockDetector(CopiedWhole, ABC):
    """A stream cut into blocks, and a statistic that each block moves."""

    def __init__(self, reference: Any, alternative: Any, per_class: Any, events: Any) -> None:
        self._reference: Reference = checked_reference(reference)
        self._directions = directions_of(alternative)
        self._rule = BlockRule.of(per_class, events)
        self._cutter = BlockCutter(self._rule)
        self._recent = RecentBlocks()

    def update(self, y_true: Any, y_score: Any) -> Alarm | None:
        """Take in one event.

        Parameters
        ----------
        y_true : bool or int
            The label: a boolean, 0/1 or -1/1.
        y_score : float
            The score, higher for more positive; finite.

        Returns
        -------
        Alarm or None
            The alarm that the event raises, if it does; the detector then begins anew, with the
            same reference, so that a change that lasts is told again.
        """
        block = self._cutter.add(y_true, y_score)
        return None if block is None else self._judge(block)

    def update_many(self, y_true: npt.ArrayLike, y_score: npt.ArrayLike) -> tuple[Alarm, ...]:
        """Take in many events, the same as one by one; gives the alarms they raise."""
        judged = (self._judge(block) for block in self._cutter.add_many(y_true, y_score))
        return tuple(alarm for alarm in judged if alarm is not None)

    def reset(self) -> None:
        """Forget all events and alarms; the reference stays."""
        self._cutter = BlockCutter(self._rule)
        self._restart()

    @property
    def n_events(self) -> int:
        """Events so far."""
        return self._cutter.event

    @property
    def n_blocks(self) -> int:
        """Finished blocks so far."""
        return self._cutter.block

    @property
    @abstractmethod
    def statistic(self) -> float:
        """The statistic now."""

    @property
    @abstractmethod
    def threshold(self) -> float:
        """The value of the statistic from which on there is an alarm."""

    @abstractmethod
    def _step(self, block: Block) -> Finding | None:
        """Move the statistic by one block."""

    @abstractmethod
    def _begin_anew(self) -> None:
        """Put the statistic back to where it began."""

    @abstractmethod
    def _claims(self, statistic: float) -> dict[str, float]:
        """What an alarm says about how sure it is."""

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
        self._begin_anew()

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(reference AUC {reference_auc(self._reference):.3f}, "
            f"{self.n_events:,} events, {self.n_blocks:,} blocks, statistic "
            f"{self.statistic:.3g} of {self.threshold:.3g})"
        )


def directions_of(alternative: Any) -> tuple[Direction, ...]:
    """What is looked for, from the word for it."""
    word = check_alternative(alternative, ("less", "greater", "two-sided"))
    if word == "two-sided":
        return ("drop", "rise")
    return ("drop",) if word == "less" else ("rise",)
