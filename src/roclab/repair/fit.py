"""Fitting a repair: which sections of scores, and how they are mapped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import RepairMethod, Sections
from roclab.checks.options import check_choice, check_method, shown
from roclab.curves import Concavity, roc_hull
from roclab.data.ranking import Ranking, as_ranking
from roclab.errors import InputError
from roclab.formatting import range_text
from roclab.repair.score_repair import ScoreRepair, refuse_wide
from roclab.repair.section import RepairedSection

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
    """Map of scores that repairs concavities of a ROC curve.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking. They must be finite.
    sections : {"largest", "all"} or sequence, default "largest"
        The concavity of the largest area, all of them, or a selection: members of `concavities`,
        or pairs ``(low, high)`` of any scores, for the scores with ``low <= score < high``.
    method : {"mirror", "flatten"}, default "mirror"
        Reverse the order of the scores in a section, or set them all to one score.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    ScoreRepair
        Without sections, the identity, if there is no concavity; if a class is missing also with
        an `UndefinedMeasureWarning`.

    Raises
    ------
    InputError
        If scores are infinite, or given sections overlap or have fewer than two distinct scores.

    Notes
    -----
    On the data themselves mirroring adds exactly twice the area of each section to the AUC, and
    flattening all sections gives the AUC of the hull, including ties. That does not hold for other
    data: random scores have concavities too. See `concavities` and `checked_repair`.

    The limits of a concavity are halfway between its scores and the next ones outside.

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
    check_method(method, RepairMethod)
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    if isinstance(sections, str):
        stretches: Sequence[Any] = chosen_concavities(roc_hull(ranking).concavities, sections)
    elif isinstance(sections, Sequence):
        stretches = sections
    else:
        raise InputError(
            found="{sections} is a {kind}",
            needed="'largest', 'all' or a list of concavities or of pairs (low, high) is needed",
            kind=type(sections).__name__,
        )
    return repair_of(ranking, stretches, method)


def chosen_concavities(found: Sequence[Concavity], sections: str) -> Sequence[Concavity]:
    """The largest concavity, the first of several, or all."""
    check_choice("sections", sections, Sections)
    if sections == "largest" and found:
        return [max(found, key=lambda one: one.area)]
    return found


def repair_of(
    ranking: Ranking, stretches: Sequence[Concavity | tuple[float, float]], method: RepairMethod
) -> ScoreRepair:
    """The repair of some sections of the ranking's scores."""
    refuse_wide(ranking.scores)
    if not np.isfinite(ranking.scores[[0, -1]] if len(ranking.scores) else 0.0).all():
        raise InputError(
            found="Some scores are infinite",
            needed="a repair needs finite scores",
            fix="Clip them first: np.clip({y_score}, -1e300, 1e300).",
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
            found="The section from {range} has {count} of these data",
            needed="two distinct scores are needed for an order",
            fix="Widen it, or leave it out.",
            range=range_text(low, high, digits=6),
            count=f"{len(inside)} distinct score{'s' * (len(inside) != 1)}",
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
            found="{value} is not a section",
            fix="Pass a member of concavities(...), or a pair (low, high).",
            value=shown(stretch),
        ) from None
    if not low < high:
        raise InputError(
            found="The section from {low} to {high} is empty",
            needed="low must be below high",
            low=f"{low:g}",
            high=f"{high:g}",
        )
    return low, high


def _cut(below: float, above: float) -> float:
    """The middle of two scores; ``below < cut <= above`` even if no double lies between them."""
    below, above = float(below), float(above)
    middle = below / 2 + above / 2
    return middle if below < middle <= above else above


def _area(ranking: Ranking, inside: slice) -> float:
    """Chord minus curve, in units of the ROC square: half the pairs inside minus those won."""
    pos, neg = ranking.pos[inside], ranking.neg[inside]
    if ranking.weighted:
        twice_wins = float(np.sum(pos * (2 * (np.cumsum(neg) - neg) + neg)))
    else:
        part = Ranking.from_groups(ranking.scores[inside], pos, neg)
        twice_wins = part.summary.twice_wins
    square = ranking.pos.sum().item() * ranking.neg.sum().item()
    pairs = pos.sum().item() * neg.sum().item()
    return (pairs - twice_wins) / (2 * square) if square else math.nan
