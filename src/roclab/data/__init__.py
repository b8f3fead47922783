"""The data: rankings, score tables, range summaries, and their bytes."""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
