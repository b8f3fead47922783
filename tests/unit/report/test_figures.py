"""The data of pictures: the numbers of the results."""

import numpy as np
import pytest

import roclab as rl
from roclab.report.document import document, figure
from roclab.report.figure import Band, Line, Points, Rule
from roclab.report.page.findings import Findings
from roclab.report.page.parts import Setting
from roclab.report.together import combined, sequence_figure

Y = np.array([0, 1, 0, 1, 0, 1, 1, 0] * 4)
A = np.array([0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.9, 0.5] * 4) + np.arange(32) / 500
B = np.round(A[::-1] * 0.7 + A * 0.3, 2)
C = np.arange(32.0) % 7
FOLD = np.arange(32) % 2
RANKING = rl.Ranking(Y, A)
TABLE = rl.ScoreTable(Y, {"a": A, "b": B, "c": C}, groups={"g": FOLD})


def of_type(shown, kind):
    return [one for one in shown.series if isinstance(one, kind)]


def area(line):
    return np.sum(np.diff(line.x) * (line.y[1:] + line.y[:-1])) / 2


def ends(points):
    return [
        (value, value - left, value + right)
        for value, left, right in zip(points.x, *points.x_error, strict=True)
    ]


def test_a_table_is_the_curves_of_its_models_best_first():
    lines = figure(TABLE).series
    values = {name: rl.auc_interval(TABLE[name]) for name in TABLE}
    order = sorted(values, key=lambda name: values[name].value)  # the best is drawn last
    for line, name in zip(lines, order, strict=True):
        one = values[name]
        assert line.label == f"{name}, AUC {one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"
        assert area(line) == pytest.approx(one.value)
    # The colour is that of the place in the table.
    assert [line.group for line in lines] == [list(TABLE).index(name) for name in order]


def test_a_ranking_is_a_histogram_for_each_class():
    negative, positive = of_type(figure(RANKING), Line)
    assert (positive.label, negative.label) == ("positive, 16 examples", "negative, 16 examples")
    for line, label in ((negative, 0), (positive, 1)):
        edges, shares = line.x[::2], line.y[1:-1:2]
        expected = np.histogram(A[label == Y], edges)[0] / 16
        np.testing.assert_allclose(shares, expected)
        assert shares.sum() == pytest.approx(1)


def test_weights_of_a_ranking_are_heights():
    weights = np.where(np.arange(32) < 16, 3.0, 1.0)
    line = of_type(figure(rl.Ranking(Y, A, sample_weight=weights)), Line)[1]
    expected = np.histogram(A[Y == 1], line.x[::2], weights=weights[Y == 1])[0]
    np.testing.assert_allclose(line.y[1:-1:2], expected / weights[Y == 1].sum())


def test_infinite_and_constant_scores_have_a_histogram_too():
    assert figure(rl.Ranking([0, 1, 1], [1, 2, np.inf])).title == "infinite scores are not shown"
    shown = figure(rl.Ranking([0, 1], [5, 5]))
    assert max(line.y.max() for line in of_type(shown, Line)) == 1
    empty = figure(rl.Ranking([1, 1], [np.inf, -np.inf]))
    assert max(line.y.max() for line in of_type(empty, Line)) == 0


def test_precision_and_recall_in_steps_of_which_average_precision_is_the_area():
    curve = rl.precision_recall_curve(RANKING)
    rule, line = figure(curve).series
    assert area(line) == pytest.approx(rl.average_precision(RANKING))
    assert line.label == f"average precision {rl.average_precision(RANKING):.3f}"
    points = set(zip(line.x, line.y, strict=True))
    assert set(zip(curve.recall, curve.precision, strict=True)) <= points
    assert rule.y == 0.5


def test_the_interval_of_average_precision_of_the_examples():
    rng = np.random.default_rng(0)
    truth = rng.random(900) < 0.4
    ranking = rl.Ranking(truth, rng.normal(size=900) + truth)
    found = rl.interval(ranking, measure="average_precision", rng=0)
    line = figure(rl.precision_recall_curve(ranking), ranking=ranking).series[-1]
    assert line.label == (
        f"average precision {found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"
    )


