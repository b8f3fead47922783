"""Alarm of a drift detector."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from roclab.formatting import plain_value
from roclab.result import Result

Direction = Literal["drop", "rise"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Alarm(Result):
    """A detected change of the mean AUC of blocks: the test, its result and its guarantee.

    A detector compares the AUCs of blocks with those of its reference, so that is what an alarm
    reports. For a drop, ``block_mean < bound <= reference_block_mean``; for a rise, the reverse.

    Attributes
    ----------
    detector : str
        Class of the detector.
    direction : {"drop", "rise"}
        Whether the mean AUC of blocks has decreased or increased.
    event, block : int
        The event, counted from 1, and the block that raised the alarm.
    since_event : int
        Estimated start of the change: the first event of the first block that contributes.
    n_blocks : int
        Number of blocks since then.
    block_mean, reference_block_mean : float
        Mean AUC of these blocks, and of the blocks of the reference.
    bound : float
        The mean that blocks were tested against: the confidence bound of the mean of the reference,
        minus (for a rise plus) the margin.
    difference : float
        `block_mean` minus `reference_block_mean`. The blocks were selected because their AUC is low
        (or high), so the difference is exaggerated; see the page on drift for how much.
    pooled_auc, reference_pooled_auc : float
        For information, not tested: the AUC over all pairs of events since the change, at most the
        last 20,000, and of the reference. If events depend on each other, it differs from the mean
        AUC of blocks and may even change in the other direction.
    n_pos, n_neg : int
        Number of positive and negative examples in `pooled_auc`.
    statistic, threshold : float
        Statistic of the detector, and the value at which it raises an alarm.
    average_run_length : float
        Average number of events to a false alarm that the detector is set up for.
    condition : str
        What this run length presupposes.
    time, since_time : object
        Times of `event` and `since_event`, if the detector received them.
    key : object
        Key of the stream, if its `StreamWatcher` has one.
    """

    detector: str
    direction: Direction
    event: int
    block: int
    since_event: int
    n_blocks: int
    block_mean: float
    reference_block_mean: float
    bound: float
    difference: float
    pooled_auc: float
    reference_pooled_auc: float
    n_pos: int
    n_neg: int
    statistic: float
    threshold: float
    average_run_length: float
    condition: str
    time: Any = None
    since_time: Any = None
    key: Any = None

    def to_dict(self) -> dict[str, Any]:
        """The fields as values that JSON has.

        Times are numbers or text in ISO 8601, with the offset from UTC if they have one. A key that
        is a UUID, a tuple or anything else that JSON lacks is text. Numbers that are not finite are
        None, such as the pooled AUC where a detector takes whole blocks.
        """
        given = {name: plain_value(getattr(self, name)) for name in ("time", "since_time", "key")}
        found = super().to_dict() | given
        return {name: _finite(value) for name, value in found.items()}

    def __repr__(self) -> str:
        return (
            f"Alarm({self.direction} at event {self.event:,}: mean AUC of blocks "
            f"{self.reference_block_mean:.3f} -> {self.block_mean:.3f} since event "
            f"{self.since_event:,}, statistic {self.statistic:.3g} >= {self.threshold:.3g})"
        )


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
