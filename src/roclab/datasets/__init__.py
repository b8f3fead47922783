"""Data sets of the papers, by name, each with two classes.

`registry` (which sets there are, and what is positive in each), `known` (counts and checksums of
the correct tables), `listing` (both, for users), `tables` (a file into a `Dataset`), `checks`
(whether that is the known table), `openml` (tables that are fetched and kept), `loading` (the order
of these) and `dataset` (what comes out).
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