def test_average_precision_has_no_interval_that_does_not_hold_its_level():
    with pytest.warns(rl.errors.SmallSampleWarning):
        rl.interval(RANKING, measure="average_precision", rng=0)
    line = figure(rl.precision_recall_curve(RANKING), ranking=RANKING).series[-1]
    assert line.label == f"average precision {rl.average_precision(RANKING):.3f}"


def test_gains_costs_and_margins():
    gains = rl.curves.precision_recall_gain_curve(RANKING)
    (line,) = figure(gains).series
    assert area(line) == pytest.approx(gains.area())
    cost = rl.cost_curve(RANKING)
    line = figure(cost).series[-1]
    np.testing.assert_array_equal((line.x, line.y), (cost.probability_cost, cost.cost))
    assert line.label == f"area {cost.area():.3f}"
    margin = rl.margin_curve(RANKING)
    line = figure(margin).series[-1]
    np.testing.assert_array_equal(line.y, margin.at(line.x))
    assert line.label == f"AUC {rl.auc(RANKING):.3f}, scored AUC {rl.scored_auc(RANKING):.3f}"


def test_rates_along_the_threshold():
    points = rl.operating_points(RANKING)
    for line in figure(points).series:
        rate = {"precision": "ppv"}.get(line.label, line.label)
        for threshold in (0.15, 0.4, 0.61):  # between two steps, so either end will do
            at = len(line.x) - np.searchsorted(line.x[::-1], threshold) - 1
            assert line.y[at] == getattr(points.at(threshold=threshold), rate)


def test_a_granular_curve_has_both_areas():
    band = rl.granular_roc(RANKING, granularity=0.1)
    value = rl.granular_auc(RANKING, granularity=0.1)
    _, low, up = figure(band).series
    assert area(low) == pytest.approx(value.low)
    assert area(up) == pytest.approx(value.up)
    assert (low.label, up.label) == (f"lower, AUC {value.low:.3f}", f"upper, AUC {value.up:.3f}")


def test_a_band_has_the_auc_of_the_curve_not_of_its_grid():
    band = rl.roc_band(RANKING, rng=0, n_resamples=20, fpr=[0, 0.5, 1])
    assert figure(band).series[-1].label == f"AUC {rl.auc(RANKING):.3f}"
    assert band.auc == rl.auc(RANKING)


ROC_BANDS = [
    lambda: rl.roc_band(RANKING, rng=0, n_resamples=20),
    lambda: rl.roc_band(RANKING, method="ks"),
    lambda: rl.roc_band(RANKING, kind="pointwise"),
    lambda: rl.roc_band(RANKING, kind="pointwise", method="wilson", rng=0, n_resamples=20),
    lambda: rl.average_roc(Y, A, fold=FOLD),
]


@pytest.mark.parametrize("make", ROC_BANDS)
def test_bands_of_roc_curves_end_in_the_corners(make):
    (band,) = of_type(figure(make()), Band)
    assert (band.x[0], band.low[0], band.high[0]) == (0, 0, 0)
    assert (band.x[-1], band.low[-1], band.high[-1]) == (1, 1, 1)
    assert (band.low <= band.high).all()


def test_a_band_of_a_part_of_the_curve_has_no_corners():
    (band,) = of_type(figure(rl.roc_band(RANKING, kind="pointwise", fpr=[0.2, 0.5])), Band)
    assert band.x.tolist() == [0.2, 0.5]


def test_an_evaluation_is_a_forest_of_intervals():
    result = rl.evaluate(TABLE)
    points = of_type(figure(result), Points)
    rows = sorted(result.rows, key=lambda row: -row.interval.value)
    assert figure(result).axes.names == tuple(row.model for row in rows)[::-1]
    expected = [(r.interval.value, r.interval.low, r.interval.high) for r in rows]
    np.testing.assert_allclose([end for one in points for end in ends(one)], expected)
    assert [one.y.tolist() for one in points] == [[2], [1], [0]]
    assert [one.group for one in points] == [list(TABLE).index(row.model) for row in rows]


