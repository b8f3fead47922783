"""Every result through every writer: the same numbers in each."""

import csv
import importlib
import io
import json
import math
import pkgutil
from datetime import datetime

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib import pyplot
from rich.console import Console

import roclab
import roclab as rl
from roclab.data.table import MissingValues
from roclab.inference import auc_covariance, compare_roc, multiclass_auc_interval
from roclab.learning.training import Training
from roclab.monitor.client import ClientCounts
from roclab.report.csv import to_csv
from roclab.report.document import Document, document
from roclab.report.formats import plain
from roclab.report.html import to_html
from roclab.report.json import to_json
from roclab.report.latex import to_latex
from roclab.report.markdown import to_markdown, to_text
from roclab.report.terminal import to_terminal
from roclab.result import Result
from roclab.scale.cohort_summary import PostedSummaries, RefusedSummary
from roclab.streaming.watcher import StreamWatcher

mpl.use("Agg")

Y = np.array([0, 1, 0, 1, 0, 1, 1, 0] * 4)
A = np.array([0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.9, 0.5] * 4) + np.arange(32) / 500
B = np.round(A[::-1] * 0.7 + A * 0.3, 2)
FOLD = np.arange(32) % 2
RANKING = rl.Ranking(Y, A)
TABLE = rl.ScoreTable(Y, {"a": A, "b|<i>": B}, groups={"g": FOLD})
REPAIR = rl.repair_section(Y, A)


def alarm():
    return rl.BlockEDetector(0.99, per_class=1).update_many([0, 1] * 9, [0.4] * 18)[0]


def segments():
    window = rl.SegmentedWindow(rl.WindowAUC(40))
    for label, score in zip(Y.tolist(), A.tolist(), strict=True):
        window.update("north", label, score)
    return window.worst(count=1)[0]


def step():
    watch = StreamWatcher(rl.WindowAUC(8), every=4)
    return [found for i in range(8) for found in watch.update(bool(Y[i]), float(A[i]))][-1]


def pending():
    labels = rl.PendingLabels(3)
    labels.add_prediction("x", 0.5)
    return labels.counts


def sequence():
    found = rl.BlockConfidenceSequence(per_class=1, method="hedged_capital")
    found.update_many([0, 1] * 100, [0.5, 0.4] * 50 + [0.5, 0.6] * 50)
    return found.interval()


def duel():
    found = rl.SequentialComparison(names=("a|", "<b>"))
    found.update_many(Y, A, B)
    return found.interval()


