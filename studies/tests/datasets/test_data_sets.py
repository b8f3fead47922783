"""The data sets themselves, where ROCLAB_DATA names the folder that holds them.

Rows, attributes and the share of the majority are those of the folder's own list of its sources;
those of the papers' tables are below.
"""

import os

import numpy as np
import pytest

from roclab_studies import datasets
from roclab_studies.datasets.registry import REGISTRY

# Rows of the file, attributes, and the majority's share of the rows in percent.
SOURCES = {
    "monk1": (556, 6, 50.00),
    "monk2": (601, 6, 65.72),
    "monk3": (554, 6, 51.99),
    "kr-vs-kp": (3196, 36, 52.22),
    "tic-tac-toe": (958, 9, 65.34),
    "credit-a": (690, 15, 55.51),
    "australian": (690, 14, 55.51),
    "credit-g": (1000, 20, 70.00),
    "spambase": (4601, 57, 60.60),
    "house-votes-84": (435, 16, 61.38),
    "breast-cancer": (286, 9, 70.28),
    "breast-w": (699, 9, 65.52),
    "colic": (368, 22, 63.04),
    "heart-statlog": (270, 13, 55.56),
    "sick": (3772, 29, 93.88),
    "caravan": (5822, 85, 94.02),
    "hypothyroid": (3163, 25, 95.23),
    "mushroom": (8124, 22, 51.80),
    "wpbc": (198, 33, 76.26),
    "pima": (768, 8, 65.10),
    "spectf": (267, 44, 79.40),
    "spectf-incorrect-test": (269, 44, 79.55),
    "ionosphere": (351, 34, 64.10),
    "heart-cleveland": (303, 13, 54.13),
    "heart-hungarian": (294, 13, 63.95),
    "sonar": (208, 60, 53.37),
    "satimage": (6435, 36, 23.82),
    "glass": (214, 9, 35.51),
    "car": (1728, 6, 70.02),
    "anneal": (898, 38, 76.17),
    "hepatitis": (155, 19, 79.35),
    "lymphography": (148, 18, 54.73),
    "primary-tumor": (339, 17, 24.78),
    "soybean-large": (683, 35, 13.47),
    "solar-flare-1": (323, 12, 88.85),
    "solar-flare-2": (1066, 12, 82.93),
    "hayes-roth": (160, 4, 40.62),
    "balance-scale": (625, 4, 46.08),
    "bridges-v1": (108, 11, 40.74),
    "bridges-v2": (107, 12, 41.12),
    "airlines": (539383, 7, 55.46),
    "electricity": (45312, 8, 57.55),
    "covertype": (581012, 54, 48.76),
    "asah": (113, 6, 63.72),
}
# Rows that have no class.
UNCLASSED = {"bridges-v1": 2, "bridges-v2": 2}

# What the papers' own tables say of theirs: rows, features that are numbers, and other features.
GRANULAR = {
    "monk2": (169, 0, 6),
    "sonar": (208, 60, 0),
    "breast-w": (699, 9, 0),
    "abalone": (731, 7, 1),
    "vehicle": (846, 18, 0),
    "vowel": (990, 10, 3),
}
# The share of the rarer class in percent.
AUCTRON = {"wpbc": 23.7, "pima": 34.9, "spectf-incorrect-test": 20.4, "ionosphere": 35.9}


@pytest.fixture(scope="module")
def load():
    if not os.environ.get("ROCLAB_DATA"):
        pytest.skip("ROCLAB_DATA is not set: no folder with data sets")
    return datasets.load


@pytest.mark.parametrize(
    ("name", "version"),
    [(one.name, one.version) for versions in REGISTRY.values() for one in versions],
)
def test_is_the_known_table(load, name, version):
    data = load(name, version=version)
    assert data.checked == "cells"
    listed = {(one.name, one.version): one for one in datasets.list_datasets()}
    one = listed[name, version]
    assert (one.rows, one.features) == data.X.shape
    assert one.share == data.y.mean()
    for column, words, numeric in zip(data.X.T, data.categories, data.numeric, strict=True):
        present = column[~np.isnan(column)]
        if numeric:
            assert words is None
            assert present.size
        else:
            assert sorted(set(present.tolist())) == list(range(len(words)))


@pytest.mark.parametrize("name", SOURCES)
def test_rows_attributes_and_classes_are_those_of_the_sources(load, name):
    rows, attributes, majority = SOURCES[name]
    definition = next(one for one in REGISTRY[name] if one.version.endswith(" class"))
    data = load(name, version=definition.version)
    assert len(data.y) == rows - UNCLASSED.get(name, 0)
    assert data.X.shape[1] == attributes - len(definition.drop)
    share = data.y.sum() / rows
    if definition.version == "rarer class":
        share = 1 - share
    assert round(100 * share, 2) == majority


@pytest.mark.parametrize("name", GRANULAR)
def test_sets_of_dong_and_others(load, name):
    version = "training file" if name == "monk2" else None
    data = load(name, version=version)
    found = (len(data.y), int(data.numeric.sum()), int((~data.numeric).sum()))
    assert found == GRANULAR[name]


@pytest.mark.parametrize("name", AUCTRON)
def test_sets_of_castro_and_braga(load, name):
    assert round(100 * load(name).y.mean(), 1) == AUCTRON[name]


def test_the_training_file_of_monk2_is_what_is_not_the_grid(load):
    """The test file has each of the 432 combinations once; what precedes it was for training."""
    whole = load("monk2")
    assert len({tuple(row) for row in whole.X[169:].tolist()}) == 432
    training = load("monk2", version="training file")
    assert np.array_equal(training.X, whole.X[:169])
    assert training.y.sum() == 64
