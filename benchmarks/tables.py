"""Results as Markdown and JSON: the same rows in both, with the machine they come from."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

Row = dict[str, Any]

PACKAGES = ("roclab", "numpy", "scipy", "scikit-learn", "confidenceinterval", "river")
NOTE = (
    "Ratios are the median of a case's peer, named first, over the row's: above 1 is faster. "
    "Lowest and highest are the wall ratios of single rounds. `CPU` is processor time summed over "
    "threads. Compare ratios: the milliseconds belong to this machine. `agrees within` is the "
    "relative difference from the peer's result that was allowed, or nothing would be timed. "
    "`free cores` is what a spin on all cores got just before the case; where that is clearly less "
    "than there are, other work ran. `times auc` is the other way round, the time over that of "
    "roclab's own AUC with as many threads, and `wanted` the most it should be."
)


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows under a title; the notes say what is not in them and why."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Row]
    notes: Sequence[str] = ()

    def to_markdown(self) -> str:
        """The table as Markdown."""
        lines = [
            f"## {self.title}",
            "",
            _line(self.columns),
            _line(["---" if column in ("case", "contender") else "--:" for column in self.columns]),
            *(_line([_cell(row[column]) for column in self.columns]) for row in self.rows),
        ]
        if self.notes:
            lines += ["", *(f"- {note}" for note in self.notes)]
        return "\n".join(lines)


def machine() -> dict[str, Any]:
    """What the figures depend on, without anything that names the computer."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "processor": _processor(),
        "cores": cores,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: _version(name) for name in PACKAGES},
    }


def write(tables: Sequence[Table], to: Path, note: str = NOTE) -> str:
    """Write ``<to>.md`` and ``<to>.json``; return the Markdown."""
    about = machine()
    header = "\n".join(f"- {key}: {value}" for key, value in about.items())
    parts = ["# Benchmarks", header, note, *(table.to_markdown() for table in tables)]
    markdown = "\n\n".join(parts) + "\n"
    content = {"machine": about, "tables": [asdict(table) for table in tables]}
    to.parent.mkdir(parents=True, exist_ok=True)
    to.with_name(f"{to.name}.md").write_text(markdown, encoding="utf-8")
    to.with_name(f"{to.name}.json").write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    return markdown


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return np.format_float_positional(
            value, precision=3, unique=False, fractional=False, trim="-"
        )
    return str(value)


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
