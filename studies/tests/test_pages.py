"""Pages quote the recorded answers, all questions have one, and all links lead somewhere."""

import doctest
import re
from pathlib import Path

import pytest

from roclab_studies.catalogue import FOLDER, RESULTS, STUDIES
from roclab_studies.pages import BY_MARK, marks, quoting_pages, updated
from roclab_studies.runner import question_of

ROOT = FOLDER.parent
OWN = [FOLDER / "README.md", *sorted((FOLDER / "pages").glob("*.md"))]
SHORT = sorted((ROOT / "docs" / "studies").glob("*.md"))
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_all_questions_are_answered_and_no_others(study):
    found = [question_of(study.module, one) for one in study.recorded()]
    assert sorted(found, key=str) == sorted(study.module.questions(), key=str)


def test_every_file_of_results_belongs_to_a_study():
    assert {path.stem for path in RESULTS.iterdir()} == set(STUDIES)


@pytest.mark.parametrize("page", quoting_pages(), ids=name_of)
def test_tables_are_those_of_the_recorded_answers(page):
    assert page.read_text(encoding="utf-8") == updated(page)


def test_every_table_is_on_a_page():
    quoted = {mark for page in quoting_pages() for mark in marks(page)}
    assert quoted == set(BY_MARK)


@pytest.mark.parametrize("page", SHORT, ids=name_of)
def test_pages_of_the_documentation_are_short_and_lead_to_the_full_ones(page):
    text = re.sub(r"<!--.*?-->", "", page.read_text("utf-8"))
    assert sum(bool(re.search(r"\w", word)) for word in text.split()) <= 500
    if page.stem != "overview":
        assert (FOLDER / "pages" / page.name).exists()
        assert f"(../../studies/pages/{page.name})" in text


def test_every_full_page_has_a_short_one():
    own = {page.stem for page in OWN} - {"README", "load_data_sets"}
    assert own == {page.stem for page in SHORT} - {"overview"}


def anchors(page):
    titles = HEADING.findall(page.read_text("utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", OWN, ids=name_of)
def test_links_lead_somewhere(page):
    for link in LINK.findall(page.read_text("utf-8")):
        if not link.startswith(("http://", "https://")):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


def test_examples_of_the_page_on_data_sets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = FOLDER / "pages" / "load_data_sets.md"
    text = re.sub(r"^```.*$", "", page.read_text("utf-8"), flags=re.MULTILINE)
    session = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    said = []
    assert doctest.DocTestRunner(optionflags=flags).run(session, out=said.append).failed == 0, said
    assert session.examples
