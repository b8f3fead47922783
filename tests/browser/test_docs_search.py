"""The search of the documentation finds the right page first."""

from urllib.parse import quote

import documents
import pytest

SITE = documents.ROOT / "docs" / "_build"
FIRST = {
    "threshold": "how_to/choose_a_threshold.html",
    "confidence interval": "explanation/intervals.html",
    "compare two models": "how_to/compare_models.html",
    "drift": "how_to/watch_a_stream.html",
    "sample size": "how_to/plan_a_study.html",
    "calibration": "explanation/probability.html",
    "cross-validation": "explanation/folds.html",
    "report": "how_to/write_a_report.html",
}


@pytest.mark.skipif(not (SITE / "search.html").exists(), reason="not built; run: make docs")
@pytest.mark.parametrize("words", FIRST)
def test_the_search_finds_the_right_page_first(browser, words):
    page = browser.new_page()
    page.goto(f"{(SITE / 'search.html').as_uri()}?q={quote(words)}")
    link = page.locator("#search-results ul.search > li > a").first
    assert link.get_attribute("href").partition("#")[0].partition("?")[0] == FIRST[words]
    page.close()
