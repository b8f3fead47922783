"""Real data, where ROCLAB_DATA names the folder that has it; tests without it are skipped."""

import csv
import gzip
import os
from pathlib import Path

import pytest


def rows(name):
    """Rows of a file, each a dict of texts by column."""
    folder = os.environ.get("ROCLAB_DATA")
    if not folder:
        pytest.skip(f"ROCLAB_DATA is not set: no folder with {name}")
    opened = gzip.open if name.endswith(".gz") else open
    with opened(Path(folder) / name, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
