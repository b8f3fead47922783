"""Data sets by name, from a folder."""

import gzip
import math
from dataclasses import replace

import pytest

from roclab import ColumnError, FileFormatError, InputError
from roclab_studies import datasets
from roclab_studies.datasets.checks import fingerprint
from roclab_studies.datasets.known import KNOWN, Known
from roclab_studies.datasets.registry import REGISTRY

# A1 is nominal though written as numbers, and 10 comes before 2 in the alphabet; A2 has words.
COLUMNS = ",".join(f"A{place}" for place in range(1, 15))
FOUR = "\n".join(
    [
        f"{COLUMNS},class",
        "10,u,0.5" + ",1" * 11 + ",1",
        "2,,0.5" + ",1" * 11 + ",0",
        ",y,-3" + ",1" * 11 + ",0",
        "2,u," + ",1" * 11 + ",1",
        "",
    ]
)
KEY = ("australian", "rarer class")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "australian.csv").write_text(FOUR)
    return tmp_path


@pytest.fixture
def known(folder, monkeypatch):
    """The four rows are what is known as australian."""
    data = datasets.load("australian", folder=folder, verify=False)
    monkeypatch.setitem(KNOWN, KEY, Known(4, 14, 5, 2, 3, fingerprint(data)))
    return folder


def test_numbers_words_and_what_is_missing(folder):
    data = datasets.load("australian", folder=folder, verify=False)
    assert data.y.tolist() == [True, False, False, True]
    assert data.feature_names[:3] == ("A1", "A2", "A3")
    assert data.numeric.tolist() == [k in (2, 6, 9, 12, 13) for k in range(14)]
    assert data.categories[:4] == (("10", "2"), ("u", "y"), None, ("1",))
    assert data.X[0, :3].tolist() == [0, 0, 0.5]
    assert data.X[1, 0] == 1
    assert data.X[2, 1:3].tolist() == [1, -3]
    assert [(r, c) for r in range(4) for c in range(14) if math.isnan(data.X[r, c])] == [
        (1, 1),
        (2, 0),
        (3, 2),
    ]
    assert (data.name, data.version, data.positive) == ("australian", "rarer class", "1")
    assert data.source == str(folder / "australian.csv")
    assert data.checked == "nothing"


def test_one_line(folder):
    data = datasets.load("australian", folder=folder, verify=False)
    assert repr(data) == (
        "Dataset('australian': 4 rows, 2 positive (1); 14 features, 5 numeric; 3 values missing)"
    )


def test_compressed(tmp_path):
    (tmp_path / "australian.csv.gz").write_bytes(gzip.compress(FOUR.encode()))
    assert datasets.load("australian", folder=tmp_path, verify=False).X.shape == (4, 14)


def test_folder_of_the_environment(folder, monkeypatch):
    monkeypatch.setenv("ROCLAB_DATA", str(folder))
    assert datasets.load("australian", verify=False).X.shape == (4, 14)


def test_a_column_without_values_is_nominal_and_rows_without_a_class_are_gone(tmp_path):
    (tmp_path / "sonar.csv").write_text("a,b,class\n1,,Rock\n2,,\n3,,Mine\n")
    data = datasets.load("sonar", folder=tmp_path, verify=False)
    assert data.X[:, 0].tolist() == [1, 3]
    assert data.numeric.tolist() == [True, False]
    assert data.categories == (None, ())


def test_versions_choose_classes_and_rows(tmp_path, monkeypatch):
    (tmp_path / "satimage.csv").write_text("a,class\n1,4\n2,1\n3,7\n4,1\n")
    usual = datasets.load("satimage", folder=tmp_path, verify=False)
    other = datasets.load("satimage", version="largest class", folder=tmp_path, verify=False)
    assert usual.version == "damp grey soil"
    assert usual.y.tolist() == [True, False, False, False]
    assert other.y.tolist() == [False, True, False, True]
    (tmp_path / "abalone.csv").write_text("a,class\n1,18\n2,1\n3,9\n4,17\n5,9\n")
    two = datasets.load("abalone", folder=tmp_path, verify=False)
    assert two.X[:, 0].tolist() == [1, 3, 5]
    assert two.y.tolist() == [True, False, False]
    first = replace(REGISTRY["abalone"][0], first_rows=3)
    monkeypatch.setitem(REGISTRY, "abalone", (first,))
    assert datasets.load("abalone", folder=tmp_path, verify=False).X[:, 0].tolist() == [1, 3]


def test_other_targets_are_dropped(tmp_path):
    (tmp_path / "asah.csv").write_text("gos6,age,class\n5,40,Good\n1,50,Poor\n")
    assert datasets.load("asah", folder=tmp_path, verify=False).feature_names == ("age",)


