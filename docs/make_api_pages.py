"""Write reference/api.md and a page per topic in reference/api, of the names that the stubs list.

Run it with ``python docs/make_api_pages.py`` after a change of a stub; a test fails while a page is
out of date. A new name needs a place in TOPICS.
"""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from typing import NamedTuple

import roclab

FOLDER = Path(__file__).with_name("reference")
MARK = "<!-- Written by docs/make_api_pages.py. Change the stubs and docstrings, not this page. -->"
TITLE = "# Python API"

INTRODUCTION = """\
Functions, estimators, windows and detectors are at the top level: `import roclab as rl`. Results
are imported from their package: `from roclab.inference import Interval`.

The same rules hold everywhere:

- A function that starts with `y_true, y_score` also takes one `Ranking` in their place, such as
  `table["model"]`; `evaluate` and `compare` take a whole `ScoreTable`. All other arguments are
  keywords, in one order: options of the function, options of resampling, `sample_weight` and
  `pos_label`.
- `by` names group columns of a table, `measure` a measure, `sort_by` the measure to sort by.
  `cluster`, `stratum` and `fold` are column names with a table, arrays with arrays.
- Probabilities and levels are fractions (`confidence_level=0.95`). `rng` is an int, a NumPy
  generator or None. Costs are `false_positive_cost` and `false_negative_cost`.
- An argument that a function does not support raises an error that says what to pass instead.
"""


class Topic(NamedTuple):
    """A page: its file, title, the guides that go with it, and its names as ``package.name``."""

    file: str
    title: str
    guides: str
    names: str

    @property
    def entries(self) -> list[tuple[str, str]]:
        """Package and name of each entry."""
        package, entries = "", []
        for word in self.names.split():
            if word.endswith(":"):
                package = word.removesuffix(":")
            else:
                entries.append((package, word))
        return entries


