"""What a detector says when the AUC of a stream has changed."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass
from typing import Any, Literal

from roclab.errors import InputError
from roclab.inference.auc import unwarned_interval
from roclab.inference.comparison import compare_independent_auc, compare_to_value
from roclab.inference.decision import AUCComparison
from roclab.ranking import Ranking
from roclab.summary import RangeSummary

__all__ = [
    "Alarm",
    "Direction",
    "Reference",
    "checked_reference",
    "difference_to",
    "reference_auc",
    "reference_bounds",
]

Direction = Literal["drop", "rise"]
Reference = Ranking | RangeSummary | float


@dataclass(frozen=True, kw_only=True, repr=False)
class Alarm:
    """A change of the AUC: when, how large, how sure.

    Attributes
    ----------
    detector : str
        The detector's class.
    direction : {"drop", "rise"}
        Whether the AUC has fallen or risen.
    event, block : int
        The event, counted from 1, and the block that raised the alarm.
    since_event : int
        Where the change seems to have begun: the first event of the first block that counts.
    reference_auc, auc : float
        The AUC of the reference, and that of the events since `since_event`.
    difference, low, high : float
        The second less the first, with its interval. The events were chosen because their AUC is
        low (or high), so the difference is exaggerated and the interval too optimistic; see the
        page on drift for how much.
    confidence_level : float
        Nominal level of the interval.
    n_pos, n_neg : int
        Positive and negative examples since `since_event`.
    statistic, threshold : float
        The detector's statistic, and the value from which on it raises an alarm.
    pvalue : float or None
        `BlockDriftTest`: the chance that an unchanged stream ever looks so much changed, at most.
    alpha : float or None
        `BlockDriftTest`: the chance of a false alarm, ever, at most.
    average_run_length : float or None
        `BlockCUSUM`: events between false alarms, on average.
    """

    detector: str
    direction: Direction
    event: int
    block: int
    since_event: int
    reference_auc: float
    auc: float
    difference: float
    low: float
    high: float
    confidence_level: float
    n_pos: int
    n_neg: int
    statistic: float
    threshold: float
    pvalue: float | None = None
    alpha: float | None = None
    average_run_length: float | None = None

    @property
    def sentence(self) -> str:
        """All of it in plain words."""
        verb = "fallen" if self.direction == "drop" else "risen"
        sure = f"statistic {self.statistic:.3g}, alarm from {self.threshold:.3g} on"
        if self.alpha is not None:
            sure = f"evidence {self.statistic:.3g} to 1, alarm from {self.threshold:.3g} on"
            sure += f"; chance of a false alarm, ever: {self.alpha:.3g} at most"
        if self.average_run_length is not None:
            sure += f"; a false alarm every {self.average_run_length:,.0f} events on average"
        return (
            f"AUC has {verb} from {self.reference_auc:.3f} to {self.auc:.3f} since event "
            f"{self.since_event:,} (difference {self.difference:+.3f} [{self.low:.3f}, "
            f"{self.high:.3f}]), seen at event {self.event:,}: {sure}."
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return asdict(self)

    def __repr__(self) -> str:
        return (
            f"Alarm({self.direction} at event {self.event:,}: AUC {self.reference_auc:.3f} -> "
            f"{self.auc:.3f} since event {self.since_event:,}, statistic {self.statistic:.3g} >= "
            f"{self.threshold:.3g})"
        )


def checked_reference(reference: Any) -> Reference:
    """What users pass as reference, if it has an AUC between 0 and 1."""
    if isinstance(reference, Ranking | RangeSummary):
        if not (reference.n_pos and reference.n_neg):
            raise InputError(
                f"The reference has {reference.n_pos:,} positive and {reference.n_neg:,} negative "
                "examples; its AUC needs both classes. Take a longer one."
            )
        return reference
    if isinstance(reference, int | float) and not isinstance(reference, bool):
        if 0 < reference < 1:
            return float(reference)
        raise InputError(f"The reference is {reference!r}, and no AUC between 0 and 1.")
    raise InputError(
        f"A {type(reference).__name__} arrived as reference; a Ranking, a RangeSummary or a known "
        "AUC is needed. Make one with Ranking(y_true, y_score)."
    )


def reference_auc(reference: Reference) -> float:
    """The AUC of a reference."""
    if isinstance(reference, float):
        return reference
    return (reference.summary if isinstance(reference, Ranking) else reference).auc


def reference_bounds(reference: Reference, error: float) -> tuple[float, float]:
    """Below and above which the true AUC of the reference lies with this probability each."""
    if isinstance(reference, float):
        return reference, reference
    low, high = (
        unwarned_interval(reference, confidence_level=1 - error, alternative=alternative)
        for alternative in ("greater", "less")
    )
    return low.low, high.high


def difference_to(reference: Reference, current: Ranking) -> AUCComparison:
    """The AUC now less that of the reference, without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if isinstance(reference, float):
            return compare_to_value(current, value=reference)
        return compare_independent_auc(current, reference)
