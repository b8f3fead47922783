"""Reference of a drift detector: events in their own order, a sample, its summary or an AUC."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.options import check_between
from roclab.checks.vectors import as_vector
from roclab.data.ranking import Ranking
from roclab.data.summary import RangeSummary
from roclab.errors import InputError, ShortReferenceError
from roclab.inference.intervals.auc import unwarned_interval
from roclab.lazy import computed_once
from roclab.numeric.distributions import chi_squared_quantile, normal_quantile, student_quantile
from roclab.numeric.sums import dot
from roclab.streaming.drift.blocks import (
    WHOLE_BLOCKS,
    BlockCutter,
    BlockRule,
    checked_block_auc,
)
from roclab.streaming.events import checked_events

Floats = npt.NDArray[np.float64]

_FEWEST_BLOCKS = 30
_GROWTH = math.sqrt(2)
_QUANTILE = 0.975  # of errors of 95 %
_IRRELEVANT = 0.01  # difference of mean AUCs
_LIMIT = 2.0  # standard deviations from the mean, beyond which AUCs of whole blocks do not count


class DriftReference:
    """Reference events before any change, in their order, cut into blocks like the stream.

    Neighbouring events often resemble each other, in an hour, a batch or a region. Then the AUC
    within a block is not the AUC of all events together, and only blocks can be compared with
    blocks. The length of a block is chosen so that neighbouring blocks do not depend on each other.

    Parameters
    ----------
    y_true : array-like
        Target labels: booleans, 0/1 or -1/1, in the order of arrival.
    y_score : array-like
        Finite scores, higher for the positive class.
    per_class : int, optional
        Number of examples of each class that complete a block. By default it is chosen from 5, 7,
        10, 14, 20, ...
    events : int, optional
        Instead of `per_class`: number of events that complete a block, once it has both classes.

    Attributes
    ----------
    block_aucs : ndarray
        AUC of each block.
    block_mean, standard_error : float
        Their mean and its standard error, corrected for autocorrelation.
    df : float
        Degrees of freedom of the standard error.
    autocorrelation : float
        Correlation of neighbouring blocks.
    varies_slowly : bool
        Whether longer blocks are correlated all the same, or these blocks if their length is given:
        the AUC varies slowly, and there will be more false alarms than stated.
    pooled_auc : float
        AUC over all pairs of events.
    per_class : int
        Least number of examples of each class in a block.
    block_events : float
        Mean number of events in a block.
    n_events, n_pos, n_neg : int
        Number of events, of positive and of negative ones.

    Raises
    ------
    ShortReferenceError
        The reference has fewer than 30 blocks, or neighbouring blocks are correlated at all lengths
        with 30 blocks. The message says how many events are needed.

    Notes
    -----
    Neighbouring blocks that depend on each other show it in two ways: their AUCs are correlated,
    and longer blocks, which mix their events, have another mean. So the length is the shortest, of
    those with at least 30 blocks, at which the correlation of B neighbouring blocks is below
    ``2.326 / sqrt(B)`` and whose mean AUC differs from that of the longest blocks by at most its
    95 % error, or 0.01.

    The variance of the mean is ``f s^2 / B`` with ``f = max(1, 1 + 2 sum((1 - l / (L + 1)) r_l))``,
    l from 1 to L, the cube root of B, and has ``(B - 1) / f`` degrees of freedom.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(2000) < 0.3
    >>> DriftReference(y, rng.normal(size=2000) + 1.8 * y)
    DriftReference(2,000 events, 118 blocks of at least 5+ 5-, mean AUC 0.898, pooled 0.898)
    """

    def __init__(
        self,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        per_class: int | None = None,
        events: int | None = None,
    ) -> None:
        labels, scores, _ = checked_events(y_true, y_score)
        pooled = _core.count_pairs(labels, scores, False, 1)
        self.n_events, self.n_pos, self.n_neg = len(labels), int(pooled.pos), int(pooled.neg)
        self.pooled_auc = pooled.auc
        if per_class is None and events is None:
            cut, self.varies_slowly = _shortest_independent(labels, scores)
        else:
            cut = _Cut(labels, scores, BlockRule.of(per_class, events))
            cut.check_long_enough()
            self.varies_slowly = cut.correlated
        self._rule = cut.rule
        self.per_class = cut.rule.least
        self.block_events = cut.block_events
        self._keep(cut)

    @classmethod
    def from_blocks(cls, block_aucs: npt.ArrayLike) -> Self:
        """A reference of whole blocks, such as days: for a detector that takes whole blocks.

        Parameters
        ----------
        block_aucs : array-like
            AUC of each block, in the order of time; at least 30. Later blocks must be cut in the
            same way.

        Returns
        -------
        DriftReference
            `n_events` and `block_events` count blocks; `pooled_auc` is nan, `n_pos`, `n_neg` and
            `per_class` are 0.

        Raises
        ------
        ShortReferenceError
            There are fewer than 30 blocks.
        """
        given = as_vector(block_aucs, "block_aucs").tolist()
        aucs = np.array([checked_block_auc(auc, row) for row, auc in enumerate(given)], np.float64)
        blocks = _Blocks(aucs)
        if not blocks.enough:
            raise ShortReferenceError(
                found="The reference has {count} block{s}",
                needed="{fewest} blocks are needed",
                fix="Use a longer reference.",
                count=len(aucs),
                s="s" * (len(aucs) != 1),
                fewest=_FEWEST_BLOCKS,
                events_needed=_FEWEST_BLOCKS,
            )
        one = cls.__new__(cls)
        one.n_events, one.n_pos, one.n_neg, one.per_class = len(aucs), 0, 0, 0
        one.pooled_auc = math.nan
        one.block_events = 1.0
        one.varies_slowly = blocks.correlated
        one._rule = WHOLE_BLOCKS
        one._keep(blocks)
        return one

    def _keep(self, blocks: _Blocks) -> None:
        self.block_aucs = blocks.aucs
        self.block_aucs.flags.writeable = False
        self.block_mean = blocks.mean
        self.df = blocks.df
        self.standard_error = blocks.standard_error
        self.autocorrelation = blocks.correlation()

    @property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return len(self.block_aucs)

    @property
    def pooled_disagrees(self) -> bool:
        """Whether the mean AUC of blocks differs from the pooled AUC by more than its 95 % error.

        Then events depend on each other, and the pooled AUC is no reference for blocks.
        """
        error = student_quantile(self.df, _QUANTILE) * self.standard_error
        return abs(self.block_mean - self.pooled_auc) > error

    def _limits(self) -> tuple[float, float]:
        """Return a floor and a ceiling of AUCs that count; 0 and 1 unless blocks are whole."""
        if not self._rule.whole:
            return 0.0, 1.0
        width = _LIMIT * float(self.block_aucs.std(ddof=1))
        return max(0.0, self.block_mean - width), min(1.0, self.block_mean + width)

    def _bounds(self, error: float, limits: tuple[float, float]) -> tuple[float, float]:
        """Return one-sided confidence bounds of the means of what counts, each with this error."""
        floor, ceiling = limits
        low = _Blocks(np.minimum(self.block_aucs, ceiling)).bounds(error)[0]
        return low, _Blocks(np.maximum(self.block_aucs, floor)).bounds(error)[1]

    def _deviations(self, error: float) -> Floats:
        """Return the deviations of the blocks from their mean, scaled to their long-run variance.

        It is an upper confidence bound with this error, for normal deviations, since 30 blocks do
        not determine a variance.
        """
        factor = (self.n_blocks - 1) / chi_squared_quantile(self.df, error)
        scaled: Floats = (self.block_aucs - self.block_mean) * math.sqrt(factor)
        return scaled

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.block_aucs.flags.writeable = False  # lost in pickles

    def __repr__(self) -> str:
        disagrees = ", which disagrees" if self.pooled_disagrees else ""
        slowly = "; varies slowly" if self.varies_slowly else ""
        if self._rule.whole:
            whole = f"{self.n_blocks:,} whole blocks, mean AUC {self.block_mean:.3f}{slowly}"
            return f"DriftReference({whole})"
        return (
            f"DriftReference({self.n_events:,} events, {self.n_blocks:,} blocks of at least "
            f"{self._rule.least}+ {self._rule.least}-, mean AUC {self.block_mean:.3f}, pooled "
            f"{self.pooled_auc:.3f}{disagrees}{slowly})"
        )


def least_events(per_class: int | None = None) -> int:
    """Number of events below which a reference has too few blocks."""
    return _FEWEST_BLOCKS * BlockRule.of(per_class, None).events


Reference = DriftReference | Ranking | RangeSummary | float


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """What a detector needs of its reference.

    `low` and `high` are one-sided confidence bounds of the mean AUC of blocks; AUCs above the
    ceiling count as the ceiling for `low`, those below the floor as the floor for `high`. Without a
    `DriftReference`, events are assumed to be `independent`: then blocks have the AUC of the
    population as their mean, whatever their length.
    """

    rule: BlockRule
    block_mean: float
    pooled_auc: float
    low: float
    high: float
    block_events: float
    independent: bool
    limits: tuple[float, float] = (0.0, 1.0)  # floor and ceiling


def baseline_of(
    reference: Any, error: float, per_class: Any, events: Any, *, limited: bool = False
) -> Baseline:
    """Check a reference and the rule of blocks; each bound has this error.

    If `limited`, AUCs of whole blocks that are far from their mean count as less far.
    """
    if isinstance(reference, DriftReference):
        if per_class is not None or events is not None:
            raise InputError(
                found="{reference} is a DriftReference, which has its own rule for blocks",
                fix="Pass {per_class} or {events} to DriftReference.",
            )
        limits = reference._limits() if limited else (0.0, 1.0)
        low, high = reference._bounds(error, limits)
        return Baseline(
            rule=reference._rule,
            block_mean=reference.block_mean,
            pooled_auc=reference.pooled_auc,
            low=low,
            high=high,
            block_events=reference.block_events,
            independent=False,
            limits=limits,
        )
    rule = BlockRule.of(per_class, events)
    if isinstance(reference, Ranking | RangeSummary):
        auc, low, high = _sample_bounds(reference, error)
    elif isinstance(reference, int | float) and not isinstance(reference, bool):
        fix = "It is the AUC before any change."
        auc = low = high = check_between("reference", reference, 0, 1, fix=fix)
    else:
        raise InputError(
            found="{reference} is a {kind}",
            needed="a DriftReference, a Ranking, a RangeSummary or a known AUC is needed",
            fix="Pass DriftReference(y_true, y_score), with events in their order.",
            kind=type(reference).__name__,
        )
    return Baseline(
        rule=rule,
        block_mean=auc,
        pooled_auc=auc,
        low=low,
        high=high,
        # Of the shortest block, so that the run length is not shorter.
        block_events=float(rule.events),
        independent=True,
    )


def _sample_bounds(reference: Ranking | RangeSummary, error: float) -> tuple[float, float, float]:
    if not (reference.n_pos and reference.n_neg):
        raise InputError(
            found="{reference} has {n_pos} positive and {n_neg} negative examples",
            needed="its AUC needs both classes",
            fix="Use a longer {reference}.",
            n_pos=f"{reference.n_pos:,}",
            n_neg=f"{reference.n_neg:,}",
        )
    auc = (reference.summary if isinstance(reference, Ranking) else reference).auc
    if error >= 0.5:
        return auc, auc, auc
    low, high = (
        unwarned_interval(reference, confidence_level=1 - error, alternative=alternative)
        for alternative in ("greater", "less")
    )
    return auc, low.low, high.high


class _Blocks:
    """AUCs of blocks: their mean, with its error, and their dependence."""

    def __init__(self, aucs: Floats) -> None:
        self.aucs = aucs
        self.enough = len(aucs) >= _FEWEST_BLOCKS

    @computed_once
    def mean(self) -> float:
        """Mean AUC of the blocks."""
        return float(self.aucs.mean())

    @computed_once
    def df(self) -> float:
        """Degrees of freedom of the standard error: fewer, if blocks are correlated."""
        count = len(self.aucs)
        lags = round(count ** (1 / 3))
        weights = ((1 - lag / (lags + 1)) * self.correlation(lag) for lag in range(1, lags + 1))
        return float((count - 1) / max(1.0, 1 + 2 * sum(weights)))

    @computed_once
    def standard_error(self) -> float:
        """Standard error of the mean, corrected for autocorrelation."""
        count = len(self.aucs)
        if self.aucs.min() == self.aucs.max():
            return 2 / count  # the rule of three: another AUC may have a probability of 3 / count
        return float(self.aucs.std(ddof=1)) * math.sqrt((count - 1) / self.df / count)

    def bounds(self, error: float) -> tuple[float, float]:
        """One-sided confidence bounds of the mean, each with this error."""
        width = student_quantile(self.df, 1 - error) * self.standard_error
        return self.mean - width, self.mean + width

    def correlation(self, lag: int = 1) -> float:
        """Correlation of blocks at a distance; 0 if all are equal."""
        centred = self.aucs - self.mean
        squares = dot(centred, centred)
        return dot(centred[lag:], centred[:-lag]) / squares if squares > 0 else 0.0

    @property
    def correlated(self) -> bool:
        """Whether neighbours are correlated, one-sided at 1 %: only positive correlation harms."""
        return self.correlation() * math.sqrt(len(self.aucs)) >= normal_quantile(0.99)


class _Cut(_Blocks):
    """Blocks of a reference by one rule."""

    def __init__(self, labels: Any, scores: Any, rule: BlockRule) -> None:
        self.rule, self._events = rule, len(labels)
        blocks = [(one.auc, one.last_event) for one in BlockCutter(rule).add_many(labels, scores)]
        super().__init__(np.array([auc for auc, _ in blocks]))
        # Without enough blocks, events after the last one count as well.
        used = blocks[-1][1] if self.enough else max(self._events, rule.events)
        self.block_events = used / max(len(blocks), 1)

    @property
    def events_needed(self) -> str:
        """Number of events that make enough blocks, to two digits."""
        needed = _FEWEST_BLOCKS * self.block_events
        unit = 10 ** max(0, math.floor(math.log10(needed)) - 1)
        return f"{math.ceil(needed / unit) * unit:,}"

    def check_long_enough(self) -> None:
        """Raise an error if there are too few blocks."""
        if not self.enough:
            raise ShortReferenceError(
                found="The {events_found} events of the reference make {blocks}",
                needed="{fewest} blocks are needed, which takes about {events_needed} events",
                fix="Use a longer reference, or shorter blocks.",
                events_found=f"{self._events:,}",
                blocks=f"{len(self.aucs)} block{'s' * (len(self.aucs) != 1)}",
                fewest=_FEWEST_BLOCKS,
                events_needed=self.events_needed,
            )


def _shortest_independent(labels: Any, scores: Any) -> tuple[_Cut, bool]:
    """Return the shortest blocks that show no dependence, and whether longer ones do."""
    cuts = [_Cut(labels, scores, BlockRule.of(None, None))]
    cuts[0].check_long_enough()
    while cuts[-1].enough:
        length = round(cuts[0].rule.least * _GROWTH ** len(cuts))
        cuts.append(_Cut(labels, scores, BlockRule.of(length, None)))
    *cuts, too_long = cuts
    longest = cuts[-1]
    error = max(student_quantile(longest.df, _QUANTILE) * longest.standard_error, _IRRELEVANT)
    for place, cut in enumerate(cuts):
        if not cut.correlated and abs(cut.mean - longest.mean) <= error:
            return cut, any(longer.correlated for longer in cuts[place:])
    raise ShortReferenceError(
        found="Neighbouring blocks of the reference are correlated at every length of which its "
        "{events_found} events make {fewest} blocks",
        needed="blocks of at least {least} examples of each class are needed, and for {fewest} of "
        "them about {events_needed} events",
        fix="Use a longer reference, or set {per_class} and expect more false alarms.",
        events_found=f"{len(labels):,}",
        fewest=_FEWEST_BLOCKS,
        least=too_long.rule.least,
        events_needed=too_long.events_needed,
    )
