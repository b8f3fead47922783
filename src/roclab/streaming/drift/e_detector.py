"""E-detector: evidence of a change of the mean AUC of blocks, with a guaranteed run length."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from roclab.checks.choices import DriftAlternative
from roclab.checks.options import check_between
from roclab.streaming.drift.alarm import Direction
from roclab.streaming.drift.blocks import Block, BlockRun
from roclab.streaming.drift.detector import (
    BlockDetector,
    Finding,
    check_directions,
    checked_bound,
    checked_error,
    checked_number,
    checked_run_length,
    directions_of,
)
from roclab.streaming.drift.reference import Reference, baseline_of

# Stakes, as fractions of the largest that cannot lose everything. Halving costs at most a fifth of
# the best growth rate between two of them, and their mean is within a factor of seven of the best.
_STAKES = (0.9, 0.5, 0.25, 0.125, 1 / 16, 1 / 32, 1 / 64)
_LEAST_LOSS = 1e-3


class BlockEDetector(BlockDetector):
    """E-detector: betting evidence that the mean AUC of blocks is below that of a reference.

    While the expected AUC of each block, given all blocks before it, is at least the bound m, the
    average number of events to an alarm is at least `average_run_length`: by construction, for any
    distribution of the AUCs, without simulation.

    Parameters
    ----------
    reference : DriftReference, Ranking, RangeSummary or float
        Reference, before any change. A `DriftReference` holds events in their order. A sample, its
        summary or a known AUC is enough only if all events are independent.
    average_run_length : float, default 1,000,000
        Least average number of events to a false alarm, at the length of blocks in the reference.
    alternative : {"less", "greater", "two-sided"}, default "less"
        Alternative hypothesis. ``"less"``: the mean AUC of blocks is below that of the reference;
        ``"greater"``: above it; ``"two-sided"``: either.
    margin : float, default 0
        Irrelevant change: only larger changes raise alarms.
    reference_confidence : float, default 0.95
        Confidence that the mean before any change is at least m, since the reference is a sample.
    per_class, events : int, optional
        Without a `DriftReference`: number of examples of each class that complete a block, 5 by
        default, or number of events that complete it, once it has both classes.

    Notes
    -----
    The bound m is the one-sided confidence bound of the mean AUC of the blocks of the reference,
    minus `margin`. A block with AUC x changes the evidence R of each of seven bets to ``(1 + R) (1
    + b (m - x))``, where b is at most ``1 / (1 - m)``; the statistic is their mean. Under the
    condition, R minus the number of blocks does not increase on average, so the average number of
    blocks until the statistic reaches A is at least A.

    Whole blocks, such as days, are long, and their AUCs spread over a few hundredths. If bets had
    to allow for an AUC of 1, they would be timid. So AUCs beyond the mean of the reference by two
    standard deviations count as this value c, in the reference and later, and b is at most ``1 / (c
    - m)``. The condition is then about AUCs so counted.

    The condition is about expectations given the past. Uncorrelated blocks do not imply it: if the
    AUC varies slowly around its mean, there are more false alarms.

    O(log n) for each event on average; memory for about 20,000 events at most, and for an
    incomplete block.

    References
    ----------
    J. Shin, A. Ramdas, A. Rinaldo, E-detectors: a nonparametric framework for sequential change
    detection, NEJSDS 2 (2024) 229-260. I. Waudby-Smith and A. Ramdas, Estimating means of bounded
    random variables by betting, JRSS B 86 (2024) 1-27.

    Examples
    --------
    >>> detector = BlockEDetector(0.9, per_class=1, average_run_length=100)
    >>> for label, score in [(0, 0.1), (1, 0.4), (0, 0.4), (1, 0.4)]:
    ...     alarm = detector.update(label, score)
    >>> alarm, detector
    (None, BlockEDetector(reference 0.900, 4 events, 2 blocks, statistic 3.23 of 50))
    >>> detector.update_many([0, 1] * 2, [0.5, 0.4] * 2)
    (Alarm(drop at event 8: mean AUC of blocks 0.900 -> 0.167 since event 3, statistic 111 >= 50),)
    """

    _kind: ClassVar = b"BE"

    def __init__(
        self,
        reference: Reference,
        *,
        average_run_length: float = 1_000_000,
        alternative: DriftAlternative = "less",
        margin: float = 0.0,
        reference_confidence: float = 0.95,
        per_class: int | None = None,
        events: int | None = None,
    ) -> None:
        directions = directions_of(alternative)
        error = checked_error(reference_confidence, len(directions))
        run_length = checked_run_length(average_run_length)
        margin = check_between(
            "margin",
            margin,
            0,
            1,
            fix="It is a difference of AUCs that is irrelevant.",
            or_low=True,
        )
        baseline = baseline_of(reference, error, per_class, events, limited=True)
        super().__init__(baseline, run_length)
        bounds = {"drop": baseline.low - margin, "rise": baseline.high + margin}
        floor, ceiling = baseline.limits
        limits = {"drop": ceiling, "rise": floor}
        self._sides = [
            _Side(one, checked_bound(one, bounds[one]), limits[one]) for one in directions
        ]

    @property
    def statistic(self) -> float:
        """The evidence."""
        return sum(side.evidence for side in self._sides) / len(self._sides)

    @property
    def threshold(self) -> float:
        """Evidence that raises an alarm: lower bound of the average blocks to a false alarm."""
        return max(1.0, self._run_length / self._block_events)

    @property
    def average_run_length(self) -> float:
        """Average number of events to a false alarm, under `condition`; of blocks, if whole.

        It may be set while the detector runs: evidence does not depend on it. The average run
        length is then at least the least value that it had.
        """
        return self._run_length

    @average_run_length.setter
    def average_run_length(self, average_run_length: float) -> None:
        self._run_length = checked_run_length(average_run_length)

    @property
    def bounds(self) -> tuple[float, float]:
        """Mean AUCs of blocks below and above which a change is tested for; 0 or 1 for neither."""
        found = {side.direction: side.bound for side in self._sides}
        return found.get("drop", 0.0), found.get("rise", 1.0)

    @property
    def limits(self) -> tuple[float, float]:
        """Floor and ceiling: AUCs of blocks beyond them count as these values; 0 or 1 for none."""
        found = {side.direction: side.limit for side in self._sides}
        return found.get("rise", 0.0), found.get("drop", 1.0)

    def _promise(self) -> str:
        words = {"drop": ("at least", "most"), "rise": ("at most", "least")}
        each = []
        for side in self._sides:
            word, counted = words[side.direction]
            limited = 0 < side.limit < 1
            counting = f" (counted as at {counted} {side.limit:.4g})" if limited else ""
            each.append(f"{word} {side.bound:.4g}{counting}")
        return f"the expected AUC of each block, given the past, is {' and '.join(each)}"

    def _step(self, block: Block) -> Finding | None:
        for side in self._sides:
            side.bet(block)
        if self.statistic < self.threshold:
            return None
        best = max(self._sides, key=lambda side: side.evidence)
        run = best.run_beyond()
        return None if run is None else Finding(best.direction, best.bound, self.statistic, run)

    def _reset_statistic(self) -> None:
        for side in self._sides:
            side.begin()

    def _statistic_state(self) -> list[Any]:
        return [[one.direction, one.bound, one.limit, one.state()] for one in self._sides]

    def _restore_statistic(self, state: list[Any]) -> None:
        self._sides = []
        for direction, bound, limit, bets in state:
            checked = checked_bound(direction, checked_number(bound, 0, 1))
            side = _Side(direction, checked, checked_number(limit, 0, 1))
            side.restore(bets)
            self._sides.append(side)
        check_directions([side.direction for side in self._sides])


def stakes_of(direction: Direction, bound: float, limit: float) -> list[float]:
    """Factors of the difference between bound and AUC by which the bets of a side grow.

    No AUC is farther from the bound than the limit, so that no bet loses everything.
    """
    sign = 1.0 if direction == "drop" else -1.0
    return [sign * share / max(sign * (limit - bound), _LEAST_LOSS) for share in _STAKES]


class _Side:
    """Bets that the mean AUC of blocks is below a bound, or above it.

    AUCs beyond the limit, on the other side of the bound, count as the limit.
    """

    def __init__(self, direction: Direction, bound: float, limit: float) -> None:
        self.direction, self.bound, self.limit = direction, bound, limit
        self._sign = 1.0 if direction == "drop" else -1.0
        self._stakes = stakes_of(direction, bound, limit)
        self.begin()

    def begin(self) -> None:
        """Reset the evidence to 0."""
        self._evidence = [0.0] * len(_STAKES)
        self._growths = [1.0] * len(_STAKES)
        self._runs = [BlockRun() for _ in _STAKES]

    def bet(self, block: Block) -> None:
        """Update the evidence of all bets by a block."""
        counted = (min if self._sign > 0 else max)(block.auc, self.limit)
        gap = self.bound - counted
        for place, stake in enumerate(self._stakes):
            factor = 1 + stake * gap
            self._evidence[place] = (1 + self._evidence[place]) * factor
            # A multiplicative CUSUM, for the blocks in which a bet has been gaining.
            if self._growths[place] <= 1:
                self._growths[place] = 1.0
                self._runs[place].begin(block)
            self._growths[place] *= factor
            self._runs[place].add(block)

    @property
    def evidence(self) -> float:
        """Mean evidence of the bets."""
        return sum(self._evidence) / len(_STAKES)

    def run_beyond(self) -> BlockRun | None:
        """Return the blocks in which the best bet has been gaining, if their mean shows it.

        A product of factors above 1 has a positive sum of gaps, so it does, but for rounding. If no
        bet has been gaining, the evidence has grown by the mere number of blocks: no alarm.
        """
        best = max(range(len(_STAKES)), key=self._evidence.__getitem__)
        run = self._runs[best]
        beyond = self._sign * (self.bound - run.mean) > 0
        return run if beyond and self._growths[best] > 1 else None

    def state(self) -> list[Any]:
        """Return the evidence, the growth and the run of each bet."""
        runs = [run.state() for run in self._runs]
        return [self._evidence, self._growths, runs]

    def restore(self, state: list[Any]) -> None:
        """Continue from the result of `state`."""
        evidence, growths, runs = state
        self._evidence = [checked_number(one, 0, math.inf) for one in evidence]
        self._growths = [checked_number(one, 0, math.inf) for one in growths]
        for run, one in zip(self._runs, runs, strict=True):
            run.restore(one)
        if not len(self._evidence) == len(self._growths) == len(_STAKES):
            raise ValueError("its bets are not these")
