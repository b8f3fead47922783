"""Models on disk: the same model comes back, and nothing else is let in."""

import dataclasses
import io
import json
import os
import subprocess
import sys
import threading
import warnings
import zipfile

import numpy as np
import polars as pl
import pytest
import skops.io
from model_files import MODELS, archive, outcome
from sklearn.linear_model import LogisticRegression

from roclab import AUCSplitTreeClassifier, AUCtronClassifier, MSEtronClassifier
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


MIXED = np.column_stack([X.astype(object), np.where(X[:, 1] > 0, "high", "low")])


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (X, {"max_depth": 2}),
        (np.where(X > 1, np.nan, X), {"random_state": 0, "max_features": 1}),
        (MIXED, {"categorical_features": [2], "categorical_split": "multiway"}),
        (MIXED[:, ::-1], {"categorical_features": np.array([0])}),
    ],
)
def test_a_tree_comes_back_as_it_was(data, options, path):
    model = AUCSplitTreeClassifier(**options).fit(data, Y)
    names = tuple("abc"[: data.shape[1]])
    save_model(path, ModelFile(model=model, features=names, target="y"))
    loaded = load_model(path)
    assert loaded.model.to_text() == model.to_text()
    assert np.array_equal(loaded.model.predict_proba(data), model.predict_proba(data))
    assert np.array_equal(loaded.scores(data), model.predict_proba(data)[:, 1])
    chosen = options.get("categorical_features", [])
    assert loaded.categories == tuple(names[place] for place in chosen)


@pytest.mark.parametrize(
    ("field", "place", "value"),
    [
        ("first_child", 0, 10**6),
        ("first_child", 0, 0),
        ("first_child", 0, -7),
        ("children", 0, 1),
        ("children", 0, 2**31 - 1),
        ("feature", 0, 1),
        ("missing_to", 0, 2),
        ("unseen_to", 0, -1),
        ("category_to", 0, 2),
        ("category_to", 0, -1),
        ("categories_end", 0, 10**6),
        ("categories_end", -1, -1),
        ("depth", 1, 2**31 - 1),
        ("depth", 0, 1),
        ("pos", 1, np.nan),
        ("neg", 0, -1.0),
        ("gain", 0, np.inf),
    ],
)
def test_a_tree_that_leads_out_of_its_arrays_is_refused(field, place, value, path):
    model = AUCSplitTreeClassifier(categorical_features=[0]).fit(MIXED[:, 2:], Y)
    assert len(model.tree_.category) == 2
    getattr(model.tree_, field)[place] = value
    save_model(path, ModelFile(model=model, features=("a",), target="y"))
    with pytest.raises(SerializationError, match="a model that was not written by roclab"):
        load_model(path)


def test_categories_whose_numbers_wrap_are_refused(path):
    """Differences of these ends overflow to counts from 0 on, whose sum wraps: it crashed."""
    model = AUCSplitTreeClassifier().fit(X, Y)
    model.tree_.categories_end[:] = [2**62, -(2**62) - 1, 0]
    save_model(path, ModelFile(model=model, features=("a", "b"), target="y"))
    with pytest.raises(SerializationError, match="its categories are not those of its nodes"):
        load_model(path)


def test_nodes_that_share_children_are_refused(path):
    """As text such a tree has as many lines as paths: twice as many with each level."""
    model = AUCSplitTreeClassifier(min_samples_split=2).fit(X, (X[:, 0] * X[:, 1] > 0).astype(int))
    tree = model.tree_
    second = int(np.flatnonzero(tree.feature >= 0)[1])
    tree.first_child[second] += 1
    save_model(path, ModelFile(model=model, features=("a", "b"), target="y"))
    with pytest.raises(SerializationError, match="its nodes are not connected to a tree"):
        load_model(path)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_leaf_nodes": 7},
        {"ccp_alpha": 0.01, "max_depth": 5},
        {"categorical_features": [2], "categorical_split": "multiway"},
    ],
)
def test_the_trees_that_are_grown_are_valid(options):
    rng = np.random.default_rng(1)
    data = np.column_stack([rng.normal(size=(400, 2)), rng.integers(0, 6, 400)])
    labels = (rng.normal(size=400) + data[:, 0] > 0).astype(int)
    tree = AUCSplitTreeClassifier(min_samples_leaf=2, **options).fit(data, labels).tree_
    assert len(tree.feature) > 3
    assert tree.problem(3) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"feature": np.zeros(0, np.int32)},
        {"gain": np.zeros(1)},
        {"threshold": "none"},
        {"rows": np.zeros(3)},
        {"category": np.zeros((2, 1))},
    ],
)
def test_a_tree_of_other_arrays_is_refused(changed, path):
    model = AUCSplitTreeClassifier().fit(X, Y)
    model.tree_ = dataclasses.replace(model.tree_, **changed)
    save_model(path, ModelFile(model=model, features=("a", "b"), target="y"))
    with pytest.raises(SerializationError, match="a model that was not written by roclab"):
        load_model(path)


