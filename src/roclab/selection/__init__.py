"""Selection: choose among models on little data, and know how sure the choice is.

A module for each noun: `select` (the choice among scored models), `model_selection` (its outcome),
`criterion` (what is chosen by) and `contenders` (which models may be the best). For searches of
scikit-learn: `scorer` (a measure as it scores models) and `scorer_registry` (all of them by word),
which load scikit-learn, and `simplest_contender` (which candidate of a search to refit).
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
