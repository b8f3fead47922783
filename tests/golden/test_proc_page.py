"""The rows of docs/coming_from/proc.md: what pROC gives for the left cell, the right cell gives.

Values by pROC 1.18.0 under R 4.2.2 on `examples/scores.csv`; `proc_page.R` prints them.
"""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.inference import auc_covariance, compare_roc

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/coming_from/proc.md").read_text("utf-8")
FRAME = pl.read_csv(ROOT / "examples/scores.csv")
Y, A, B = (FRAME[name].to_numpy() for name in ("malignant", "naive_bayes", "decision_tree"))


def cells():
    """The two cells of every row of the page's table."""
    rows = [line.strip("| \n").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]
    return dict(rows[1:])


CELLS = cells()


def evaluated(left):
    """The value of the first code in the right cell of a row."""
    code = re.match("`([^`]*)`", CELLS[left])[1].removeprefix("r = ")
    table = rl.ScoreTable(Y, {"a": A, "b": B})
    names = {
        **{"rl": rl, "r": rl.Ranking(Y, A), "r1": rl.Ranking(Y, A), "r2": rl.Ranking(Y, B)},
        **{"y_true": Y, "y_score": A, "score_a": A, "score_b": B, "table": table},
        **{"auc_covariance": auc_covariance, "compare_roc": compare_roc},
    }
    return eval(code, names)


def close(found, *expected, rel=1e-8):
    assert np.ravel(found).tolist() == pytest.approx(list(expected), rel=rel)


def auc_interval(i):
    close([i.low, i.value, i.high], 0.9740773837, 0.9829884784, 0.9918995731)


def best(point):
    close([1 - point.fpr, point.tpr], 0.9327731092, 0.9622641509)


def cheapest(choice):
    close([1 - choice.fpr, choice.tpr], 0.8963585434, 0.9811320755)


def paired(test):
    close([test.statistic, test.pvalue], 3.068662165, 0.002150195941)


def unpaired(test):
    close([test.statistic, test.df, test.pvalue], 2.774029174, 712.302118, 0.005681634346)


def partial_interval(i):
    """pROC's interval, of the bootstrap, with `reuse.auc=FALSE`."""
    close(i.value, 0.08537339464)
    close([i.low, i.high], 0.07735637651, 0.09222556947, rel=0.05)


def bootstrap(i):
    close([i.low, i.high], 0.9734047202, 0.9911939856, rel=1e-3)


def sensitivities(test):
    """pROC says "difference in sensitivity at 0.9 specificity": D = 2.527, p = 0.0115."""
    close([test.value_a, test.value_b], 0.9764150943, 0.9322720126)
    assert test.pvalue < 0.05


def specificities(test):
    """pROC says "difference in specificity at 0.9 sensitivity": D = 0.264, p = 0.79."""
    close([test.value_a, test.value_b], 0.9579831933, 0.950140056)
    assert test.pvalue > 0.5


def smooth(fit):
    """0.9547 by a line through probits."""
    close(fit.auc.value if hasattr(fit.auc, "value") else fit.auc, 0.954664444, rel=3e-3)


def kernel(curve):
    close(curve.auc, 0.9453799376, rel=2e-3)
    close([curve.bandwidth_pos, curve.bandwidth_neg], 0.002912296781, 0.001971921429, rel=0.1)


EXPECTED = {
    "`r <- roc(response, predictor)`": lambda r: close([r.n_pos, r.n_neg], 212, 357),
    "`auc(r)`": lambda value: close(value, 0.9829884784),
    "`ci.auc(r)`": auc_interval,
    '`ci.auc(r, method="bootstrap", boot.n=2000)`': bootstrap,
    "`sqrt(var(r))`": lambda value: close(value, 2.067121169e-05**0.5),
    "`auc(r, partial.auc=c(1, 0.9))`": lambda value: close(value, 0.08537339464),
    'the same with `partial.auc.focus="sensitivity"`': lambda value: close(value, 0.0905924634),
    "the same with `partial.auc.correct=TRUE`": lambda value: close(value, 0.9230178665),
    "`ci.auc(r, reuse.auc=FALSE, partial.auc=c(1, 0.9))`": partial_interval,
    "`roc.test(r1, r2, paired=TRUE)`": paired,
    "`roc.test(r1, r2, paired=FALSE)`": unpaired,
    '`roc.test(r1, r2, method="venkatraman")`': lambda test: close(test.pvalue < 0.01, True),
    '`roc.test(r1, r2, method="specificity", specificity=0.9)`': sensitivities,
    '`roc.test(r1, r2, method="sensitivity", sensitivity=0.9)`': specificities,
    "`cov(r1, r2)`": lambda found: close(np.asarray(found.covariance)[0, 1], 1.6519765e-05),
    '`coords(r, x="all")`': lambda frame: close(len(frame), 392),
    '`coords(r, "best", best.method="youden")`': best,
    '`coords(r, "best", best.weights=c(10, 0.2))`': cheapest,
    '`coords(r, "local maximas")`': lambda found: close(len(found), 22),
    # Medians of pROC's bootstrap, inside of exact intervals.
    "`ci.se(r, specificities=0.9)`": lambda i: close(i.low < 0.97642 < i.high, True),
    "`ci.sp(r, sensitivities=0.9)`": lambda i: close(i.low < 0.96078 < i.high, True),
    "`ci.thresholds(r, thresholds=0.5)`": lambda point: close(
        [point.sensitivity.value, point.specificity.value], 189 / 212, 345 / 357
    ),
    "`smooth(r)`": smooth,
    '`smooth(r, method="density")`': kernel,
    "`power.roc.test(auc=0.8, power=0.9)`": lambda size: close(
        [size.n_pos, size.n_neg], 16.6191992, 16.6191992
    ),
    "`power.roc.test(auc=0.8, ncases=41, ncontrols=72)`": lambda value: close(value, 0.9999509834),
}
OTHER_SAMPLE = {"`smooth(r)`", '`smooth(r, method="density")`'}  # of the decision tree, in pROC
ELSEWHERE = {"`multiclass.roc(response, predictors)`", "`plot(r)`, `ggroc(r)`"}


def test_every_row_has_its_value():
    assert set(CELLS) == set(EXPECTED) | ELSEWHERE


@pytest.mark.filterwarnings("ignore::roclab.RoclabWarning")
@pytest.mark.parametrize("left", EXPECTED)
def test_row(left, monkeypatch):
    if left in OTHER_SAMPLE:
        monkeypatch.setattr(f"{__name__}.A", B)
    EXPECTED[left](evaluated(left))


def test_several_classes():
    classes = np.select(
        [FRAME["worst_smoothness"] <= 0.12, FRAME["worst_smoothness"] <= 0.14], "ab", "c"
    )
    scores = np.column_stack([1 - A, B, FRAME["random_forest"]])
    close(rl.multiclass_auc(classes, scores), 0.6145657491)


def test_the_error_of_the_old_row_is_on_no_page():
    """pROC: "Argument 'sensitivity' must be numeric of length 1 for a sensitivity test"."""
    assert 'method="sensitivity", specificity' not in PAGE
    assert "`ci.auc(r, partial.auc=c" not in PAGE
