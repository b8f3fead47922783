"""A fitted tree of AUC splits: its nodes as arrays, and as text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.formatting import listed
from roclab.result import Record

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

_BY_CATEGORY = ("category", "category_to")
_TYPES = {
    **dict.fromkeys(("feature", "children", "missing_to", "unseen_to", "depth"), np.dtype("int32")),
    **dict.fromkeys(("first_child", "rows", "categories_end"), np.dtype("int64")),
    **dict.fromkeys(("threshold", "pos", "neg", "gain", "category"), np.dtype("float64")),
    "category_to": np.dtype("int32"),
}


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SplitTree(Record):
    """Nodes of a tree, level by level, with the children of a node adjacent.

    Attributes
    ----------
    feature : ndarray of int32
        Feature of the split; -1 for a leaf.
    threshold : ndarray of float64
        Numbers up to this go to the first child, others to the second; nan for a categorical split.
    first_child : ndarray of int64
        Index of the first child; -1 for a leaf.
    children : ndarray of int32
        Number of children.
    missing_to : ndarray of int32
        Child for missing values.
    unseen_to : ndarray of int32
        Child for categories that were not seen in training: the one of largest weight.
    pos, neg : ndarray of float64
        Weight of the positives and of the negatives.
    rows : ndarray of int64
        Number of training rows.
    depth : ndarray of int32
        Depth of the node; 0 for the root.
    gain : ndarray of float64
        Contribution of the split to the AUC of the tree: the proportion of all pairs that are in
        the node, times the AUC of the split minus one half.
    categories_end : ndarray of int64
        End of the categories of a node in the two arrays that follow; those of the next node begin
        there.
    category : ndarray of float64
        Codes of categories.
    category_to : ndarray of int32
        Child for the category.
    """

    feature: Places
    threshold: Floats
    first_child: Ints
    children: Places
    missing_to: Places
    unseen_to: Places
    pos: Floats
    neg: Floats
    rows: Ints
    depth: Places
    gain: Floats
    categories_end: Ints
    category: Floats
    category_to: Places

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.feature < 0).sum())

    @property
    def max_depth(self) -> int:
        """Depth of the tree: the largest number of splits from the root to a leaf."""
        return int(self.depth.max())

    def __repr__(self) -> str:
        return (
            f"SplitTree({len(self.feature)} nodes, {self.n_leaves} leaves, depth {self.max_depth})"
        )

    def problem(self, n_features: int) -> str | None:
        """What is wrong with the tree, given the number of features; None if it is valid.

        The core does not check the arrays, so that a tree from a file is checked before its use.

        Parameters
        ----------
        n_features : int
            Number of features.
        """
        nodes = len(self.feature) if isinstance(self.feature, np.ndarray) else 0
        for name, array in vars(self).items():
            whole = isinstance(array, np.ndarray) and array.ndim == 1
            if not whole or array.dtype != _TYPES[name] or not array.flags.c_contiguous:
                return f"{name} is not an array of {_TYPES[name]}"
            if len(array) != (len(self.category) if name in _BY_CATEGORY else nodes):
                return f"{name} has {len(array)} elements"
        if nodes == 0:
            return "it has no nodes"
        ends, last = self.categories_end, len(self.category)
        # Between their limits first: differences of other numbers may overflow.
        listed = ((ends >= 0) & (ends <= last)).all() and ends[-1] == last
        if not listed or (np.diff(ends) < 0).any():
            return "its categories are not those of its nodes"
        split = self.feature >= 0
        first, ways = self.first_child[split], self.children[split].astype(np.int64)
        sides = np.stack([self.missing_to[split], self.unseen_to[split]])
        owner = np.repeat(self.children, np.diff(ends, prepend=0))
        valid = (
            (self.feature < n_features).all()
            and (ways >= 2).all()
            # Level by level, the children of a node adjacent: each node but the first has a parent.
            and 1 + ways.sum() == nodes
            and (first == 1 + np.cumsum(ways) - ways).all()
            and (first > np.flatnonzero(split)).all()
            and self.depth[0] == 0
            and (self.depth[1:] == np.repeat(self.depth[split] + 1, ways)).all()
            and ((sides >= 0) & (sides < ways)).all()
            and ((self.category_to >= 0) & (self.category_to < owner)).all()
        )
        if not valid:
            return "its nodes are not connected to a tree"
        mass = np.concatenate([self.pos, self.neg])
        if not (np.isfinite(mass) & (mass >= 0)).all() or not np.isfinite(self.gain).all():
            return "its nodes do not have the weights of examples"
        return None

    def leaf_of(self, features: Floats) -> Ints:
        """Index of the leaf of each row.

        Parameters
        ----------
        features : ndarray of shape (n_rows, n_features)
            Features, nan if missing; categories as their numbers.
        """
        leaves = _core.find_leaves(
            features.reshape(-1),
            features.shape[1],
            self.feature,
            self.threshold,
            self.first_child,
            self.missing_to,
            self.unseen_to,
            self.categories_end,
            self.category,
            self.category_to,
            _core.thread_count(),
        )
        return leaves

    def lines(
        self, names: list[str], category: Callable[[int, float], Any], scores: Floats
    ) -> Iterator[str]:
        """A line for each node with its rule, children indented below their parent.

        Parameters
        ----------
        names : list of str
            Names of the features.
        category : callable
            ``category(feature, number)`` is a category as it is shown.
        scores : ndarray
            Score of each node.
        """
        pairs = self.pos[0] * self.neg[0]
        below: list[tuple[int, str]] = [(0, "all")]
        while below:
            node, rule = below.pop()
            line = (
                f"{'|   ' * int(self.depth[node])}{rule}: +{self.pos[node]:g} -{self.neg[node]:g}"
            )
            if self.feature[node] < 0:
                yield f"{line}, score {scores[node]:.3f}"
                continue
            auc = 0.5 + self.gain[node] * pairs / (self.pos[node] * self.neg[node])
            yield f"{line}, split with AUC {auc:.3f}"
            rules = self._rules(node, names[self.feature[node]], category)
            first = int(self.first_child[node])
            below += [(first + i, rules[i]) for i in reversed(range(len(rules)))]

    def _rules(self, node: int, name: str, category: Callable[[int, float], Any]) -> list[str]:
        if math.isinf(self.threshold[node]):
            return [f"{name} known", f"{name} missing"]
        if math.isnan(self.threshold[node]):
            start = int(self.categories_end[node - 1]) if node else 0
            groups: list[list[str]] = [[] for _ in range(self.children[node])]
            for i in range(start, int(self.categories_end[node])):
                shown = str(category(int(self.feature[node]), float(self.category[i])))
                groups[self.category_to[i]].append(shown)
            rules = [f"{name} in {{{listed(group)}}}" if group else "" for group in groups]
        else:
            rules = [f"{name} {sign} {self.threshold[node]:.6g}" for sign in ("<=", ">")]
        missing = int(self.missing_to[node])
        # A child of missing values alone has no other rule.
        rules[missing] = f"{rules[missing]} or missing" if rules[missing] else f"{name} missing"
        return rules
