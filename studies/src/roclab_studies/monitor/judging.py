"""The change rule of the monitor on the blocks of simulated streams."""

from __future__ import annotations

from dataclasses import dataclass

from roclab.monitor.settings import ModelSettings, ReferencePeriod
from roclab.monitor.store.records import Block
from roclab.monitor.streams import ChangeRule
from roclab.streaming.drift.e_detector import BlockEDetector
from roclab.streaming.drift.reference import DriftReference
from roclab_studies.monitor.fleets import LENGTHS, START, StreamBlocks


class _AnyAUC(DriftReference):
    """A reference after which an AUC of 1 counts as 1."""

    def _limits(self) -> tuple[float, float]:
        return 0.0, 1.0


class FormerRule(ChangeRule):
    """The change rule before AUCs far above the reference counted as less."""

    def _make_detector(self, run_length: float) -> None:
        reference = _AnyAUC.from_blocks([block.auc for block in self.reference])
        self.detector = BlockEDetector(reference, average_run_length=run_length)


# The rule, and the number of blocks of its reference, if that is not the default of the monitor.
METHODS: dict[str, tuple[type[ChangeRule], int | None]] = {
    "default": (ChangeRule, None),
    "no ceiling": (FormerRule, None),
    "first 30": (ChangeRule, 30),
    "first 90": (ChangeRule, 90),
    "first 365": (ChangeRule, 365),
}


def reference_blocks(method: str, cohort: str) -> int:
    """Number of blocks of the reference."""
    first = METHODS[method][1]
    return first or ModelSettings(cohort=cohort).reference_period.first  # type: ignore[arg-type]


@dataclass(frozen=True)
class Told:
    """An alarm of a stream: the block that raised it, where the change is said to begin, and means.

    `block` and `since` are places among the blocks of the stream. `worse` is true if another alarm
    was open, which this one replaces.
    """

    block: int
    since: int
    mean: float
    reference_mean: float
    worse: bool


@dataclass(frozen=True)
class Judged:
    """What a rule says of a stream: its alarms, and the bound of its detector, if it has one."""

    alarms: list[Told]
    bound: float | None


def judged(
    stream: StreamBlocks, run_length: float, *, cohort: str = "day", method: str = "default"
) -> Judged:
    """Judge a stream; each alarm ends when the stream recovers, or when a worse one comes."""
    length = LENGTHS[cohort]
    rule = METHODS[method][0](ReferencePeriod(first=reference_blocks(method, cohort)))
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
        alarm = rule.add(block)
        if alarm is not None and rule.alarm is not None:
            opened = rule.alarm
            since = opened.blocks[0].number
            worse = opened.before is not None
            found.append(Told(place, since, opened.mean, opened.reference_mean, worse))
        elif rule.recovered():
            rule.close()
    return Judged(found, None if rule.detector is None else rule.detector.bounds[0])
