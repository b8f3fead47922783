"""Data sets by name, from a folder."""

import gzip
import math

import pytest

import roclab as rl
from roclab.errors import ColumnError, FileFormatError, InputError

# Nominal integers in A1 (10 comes before 2 in the alphabet), words in A2, numbers in A3.
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


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "australian.csv").write_text(FOUR)
    return tmp_path


def test_numbers_words_and_what_is_missing(folder):
    data = rl.datasets.load("australian", folder=folder)
    assert data.y.tolist() == [True, False, False, True]
    assert data.feature_names[:3] == ("A1", "A2", "A3")
    assert data.numeric[:3].tolist() == [False, False, True]
    assert data.categories[:3] == (("10", "2"), ("u", "y"), None)
    assert data.X[:, :3].tolist()[0] == [0, 0, 0.5]
    assert data.X[1, 0] == 1
    assert math.isnan(data.X[1, 1])
    assert math.isnan(data.X[2, 0])
    assert data.X[2, 1:3].tolist() == [1, -3]
    assert math.isnan(data.X[3, 2])
    assert data.positive == "1"
    assert data.source == str(folder / "australian.csv")


def test_one_line_and_plain_values(folder):
    data = rl.datasets.load("australian", folder=folder)
    assert repr(data) == (
        "Dataset('australian': 4 rows, 2 positive (1); 14 features, 5 numeric; 3 values missing)"
    )
    plain = data.to_dict()
    assert plain["y"] == [True, False, False, True]
    assert plain["categories"][:3] == [["10", "2"], ["u", "y"], None]


def test_compressed(tmp_path):
    (tmp_path / "australian.csv.gz").write_bytes(gzip.compress(FOUR.encode()))
    assert rl.datasets.load("australian", folder=tmp_path).X.shape == (4, 14)


def test_folder_of_the_environment(folder, monkeypatch):
    monkeypatch.setenv("ROCLAB_DATA", str(folder))
    assert rl.datasets.load("australian").X.shape == (4, 14)


def test_unknown_name_and_version(folder):
    with pytest.raises(InputError, match=r"No data set 'australia'. Did you mean 'australian'\?"):
        rl.datasets.load("australia", folder=folder)
    with pytest.raises(InputError, match=r"No version 'red' of 'satimage'.*'damp grey soil'"):
        rl.datasets.load("satimage", version="red", folder=folder)


def test_no_file(folder):
    with pytest.raises(InputError, match=r"no sonar\.csv or sonar\.csv\.gz"):
        rl.datasets.load("sonar", folder=folder)


def test_a_file_that_is_not_the_set(folder):
    (folder / "sonar.csv").write_text("x,class\n1,a\n2,b\n")
    with pytest.raises(InputError, match="classes a, b; 'sonar' needs Rock"):
        rl.datasets.load("sonar", folder=folder)
    (folder / "pima.csv").write_text("x,label\n1,a\n2,b\n")
    with pytest.raises(ColumnError, match="no column `class`"):
        rl.datasets.load("pima", folder=folder)
    (folder / "asah.csv").write_text("x,class\n1,Good\n2,Poor\n")
    with pytest.raises(ColumnError, match="no column `gos6`"):
        rl.datasets.load("asah", folder=folder)


def test_a_broken_file(folder):
    (folder / "sonar.csv.gz").write_bytes(gzip.compress(b"x,class\n1,Rock\n" * 200)[:30])
    with pytest.raises(FileFormatError, match="cannot be read as CSV"):
        rl.datasets.load("sonar", folder=folder)


def test_listed_by_name_with_counts():
    listed = rl.datasets.list_datasets()
    names = [one.name for one in listed]
    assert names == sorted(names)
    by_key = {(one.name, one.version): one for one in listed}
    sonar = by_key["sonar", "rarer class"]
    assert (sonar.rows, sonar.features, sonar.positives) == (208, 60, 97)
    assert sonar.to_dict()["share"] == 97 / 208
    assert repr(listed).startswith("DatasetList(abalone, airlines, anneal, asah,")
