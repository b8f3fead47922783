"""A sequential test whether the AUC of a stream is still that of a reference."""

from __future__ import annotations

import math

from roclab.errors import InputError
from roclab.options import check_between
from roclab.streaming.drift.alarm import Direction
from roclab.streaming.drift.blocks import Block
from roclab.streaming.drift.detector import BlockDetector, DriftAlternative, Finding
from roclab.streaming.drift.reference import Reference, reference_bounds

__all__ = ["BlockDriftTest"]

# Stakes, as shares of the largest that cannot lose all. Halving costs at most a fifth of the best
# rate of growth between two of them, and the mean over all of them is within a factor of seven of
# the best one.
_STAKES = (0.9, 0.5, 0.25, 0.125, 1 / 16, 1 / 32, 1 / 64)
_LEAST_LOSS = 1e-3


class BlockDriftTest(BlockDetector):
    """Whether the AUC of a stream has left that of a reference, tested after every block.

    The chance that a stream whose AUC stays at the reference's ever raises an alarm is `alpha` at
    most, however long it runs and however often one looks.

    Parameters
    ----------
    reference : Ranking, RangeSummary or float
        What the stream is compared with: a sample, whose own error is taken into account, or a
        known AUC.
    per_class : int, optional
        A block is complete with so many examples of each class; 5 if `events` is not given either.
        Few are best: large blocks do not raise the chance of false alarms, but find less.
    events : int, optional
        In its place: a block is complete with so many events, once both classes have come.
    alpha : float, default 0.05
        The chance of a false alarm, ever.
    alternative : {"less", "greater", "two-sided"}, default "less"
        What to look for: an AUC below that of the reference, above it, or both.
    margin : float, default 0
        A change that does not matter: alarms are about changes beyond it.

    Notes
    -----
    The statistic is an e-process: the capital of a gambler who bets, block by block, that the AUC
    is below a bound m. He starts with 1; a block with AUC x multiplies a stake by ``1 + b (m -
    x)``. While the AUC is m or more, no bet gains on average, so the chance that the capital ever
    reaches ``1 / a`` is ``a`` at most (Ville's inequality). It needs nothing but an AUC between 0
    and 1 whose expectation is the stream's: no variance, no normal distribution, no least size of
    blocks. The capital is spread over seven sizes of bets and over the block at which betting
    starts, block j with the share ``1 / log2(j + 1) - 1 / log2(j + 2)``, so that a change long
    after the start is found too.

    If the reference is a sample, m is the end of its one-sided interval (``method="auto"``) of
    error ``alpha / 2``, and the capital must reach ``2 / alpha``. So a small reference costs power,
    not false alarms. What is assumed is that events are independent and that the interval keeps
    its level.

    O(log n) for each event on average; memory for some 20,000 events at most, and for an
    unfinished block.

    References
    ----------
    I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting, JRSS B
    86 (2024) 1-27. J. Shin, A. Ramdas, A. Rinaldo, E-detectors, NEJSDS 2 (2024) 229-260.

    Examples
    --------
    >>> test = BlockDriftTest(0.9, per_class=1)
    >>> for label, score in [(0, 0.1), (1, 0.4), (0, 0.4), (1, 0.4)]:
    ...     alarm = test.update(label, score)
    >>> alarm, test
    (None, BlockDriftTest(reference AUC 0.900, 4 events, 2 blocks, statistic 1.2 of 20))
    >>> test.update_many([0, 1] * 3, [0.5, 0.4] * 3)
    (Alarm(drop at event 10: AUC 0.900 -> 0.125 since event 3, statistic 122 >= 20),)
    """

    def __init__(
        self,
        reference: Reference,
        *,
        per_class: int | None = None,
        events: int | None = None,
        alpha: float = 0.05,
        alternative: DriftAlternative = "less",
        margin: float = 0.0,
    ) -> None:
        super().__init__(reference, alternative, per_class, events)
        self._alpha = check_between(
            "alpha", alpha, 0, 1, fix="For one false alarm in twenty streams pass {alpha=}0.05."
        )
        self._reference_error = 0.0 if isinstance(self._reference, float) else self._alpha / 2
        margin = check_between(
            "margin",
            margin,
            0,
            1,
            fix="It is a difference of AUCs that does not matter.",
            or_low=True,
        )
        shared = self._reference_error / len(self._directions)
        low, high = reference_bounds(self._reference, shared)
        bounds = {"drop": low - margin, "rise": high + margin}
        self._sides = [_Side(direction, bounds[direction]) for direction in self._directions]

    @property
    def statistic(self) -> float:
        """The e-value: how many times the capital it began with the bettor has."""
        return sum(side.capital for side in self._sides) / len(self._sides)

    @property
    def threshold(self) -> float:
        """The e-value from which on there is an alarm."""
        return 1 / (self._alpha - self._reference_error)

    @property
    def alpha(self) -> float:
        """The chance of a false alarm, ever, at most."""
        return self._alpha

    @property
    def bounds(self) -> tuple[float, float]:
        """The AUC below and above which a stream is looked for; 0 or 1 for a side left out."""
        found = {side.direction: side.bound for side in self._sides}
        return found.get("drop", 0.0), found.get("rise", 1.0)

    def _step(self, block: Block) -> Finding | None:
        for side in self._sides:
            side.bet(block)
        if self.statistic < self.threshold:
            return None
        best = max(self._sides, key=lambda side: side.capital)
        return Finding(best.direction, self.statistic, best.since_event(block))

    def _begin_anew(self) -> None:
        for side in self._sides:
            side.begin()

    def _claims(self, statistic: float) -> dict[str, float]:
        return {
            "pvalue": min(1.0, self._reference_error + 1 / statistic),
            "alpha": self._alpha,
        }


