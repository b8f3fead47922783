"""The tables that documents quote, written between their marks from the recorded answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.pages import with_figures
from studies.auc_split_tree import criteria as auc_trees
from studies.auc_split_tree import tables as auc_tree_tables
from studies.auctron import data as auctron_data
from studies.auctron import default_tables as auctron_default_tables
from studies.auctron import defaults as auctron_defaults
from studies.auctron import fixed_error_tables, fixed_errors
from studies.auctron import starts as auctron_starts
from studies.auctron import tables as auctron_tables
from studies.comparison import error_rates, group_tests, measure_differences, measure_tables
from studies.comparison import tables as error_tables
from studies.coverage import (
    band_tables,
    dependent_rows,
    dependent_tables,
    fold_tables,
    panel_tables,
    probability_tables,
    rate_tables,
    threshold_tables,
    thresholds,
)
from studies.coverage import bands as band_coverage
from studies.coverage import folds as fold_coverage
from studies.coverage import interval_tables as coverage_tables
from studies.coverage import intervals as interval_coverage
from studies.coverage import multiclass as multiclass_coverage
from studies.coverage import panel as interval_panel
from studies.coverage import probabilities as probability_coverage
from studies.coverage import rates as rate_coverage
from studies.drift import detectors as drift
from studies.drift import real as real_drift
from studies.drift import tables as drift_tables
from studies.granular_roc import bands as granular_bands
from studies.granular_roc import example as granular_example
from studies.granular_roc import selection as granular_selection
from studies.granular_roc import tables as granular_tables
from studies.planning import pilots as planned_pilots
from studies.planning import power as planned_power
from studies.planning import tables as planned_tables
from studies.repair import data as repair_data
from studies.repair import rules as repair_rules
from studies.repair import tables as repair_tables
from studies.runner import question_of, recorded
from studies.scored_auc import few_rows as scored_few
from studies.scored_auc import noise as scored_noise
from studies.scored_auc import noise_tables as scored_noise_tables
from studies.scored_auc import scatter as scored_scatter
from studies.scored_auc import selection as scored_selection
from studies.scored_auc import selection_tables as scored_selection_tables
from studies.selection import contender_tables as selection_set_tables
from studies.selection import contenders as selection_sets
from studies.selection import rule_tables as selection_rules_tables
from studies.selection import rules as selection_rules
from studies.sequential import coverage as sequence_coverage
from studies.sequential import decisions as sequence_decisions
from studies.sequential import real as real_sequences
from studies.sequential import tables as sequence_tables
from studies.sliding_window import drift as window_drift
from studies.sliding_window import errors as window_errors
from studies.sliding_window import tables as window_tables
from studies.sliding_window import times as window_times

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("results")


@dataclass(frozen=True, kw_only=True)
class Page:
    """A document, the study it quotes, and what makes each table of the answers.

    `name` is the name of the study on the command line, and of its folder in `results`.
    """

    name: str
    path: Path
    study: ModuleType
    blocks: dict[str, Callable[[Sequence[Any]], str]]

    def answers(self) -> list[Any] | None:
        """All answers, in the order of the questions; None while some are missing."""
        found = {
            question_of(self.study, one): one for one in recorded(self.study, RESULTS / self.name)
        }
        asked = self.study.questions()
        return [found[question] for question in asked] if found.keys() >= set(asked) else None

    def updated(self, answers: Sequence[Any]) -> str:
        """The text with its tables as the answers have them."""
        text = self.path.read_text(encoding="utf-8")
        for mark, table_of in self.blocks.items():
            text = with_figures(text, mark, table_of(answers))
        return text


PAGES = (
    Page(
        name="multiclass_coverage",
        path=ROOT / "docs" / "explanation" / "multiclass.md",
        study=multiclass_coverage,
        blocks=rate_tables.MULTICLASS_BLOCKS,
    ),
    Page(
        name="rate_coverage",
        path=ROOT / "docs" / "explanation" / "operating_points.md",
        study=rate_coverage,
        blocks=rate_tables.RATE_BLOCKS,
    ),
    Page(
        name="interval_panel",
        path=ROOT / "docs" / "studies" / "interval_coverage.md",
        study=interval_panel,
        blocks=panel_tables.BLOCKS,
    ),
    Page(
        name="interval_panel",
        path=ROOT / "docs" / "explanation" / "clusters_and_strata.md",
        study=interval_panel,
        blocks=panel_tables.CLUSTER_BLOCKS,
    ),
    Page(
        name="thresholds",
        path=ROOT / "docs" / "how_to" / "choose_a_threshold.md",
        study=thresholds,
        blocks=threshold_tables.BLOCKS,
    ),
    Page(
        name="interval_coverage",
        path=ROOT / "docs" / "studies" / "interval_coverage.md",
        study=interval_coverage,
        blocks=coverage_tables.BLOCKS,
    ),
    Page(
        name="error_rates",
        path=ROOT / "docs" / "studies" / "error_rates.md",
        study=error_rates,
        blocks=error_tables.BLOCKS,
    ),
    Page(
        name="measure_differences",
        path=ROOT / "docs" / "explanation" / "comparison.md",
        study=measure_differences,
        blocks=measure_tables.BLOCKS,
    ),
    Page(
        name="group_tests",
        path=ROOT / "docs" / "explanation" / "comparison.md",
        study=group_tests,
        blocks=measure_tables.GROUP_BLOCKS,
    ),
    Page(
        name="selection_sets",
        path=ROOT / "docs" / "explanation" / "selection.md",
        study=selection_sets,
        blocks=selection_set_tables.BLOCKS,
    ),
    Page(
        name="auc_trees",
        path=ROOT / "docs" / "explanation" / "auc_split_tree.md",
        study=auc_trees,
        blocks=auc_tree_tables.BLOCKS,
    ),
    Page(
        name="auctron_data",
        path=ROOT / "docs" / "studies" / "auctron_study.md",
        study=auctron_data,
        blocks=auctron_tables.DATA_BLOCKS,
    ),
    Page(
        name="auctron_starts",
        path=ROOT / "docs" / "studies" / "auctron_study.md",
        study=auctron_starts,
        blocks=auctron_tables.START_BLOCKS,
    ),
    Page(
        name="auctron_defaults",
        path=ROOT / "docs" / "studies" / "auctron_study.md",
        study=auctron_defaults,
        blocks=auctron_default_tables.BLOCKS,
    ),
    Page(
        name="fixed_errors",
        path=ROOT / "docs" / "studies" / "auctron_study.md",
        study=fixed_errors,
        blocks=fixed_error_tables.BLOCKS,
    ),
    Page(
        name="window_errors",
        path=ROOT / "docs" / "studies" / "window_figures.md",
        study=window_errors,
        blocks=window_tables.ERROR_BLOCKS,
    ),
    Page(
        name="window_times",
        path=ROOT / "docs" / "studies" / "window_figures.md",
        study=window_times,
        blocks=window_tables.TIME_BLOCKS,
    ),
    Page(
        name="window_drift",
        path=ROOT / "docs" / "explanation" / "windows.md",
        study=window_drift,
        blocks=window_tables.DRIFT_BLOCKS,
    ),
    Page(
        name="repair_rules",
        path=ROOT / "docs" / "studies" / "repair_study.md",
        study=repair_rules,
        blocks=repair_tables.RULES_BLOCKS,
    ),
    Page(
        name="repair_data",
        path=ROOT / "docs" / "studies" / "repair_study.md",
        study=repair_data,
        blocks=repair_tables.DATA_BLOCKS,
    ),
    Page(
        name="drift",
        path=ROOT / "docs" / "explanation" / "drift.md",
        study=drift,
        blocks=drift_tables.BLOCKS,
    ),
    Page(
        name="real_drift",
        path=ROOT / "docs" / "explanation" / "drift.md",
        study=real_drift,
        blocks=drift_tables.REAL_BLOCKS,
    ),
    Page(
        name="sequence_coverage",
        path=ROOT / "docs" / "explanation" / "sequential.md",
        study=sequence_coverage,
        blocks=sequence_tables.COVERAGE_BLOCKS,
    ),
    Page(
        name="sequence_decisions",
        path=ROOT / "docs" / "explanation" / "sequential.md",
        study=sequence_decisions,
        blocks=sequence_tables.DECISION_BLOCKS,
    ),
    Page(
        name="real_sequences",
        path=ROOT / "docs" / "explanation" / "sequential.md",
        study=real_sequences,
        blocks=sequence_tables.REAL_BLOCKS,
    ),
    Page(
        name="dependent_rows",
        path=ROOT / "docs" / "explanation" / "clusters_and_strata.md",
        study=dependent_rows,
        blocks=dependent_tables.BLOCKS,
    ),
    Page(
        name="planned_power",
        path=ROOT / "docs" / "explanation" / "planning.md",
        study=planned_power,
        blocks=planned_tables.BLOCKS,
    ),
    Page(
        name="planned_pilots",
        path=ROOT / "docs" / "explanation" / "planning.md",
        study=planned_pilots,
        blocks=planned_tables.PILOT_BLOCKS,
    ),
    Page(
        name="scored_few",
        path=ROOT / "docs" / "studies" / "scored_selection.md",
        study=scored_few,
        blocks=scored_selection_tables.FEW_BLOCKS,
    ),
    Page(
        name="scored_noise",
        path=ROOT / "docs" / "studies" / "scored_selection.md",
        study=scored_noise,
        blocks=scored_noise_tables.BLOCKS,
    ),
    Page(
        name="scored_scatter",
        path=ROOT / "docs" / "studies" / "scored_selection.md",
        study=scored_scatter,
        blocks=scored_selection_tables.SCATTER_BLOCKS,
    ),
    Page(
        name="scored_selection",
        path=ROOT / "docs" / "studies" / "scored_selection.md",
        study=scored_selection,
        blocks=scored_selection_tables.SELECTION_BLOCKS,
    ),
    Page(
        name="granular_example",
        path=ROOT / "docs" / "studies" / "granular_study.md",
        study=granular_example,
        blocks=granular_tables.EXAMPLE_BLOCKS,
    ),
    Page(
        name="granular_bands",
        path=ROOT / "docs" / "studies" / "granular_study.md",
        study=granular_bands,
        blocks=granular_tables.BAND_BLOCKS,
    ),
    Page(
        name="granular_selection",
        path=ROOT / "docs" / "studies" / "granular_study.md",
        study=granular_selection,
        blocks=granular_tables.SELECTION_BLOCKS,
    ),
    Page(
        name="selection_rules",
        path=ROOT / "docs" / "studies" / "choosing_a_model.md",
        study=selection_rules,
        blocks=selection_rules_tables.BLOCKS,
    ),
    Page(
        name="band_coverage",
        path=ROOT / "docs" / "explanation" / "bands.md",
        study=band_coverage,
        blocks=band_tables.BLOCKS,
    ),
    Page(
        name="fold_coverage",
        path=ROOT / "docs" / "explanation" / "folds.md",
        study=fold_coverage,
        blocks=fold_tables.BLOCKS,
    ),
    Page(
        name="probability_coverage",
        path=ROOT / "docs" / "explanation" / "probability.md",
        study=probability_coverage,
        blocks=probability_tables.CALIBRATION_BLOCKS,
    ),
    Page(
        name="probability_coverage",
        path=ROOT / "docs" / "explanation" / "decision_curves.md",
        study=probability_coverage,
        blocks=probability_tables.BENEFIT_BLOCKS,
    ),
)
STUDIES = {page.name: page.study for page in PAGES}


def write_pages() -> None:
    """Bring every page of a finished study up to date."""
    for page in PAGES:
        answers = page.answers()
        if answers is not None:
            page.path.write_text(page.updated(answers), encoding="utf-8")
