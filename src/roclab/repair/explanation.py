"""The effect of a repair on sections and examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from roclab.data.ranking import Ranking
from roclab.repair.section import RepairedSection
from roclab.result import Record, Result

if TYPE_CHECKING:
    from roclab.repair.score_repair import ScoreRepair


@dataclass(frozen=True, kw_only=True)
class SectionEffect(Record):
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
        names = ("row", "y_true", "score", "repaired")
        columns = (self.rows, self.y_true, self.score, self.repaired)
        values = zip(*(column.tolist() for column in columns), strict=True)
        return {
            "sections": [section.to_dict() for section in self.sections],
            "affected": [dict(zip(names, one, strict=True)) for one in values],
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
    scores = examples.scores.astype(np.float64)
    affected = np.zeros(len(scores), dtype=np.bool_)
    effects = []
    before, ranked = scores, ranking
    for step in repair.steps:
        for section in step:
            inside = section.holds(before)
            affected |= inside
            alone = type(repair)(steps=((section,),))
            mine = _part(ranked, section, examples.labels[inside])
            effects.append(
                SectionEffect(
                    low=section.low,
                    high=section.high,
                    method=section.method,
                    n_pos=mine.n_pos,
                    n_neg=mine.n_neg,
                    auc=mine.summary.auc,
                    repaired_auc=alone.apply_to_ranking(mine).summary.auc,
                )
            )
        once = type(repair)(steps=(step,))
        before, ranked = once.apply(before), once.apply_to_ranking(ranked)
    rows = np.flatnonzero(affected)
    return RepairExplanation(
        sections=tuple(effects),
        rows=rows if examples.numbers is None else examples.numbers[rows],
        y_true=examples.labels[rows].astype(np.bool_),
        score=scores[rows],
        repaired=before[rows],
        auc=ranking.summary.auc,
        repaired_auc=ranked.summary.auc,
        n=len(ranking),
    )


def _part(ranking: Ranking, section: RepairedSection, labels: npt.NDArray[np.uint8]) -> Ranking:
    """The scores of a ranking in a section; `labels` are those of its examples."""
    inside = ranking.places(section.low, section.high)
    masses = (ranking.pos, ranking.neg, ranking.pos_squared, ranking.neg_squared)
    n_pos = int(np.count_nonzero(labels))
    return Ranking._of_masses(
        ranking.scores[inside],
        [mass[inside] for mass in masses if mass is not None],
        n_pos,
        len(labels) - n_pos,
    )
