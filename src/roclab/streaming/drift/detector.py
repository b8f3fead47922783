"""Base class of drift detectors on blocks."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple, Self

import numpy.typing as npt

from roclab.checks.choices import DriftAlternative
from roclab.checks.options import check_alternative, check_between
from roclab.data.serialization import Serializable, packed, unpacked
from roclab.errors import InputError
from roclab.streaming.drift.alarm import Alarm, Direction
from roclab.streaming.drift.blocks import (
    WHOLE_BLOCKS,
    Block,
    BlockCutter,
    BlockRule,
    BlockRun,
    RecentBlocks,
    checked_block_auc,
)
from roclab.streaming.drift.reference import Baseline
from roclab.streaming.events import event_not_found


class Finding(NamedTuple):
    """A statistic that reached its threshold, and the blocks since which it has grown."""

    direction: Direction
    bound: float
    statistic: float
    run: BlockRun


class BlockDetector(Serializable, ABC):
    """A detector that divides a stream into blocks and updates a statistic after each."""

    _version: ClassVar = 3

    def __init__(self, baseline: Baseline, average_run_length: float) -> None:
        self._rule = baseline.rule
        self._reference = (baseline.block_mean, baseline.pooled_auc)
        self._independent = baseline.independent
        self._block_events = baseline.block_events
        self._run_length = average_run_length
        self._cutter = BlockCutter(self._rule)
        self._recent = RecentBlocks()

    def update(
        self, y_true: Any, y_score: Any, *, time: Any = None, sample_weight: None = None
    ) -> Alarm | None:
        """Add one event.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event, for its alarm.
        sample_weight : None
            Weights are refused: blocks count events.

        Returns
        -------
        Alarm or None
            The alarm that the event raises, if any. The detector then restarts with the same
            reference, so that a persistent change raises an alarm again.
        """
        refuse_weights(sample_weight)
        self._check_blocks(whole=False)
        block = self._cutter.add(y_true, y_score, time)
        return None if block is None else self._judge(block)

    def update_many(
        self,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        time: npt.ArrayLike | None = None,
        sample_weight: None = None,
    ) -> tuple[Alarm, ...]:
        """Add events as if one by one, and return the alarms that they raise.

        Parameters
        ----------
        y_true : array-like
            Target labels: booleans, 0/1 or -1/1, in the order of arrival.
        y_score : array-like
            Finite scores, higher for the positive class.
        time : array-like, optional
            Time of each event, for its alarm.
        sample_weight : None
            Weights are refused: blocks count events.
        """
        refuse_weights(sample_weight)
        self._check_blocks(whole=False)
        judged = (self._judge(block) for block in self._cutter.add_many(y_true, y_score, time))
        return tuple(alarm for alarm in judged if alarm is not None)

    def revert(
        self, y_true: Any, y_score: Any, *, time: Any = None, sample_weight: None = None
    ) -> None:
        """Remove the newest event that was added with these arguments from the incomplete block.

        The detector then continues as if the event had never been added, but its number is not
        used again. Complete blocks have been tested, and stay.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event. Without it, events of all times are considered.
        sample_weight : None
            Weights are refused: blocks count events.

        Raises
        ------
        EventNotFoundError
            The incomplete block holds no such event; the detector is unchanged.
        """
        refuse_weights(sample_weight)
        self._check_blocks(whole=False)
        if not self._cutter.remove(y_true, y_score, time):
            raise event_not_found(
                "the incomplete block",
                "Complete blocks have been tested, and stay.",
                y_true=y_true,
                y_score=y_score,
                time=time,
            )

    def update_block(self, auc: float, *, time: Any = None, since_time: Any = None) -> Alarm | None:
        """Add a whole block, such as a day, if the reference is made of blocks.

        Parameters
        ----------
        auc : float
            AUC of the block.
        time, since_time : object, optional
            Times of the end and of the beginning of the block, for its alarm.

        Returns
        -------
        Alarm or None
            The alarm that the block raises, if any. The block counts as one event.
        """
        self._check_blocks(whole=True)
        return self._judge(self._cutter.add_whole(checked_block_auc(auc), since_time, time))

    def reset(self) -> None:
        """Remove all events and alarms, but keep the reference."""
        self._cutter = BlockCutter(self._rule)
        self._restart()

    @property
    def n_events(self) -> int:
        """Number of events added so far, including those that were reverted."""
        return self._cutter.event

    @property
    def n_blocks(self) -> int:
        """Number of complete blocks so far."""
        return self._cutter.block

    @property
    def reference_block_mean(self) -> float:
        """Mean AUC of the blocks of the reference."""
        return self._reference[0]

    @property
    def average_run_length(self) -> float:
        """Average number of events to a false alarm, under `condition`; of blocks, if whole."""
        return self._run_length

    @property
    def condition(self) -> str:
        """What the average run length presupposes."""
        independent = "events are independent, and " if self._independent else ""
        return independent + self._promise()

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """Mean AUCs of blocks below and above which a change is tested for; 0 or 1 for neither."""

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
    def _promise(self) -> str:
        """Return the condition of the run length, besides independence."""

    @abstractmethod
    def _statistic_state(self) -> list[Any]:
        """Return the settings and the state of the statistic."""

    @abstractmethod
    def _restore_statistic(self, state: list[Any]) -> None:
        """Continue from the result of `_statistic_state`."""

    def _check_blocks(self, *, whole: bool) -> None:
        """Check that blocks arrive as those of the reference did."""
        if self._rule.whole is whole:
            return
        if whole:
            raise InputError(
                found="The reference of this detector has events, which it cuts into blocks",
                needed="whole blocks need a reference of blocks that were cut as they are",
                fix="Pass DriftReference.from_blocks(block_aucs) as {reference}, or single events.",
            )
        raise InputError(
            found="The reference of this detector is made of whole blocks",
            needed="single events cannot be compared with blocks of unknown length",
            fix="Pass whole blocks to update_block(), or a {reference} of events.",
        )

    def _judge(self, block: Block) -> Alarm | None:
        self._recent.add(block)
        found = self._step(block)
        if found is None:
            return None
        pooled = self._recent.since(found.run.first_event)
        reference_mean, reference_pooled = self._reference
        alarm = Alarm(
            detector=type(self).__name__,
            direction=found.direction,
            event=block.last_event,
            block=block.number,
            since_event=found.run.first_event,
            n_blocks=found.run.n_blocks,
            block_mean=found.run.mean,
            reference_block_mean=reference_mean,
            bound=found.bound,
            difference=found.run.mean - reference_mean,
            pooled_auc=pooled.auc,
            reference_pooled_auc=reference_pooled,
            n_pos=int(pooled.pos),
            n_neg=int(pooled.neg),
            statistic=found.statistic,
            threshold=self.threshold,
            average_run_length=self._run_length,
            condition=self.condition,
            time=block.last_time,
            since_time=found.run.first_time,
        )
        self._restart()
        return alarm

    def _restart(self) -> None:
        self._recent.clear()
        self._reset_statistic()

    def _content(self) -> bytes:
        numbers, waiting = self._cutter.state()
        sizes, events = self._recent.state()
        rule = [self._rule.least, self._rule.events]
        common = [rule, *self._reference, self._independent, self._block_events, self._run_length]
        return packed([common, numbers, sizes, self._statistic_state()], [*waiting, *events])

    @classmethod
    def _restored(cls, content: bytes, *_: Any) -> Self:
        (common, numbers, sizes, statistic), parts = unpacked(content)
        [[least, events], block_mean, pooled_auc, independent, block_events, run_length] = common
        one = cls.__new__(cls)
        rule = BlockRule(least=least, events=events)
        if rule != WHOLE_BLOCKS and not (
            type(least) is type(events) is int and 1 <= least <= events // 2
        ):
            raise ValueError("its rule for blocks is none")
        baseline = Baseline(
            rule=rule,
            block_mean=checked_number(block_mean, 0, 1),
            pooled_auc=math.nan if rule.whole else checked_number(pooled_auc, 0, 1),
            low=0.0,
            high=1.0,
            block_events=checked_number(block_events, 1, 1e15),
            independent=bool(independent),
        )
        BlockDetector.__init__(one, baseline, checked_number(run_length, 1, 1e15))
        one._cutter.restore(numbers, parts[:2])
        one._recent.restore(sizes, parts[2:])
        one._restore_statistic(statistic)
        return one

    def __repr__(self) -> str:
        events = "" if self._rule.whole else f"{self.n_events:,} events, "
        return (
            f"{type(self).__name__}(reference {self.reference_block_mean:.3f}, "
            f"{events}{self.n_blocks:,} blocks, statistic "
            f"{self.statistic:.3g} of {self.threshold:.3g})"
        )


def directions_of(alternative: Any) -> tuple[Direction, ...]:
    """Return the directions of change that an alternative hypothesis includes."""
    checked: DriftAlternative = check_alternative(alternative, DriftAlternative)
    if checked == "two-sided":
        return ("drop", "rise")
    return ("drop",) if checked == "less" else ("rise",)


def check_directions(directions: list[Any]) -> None:
    """Check directions that were restored."""
    if directions not in (["drop"], ["rise"], ["drop", "rise"]):
        raise ValueError("its directions are none")


def checked_run_length(average_run_length: Any) -> float:
    """Check an average run length, in events."""
    return check_between(
        "average_run_length",
        average_run_length,
        1,
        1e15,
        fix="For one false alarm in a million events pass {average_run_length=}1000000.",
    )


def checked_error(reference_confidence: Any, sides: int) -> float:
    """Return the error of a bound of the reference."""
    confidence = check_between(
        "reference_confidence",
        reference_confidence,
        0.5,
        1,
        fix="Pass 0.95, or 0.5 for the mean of the reference itself.",
        or_low=True,
    )
    return (1 - confidence) / sides


def checked_bound(direction: Direction, bound: float) -> float:
    """Check that a mean AUC can lie beyond a bound."""
    if 0 < bound < 1:
        return bound
    raise InputError(
        found="{reference} and {margin} give the bound {bound} for a {direction} of the AUC",
        needed="it must lie between 0 and 1",
        fix="Use a smaller {margin}, a longer {reference}, or another {alternative} that does not "
        "test for a {direction}.",
        bound=f"{bound:.3g}",
        direction=direction,
    )


def refuse_weights(sample_weight: Any) -> None:
    """Raise an error for weights: a detector counts events."""
    if sample_weight is not None:
        raise InputError(
            found="Drift detectors take no weights",
            fix="Leave out {sample_weight} or the reference.",
        )


def checked_number(value: Any, low: float, high: float) -> float:
    """A number that was restored."""
    if type(value) not in (int, float) or not low <= value <= high:
        raise ValueError("a number is out of range")
    return float(value)