TOPICS = (
    Topic(
        file="data",
        title="Data: rankings and score tables",
        guides="[Labels and scores](../../how_to/labels_and_scores.md), "
        "[share a summary](../../how_to/share_a_summary.md)",
        names="""
            data: Ranking ScoreTable MissingValues UnlabelledRows RangeSummary AUCBounds
            readers: read_scores""",
    ),
    Topic(
        file="measures",
        title="Measures of ranking",
        guides="[AUC and ties](../../explanation/auc_and_ties.md), "
        "[partial AUC](../../explanation/partial_auc.md), "
        "[H-measure](../../explanation/h_measure.md), "
        "[precision and recall](../../explanation/retrieval.md), "
        "[multiclass](../../explanation/multiclass.md)",
        names="""
            measures: auc gini partial_auc ks_statistic h_measure sensitivity specificity
                stratified_auc multiclass_auc average_precision average_precision_gain precision_at
                capture_at lift_at gains_table GainsTable auc_given_errors AUCGivenErrors
                list_measures find_measure Measure MeasureList MeasureOption""",
    ),
    Topic(
        file="scored_measures",
        title="Measures that use the size of scores",
        guides="[Scored AUC](../../explanation/scored_auc.md), "
        "[granular ROC curves](../../explanation/granular_roc.md)",
        names="""
            measures: scored_auc scored_parts ScoredParts margin_auc soft_auc probabilistic_auc
                granular_auc GranularAUC lambda_auc rho_auc granular_parts GranularParts""",
    ),
    Topic(
        file="calibration",
        title="Probabilities and calibration",
        guides="[Probability and calibration](../../explanation/probability.md)",
        names="""
            measures: brier_score brier_parts BrierParts log_loss calibration_error CalibrationError
                accuracy multiclass_brier_score multiclass_log_loss
            decisions: calibration_curve CalibrationCurve calibration_summary CalibrationSummary""",
    ),
    Topic(
        file="curves",
        title="Curves",
        guides="[ROC hull and costs](../../explanation/hull_and_costs.md), "
        "[precision and recall](../../explanation/retrieval.md), "
        "[draw results](../../how_to/plot.md)",
        names="""
            curves: roc_curve ROCCurve precision_recall_curve PrecisionRecallCurve
                precision_recall_gain_curve PrecisionRecallGainCurve det_curve DETCurve
                roc_hull ROCHull Concavity cost_curve CostCurve margin_curve MarginCurve
                granular_roc GranularROC kernel_roc KernelROC""",
    ),
    Topic(
        file="intervals",
        title="Confidence intervals",
        guides="[Evaluate a file](../../how_to/evaluate_a_file.md), "
        "[confidence intervals](../../explanation/intervals.md), "
        "[clusters and strata](../../explanation/clusters_and_strata.md), "
        "[missing labels](../../explanation/missing_labels.md)",
        names="""
            inference: auc_interval interval Interval evaluate Evaluation EvaluationRow
                stratified_auc_interval StratifiedInterval scored_auc_interval
                multiclass_auc_interval MulticlassInterval ClassInterval
                auc_bounds MissingLabelBounds expected_auc ExpectedAUC""",
    ),
    Topic(
        file="bands",
        title="Confidence bands and smooth ROC curves",
        guides="[Confidence bands](../../explanation/bands.md)",
        names="inference: roc_band ROCBand average_roc AverageROC binormal_fit BinormalFit",
    ),
    Topic(
        file="comparison",
        title="Comparison of models",
        guides="[Compare models](../../how_to/compare_models.md), "
        "[tests and formulas](../../explanation/comparison.md)",
        names="""
            inference: compare compare_auc compare_measure compare_independent_auc compare_to_value
                compare_roc compare_independent_roc auc_covariance
                Comparison GroupedComparison ModelPair ModelValue AUCComparison MeasureComparison
                ROCComparison Omnibus Homogeneity RateHomogeneity Interaction AUCCovariance""",
    ),
    Topic(
        file="thresholds",
        title="Thresholds, costs and net benefit",
        guides="[Choose a threshold](../../how_to/choose_a_threshold.md), "
        "[operating points](../../explanation/operating_points.md), "
        "[decision curves](../../explanation/decision_curves.md)",
        names="""
            decisions: choose_threshold ThresholdChoice ThresholdPoint
            curves: operating_points OperatingPoints OperatingPoint
            inference: operating_point_interval OperatingPointInterval OperatingPointIntervals
                sensitivity_at specificity_at
            measures: expected_cost net_benefit
            decisions: decision_curve DecisionCurve DecisionCurves NetBenefitDifference""",
    ),
    Topic(
        file="cross_validation",
        title="Cross-validation",
        guides="[Cross-validated AUC](../../explanation/folds.md)",
        names="inference: cross_validated_auc CrossValidatedAUC FoldAUC fold_scores FoldScores",
    ),
    Topic(
        file="selection",
        title="Model selection and scikit-learn scorers",
        guides="[Choose a model](../../how_to/choose_a_model.md), "
        "[search with scikit-learn](../../how_to/search_with_scikit_learn.md), "
        "[selection](../../explanation/selection.md)",
        names="""
            selection: select_model ModelSelection ModelStanding SimplestContender
                scorers ScorerRegistry MeasureScorer""",
    ),
    Topic(
        file="planning",
        title="Sample size and power",
        guides="[Plan a study](../../how_to/plan_a_study.md), "
        "[sample size and power](../../explanation/planning.md)",
        names="inference: auc_sample_size auc_power plan_auc_study AUCPlan PowerSimulation",
    ),
    Topic(
        file="change",
        title="Change between two samples",
        guides="[Why the AUC changed](../../explanation/change.md)",
        names="""
            inference: auc_change AUCChange SegmentChange
            decisions: population_stability_index PopulationStability""",
    ),
    Topic(
        file="scale",
        title="Scale: tables larger than memory, clusters",
        guides="[Evaluate large tables](../../how_to/evaluate_large_tables.md), "
        "[windows on Spark](../../how_to/windows_on_spark.md), "
        "[monitor from a cluster](../../how_to/monitor_from_a_cluster.md), "
        "[how it works](../../explanation/scale.md)",
        names="""
            scale: evaluate compare score_histograms ScoreHistogram
            scale: cohort_summaries CohortSummaries CohortSummary PostedSummaries RefusedSummary
            scale.spark: window_auc""",
    ),
    Topic(
        file="streams",
        title="Streams: windows and late labels",
        guides="[Watch a stream](../../how_to/watch_a_stream.md), "
        "[windows](../../explanation/windows.md), "
        "[approximate windows](../../explanation/approximate_window.md)",
        names="""
            streaming: WindowAUC TimeWindowAUC DecayedAUC CumulativeAUC ApproximateWindowAUC
                compressed_ranking CompressedRanking SegmentedWindow SegmentInterval
                PendingLabels JoinCounts LabelledScore RiverAUC StreamingAUC""",
    ),
    Topic(
        file="drift",
        title="Streams: drift detection and sequential tests",
        guides="[Watch a stream](../../how_to/watch_a_stream.md), "
        "[drift detection](../../explanation/drift.md), "
        "[confidence sequences](../../explanation/sequential.md)",
        names="""
            streaming: StreamWatcher StreamStep DetectorSettings DriftReference
                BlockEDetector BlockCUSUM Alarm
                BlockConfidenceSequence BlockMeanInterval
                SequentialComparison SequentialDifference""",
    ),
    Topic(
        file="monitor",
        title="The monitor's client",
        guides="[Feed the monitor](../../how_to/feed_the_monitor.md), "
        "[run the monitor](../../how_to/run_the_monitor.md)",
        names="monitor: Client LoggedClassifier ClientCounts",
    ),
    Topic(
        file="repair",
        title="Repair of concavities",
        guides="[Repair a classifier](../../how_to/repair_a_classifier.md), "
        "[when to repair](../../explanation/repair.md)",
        names="""
            repair: checked_repair CheckedRepair RepairDecision concavities repair_section
                ScoreRepair RepairedSection RepairExplanation SectionEffect
                RepairedClassifierCV repair_point PointRepairedClassifier""",
    ),
    Topic(
        file="learning",
        title="Training for AUC",
        guides="[Train a ranker](../../how_to/train_a_ranker.md), "
        "[boosting](../../how_to/boosting.md), "
        "[learning to rank](../../explanation/learning.md), "
        "[AUCsplit trees](../../explanation/auc_split_tree.md)",
        names="""
            learning: AUCtronClassifierCV AUCtronClassifier MSEtronClassifier AUCSplitTreeClassifier
                SplitTree PruningPath split_auc pairwise_loss PairwiseLoss PairwiseObjective
                save_model load_model ModelFile""",
    ),
    Topic(
        file="report",
        title="Plots and reports",
        guides="[Draw results](../../how_to/plot.md), "
        "[write a report](../../how_to/write_a_report.md), "
        "[use a notebook](../../how_to/use_a_notebook.md)",
        names="report: plot html_report",
    ),
)
# Packages of which only a part is public.
PARTS = {
    "monitor": ["Client", "LoggedClassifier", "ClientCounts"],
    "readers": ["read_scores"],
}
PACKAGES = (
    *(
        "curves",
        "data",
        "decisions",
        "inference",
        "learning",
        "measures",
        "repair",
        "report",
    ),
    *("scale", "scale.spark", "selection", "streaming"),
)
# Beyond what autodoc shows of an object by itself.
OPTIONS = {
    "PairwiseObjective": ("   :special-members: __call__",),
    "ScoreTable": ("   :special-members: __getitem__",),
    "scorers": ("   :no-value:",),
}


