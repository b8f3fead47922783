"""Load a data set by name: from a folder, from the cache, or from OpenML."""

from __future__ import annotations

import difflib
import os
from dataclasses import replace
from pathlib import Path

from roclab import InputError
from roclab_studies.datasets.checks import differences, is_known
from roclab_studies.datasets.dataset import Dataset
from roclab_studies.datasets.openml import cache_path, download, is_whole
from roclab_studies.datasets.registry import REGISTRY, Definition
from roclab_studies.datasets.tables import read_table

SUFFIXES = (".csv", ".csv.gz")


def load(
    name: str,
    *,
    version: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    verify: bool = True,
) -> Dataset:
    r"""Load a two-class data set of the papers by name.

    Parameters
    ----------
    name : str
        One of the names in `list_datasets`.
    version : str, optional
        Choice of the two classes, if there are several. By default the first version.
    folder : path, optional
        Folder of the files: ``<name>.csv`` or ``<name>.csv.gz``, with a header, the class in the
        column ``class`` and empty cells for missing values. By default the folder in the
        environment variable ``ROCLAB_DATA`` and, for what is not there, OpenML; a table from
        OpenML is cached in the folder in ``ROCLAB_CACHE``, by default ``~/.cache/roclab``.
    verify : bool, default True
        Refuse a table that differs from the known one: in any cell if it comes from a folder; in
        the counts of rows, features, numbers, positives and missing values if it comes from OpenML,
        whose copies may spell cells differently. False accepts any table.

    Returns
    -------
    Dataset
        Features and labels; its field `checked` reports how it was verified.

    Raises
    ------
    InputError
        No data set or version of that name, no source that has it, or not the known table.
    FileFormatError
        A file that cannot be read as CSV.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name, "sonar.csv")
    >>> _ = file.write_text("a,class\n0.1,Rock\n0.4,Mine\n0.4,Rock\n,Mine\n")
    >>> data = load("sonar", folder=folder.name, verify=False)
    >>> data
    Dataset('sonar': 4 rows, 2 positive (Rock); 1 features, 1 numeric; 1 values missing)
    >>> data.X.ravel().tolist(), data.y.tolist()
    ([0.1, 0.4, 0.4, nan], [True, False, True, False])
    >>> folder.cleanup()
    """
    definition = _definition(name, version)
    tried = []
    named = folder if folder is not None else os.environ.get("ROCLAB_DATA")
    if named:
        paths = [Path(named).expanduser() / f"{name}{suffix}" for suffix in SUFFIXES]
        found = [path for path in paths if path.is_file()]
        if found:
            return _from_folder(found[0], definition, verify)
        tried.append(f"{named} has no {name}.csv or {name}.csv.gz")
    else:
        tried.append("ROCLAB_DATA is not set")
    if folder is None:
        data = _from_openml(definition, verify, tried)
        if data is not None:
            return data
    raise InputError(
        found="{dataset} is not available: {tried}",
        fix="Put {file}.csv (a header, the class in the column `class`, empty cells for missing "
        "values) into a folder, and pass its name as {folder} or in ROCLAB_DATA.",
        dataset=repr(name),
        tried="; ".join(tried),
        file=name,
    )


def _from_folder(path: Path, definition: Definition, verify: bool) -> Dataset:
    data = read_table(path, definition, source=str(path))
    if not verify:
        return data
    wrong = differences(data)
    if wrong or not is_known(data):
        reason = "; ".join(wrong) or "its counts are right, but not all of its cells"
        raise InputError(
            found="{path} is not the table known as {dataset}: {reason}",
            fix="Put an unchanged copy there, or pass {verify=}False to accept it.",
            path=path,
            dataset=repr(definition.name),
            reason=reason,
        )
    return replace(data, checked="cells")


def _from_openml(definition: Definition, verify: bool, tried: list[str]) -> Dataset | None:
    if definition.openml is None:
        tried.append("OpenML has no copy that is known to be equal")
        return None
    place = f"OpenML's data set {definition.openml}"
    kept = cache_path(definition)

    def accept(path: Path) -> Dataset:
        data = read_table(path, definition, source=f"{place}, kept in {kept}")
        return _counted(data, definition) if verify else data

    try:
        return accept(kept) if is_whole(kept) else download(definition, accept)
    except (OSError, ValueError) as error:
        tried.append(f"{place}: {' '.join(str(error).split()).rstrip('.')}")
        return None


def _counted(data: Dataset, definition: Definition) -> Dataset:
    """A table from OpenML, if it agrees with the known one."""
    wrong = differences(data)
    if wrong:
        raise InputError(found="{wrong}", wrong="; ".join(wrong))
    if is_known(data):
        return replace(data, checked="cells")
    if definition.first_rows is not None:
        raise InputError(found="its rows may be in another order, and the first ones are needed")
    return replace(data, checked="counts")


def _definition(name: str, version: str | None) -> Definition:
    if not isinstance(name, str) or name not in REGISTRY:
        near = difflib.get_close_matches(str(name), REGISTRY, n=1)
        raise InputError(
            found="No data set {dataset}",
            fix=("Did you mean {near}? " if near else "") + "`list_datasets()` lists all.",
            dataset=repr(name),
            near=repr(near[0]) if near else "",
        )
    versions = {one.version: one for one in REGISTRY[name]}
    if version is None:
        return REGISTRY[name][0]
    if version not in versions:
        raise InputError(
            found="No version {value} of {dataset}",
            fix="Versions: {known}.",
            value=repr(version),
            dataset=repr(name),
            known=", ".join(map(repr, versions)),
        )
    return versions[version]
