"""Multiple testing: adjusted p-values, and groups without significant differences."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
# There can be up to 3^(n/3), too many to be useful.
_MOST_GROUPS = 200


def adjusted_pvalues(pvalues: Sequence[float], correction: str) -> list[float]:
    """Adjust p-values for multiple testing.

    Parameters
    ----------
    pvalues : sequence of float
        In any order. nan marks an undefined test: it stays nan and is not counted.
    correction : {"holm", "fdr", "none"}
        Holm's, which controls the family-wise error rate, or Benjamini and Hochberg's, which
        controls the false discovery rate.

    References
    ----------
    S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70.
    Y. Benjamini, Y. Hochberg, Journal of the Royal Statistical Society B 57 (1995) 289-300.

    Examples
    --------
    >>> adjusted_pvalues([0.01, 0.04, 0.04, 0.5], "holm")
    [0.04, 0.12, 0.12, 0.5]
    >>> adjusted_pvalues([0.01, 0.04, 0.04, 0.5], "fdr")
    [0.04, 0.05333333333333334, 0.05333333333333334, 0.5]
    """
    adjusted = list(pvalues)
    if correction == "none":
        return adjusted
    known = [test for test, pvalue in enumerate(pvalues) if not math.isnan(pvalue)]
    ascending = sorted(known, key=lambda test: pvalues[test])
    count = len(ascending)
    if correction == "holm":
        least = 0.0
        for place, test in enumerate(ascending):
            least = max(least, min(1.0, (count - place) * pvalues[test]))
            adjusted[test] = least
    else:
        most = 1.0
        for place in reversed(range(count)):
            test = ascending[place]
            most = min(most, count * pvalues[test] / (place + 1))
            adjusted[test] = most
    return adjusted


def simes_pvalue(pvalues: Sequence[float]) -> float:
    """p-value of the null hypothesis that none of the tests has found a difference.

    Undefined tests (nan) are not counted; nan if all are. 1 without tests.

    References
    ----------
    R. J. Simes, Biometrika 73 (1986) 751-754.

    Examples
    --------
    >>> simes_pvalue([0.5, 0.02, 0.03])
    0.045
    """
    if not pvalues:
        return 1.0
    ascending = sorted(pvalue for pvalue in pvalues if not math.isnan(pvalue))
    count = len(ascending)
    ranked = (count * pvalue / rank for rank, pvalue in enumerate(ascending, start=1))
    return min(ranked, default=math.nan)


def indistinct_groups(apart: Sequence[Sequence[bool]]) -> list[list[int]]:
    """Maximal sets of members without significant differences.

    Parameters
    ----------
    apart : sequence of sequences of bool
        Which members differ significantly from which; symmetric.

    Returns
    -------
    list of list of int
        Each set ascending, and the sets in lexical order. If there are more than 200, a subset of
        them in which two members still share a set if and only if they do not differ significantly.

    Examples
    --------
    >>> indistinct_groups([[False, False, True], [False, False, False], [True, False, False]])
    [[0, 1], [1, 2]]
    """
    size = len(apart)
    near = [
        sum(1 << b for b in range(size) if b != a and not apart[a][b]) for a in range(size)
    ]  # bit b of near[a]: a and b do not differ significantly
    found = list(itertools.islice(_largest_sets(near), _MOST_GROUPS + 1))
    if len(found) > _MOST_GROUPS:
        found = list(_enough_sets(near))
    return sorted(_members(group) for group in found)


def group_letters(groups: Sequence[Sequence[int]], size: int) -> list[str]:
    """Letters of each member, one per group: members of the same group share a letter.

    From the 27th group on, letters have a number.

    Examples
    --------
    >>> group_letters([[0, 1], [1, 2]], 3)
    ['a', 'ab', 'b']
    """
    letters = [""] * size
    for number, group in enumerate(groups):
        turn, place = divmod(number, len(_ALPHABET))
        for member in group:
            letters[member] += _ALPHABET[place] + (str(turn + 1) if turn else "")
    return letters


def lettered_groups(
    names: Sequence[str],
    values: npt.NDArray[np.float64],
    adjusted: Mapping[tuple[int, int], float],
    error: float,
    better: str = "higher",
) -> tuple[tuple[tuple[str, ...], ...], list[str]]:
    """Groups of names without significant differences, best first, and the letters of each model.

    Parameters
    ----------
    names, values
        Models and their values. If one is nan there are no groups.
    adjusted : mapping of pairs of int to float
        Adjusted p-value of each pair of models, the lower number first.
    error : float
        Significance level.
    better : {"higher", "lower"}
        Which values are better.
    """
    if np.isnan(values).any():
        return (), [""] * len(names)
    sign = 1 if better == "lower" else -1
    best_first = sorted(range(len(names)), key=lambda model: sign * values[model])
    apart = [
        [a != b and adjusted[min(a, b), max(a, b)] < error for b in best_first] for a in best_first
    ]
    groups = [[best_first[place] for place in group] for group in indistinct_groups(apart)]
    found = tuple(tuple(names[model] for model in group) for group in groups)
    return found, group_letters(groups, len(names))


def _largest_sets(near: Sequence[int]) -> Iterator[int]:
    """Maximal cliques as bit sets: Bron and Kerbosch with a pivot, without recursion."""
    stack = [(0, (1 << len(near)) - 1, 0)] if near else []
    while stack:
        chosen, open_, closed = stack.pop()
        if not open_ and not closed:
            yield chosen
            continue
        pivot = max(_members(open_ | closed), key=lambda a: (open_ & near[a]).bit_count())
        for a in _members(open_ & ~near[pivot]):
            stack.append((chosen | 1 << a, open_ & near[a], closed & near[a]))
            open_ &= ~(1 << a)
            closed |= 1 << a


def _enough_sets(near: Sequence[int]) -> Iterator[int]:
    """Maximal cliques that cover all pairs of neighbours and all members."""
    missing = list(near)
    covered = 0
    for a in range(len(near)):
        while missing[a] or not covered >> a & 1:
            group, open_ = 1 << a, near[a]
            # A neighbour not yet covered comes first, then any that fits.
            while open_:
                b = _members(open_ & missing[a] or open_)[0]
                group |= 1 << b
                open_ &= near[b]
            for b in _members(group):
                missing[b] &= ~group
            covered |= group
            yield group


def _members(bits: int) -> list[int]:
    return [a for a in range(bits.bit_length()) if bits >> a & 1]
