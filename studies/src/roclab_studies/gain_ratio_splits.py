"""How good every split of every node is, for trees after C4.5.

Nominal attributes, and numbers of few values, are counted by value; other numbers are sorted. An
*entry* is a part of a row in a node, with its weight; a *slot* is one value of one attribute, the
slots of all attributes being numbered through, each with one more for missing values at its end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

LEAST = 2.0  # weight of rows that two branches at least must have
MOST_ASKED = 25.0  # weight that a side of a cut never needs to exceed
FEW = 16  # different numbers that are counted rather than sorted
NEAR = 1e-9  # gains and ratios that differ by less are equal: the first one counts
CELLS = 300_000  # entries times attributes that are sorted in one go

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.intp]
Labels = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Entries:
    """Parts of rows in the nodes that may be split, which are numbered from 0 without gaps."""

    row: Whole
    node: Whole
    weight: Floats
    positive: Labels
    totals: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Splits:
    """A line for each node and a column for each attribute.

    Attributes
    ----------
    gain : ndarray of float
        Entropy that the split takes away; -inf if there is none that may be made.
    ratio : ndarray of float
        The gain divided by the entropy of the branches.
    cut : ndarray of float
        Of a number: halfway between the values that the split keeps apart.
    """

    gain: Floats
    ratio: Floats
    cut: Floats

    @classmethod
    def none(cls, nodes: int, attributes: int) -> Splits:
        """All impossible, to be filled in."""
        shape = nodes, attributes
        return cls(gain=np.full(shape, -np.inf), ratio=np.zeros(shape), cut=np.full(shape, np.nan))

    def put(self, columns: Whole, other: Splits) -> None:
        """Fill in what is known of some attributes."""
        for mine, theirs in zip(
            (self.gain, self.ratio, self.cut), (other.gain, other.ratio, other.cut), strict=True
        ):
            mine[:, columns] = theirs


class Splitter:
    """The attributes of training rows, made ready once for all nodes."""

    def __init__(self, values: Floats, sizes: Whole) -> None:
        numbers = np.flatnonzero(sizes == 0)
        distinct = [np.unique(column[~np.isnan(column)]) for column in values[:, numbers].T]
        few = np.array([len(found) <= FEW for found in distinct], dtype=bool)
        self.nominal, self.few, self.many = np.flatnonzero(sizes), numbers[few], numbers[~few]
        self._width = len(sizes)
        self._nominal = _Slots(values[:, self.nominal], sizes[self.nominal])
        codes = np.empty(values.shape)
        for k, found in zip(numbers, distinct, strict=True):
            codes[:, k] = np.searchsorted(found, values[:, k])
        missing = np.isnan(values)
        ranks = np.where(missing, len(values), codes)[:, self.many]
        self._ranks = np.ascontiguousarray(ranks.T).astype(np.intp)
        self._values = values[:, self.many]
        codes[missing] = np.nan
        own = [found for found, is_few in zip(distinct, few, strict=True) if is_few]
        self._few = _Slots(codes[:, self.few], np.array([len(a) for a in own], dtype=np.intp))
        # What a slot's value is; that of missing values is never asked.
        self._slot_values = np.concatenate([np.append(a, np.nan) for a in own]) if own else None

    def splits(self, entries: Entries) -> Splits:
        """The best split of every node by every attribute."""
        found = Splits.none(len(entries.totals), self._width)
        if len(self.nominal):
            found.put(self.nominal, self._nominal_splits(entries))
        if self._slot_values is not None:
            found.put(self.few, self._counted_cuts(entries, self._slot_values))
        step = max(1, CELLS // max(1, len(entries.row)))
        for at in range(0, len(self.many), step):
            part = slice(at, at + step)
            values, ranks = self._values[:, part], self._ranks[part]
            found.put(self.many[part], _sorted_cuts(entries, values, ranks))
        return found

    def _nominal_splits(self, entries: Entries) -> Splits:
        slots = self._nominal
        count = slots.count(entries)
        branch = count.sum(axis=2)
        within = plogp(branch) - plogp(count).sum(axis=2)
        within[:, slots.missing] = 0
        after = np.add.reduceat(within, slots.start, axis=1)
        classes = slots.known(count)
        before = _impurity(classes.sum(axis=2), classes[:, :, 1])
        totals = entries.totals[:, None]
        gain = (before - after) / totals  # the share of known values times the gain among them
        split = (plogp(totals) - np.add.reduceat(plogp(branch), slots.start, axis=1)) / totals
        large = branch >= LEAST
        large[:, slots.missing] = False
        valid = np.add.reduceat(large, slots.start, axis=1, dtype=np.intp) >= 2
        valid &= split > NEAR
        return Splits(
            gain=np.where(valid, gain, -np.inf),
            ratio=np.where(valid, gain / np.where(valid, split, 1), 0),
            cut=np.full(gain.shape, np.nan),
        )

    def _counted_cuts(self, entries: Entries, values: Floats) -> Splits:
        slots = self._few
        count = slots.count(entries)
        classes = slots.known(count)
        known, positive = classes.sum(axis=2), classes[:, :, 1]
        present = count.sum(axis=2) > 0
        sums = np.cumsum(count, axis=1)
        before = sums[:, slots.start] - count[:, slots.start]
        open_to_cuts = present.copy()
        open_to_cuts[:, slots.missing] = False
        node, slot = np.nonzero(open_to_cuts)
        where = node, slots.owner[slot]
        sides = sums[node, slot] - before[where]
        best = _best_cuts(entries.totals, known, positive, where, sides.sum(axis=1), sides[:, 1])
        # The next value that is there: known, since a cut has something above it.
        places = np.where(present, np.arange(present.shape[1]), present.shape[1])
        later = np.minimum.accumulate(places[:, ::-1], axis=1)[:, ::-1]
        low = slot[best.place]
        high = later[node[best.place], low + 1]
        return best.splits(known.shape, (values[low] + values[high]) / 2)


class _Slots:
    """Values of some attributes, numbered through."""

    def __init__(self, codes: Floats, sizes: Whole) -> None:
        self.start = np.cumsum(sizes + 1) - (sizes + 1)
        self.missing = self.start + sizes
        self.owner = np.repeat(np.arange(len(sizes)), sizes + 1)
        self._of_row = (self.start + np.where(np.isnan(codes), sizes, codes)).astype(np.intp)

    def count(self, entries: Entries) -> Floats:
        """Weights by node, slot and class."""
        nodes, width = len(entries.totals), len(self.owner)
        head = 2 * width * entries.node + entries.positive
        places = head[:, None] + 2 * self._of_row[entries.row]
        weights = np.repeat(entries.weight, places.shape[1])
        count = np.bincount(places.ravel(), weights, 2 * width * nodes)
        return count.reshape(nodes, width, 2)

    def known(self, count: Floats) -> Floats:
        """Weights by node, attribute and class of values that are not missing."""
        return np.asarray(np.add.reduceat(count, self.start, axis=1) - count[:, self.missing])


def _sorted_cuts(entries: Entries, values: Floats, ranks: Whole) -> Splits:
    """The best cuts of these attributes; missing values have the highest rank in every node."""
    # Node, rank and entry in one number: to sort that is faster than to sort places by it.
    entry_bits, rank_bits = len(entries.row).bit_length(), len(values).bit_length()
    head = (entries.node << (rank_bits + entry_bits)) + np.arange(len(entries.row))
    key = np.sort((ranks[:, entries.row] << entry_bits) + head, axis=1)
    order = key & ((1 << entry_bits) - 1)
    rank = (key >> entry_bits) & ((1 << rank_bits) - 1)
    node = key[0] >> (rank_bits + entry_bits)  # that of all attributes, since it comes first
    starts = np.searchsorted(node, np.arange(len(entries.totals)))
    ends = np.append(starts[1:], len(node))
    known = rank < len(values)
    weight = np.where(known, entries.weight[order], 0.0)
    sums, sums_pos = (
        np.cumsum(np.pad(w, ((0, 0), (1, 0))), axis=1)
        for w in (weight, np.where(entries.positive[order], weight, 0.0))
    )
    all_known, all_pos = ((s[:, ends] - s[:, starts]).T for s in (sums, sums_pos))
    # A cut may be after an entry whose follower in the node has a higher value.
    which, at = np.nonzero((rank[:, 1:] > rank[:, :-1]) & known[:, 1:] & (node[1:] == node[:-1]))
    where = node[at], which
    left, left_pos = (s[which, at + 1] - s[which, starts[where[0]]] for s in (sums, sums_pos))
    best = _best_cuts(entries.totals, all_known, all_pos, where, left, left_pos)
    which, at = which[best.place], at[best.place]
    low, high = (values[entries.row[order[which, at + one]], which] for one in (0, 1))
    return best.splits(all_known.shape, (low + high) / 2)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Best:
    """The best of several cuts for some nodes and attributes: which, and how good."""

    place: Whole
    where: tuple[Whole, Whole]
    gain: Floats
    ratio: Floats

    def splits(self, shape: tuple[int, int], cuts: Floats) -> Splits:
        found = Splits.none(*shape)
        found.gain[self.where], found.ratio[self.where] = self.gain, self.ratio
        found.cut[self.where] = cuts
        return found


def _best_cuts(
    totals: Floats,
    known: Floats,
    positive: Floats,
    where: tuple[Whole, Whole],
    left: Floats,
    left_pos: Floats,
) -> _Best:
    """Of the cuts of each node and attribute that leave enough on both sides, the best one.

    `where` is the node and the attribute of a cut; those of the same two follow one another.
    """
    asked = np.clip(0.1 * known / 2, LEAST, MOST_ASKED)[where] - 1e-9
    fits = np.flatnonzero((left >= asked) & (known[where] - left >= asked))
    where = where[0][fits], where[1][fits]
    left, left_pos = left[fits], left_pos[fits]
    if not len(fits):
        return _Best(place=fits, where=where, gain=left, ratio=left)
    right, right_pos = known[where] - left, positive[where] - left_pos
    after = _impurity(left, left_pos) + _impurity(right, right_pos)
    first = np.flatnonzero(np.diff(where[0] * known.shape[1] + where[1], prepend=-1))
    tried = np.diff(first, append=len(fits))
    least = np.minimum.reduceat(after, first)
    best = np.flatnonzero(after <= np.repeat(least, tried) + NEAR)
    best = best[np.searchsorted(best, first)]
    where = where[0][best], where[1][best]
    total, lower, all_known = totals[where[0]], left[best], known[where]
    # What it costs to say which cut it is: Quinlan (1996).
    price = np.log2(tried) / total
    gain = (_impurity(all_known, positive[where]) - least) / total - price
    parts = (lower, all_known - lower, np.maximum(total - all_known, 0))
    split = (plogp(total) - sum(plogp(part) for part in parts)) / total
    return _Best(place=fits[best], where=where, gain=gain, ratio=gain / split)


def plogp(weights: Floats) -> Floats:
    """Weights times their binary logarithms, 0 of 0."""
    return np.asarray(weights * np.log2(np.where(weights > 0, weights, 1.0)))


def _impurity(weight: Floats, positive: Floats) -> Floats:
    """Entropy of the classes times the weight."""
    return plogp(weight) - plogp(positive) - plogp(np.maximum(weight - positive, 0))
