"""The change rule of the monitor on the blocks of simulated streams."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from roclab.monitor.settings import FEWEST_BLOCKS, ReferencePeriod
from roclab.monitor.store.records import Block
from roclab.monitor.streams import ChangeRule
from roclab.streaming.drift.e_detector import BlockEDetector, stakes_of
from roclab.streaming.drift.reference import DriftReference
from roclab_studies.monitor.fleets import LENGTHS, START, StreamBlocks


@dataclass(frozen=True)
class Policy:
    """Number of blocks of the reference, and how its bound is made: the defaults are the rule's.

    With a `ceiling`, larger AUCs count as the mean of the reference plus so many of its standard
    deviations, which is then the largest value that bets must allow for, instead of 1.
    """

    first: int = FEWEST_BLOCKS
    margin: float = 0.0
    confidence: float = 0.95
    ceiling: float = math.inf

    def seen(self, stream: StreamBlocks) -> tuple[StreamBlocks, float]:
        """The stream as shares of the ceiling, and the ceiling."""
        reference = stream.auc[: self.first]
        if len(reference) < self.first or math.isinf(self.ceiling):
            return stream, 1.0
        ceiling = min(1.0, float(reference.mean() + self.ceiling * reference.std(ddof=1)))
        return replace(stream, auc=np.minimum(stream.auc, ceiling) / ceiling), ceiling

    def detector(
        self, reference: DriftReference, run_length: float, ceiling: float = 1.0
    ) -> BlockEDetector:
        """The detector of a reference, whose AUCs are shares of the ceiling."""
        return BlockEDetector(
            reference,
            average_run_length=run_length,
            margin=self.margin / ceiling,
            reference_confidence=self.confidence,
        )


DEFAULT = Policy()


@dataclass(frozen=True)
class Told:
    """An alarm of a stream: the block that raised it, where the change is said to begin, and means.

    `block` and `since` are places among the blocks of the stream.
    """

    block: int
    since: int
    mean: float
    reference_mean: float


def told(
    stream: StreamBlocks,
    run_length: float,
    *,
    cohort: str = "day",
    policy: Policy = DEFAULT,
) -> list[Told]:
    """Alarms of the change rule on a stream, each ended when the stream recovers."""
    length = LENGTHS[cohort]
    stream, ceiling = policy.seen(stream)
    rule = ChangeRule(ReferencePeriod(first=policy.first))
    found = []
    for place, auc in enumerate(stream.auc.tolist()):
        begun, ended = (int(one[place]) for one in (stream.first, stream.last))
        block = Block(
            number=place,
            since=START + begun * length,
            until=START + (ended + 1) * length,
            cohorts=tuple(START + one * length for one in range(begun, ended + 1)),
            auc=auc,
            n_pos=0,
            n_neg=0,
            judged=START + (ended + 1) * length,
            run_length=run_length,
        )
        learning = rule.learning
        alarm = rule.add(block)
        if alarm is not None and rule.alarm is not None:
            since = rule.alarm.blocks[0].number
            means = [rule.alarm.mean, alarm.reference_block_mean]
            found.append(Told(place, since, *(ceiling * one for one in means)))
        elif rule.recovered():
            rule.close()
        if learning and not rule.learning and (policy.margin, policy.confidence) != (0.0, 0.95):
            reference = DriftReference.from_blocks([one.auc for one in rule.reference])
            rule.detector = policy.detector(reference, run_length, ceiling)
    return found


def may_alarm(
    streams: Sequence[StreamBlocks],
    run_length: float,
    policy: Policy = DEFAULT,
) -> list[bool]:
    """Whether the evidence of each stream ever reaches the threshold: others have no alarm.

    The same evidence as that of the rule, for all streams at once.
    """
    seen = [policy.seen(one) for one in streams]
    count, first = len(seen), policy.first
    longest = max(max(len(one.auc) - first for one, _ in seen), 0)
    aucs = np.full((count, longest), np.nan)
    bounds = np.full(count, 0.5)
    for place, (one, ceiling) in enumerate(seen):
        if len(one.auc) > first:
            reference = DriftReference.from_blocks(one.auc[:first])
            bounds[place] = policy.detector(reference, run_length, ceiling).bounds[0]
            aucs[place, : len(one.auc) - first] = one.auc[first:]
    stakes = np.array([stakes_of("drop", bound) for bound in bounds.tolist()])
    gaps = np.nan_to_num(bounds[:, None] - aucs, nan=-np.inf)
    evidence = np.zeros_like(stakes)
    reached = np.zeros(count, bool)
    for gap in gaps.T:
        here = np.isfinite(gap)
        evidence[here] = (1 + evidence[here]) * (1 + stakes[here] * gap[here, None])
        reached |= here & (evidence.mean(axis=1) >= run_length * (1 - 1e-9))
    return reached.tolist()
