"""Learning to rank: pairwise losses, and classifiers that maximise the AUC.

Linear: `loss` (the pairwise loss, for any model), `unit` (a linear unit over standardised
features), `objective` (loss and unit together), `solvers` and `descent` (minimise the objective),
`calibration` (from outputs to probabilities), `classifier` (base class of the estimators),
`auctron` and `msetron` (the estimators), `auctron_cv` (its penalty chosen), and `files` (trained
models on disk).

Trees: `split_criterion` (the AUC of a split), `split_features` (numerical and categorical features
for the core), `split_tree` (a fitted tree), `pruning` (its subtrees) and `auc_split_tree` (the
estimator).
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
