"""Learning to rank positives above negatives.

`split_criterion` (the AUC of a split), `split_features` (numbers and categories, as the core takes
them), `split_tree` (a tree that has grown), `pruning` (its subtrees) and `auc_split_tree` (the
estimator).
"""

from roclab.learning.auc_split_tree import AUCSplitTreeClassifier
from roclab.learning.pruning import PruningPath
from roclab.learning.split_criterion import split_auc
from roclab.learning.split_tree import SplitTree

__all__ = ["AUCSplitTreeClassifier", "PruningPath", "SplitTree", "split_auc"]