def test_groups_of_an_evaluation_are_rows_and_models_colours():
    result = rl.evaluate(TABLE, by="g")
    shown = figure(result)
    assert shown.axes.names == ("1", "0")
    assert shown.axes.y == "g"
    found = {}
    for points in of_type(shown, Points):
        for (value, low, high), y in zip(ends(points), points.y, strict=True):
            found[points.label, 1 - round(y)] = (value, low, high)
    assert len({one.group for one in of_type(shown, Points)}) == 3
    for row in result.rows:
        one = row.interval
        assert found[row.model, row.group] == pytest.approx((one.value, one.low, one.high))


def test_many_models_in_groups_are_grey_but_for_the_best():
    scores = {f"m{at}": A + np.cos(np.arange(32) * at) for at in range(15)}
    shown = figure(rl.evaluate(rl.ScoreTable(Y, scores, groups={"g": FOLD}), by="g"))
    points = of_type(shown, Points)
    assert sum(one.role == "context" for one in points) == 12
    assert sum(bool(one.label) for one in points) == 3


def test_a_line_at_one_half_only_where_it_is_near():
    perfect = rl.ScoreTable([0, 1] * 50, {"a": np.arange(100) % 2 + np.arange(100) / 500})
    assert not of_type(figure(rl.evaluate(perfect)), Rule)
    assert [one.x for one in of_type(figure(rl.evaluate(TABLE)), Rule)] == [0.5]


def test_differences_are_sorted_and_significant_ones_filled():
    strong = rl.ScoreTable(
        [0, 1] * 40,
        {"good": np.arange(80) % 2 + np.arange(80) / 90, "bad": np.ones(80), "a": A[:1].repeat(80)},
    )
    for result in (rl.compare(TABLE), rl.compare(strong)):
        shown = figure(result)
        (points,) = of_type(shown, Points)
        assert (np.diff(points.x) <= 0).all()
        assert points.x[-1] >= 0
        pairs = {frozenset((one.model_a, one.model_b)): one for one in result.pairs}
        for name, found, full in zip(
            shown.axes.names[::-1], ends(points), points.filled, strict=True
        ):
            pair = pairs[frozenset(name.split(" - "))]
            sign = 1 if name == f"{pair.model_a} - {pair.model_b}" else -1
            low, high = sorted((sign * pair.low, sign * pair.high))
            assert found == pytest.approx((sign * pair.difference, low, high))
            assert full == (pair.adjusted_pvalue < 0.05)
    assert {True, False} == set(points.filled.tolist())


@pytest.mark.parametrize("margin", [None, 0.05])
def test_one_difference_has_its_interval_and_a_line_at_zero(margin):
    alternative = "two-sided" if margin is None else "equivalent"
    test = rl.compare_auc(Y, A, B, margin=margin, alternative=alternative)
    shown = figure(test)
    (points,) = of_type(shown, Points)
    assert ends(points)[0] == pytest.approx((test.difference, test.low, test.high))
    assert shown.axes.names == (f"{test.value_a:.3f} - {test.value_b:.3f}",)
    rules = [one.x for one in of_type(shown, Rule)]
    assert rules == ([0] if margin is None else [0, -margin, margin])
    assert f"{95 if margin is None else 90} % interval" in shown.axes.x


def test_differences_in_groups():
    result = rl.compare(TABLE, by="g")
    shown = figure(result)
    assert len(shown.axes.names) == 6
    assert {name.split(": ")[0] for name in shown.axes.names} == {"0", "1"}


def test_only_pairs_with_the_best_of_many_models():
    scores = {f"m{at}": A + np.cos(np.arange(32) * at) for at in range(15)}
    table = rl.ScoreTable(Y, scores)
    best = max(table, key=lambda name: rl.auc(table[name]))
    names = figure(rl.compare(table)).axes.names
    assert len(names) == 14
    assert all(name.startswith(f"{best} - ") for name in names)


