"""Unpruned trees after Quinlan's C4.5, several at once over the same rows.

A nominal attribute splits into all its values, a number in two. The split is that of the highest
gain ratio among those whose gain is at least average. A row whose value is missing goes into all
branches, with the share of each as its weight. Trees are not pruned; as in C4.5, a subtree that
makes no fewer errors on the training rows than one leaf is a leaf. Leaves are scored after Laplace,
empty ones as the node above them. The trees differ in the attributes that they may use, and grow
level by level together: numpy's calls cost more than their work on a few hundred rows.

An *entry* is a part of a row in a node, with its weight.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from roclab_studies.gain_ratio_splits import LEAST, NEAR, Entries, Splits, Splitter

SLACK = 1e-3  # of gains and errors, as in C4.5

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.intp]
Labels = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Attributes:
    """Columns of a table.

    Attributes
    ----------
    values : ndarray of float, shape (rows, attributes)
        Numbers, or the number of a nominal value; nan where it is missing.
    sizes : ndarray of int
        How many nominal values an attribute has; 0 for numbers.
    """

    values: Floats
    sizes: Whole

    @property
    def numeric(self) -> Labels:
        """Which attributes are numbers."""
        return self.sizes == 0


@dataclass(kw_only=True, eq=False)
class Level:
    """Nodes of the same depth, of all trees; what a branch is has its number in the next level.

    Attributes
    ----------
    weights : ndarray of float, shape (nodes, 2)
        Training rows, negative and positive.
    attribute : ndarray of int
        What a node splits on; -1 for a leaf.
    cut : ndarray of float
        Numbers up to here go into the first branch, others into the second.
    branch : ndarray of int
        The first branch.
    parent : ndarray of int
        The node above.
    """

    weights: Floats
    parent: Whole
    attribute: Whole = field(init=False)
    cut: Floats = field(init=False)
    branch: Whole = field(init=False)

    def __post_init__(self) -> None:
        self.attribute = np.full(len(self.weights), -1)
        self.cut = np.full(len(self.weights), np.nan)
        self.branch = np.zeros(len(self.weights), dtype=np.intp)


@dataclass(frozen=True, kw_only=True, eq=False)
class Forest:
    """Trees over the same attributes; tree number t begins at node t of the first level."""

    levels: list[Level]
    sizes: Whole

    def scores(self, values: Floats) -> Floats:
        """Chance of being positive, a line for each tree and a column for each row of values."""
        trees, rows = len(self.levels[0].weights), len(values)
        row = np.tile(np.arange(rows), trees)
        target = np.arange(trees * rows)
        node = np.repeat(np.arange(trees), rows)
        weight = np.ones(trees * rows)
        total = np.zeros(trees * rows)
        above = np.zeros(0)
        for depth, level in enumerate(self.levels):
            chance = (level.weights[:, 1] + 1) / (level.weights.sum(axis=1) + 2)
            if depth:
                empty = level.weights.sum(axis=1) <= 0
                chance[empty] = above[level.parent[empty]]
            above = chance
            at_leaf = level.attribute[node] < 0
            ended = target[at_leaf]
            total += np.bincount(ended, weight[at_leaf] * chance[node[at_leaf]], len(total))
            row, target, node, weight = (a[~at_leaf] for a in (row, target, node, weight))
            if not len(row):
                break
            part, node, share = _branches(
                level, self.levels[depth + 1].weights.sum(axis=1), self.sizes, values, row, node
            )
            row, target, weight = row[part], target[part], weight[part] * share
        return total.reshape(trees, rows)


def grow(attributes: Attributes, labels: Labels, usable: Labels) -> Forest:
    """Trees of which number t may use the attributes of line t of `usable`."""
    values, sizes = attributes.values, attributes.sizes
    trees, rows = len(usable), len(values)
    splitter = Splitter(values, sizes)
    row = np.tile(np.arange(rows), trees)
    node = np.repeat(np.arange(trees), rows)
    weight = np.ones(trees * rows)
    tree = np.arange(trees)
    levels: list[Level] = []
    parent = np.full(trees, -1)
    while True:
        level = Level(weights=_class_weights(node, weight, labels[row], len(tree)), parent=parent)
        levels.append(level)
        enough = (level.weights.sum(axis=1) >= 2 * LEAST) & (level.weights.min(axis=1) > 0)
        active = np.flatnonzero(enough)
        if not len(active):
            break
        kept = enough[node]
        row, node, weight = row[kept], node[kept], weight[kept]
        local = np.cumsum(enough) - 1
        entries = Entries(
            row=row,
            node=local[node],
            weight=weight,
            positive=labels[row],
            totals=level.weights[active].sum(axis=1),
        )
        splits = splitter.splits(entries)
        chosen = _chosen(splits, usable[tree[active]])
        level.attribute[active] = chosen
        level.cut[active] = splits.cut[np.arange(len(active)), chosen]
        width = np.where(level.attribute < 0, 0, sizes[level.attribute])
        width[(level.attribute >= 0) & (width == 0)] = 2
        level.branch = np.cumsum(width) - width
        goes_on = level.attribute[node] >= 0
        row, node, weight = row[goes_on], node[goes_on], weight[goes_on]
        if not len(row):
            break
        known = np.isfinite(values[row, level.attribute[node]])
        next_weights = _known_branch_weights(
            level, sizes, values, row[known], node[known], weight[known], int(width.sum())
        )
        part, node, share = _branches(level, next_weights, sizes, values, row, node)
        row, weight = row[part], weight[part] * share
        parent = np.repeat(np.arange(len(width)), width)
        tree = tree[parent]
    _collapse(levels)
    return Forest(levels=levels, sizes=sizes)


def _class_weights(node: Whole, weight: Floats, positive: Labels, count: int) -> Floats:
    return np.bincount(2 * node + positive, weight, 2 * count).reshape(count, 2)


def _branches(
    level: Level, next_weights: Floats, sizes: Whole, values: Floats, row: Whole, node: Whole
) -> tuple[Whole, Whole, Floats]:
    """Which entry goes on as what node and with which share; a missing value in all branches."""
    attribute = level.attribute[node]
    value = values[row, attribute]
    width = np.where(sizes[attribute] > 0, sizes[attribute], 2)
    known = np.isfinite(value)
    side = np.where(sizes[attribute] > 0, value, value > level.cut[node])
    first = level.branch[node]
    if known.all():
        return np.arange(len(row)), first + side.astype(np.intp), np.ones(len(row))
    sure = np.flatnonzero(known)
    spread = np.flatnonzero(~known)
    part = np.repeat(spread, width[spread])
    place = np.arange(len(part)) - np.repeat(
        np.cumsum(width[spread]) - width[spread], width[spread]
    )
    target = first[part] + place
    node_sums = np.add.reduceat(
        np.append(next_weights, 0.0), np.minimum(level.branch, len(next_weights))
    )
    share = next_weights[target] / node_sums[node[part]]
    worth = share > 0
    return (
        np.concatenate((sure, part[worth])),
        np.concatenate((first[sure] + side[sure].astype(np.intp), target[worth])),
        np.concatenate((np.ones(len(sure)), share[worth])),
    )


def _known_branch_weights(
    level: Level,
    sizes: Whole,
    values: Floats,
    row: Whole,
    node: Whole,
    weight: Floats,
    count: int,
) -> Floats:
    attribute = level.attribute[node]
    value = values[row, attribute]
    side = np.where(sizes[attribute] > 0, value, value > level.cut[node]).astype(np.intp)
    return np.bincount(level.branch[node] + side, weight, count)


def _chosen(splits: Splits, usable: Labels) -> Whole:
    """The attribute of the highest gain ratio whose gain is at least average; -1 if none is."""
    allowed = usable & (splits.gain > NEAR)
    count = allowed.sum(axis=1)
    mean = np.where(allowed, splits.gain, 0.0).sum(axis=1) / np.maximum(count, 1)
    good = allowed & (splits.gain >= mean[:, None] - SLACK)
    highest = np.where(good, splits.ratio, 0.0).max(axis=1, keepdims=True)
    best = np.argmax(good & (splits.ratio >= highest - NEAR), axis=1)
    return np.where(good.any(axis=1), best, -1)


def _collapse(levels: list[Level]) -> None:
    """Make leaves of what makes no fewer errors than a leaf, from the bottom up."""
    errors = levels[-1].weights.min(axis=1)
    for above, level in reversed(list(pairwise(levels))):
        below = np.bincount(level.parent, errors, len(above.weights))
        own = above.weights.min(axis=1)
        useless = (above.attribute >= 0) & (below >= own - SLACK)
        above.attribute[useless] = -1
        errors = np.where(above.attribute >= 0, below, own)