class _Side:
    """The bets that the AUC is below a bound, or above it."""

    def __init__(self, direction: Direction, bound: float) -> None:
        if not 0 < bound < 1:
            raise InputError(
                f"The reference and the margin leave {bound:.3g} as the bound beyond which a "
                f"{direction} is looked for; it must lie between 0 and 1. Take a smaller margin or "
                f"a longer reference, or do not look for a {direction}: see alternative."
            )
        self.direction, self.bound = direction, bound
        self._sign = 1.0 if direction == "drop" else -1.0
        loss = max(1 - bound if direction == "drop" else bound, _LEAST_LOSS)
        self._stakes = [self._sign * share / loss for share in _STAKES]
        self.begin()

    def begin(self) -> None:
        """Take back the capital 1, none of it staked."""
        self._blocks = 0
        self._reserve = 1.0
        self._capitals = [0.0] * len(_STAKES)
        self._growths = [1.0] * len(_STAKES)
        self._since = [0] * len(_STAKES)

    def bet(self, block: Block) -> None:
        """Stake a further share of the reserve, and let a block decide."""
        self._blocks += 1
        reserve = 1 / math.log2(self._blocks + 2)
        share = self._reserve - reserve
        self._reserve = reserve
        gap = self.bound - block.auc
        capitals, growths = self._capitals, self._growths
        for place, stake in enumerate(self._stakes):
            factor = 1 + stake * gap
            capitals[place] = (capitals[place] + share) * factor
            # A CUSUM in products, which knows since when a bet has been gaining.
            if growths[place] <= 1:
                growths[place], self._since[place] = 1.0, block.first_event
            growths[place] *= factor

    @property
    def capital(self) -> float:
        """What the bettor has now."""
        return sum(self._capitals) / len(_STAKES) + self._reserve

    def since_event(self, last: Block) -> int:
        """The event since which the best of the bets has been gaining."""
        best = max(range(len(_STAKES)), key=self._capitals.__getitem__)
        return self._since[best] if self._growths[best] > 1 else last.first_event
