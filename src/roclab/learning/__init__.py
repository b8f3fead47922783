"""Learning to rank positives above negatives: losses over all pairs, and classifiers that rank.

Linear: `loss` (the loss over all pairs, for any model), `unit` (a linear unit over standardised
features), `objective` (loss and unit together), `solvers` and `descent` (how the objective is
minimised), `calibration` (from outputs to probabilities), `classifier` (what the estimators share),
`auctron` and `msetron` (the estimators), and `files` (trained models on disk).

Trees: `split_criterion` (the AUC of a split), `split_features` (numbers and categories, as the core
takes them), `split_tree` (a tree that has grown), `pruning` (its subtrees) and `auc_split_tree`
(the estimator).
"""

from roclab.learning.auc_split_tree import AUCSplitTreeClassifier
from roclab.learning.auctron import AUCtronClassifier
from roclab.learning.files import ModelFile, load_model, save_model
from roclab.learning.loss import PairwiseLoss, PairwiseObjective, pairwise_loss
from roclab.learning.msetron import MSEtronClassifier
from roclab.learning.pruning import PruningPath
from roclab.learning.split_criterion import split_auc
from roclab.learning.split_tree import SplitTree

__all__ = [
    "AUCSplitTreeClassifier",
    "AUCtronClassifier",
    "MSEtronClassifier",
    "ModelFile",
    "PairwiseLoss",
    "PairwiseObjective",
    "PruningPath",
    "SplitTree",
    "load_model",
    "pairwise_loss",
    "save_model",
    "split_auc",
]
