"""Streams: the AUC of a window after every event, changes of it, and labels that come late."""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
