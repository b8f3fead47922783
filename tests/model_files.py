"""Damaged and crafted model files, made from whole ones, and what became of them.

``python tests/model_files.py 5000 0`` loads 5,000 of each kind of model, from seed 0 on.
"""

import io
import json
import random
import sys
import tracemalloc
import zipfile

import numpy as np

from roclab import (
    AUCSplitTreeClassifier,
    AUCtronClassifier,
    AUCtronClassifierCV,
    MSEtronClassifier,
)
from roclab.errors import RoclabError
from roclab.learning import ModelFile, load_model, save_model

_X = np.random.default_rng(0).normal(size=(60, 2))
_Y = (_X[:, 0] + _X[:, 1] > 0).astype(int)
_MIXED = np.column_stack([_X.astype(object), np.where(_X[:, 1] > 0.5, "high", "low")])
MODELS = {
    "auctron": (AUCtronClassifier(random_state=0), _X),
    "auctron_cv": (AUCtronClassifierCV(cv=3, alphas=2), _X),
    "msetron": (MSEtronClassifier(random_state=np.random.RandomState(0)), _X),
    "tree": (AUCSplitTreeClassifier(), _X),
    "categorical tree": (AUCSplitTreeClassifier(categorical_features=[2]), _MIXED),
}
_NUMBERS = (0, -1, 1, 2**31 - 1, -(2**31), 2**62, -(2**62), 2**63 - 1, -(2**63), 1e308, np.nan)
_VALUES = (None, "", "a", [], {}, 10**30, -1, 1e308, True, "numpy.void", "builtins.bytes")


def whole_file(kind, path):
    """The bytes of a model of this kind."""
    estimator, rows = MODELS[kind]
    model = estimator.fit(rows, _Y)
    names = tuple("abc"[: rows.shape[1]])
    save_model(path, ModelFile(model=model, features=names, target="y"))
    return path.read_bytes()


def damaged(data, seed):
    """The bytes with one or a few changes: of the bytes, of an array or of the schema."""
    draw = random.Random(seed)
    change = draw.choice((_bytes_changed, _array_changed, _array_changed, _schema_changed))
    return change(data, draw)


def archive(parts, compression=zipfile.ZIP_STORED):
    """An archive of named parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as output:
        for name, part in parts.items():
            output.writestr(name, part)
    return stream.getvalue()


def parts_of(data):
    """The parts of an archive by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as whole:
        return {name: whole.read(name) for name in whole.namelist()}


def outcome(data, path):
    """The message with which a file is refused, None for a model that gives scores; its memory."""
    path.write_bytes(data)
    tracemalloc.start()
    try:
        try:
            file = load_model(path)
        except RoclabError as error:
            return str(error), tracemalloc.get_traced_memory()[1]
        row = [None if name in file.categories else 0.5 for name in file.features]
        file.scores(np.array([row, row], object))
        return None, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _bytes_changed(data, draw):
    content = bytearray(data)
    for _ in range(draw.choice((1, 1, 3, 20))):
        place = draw.randrange(len(content))
        action = draw.randrange(4)
        if action == 0:
            content[place] ^= 1 << draw.randrange(8)
        elif action == 1:
            content[place : place + draw.randrange(1, 9)] = draw.randbytes(draw.randrange(9))
        elif action == 2:
            del content[place : place + draw.choice((1, 4, 300))]
        else:
            content[place:place] = content[: draw.choice((1, 30, 300))]
        if not content:
            break
    return bytes(content)


def _array_changed(data, draw):
    parts = parts_of(data)
    name = draw.choice([name for name in parts if name.endswith(".npy")])
    array = np.load(io.BytesIO(parts[name]))
    stream = io.BytesIO()
    action = draw.randrange(5)
    with np.errstate(all="ignore"):
        if action == 0:
            array = array[: draw.randrange(3)] if array.ndim else array
        elif action == 1:
            array = array.astype(draw.choice(["<i8", ">i4", "f8", "f4", "c16", "U0", "U5", "?"]))
        elif action == 2:
            array = np.resize(array, draw.choice([(0,), (1, 1), (3,), (2, 2), (1000,), (3, 0)]))
        elif array.size and array.dtype.kind in "iuf":
            array = array.copy()
            for _ in range(draw.choice((1, 2, 4))):
                place = draw.randrange(array.size)
                values = np.array(draw.choice(_NUMBERS)).astype(np.float64)
                array.flat[place] = values.astype(array.dtype)
    np.save(stream, array)
    content = bytearray(stream.getvalue())
    if draw.random() < 0.3:
        content = content.replace(b"'shape': (", draw.choice(_HEADERS))
    return archive(parts | {name: bytes(content)})


_HEADERS = (b"'shape': (9", b"'shape': (99999999999,", b"'shape': (-", b"'shape': (0,")


def _schema_changed(data, draw):
    parts = parts_of(data)
    schema = json.loads(parts["schema.json"])
    places = []

    def collect(part):
        for key, value in part.items() if isinstance(part, dict) else enumerate(part):
            places.append((part, key))
            if isinstance(value, dict | list):
                collect(value)

    collect(schema)
    for _ in range(draw.choice((1, 1, 2, 5))):
        (part, key), (other, name) = draw.choice(places), draw.choice(places)
        try:
            action = draw.randrange(4)
            if action == 0:
                part[key] = draw.choice(_VALUES)
            elif action == 1:
                del part[key]
            else:
                part[key] = json.loads(json.dumps(other[name]))
        except (KeyError, IndexError, RecursionError, ValueError):
            continue  # of a part that was removed
    if draw.random() < 0.2:
        for name in list(parts):
            if draw.random() < 0.3:
                del parts[name]
    return archive(parts | {"schema.json": json.dumps(schema).encode()})


if __name__ == "__main__":
    import pathlib
    import resource
    import tempfile
    import warnings

    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    number, first = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.skops"
        for kind in sys.argv[3:] or MODELS:
            data = whole_file(kind, path)
            outcome(data, path)  # imports what is needed
            found = {"kind": kind, "refused": 0, "accepted": 0, "most": 0.0}
            for seed in range(first, first + number):
                content = damaged(data, seed)
                sys.stderr.write(f"\r{kind} {seed}")  # named if it ends the process
                message, memory = outcome(content, path)
                found["accepted" if message is None else "refused"] += 1
                if message is not None:
                    found["most"] = max(found["most"], memory / (len(content) + 20_000))
            sys.stdout.write(json.dumps(found) + "\n")
