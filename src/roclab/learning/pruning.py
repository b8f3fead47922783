"""Cost-complexity pruning: the best subtrees of a tree as the price of a leaf increases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.learning.split_tree import SplitTree
from roclab.result import Result


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PruningPath(Result):
    """The best subtrees of a tree, from the full tree to its root.

    Attributes
    ----------
    ccp_alphas : ndarray of float64
        Price of a leaf from which, up to the next price, the subtree is best; ascending from 0.
    auc : ndarray of float64
        AUC on the training rows, with the leaves below a node adjacent in the ranking.
    n_leaves : ndarray of int64
        Number of leaves of the subtree.
    """

    ccp_alphas: npt.NDArray[np.float64]
    auc: npt.NDArray[np.float64]
    n_leaves: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return (
            f"PruningPath({len(self.ccp_alphas)} subtrees, {self.n_leaves[0]} to "
            f"{self.n_leaves[-1]} leaves, AUC {self.auc[0]:.3f} to {self.auc[-1]:.3f})"
        )


def pruning_path(tree: SplitTree) -> PruningPath:
    """Return the pruning path of a tree, by weakest-link pruning."""
    alphas, auc, leaves = _core.pruning_path(tree.gain, tree.first_child, tree.children)
    return PruningPath(ccp_alphas=alphas, auc=auc, n_leaves=leaves)
