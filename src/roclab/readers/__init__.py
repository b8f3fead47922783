"""Readers: files, frames and streams into checked rows, by one set of rules for all engines.

A module for each noun: `columns` (the names that were passed), `opening` and `files` (path and
format of a file), `scans` (the columns of one file), `file_table` (files as one table), `text` (the
type of a column of text), `lines` (faults of single lines), `values` (what a value is, for every
engine), `roles` (which columns are scores), `frames` (any data frame as a `ScoreTable`), `rows`
(frames of a large table), `events` (lines of a stream), `examples` (tables to train on), `features`
(feature columns for a trained model) and `rewriting` (a file with an additional column).
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
