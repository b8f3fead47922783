"""Presentation of results: tables, pictures and pages, on screen and in files.

`document(result)` says what a result shows; every writer takes that document, so every format shows
the same numbers. Formats for readers (`terminal`, `markdown`, `html`) round; formats for programs
(`csv`, `json`) have every digit. Nothing here prints.
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
