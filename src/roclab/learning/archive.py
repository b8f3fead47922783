"""What the archive of a model may hold, checked before skops reads it.

skops decompresses, allocates and follows whatever an archive asks for. The checks here bound that
by the size of the file, and refuse every kind of object that roclab's models do not have.
"""

from __future__ import annotations

import io
import json
import math
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np

_READ_HEADER = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_SCALARS = {f"numpy.{kind}" for kind in ("bool", "int32", "int64", "float32", "float64", "str_")}
# The kinds of objects in a model besides roclab's own, by the node of skops that loads them.
_KINDS = {
    "DictNode": {"builtins.dict"},
    "ListNode": {"builtins.list"},
    "TupleNode": {"builtins.tuple"},
    "JsonNode": {"builtins.str"},
    "TypeNode": {"builtins.str", "builtins.int", "numpy.float64"},  # of keys, and of codes
    "NdArrayNode": {"numpy.ndarray", *_SCALARS},
    "RandomStateNode": {"numpy.random.mtrand.RandomState"},
    "ObjectNode": {"sklearn.preprocessing._encoders.OrdinalEncoder"},
}


def foreign_types(data: bytes, trusted: list[str]) -> list[str]:
    """Names of the types in an archive that models do not have, `trusted` objects excepted.

    Raises ValueError for an archive from which more would be loaded than it holds: compressed or
    overlapping files, arrays larger than their bytes, one object in the place of others.
    """
    foreign = set()
    owners: dict[str, Any] = {}
    sizes: dict[Any, int] = {}
    with ZipFile(io.BytesIO(data)) as archive:
        files = archive.infolist()
        stored = all(file.compress_type == ZIP_STORED for file in files)
        if not stored or sum(file.file_size for file in files) > len(data):
            raise ValueError("its files are compressed, or larger than the archive")
        nodes: list[tuple[dict[str, Any], int]] = []
        _collect(json.loads(archive.read("schema.json")), nodes)
        for node, size in nodes:
            loader, kind = node["__loader__"], f"{node['__module__']}.{node['__class__']}"
            # skops loads the first node of an identifier in the place of the others.
            if sizes.setdefault(node["__id__"], size) != size:
                raise ValueError("one of its objects stands for others")
            known = kind in _KINDS.get(loader, ())
            if not known and not (loader == "ObjectNode" and kind in trusted):
                foreign.add(kind)
            elif loader == "NdArrayNode" and node["type"] == "numpy":
                if node["file"] not in owners:
                    _check_array(archive.read(node["file"]))
                # skops reads the file for each of them.
                if owners.setdefault(node["file"], node["__id__"]) != node["__id__"]:
                    raise ValueError("two of its arrays are in one file")
    return sorted(foreign)


def _collect(part: Any, found: list[tuple[dict[str, Any], int]]) -> int:
    """Append the nodes in a part of the schema, each with its number of nodes; return the total."""
    children = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    size = sum(_collect(child, found) for child in children)
    if isinstance(part, dict) and not part.keys().isdisjoint(("__loader__", "__id__")):
        size += 1
        found.append((part, size))
    return size


def _check_array(data: bytes) -> None:
    """Raise unless the bytes hold one array of plain values and nothing else."""
    stream = io.BytesIO(data)
    shape, _, dtype = _READ_HEADER[np.lib.format.read_magic(stream)](stream)
    plain = dtype.kind in "biufSUMm" and dtype.itemsize > 0 and min(shape, default=0) >= 0
    if not plain or math.prod(shape) * dtype.itemsize != len(data) - stream.tell():
        raise ValueError("an array does not have the size of its bytes")
