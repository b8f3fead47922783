"""Streams: the window of the present, and the change rule on blocks of mature cohorts."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.monitor.settings import FEWEST_BLOCKS, ReferencePeriod
from roclab.monitor.store.records import Block, LabelChanges
from roclab.streaming.calendar import as_datetime, microseconds
from roclab.streaming.drift.alarm import Alarm
from roclab.streaming.drift.e_detector import BlockEDetector, stakes_of
from roclab.streaming.drift.reference import DriftReference
from roclab.streaming.windows.timed import TimeWindowAUC

_COLLECTED = 4096  # labels that wait for a reader
_FEWEST_TO_CLOSE = 5
_RUNS = 200  # simulated streams of what a monitor could notice


class Window:
    """AUC of a stream over the last days, by prediction time, updated by each label.

    One thread updates it; others read, and find all labels of an update or none. Labels are
    collected, and added when someone reads, since many at once take much less time than a few.
    """

    def __init__(self, duration: timedelta) -> None:
        # An event of any age within the duration enters: labels come late.
        self._window = TimeWindowAUC(duration, lateness=duration)
        self._duration = duration
        self._collected: list[LabelChanges] = []
        self._count = 0
        self._lock = threading.Lock()

    def update(self, changes: LabelChanges) -> None:
        """Apply labels that became known or were corrected, in the order of arrival."""
        corrected = np.flatnonzero(changes.before >= 0)
        known = changes if not len(corrected) else changes.where(changes.before < 0)
        with self._lock:
            self._collected.append(known)
            self._count += len(known)
            if len(corrected) or self._count >= _COLLECTED:
                self._add_collected()
            for place in corrected.tolist():
                self._correct(changes, place)

    def _add_collected(self) -> None:
        collected, self._collected, self._count = self._collected, [], 0
        if collected:
            self._window.update_many(
                np.concatenate([some.after for some in collected]),
                np.concatenate([some.score for some in collected]),
                time=np.concatenate([some.time for some in collected]).view("datetime64[us]"),
            )

    def _correct(self, changes: LabelChanges, place: int) -> None:
        score, time = float(changes.score[place]), int(changes.time[place])
        if self._holds(time):
            moment = as_datetime(time)
            self._window.revert(bool(changes.before[place]), score, time=moment)
            if changes.after[place] >= 0:
                self._window.update(bool(changes.after[place]), score, time=moment)

    def advance(self, now: int) -> None:
        """Let events go that are too old."""
        with self._lock:
            self._add_collected()
            self._window.advance_to(as_datetime(now))

    def _holds(self, time: int) -> bool:
        now = self._window.now
        return now is not None and as_datetime(time) > now - self._duration  # type: ignore[operator]

    def read(self) -> dict[str, Any]:
        """AUC, interval and counts; no AUC without both classes."""
        with self._lock:
            self._add_collected()
            interval = self._window.interval()
        return {
            "auc": _finite(interval.value),
            "low": _finite(interval.low),
            "high": _finite(interval.high),
            "n_pos": interval.n_pos,
            "n_neg": interval.n_neg,
        }


@dataclass(frozen=True, kw_only=True)
class OpenAlarm:
    """An alarm of a change rule that has not been closed, and the blocks since the change.

    `reference_mean` is the mean AUC of the blocks of the reference, and `before` that of the alarm
    that this one took the place of, since it got worse.
    """

    alarm: Alarm
    blocks: tuple[Block, ...]
    reference_mean: float
    before: float | None

    @property
    def mean(self) -> float:
        """Mean AUC of the blocks since the change."""
        return float(np.mean([block.auc for block in self.blocks]))


class ChangeRule:
    """The change rule of a stream: blocks come in, alarms come out.

    While an alarm is open, a detector like that of the reference, with the mean of the alarm, looks
    for a further drop: an open alarm must not hide a worse one. So one detector of a stream is at
    work at any time, and the budget is that of one.

    Its state is a function of the blocks, and of the times at which someone re-based the stream or
    closed an alarm.

    Parameters
    ----------
    period : ReferencePeriod
        Blocks that are the reference.
    since : int or None
        Blocks from this time on count, if the stream was re-based.
    """

    def __init__(self, period: ReferencePeriod, since: int | None = None) -> None:
        self._period, self._since = period, since
        self.reference: list[Block] = []
        self.blocks: list[Block] = []  # after the reference
        self.detector: BlockEDetector | None = None
        self.alarm: OpenAlarm | None = None
        self._further: BlockEDetector | None = None  # of a drop below the mean of the alarm
        self._begun = 0  # place of the first block that the detector at work has seen
        self.ignored = 0  # blocks before the reference, or before the stream was re-based
        self.problem: str | None = None

    @property
    def missing(self) -> int:
        """Number of blocks that the reference lacks."""
        needed = FEWEST_BLOCKS if self._dated else self._period.first
        return max(0, needed - len(self.reference)) if self.detector is None else 0

    @property
    def _dated(self) -> bool:
        return self._period.start is not None and self._since is None

    @property
    def learning(self) -> bool:
        """Whether there is no detector yet."""
        return self.detector is None

    def add(self, block: Block) -> Alarm | None:
        """Add a block; return the alarm that it raises, also if it is worse than the open one."""
        if self._since is not None and block.since < self._since:
            self.ignored += 1
            return None
        if self.detector is None and not self._begins(block):
            return None
        detector = self.detector if self.alarm is None else self._further
        if self.detector is None:
            return None
        self.blocks.append(block)
        if detector is None:  # there is no room for a further drop
            return None
        detector.average_run_length = block.run_length
        alarm = detector.update_block(
            block.auc, time=as_datetime(block.until), since_time=as_datetime(block.since)
        )
        if alarm is not None:
            self._open(alarm, self.detector)
        return alarm

    def _open(self, alarm: Alarm, detector: BlockEDetector) -> None:
        opened = self.alarm = OpenAlarm(
            alarm=alarm,
            blocks=self._since_change(alarm),
            reference_mean=detector.reference_block_mean,
            before=None if self.alarm is None else self.alarm.mean,
        )
        self._begun = len(self.blocks)
        fall = opened.reference_mean - opened.mean
        lowered = np.clip([block.auc - fall for block in self.reference], 0, 1)
        self._further, _ = _detector(lowered, alarm.average_run_length)

    def _since_change(self, alarm: Alarm) -> tuple[Block, ...]:
        """The blocks since the most likely time of the change.

        For a mean that fell once from that of the reference, the likelihood is largest where the
        squared sum of the shortfalls since then, divided by their number, is. The detector's own
        estimate is where its best bet began to gain, which calm blocks before the change delay.
        """
        blocks = self.blocks[self._begun :]
        aucs = np.array([one.auc for one in blocks])
        number = np.arange(len(blocks), 0, -1)
        shortfall = np.cumsum((alarm.reference_block_mean - aucs)[::-1])[::-1]
        below = shortfall / number > alarm.reference_block_mean - alarm.bound
        start = int(np.argmax(np.where(below, shortfall * np.abs(shortfall) / number, -1.0)))
        return tuple(blocks[start:])

    def recovered(self) -> bool:
        """Whether the blocks since the alarm are back above the bound of the reference."""
        if self.alarm is None or self.detector is None:
            return False
        needed = max(_FEWEST_TO_CLOSE, len(self.alarm.blocks))
        recent = self.blocks[-needed:]
        return (
            len(recent) >= needed
            and float(np.mean([block.auc for block in recent])) >= self.detector.bounds[0]
        )

    def close(self) -> None:
        """Close the alarm, if one is open: the detector begins again."""
        if self.alarm is not None and self.detector is not None:
            self.alarm = self._further = None
            self.detector.reset()
            self._begun = len(self.blocks)

    def _begins(self, block: Block) -> bool:
        """Take a block into the reference; whether it is instead the first to be judged."""
        start, end = self._period.start, self._period.end
        if self._since is None and start is not None and end is not None:
            if block.until <= microseconds(end):
                if block.since >= microseconds(start):
                    self.reference.append(block)
                else:
                    self.ignored += 1
                return False
            if len(self.reference) >= FEWEST_BLOCKS:
                self._make_detector(block.run_length)
            self.ignored += self.detector is None
            return self.detector is not None
        self.reference.append(block)
        if len(self.reference) >= self._period.first:
            self._make_detector(block.run_length)
        return False

    def _make_detector(self, run_length: float) -> None:
        aucs = [block.auc for block in self.reference]
        self.detector, self.problem = _detector(aucs, run_length)

    def state(self) -> dict[str, Any]:
        """What the rule shows."""
        if self.detector is None:
            return {
                "state": "learning",
                "blocks": len(self.reference),
                "missing": self.missing,
                "problem": self.problem,
            }
        return {
            "state": "firing" if self.alarm is not None else "ok",
            "blocks": len(self.blocks),
            "reference_blocks": len(self.reference),
            "reference_mean": self.detector.reference_block_mean,
            "reference_since": min(block.since for block in self.reference),
            "reference_until": max(block.until for block in self.reference),
            "bound": self.detector.bounds[0],
            "statistic": self.detector.statistic,
            "threshold": self.detector.threshold,
            "condition": self.detector.condition,
        }


def _detector(aucs: npt.ArrayLike, run_length: float) -> tuple[BlockEDetector | None, str | None]:
    """A detector of a drop below these AUCs; none, and why, if there is no room for one."""
    try:
        reference = DriftReference.from_blocks(aucs)
        return BlockEDetector(reference, average_run_length=max(run_length, 2.0)), None
    except InputError as error:
        return None, str(error)


def could_notice(
    aucs: Sequence[float], drops: Sequence[float], *, run_length: float, most: int, seed: int = 0
) -> list[int | None]:
    """Number of blocks after which an e-detector finds each drop, in half of simulated streams.

    Parameters
    ----------
    aucs : sequence of float
        AUCs of the blocks of the reference. Streams are drawn from them, lowered by the drop.
    drops : sequence of float
        Drops of the mean AUC.
    run_length : float
        Average number of blocks to a false alarm.
    most : int
        Number of blocks after which to give up.
    seed : int
        Random state.

    Returns
    -------
    list of int or None
        None: not within `most` blocks.
    """
    detector = BlockEDetector(DriftReference.from_blocks(aucs), average_run_length=run_length)
    bound, ceiling = detector.bounds[0], detector.limits[1]
    rng = np.random.default_rng(seed)
    found: list[int | None] = []
    for drop in drops:
        drawn = np.clip(rng.choice(np.asarray(aucs), (_RUNS, most)) - drop, 0, ceiling)
        stakes = np.array(stakes_of("drop", bound, ceiling))
        crossed = _crossings(bound - drawn, stakes, detector.threshold)
        median = sorted(crossed.tolist())[_RUNS // 2]
        found.append(None if median >= most else median + 1)
    return found


def _crossings(
    gaps: npt.NDArray[np.float64], stakes: npt.NDArray[np.float64], threshold: float
) -> npt.NDArray[np.int64]:
    """Block, from 0, at which the evidence of each stream reaches a threshold."""
    evidence = np.zeros((len(gaps), len(stakes)))
    crossed = np.full(len(gaps), gaps.shape[1])
    for place in range(gaps.shape[1]):
        evidence = (1 + evidence) * (1 + stakes * gaps[:, [place]])
        reached = (evidence.mean(axis=1) >= threshold) & (crossed == gaps.shape[1])
        crossed[reached] = place
        if (crossed < gaps.shape[1]).all():
            break
    return crossed


def blocks_in_a_year(per_month: float) -> int:
    """Number of cohorts in a year, at most 2,000."""
    return min(2000, round(12 * per_month))


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
