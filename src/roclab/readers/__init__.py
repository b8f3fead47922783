"""Files and data frames into a `ScoreTable`.

A module for each noun: `columns` (which column plays which role), `files` (where a file is and what
it holds), `scans` (a file into a polars frame), `text` (the type of a column that arrived as text),
`missing` (what stands for a missing value), `lines` (what is wrong in which line), `frames` (any
data frame into a `ScoreTable`, through narwhals), `events` (lines of a stream, one by one),
`examples` (a table to train on), `features` (the columns that a trained model takes) and
`rewriting` (a whole file, written again with one more column).
"""

from roclab.lazy import load_lazily

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)
