"""Readers of files and data frames.

A module for each noun: `columns` (the role of each column), `files` (path and format of a file),
`scans` (read a file into a polars frame), `text` (the type of a column of text), `missing` (texts
that mean a missing value), `lines` (faults of single lines), `frames` (convert any data frame to a
`ScoreTable`, through narwhals), `events` (lines of a stream), `examples` (tables to train on),
`features` (feature columns for a trained model) and `rewriting` (a file with an additional column).
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
