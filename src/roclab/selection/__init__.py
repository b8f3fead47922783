"""Selection: the best of several models, its contenders, and scikit-learn scorers.

`select` chooses among scored models, `model_selection` has the result, `criterion` the measure to
select by, and `contenders` the multiple comparisons with the best. For searches of scikit-learn:
`scorer` and `scorer_registry` (measures as scorers), which load scikit-learn, and
`simplest_contender` (the candidate of a search to refit).
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
