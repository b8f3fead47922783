"""Learning to rank positives above negatives: losses over all pairs, and classifiers that rank.

Linear: `loss` (the loss over all pairs, for any model), `unit` (a linear unit over standardised
features), `objective` (loss and unit together), `solvers` and `descent` (how the objective is
minimised), `calibration` (from outputs to probabilities), `classifier` (what the estimators share),
`auctron` and `msetron` (the estimators), and `files` (trained models on disk).

Trees: `split_criterion` (the AUC of a split), `split_features` (numbers and categories, as the core
takes them), `split_tree` (a tree that has grown), `pruning` (its subtrees) and `auc_split_tree`
(the estimator).
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