def pages() -> dict[Path, str]:
    """Every page as it should be."""
    topics = {FOLDER / "api" / f"{topic.file}.md": _topic(topic) for topic in TOPICS}
    return {FOLDER / "api.md": _index(), **topics}


def public() -> set[tuple[str, str]]:
    """Package and name of everything that needs an entry."""
    parts = {(package, name) for package, names in PARTS.items() for name in names}
    modules = {package: importlib.import_module(f"roclab.{package}") for package in PACKAGES}
    return parts | {(package, name) for package in PACKAGES for name in modules[package].__all__}


def _index() -> str:
    lines = [MARK, "", TITLE, "", INTRODUCTION]
    for topic in TOPICS:
        lines += [f"## {topic.title}", "", f"[Parameters and examples](api/{topic.file}.md)", ""]
        lines += ["| name | |", "|---|---|"]
        lines += [
            f"| {_link(package, name)} | {_line(package, name)} |"
            for package, name in topic.entries
        ]
        lines.append("")
    files = "\n".join(f"api/{topic.file}" for topic in TOPICS)
    lines += ["Errors and warnings have [their own page](errors.md).", ""]
    return "\n".join([*lines, f"```{{toctree}}\n:hidden:\n\n{files}\n```\n"])


def _topic(topic: Topic) -> str:
    lines = [MARK, "", f"# {topic.title}", "", f"Guides: {topic.guides}.", "", "```{eval-rst}"]
    current = None
    for package, name in topic.entries:
        module = module_of(package, name)
        if module != current:
            lines.append(f".. currentmodule:: {module}\n")
            current = module
        lines.append(_entry(package, name))
    return "\n".join([*lines, "```\n"])


def module_of(package: str, name: str) -> str:
    """Where users import the name from."""
    at_the_top = name in roclab.__all__ and getattr(roclab, name) is _value(package, name)
    return "roclab" if at_the_top else f"roclab.{package}"


def _link(package: str, name: str) -> str:
    module = module_of(package, name)
    shown = f"rl.{name}" if module == "roclab" else f"{package}.{name}"
    return f"{{py:obj}}`{shown} <{module}.{name}>`"


def _line(package: str, name: str) -> str:
    """The first line of a docstring, in Markdown."""
    line = (inspect.getdoc(_value(package, name)) or "").partition("\n")[0]
    return re.sub(r"(`+)([^`]+)`+", r"`\2`", line).replace("|", "\\|")


def _value(package: str, name: str) -> object:
    return getattr(importlib.import_module(f"roclab.{package}"), name)


def _entry(package: str, name: str) -> str:
    value = _value(package, name)
    if inspect.isclass(value):
        lines = [f".. autoclass:: {name}", "   :members:"]
        if hasattr(value, "fit"):  # scikit-learn makes or describes the rest
            lines.append("   :exclude-members: set_fit_request, set_score_request")
        elif value.__mro__[1].__module__.startswith("roclab"):
            lines.append("   :inherited-members:")
    else:
        lines = [f".. {'autofunction' if callable(value) else 'autodata'}:: {name}"]
    return "\n".join([*lines, *OPTIONS.get(name, ()), ""])


if __name__ == "__main__":
    for old in (FOLDER / "api").glob("*.md"):
        old.unlink()
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