EXAMPLES = [
    lambda: rl.auc_interval(RANKING),
    lambda: rl.stratified_auc_interval(Y, A, stratum=FOLD),
    lambda: multiclass_auc_interval(np.arange(32) % 3, np.column_stack([A, B, A - B])),
    lambda: multiclass_auc_interval(np.arange(32) % 3, A, average="hand_till").parts[0],
    lambda: rl.operating_point_interval(RANKING, threshold=0.4),
    lambda: rl.operating_point_interval(RANKING, threshold=[0.3, 0.4], prevalence=0.1),
    lambda: rl.compare_auc(Y, A, B),
    lambda: rl.compare_measure(Y, A, B, measure="brier_score"),
    lambda: compare_roc(Y, A, B, n_resamples=9, rng=0),
    lambda: rl.compare(TABLE),
    lambda: auc_covariance(TABLE),
    lambda: rl.compare(TABLE).models[0],
    lambda: rl.compare(TABLE).pairs[0],
    lambda: rl.compare(TABLE).omnibus,
    lambda: rl.compare(TABLE, by="g"),
    lambda: rl.compare(TABLE, by="g").interactions[0],
    lambda: rl.compare(TABLE, measure="brier_score"),
    lambda: rl.calibration_curve(RANKING),
    lambda: rl.decisions.calibration_summary(RANKING),
    lambda: rl.decisions.population_stability_index(A, B, n_bins=4),
    lambda: rl.measures.gains_table(RANKING),
    lambda: rl.decision_curve(RANKING, thresholds=[0.1, 0.5, 0.9]),
    lambda: rl.decision_curve(TABLE),
    lambda: rl.decision_curve(TABLE).differences[0],
    lambda: rl.evaluate(TABLE, measures="gini"),
    lambda: rl.evaluate(TABLE).rows[0],
    lambda: rl.evaluate(TABLE, by="g").homogeneity[0],
    lambda: rl.evaluate(TABLE, by="g", threshold=0.4, rng=0).rate_homogeneity[0],
    lambda: rl.auc_change(TABLE, TABLE, by="g", model="a"),
    lambda: rl.auc_change(TABLE, TABLE, by="g", model="a").segments[0],
    lambda: rl.auc_bounds([*Y, None], [*A, 0.5], confidence_level=0.9),
    lambda: rl.expected_auc([0.1, 0.2, 0.7], check=rl.Ranking(Y, A)),
    lambda: rl.choose_threshold(RANKING, rng=0, n_resamples=20),
    lambda: rl.choose_threshold(RANKING, rng=0, n_resamples=20).neighbours[0],
    lambda: rl.select_model(TABLE, rng=0, n_resamples=50),
    lambda: rl.select_model(TABLE, rng=0, n_resamples=50).models[0],
    lambda: rl.plan_auc_study(0.8, n_pos=30, n_neg=40, simulate=20, rng=0),
    lambda: rl.plan_auc_study(0.8, n_pos=30, n_neg=40, simulate=20, rng=0).simulation,
    lambda: rl.cross_validated_auc(Y, A, fold=FOLD),
    lambda: rl.cross_validated_auc(Y, A, fold=FOLD).folds[0],
    lambda: rl.average_roc(Y, A, fold=FOLD),
    lambda: rl.roc_band(RANKING, rng=0, n_resamples=20),
    lambda: rl.binormal_fit(Y, np.round(A, 1)),
    lambda: rl.roc_curve(RANKING),
    lambda: rl.curves.kernel_roc(RANKING),
    lambda: rl.roc_hull(RANKING),
    lambda: rl.roc_hull(RANKING).concavities[0],
    lambda: rl.cost_curve(RANKING),
    lambda: rl.det_curve(RANKING),
    lambda: rl.margin_curve(RANKING),
    lambda: rl.granular_roc(RANKING),
    lambda: rl.precision_recall_curve(RANKING),
    lambda: rl.curves.precision_recall_gain_curve(RANKING),
    lambda: rl.operating_points(RANKING),
    lambda: rl.operating_points(RANKING).at(threshold=0.3),
    lambda: rl.granular_auc(RANKING),
    lambda: rl.measures.granular_parts(RANKING),
    lambda: rl.measures.scored_parts(RANKING),
    lambda: rl.measures.brier_parts(RANKING),
    lambda: rl.calibration_error(RANKING),
    lambda: rl.auc_given_errors(5, 6, 2),
    lambda: rl.list_measures(),
    lambda: rl.checked_repair(RANKING, rl.Ranking(Y, B)),
    lambda: rl.checked_repair(RANKING, rl.Ranking(Y, B)).decisions[0],
    lambda: REPAIR.explain(),
    lambda: REPAIR.sections[0],
    lambda: rl.learning.pairwise_loss(Y, A),
    lambda: rl.AUCSplitTreeClassifier().cost_complexity_pruning_path(A[:, None], Y),
    lambda: rl.streaming.compressed_ranking(Y, A, eps=0.1),
    lambda: rl.streaming.compressed_ranking(Y, A, eps=0.1).auc_bounds,
    alarm,
    sequence,
    duel,
    segments,
    step,
    pending,
    lambda: Training(
        model="AUCtronClassifier",
        n_rows=32,
        n_pos=16,
        features=("x",),
        categories=(),
        details={"loss": 0.5},
        auc=rl.auc_interval(RANKING),
        missing=MissingValues(),
        file="model.skops",
    ),
]


