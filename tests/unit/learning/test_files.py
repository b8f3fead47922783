"""Models on disk: the same model comes back, and nothing else is let in."""

import sys
import zipfile

import numpy as np
import pytest
import skops.io
from sklearn.linear_model import LogisticRegression

from roclab import AUCtronClassifier, MSEtronClassifier
from roclab.errors import InputError, MissingExtraError, SerializationError
from roclab.learning import ModelFile, load_model, save_model

X = np.random.default_rng(0).normal(size=(60, 2))
Y = (X[:, 0] > 0).astype(int)


class Intruder:
    """A type that no model of roclab holds."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.skops"


@pytest.mark.parametrize("classifier", [AUCtronClassifier, MSEtronClassifier])
def test_a_model_comes_back_as_it_was(classifier, path):
    model = classifier(random_state=0, alpha=0.01).fit(X, Y)
    save_model(path, ModelFile(model=model, features=("a", "b"), target="y"))
    loaded = load_model(path)
    assert np.array_equal(loaded.model.decision_function(X), model.decision_function(X))
    assert loaded.model.get_params() == model.get_params()
    assert loaded.to_dict() == {"model": classifier.__name__, "features": ["a", "b"], "target": "y"}
    assert repr(loaded) == f"{classifier.__name__} for y from 2 columns: a, b"


def test_types_that_are_not_trusted_are_refused_by_name(path):
    model = AUCtronClassifier(random_state=0).fit(X, Y)
    model.extra_ = Intruder()
    save_model(path, ModelFile(model=model, features=("a", "b"), target="y"))
    with pytest.raises(SerializationError, match=r"not trusted \(.*Intruder\)"):
        load_model(path)


@pytest.mark.parametrize(
    "content",
    [
        LogisticRegression(),
        {"roclab": 1, "model": LogisticRegression(), "features": ["a"], "target": "y"},
        {"features": ["a"]},
        [1, 2],
    ],
)
def test_other_contents_are_refused(content, path):
    skops.io.dump(content, path)
    with pytest.raises(SerializationError, match="holds no model of roclab"):
        load_model(path)


def test_another_version_is_refused(path):
    model = AUCtronClassifier(random_state=0).fit(X, Y)
    skops.io.dump({"roclab": 99, "model": model, "features": ["a", "b"], "target": "y"}, path)
    with pytest.raises(SerializationError, match="version 99 of the format"):
        load_model(path)


def test_files_that_are_no_models_are_refused(path):
    path.write_text("label,score\n1,2\n")
    with pytest.raises(SerializationError, match="is no model of roclab"):
        load_model(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", "{}")
    with pytest.raises(SerializationError, match="is no model of roclab"):
        load_model(path)


def test_paths_that_cannot_be_used(path):
    with pytest.raises(InputError, match="cannot be opened: No such file"):
        load_model(path)
    model = ModelFile(model=AUCtronClassifier(), features=("a",), target="y")
    with pytest.raises(InputError, match="cannot be written: No such file"):
        save_model(path / "deeper", model)


def test_without_skops_it_says_what_to_install(monkeypatch, path):
    monkeypatch.setitem(sys.modules, "skops", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'roclab\[model\]'"):
        load_model(path)
