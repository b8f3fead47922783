"""Data sets of the papers, by name, each with two classes.

`registry` (the data sets, and the positive class of each), `known` (counts and checksums of the
correct tables), `listing` (both, for users), `tables` (read a file as a `Dataset`), `checks`
(verification), `openml` (download and cache), `loading` (the order of these) and `dataset` (the
result).
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