def test_a_tree_that_was_not_trained_is_refused(path):
    save_model(path, ModelFile(model=AUCSplitTreeClassifier(), features=("a",), target="y"))
    with pytest.raises(SerializationError, match="it is not trained"):
        load_model(path)


@pytest.mark.parametrize("kind", [AUCtronClassifier, AUCSplitTreeClassifier])
@pytest.mark.parametrize("features", [["a"], ["a", "b", "c"], ["a", "a"], 5])
def test_columns_that_are_not_those_of_the_model_are_refused(kind, features, path):
    model = kind(random_state=0).fit(X, Y)
    skops.io.dump({"roclab": 1, "model": model, "features": features, "target": "y"}, path)
    with pytest.raises(SerializationError, match="a model that was not written by roclab"):
        load_model(path)


@pytest.mark.parametrize(
    ("kind", "part", "value"),
    [
        (AUCtronClassifier, "coef_", np.zeros((1, 7))),
        (AUCtronClassifier, "coef_", None),
        (AUCtronClassifier, "intercept_", "none"),
        (AUCSplitTreeClassifier, "leaf_score", "none"),
        (AUCSplitTreeClassifier, "n_features_in_", None),
        (AUCSplitTreeClassifier, "_codes", None),
    ],
)
def test_a_model_without_a_part_is_refused(kind, part, value, path):
    model = kind(random_state=0).fit(X, Y)
    if value is None:
        delattr(model, part)
    else:
        setattr(model, part, value)
    save_model(path, ModelFile(model=model, features=("a", "b"), target="y"))
    with pytest.raises(SerializationError, match="a model that was not written by roclab"):
        load_model(path)


def test_a_model_trained_on_a_frame_scores_rows_without_a_word(path):
    frame = pl.DataFrame(X, schema=["a", "b"])
    for kind in (AUCtronClassifier, AUCSplitTreeClassifier):
        model = kind(random_state=0).fit(frame, Y)
        save_model(path, ModelFile(model=model, features=("a", "b"), target="y"))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = load_model(path).scores(X, probability=True)
        assert found.tolist() == model.predict_proba(frame)[:, 1].tolist()


def test_rows_that_a_model_cannot_take_have_no_score():
    rows = np.array([[0.0, 1.0], [np.nan, 1.0], [np.inf, 1.0]])
    linear = ModelFile(
        model=AUCtronClassifier(random_state=0).fit(X, Y), features=("a", "b"), target="y"
    )
    assert np.isnan(linear.scores(rows)).tolist() == [False, True, True]
    assert linear.scores(rows)[0] == linear.model.decision_function(rows[:1])[0]
    assert linear.scores(rows, probability=True)[0] == linear.model.predict_proba(rows[:1])[0, 1]
    tree = ModelFile(model=AUCSplitTreeClassifier().fit(X, Y), features=("a", "b"), target="y")
    assert np.isnan(tree.scores(rows)).tolist() == [False, False, True]


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
    with pytest.raises(SerializationError, match=r"does not hold a roclab model|are not trusted"):
        load_model(path)


def test_another_version_is_refused(path):
    model = AUCtronClassifier(random_state=0).fit(X, Y)
    skops.io.dump({"roclab": 99, "model": model, "features": ["a", "b"], "target": "y"}, path)
    with pytest.raises(SerializationError, match="version 99 of the format"):
        load_model(path)


@pytest.mark.parametrize("version", ["1", [1], None, True, 1.0, np.ones(2)])
def test_a_version_that_is_no_whole_number_is_refused(version, path):
    model = AUCtronClassifier(random_state=0).fit(X, Y)
    skops.io.dump({"roclab": version, "model": model, "features": ["a", "b"], "target": "y"}, path)
    with pytest.raises(SerializationError, match="where the version of its format") as error:
        load_model(path)
    assert type(version).__name__ in error.value.part("found")
    assert error.value.part("needed").startswith("a whole number")


