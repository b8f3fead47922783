"""The subtrees of a tree that are best as leaves get dearer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.learning.split_tree import SplitTree

__all__ = ["PruningPath", "pruning_path"]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PruningPath:
    """The best subtrees of a tree, from the whole of it to its root.

    Attributes
    ----------
    ccp_alphas : ndarray of float64
        From this price of a leaf on, up to the next, the subtree is the best; ascending from 0.
    auc : ndarray of float64
        AUC on the training rows, the leaves below a node being next to each other in the ranking.
    n_leaves : ndarray of int64
        Leaves of the subtree.
    """

    ccp_alphas: npt.NDArray[np.float64]
    auc: npt.NDArray[np.float64]
    n_leaves: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return (
            f"PruningPath({len(self.ccp_alphas)} subtrees, {self.n_leaves[0]} to "
            f"{self.n_leaves[-1]} leaves, AUC {self.auc[0]:.3f} to {self.auc[-1]:.3f})"
        )

    def to_dict(self) -> dict[str, Any]:
        """The arrays as lists."""
        return {name: values.tolist() for name, values in vars(self).items()}


def pruning_path(tree: SplitTree) -> PruningPath:
    """Cut the weakest link of a tree again and again."""
    alphas, auc, leaves = _core.pruning_path(tree.gain, tree.first_child, tree.children)
    return PruningPath(ccp_alphas=alphas, auc=auc, n_leaves=leaves)
