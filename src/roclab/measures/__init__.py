"""Measures: numbers read off a ranking."""

from roclab.measures.area import auc

__all__ = ["auc"]
