"""The command: ``python -m roclab_studies [study ...] [--methods ...] [--again] [--quick]``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from roclab_studies.catalogue import FOLDER, RESULTS, STUDIES
from roclab_studies.pages import write_pages
from roclab_studies.runner import fill

QUICK_RESULTS = FOLDER / "build"
QUICK = 50


def main(arguments: Sequence[str] | None = None, results: Path = RESULTS) -> None:
    """Answer the questions of the chosen studies that have no recorded answer yet."""
    parser = argparse.ArgumentParser(prog="python -m roclab_studies", description=__doc__)
    parser.add_argument(
        "studies", nargs="*", metavar="study", help=f"of {', '.join(STUDIES)}; default all"
    )
    parser.add_argument("--methods", help="only these, with commas between them")
    parser.add_argument("--again", action="store_true", help="forget the recorded answers first")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--backend", default="loky", help="of joblib: loky, or dask or spark once registered"
    )
    parser.add_argument(
        "--quick", action="store_true", help=f"1/{QUICK} of the runs, kept in studies/build"
    )
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.studies) - set(STUDIES)
    if unknown:
        parser.error(f"no study {', '.join(sorted(unknown))}; there are {', '.join(STUDIES)}")
    studies = {name: STUDIES[name].module for name in chosen.studies or STUDIES}
    asked = {name: study.questions(QUICK if chosen.quick else 1) for name, study in studies.items()}
    known = {question.method for questions in asked.values() for question in questions}
    methods = set(chosen.methods.split(",")) if chosen.methods else known
    if not methods <= known:
        parser.error(
            f"no method {', '.join(sorted(methods - known))}; there are {', '.join(sorted(known))}"
        )
    os.environ["ROCLAB_NUM_THREADS"] = "1"  # every process has a core
    for name, study in studies.items():
        fill(
            study,
            asked[name],
            methods,
            (QUICK_RESULTS if chosen.quick else results) / f"{name}.csv",
            again=chosen.again,
            processes=1 if getattr(study, "ALONE", False) else chosen.processes,
            backend="loky" if getattr(study, "ALONE", False) else chosen.backend,
        )
    if results == RESULTS and not chosen.quick:
        write_pages()


if __name__ == "__main__":
    main()
