"""What the documentation shows is what happens."""

from pathlib import Path

import documents
import pytest

NOT_RUN = {"text", "py", "{toctree}", "{eval-rst}"}  # py: needs a package that tests do not
IDS = [str(page.relative_to(documents.ROOT)) for page in documents.PAGES]


@pytest.mark.parametrize("page", documents.PAGES, ids=IDS)
class TestPage:
    def test_python(self, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(documents.with_examples(tmp_path))
        documents.run_python(page)

    def test_shell(self, page: Path, tmp_path: Path) -> None:
        documents.run_shell(page, documents.with_examples(tmp_path))

    def test_blocks_are_of_known_kinds(self, page: Path) -> None:
        assert documents.languages(page) <= {"python", "console", *NOT_RUN}
