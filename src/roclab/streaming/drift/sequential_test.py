"""Sequential test of whether the AUC of a stream equals that of a reference."""

from __future__ import annotations

import math

from roclab.choices import DriftAlternative
from roclab.errors import InputError
from roclab.options import check_between
from roclab.streaming.drift.alarm import Direction
from roclab.streaming.drift.blocks import Block
from roclab.streaming.drift.detector import BlockDetector, Finding
from roclab.streaming.drift.reference import Reference, reference_bounds

# Stakes, as fractions of the largest that cannot lose everything. Halving costs at most a fifth of
# the best growth rate between two of them, and their mean is within a factor of seven of the best.
_STAKES = (0.9, 0.5, 0.25, 0.125, 1 / 16, 1 / 32, 1 / 64)
_LEAST_LOSS = 1e-3


class BlockDriftTest(BlockDetector):
    """Sequential test of whether the AUC of a stream has changed from that of a reference.

    The probability that a stream whose AUC equals that of the reference ever raises an alarm is at
    most `alpha`, however long it runs and however often it is tested.

    Parameters
    ----------
    reference : Ranking, RangeSummary or float
        Reference: a sample, whose sampling error is taken into account, or a known AUC.
    per_class : int, optional
        Number of examples of each class that complete a block; 5 without `events`. Small blocks
        are best: large ones do not raise the probability of false alarms, but reduce power.
    events : int, optional
        Instead of `per_class`: number of events that complete a block, once it has both classes.
    alpha : float, default 0.05
        Probability of a false alarm, ever.
    alternative : {"less", "greater", "two-sided"}, default "less"
        Alternative hypothesis: an AUC below that of the reference, above it, or both.
    margin : float, default 0
        Irrelevant change: only larger changes raise alarms.

    Notes
    -----
    The statistic is an e-process: the capital of a gambler who bets, block by block, that the AUC
    is below a bound m. The initial capital is 1; a block with AUC x multiplies a stake by ``1 + b
    (m - x)``. While the AUC is m or more, no bet gains on average, so the probability that the
    capital ever reaches ``1 / a`` is at most ``a`` (Ville's inequality). The only assumption is an
    AUC between 0 and 1 whose expectation is that of the stream: no variance, no normal
    distribution, no minimum size of blocks. The capital is divided among seven sizes of bets and
    among the blocks at which betting starts, block j with the share ``1 / log2(j + 1) - 1 /
    log2(j + 2)``, so that a change long after the start is detected, too.

    If the reference is a sample, m is the bound of its one-sided interval (``method="auto"``) with
    error ``alpha / 2``, and the capital must reach ``2 / alpha``. So a small reference costs power,
    not false alarms. The test assumes independent events and that the interval has its nominal
    coverage.

    O(log n) for each event on average; memory for about 20,000 events at most, and for an
    incomplete block.

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
            fix="It is a difference of AUCs that is irrelevant.",
            or_low=True,
        )
        shared = self._reference_error / len(self._directions)
        low, high = reference_bounds(self._reference, shared)
        bounds = {"drop": low - margin, "rise": high + margin}
        self._sides = [_Side(direction, bounds[direction]) for direction in self._directions]

    @property
    def statistic(self) -> float:
        """The e-value: the capital of the gambler as a multiple of the initial capital."""
        return sum(side.capital for side in self._sides) / len(self._sides)

    @property
    def threshold(self) -> float:
        """The e-value at which an alarm is raised."""
        return 1 / (self._alpha - self._reference_error)

    @property
    def alpha(self) -> float:
        """Upper bound of the probability of a false alarm, ever."""
        return self._alpha

    @property
    def bounds(self) -> tuple[float, float]:
        """AUCs below and above which a change is tested for; 0 or 1 for a side not tested."""
        found = {side.direction: side.bound for side in self._sides}
        return found.get("drop", 0.0), found.get("rise", 1.0)

    def _step(self, block: Block) -> Finding | None:
        for side in self._sides:
            side.bet(block)
        if self.statistic < self.threshold:
            return None
        best = max(self._sides, key=lambda side: side.capital)
        return Finding(best.direction, self.statistic, best.since_event(block))

    def _reset_statistic(self) -> None:
        for side in self._sides:
            side.begin()

    def _claims(self, statistic: float) -> dict[str, float]:
        return {
            "pvalue": min(1.0, self._reference_error + 1 / statistic),
            "alpha": self._alpha,
        }


class _Side:
    """Bets that the AUC is below a bound, or above it."""

    def __init__(self, direction: Direction, bound: float) -> None:
        if not 0 < bound < 1:
            raise InputError(
                found="{reference} and {margin} give the bound {bound} for a {direction} of the "
                "AUC",
                needed="it must lie between 0 and 1",
                fix="Use a smaller {margin}, a longer {reference}, or another {alternative} that "
                "does not test for a {direction}.",
                bound=f"{bound:.3g}",
                direction=direction,
            )
        self.direction, self.bound = direction, bound
        self._sign = 1.0 if direction == "drop" else -1.0
        loss = max(1 - bound if direction == "drop" else bound, _LEAST_LOSS)
        self._stakes = [self._sign * share / loss for share in _STAKES]
        self.begin()

    def begin(self) -> None:
        """Reset the capital to 1, none of it staked."""
        self._blocks = 0
        self._reserve = 1.0
        self._capitals = [0.0] * len(_STAKES)
        self._growths = [1.0] * len(_STAKES)
        self._since = [0] * len(_STAKES)

    def bet(self, block: Block) -> None:
        """Stake a further share of the reserve, and update the capital by a block."""
        self._blocks += 1
        reserve = 1 / math.log2(self._blocks + 2)
        share = self._reserve - reserve
        self._reserve = reserve
        gap = self.bound - block.auc
        capitals, growths = self._capitals, self._growths
        for place, stake in enumerate(self._stakes):
            factor = 1 + stake * gap
            capitals[place] = (capitals[place] + share) * factor
            # A multiplicative CUSUM, for the event since which a bet has been gaining.
            if growths[place] <= 1:
                growths[place], self._since[place] = 1.0, block.first_event
            growths[place] *= factor

    @property
    def capital(self) -> float:
        """Current capital."""
        return sum(self._capitals) / len(_STAKES) + self._reserve

    def since_event(self, last: Block) -> int:
        """Return the event since which the best bet has been gaining."""
        best = max(range(len(_STAKES)), key=self._capitals.__getitem__)
        return self._since[best] if self._growths[best] > 1 else last.first_event
