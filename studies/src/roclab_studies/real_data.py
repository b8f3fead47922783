"""Data sets for studies: the very tables that recorded answers were found on."""

from __future__ import annotations

import roclab as rl
from roclab_studies import datasets


def load_known(name: str, *, version: str | None = None) -> datasets.Dataset:
    """A data set by its name in `datasets`, the same in every cell and in the same order."""
    try:
        data = datasets.load(name, version=version)
    except rl.InputError as error:
        raise SystemExit(f"This study needs data sets. {error}") from None
    if data.checked != "cells":
        raise SystemExit(
            f"This study needs the very table that its answers were found on, and {data.source} "
            f"is not quite that of {name!r}. Let ROCLAB_DATA name the folder that has it."
        )
    return data
