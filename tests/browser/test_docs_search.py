"""The search of the documentation finds the right page first."""

from urllib.parse import quote

import documents
import pytest

SITE = documents.BUILT
# The right page for each of its queries.
FIRST = {
    "faq": ("faq", "questions"),
    "installation": ("install", "installation", "pip"),
    "gallery": ("gallery", "pictures"),
    "tutorial/first_numbers": ("tutorial", "getting started"),
    "tutorial/first_alarm": ("first alarm",),
    "coming_from/proc": ("pROC",),
    "coming_from/river": ("river",),
    "coming_from/scikit_learn": ("scikit-learn", "sklearn"),
    "how_to/evaluate_a_file": ("excel", "parquet", "csv", "evaluate"),
    "how_to/evaluate_large_tables": ("spark", "dask", "larger than memory"),
    "how_to/compare_models": ("compare two models", "compare", "DeLong test"),
    "how_to/choose_a_model": ("model selection", "best model"),
    "how_to/choose_a_threshold": ("threshold", "youden", "cutoff"),
    "how_to/plot": ("plot", "ROC curve"),
    "how_to/write_a_report": ("report", "html report"),
    "how_to/share_results": ("mlflow", "github", "exit code"),
    "how_to/plan_a_study": ("sample size", "power"),
    "how_to/repair_a_classifier": ("repair",),
    "how_to/watch_a_stream": ("drift", "alarm"),
    "how_to/run_the_monitor": ("monitoring", "monitor"),
    "how_to/check_subgroups": ("subgroups", "fairness"),
    "how_to/use_a_notebook": ("notebook", "pandas"),
    "how_to/search_with_scikit_learn": ("scorer", "GridSearchCV"),
    "how_to/boosting": ("lightgbm", "xgboost"),
    "how_to/train_a_ranker": ("train",),
    "explanation/auc_and_ties": ("AUC", "ties", "gini"),
    "explanation/intervals": ("confidence interval", "bootstrap", "delong"),
    "explanation/bands": ("confidence band", "binormal"),
    "explanation/hull_and_costs": ("concavities", "convex hull", "cost curve"),
    "explanation/operating_points": ("sensitivity", "confusion matrix"),
    "explanation/partial_auc": ("partial auc",),
    "explanation/h_measure": ("H-measure", "ks statistic"),
    "explanation/scored_auc": ("scored AUC", "margin curve"),
    "explanation/granular_roc": ("granular roc",),
    "explanation/probability": ("calibration", "brier score", "log loss"),
    "explanation/decision_curves": ("decision curve", "net benefit"),
    "explanation/retrieval": ("precision recall", "average precision", "lift", "gains"),
    "explanation/multiclass": ("multiclass",),
    "explanation/folds": ("cross-validation", "average roc"),
    "explanation/learning": ("AUCtron", "learning to rank"),
    "explanation/windows": ("window", "sliding window"),
    "explanation/sequential": ("a/b test", "confidence sequence"),
    "explanation/change": ("psi",),
    "explanation/weights": ("sample weights",),
    "explanation/missing_labels": ("missing labels",),
    "explanation/clusters_and_strata": ("clustered data",),
    "reference/command_line": ("command line", "cli"),
    "reference/json": ("json",),
}


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page()
    yield opened
    opened.close()


@pytest.mark.skipif(not (SITE / "search.html").exists(), reason="not built; run: make docs")
@pytest.mark.parametrize(
    ("words", "first"), [(words, first) for first, queries in FIRST.items() for words in queries]
)
def test_the_search_finds_the_right_page_first(page, words, first):
    page.goto(f"{(SITE / 'search.html').as_uri()}?q={quote(words)}")
    link = page.locator("#search-results ul.search > li > a").first
    assert link.get_attribute("href").partition("#")[0].partition("?")[0] == f"{first}.html"
