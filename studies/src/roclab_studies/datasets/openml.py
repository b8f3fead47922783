"""Tables from OpenML, cached in a folder of the same layout as the user's."""

from __future__ import annotations

import hashlib
import http.client
import os
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from roclab import InputError
from roclab_studies.datasets.dataset import Dataset
from roclab_studies.datasets.known import KNOWN
from roclab_studies.datasets.registry import Definition
from roclab_studies.datasets.tables import CLASS


def cache_path(definition: Definition) -> Path:
    """The path of the table in the cache."""
    named = os.environ.get("ROCLAB_CACHE")
    base = os.environ.get("XDG_CACHE_HOME")
    folder = Path(named) if named else (Path(base) if base else Path.home() / ".cache") / "roclab"
    return folder.expanduser() / f"{definition.name}.csv"


def is_whole(path: Path) -> bool:
    """Whether a cached table is unchanged; False if there is none."""
    try:
        return _checksum_path(path).read_text(encoding="utf-8").split()[:1] == [_sha256(path)]
    except (OSError, UnicodeDecodeError):
        return False


def download(definition: Definition, accept: Callable[[Path], Dataset]) -> Dataset:
    """Download the table, and cache it if it is accepted.

    Parameters
    ----------
    definition : Definition
        A table that OpenML has.
    accept : callable
        Called with the file before it is cached. It returns the result, or raises.

    Raises
    ------
    OSError
        OpenML cannot be reached, or the folder cannot be written.
    ValueError
        The download is not what OpenML announces, or not this table.
    """
    bunch = _fetched(definition)
    path = cache_path(definition)
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, so that each file appears there complete or not at all.
    with tempfile.TemporaryDirectory(dir=path.parent) as place:
        new = Path(place) / path.name
        _frame(bunch, definition).write_csv(new)
        data = accept(new)
        checksum = _checksum_path(new)
        checksum.write_text(f"{_sha256(new)}  {path.name}\n", encoding="utf-8")
        new.replace(path)
        checksum.replace(_checksum_path(path))
    return data


def _fetched(definition: Definition) -> Any:
    # Imported here: not needed if a folder has the table.
    from sklearn.datasets import fetch_openml

    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as home:
        # It retries by itself; only the final failure matters.
        warnings.filterwarnings("ignore", message="A network error occurred")
        try:
            return fetch_openml(
                data_id=definition.openml, data_home=home, as_frame=False, parser="liac-arff"
            )
        except http.client.HTTPException as error:
            raise OSError(f"the download broke off: {error!r}") from error


def _frame(bunch: Any, definition: Definition) -> pl.DataFrame:
    """The result of `fetch_openml` in the layout of the folder: all cells as text."""
    columns: dict[str, list[str | None]] = {
        name: _words(bunch.data[:, place], bunch.categories.get(name))
        for place, name in enumerate(bunch.feature_names)
    }
    columns[CLASS] = [*_classes([str(word) for word in bunch.target], definition)]
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def _words(column: npt.NDArray[np.float64], categories: list[str] | None) -> list[str | None]:
    """Cells as a file spells them: integers without a point."""
    cells: list[float] = column.tolist()
    if categories is not None:
        return [None if cell != cell else categories[int(cell)] for cell in cells]
    return [
        None if cell != cell else str(int(cell)) if cell.is_integer() else repr(cell)
        for cell in cells
    ]


def _classes(words: list[str], definition: Definition) -> list[str]:
    """Classes as the registry spells them.

    If OpenML has another name for the positive class, it is the one with the same number of rows.
    """
    counts = Counter(words)
    if set(definition.positive) <= set(counts):
        return words
    wanted = KNOWN[definition.name, definition.version].positives
    alike = [word for word, count in counts.items() if count == wanted]
    if len(alike) != 1 or len(definition.positive) != 1 or definition.negative:
        raise InputError(
            found="it has the classes {classes}, of which none can be identified as {positive}",
            classes=", ".join(sorted(counts)),
            positive=", ".join(definition.positive),
        )
    return [definition.positive[0] if word == alike[0] else word for word in words]


def _checksum_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
