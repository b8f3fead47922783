"""Decisions: thresholds, their costs and benefits, and whether scores can be trusted for them."""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
