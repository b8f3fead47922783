"""Data sets from OpenML, by what scikit-learn's fetch gives, and kept."""

import gzip
import hashlib
import http.client
import io
import json
import urllib.error
import urllib.request
import urllib.response
from email.message import Message
from types import SimpleNamespace

import numpy as np
import pytest

from roclab import InputError
from roclab_studies import datasets
from roclab_studies.datasets.checks import fingerprint
from roclab_studies.datasets.known import KNOWN, Known
from roclab_studies.datasets.openml import cache_path
from roclab_studies.datasets.registry import REGISTRY

# Mushroom has words and missing values only; here with numbers too, and 3 of 5 rows edible.
ROWS = [
    ("x", 1.0, "e"),
    ("y", 2.5, "p"),
    (None, 2.5, "e"),
    ("x", None, "p"),
    ("y", -1e-9, "e"),
]
CSV = "cap,size,class\nx,1,e\ny,2.5,p\n,2.5,e\nx,,p\ny,-1e-9,e\n"
KEY = ("mushroom", "rarer class")


def bunch(classes=("e", "p")):
    """What `fetch_openml` returns without frames: nominal values by their place."""
    words = ["y", "x"]
    cells = [
        [np.nan if w is None else words.index(w), np.nan if n is None else n] for w, n, _ in ROWS
    ]
    target = [classes["ep".index(one)] for *_, one in ROWS]
    return SimpleNamespace(
        data=np.array(cells, dtype=float),
        target=np.array(target, dtype=object),
        feature_names=["cap", "size"],
        categories={"cap": words},
    )


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.delenv("ROCLAB_DATA", raising=False)
    monkeypatch.setenv("ROCLAB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def known(cache, tmp_path, monkeypatch):
    """The five rows are what is known as mushroom."""
    (tmp_path / "mushroom.csv").write_text(CSV)
    data = datasets.load("mushroom", folder=tmp_path, verify=False)
    monkeypatch.setitem(KNOWN, KEY, Known(5, 2, 1, 2, 2, fingerprint(data)))
    return cache


@pytest.fixture
def fetched(monkeypatch):
    """Each call of `fetch_openml`, which answers with the last of `answers`."""
    calls = SimpleNamespace(asked=[], answer=bunch())

    def fetch(**options):
        calls.asked.append(options)
        if isinstance(calls.answer, Exception):
            raise calls.answer
        return calls.answer

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    return calls


def test_is_the_table_that_a_file_holds(known, fetched):
    data = datasets.load("mushroom")
    assert fetched.asked[0]["data_id"] == 24
    assert data.categories == (("x", "y"), None)
    assert data.X[:, 0].tolist()[:2] == [0, 1]
    assert np.isnan(data.X[2, 0])
    assert np.isnan(data.X[3, 1])
    assert data.X[4, 1] == -1e-9
    assert data.y.tolist() == [False, True, False, True, False]
    assert data.checked == "cells"
    assert data.source == f"OpenML's data set 24, kept in {known / 'mushroom.csv'}"


def test_is_fetched_once(known, fetched):
    first, again = datasets.load("mushroom"), datasets.load("mushroom")
    assert len(fetched.asked) == 1
    assert np.array_equal(first.X, again.X, equal_nan=True)
    assert first.source == again.source
    assert sorted(path.name for path in known.iterdir()) == ["mushroom.csv", "mushroom.csv.sha256"]
    assert (known / "mushroom.csv").read_text() == CSV.replace("-1e-9", "-1e-09")


def test_a_kept_file_that_has_changed_is_fetched_again(known, fetched):
    datasets.load("mushroom")
    (known / "mushroom.csv").write_text(CSV.replace("2.5", "2.6"))
    assert datasets.load("mushroom").checked == "cells"
    assert len(fetched.asked) == 2


@pytest.mark.usefixtures("known")
def test_what_the_folder_lacks_comes_from_openml(fetched, tmp_path, monkeypatch):
    (tmp_path / "mushroom.csv").unlink()
    monkeypatch.setenv("ROCLAB_DATA", str(tmp_path))
    assert datasets.load("mushroom").checked == "cells"
    assert len(fetched.asked) == 1


@pytest.mark.usefixtures("known")
def test_the_folder_comes_first(fetched, tmp_path, monkeypatch):
    monkeypatch.setenv("ROCLAB_DATA", str(tmp_path))
    assert datasets.load("mushroom").source == str(tmp_path / "mushroom.csv")
    assert not fetched.asked


@pytest.mark.usefixtures("known")
def test_classes_may_be_spelt_otherwise(fetched):
    fetched.answer = bunch(classes=("edible", "poisonous"))
    data = datasets.load("mushroom")
    assert data.y.tolist() == [False, True, False, True, False]
    assert data.checked == "cells"


def test_but_must_be_told_apart_by_their_rows(known, fetched):
    fetched.answer = bunch(classes=("edible", "poisonous"))
    fetched.answer.target[0] = "unknown"
    fetched.answer.target[2] = "unknown"
    with pytest.raises(
        InputError, match=r"24: it has the classes edible, poisonous, unknown, of which none"
    ):
        datasets.load("mushroom")
    assert not list(known.glob("*"))


@pytest.mark.usefixtures("known")
def test_cells_may_be_spelt_otherwise_if_the_counts_are_right(fetched):
    fetched.answer.categories["cap"] = ["flat", "bell"]
    data = datasets.load("mushroom")
    assert data.checked == "counts"
    assert data.categories[0] == ("bell", "flat")


def test_wrong_counts_are_refused_and_not_kept(known, fetched):
    fetched.answer.data[0, 1] = np.nan
    with pytest.raises(
        InputError,
        match=r"not available.*ROCLAB_DATA is not set; OpenML's data set 24: "
        r"3 missing values instead of 2\. Put mushroom\.csv",
    ):
        datasets.load("mushroom")
    assert not list(known.glob("*"))
    assert datasets.load("mushroom", verify=False).checked == "nothing"


@pytest.mark.usefixtures("cache")
def test_the_first_rows_need_the_known_order(fetched, monkeypatch):
    monkeypatch.setitem(KNOWN, ("monk2", "training file"), Known(5, 2, 0, 2, 2, "another"))
    fetched.answer = bunch(classes=("0", "1"))
    with pytest.raises(InputError, match="rows may be in another order"):
        datasets.load("monk2", version="training file")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (urllib.error.URLError("no route to host"), "24: <urlopen error no route to host>"),
        (http.client.IncompleteRead(b"abc"), "24: the download broke off: IncompleteRead"),
        (ValueError("the md5 checksum does not match.\nTry again."), r"24: the md5 checksum"),
        (TimeoutError("timed out"), "24: timed out"),
    ],
)
def test_says_what_was_tried_and_what_to_do(cache, fetched, error, words):
    fetched.answer = error
    with pytest.raises(InputError) as caught:
        datasets.load("mushroom")
    message = str(caught.value)
    assert message.startswith("'mushroom' is not available: ROCLAB_DATA is not set; OpenML's ")
    assert words in message
    assert message.endswith("pass its name as folder or in ROCLAB_DATA.")
    assert "\n" not in message
    assert not cache.exists()


