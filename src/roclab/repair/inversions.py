"""Concavities of a ROC curve, and the test on other data whether they are inversions."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from roclab.curves import Concavity, roc_hull
from roclab.data.ranking import Ranking, as_ranking
from roclab.errors import DegenerateIntervalWarning, InputError
from roclab.inference import compare_to_value
from roclab.inference.comparison.multiplicity import adjusted_pvalues

_FEWEST = 2  # checked examples of each class that a test needs


def concavities(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    check: Ranking | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> tuple[Concavity, ...]:
    """Sections of scores in which the ROC curve runs below its hull, with an optional test.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    check : Ranking, optional
        Examples that were used neither to train the model nor to find the sections. With them each
        section has a p-value.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    tuple of Concavity
        From high to low scores. `pvalue` is nan without `check`, and if `check` has fewer than two
        examples of a class in the section.

    Notes
    -----
    The data in which a section was found cannot test it: it was selected for lying below its
    chord, and a test on the same data calls nearly every model inverted somewhere. With `check` the
    null hypothesis is that the AUC of the checked examples inside the section is one half or more;
    the test is the one-sided Mann-Whitney test (`compare_to_value` with ``method="score"``), and
    p-values are adjusted by Holm's method for the number of sections tested.

    O(n log n), and O(n) per section with a weighted `check`.

    References
    ----------
    P. Flach, S. Wu, Repairing concavities in ROC curves, IJCAI 2005.

    Examples
    --------
    >>> found = concavities([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])
    >>> found[0].low, found[0].high, round(found[0].area, 6), found[0].pvalue
    (0.4, 0.9, 0.222222, nan)
    >>> other = Ranking([0, 0, 0, 1, 1, 1], [0.8, 0.7, 0.6, 0.5, 0.5, 0.4])
    >>> found = concavities([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2], check=other)
    >>> round(found[0].pvalue, 4)
    0.0232
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    found = roc_hull(ranking).concavities
    return found if check is None else tested(found, check)


def tested(stretches: Sequence[Concavity], check: Ranking) -> tuple[Concavity, ...]:
    """The sections with p-values from other data, adjusted for their number."""
    if not isinstance(check, Ranking):
        raise InputError(
            found="{check} is a {kind}",
            needed="a Ranking of data not used to find the sections is needed",
            fix="Make it with Ranking(y_true, y_score).",
            kind=type(check).__name__,
        )
    pvalues = adjusted_pvalues([_pvalue(one, check) for one in stretches], "holm")
    return tuple(
        replace(one, pvalue=pvalue) for one, pvalue in zip(stretches, pvalues, strict=True)
    )


def _pvalue(stretch: Concavity, check: Ranking) -> float:
    inside = check.between(stretch.low, stretch.high)
    if min(inside.n_pos, inside.n_neg) < _FEWEST:
        return math.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateIntervalWarning)
        return compare_to_value(inside, alternative="less", method="score").pvalue
