"""The tables that pages quote, written between their marks from the recorded answers.

A page of this project or of the library's documentation quotes a table by the marks
``<!-- name:begin -->`` and ``<!-- name:end -->``.
"""

from __future__ import annotations

import re
from pathlib import Path

from roclab_studies.catalogue import FOLDER, STUDIES
from roclab_studies.markdown import with_table

MARK = re.compile("<!-- ([a-zA-Z0-9-]+):begin -->")
OF_BENCHMARKS = "benchmark"  # how the marks begin that belong to `benchmarks`
BY_MARK = {mark: study for study in STUDIES.values() for mark in study.tables}


def marks(page: Path) -> list[str]:
    """Names of the tables that a page quotes."""
    found = MARK.findall(page.read_text(encoding="utf-8"))
    return [mark for mark in found if not mark.startswith(OF_BENCHMARKS)]


def quoting_pages() -> list[Path]:
    """All pages with a table."""
    folders = (FOLDER / "pages", FOLDER.parent / "docs")
    return [
        page
        for folder in folders
        for page in sorted(folder.rglob("*.md"))
        if "_build" not in page.parts and marks(page)
    ]


def updated(page: Path) -> str:
    """The text of a page with its tables as the recorded answers have them."""
    text = page.read_text(encoding="utf-8")
    for mark in marks(page):
        study = BY_MARK[mark]
        if study.answers is not None:
            text = with_table(text, mark, study.tables[mark](study.answers))
    return text


def write_pages() -> None:
    """Bring every page up to date, as far as its studies are finished."""
    for page in quoting_pages():
        page.write_text(updated(page), encoding="utf-8")
