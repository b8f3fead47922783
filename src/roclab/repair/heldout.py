"""Rows that are held out, class by class, and cut into folds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError

__all__ = ["HeldOut", "held_out"]

Rows = npt.NDArray[np.intp]


class HeldOut(NamedTuple):
    """Rows by what they are for.

    Attributes
    ----------
    others : ndarray of int
        The rows that are not held out, ascending.
    folds : tuple of ndarray of int
        The rows that are, in folds that each have both classes.
    """

    others: Rows
    folds: tuple[Rows, ...]


def held_out(
    truth: npt.NDArray[np.intp],
    *,
    folds: int,
    share: float,
    remaining: int,
    rng: np.random.RandomState,
) -> HeldOut:
    """Hold out a share of each class, and at least one row of each for every fold.

    Parameters
    ----------
    truth : ndarray of int
        0 and 1; other rows, such as those of weight 0, belong to nothing.
    folds : int
        Number of folds of held-out rows.
    share : float
        Of the rows of each class.
    remaining : int
        Rows of each class that must not be held out.
    rng : RandomState
        Which rows.
    """
    # The number of the fold; 0 for rows that are not held out.
    chosen = np.where((truth == 0) | (truth == 1), 0, -1)
    for label in (0, 1):
        rows = rng.permutation(np.flatnonzero(truth == label))
        count = max(folds, round(share * len(rows)))
        if len(rows) - count < remaining:
            raise InputError(
                f"A class has {len(rows)} row{'s' * (len(rows) != 1)} with weight; {count} of them "
                f"would be held out for validation, and {remaining} more are needed for the folds "
                "of cv. Use fewer folds, a smaller validation_size or more data."
            )
        chosen[rows[:count]] = 1 + np.arange(count) % folds
    return HeldOut(
        others=np.flatnonzero(chosen == 0),
        folds=tuple(np.flatnonzero(chosen == number) for number in range(1, folds + 1)),
    )
