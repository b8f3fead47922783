"""Whether a table is the one that is known by its name."""

from __future__ import annotations

import hashlib

import numpy as np

from roclab.datasets.dataset import Dataset
from roclab.datasets.known import KNOWN

__all__ = ["differences", "fingerprint", "is_known"]


def differences(data: Dataset) -> list[str]:
    """Which counts are not those of the known table."""
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
    """A checksum of every cell and label, in their order; names of columns do not enter it."""
    digest = hashlib.sha256(repr((data.X.shape, data.numeric.tolist(), data.categories)).encode())
    for column in data.X.T:
        # Every nan as the same bits, and no negative zero.
        cells = np.where(np.isnan(column), np.nan, column + 0.0)
        digest.update(cells.astype("<f8").tobytes())
    digest.update(data.y.tobytes())
    return digest.hexdigest()[:16]


def is_known(data: Dataset) -> bool:
    """Whether every cell and label is that of the known table."""
    return fingerprint(data) == KNOWN[data.name, data.version].fingerprint
