"""Studies take the very tables that their answers were found on, and no others."""

from dataclasses import replace

import pytest

from roclab_studies import datasets
from roclab_studies.real_data import load_known


@pytest.fixture
def sonar(tmp_path):
    (tmp_path / "sonar.csv").write_text("a,class\n1,Rock\n2,Mine\n")
    return tmp_path


def test_a_table_of_another_content_is_refused(sonar, monkeypatch):
    monkeypatch.setenv("ROCLAB_DATA", str(sonar))
    with pytest.raises(SystemExit, match=r"needs data sets.*2 rows instead of 208"):
        load_known("sonar")


def test_counts_are_not_enough(sonar, monkeypatch):
    data = datasets.load("sonar", folder=sonar, verify=False)
    given = {"counts": replace(data, checked="counts"), "cells": replace(data, checked="cells")}
    monkeypatch.setattr(datasets, "load", lambda name, version: given[version])  # noqa: ARG005
    with pytest.raises(SystemExit, match=r"is not quite that of 'sonar'.*ROCLAB_DATA"):
        load_known("sonar", version="counts")
    assert load_known("sonar", version="cells") is given["cells"]


def test_without_data_it_says_what_is_needed(tmp_path, monkeypatch):
    monkeypatch.delenv("ROCLAB_DATA", raising=False)
    monkeypatch.setenv("ROCLAB_CACHE", str(tmp_path))
    with pytest.raises(SystemExit, match=r"This study needs data sets.*ROCLAB_DATA is not set"):
        load_known("wpbc")
