"""Stratified hold-out rows, split into folds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError

Rows = npt.NDArray[np.intp]


class HeldOut(NamedTuple):
    """Held-out rows and the others.

    Attributes
    ----------
    others : ndarray of int
        The rows that are not held out, ascending.
    folds : tuple of ndarray of int
        The held-out rows, in folds that each have both classes.
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
        0 and 1; other rows, such as those of weight 0, are ignored.
    folds : int
        Number of folds of held-out rows.
    share : float
        Share of the rows of each class.
    remaining : int
        Number of rows of each class that must not be held out.
    rng : RandomState
        Random state.
    """
    # The number of the fold; 0 for rows that are not held out.
    chosen = np.where((truth == 0) | (truth == 1), 0, -1)
    for label in (0, 1):
        rows = rng.permutation(np.flatnonzero(truth == label))
        count = max(folds, round(share * len(rows)))
        if len(rows) - count < remaining:
            raise InputError(
                found="A class has {rows} with weight, and {count} of them would be held out for "
                "validation",
                needed="{remaining} more are needed for the folds of {cv}",
                fix="Use fewer folds, a smaller {validation_size} or more data.",
                rows=f"{len(rows)} row{'s' * (len(rows) != 1)}",
                count=count,
                remaining=remaining,
            )
        chosen[rows[:count]] = 1 + np.arange(count) % folds
    return HeldOut(
        others=np.flatnonzero(chosen == 0),
        folds=tuple(np.flatnonzero(chosen == number) for number in range(1, folds + 1)),
    )
