"""Data sets of the papers, by name, each with two classes.

`registry` (which sets there are, and what is positive in each), `known` (what a correct table of
each is like), `listing` (both, for users), `tables` (a file into a `Dataset`), `loading` (where the
file is) and `dataset` (what comes out).
"""

from roclab.datasets.dataset import Dataset
from roclab.datasets.listing import DatasetList, KnownDataset, list_datasets
from roclab.datasets.loading import load

__all__ = ["Dataset", "DatasetList", "KnownDataset", "list_datasets", "load"]
