"""Documents as tests: their Python sessions and their shell sessions, run and compared.

After a change of what commands print, `python tests/documents.py` writes it into the pages.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
FENCE = re.compile(r"^ {0,3}```(.*)$")
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks(page: Path) -> Iterator[tuple[str, int, str]]:
    """Language, number of the first line, and text of each fenced block."""
    language, first, lines = None, 0, []
    for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
        fence = FENCE.match(line)
        if fence and language is None:
            language, first, lines = fence[1].strip(), number + 1, []
        elif fence:
            yield language, first, "\n".join(lines)
            language = None
        elif language is not None:
            lines.append(line)
    assert language is None, f"{page}: the block at line {first} is not closed"


def languages(page: Path) -> set[str]:
    return {language for language, _, _ in blocks(page)}


def run_python(page: Path) -> None:
    """Run all Python blocks of a page as one session, in the order in which they stand."""
    lines = [""] * len(page.read_text("utf-8").splitlines())
    for language, first, text in blocks(page):
        if language == "python":
            assert text.startswith(">>> "), f"{page}, line {first}: a session begins with >>>"
            for number, line in enumerate(text.splitlines(), start=first - 1):
                lines[number] = line
    session = doctest.DocTestParser().get_doctest(
        "\n".join(lines) + "\n", {"__name__": "__main__"}, page.name, str(page), 0
    )
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(session, out=said.append)
    assert result.failed == 0, "".join(said)


def run_shell(page: Path, folder: Path) -> None:
    """Run the commands (after ``$``) of all console blocks; what they print must be what is shown.

    Commands run in `folder`, one after the other, with this environment's `roclab` first.
    """
    for first, command, shown, printed in shell_sessions(page, folder):
        assert printed == shown, f"{page}, line {first}: {command}\n" + "\n".join(printed)


def shell_sessions(page: Path, folder: Path) -> Iterator[tuple[int, str, list[str], list[str]]]:
    """Line of the block, command, what is shown of it and what it prints."""
    environment = os.environ | {"COLUMNS": "90"}  # what a page of the documentation has room for
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    environment["PYTHONUTF8"] = "1"
    for language, first, text in blocks(page):
        if language != "console":
            continue
        assert text.startswith("$ "), f"{page}, line {first}: a command begins with $"
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, shown = split_command(part)
            run = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
            )
            yield first, command, shown, [line.rstrip() for line in run.stdout.splitlines()]


def update(page: Path) -> None:
    """Write what the commands of a page print into the page."""
    text = page.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for _, command, shown, printed in shell_sessions(page, with_examples(Path(folder))):
            if printed != shown:
                before, after = ("\n".join([f"$ {command}", *part]) for part in (shown, printed))
                assert before in text, f"{page}: {command}"
                text = text.replace(before, after, 1)
    page.write_text(text, "utf-8")


def split_command(part: str) -> tuple[str, list[str]]:
    """A command, with the lines it goes on over after a backslash, and what follows it."""
    lines = [line.rstrip() for line in part.rstrip().splitlines()]
    end = next(number for number, line in enumerate(lines) if not line.endswith("\\"))
    return "\n".join(lines[: end + 1]), lines[end + 1 :]


def with_examples(folder: Path) -> Path:
    """A folder that holds a copy of `examples`, for pages that read or write files."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


if __name__ == "__main__":
    for document in [ROOT / "README.md", *PAGES]:
        update(document)
