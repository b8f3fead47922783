"""Permutation tests for differences of AUCs.

Each function returns the differences under random exchanges that leave the distribution unchanged
if the null hypothesis is true; `permutation_pvalue` compares the observed difference with them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.data.ranking import Ranking
from roclab.errors import InputError
from roclab.inference.estimation.resampling import Draws

_Differences = npt.NDArray[np.float64]
_Integers = npt.NDArray[np.int64]


def exchange_labels(ranking: Ranking, draws: Draws) -> _Differences:
    """AUC minus one half with shuffled labels."""
    _refuse_weights(ranking)
    counts = np.column_stack([ranking.pos, ranking.neg])
    positive = np.tile(np.array([1, 0], np.uint8), len(counts)).repeat(counts.ravel())
    ends = np.zeros(len(positive), np.uint8)
    ends[np.cumsum(counts.sum(axis=1)) - 1] = 1
    columns = np.zeros_like(positive)
    permuter = _core.Permuter(_core.Exchange.labels, positive, columns, None, ends, 0)
    return _differences(permuter, len(positive), draws)


def exchange_columns(first: Ranking, second: Ranking, draws: Draws) -> _Differences:
    """AUC of the first sample minus AUC of the second, with the examples of each class reassigned.

    The scores of both samples must be on the same scale.
    """
    _refuse_weights(first, second)
    labels, scores, column = [], [], []
    for source, ranking in enumerate((first, second)):
        for label, counts in ((1, ranking.pos), (0, ranking.neg)):
            scores.append(ranking.scores.repeat(counts))
            labels.append(np.full(len(scores[-1]), label, np.uint8))
            column.append(np.full(len(scores[-1]), source, np.uint8))
    pooled = Ranking(np.concatenate(labels), np.concatenate(scores)).rows()
    permuter = _core.Permuter(
        _core.Exchange.columns,
        pooled.labels[pooled.order],
        np.concatenate(column)[pooled.order],
        None,
        _ends(pooled.groups[pooled.order]),
        0,
    )
    return _differences(permuter, len(pooled.order), draws)


def exchange_pairs(first: Ranking, second: Ranking, draws: Draws) -> _Differences:
    """AUC of the first model minus AUC of the second, with the ranks of random rows exchanged.

    Both models rank the same rows. Ranks are exchanged, not scores, so the scales may differ.

    References
    ----------
    A. I. Bandos, H. E. Rockette, D. Gur, Statistics in Medicine 24 (2005) 2873-2893.
    """
    _refuse_weights(first, second)
    columns, labels = [twice_midranks(first), twice_midranks(second)], first.rows().labels
    return _differences(_pairs(columns, labels), 2 * len(labels), draws)


def samples_exchanged(first: Ranking, second: Ranking) -> _core.Permuter:
    """Exchanges of `exchange_columns`, but of ranks: the scores may be on different scales.

    A rank is a mean of the distribution functions of both classes of its sample, so that the
    proportions of the classes may differ. The order of the samples does not matter.
    """
    if (second.n_pos, second.n_neg) < (first.n_pos, first.n_neg):
        first, second = second, first
    labels, ranks = [], []
    for ranking, other in ((first, second), (second, first)):
        pos, neg = ranking.pos, ranking.neg
        rank = (2 * np.cumsum(pos) - pos) * ranking.n_neg + (
            2 * np.cumsum(neg) - neg
        ) * ranking.n_pos
        rank *= other.n_pos * other.n_neg
        for label, counts in ((1, pos), (0, neg)):
            ranks.append(rank.repeat(counts))
            labels.append(np.full(len(ranks[-1]), label, np.uint8))
    pooled = Ranking(np.concatenate(labels), np.concatenate(ranks)).rows()
    positive = pooled.labels[pooled.order]
    column = np.empty(len(positive), np.uint8)
    for label, count in ((1, first.n_pos), (0, first.n_neg)):
        column[positive == label] = np.arange(np.count_nonzero(positive == label)) >= count
    ends = _ends(pooled.groups[pooled.order])
    return _core.Permuter(_core.Exchange.columns, positive, column, None, ends, 0)


def permutation_pvalue(observed: float, exchanged: _Differences, alternative: str) -> float:
    """Proportion of permutations with a difference at least as extreme as the observed one.

    The observed data count as one permutation, so the p-value is never 0.
    """
    # Differences that are equal as fractions may differ by rounding.
    least = -1e-12
    if alternative == "two-sided":
        extreme = abs(exchanged) - abs(observed) >= least
    elif alternative == "greater":
        extreme = exchanged - observed >= least
    else:
        extreme = observed - exchanged >= least
    return (1 + int(np.count_nonzero(extreme))) / (1 + len(exchanged))


def _differences(permuter: _core.Permuter, entries: int, draws: Draws) -> _Differences:
    differences = np.empty(draws.n_resamples)
    threads = _core.thread_count()
    for first, count in draws.chunks(4 * entries):
        part = permuter.differences(draws.seed, first, count, threads)
        differences[first : first + count] = part
    return differences


def twice_midranks(ranking: Ranking) -> _Integers:
    """Twice the rank of each row, the mean rank if tied."""
    ranking.prepare(rows=True)
    counts = ranking.pos + ranking.neg
    twice = 2 * np.cumsum(counts) - counts
    return np.asarray(twice[ranking.rows().groups], np.int64)


def _pairs(columns: list[_Integers], labels: npt.NDArray[np.uint8]) -> _core.Permuter:
    """Exchanges of the ranks of rows between two columns."""
    pooled = Ranking(np.tile(labels, 2), np.concatenate(columns)).rows()
    n = len(labels)
    return _core.Permuter(
        _core.Exchange.pairs,
        pooled.labels[pooled.order],
        (pooled.order >= n).astype(np.uint8),
        (pooled.order % n).astype(np.uint32),
        _ends(pooled.groups[pooled.order]),
        n,
    )


def _ends(groups: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """1 for the last entry of each group, otherwise 0."""
    ends = np.ones(len(groups), np.uint8)
    ends[:-1] = groups[1:] != groups[:-1]
    return ends


def _refuse_weights(*rankings: Ranking) -> None:
    if any(ranking.weighted for ranking in rankings):
        raise InputError(
            found="{method=}'permutation' does not support {sample_weight}",
            fix="Leave out {sample_weight}, or choose {method=}'delong' or 'bootstrap'.",
        )
