"""Data sets of the papers, by name, each with two classes.

`registry` (which sets there are, and what is positive in each), `known` (counts and checksums of
the correct tables), `listing` (both, for users), `tables` (a file into a `Dataset`), `checks`
(whether that is the known table), `openml` (tables that are fetched and kept), `loading` (the order
of these) and `dataset` (what comes out).
"""

from roclab.datasets.dataset import Dataset
from roclab.datasets.listing import DatasetList, KnownDataset, list_datasets
from roclab.datasets.loading import load

__all__ = ["Dataset", "DatasetList", "KnownDataset", "list_datasets", "load"]