def test_files_that_are_no_models_are_refused(path):
    path.write_text("label,score\n1,2\n")
    with pytest.raises(SerializationError, match="is not a model of roclab"):
        load_model(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", "{}")
    with pytest.raises(SerializationError, match="is not a model of roclab"):
        load_model(path)


# Nodes of skops' schema, by hand: its own writer makes no such files.
def node(loader, kind, **parts):
    module, _, name = kind.rpartition(".")
    return {"__loader__": loader, "__module__": module, "__class__": name, **parts}


def json_node(value):
    return node("JsonNode", "builtins.str", content=json.dumps(value))


def dict_node(content, key_types):
    types = node("ListNode", "builtins.list", content=key_types)
    return node("DictNode", "builtins.dict", content=content, key_types=types)


STR = node("TypeNode", "builtins.str")
EMPTY = node("TupleNode", "builtins.tuple", content=[])
TRUSTED = "roclab.learning.auctron.AUCtronClassifier"


def calls_a_method_of_another_object(folder):
    """CVE-2025-54413: each label is trusted, and the last method, os.mkdir, is called on a key."""
    method = node("NdArrayNode", "numpy.ndarray", type="numpy", file="array.npy")
    for name in ("ctypes", "_ctypes", "_os", "mkdir"):
        method = node("MethodNode", TRUSTED, content={"func": name, "obj": method})
    return dict_node({str(folder): json_node(None)}, [method])


def calls_a_method_of_a_trusted_object(_):
    model = node("ObjectNode", TRUSTED, content=dict_node({}, []))
    return node("MethodNode", TRUSTED, content={"func": "get_params", "obj": model})


def calls_an_operator_under_another_name(_):
    """CVE-2025-54412: the label is trusted, the function is that of `operator`."""
    kind = TRUSTED.replace("AUCtronClassifier", "methodcaller")
    arguments = node("TupleNode", "builtins.tuple", content=[json_node("mkdir")])
    return node("OperatorFuncNode", kind, attrs=arguments)


def imports_a_module_to_look_at_it(_):
    """skops before 0.14 imports it while it lists the types that are not trusted."""
    reduced = {"args": EMPTY}
    return node("LossNode", "intruder.Loss", __reduce__=reduced, content=dict_node({}, []))


def calls_a_function_of_numpy(_):
    """skops before 0.15 calls whatever numpy.random has by that name."""
    name = dict_node({"bit_generator": json_node("seed")}, [STR])
    seeds = dict_node({"entropy": json_node(1)}, [STR])
    content = {"bit_generator": name, "seed_seq": seeds}
    return node("RandomGeneratorNode", "numpy.random._generator.Generator", content=content)


@pytest.mark.parametrize("protocol", [0, 1, 2])
@pytest.mark.parametrize(
    "crafted",
    [
        calls_a_method_of_another_object,
        calls_a_method_of_a_trusted_object,
        calls_an_operator_under_another_name,
        imports_a_module_to_look_at_it,
        calls_a_function_of_numpy,
    ],
)
def test_nothing_of_a_crafted_file_runs(crafted, protocol, path, tmp_path, monkeypatch):
    made = tmp_path / "made"
    (tmp_path / "intruder.py").write_text(f"import os\nos.mkdir({str(made)!r})\n")
    monkeypatch.syspath_prepend(tmp_path)
    array = io.BytesIO()
    np.save(array, np.zeros(1))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", json.dumps(crafted(made) | {"protocol": protocol}))
        archive.writestr("array.npy", array.getvalue())
    before = np.random.get_state()[1].tolist()  # noqa: NPY002, what a crafted file could reach
    with pytest.raises(SerializationError, match=r"is not a model of roclab|are not trusted"):
        load_model(path)
    assert not made.exists()
    assert "intruder" not in sys.modules
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def array_node(number, file="array.npy"):
    kind = "numpy.ndarray"
    return node("NdArrayNode", kind, type="numpy", file=file, __id__=number)


def list_node(number, content):
    return node("ListNode", "builtins.list", content=content, __id__=number)


def array_bytes(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def compressed(parts):
    """4 MB of zeros in 4 kB."""
    zeros = array_bytes(np.zeros(500_000))
    return archive(parts | {"array.npy": zeros}, zipfile.ZIP_DEFLATED)


def overlapping(parts):
    """The directory names the bytes of one file twice."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as copy:
        for name, part in parts.items():
            copy.writestr(name, part)
        for number in range(50):
            again = zipfile.ZipInfo(f"{number}.npy")
            again.header_offset = copy.getinfo("array.npy").header_offset
            again.file_size = again.compress_size = copy.getinfo("array.npy").file_size
            again.CRC = copy.getinfo("array.npy").CRC
            copy.filelist.append(again)
            copy.NameToInfo[again.filename] = again
    return output.getvalue()


def one_file_for_many_arrays(parts):
    schema = list_node(1, [array_node(number) for number in range(2, 200)])
    return archive(parts | {"schema.json": json.dumps(schema | {"protocol": 2})})


def larger_than_its_bytes(parts):
    content = array_bytes(np.zeros(3)).replace(b"(3,), }       ", b"(3000000000,)}")
    assert content != parts["array.npy"]
    return archive(parts | {"array.npy": content})


def values_without_bytes(parts):
    content = array_bytes(np.zeros(3, "U1"))[:-12].replace(b"<U1", b"<U0")
    content = content.replace(b"(3,), }       ", b"(3000000000,)}")
    return archive(parts | {"array.npy": content})


def doubled_at_each_level(parts):
    """Two thousand million lists, if each reference is followed."""
    schema = list_node(1, [])
    for level in range(2, 33):
        reference = {"__id__": level - 1}
        schema = list_node(level, [schema, reference])
    return archive(parts | {"schema.json": json.dumps(schema | {"protocol": 2})})


def a_list_that_holds_itself(parts):
    schema = list_node(1, [list_node(1, [])])
    return archive(parts | {"schema.json": json.dumps(schema | {"protocol": 2})})


@pytest.mark.parametrize(
    "crafted",
    [
        compressed,
        overlapping,
        one_file_for_many_arrays,
        larger_than_its_bytes,
        values_without_bytes,
        doubled_at_each_level,
        a_list_that_holds_itself,
    ],
)
def test_no_more_is_loaded_than_a_file_holds(crafted, path):
    schema = list_node(1, [array_node(2)]) | {"protocol": 2}
    parts = {"schema.json": json.dumps(schema), "array.npy": array_bytes(np.zeros(100_000))}
    outcome(b"", path)  # imports what is needed
    data = crafted(parts)
    message, memory = outcome(data, path)
    assert "is not a model of roclab (" in message
    assert memory < 5 * len(data) + 300_000  # Python 3.14 reads files by 128 KiB


@pytest.mark.parametrize("kind", MODELS)
def test_damaged_files_are_refused_or_give_scores(kind):
    """In another process, which ends the test if a file crashes it or takes 4 GB."""
    pytest.importorskip("resource", reason="no limits of processes here")
    script = os.path.join(os.path.dirname(__file__), "..", "..", "model_files.py")
    run = subprocess.run(
        [sys.executable, script, "150", "0", kind], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["refused"] > 75
    assert found["accepted"] > 5
    assert found["most"] < 8


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_model_from_a_pipe(path, tmp_path):
    model = AUCtronClassifier(random_state=0).fit(X, Y)
    save_model(path, ModelFile(model=model, features=("a", "b"), target="y"))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(path.read_bytes(),))
    writer.start()
    loaded = load_model(pipe)
    writer.join()
    assert np.array_equal(loaded.model.coef_, model.coef_)


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


def test_a_tree_of_a_frame_with_text_scores_as_before(tmp_path):
    frame = pl.DataFrame({"colour": ["red", "blue", None, "red"] * 5, "size": range(20)})
    y = [1, 0, 1, 1] * 5
    model = AUCSplitTreeClassifier(max_depth=2).fit(frame, y)
    path = tmp_path / "model.skops"
    save_model(path, ModelFile(model=model, features=("colour", "size"), target="y"))
    loaded = load_model(path)
    assert loaded.categories == ("colour",)
    expected = model.predict_proba(frame)
    np.testing.assert_array_equal(loaded.model.predict_proba(frame), expected)
    np.testing.assert_array_equal(loaded.scores(np.array(frame.rows(), object)), expected[:, 1])
