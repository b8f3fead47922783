"""A repair that keeps only what holds up on data not used to find it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np

from roclab.errors import DegenerateIntervalWarning, InputError
from roclab.inference import AUCComparison, compare_auc
from roclab.ranking import Ranking
from roclab.repair.fit import Sections, chosen_concavities, mended
from roclab.repair.inversions import concavities, tested
from roclab.repair.score_repair import ScoreRepair
from roclab.repair.section import RepairMethod, checked_method

__all__ = ["CheckedRepair", "KeepRule", "RepairDecision", "checked_repair", "checked_rule"]

KeepRule = Literal["significant", "every_fold", "most_folds"]


@dataclass(frozen=True, kw_only=True)
class RepairDecision:
    """A concavity that was found, and whether its repair was kept.

    Attributes
    ----------
    low, high : float
        It holds the scores with ``low <= score < high``.
    area : float
        Area between hull and curve where it was found, in units of the ROC square.
    n_pos, n_neg : int or float
        Examples in it there; with weights, the sums of their weights.
    checked_pos, checked_neg : int
        Examples in it among those that were not used to find it.
    pvalue : float
        That of the test on these that it is no inversion, adjusted after Holm for the number of
        concavities tested; nan where they are too few.
    gains : tuple of float
        By how much its repair raises the AUC of each fold of the checked examples.
    kept : bool
        Whether it is repaired.
    reason : str
        Why, in words.
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

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return {**asdict(self), "gains": list(self.gains)}


@dataclass(frozen=True, kw_only=True, repr=False)
class CheckedRepair:
    """The concavities found in some data and what was kept of their repair.

    Attributes
    ----------
    repair : ScoreRepair
        The repair of what was kept.
    decisions : tuple of RepairDecision
        All concavities that were considered, from high to low scores.
    gain : AUCComparison or None
        AUC of the checked examples after the repair, less that before, with its interval; None if
        nothing was kept. It is flattering: the same examples decided what was kept.
    keep : {"significant", "every_fold", "most_folds"}
        The rule.
    alpha : float
        Level of the test.
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
        """Those that are not."""
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
    """Find concavities in some data, and keep the repair of those that other data confirm.

    Parameters
    ----------
    ranking : Ranking
        In which concavities are found.
    check : Ranking or sequence of Ranking
        Examples that were used neither to train the model nor to find concavities, with its scores
        for them; several rankings are folds.
    sections : {"largest", "all"}, default "largest"
        Which concavities are considered.
    method : {"mirror", "flatten"}, default "mirror"
        As in `repair_section`.
    keep : {"significant", "every_fold", "most_folds"}, default "significant"
        ``"significant"`` keeps a repair if the checked examples inside the stretch are
        significantly ranked the wrong way round, see `concavities`. The other two keep it if it
        raises the AUC of every fold of the checked examples, or of more than half of the folds;
        ``"every_fold"`` with one fold is the rule of Flach and Wu. By chance alone that happens for
        about half of all stretches that are no inversions.
    alpha : float, default 0.05
        Level of the test.

    Returns
    -------
    CheckedRepair
        With the repair, and a decision with its reason for each concavity.

    Notes
    -----
    A stretch that is neither inverted nor ranked well loses nothing by being flattened or mirrored,
    but on average it gains nothing either.

    Examples
    --------
    >>> found = Ranking([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])
    >>> other = Ranking([0, 0, 0, 1, 1, 1], [0.8, 0.7, 0.6, 0.5, 0.5, 0.4])
    >>> checked_repair(found, other)
    CheckedRepair(1 of 1 concavity repaired, AUC +0.667 where checked)
    >>> checked_repair(found, other, alpha=0.01).decisions[0].reason
    'p = 0.0248 with 3+ 3- checked examples; below 0.01 is needed'
    """
    folds = _folds(check)
    checked_method(method)
    checked_rule(keep, alpha)
    pooled = _pooled(folds)
    considered = chosen_concavities(concavities(ranking), sections)
    decisions = []
    for stretch in tested(considered, pooled):
        alone = mended(ranking, [stretch], method)
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
    repair = mended(ranking, confirmed, method)
    gain = _whole_gain(repair, pooled) if confirmed and pooled.has_rows else None
    return CheckedRepair(
        repair=repair, decisions=tuple(decisions), gain=gain, keep=keep, alpha=alpha
    )


def checked_rule(keep: Any, alpha: Any) -> None:
    """Refuse a rule that is not known, and a level that is none."""
    if keep not in get_args(KeepRule):
        raise InputError(
            f"keep={keep!r} is not known. Choose 'significant', 'every_fold' or 'most_folds'."
        )
    number = isinstance(alpha, int | float | np.floating) and not isinstance(alpha, bool)
    if not (number and 0 < alpha < 1):
        raise InputError(f"alpha={alpha!r} is not between 0 and 1. For 5 % pass 0.05.")


def _folds(check: Any) -> list[Ranking]:
    folds = [check] if isinstance(check, Ranking) else check
    if not (
        isinstance(folds, Sequence) and folds and all(isinstance(one, Ranking) for one in folds)
    ):
        raise InputError(
            f"check is a {type(check).__name__}; a Ranking of data not used to find concavities is "
            "needed, or a list of them. Make it with Ranking(y_true, y_score)."
        )
    return list(folds)


def _pooled(folds: Sequence[Ranking]) -> Ranking:
    """The examples of all folds as one sample."""
    if len(folds) == 1:
        return folds[0]
    rows = [fold.rows() for fold in folds]
    weights = None
    if any(one.weights is not None for one in rows):
        weights = np.concatenate(
            [np.ones(len(one.labels)) if one.weights is None else one.weights for one in rows]
        )
    scores = [fold.scores[one.groups] for fold, one in zip(folds, rows, strict=True)]
    return Ranking(
        np.concatenate([one.labels for one in rows]), np.concatenate(scores), sample_weight=weights
    )


def _gain(repair: ScoreRepair, fold: Ranking) -> float:
    return repair.apply_to_ranking(fold).summary.auc - fold.summary.auc


def _whole_gain(repair: ScoreRepair, checked: Ranking) -> AUCComparison:
    rows = checked.rows()
    scores = checked.scores[rows.groups]
    with warnings.catch_warnings():
        # Its bounds are honest, and nobody asked for the comparison.
        warnings.simplefilter("ignore", DegenerateIntervalWarning)
        return compare_auc(rows.labels, repair.apply(scores), scores, sample_weight=rows.weights)


def _verdict(
    keep: KeepRule,
    alpha: float,
    pvalue: float,
    gains: Sequence[float],
    counts: tuple[int, int],
) -> tuple[bool, str]:
    """Whether a repair is kept, and why."""
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