@pytest.mark.usefixtures("cache")
def test_not_every_set_is_at_openml(fetched, tmp_path, monkeypatch):
    monkeypatch.setenv("ROCLAB_DATA", str(tmp_path))
    with pytest.raises(InputError, match=r"has no wpbc\.csv.*; OpenML has no copy that is known"):
        datasets.load("wpbc")
    assert not fetched.asked


@pytest.mark.usefixtures("fetched")
def test_a_folder_that_cannot_be_written(cache):
    cache.write_text("a file, not a folder")
    with pytest.raises(InputError, match=r"OpenML's data set 24: .*File exists"):
        datasets.load("mushroom")


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"ROCLAB_CACHE": "/kept"}, "/kept/sonar.csv"),
        ({"XDG_CACHE_HOME": "/xdg"}, "/xdg/roclab/sonar.csv"),
        ({"HOME": "/home/me"}, "/home/me/.cache/roclab/sonar.csv"),
    ],
)
def test_where_tables_are_kept(monkeypatch, variables, expected):
    for name in ("ROCLAB_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert str(cache_path(REGISTRY["sonar"][0])) == expected


class OpenMLStub(urllib.request.HTTPSHandler):
    """Answers as OpenML's interface does, for one data set."""

    ARFF = (
        "@relation m\n@attribute cap {y, x}\n@attribute size numeric\n"
        "@attribute class {e, p}\n@data\n" + CSV.partition("\n")[2].replace(",,", ",?,")
    ).replace("\n,", "\n?,")

    def https_open(self, request):
        answer = self.answer(request.selector)
        packed = gzip.compress(answer)
        headers = Message()
        headers["Content-Encoding"] = "gzip"
        response = urllib.response.addinfourl(io.BytesIO(packed), headers, request.full_url, 200)
        response.msg = "OK"
        return response

    def answer(self, path):
        if "/data/features/" in path:
            kinds = {"cap": "nominal", "size": "numeric", "class": "nominal"}
            features = [
                {
                    "index": str(place),
                    "name": name,
                    "data_type": kind,
                    "is_target": str(name == "class").lower(),
                    "is_ignore": "false",
                    "is_row_identifier": "false",
                    "number_of_missing_values": "0",
                }
                for place, (name, kind) in enumerate(kinds.items())
            ]
            return json.dumps({"data_features": {"feature": features}}).encode()
        if "/data/qualities/" in path:
            rows = {"name": "NumberOfInstances", "value": "5.0"}
            return json.dumps({"data_qualities": {"quality": [rows]}}).encode()
        if "/json/data/" in path:
            description = {
                "id": "24",
                "name": "mushroom",
                "version": "1",
                "description": "",
                "format": "ARFF",
                "status": "active",
                "url": "https://api.openml.org/data/v1/download/24/mushroom.arff",
                "md5_checksum": hashlib.md5(self.ARFF.encode()).hexdigest(),
            }
            return json.dumps({"data_set_description": description}).encode()
        return self.ARFF.encode()


@pytest.mark.usefixtures("known")
def test_through_scikit_learn(monkeypatch):
    """What its fetch gives is what the other tests take it to give."""
    monkeypatch.setattr(urllib.request, "_opener", urllib.request.build_opener(OpenMLStub))
    assert datasets.load("mushroom").checked == "cells"
