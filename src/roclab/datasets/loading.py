"""A data set by name."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from roclab.datasets.dataset import Dataset
from roclab.datasets.registry import REGISTRY, Definition
from roclab.datasets.tables import read_table
from roclab.errors import InputError

__all__ = ["load"]

SUFFIXES = (".csv", ".csv.gz")


def load(
    name: str,
    *,
    version: str | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> Dataset:
    """Load a data set of the papers, with two classes.

    Parameters
    ----------
    name : str
        One of those that `list_datasets` has.
    version : str, optional
        Which two classes, where there is a choice. By default the first of its versions.
    folder : path, optional
        Where the files are: ``<name>.csv`` or ``<name>.csv.gz``, with a header, the class in the
        column ``class`` and empty cells for what is missing. By default the folder that the
        environment variable ``ROCLAB_DATA`` names.

    Returns
    -------
    Dataset
        Features and labels.

    Raises
    ------
    InputError
        No data set or version of that name; no folder; a file that is not that data set.
    """
    definition = _definition(name, version)
    place = folder if folder is not None else os.environ.get("ROCLAB_DATA")
    if not place:
        raise InputError(
            f"No folder to read {name!r} from: pass `folder=`, or set ROCLAB_DATA to the folder "
            f"that holds {name}.csv."
        )
    for suffix in SUFFIXES:
        path = Path(place) / f"{name}{suffix}"
        if path.is_file():
            return read_table(path, definition)
    raise InputError(f"{place} has no {name}.csv or {name}.csv.gz. Put the file there.")


def _definition(name: str, version: str | None) -> Definition:
    if name not in REGISTRY:
        near = difflib.get_close_matches(str(name), REGISTRY, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InputError(f"No data set {name!r}.{hint} `list_datasets()` has them all.")
    versions = {one.version: one for one in REGISTRY[name]}
    if version is None:
        return REGISTRY[name][0]
    if version not in versions:
        known = ", ".join(map(repr, versions))
        raise InputError(f"No version {version!r} of {name!r}. It has: {known}.")
    return versions[version]
