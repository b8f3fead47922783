"""The command: ``python -m benchmarks [subject ...] [--quick]``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.pages import write_pages
from benchmarks.tables import Table, write

SUBJECTS = (
    "auc",
    "delong",
    "ranking",
    "measures",
    "bootstrap",
    "bands",
    "comparison",
    "selection",
    "learning",
    "auc_tree",
    "windows",
    "memory",
    "window_memory",
    "scale",
    "html_report",
)
RESULTS = Path(__file__).with_name("results")
QUICK = 10**3
FULL = 10**9


def main(arguments: Sequence[str] | None = None, results: Path = RESULTS) -> None:
    """Measure the chosen subjects and write the tables.

    Only a full run writes ``latest``, the committed results, and the figures that documents quote;
    any other writes ``local``.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "subjects", nargs="*", metavar="subject", help=f"of {', '.join(SUBJECTS)}; default all"
    )
    parser.add_argument("--quick", action="store_true", help=f"at most {QUICK} examples each")
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.subjects) - set(SUBJECTS)
    if unknown:
        parser.error(f"no subject {', '.join(sorted(unknown))}; there are {', '.join(SUBJECTS)}")
    tables: list[Table] = []
    try:
        for subject in chosen.subjects or SUBJECTS:
            module = import_module(f"benchmarks.{subject}")
            tables += module.tables(QUICK if chosen.quick else FULL)
    except BaseException:
        write(tables, results / "latest.local")  # an hour's figures are not lost with the next one
        raise
    whole = not chosen.subjects and not chosen.quick
    print(write(tables, results / ("latest" if whole else "latest.local")))
    if whole and results == RESULTS:
        write_pages()


if __name__ == "__main__":
    main()
