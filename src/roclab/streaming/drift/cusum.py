"""CUSUM chart of the AUC of blocks, with a given average run length."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.choices import DriftAlternative
from roclab.errors import InputError
from roclab.options import RandomState, check_between, seed_of
from roclab.ranking import Ranking
from roclab.streaming.drift.alarm import Direction
from roclab.streaming.drift.blocks import Block, BlockRule
from roclab.streaming.drift.detector import BlockDetector, Finding
from roclab.streaming.drift.reference import reference_bounds

_MOST_BLOCKS = 50_000
_FEWEST_BLOCKS = 2_000
_MOST_EVENTS = 5_000_000
_STATES = (200, 1000)  # at least and at most


class BlockCUSUM(BlockDetector):
    """CUSUM chart: the cumulative shortfall of the AUC of blocks below a reference, at least 0.

    Faster than `BlockDriftTest` on changes of the size it is designed for, with a weaker guarantee:
    false alarms do occur, on average `average_run_length` events apart.

    Parameters
    ----------
    reference : Ranking
        A sample of the stream before any change. Blocks are drawn from it to find the threshold,
        so its examples are needed, and its class proportions should be those of the stream.
    drop : float, default 0.05
        Change of the AUC to detect fastest, up or down as `alternative` says.
    average_run_length : float, default 1,000,000
        Average number of events between false alarms.
    per_class, events : int, optional
        End of a block, as for `BlockDriftTest`.
    alternative : {"less", "greater", "two-sided"}, default "less"
        Alternative hypothesis. Each of two sides has twice the average run length.
    reference_confidence : float, default 0.9
        Confidence that the average run length is at least as stated, since the reference is a
        sample: the chart uses the one-sided confidence bound of its AUC. With 0.5 it uses the AUC
        itself; half of all references are then too high, and lead to more false alarms than
        stated, often many more.
    rng : None, int or numpy Generator, default 0
        Random state of the blocks drawn from the reference.

    Notes
    -----
    After a block with AUC x the statistic is ``S = max(0, S + m - drop / 2 - x)``, where m is the
    AUC of the reference, or its bound; an alarm is raised when it reaches the threshold. At this
    threshold, blocks drawn from the reference have the average run length, by the equations of
    Brook and Evans on a grid of states. Creating the detector takes about a second; each event is
    O(log n) on average.

    References
    ----------
    E. S. Page, Biometrika 41 (1954) 100-115. D. Brook and D. A. Evans, Biometrika 59 (1972)
    539-549. A. Gandy and J. T. Kvaloy, Scandinavian Journal of Statistics 40 (2013) 647-668.

    Examples
    --------
    >>> reference = Ranking([0, 1, 0, 1] * 100, [0.1, 0.4, 0.4, 0.8] * 100)
    >>> chart = BlockCUSUM(reference, average_run_length=10_000)
    >>> for label, score in [(0, 0.1), (1, 0.4), (0, 0.4), (1, 0.8)]:
    ...     alarm = chart.update(label, score)
    >>> alarm is None
    True
    >>> alarms = chart.update_many([0, 1] * 50, [0.4, 0.4] * 50)
    >>> alarms[0].direction, alarms[0].average_run_length
    ('drop', 10000.0)
    """

    def __init__(
        self,
        reference: Ranking,
        *,
        drop: float = 0.05,
        average_run_length: float = 1_000_000,
        per_class: int | None = None,
        events: int | None = None,
        alternative: DriftAlternative = "less",
        reference_confidence: float = 0.9,
        rng: RandomState = 0,
    ) -> None:
        if not isinstance(reference, Ranking):
            raise InputError(
                found="{reference} is a {kind}",
                needed="BlockCUSUM draws blocks from the examples of a Ranking",
                fix="Pass a Ranking, or use BlockDriftTest.",
                kind=type(reference).__name__,
            )
        super().__init__(reference, alternative, per_class, events)
        self._drop = check_between("drop", drop, 0, 1, fix="For a loss of 0.05 pass {drop=}0.05.")
        self._run_length = check_between(
            "average_run_length",
            average_run_length,
            1,
            1e15,
            fix="For one false alarm in a million events pass {average_run_length=}1000000.",
        )
        confidence = check_between(
            "reference_confidence",
            reference_confidence,
            0.5,
            1,
            fix="Pass 0.9, or 0.5 for the AUC of the reference itself.",
            or_low=True,
        )
        low = high = reference.summary.auc
        if confidence > 0.5:
            low, high = reference_bounds(reference, (1 - confidence) / len(self._directions))
        drawn, block_events = _drawn_blocks(reference, self._rule, seed_of(rng))
        blocks = self._run_length * len(self._directions) / block_events
        self._sides = []
        for direction in self._directions:
            sign, bound = (1.0, low) if direction == "drop" else (-1.0, high)
            steps = -sign * drawn - self._drop / 2
            self._sides.append(_Side(direction, bound, self._drop, _threshold(steps, blocks)))

    @property
    def statistic(self) -> float:
        """The larger cumulative sum, each divided by its threshold."""
        return max(side.sum / side.threshold for side in self._sides)

    @property
    def threshold(self) -> float:
        """Always 1, since the statistic is in units of the threshold."""
        return 1.0

    @property
    def average_run_length(self) -> float:
        """Average number of events between false alarms."""
        return self._run_length

    @property
    def limits(self) -> dict[Direction, float]:
        """Cumulative sum, in units of AUC, at which each side raises an alarm."""
        return {side.direction: side.threshold for side in self._sides}

    def _step(self, block: Block) -> Finding | None:
        for side in self._sides:
            side.add(block)
        best = max(self._sides, key=lambda side: side.sum / side.threshold)
        if best.sum < best.threshold:
            return None
        return Finding(best.direction, best.sum / best.threshold, best.since_event)

    def _reset_statistic(self) -> None:
        for side in self._sides:
            side.sum = 0.0

    def _claims(self, statistic: float) -> dict[str, float]:  # noqa: ARG002
        return {"average_run_length": self._run_length}


class _Side:
    """Cumulative sum of shortfalls below, or of excesses above."""

    def __init__(self, direction: Direction, bound: float, drop: float, threshold: float) -> None:
        self.direction, self.threshold = direction, threshold
        self._sign = 1.0 if direction == "drop" else -1.0
        self._level = bound - self._sign * drop / 2
        self.sum = 0.0
        self.since_event = 0

    def add(self, block: Block) -> None:
        """Update the sum by one block."""
        if self.sum <= 0:
            self.sum, self.since_event = 0.0, block.first_event
        self.sum = max(0.0, self.sum + self._sign * (self._level - block.auc))


def _drawn_blocks(
    reference: Ranking, rule: BlockRule, seed: int
) -> tuple[npt.NDArray[np.float64], float]:
    """Return centred AUCs of blocks drawn from a reference, and the mean size of a block.

    The expected AUC of a block is that of the reference. Subtracting the mean of the drawn blocks
    instead removes sampling error, on which the run length depends exponentially.
    """
    rng = np.random.default_rng(seed)
    mass = float(reference.pos.sum()), float(reference.neg.sum())
    rate = mass[0] / sum(mass)
    sizes = _block_sizes(rule, rate, rng)
    expected = float(sizes[:1000].sum(axis=1).mean())
    count = int(min(_MOST_BLOCKS, max(_FEWEST_BLOCKS, _MOST_EVENTS / expected)))
    sizes = sizes[:count]
    ends = sizes.cumsum(axis=0)
    pos = _drawn_places(reference.pos, int(ends[-1, 0]), rng)
    neg = _drawn_places(reference.neg, int(ends[-1, 1]), rng)
    values = np.empty(count)
    labels = np.zeros(int(sizes.sum(axis=1).max()), np.uint8)
    for block, (n_pos, n_neg) in enumerate(sizes.tolist()):
        last_pos, last_neg = ends[block]
        places = np.concatenate(
            [pos[last_pos - n_pos : last_pos], neg[last_neg - n_neg : last_neg]]
        )
        labels[:n_pos], labels[n_pos : n_pos + n_neg] = 1, 0
        values[block] = _core.count_pairs(labels[: n_pos + n_neg], places, False, 1).auc
    if values.min() == values.max():
        raise InputError(
            found="Blocks drawn from {reference} all have the AUC {value}, so that their variance "
            "is unknown",
            fix="Use a longer {reference}, or BlockDriftTest, the sequential test.",
            value=f"{values[0]:g}",
        )
    return values - values.mean(), float(sizes.sum(axis=1).mean())


def _block_sizes(rule: BlockRule, rate: float, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Draw the class counts of blocks of a stream with this proportion of positives."""
    least = rule.least
    pos = rng.binomial(rule.events, rate, _MOST_BLOCKS)
    neg = rule.events - pos
    # A block that lacks examples of a class continues until it has them.
    waits = {
        "pos": np.where(pos < least, rng.negative_binomial(np.maximum(least - pos, 1), rate), 0),
        "neg": np.where(
            neg < least, rng.negative_binomial(np.maximum(least - neg, 1), 1 - rate), 0
        ),
    }
    return np.stack(
        [np.maximum(pos, least) + waits["neg"], np.maximum(neg, least) + waits["pos"]], axis=1
    )


