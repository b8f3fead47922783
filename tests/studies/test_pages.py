"""Pages quote the recorded answers, and all questions have one."""

import pytest

from studies.pages import PAGES, RESULTS
from studies.runner import question_of, recorded


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
class TestPage:
    def test_all_questions_are_answered_and_no_others(self, page):
        found = [question_of(page.study, one) for one in recorded(page.study, RESULTS / page.name)]
        assert sorted(found, key=str) == sorted(page.study.questions(), key=str)

    def test_tables_are_those_of_the_recorded_answers(self, page):
        assert page.path.read_text(encoding="utf-8") == page.updated(page.answers())
