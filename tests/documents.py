"""Documents as tests: their Python sessions and their shell sessions, run and compared.

After a change of what results or commands print, `python tests/documents.py` writes it into the
pages and docstrings.
"""

import doctest
import importlib
import importlib.util
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import roclab

ROOT = Path(__file__).parents[1]
BUILT = ROOT / "docs" / "_build"  # has copies of pages that can be downloaded
PAGES = sorted(page for page in (ROOT / "docs").rglob("*.md") if not page.is_relative_to(BUILT))
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
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(python_session(page), out=said.append)
    assert result.failed == 0, "".join(said)


def needed_extras(text: str) -> set[str]:
    """The extras that the examples of a page or a docstring need, as its text says."""
    said = re.search(r"Examples need the extras? ((?:(?:, | and )?`\w+`)+)", " ".join(text.split()))
    return set(re.findall(r"`(\w+)`", said[1])) if said else set()


def docstring_sessions() -> Iterator[doctest.DocTest]:
    """The examples in the docstrings of all modules that have any."""
    for module in pkgutil.walk_packages(roclab.__path__, "roclab."):
        source = importlib.util.find_spec(module.name).origin
        if source.endswith(".py") and ">>> " in Path(source).read_text("utf-8"):
            imported = importlib.import_module(module.name)
            for session in doctest.DocTestFinder().find(imported, module.name):
                if session.examples and session.filename and session.filename.endswith(".py"):
                    yield session


def python_session(page: Path) -> doctest.DocTest:
    """All Python blocks of a page as one session."""
    lines = [""] * len(page.read_text("utf-8").splitlines())
    for language, first, text in blocks(page):
        if language == "python":
            assert text.startswith(">>> "), f"{page}, line {first}: a session begins with >>>"
            for number, line in enumerate(text.splitlines(), start=first - 1):
                lines[number] = line
    return doctest.DocTestParser().get_doctest(
        "\n".join(lines) + "\n", {"__name__": "__main__"}, page.name, str(page), 0
    )


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


class Rewriter(doctest.DocTestRunner):
    """Writes what the statements of sessions print into their file."""

    def __init__(self) -> None:
        super().__init__(optionflags=FLAGS)
        self.changes: dict[Path, dict[int, list[str]]] = {}
        self.replaced: dict[tuple[Path, int], int] = {}

    def report_failure(self, out, test, example, got) -> None:  # noqa: ARG002
        """Note the lines that `got` replaces."""
        path = Path(test.filename)
        lines = path.read_text("utf-8").splitlines()
        shown = [" " * example.indent + line if line else line for line in got.splitlines()]
        statement, want = (
            [line.strip(" >.") for line in part.splitlines()]
            for part in (example.source, example.want)
        )
        old = statement + want
        changes = self.changes.setdefault(path, {})
        # By its text: the lines of decorated functions are counted from somewhere else.
        for first in range(len(lines) - len(old) + 1):
            place = first + len(statement)
            same = [line.strip(" >.") for line in lines[first : first + len(old)]] == old
            # A method that two classes share is run twice.
            if same and changes.get(place, shown) == shown:
                changes[place] = shown
                self.replaced[path, place] = len(want)
                return
        raise ValueError(f"{path}: {example.source}{example.want}")

    def write(self) -> None:
        """Rewrite the files."""
        for path, changes in self.changes.items():
            lines = path.read_text("utf-8").splitlines()
            for first, shown in sorted(changes.items(), reverse=True):
                lines[first : first + self.replaced[path, first]] = shown
            path.write_text("\n".join(lines) + "\n", "utf-8")


def update_python(rewriter: Rewriter, page: Path) -> None:
    """Run the Python session of a page, where it may write files."""
    session = python_session(page)
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(with_examples(Path(folder)))
        try:
            rewriter.run(session, out=lambda _: None)
        finally:
            os.chdir(here)


def update_docstrings(rewriter: Rewriter) -> None:
    """Run the examples in the docstrings of all modules."""
    for session in docstring_sessions():
        rewriter.run(session, out=lambda _: None)


def split_command(part: str) -> tuple[str, list[str]]:
    """A command, with the lines it goes on over after a backslash, and what follows it."""
    lines = [line.rstrip() for line in part.rstrip().splitlines()]
    end = next(number for number, line in enumerate(lines) if not line.endswith("\\"))
    return "\n".join(lines[: end + 1]), lines[end + 1 :]


def load_script(script: Path) -> ModuleType:
    """A script as a module, without running what it does as a program."""
    spec = importlib.util.spec_from_file_location(script.stem, script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def with_examples(folder: Path) -> Path:
    """A folder that holds a copy of `examples`, for pages that read or write files."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


if __name__ == "__main__":
    found = Rewriter()
    update_docstrings(found)
    for document in [ROOT / "README.md", *PAGES]:
        update_python(found, document)
    found.write()
    for document in [ROOT / "README.md", *PAGES]:
        update(document)
