"""The documentation keeps up: the command's page, and links that lead somewhere."""

import json
import operator
import re
from importlib.metadata import version
from pathlib import Path

import documents
import pytest
import typer

import roclab
from benchmarks.pages import PAGES, RESULTS, updated
from roclab.cli.app import app
from roclab.cli.messages import commands_of

ROOT = documents.ROOT
STUDIES = ROOT / "studies"
WRITTEN = [
    *documents.PAGES,
    *ROOT.glob("*.md"),
    *(ROOT / folder / "README.md" for folder in ("changes", "examples", "tests/golden")),
]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
MAKER = documents.load_script(ROOT / "docs" / "make_cli_page.py")


def test_the_command_line_page_is_what_its_script_writes() -> None:
    page = MAKER.PAGE.read_text("utf-8")
    if f"(typer {version('typer')})" not in page:
        pytest.skip("another typer wrote the page and may lay out its help in another way")
    assert page == MAKER.page(), "run: python docs/make_cli_page.py"


def test_help_of_the_package_answers_what_the_readme_answers() -> None:
    table = (ROOT / "README.md").read_text("utf-8").partition("## What it answers")[2]
    rows = [line.split("|")[2] for line in table.partition("\n## ")[0].splitlines() if "?" in line]
    names = [name for row in rows for name in re.findall(r"`(.+?)`", row)]
    assert len(names) > 10
    assert [name for name in names if f"`{name}`" not in str(roclab.__doc__)] == []
    for name in re.findall(r"(?<!`)`([a-zA-Z_.]+)", str(roclab.__doc__)):
        operator.attrgetter(name)(roclab)  # it exists


def test_the_command_line_page_has_every_command_and_option() -> None:
    page = " ".join(MAKER.PAGE.read_text("utf-8").split())
    group = typer.main.get_command(app)
    commands = commands_of(app)
    groups = {"roclab", "roclab monitor"}
    assert {f"roclab {name}" for name in commands} | groups == set(MAKER.COMMANDS)
    for command in (group, *commands.values()):
        for parameter in command.params:
            words = [*parameter.opts, *str(getattr(parameter, "help", None) or "").split()]
            assert not [word for word in words if word.startswith("--") and word not in page]
            assert " ".join(str(getattr(parameter, "help", None) or "").split()) in page


def test_search_terms_are_of_pages_and_of_one_page_each() -> None:
    terms = documents.load_script(ROOT / "docs" / "search_terms.py").SEARCH_TERMS
    assert not [page for page in terms if not (ROOT / "docs" / f"{page}.md").exists()]
    all_terms = [term for of_page in terms.values() for term in of_page]
    assert len(set(all_terms)) == len(all_terms)


def anchors(page: Path) -> set[str]:
    titles = HEADING.findall(page.read_text("utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def text_outside_blocks(page: Path) -> str:
    return re.sub(r"^ {0,3}```.*?^ {0,3}```$", "", page.read_text("utf-8"), flags=re.M | re.S)


@pytest.mark.parametrize("page", WRITTEN, ids=[str(page.relative_to(ROOT)) for page in WRITTEN])
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(text_outside_blocks(page)):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if target.is_relative_to(STUDIES) and not STUDIES.exists():
            continue  # a source distribution goes without them
        assert target.exists(), link
        assert target.is_relative_to(ROOT), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_quoted_figures_are_those_of_the_recorded_run(page):
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert updated(page, results) == page.read_text(encoding="utf-8")
