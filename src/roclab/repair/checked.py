"""Repair of the concavities that are confirmed on other data."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab.checks.choices import KeepRule, RepairMethod, Sections
from roclab.checks.options import check_between, check_choice, check_method
from roclab.data.ranking import Ranking
from roclab.errors import DegenerateIntervalWarning, InputError
from roclab.inference import AUCComparison
from roclab.inference.comparison.paired import compare_rankings
from roclab.repair.fit import chosen_concavities, repair_of
from roclab.repair.inversions import concavities, tested
from roclab.repair.score_repair import ScoreRepair
from roclab.result import Result


@dataclass(frozen=True, kw_only=True, repr=False)
class RepairDecision(Result):
    """A concavity, and whether its repair is kept.

    Attributes
    ----------
    low, high : float
        It contains the scores with ``low <= score < high``.
    area : float
        Area between hull and curve where it was found, in units of the ROC square.
    n_pos, n_neg : int or float
        Numbers of examples in it there; with weights, sums of weights.
    checked_pos, checked_neg : int
        Numbers of examples in it among those that were not used to find it.
    pvalue : float
        p-value of the test on these that it is not an inversion, adjusted by Holm's method for the
        number of concavities tested; nan if they are too few.
    gains : tuple of float
        Increase of the AUC by its repair, in each fold of the checked examples.
    kept : bool
        Whether it is repaired.
    reason : str
        The reason, as text.
    """

    low: float
    high: float
    area: float
    n_pos: float
    n_neg: float
    checked_pos: int
    checked_neg: int
    pvalue: float
    gains: tuple[float, ...]
    kept: bool
    reason: str


@dataclass(frozen=True, kw_only=True, repr=False)
class CheckedRepair(Result):
    """The concavities of a sample, and the repairs that are kept.

    Attributes
    ----------
    repair : ScoreRepair
        The repair that is kept.
    decisions : tuple of RepairDecision
        All concavities that were considered, from high to low scores.
    gain : AUCComparison or None
        AUC of the checked examples after minus before the repair, with its interval; None if
        nothing is kept. It is optimistic: the same examples decided what is kept.
    keep : {"significant", "every_fold", "most_folds"}
        The rule.
    alpha : float
        Significance level of the test.
    """

    repair: ScoreRepair
    decisions: tuple[RepairDecision, ...]
    gain: AUCComparison | None
    keep: KeepRule
    alpha: float

    @property
    def kept(self) -> tuple[RepairDecision, ...]:
        """The concavities that are repaired."""
        return tuple(one for one in self.decisions if one.kept)

    @property
    def refused(self) -> tuple[RepairDecision, ...]:
        """The concavities that are not repaired."""
        return tuple(one for one in self.decisions if not one.kept)

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return {
            "decisions": [one.to_dict() for one in self.decisions],
            "gain": None if self.gain is None else self.gain.to_dict(),
            "keep": self.keep,
            "alpha": self.alpha,
            "repair": self.repair.to_dict(),
        }

    def __repr__(self) -> str:
        found = len(self.decisions)
        nouns = "concavity" if found == 1 else "concavities"
        gain = "" if self.gain is None else f", AUC {self.gain.difference:+.3f} where checked"
        return f"CheckedRepair({len(self.kept):,} of {found:,} {nouns} repaired{gain})"


def checked_repair(
    ranking: Ranking,
    check: Ranking | Sequence[Ranking],
    *,
    sections: Sections = "largest",
    method: RepairMethod = "mirror",
    keep: KeepRule = "significant",
    alpha: float = 0.05,
) -> CheckedRepair:
    """Find concavities, and keep the repair of those that are confirmed on other data.

    Parameters
    ----------
    ranking : Ranking
        Data in which concavities are found.
    check : Ranking or sequence of Ranking
        Examples that were used neither to train the model nor to find concavities, with the
        model's scores; several rankings are folds.
    sections : {"largest", "all"}, default "largest"
        Which concavities are considered.
    method : {"mirror", "flatten"}, default "mirror"
        Reverse the order of the scores in a section, or set them all to one score.
    keep : {"significant", "every_fold", "most_folds"}, default "significant"
        ``"significant"`` keeps a repair if the ranking of the checked examples inside the section
        is significantly inverted, see `concavities`. The other two keep it if it increases the AUC
        of every fold of the checked examples, or of more than half of the folds; ``"every_fold"``
        with one fold is the rule of Flach and Wu. By chance alone that happens for about half of
        all sections that are not inverted.
    alpha : float, default 0.05
        Significance level of the test.

    Returns
    -------
    CheckedRepair
        With the repair, and a decision with its reason for each concavity.

    Notes
    -----
    A section that is neither inverted nor ranked well loses nothing by being flattened or mirrored,
    but on average it gains nothing either.

    Examples
    --------
    >>> found = Ranking([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])
    >>> other = Ranking([0, 0, 0, 1, 1, 1], [0.8, 0.7, 0.6, 0.5, 0.5, 0.4])
    >>> checked_repair(found, other)
    CheckedRepair(1 of 1 concavity repaired, AUC +0.667 where checked)
    >>> checked_repair(found, other, alpha=0.01).decisions[0].reason
    'p = 0.0232 with 3+ 3- checked examples; below 0.01 is needed'
    """
    folds = _folds(check)
    check_method(method, RepairMethod)
    check_rule(keep, alpha)
    pooled = _pooled(folds)
    considered = chosen_concavities(concavities(ranking), sections)
    decisions = []
    for stretch in tested(considered, pooled):
        alone = repair_of(ranking, [stretch], method)
        gains = tuple(_gain(alone, fold) for fold in folds)
        inside = pooled.between(stretch.low, stretch.high)
        counts = (inside.n_pos, inside.n_neg)
        kept, reason = _verdict(keep, alpha, stretch.pvalue, gains, counts)
        decisions.append(
            RepairDecision(
                low=stretch.low,
                high=stretch.high,
                area=stretch.area,
                n_pos=stretch.n_pos,
                n_neg=stretch.n_neg,
                checked_pos=inside.n_pos,
                checked_neg=inside.n_neg,
                pvalue=stretch.pvalue,
                gains=gains,
                kept=kept,
                reason=reason,
            )
        )
    confirmed = [stretch for stretch, one in zip(considered, decisions, strict=True) if one.kept]
    repair = repair_of(ranking, confirmed, method)
    gain = _whole_gain(repair, pooled) if confirmed and pooled.has_rows else None
    return CheckedRepair(
        repair=repair, decisions=tuple(decisions), gain=gain, keep=keep, alpha=alpha
    )


def check_rule(keep: Any, alpha: Any) -> None:
    """Check the rule and the significance level."""
    check_choice("keep", keep, KeepRule)
    check_between("alpha", alpha, 0, 1, fix="For 5 % pass {alpha=}0.05.")


def _folds(check: Any) -> list[Ranking]:
    folds = [check] if isinstance(check, Ranking) else check
    if not (
        isinstance(folds, Sequence) and folds and all(isinstance(one, Ranking) for one in folds)
    ):
        raise InputError(
            found="{check} is a {kind}",
            needed="a Ranking of data not used to find concavities, or a list of them, is needed",
            fix="Make it with Ranking(y_true, y_score).",
            kind=type(check).__name__,
        )
    return list(folds)


def _pooled(folds: Sequence[Ranking]) -> Ranking:
    """The examples of all folds as one sample."""
    if len(folds) == 1:
        return folds[0].prepare(rows=folds[0].has_rows)
    rows = [fold.rows() for fold in folds]
    weights = None
    if any(one.weights is not None for one in rows):
        weights = np.concatenate(
            [np.ones(len(one.labels)) if one.weights is None else one.weights for one in rows]
        )
    labels = np.concatenate([one.labels for one in rows])
    scores = np.concatenate([one.scores for one in rows])
    return Ranking(labels, scores, sample_weight=weights).prepare(rows=True)


def _gain(repair: ScoreRepair, fold: Ranking) -> float:
    return repair.apply_to_ranking(fold).summary.auc - fold.summary.auc


def _whole_gain(repair: ScoreRepair, checked: Ranking) -> AUCComparison:
    rows = checked.rows()
    repaired = Ranking._of_rows(replace(rows, scores=repair.apply(rows.scores)))
    with warnings.catch_warnings():
        # Its limits are still valid, and the comparison was not requested.
        warnings.simplefilter("ignore", DegenerateIntervalWarning)
        return compare_rankings(repaired, checked)


def _verdict(
    keep: KeepRule,
    alpha: float,
    pvalue: float,
    gains: Sequence[float],
    counts: tuple[int, int],
) -> tuple[bool, str]:
    """Whether a repair is kept, and the reason."""
    if keep == "significant":
        examples = f"{counts[0]:,}+ {counts[1]:,}- checked examples"
        if math.isnan(pvalue):
            return False, f"{examples} in it; a test needs two of each class"
        value = f"p = {pvalue:.3g} with {examples}"
        if pvalue < alpha:
            return True, f"{value}, below {alpha:g}"
        return False, f"{value}; below {alpha:g} is needed"
    rises = sum(gain > 0 for gain in gains)
    said = f"AUC rises in {rises} of {len(gains)} fold{'s' * (len(gains) != 1)}"
    needed = len(gains) if keep == "every_fold" else len(gains) // 2 + 1
    return (True, said) if rises >= needed else (False, f"{said}; {needed} needed")
