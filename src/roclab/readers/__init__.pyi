from roclab.readers.example_table import ExampleTable as ExampleTable
from roclab.readers.examples import read_examples as read_examples
from roclab.readers.features import FeatureTable as FeatureTable
from roclab.readers.features import read_features as read_features
from roclab.readers.scores import read_scores as read_scores