def test_one_model_has_no_difference():
    alone = rl.compare(rl.ScoreTable(Y, {"a": A}))
    with pytest.raises(rl.InputError, match="no pair of models"):
        figure(alone)
    assert not document(alone).figures


def test_folds_are_in_the_order_of_their_numbers():
    folds = np.array([10, 2, 1, 30])[np.arange(32) // 2 % 4]
    names = figure(rl.cross_validated_auc(Y, A, fold=folds)).axes.names
    assert names[:4] == ("fold 30", "fold 10", "fold 2", "fold 1")
    words = np.array(["c", "a"])[np.arange(32) // 2 % 2]
    names = figure(rl.cross_validated_auc(Y, A, fold=words)).axes.names
    assert names[:2] == ("fold a", "fold c")  # as they come, the first on top


def test_folds_and_their_mean():
    result = rl.cross_validated_auc(Y, A, fold=FOLD)
    shown = figure(result)
    (points,) = shown.series
    assert shown.axes.names == ("fold 1", "fold 0", "pooled", "mean of folds")
    values = [result.averaged.value, result.pooled.value, *(one.value for one in result.folds)]
    assert points.x.tolist() == values
    assert points.filled.tolist() == [True, True, False, False]
    assert ends(points)[0][1:] == pytest.approx((result.averaged.low, result.averaged.high))


@pytest.mark.parametrize(
    "plan",
    [
        rl.plan_auc_study(0.8, null_value=0.7, power=0.9),
        rl.plan_auc_study(0.8, null_value=0.7, power=0.9, method="delong", ratio=3),
        rl.plan_auc_study(0.8, other_auc=0.75, correlation=0.5, power=0.8),
        rl.plan_auc_study(0.8, other_auc=0.75, estimate_correlation=0.4, power=0.8),
        rl.plan_auc_study(0.8, other_auc=0.7, paired=False, sample_ratio=2, n_pos=50, n_neg=70),
        rl.plan_auc_study(0.6, n_pos=50, n_neg=70, alternative="greater"),
    ],
)
def test_the_power_of_a_plan_is_on_its_curve(plan):
    shown = figure(plan)
    line = of_type(shown, Line)[0]
    place = np.flatnonzero(np.isclose(line.x, plan.n_pos + plan.n_neg))
    assert line.y[place] == pytest.approx(plan.power)
    assert (np.diff(line.y) > 0).all()
    assert of_type(shown, Rule)[0].y == plan.power


def test_a_plan_from_a_pilot_study_has_no_curve():
    plan = rl.plan_auc_study(0.8, pilot=RANKING, power=0.9)
    with pytest.raises(rl.InputError, match="pilot study has no picture"):
        figure(plan)
    assert not document(plan).figures


def history(events=3000, **options):
    rng = np.random.default_rng(0)
    labels = rng.random(events) < 0.5
    scores = rng.normal(size=events) + np.where(np.arange(events) < 1500, 3, 0) * labels
    watcher = rl.StreamWatcher(rl.WindowAUC(200), every=100, **options)
    found = []
    for label, score in zip(labels.tolist(), scores.tolist(), strict=True):
        found += watcher.update(label, score)
    return found


@pytest.mark.parametrize("kind", ["e-detector", "cusum"])
def test_the_history_of_a_window(kind):
    made = history(
        reference_events=1000, detector_settings=rl.streaming.DetectorSettings(detector=kind)
    )
    steps = [one for one in made if type(one).__name__ == "StreamStep"]
    alarms = [one for one in made if type(one).__name__ == "Alarm"]
    assert alarms
    shown = sequence_figure(made[0], made)
    (line,), (band,) = of_type(shown, Line), of_type(shown, Band)
    assert line.x.tolist() == [one.event for one in steps]
    assert line.y.tolist() == [one.auc for one in steps]
    assert band.low.tolist() == [one.low for one in steps]
    marks = [one.x for one in of_type(shown, Rule) if one.x is not None]
    assert sorted(marks) == [one.event for one in alarms]
    assert [one.label for one in of_type(shown, Rule)].count("alarm") == 1
    rule, evidence = shown.below.series
    assert rule.y == alarms[0].threshold
    assert shown.below.axes.y_scale == ("log" if kind == "e-detector" else "linear")
    assert {one.statistic for one in alarms} <= set(evidence.y)


def test_a_history_without_a_detector_is_one_picture():
    made = history(500)
    assert sequence_figure(made[0], made).below is None


def test_a_history_of_alarms_alone_is_refused():
    alarm = rl.BlockEDetector(0.99, per_class=1).update_many([0, 1] * 9, [0.4] * 18)[0]
    with pytest.raises(rl.InputError, match="a history has steps, and alarms"):
        sequence_figure(alarm, [alarm])


def test_what_one_class_leaves_undefined():
    with pytest.warns(rl.UndefinedMeasureWarning):
        curve = rl.roc_curve([1, 1], [1, 2])
    assert figure(curve).series[0].label == "AUC undefined"
    with pytest.warns(rl.UndefinedMeasureWarning):
        lines = figure(rl.ScoreTable([1, 1], {"a": [1, 2]})).series
    assert lines[0].label == "a, AUC undefined"


def test_the_document_of_a_result_has_its_picture():
    for result in (rl.roc_curve(RANKING), rl.evaluate(TABLE), rl.compare(TABLE)):
        (shown,) = document(result).figures
        assert shown.axes == figure(result).axes


CALIBRATED = ([0, 1, 0, 1, 1], [0.1, 0.4, 0.4, 0.8, 0.4])


def test_a_calibration_curve_shows_the_sizes_of_its_bins():
    drawn = figure(rl.calibration_curve(*CALIBRATED))
    (sizes,) = drawn.below.series
    assert sizes.x == pytest.approx([0.1, 0.4, 0.8])
    heights = sizes.high - sizes.low
    assert heights / heights.max() == pytest.approx([1 / 3, 1, 1 / 3])
    assert drawn.below.axes.names == ("≤ 3",)
    assert [one.label for one in drawn.series] == ["", ""]


def test_slope_and_intercept_of_the_examples_of_a_calibration_curve():
    ranking = rl.Ranking(*CALIBRATED)
    found = rl.decisions.calibration_summary(ranking)
    line = figure(rl.calibration_curve(ranking), ranking=ranking).series[-1]
    slope = f"slope {found.slope.value:.2f} [{found.slope.low:.2f}, {found.slope.high:.2f}]"
    assert line.label == f"{slope}, intercept {found.intercept.value:.2f}"


def test_the_slope_of_probabilities_of_0_and_1_is_that_of_the_report():
    certain = rl.Ranking([0, 1, 0, 1, 0, 1], [0, 0.4, 0.4, 0.8, 0.6, 1])
    slope = rl.decisions.calibration_summary(certain, clip=1e-6).slope
    line = figure(rl.calibration_curve(certain), ranking=certain).series[-1]
    assert line.label.startswith(f"slope {slope.value:.2f} [{slope.low:.2f}, {slope.high:.2f}], ")
    table = rl.ScoreTable(certain.rows().labels, {"a": certain.rows().scores})
    findings = Findings(table=table, by=None, reference=None, asked=Setting())
    of_page = findings.calibration("a").slope
    assert (of_page.value, of_page.low, of_page.high) == (slope.value, slope.low, slope.high)


def test_several_calibration_curves_have_a_strip_each():
    curves = [rl.calibration_curve(Y, scores) for scores in (A % 1, B / 2)]
    shown = combined([figure(one) for one in curves], ["a", "b"])
    assert [one.label for one in shown.series if one.label] == ["b", "a"]
    lower, upper = shown.below.series
    assert (upper.group, lower.group) == (0, 1)
    assert upper.low == pytest.approx(0.6)
    assert upper.high.max() == pytest.approx(1.4)
    assert lower.high.max() < upper.low.min()
    assert shown.below.axes.names == tuple(f"≤ {one.count.max():g}" for one in curves[::-1])
