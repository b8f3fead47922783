"""Repair: concavities of a ROC curve, found, tested on other data and repaired.

A module for each noun: `inversions` (concavities and their test), `section` and `score_repair` (the
map of scores), `fit` (the sections of some data), `checked` (keep only what is confirmed),
`explanation`, `point` (three classifiers give a fourth), and `classifier` with `heldout` (all of it
around a scikit-learn classifier). Only the classifiers load scikit-learn.
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
