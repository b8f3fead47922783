"""What the README shows is what happens."""

from pathlib import Path

import documents
import pytest

README = documents.ROOT / "README.md"

pytestmark = pytest.mark.usefixtures("as_installed")


def test_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(documents.with_examples(tmp_path))
    documents.run_python(README)


def test_shell(tmp_path: Path) -> None:
    documents.run_shell(README, documents.with_examples(tmp_path))


def test_every_block_is_run() -> None:
    assert documents.languages(README) == {"python", "console"}
