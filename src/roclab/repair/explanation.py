"""The effect of a repair on sections and examples."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from roclab.ranking import RankedRows, Ranking
from roclab.result import Result

if TYPE_CHECKING:
    from roclab.repair.score_repair import ScoreRepair


@dataclass(frozen=True, kw_only=True)
class SectionEffect:
    """The effect of a repair on one section.

    Attributes
    ----------
    low, high : float
        The section contains the scores with ``low <= score < high``.
    method : {"mirror", "flatten"}
        Its repair.
    n_pos, n_neg : int
        Numbers of examples in it.
    auc : float
        AUC of the examples in it before the repair; nan if a class is missing there.
    repaired_auc : float
        The same after the repair.
    """

    low: float
    high: float
    method: str
    n_pos: int
    n_neg: int
    auc: float
    repaired_auc: float


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RepairExplanation(Result):
    """The effect of a repair: a table of sections and one of affected examples.

    Attributes
    ----------
    sections : tuple of SectionEffect
        In the order of the repair.
    rows : ndarray of int
        Rows of the examples that are in a repaired section, ascending.
    y_true : ndarray of bool
        Their labels.
    score, repaired : ndarray of float
        Their scores before and after.
    auc, repaired_auc : float
        AUC of all examples before and after.
    n : int
        Number of all examples.
    """

    sections: tuple[SectionEffect, ...]
    rows: npt.NDArray[np.intp]
    y_true: npt.NDArray[np.bool_]
    score: npt.NDArray[np.float64]
    repaired: npt.NDArray[np.float64]
    auc: float
    repaired_auc: float
    n: int

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values; the affected examples as a list of rows."""
        columns = ("rows", "y_true", "score", "repaired")
        values = zip(*(getattr(self, name).tolist() for name in columns), strict=True)
        return {
            "sections": [asdict(section) for section in self.sections],
            "affected": [
                dict(zip(("row", "y_true", "score", "repaired"), one, strict=True))
                for one in values
            ],
            "auc": self.auc,
            "repaired_auc": self.repaired_auc,
            "n": self.n,
        }

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        count = len(self.sections)
        return (
            f"RepairExplanation({len(self):,} of {self.n:,} examples in {count:,} "
            f"section{'s' * (count != 1)}, AUC {self.auc:.3f} -> {self.repaired_auc:.3f})"
        )


def explained(repair: ScoreRepair, ranking: Ranking) -> RepairExplanation:
    """The effect of a repair on the examples of a ranking with rows."""
    examples = ranking.rows()
    scores = ranking.scores.astype(np.float64)[examples.groups]
    affected = np.zeros(len(scores), dtype=np.bool_)
    effects = []
    before = scores
    for step in repair.steps:
        after = type(repair)(steps=(step,)).apply(before)
        for section in step:
            inside = section.holds(before)
            affected |= inside
            mine = _part(examples, before, inside)
            effects.append(
                SectionEffect(
                    low=section.low,
                    high=section.high,
                    method=section.method,
                    n_pos=mine.n_pos,
                    n_neg=mine.n_neg,
                    auc=mine.summary.auc,
                    repaired_auc=_part(examples, after, inside).summary.auc,
                )
            )
        before = after
    rows = np.flatnonzero(affected)
    return RepairExplanation(
        sections=tuple(effects),
        rows=rows if examples.numbers is None else examples.numbers[rows],
        y_true=examples.labels[rows].astype(np.bool_),
        score=scores[rows],
        repaired=before[rows],
        auc=ranking.summary.auc,
        repaired_auc=repair.apply_to_ranking(ranking).summary.auc,
        n=len(ranking),
    )


def _part(
    examples: RankedRows, scores: npt.NDArray[np.float64], chosen: npt.NDArray[np.bool_]
) -> Ranking:
    """The chosen examples with these scores."""
    weights = None if examples.weights is None else examples.weights[chosen]
    return Ranking(examples.labels[chosen], scores[chosen], sample_weight=weights)
