"""The content of a serialized summary, and the checks of what it may say."""

from __future__ import annotations

import math
import struct

from roclab import _core

# Little-endian: weighted; examples of each class; 2U, 4A, 4B in 128 bits each; the
# floating-point sums.
_FORMAT = struct.Struct(f"<B2Q16s16s16s{_core.REALS}d")
_ROUNDING = 1e-6  # of sums in bytes
_LARGEST = 1e300  # above all sums: weights are at most 1e60, and rows fewer than 2^64


def summary_bytes(summary: _core.RangeSummary) -> bytes:
    """The numbers of a summary, in the same bytes on every machine."""
    counts = summary.counts
    wide = (
        value.to_bytes(16, "little")
        for value in (counts.twice_wins, counts.pos_moment, counts.neg_moment)
    )
    return _FORMAT.pack(summary.weighted, counts.pos, counts.neg, *wide, *summary.reals())


def restored_summary(content: bytes) -> _core.RangeSummary:
    """The summary written by `summary_bytes`; a ValueError if no sample has such numbers."""
    weighted, pos, neg, *rest = _FORMAT.unpack(content)
    wins, *moments = (int.from_bytes(value, "little") for value in rest[:3])
    reals = rest[3:]
    possible = _can_be_sums if weighted else _can_be_counts
    # As many pairs as `_of` allows, a range of scores, and sums that bound each other.
    if (
        weighted not in (0, 1)
        or 4 * pos * neg * max(pos, neg) >= 2**128
        or (pos + neg > 0 and not reals[-3] <= reals[-2])
        or not possible(pos, neg, *(reals if weighted else (wins, *moments)))
    ):
        raise ValueError("its numbers contradict each other")
    pos_moment, neg_moment = moments
    return _core.RangeSummary.restore(bool(weighted), pos, neg, wins, pos_moment, neg_moment, reals)


def _can_be_counts(n_pos: int, n_neg: int, twice_wins: int, *moments: int) -> bool:
    """Whether twice the placements of each class can have this sum and these sums of squares.

    A sum of squares is at most the sum times the largest value, and at least the squared sum over
    the number of values.
    """
    return twice_wins <= 2 * n_pos * n_neg and all(
        twice_wins**2 <= n * moment <= 2 * n_pos * n_neg * twice_wins and (n > 0 or moment == 0)
        for n, moment in zip((n_pos, n_neg), moments, strict=True)
    )


def _can_be_sums(n_pos: int, n_neg: int, *reals: float) -> bool:
    """Whether weight sums and sums of lost weights are possible, up to rounding."""
    pos, neg, pos_sq, neg_sq, pos_cross, neg_cross, losses, *of_losses = reals[:11]
    if not all(0 <= value < _LARGEST for value in reals[:11]):
        return False
    limit = 1 + _ROUNDING
    classes = (
        (n_pos, pos, pos_sq, pos_cross, *of_losses[::2], neg),
        (n_neg, neg, neg_sq, neg_cross, *of_losses[1::2], pos),
    )
    return losses <= limit * pos * neg and all(
        (n == 0) == (mass == 0)
        and squares <= limit * mass * mass <= limit**2 * n * squares
        and abs(mass * mass - squares - cross) <= _ROUNDING * mass * mass
        and loss <= limit * math.sqrt(squares) * math.sqrt(loss_sq)
        and loss_sq <= limit * other * loss
        and loss <= limit * other * squares
        for n, mass, squares, cross, loss, loss_sq, other in classes
    )
