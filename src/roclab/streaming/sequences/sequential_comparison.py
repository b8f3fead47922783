"""Sequential comparison: champion and challenger on the same events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy.typing as npt

from roclab.checks.choices import SequenceMethod
from roclab.checks.options import check_between, shown
from roclab.data.serialization import checked_counts
from roclab.errors import InputError
from roclab.formatting import level_and_method
from roclab.result import Result
from roclab.streaming.drift.blocks import Block, BlockRule
from roclab.streaming.sequences.block_sequence import BlockSequence, drift_hint, shown_ends

EQUIVALENT = "equivalent"


@dataclass(frozen=True, kw_only=True, repr=False)
class SequentialDifference(Result):
    """The difference of the mean AUCs of blocks of two models, with an interval valid at any time.

    Attributes
    ----------
    names : tuple of str
        Names of the models A and B.
    difference : float
        Mean AUC of the blocks so far by A minus that by B; nan before the first block.
    low, high : float
        Ends of the interval of the difference; nan if no constant difference is compatible with all
        blocks.
    auc_a, auc_b : float
        Mean AUC of the blocks so far by each model.
    confidence_level : float
        Probability that the intervals of all times contain the difference.
    method : {"hedged_capital", "empirical_bernstein"}
        Method of the sequence.
    margin : float
        Irrelevant difference.
    n_blocks, n_events : int
        Number of complete blocks and of events.
    decided : str or None
        Name of the better model, ``"equivalent"``, or None while undecided.
    decided_event, decided_time : int or None, object
        Event of the decision, and its time.
    changed_event, changed_time : int or None, object
        Event by which no constant difference was left, and its time: the difference has changed.
    """

    names: tuple[str, str]
    difference: float
    low: float
    high: float
    auc_a: float
    auc_b: float
    confidence_level: float
    method: SequenceMethod
    margin: float
    n_blocks: int
    n_events: int
    decided: str | None = None
    decided_event: int | None = None
    decided_time: Any = None
    changed_event: int | None = None
    changed_time: Any = None

    def __repr__(self) -> str:
        a, b = self.names
        decided = "undecided"
        if self.decided is not None:
            verdict = self.decided if self.decided == EQUIVALENT else f"{self.decided} is better"
            decided = f"{verdict} since event {self.decided_event:,}"
        return (
            f"mean AUC of blocks, {a} - {b}: {self.difference:+.3f} {shown_ends(self)}, "
            f"{level_and_method(self.confidence_level, self.method)} at all times, "
            f"{self.n_blocks:,} blocks{drift_hint(self.difference, self.low, self.high)}; {decided}"
        )


class SequentialComparison(BlockSequence):
    """Champion and challenger: which model ranks better, decided as soon as events show it.

    Both models score the same events. Look after every event, and stop when it is `decided`: the
    probability of a wrong decision, at any time, is at most ``1 - confidence_level``.

    Parameters
    ----------
    names : tuple of two str, default ("a", "b")
        Names of the models.
    method : {"hedged_capital", "empirical_bernstein"}, default "hedged_capital"
        ``"hedged_capital"`` is for a difference that is constant. If it drifts, a model that is
        declared better has a lead in some blocks: it is rejected that the expected difference is at
        most `margin` in all of them. With ``"empirical_bernstein"`` the difference may drift; the
        interval is wider, and the model is declared better that leads on average over all blocks
        until then.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for all intervals together, at every time.
    margin : float, default 0
        Irrelevant difference of the mean AUCs of blocks. A model is better if the interval of the
        difference lies beyond the margin; both are equivalent if it lies within.
    per_class, events : int, optional
        Number of examples of each class that complete a block, 5 by default, or number of events
        that complete it, once it has both classes.

    See Also
    --------
    BlockConfidenceSequence : The mean AUC of blocks of one model.
    PendingLabels : Labels that come late: one for each model, or one whose ids lead to both scores.

    Notes
    -----
    The sequence is that of x = (AUC of A - AUC of B + 1) / 2 of each block. Without a margin,
    models of equal AUC remain undecided forever, with the stated probability. `interval` goes on
    after the decision, which stays.

    The challenger B is non-inferior with the margin d as soon as ``interval().high < d``.

    References
    ----------
    See `BlockConfidenceSequence`.

    Examples
    --------
    >>> duel = SequentialComparison(names=("champion", "challenger"), per_class=2)
    >>> for _ in range(40):
    ...     duel.update_many([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8], [0.1, 0.5, 0.4, 0.4])
    >>> duel.decided
    'champion'
    >>> found = duel.interval()
    >>> found.difference, round(found.low, 3), round(found.high, 3), found.decided_event
    (0.375, 0.242, 0.44, 52)
    """

    _kind: ClassVar = b"SC"
    _columns: ClassVar = ("score_a", "score_b")

    def __init__(
        self,
        *,
        names: tuple[str, str] = ("a", "b"),
        method: SequenceMethod = "hedged_capital",
        confidence_level: float = 0.95,
        margin: float = 0.0,
        per_class: int | None = None,
        events: int | None = None,
    ) -> None:
        self._names = _checked_names(names)
        self._margin = check_between(
            "margin",
            margin,
            0,
            1,
            fix="It is a difference of AUCs that is irrelevant.",
            or_low=True,
        )
        super().__init__(confidence_level, method, BlockRule.of(per_class, events))

    def reset(self) -> None:
        """Remove all events and the decision, but keep the settings."""
        super().reset()
        self._decision: tuple[str | None, int | None, Any] = (None, None, None)

    def update(
        self,
        y_true: Any,
        score_a: Any,
        score_b: Any,
        *,
        time: Any = None,
        sample_weight: None = None,
    ) -> None:
        """Add one event.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        score_a, score_b : float
            Finite scores of the event by each model, higher for the positive class.
        time : object, optional
            Time of the event.
        sample_weight : None
            Weights are refused: blocks count events.
        """
        self._add(y_true, (score_a, score_b), time, sample_weight)

    def update_many(
        self,
        y_true: npt.ArrayLike,
        score_a: npt.ArrayLike,
        score_b: npt.ArrayLike,
        *,
        time: npt.ArrayLike | None = None,
        sample_weight: None = None,
    ) -> None:
        """Add events as if one by one. If a check fails, none is added.

        Parameters
        ----------
        y_true : array-like
            Target labels: booleans, 0/1 or -1/1, in the order of arrival.
        score_a, score_b : array-like
            Finite scores of the events by each model, higher for the positive class.
        time : array-like, optional
            Time of each event.
        sample_weight : None
            Weights are refused: blocks count events.
        """
        self._add_many(y_true, (score_a, score_b), time, sample_weight)

    @property
    def decided(self) -> str | None:
        """Name of the better model, ``"equivalent"``, or None while undecided."""
        return self._decision[0]

    def interval(self) -> SequentialDifference:
        """The difference with its interval, and the decision."""
        low, high = self._ends(2.0, 0.5)
        auc_a, auc_b = self._means
        decided, event, time = self._decision
        return SequentialDifference(
            names=self._names,
            difference=auc_a - auc_b,
            low=low,
            high=high,
            auc_a=auc_a,
            auc_b=auc_b,
            confidence_level=self._level,
            method=self._method,
            margin=self._margin,
            n_blocks=self.n_blocks,
            n_events=self.n_events,
            decided=decided,
            decided_event=event,
            decided_time=time,
            changed_event=self._changed[0],
            changed_time=self._changed[1],
        )

    def _value(self, aucs: list[float]) -> float:
        auc_a, auc_b = aucs
        return (auc_a - auc_b + 1) / 2

    def _decide(self, block: Block) -> None:
        if self.decided is not None:
            return
        low, high = self._sequence.low, self._sequence.high
        least, most = (1 - self._margin) / 2, (1 + self._margin) / 2
        found = None
        if low > most:
            found = self._names[0]
        elif high < least:
            found = self._names[1]
        elif least < low < high < most:
            found = EQUIVALENT
        if found is not None:
            self._decision = found, block.last_event, block.last_time

    def _settings(self) -> dict[str, Any]:
        return {"margin": self._margin, "names": self._names}

    def _conclusion(self) -> list[Any]:
        return list(self._decision)

    def _conclude(self, conclusion: list[Any]) -> None:
        decided, event, time = conclusion
        if decided is None:
            found = event is None and time is None
        else:
            found = decided in (*self._names, EQUIVALENT)
            checked_counts([event])
        if not found:
            raise ValueError("its decision is none")
        self._decision = decided, event, time

    def __repr__(self) -> str:
        return f"SequentialComparison({self.interval()!r})"


def _checked_names(names: Any) -> tuple[str, str]:
    """Check the names of two models."""
    two = tuple(names) if isinstance(names, tuple | list) else ()
    words = all(isinstance(name, str) and name not in ("", EQUIVALENT) for name in two)
    if len(two) == 2 and words and two[0] != two[1]:
        return two
    raise InputError(
        found="{names=}{value} cannot name two models",
        needed="two different texts are needed, neither of them empty or 'equivalent'",
        fix="For example {names=}('champion', 'challenger').",
        value=shown(names),
    )
