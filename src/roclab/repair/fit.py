"""Which sections to repair, and the map that does it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.curves import Concavity, roc_hull
from roclab.errors import InputError
from roclab.ranking import Ranking, as_ranking
from roclab.repair.score_repair import ScoreRepair, refuse_wide
from roclab.repair.section import RepairedSection, RepairMethod, checked_method

__all__ = ["Sections", "chosen_concavities", "mended", "repair_section"]

Sections = Literal["largest", "all"]
Floats = npt.NDArray[np.float64]


def repair_section(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sections: Sections | Sequence[Concavity | tuple[float, float]] = "largest",
    method: RepairMethod = "mirror",
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> ScoreRepair:
    """The map of scores that mends concavities of a ROC curve.

    Parameters
    ----------
    y_true : array-like or Ranking
        Labels (see `Ranking`), or a ranking that holds labels and scores.
    y_score : array-like
        Scores, higher for more positive; finite.
    sections : {"largest", "all"} or sequence, default "largest"
        The concavity of the largest area, all of them, or those chosen: members of `concavities`,
        or pairs ``(low, high)`` of any scores, which hold those with ``low <= score < high``.
    method : {"mirror", "flatten"}, default "mirror"
        Turn the order of the scores in a section round, or give all of them one score.
    sample_weight : array-like, optional
        Weights of the examples.
    pos_label : optional
        The value of `y_true` that is positive.

    Returns
    -------
    ScoreRepair
        Without sections, and so the map of every score to itself, if there is no concavity; if a
        class is missing also with an `UndefinedMeasureWarning`.

    Raises
    ------
    InputError
        If scores are infinite, or chosen sections overlap or hold fewer than two distinct scores.

    Notes
    -----
    On the data themselves mirroring adds exactly twice the area of each section to the AUC, and
    flattening all sections gives the AUC of the hull, ties included. That is no promise for other
    data: random scores have concavities too. See `concavities` and `checked_repair`.

    The bounds of a concavity are put into the middle between its scores and the next ones outside.

    O(n log n).

    References
    ----------
    P. Flach, S. Wu, Repairing concavities in ROC curves, IJCAI 2005.

    Examples
    --------
    >>> y, s = [1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2]
    >>> repair_section(y, s).apply(s).tolist()
    [0.9, 0.4, 0.4, 0.7, 0.7, 0.2]
    >>> repair_section(y, s, method="flatten").apply(s).tolist()
    [0.9, 0.55, 0.55, 0.55, 0.55, 0.2]
    """
    checked_method(method)
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    if isinstance(sections, str):
        stretches: Sequence[Any] = chosen_concavities(roc_hull(ranking).concavities, sections)
    elif isinstance(sections, Sequence):
        stretches = sections
    else:
        raise InputError(
            f"sections is a {type(sections).__name__}; 'largest', 'all' or a list of concavities "
            "or of pairs (low, high) is needed."
        )
    return mended(ranking, stretches, method)


def chosen_concavities(found: Sequence[Concavity], sections: str) -> Sequence[Concavity]:
    """The largest concavity, the first of several, or all."""
    if sections not in ("largest", "all"):
        raise InputError(
            f"sections={sections!r} is not known. Choose 'largest' or 'all', or pass a list of "
            "concavities or of pairs (low, high)."
        )
    if sections == "largest" and found:
        return [max(found, key=lambda one: one.area)]
    return found


def mended(
    ranking: Ranking, stretches: Sequence[Concavity | tuple[float, float]], method: RepairMethod
) -> ScoreRepair:
    """The map for these stretches of the ranking's scores."""
    refuse_wide(ranking.scores)
    if not np.isfinite(ranking.scores[[0, -1]] if len(ranking.scores) else 0.0).all():
        raise InputError(
            "The scores are infinite in places; a repair calculates with them, so they must be "
            "finite. Clip them first: np.clip(y_score, -1e300, 1e300)."
        )
    step = tuple(_section(ranking, one, method) for one in stretches)
    return ScoreRepair(steps=(step,), ranking=ranking)


def _section(
    ranking: Ranking, stretch: Concavity | tuple[float, float], method: RepairMethod
) -> RepairedSection:
    low, high = _bounds(stretch)
    place = ranking.places(low, high)
    first, last = place.start, place.stop
    inside = ranking.scores[place].astype(np.float64)
    if len(inside) < 2:
        raise InputError(
            f"The section from {low:g} to {high:g} holds {len(inside)} distinct "
            f"score{'s' * (len(inside) != 1)} of these data; two are needed for there to be an "
            "order. Choose it wider, or leave it out."
        )
    if isinstance(stretch, Concavity):
        scores = ranking.scores
        low = _cut(scores[first - 1], inside[0]) if first else -math.inf
        high = _cut(inside[-1], scores[last]) if last < len(scores) else math.inf
    pos, neg = ranking.pos[place], ranking.neg[place]
    return RepairedSection(
        method=method,
        low=low,
        high=high,
        scores=inside if method == "mirror" else inside[[0, -1]],
        area=_area(ranking, place),
        n_pos=pos.sum().item(),
        n_neg=neg.sum().item(),
    )


def _bounds(stretch: Any) -> tuple[float, float]:
    if isinstance(stretch, Concavity):
        return stretch.low, stretch.high
    try:
        low, high = (float(end) for end in stretch)
    except (TypeError, ValueError):
        raise InputError(
            f"{stretch!r} is no section. Pass a member of concavities(...), or a pair (low, high)."
        ) from None
    if not low < high:
        raise InputError(f"The section from {low:g} to {high:g} is empty; low must be below high.")
    return low, high


def _cut(below: float, above: float) -> float:
    """The middle of two scores; ``below < cut <= above`` also if no double lies between them."""
    below, above = float(below), float(above)
    middle = below / 2 + above / 2
    return middle if below < middle <= above else above


def _area(ranking: Ranking, inside: slice) -> float:
    """Chord less curve, in units of the ROC square: half the pairs inside, less those won."""
    pos, neg = ranking.pos[inside], ranking.neg[inside]
    if ranking.weighted:
        twice_wins = float(np.sum(pos * (2 * (np.cumsum(neg) - neg) + neg)))
    else:
        part = Ranking.from_groups(ranking.scores[inside], pos, neg)
        twice_wins = part.summary.twice_wins
    square = ranking.pos.sum().item() * ranking.neg.sum().item()
    pairs = pos.sum().item() * neg.sum().item()
    return (pairs - twice_wins) / (2 * square) if square else math.nan
