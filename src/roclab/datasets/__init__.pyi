from roclab.datasets.dataset import Dataset as Dataset
from roclab.datasets.listing import DatasetList as DatasetList
from roclab.datasets.listing import KnownDataset as KnownDataset
from roclab.datasets.listing import list_datasets as list_datasets
from roclab.datasets.loading import load as load