def summaries():
    """Days of a table, as the monitor takes them."""
    days = pl.DataFrame(
        {
            "y": [*Y, *Y],
            "s": [*A, *A],
            "at": [datetime(2026, 1, 1 + place // len(Y)) for place in range(2 * len(Y))],
        }
    )
    return rl.scale.cohort_summaries(days, y_true="y", y_score="s", time="at", model="credit")


SUMMARIES = summaries()
REFUSED = RefusedSummary(row=SUMMARIES.rows[0], reason="the cohort is frozen")
EXAMPLES += [
    lambda: SUMMARIES,
    lambda: SUMMARIES.rows[0],
    lambda: REFUSED,
    lambda: PostedSummaries(accepted=1, duplicate=2, refused=(REFUSED,)),
    lambda: ClientCounts(accepted=3, rejected=1, dropped=0, pending=2),
]


def results():
    found = {}
    for make in EXAMPLES:
        made = make()
        found[type(made).__name__] = made
    return found


RESULTS = results()


# Results that have a picture of their own.
DRAWN = {
    *("AUCChange", "AUCPlan", "AverageROC", "BinormalFit", "CheckedRepair", "Comparison"),
    *("CostCurve", "CrossValidatedAUC", "Evaluation", "GranularROC", "GroupedComparison"),
    *("MarginCurve", "ModelSelection", "OperatingPoints", "PrecisionRecallCurve"),
    *("PrecisionRecallGainCurve", "ROCBand", "ROCCurve", "ROCHull"),
    "AUCComparison",
    "CalibrationCurve",
    "DETCurve",
    "DecisionCurve",
    "DecisionCurves",
    "GainsTable",
    "KernelROC",
    "MeasureComparison",
    "OperatingPointInterval",
    "OperatingPointIntervals",
    "ThresholdChoice",
}


def numbers(value):
    """The finite numbers in plain data, with every digit."""
    if isinstance(value, dict):
        return [n for one in value.values() for n in numbers(one)]
    if isinstance(value, list | tuple):
        return [n for one in value for n in numbers(one)]
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return [value] if plain and math.isfinite(value) else []


def on_screen(shown):
    """A document as a wide terminal shows it."""
    console = Console(file=io.StringIO(), width=100_000, color_system=None)
    console.print(to_terminal(shown))
    return console.file.getvalue()


def subclasses(kind):
    return {kind, *(one for below in kind.__subclasses__() for one in subclasses(below))}


def test_every_result_class_is_among_the_examples():
    for module in pkgutil.walk_packages(roclab.__path__, "roclab."):
        if not module.name.startswith(("roclab.cli", "roclab.__main__")):
            importlib.import_module(module.name)
    names = {kind.__name__ for kind in subclasses(Result) if kind.__module__.startswith("roclab.")}
    assert names - {"Result"} <= set(RESULTS)


# Estimates of one quantity, with an interval, a test or a plan, read as people quote them.
QUOTED = {
    *("AUCChange", "AUCComparison", "AUCPlan", "BlockMeanInterval", "ExpectedAUC", "Interval"),
    *("MeasureComparison", "MissingLabelBounds", "MulticlassInterval", "OperatingPointInterval"),
    *("PopulationStability", "SequentialDifference", "StratifiedInterval", "ThresholdChoice"),
}


@pytest.mark.parametrize("name", RESULTS)
class TestResult:
    def test_the_repr_is_one_line_a_quotation_or_the_class_with_its_parts(self, name):
        shown = repr(RESULTS[name])
        assert "\n" not in shown
        assert shown.startswith(f"{type(RESULTS[name]).__name__}(") == (name not in QUOTED)

    def test_json_has_every_number(self, name):
        shown = document(RESULTS[name])
        assert isinstance(shown, Document)
        assert numbers(json.loads(to_json(shown))) == pytest.approx(numbers(shown.data), rel=0)

    def test_csv_and_frames_have_the_records_of_the_main_table(self, name):
        shown = document(RESULTS[name])
        table = shown.main_table
        assert table is not None
        read = list(csv.DictReader(io.StringIO(to_csv(shown))))
        assert len(read) == len(table.records)
        frames = [RESULTS[name].to_pandas(), RESULTS[name].to_polars()]
        assert isinstance(frames[0], pd.DataFrame)
        assert isinstance(frames[1], pl.DataFrame)
        for frame in frames:
            assert list(frame.columns) == list(table.header)
            assert len(frame) == len(table.records)
            for key in table.header:
                values = [record[key] for record in table.records]
                assert numbers(frame[key].to_list()) == numbers(values)
        for row, record in zip(read, table.records, strict=True):
            for key, value in record.items():
                undefined = value is None or (isinstance(value, float) and math.isnan(value))
                assert row[key] == ("" if undefined else str(value))

    def test_people_see_the_same_cells_everywhere(self, name):
        shown = document(RESULTS[name])
        text, html, marked = to_text(shown), to_html(shown), to_markdown(shown)
        typeset = to_latex(shown).replace("$-$", "-").replace(r"\textless{}", "<")
        assert str(RESULTS[name]) == text.rstrip("\n")
        assert RESULTS[name]._repr_html_() == html
        screen = on_screen(shown)
        for table in shown.tables:
            for row in table.cells if table.visible else ():
                for column, cell in zip(table.columns, row, strict=True):
                    if column.kind == "number":
                        assert cell in text
                        assert cell in screen
                        assert cell.replace("<", "&lt;") in html
                        assert cell in marked.replace("\\", "")
                        assert cell in typeset.replace("\\", "")

    def test_a_notebook_shows_a_table_and_notes(self, name):
        shown = document(RESULTS[name])
        html = RESULTS[name]._repr_html_()
        assert html.count("<table>") >= 1
        assert "<td" in html
        assert html.endswith("</p></div>")
        assert "<i>" not in html
        if not any(table.visible and table.records for table in shown.tables):
            (record,) = shown.main_table.records
            rounded = {"value", "difference", "low", "high", "confidence_level"}
            for value in numbers([record[key] for key in record.keys() - rounded]):
                assert f">{plain(value)}<" in html

    def test_its_picture_is_drawn(self, name):
        if not document(RESULTS[name]).figures:
            assert name not in DRAWN
            with pytest.raises(rl.InputError, match=f"{name} has no picture"):
                rl.plot(RESULTS[name])
            return
        ax = rl.plot(RESULTS[name], label="a name")
        ax.figure.canvas.draw()
        assert ax.has_data()
        pyplot.close(ax.figure)
        assert name in DRAWN

    def test_repr_is_one_line(self, name):
        assert "\n" not in repr(RESULTS[name])
