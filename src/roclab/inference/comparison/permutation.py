"""Permutation tests for differences of AUCs.

Each function returns the differences under random exchanges that leave the distribution unchanged
if the null hypothesis is true; `permutation_pvalue` compares the observed difference with them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.errors import InputError
from roclab.inference.estimation.resampling import Draws
from roclab.ranking import Ranking

_Differences = npt.NDArray[np.float64]


def exchange_labels(ranking: Ranking, draws: Draws) -> _Differences:
    """AUC minus one half with shuffled labels."""
    _refuse_weights(ranking)
    counts = np.column_stack([ranking.pos, ranking.neg])
    positive = np.tile(np.array([1, 0], np.uint8), len(counts)).repeat(counts.ravel())
    ends = np.zeros(len(positive), np.uint8)
    ends[np.cumsum(counts.sum(axis=1)) - 1] = 1
    return _differences(_core.Exchange.labels, positive, np.zeros_like(positive), ends, draws)


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
    return _differences(
        _core.Exchange.columns,
        pooled.labels[pooled.order],
        np.concatenate(column)[pooled.order],
        _ends(pooled.groups[pooled.order]),
        draws,
    )


def exchange_pairs(first: Ranking, second: Ranking, draws: Draws) -> _Differences:
    """AUC of the first model minus AUC of the second, with the ranks of random rows exchanged.

    Both models rank the same rows. Ranks are exchanged, not scores, so the scales may differ.

    References
    ----------
    A. I. Bandos, H. E. Rockette, D. Gur, Statistics in Medicine 24 (2005) 2873-2893.
    """
    _refuse_weights(first, second)
    midranks, labels = [], []
    for ranking in (first, second):
        rows = ranking.rows()
        counts = ranking.pos + ranking.neg
        twice_midranks = 2 * np.cumsum(counts) - counts
        midranks.append(twice_midranks[rows.groups])
        labels.append(rows.labels)
    pooled = Ranking(np.concatenate(labels), np.concatenate(midranks)).rows()
    n = len(labels[0])
    return _differences(
        _core.Exchange.pairs,
        pooled.labels[pooled.order],
        (pooled.order >= n).astype(np.uint8),
        _ends(pooled.groups[pooled.order]),
        draws,
        example=(pooled.order % n).astype(np.uint32),
    )


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


def _differences(
    exchange: _core.Exchange,
    positive: npt.NDArray[np.uint8],
    column: npt.NDArray[np.uint8],
    ends: npt.NDArray[np.uint8],
    draws: Draws,
    *,
    example: npt.NDArray[np.uint32] | None = None,
) -> _Differences:
    n_examples = 0 if example is None else len(example) // 2
    permuter = _core.Permuter(exchange, positive, column, example, ends, n_examples)
    differences = np.empty(draws.n_resamples)
    threads = _core.thread_count()
    for first, count in draws.chunks(4 * len(positive)):
        part = permuter.differences(draws.seed, first, count, threads)
        differences[first : first + count] = part
    return differences


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