def _drawn_places(
    mass: npt.NDArray[Any], count: int, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Draw indices of distinct scores, with probabilities proportional to their examples."""
    upto = np.cumsum(mass, dtype=np.float64)
    drawn = np.searchsorted(upto, rng.random(count) * upto[-1], side="right")
    places: npt.NDArray[np.int64] = np.minimum(drawn, len(mass) - 1).astype(np.int64)
    return places


def _threshold(steps: npt.NDArray[np.float64], run_length: float) -> float:
    """Return the threshold at which a CUSUM of such steps has this average run length."""
    low = high = float(np.abs(steps).mean()) / 8
    while _average_run_length(steps, high) < run_length:
        low, high = high, 2 * high
    for _ in range(14):
        middle = (low + high) / 2
        short = _average_run_length(steps, middle) < run_length
        low, high = (middle, high) if short else (low, middle)
    return high


def _average_run_length(steps: npt.NDArray[np.float64], threshold: float) -> float:
    """Average number of blocks until an alarm: equation 4 of Brook and Evans."""
    if steps.max() <= 0:
        return np.inf
    states = int(np.clip(10 * threshold / steps.std(), *_STATES))
    width = 2 * threshold / (2 * states - 1)
    # From -states, which leads to 0 from every state, to states, which raises an alarm.
    exact = (steps / width).clip(-states, states) + states
    below = np.floor(exact).astype(np.int64)
    # A step between two grid points is divided between both, which keeps the mean of the steps.
    upper = exact - below
    places = 2 * states + 2
    masses = np.bincount(below, 1 - upper, places) + np.bincount(below + 1, upper, places)
    shares = masses / len(steps)
    state = np.arange(states)
    moves = shares[state[None, :] - state[:, None] + states]
    moves[:, 0] = shares.cumsum()[states - state]
    lengths = np.linalg.solve(np.eye(states) - moves, np.ones(states))
    return float(lengths[0]) if lengths[0] > 0 else np.inf
