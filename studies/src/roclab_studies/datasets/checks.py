"""Checks whether a table is the one known by its name."""

from __future__ import annotations

import hashlib

import numpy as np

from roclab_studies.datasets.dataset import Dataset
from roclab_studies.datasets.known import KNOWN


def differences(data: Dataset) -> list[str]:
    """The counts that differ from those of the known table."""
    known = KNOWN[data.name, data.version]
    found = {
        "rows": len(data.X),
        "features": data.X.shape[1],
        "numeric": int(data.numeric.sum()),
        "positives": int(data.y.sum()),
        "missing": int(np.isnan(data.X).sum()),
    }
    words = {
        "rows": "rows",
        "features": "features",
        "numeric": "features that are numbers",
        "positives": "positive rows",
        "missing": "missing values",
    }
    return [
        f"{found[field]:,} {words[field]} instead of {getattr(known, field):,}"
        for field in found
        if found[field] != getattr(known, field)
    ]


def fingerprint(data: Dataset) -> str:
    """A checksum of all cells and labels, in their order, without column names."""
    digest = hashlib.sha256(repr((data.X.shape, data.numeric.tolist(), data.categories)).encode())
    for column in data.X.T:
        # All nan as the same bits, and no negative zero.
        cells = np.where(np.isnan(column), np.nan, column + 0.0)
        digest.update(cells.astype("<f8").tobytes())
    digest.update(data.y.tobytes())
    return digest.hexdigest()[:16]


def is_known(data: Dataset) -> bool:
    """Whether all cells and labels equal those of the known table."""
    return fingerprint(data) == KNOWN[data.name, data.version].fingerprint