def test_unknown_name_and_version(folder):
    with pytest.raises(InputError, match=r"No data set 'australia'. Did you mean 'australian'\?"):
        datasets.load("australia", folder=folder)
    with pytest.raises(InputError, match=r"No version 'red' of 'satimage'.*'damp grey soil'"):
        datasets.load("satimage", version="red", folder=folder)
    with pytest.raises(InputError, match=r"No data set \['sonar'\]"):
        datasets.load(["sonar"], folder=folder)


def test_a_folder_that_was_named_is_the_only_place(folder, monkeypatch):
    monkeypatch.setattr("sklearn.datasets.fetch_openml", None)
    with pytest.raises(InputError, match=r"has no sonar\.csv or sonar\.csv\.gz\. Put sonar\.csv"):
        datasets.load("sonar", folder=folder)


class TestVerify:
    def test_the_known_table_passes(self, known):
        assert datasets.load("australian", folder=known).checked == "cells"

    def test_one_cell_is_enough_to_refuse(self, known):
        (known / "australian.csv").write_text(FOUR.replace("-3", "-4"))
        with pytest.raises(InputError, match=r"counts are right, but not all of its cells.*verify"):
            datasets.load("australian", folder=known)
        assert datasets.load("australian", folder=known, verify=False).X[2, 2] == -4

    def test_a_label_is_enough_too(self, known):
        rows = FOUR.splitlines()
        rows[1], rows[2] = rows[1][:-1] + "0", rows[2][:-1] + "1"
        (known / "australian.csv").write_text("\n".join(rows))
        with pytest.raises(InputError, match="not all of its cells"):
            datasets.load("australian", folder=known)

    def test_and_so_are_rows_in_another_order(self, known):
        rows = FOUR.splitlines()
        (known / "australian.csv").write_text("\n".join([*rows[:3], rows[4], rows[3]]))
        with pytest.raises(InputError, match="not all of its cells"):
            datasets.load("australian", folder=known)

    def test_says_which_counts_differ(self, known):
        (known / "australian.csv").write_text(FOUR + "2,u,1" + ",1" * 11 + ",1\n")
        with pytest.raises(InputError, match=r"5 rows instead of 4; 3 positive rows instead of 2"):
            datasets.load("australian", folder=known)

    def test_names_of_columns_may_differ(self, known):
        (known / "australian.csv").write_text(FOUR.replace("A3", "third"))
        assert datasets.load("australian", folder=known).feature_names[2] == "third"


def test_a_file_that_is_not_the_set(folder):
    (folder / "sonar.csv").write_text("x,class\n1,a\n2,b\n")
    with pytest.raises(InputError, match="classes a, b; 'sonar' needs Rock"):
        datasets.load("sonar", folder=folder)
    (folder / "pima.csv").write_text("x,label\n1,a\n2,b\n")
    with pytest.raises(ColumnError, match="no column `class`"):
        datasets.load("pima", folder=folder)
    (folder / "glass.csv").write_text("class\n1\n2\n")
    with pytest.raises(ColumnError, match="no column besides its classes"):
        datasets.load("glass", folder=folder)
    (folder / "asah.csv").write_text("x,class\n1,Good\n2,Poor\n")
    with pytest.raises(ColumnError, match="no column `gos6`"):
        datasets.load("asah", folder=folder)


@pytest.mark.parametrize(
    "content", [b"", gzip.compress(b"x,class\n1,Rock\n" * 200)[:30]], ids=["empty", "cut"]
)
def test_a_broken_file(folder, content):
    (folder / "sonar.csv.gz").write_bytes(content)
    with pytest.raises(FileFormatError, match="cannot be read as CSV"):
        datasets.load("sonar", folder=folder)


class TestList:
    def test_has_every_version_with_its_counts(self):
        listed = datasets.list_datasets()
        names = [one.name for one in listed]
        assert names == sorted(names)
        assert len(listed) == sum(map(len, REGISTRY.values()))
        by_key = {(one.name, one.version): one for one in listed}
        sonar = by_key["sonar", "rarer class"]
        assert (sonar.rows, sonar.features, sonar.positives) == (208, 60, 97)
        assert sonar.papers == ("Dong and others 2013", "Flach and Wu 2005")
        assert sonar.share == 97 / 208

    def test_what_is_known_is_what_is_defined(self):
        defined = {(one.name, one.version) for versions in REGISTRY.values() for one in versions}
        assert set(KNOWN) == defined

    def test_the_rarer_class_is_not_the_larger_one(self):
        found = [one for (_, version), one in KNOWN.items() if version == "rarer class"]
        assert len(found) > 20
        assert all(2 * one.positives <= one.rows for one in found)
