"""The measures that models are chosen by, of many score columns in one go.

`roclab` has them one by one; a study that asks for millions of short columns spends its time in the
calls. A test holds these to those.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One value a row of scores, each such that more is better.

    Attributes
    ----------
    auc, scored, brier, accuracy : ndarray of float
        AUC with ties half; scored AUC; the Brier score times -1; share of scores on the right side
        of one half, which itself is positive.
    """

    auc: Floats
    scored: Floats
    brier: Floats
    accuracy: Floats


def measured(scores: Floats, labels: Labels) -> Measured:
    """The measures of every row of scores; labels are a row for each, or one for all."""
    labels = np.broadcast_to(labels, scores.shape)
    order = np.argsort(scores, axis=1)
    values = np.take_along_axis(scores, order, axis=1)
    positive = np.take_along_axis(labels, order, axis=1)
    n_pos = positive.sum(axis=1)
    pairs = n_pos * (scores.shape[1] - n_pos)
    ranks = np.where(positive, middle_ranks(values), 0.0).sum(axis=1)
    below = np.cumsum(~positive, axis=1)
    sum_below = np.cumsum(np.where(positive, 0.0, values), axis=1)
    leads = np.where(positive, values * below - sum_below, 0.0).sum(axis=1)
    return Measured(
        auc=(ranks - n_pos * (n_pos + 1) / 2) / pairs,
        scored=leads / pairs,
        brier=-np.mean((scores - labels) ** 2, axis=1),
        accuracy=np.mean((scores >= 0.5) == labels, axis=1),
    )


def middle_ranks(values: Floats) -> Floats:
    """Ranks from 1 in every sorted row; equal values share their middle."""
    places = np.arange(values.shape[1])
    rises = values[:, 1:] != values[:, :-1]
    first = np.zeros(values.shape, dtype=np.intp)
    first[:, 1:] = np.where(rises, places[1:], 0)
    last = np.full(values.shape, values.shape[1] - 1, dtype=np.intp)
    last[:, :-1] = np.where(rises, places[:-1], values.shape[1] - 1)
    first = np.maximum.accumulate(first, axis=1)
    last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    return (first + last) / 2 + 1
