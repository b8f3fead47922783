"""Repair: concavities of a ROC curve, found, tested on other data and mended.

A module for each noun: `inversions` (concavities and their test), `section` and `score_repair` (the
map of scores), `fit` (which sections, from data), `checked` (keep only what holds up),
`explanation`, `point` (three classifiers made into a fourth), and `classifier` with `heldout` (all
of it around a scikit-learn classifier). Classifiers need scikit-learn, which is loaded with them
only.
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
