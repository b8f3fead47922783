"""Streams: the AUC of a window after every event, drift detection, and delayed labels."""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
