"""Scores that divide rows into bins."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core

Array = npt.NDArray[Any]

_ROUNDING = 1e-6  # of shares


def quantile_cuts(sample: Array, bins: int, weights: Array | None = None) -> Array:
    """Scores that divide a sample into bins of about the same size or weight, ascending.

    Between two neighbours, and beyond the first and the last, there is at most a share of
    ``1 / bins`` of the sample.
    """
    ones = np.ones(len(sample), np.uint8)
    scores: Array
    counts: Array
    if weights is None:
        scores, counts, _ = _core.group_scores(ones, sample, _core.thread_count())
    else:
        scores, counts, *_ = _core.group_weighted(ones, sample, weights, _core.thread_count())
    if len(scores) <= bins:
        return scores
    ranks = np.cumsum(counts)
    wanted = np.arange(1, bins) * (float(ranks[-1]) / bins)
    places = np.searchsorted(ranks, wanted)
    return scores[np.flatnonzero(np.bincount(places, minlength=len(scores)))]


def finer_cuts(
    cuts: Array, pos: Array, neg: Array, sample: Array, *, max_error: float, most: int
) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Further cuts at sampled scores, where bins have too many pairs of unknown order.

    A bin with the shares p of all positives and n of all negatives adds p n / 2 to the error.
    If that is at most ``max_error (p + n) / 2`` in every bin, the sum is at most `max_error`.
    Bins with more are divided so that p + n is about ``2 max_error`` in each part; up to
    ``4 max_error`` suffices.

    Parameters
    ----------
    cuts : ndarray
        Scores that separate the bins, ascending.
    pos, neg : ndarray
        Shares of the positives and of the negatives in each slot: below the first cut, at it,
        above it, at the next one and so on.
    sample : ndarray
        Scores of some rows.
    max_error : float
        Error that is asked.
    most : int
        Largest number of cuts.

    Returns
    -------
    finer : ndarray
        All cuts, in the type of the sample, about `most` of them at most.
    coarse : ndarray of bool
        For each slot of these cuts, whether it belongs to a bin that was divided, or would have
        been if the sample had scores inside.
    """
    shares = pos + neg
    coarse = pos * neg > max_error * (1 - _ROUNDING) * shares
    coarse[1::2] = False
    old = cuts.astype(sample.dtype)
    counter = _core.SlotCounter(old, _core.thread_count())
    slots = counter.locate(np.ones(len(sample), np.uint8), sample)
    inside = coarse[slots]
    # Sampled rows have no weights, but their bins have.
    weights = (shares / np.maximum(counter.counts(True), 1))[slots[inside]]
    bins = math.ceil(float(shares[coarse].sum()) / (2 * max_error))
    chosen = quantile_cuts(sample[inside], max(min(bins, most - len(old)), 2), weights)
    both = np.concatenate([old, chosen])
    finer: Array = _core.group_scores(np.ones(len(both), np.uint8), both, 1)[0]
    divided = np.zeros(2 * len(finer) + 1, np.bool_)
    divided[0], divided[2::2] = coarse[0], coarse[2 * np.searchsorted(old, finer, side="right")]
    return finer, divided
