"""Data sets of the papers, by name, each with two classes.

`registry` (the data sets, and the positive class of each), `known` (counts and checksums of the
correct tables), `listing` (both together), `tables` (read a file as a `Dataset`), `checks`
(verification), `openml` (download and cache), `loading` (the order of these) and `dataset` (the
result).
"""

from roclab_studies.datasets.dataset import Dataset
from roclab_studies.datasets.listing import KnownDataset, list_datasets
from roclab_studies.datasets.loading import load

__all__ = ["Dataset", "KnownDataset", "list_datasets", "load"]
