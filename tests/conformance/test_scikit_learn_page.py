"""docs/coming_from/scikit_learn.md, row by row: both cells are run and compared."""

import re
import warnings
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from sklearn import metrics
from sklearn.calibration import calibration_curve
from sklearn.datasets import make_classification
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.neighbors import KernelDensity

import roclab as rl

PAGE = Path(__file__).parents[2] / "docs/coming_from/scikit_learn.md"
RNG = np.random.default_rng(0)
Y = (RNG.random(200) < 0.4).astype(int)
S = np.round(np.clip(RNG.normal(0.4 + 0.2 * Y, 0.2), 0.01, 0.99), 2)  # with ties
CLASSES = RNG.integers(0, 3, 90)
P = RNG.dirichlet([1, 1, 1], 90)
P[np.arange(90), CLASSES] += 0.4
P /= P.sum(axis=1, keepdims=True)
X, LABELS = make_classification(200, random_state=0)
MODEL = LogisticRegression()


def cells():
    """The two cells of every row of the page's table."""
    lines = PAGE.read_text("utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return dict(rows[1:])


CELLS = cells()
NAMES = {
    **{name: getattr(metrics, name) for name in dir(metrics) if name.endswith(("score", "curve"))},
    **{"brier_score_loss": metrics.brier_score_loss, "log_loss": metrics.log_loss},
    **{"RocCurveDisplay": metrics.RocCurveDisplay, "calibration_curve": calibration_curve},
    **{"cross_val_score": cross_val_score, "model": MODEL, "X": X, "rl": rl},
}


def run(cell, number=0):
    """The value of a piece of code in a cell, without what it is assigned to."""
    code = re.sub(r"^[a-z, ]+ = ", "", re.findall("`([^`]*)`", cell)[number])
    several = "multi" in code
    data = {"y_true": Y, "y_score": S, "y": CLASSES, "p": P if several else S, "score_a": S}
    if "X" in code:
        data["y"] = LABELS
    return eval(code, NAMES | data)


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def equal(left, right):
    same(run(right), run(left))


def both(left, right):
    for number in (0, 1):
        same(run(right, number), run(left, number))


def bootstrap_loop(_, right):
    rng, values = np.random.default_rng(0), []
    for _ in range(500):
        rows = rng.integers(0, len(Y), len(Y))
        values.append(metrics.roc_auc_score(Y[rows], S[rows]))
    found = run(right)
    same(found.value, metrics.roc_auc_score(Y, S))
    np.testing.assert_allclose(
        [found.low, found.high], np.quantile(values, [0.025, 0.975]), atol=0.02
    )


def roc(left, right):
    curve = run(right)
    for found, expected in zip((curve.fpr, curve.tpr, curve.thresholds), run(left), strict=True):
        same(found, expected)


def precision_recall(left, right):
    """In reverse: from the highest threshold on, and with a threshold for the first point."""
    curve, (precision, recall, thresholds) = run(right), run(left)
    same(curve.precision, precision[::-1])
    same(curve.recall, recall[::-1])
    same(curve.thresholds[1:], thresholds[::-1])


def det(left, right):
    curve, (fpr, fnr, thresholds) = run(right), run(left)
    points = set(zip(curve.fpr.round(12), curve.fnr.round(12), curve.thresholds, strict=True))
    assert points >= set(zip(fpr.round(12), fnr.round(12), thresholds, strict=True))


def calibration(left, right):
    curve, (rate, mean) = run(right), run(left)
    same(curve.observed_rate[curve.count > 0], rate)
    same(curve.mean_probability[curve.count > 0], mean)


def display(left, right):
    mpl.use("agg")
    drawn = run(left).line_.get_xydata()
    axes = run(right)
    points = {tuple(point.round(12)) for line in axes.lines for point in line.get_xydata()}
    assert {tuple(point.round(12)) for point in drawn} <= points
    mpl.pyplot.close("all")


def scoring(left, right):
    assert right.startswith("the same")
    expected = run(left)
    same(cross_val_score(MODEL, X, LABELS, scoring=rl.scorers["auc"]), expected)
    scorer = eval(re.search("`scoring=(.*)`", right)[1], NAMES)
    assert cross_val_score(MODEL, X, LABELS, scoring=scorer).shape == expected.shape


def folds(_, right):
    results = cross_validate(
        MODEL, X, LABELS, scoring="roc_auc", return_estimator=True, return_indices=True
    )
    code = re.findall("`([^`]*)`", right)[0]
    found = eval(code, NAMES | {"results": results, "y": LABELS})
    same(found.averaged.value, results["test_score"].mean())


def search(_, right):
    assert right.startswith("the same")
    grid = {"C": [1e-6, 0.1, 1.0]}
    best = GridSearchCV(MODEL, grid, scoring=rl.scorers["auc"], refit=True).fit(X, LABELS)
    by_name = GridSearchCV(MODEL, grid, scoring="roc_auc").fit(X, LABELS)
    same(best.cv_results_["mean_test_score"], by_name.cv_results_["mean_test_score"])
    rule = rl.SimplestContender("C")
    simplest = GridSearchCV(MODEL, grid, scoring="roc_auc", refit=rule).fit(X, LABELS)
    assert simplest.best_params_["C"] <= best.best_params_["C"]


def tuned(left, right):
    assert left == "`TunedThresholdClassifierCV`"
    fitted = TunedThresholdClassifierCV(MODEL, scoring="balanced_accuracy").fit(X, LABELS)
    assert 0 < fitted.best_threshold_ < 1
    found = run(right)
    assert found.threshold in S
    cost = 10 * (1 - found.tpr) * Y.mean() + found.fpr * (1 - Y.mean())
    others = [
        10 * (Y[t > S] == 1).sum() / len(Y) + (Y[t <= S] == 0).sum() / len(Y)
        for t in set(S.tolist())
    ]
    same(cost, min(others))


ROWS = {
    "`roc_auc_score(y_true, y_score)`": equal,
    "a bootstrap loop around it": bootstrap_loop,
    "`roc_auc_score(y_true, y_score, max_fpr=0.1)`": equal,
    '`roc_auc_score(y, p, multi_class="ovo")`': equal,
    '`roc_auc_score(y, p, multi_class="ovr")`': equal,
    "`fpr, tpr, thresholds = roc_curve(y_true, y_score)`": roc,
    "`precision_recall_curve(y_true, y_score)`": precision_recall,
    "`average_precision_score(y_true, y_score)`": equal,
    "`det_curve(y_true, y_score)`": det,
    "`brier_score_loss(y_true, p)`, `log_loss(y_true, p)`": both,
    "`calibration_curve(y_true, p, n_bins=10)`": calibration,
    "`RocCurveDisplay.from_predictions(y_true, y_score)`": display,
    '`cross_val_score(model, X, y, scoring="roc_auc")`': scoring,
    '`results = cross_validate(..., scoring="roc_auc")`': folds,
    "`GridSearchCV(..., refit=True)`": search,
    "`TunedThresholdClassifierCV`": tuned,
}


def test_every_row_is_run():
    assert set(CELLS) == set(ROWS) | {"no counterpart"}


@pytest.mark.parametrize("left", ROWS)
def test_row(left):
    ROWS[left](left, CELLS[left])


class TestDifferences:
    def words(self, name):
        text = " ".join(PAGE.read_text("utf-8").split())
        return re.search(rf"- \*\*{name}\*\*(.*?)(?= - \*\*|$)", text)[1]

    def test_one_class(self):
        assert "its average precision is 0.0 and its recall 1" in self.words("One class")
        none = [0, 0, 0, 0]
        scores = [0.1, 0.4, 0.4, 0.8]
        for measure, theirs in ((rl.auc, metrics.roc_auc_score),):
            with pytest.warns(rl.UndefinedMeasureWarning):
                assert np.isnan(measure(none, scores))
            with pytest.warns(UndefinedMetricWarning):
                assert np.isnan(theirs(none, scores))
        with pytest.warns(UndefinedMetricWarning):
            assert np.isnan(metrics.roc_curve(none, scores)[1]).all()
        with pytest.warns(UserWarning, match="No positive class"):
            assert metrics.average_precision_score(none, scores) == 0
        with pytest.warns(UserWarning, match="No positive class"):
            assert metrics.precision_recall_curve(none, scores)[1].tolist() == [1, 1, 1, 0]
        for theirs in (metrics.det_curve, metrics.log_loss):
            with pytest.raises(ValueError, match=r"one class|one label"):
                theirs(none, scores)
        for ours in (
            rl.average_precision,
            lambda y, s: rl.precision_recall_curve(y, s).recall,
            lambda y, s: rl.det_curve(y, s).fnr,
            lambda y, s: rl.roc_curve(y, s).tpr,
        ):
            with pytest.warns(rl.UndefinedMeasureWarning):
                assert np.isnan(ours(none, scores)).all()
        same(rl.log_loss(none, scores), metrics.log_loss(none, scores, labels=[0, 1]))

    def test_several_classes(self):
        words = self.words("Several classes")
        assert "ascending order" in words
        names = np.array(["c", "a", "b"])[CLASSES]
        order = ["c", "a", "b"]
        with pytest.raises(ValueError, match="'labels' must be ordered"):
            metrics.roc_auc_score(names, P, multi_class="ovo", labels=order)
        by_place = P[:, [order.index(name) for name in sorted(order)]]
        expected = metrics.roc_auc_score(names, by_place, multi_class="ovo")
        same(rl.multiclass_auc(names, P, labels=order), expected)
        with pytest.raises(ValueError, match="need to be probabilities"):
            metrics.roc_auc_score(CLASSES, 2 * P, multi_class="ovo")
        same(rl.multiclass_auc(CLASSES, 2 * P), rl.multiclass_auc(CLASSES, P))

        there = CLASSES < 2
        arguments = (CLASSES[there], P[there])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            pair = metrics.roc_auc_score(*arguments, multi_class="ovo", labels=[0, 1, 2])
        of_each = [rl.auc(arguments[0] == one, arguments[1][:, one]) for one in (0, 1)]
        same(pair, np.mean(of_each))
        with pytest.warns(UndefinedMetricWarning):
            score = metrics.roc_auc_score(*arguments, multi_class="ovr", labels=[0, 1, 2])
        assert np.isnan(score)
        for average in ("hand_till", "macro"):
            with pytest.warns(rl.UndefinedMeasureWarning):
                found = rl.multiclass_auc(*arguments, labels=[0, 1, 2], average=average)
            assert np.isnan(found)

    def test_kernel_bandwidth(self):
        assert "ignores their spread" in self.words("Kernel bandwidth")
        widths = [
            KernelDensity(bandwidth="silverman").fit(scale * S[:, None]).bandwidth_
            for scale in (1, 1000)
        ]
        assert widths[0] == widths[1]
        assert KernelDensity().fit(S[:, None]).bandwidth == 1
        one, thousand = (rl.curves.kernel_roc(Y, scale * S) for scale in (1.0, 1000.0))
        same(thousand.bandwidth_pos, 1000 * one.bandwidth_pos)
        same(thousand.auc, one.auc)
        pos = S[Y == 1]
        assert one.bandwidth_pos <= 0.9 * pos.std(ddof=1) * len(pos) ** -0.2 * (1 + 1e-12)

    def test_points_and_partial_areas(self):
        assert len(rl.roc_curve(Y, S).fpr) == len(set(S.tolist())) + 1
        with_all = metrics.roc_curve(Y, S, drop_intermediate=False)
        same(rl.roc_curve(Y, S).fpr, with_all[0])
        assert rl.partial_auc(Y, S, fpr_range=(0, 0.1)) < 0.1
        assert metrics.roc_auc_score(Y, S, max_fpr=0.1) > 0.5

    def test_log_loss(self):
        assert rl.log_loss([0, 1], [0.5, 0.0]) == np.inf
        clipped = metrics.log_loss([0, 1], [0.5, 0.0])
        assert np.isfinite(clipped)
        same(rl.log_loss([0, 1], [0.5, 0.0], clip=np.finfo(float).eps), clipped)

    def test_labels_and_scorers(self):
        with pytest.raises(rl.InputError, match="pos_label"):
            rl.auc(["b", "a"], [0.1, 0.4])
        with pytest.raises(ValueError, match="'h_measure'"):
            cross_val_score(MODEL, X, LABELS, scoring="h_measure", error_score="raise")
