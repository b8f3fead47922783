"""Data sets that the tests write."""

from dataclasses import replace

import pytest

from roclab_studies import datasets, two_classes


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder whose tables pass for the known ones."""

    def load_known(name, version):
        data = datasets.load(name, version=version, folder=tmp_path, verify=False)
        return replace(data, checked="cells")

    monkeypatch.setattr(two_classes, "load_known", load_known)
    two_classes.read.cache_clear()
    yield tmp_path
    two_classes.read.cache_clear()
