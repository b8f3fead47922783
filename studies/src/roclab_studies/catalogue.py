"""All studies: their names on the command line, their modules, and the tables made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from roclab_studies import short_tables
from roclab_studies.auc_split_tree import criteria as auc_trees
from roclab_studies.auc_split_tree import tables as auc_tree_tables
from roclab_studies.auctron import data as auctron_data
from roclab_studies.auctron import default_tables as auctron_default_tables
from roclab_studies.auctron import defaults as auctron_defaults
from roclab_studies.auctron import fixed_error_tables, fixed_errors
from roclab_studies.auctron import starts as auctron_starts
from roclab_studies.auctron import tables as auctron_tables
from roclab_studies.comparison import error_rates, group_tests, measure_differences, measure_tables
from roclab_studies.comparison import tables as error_tables
from roclab_studies.coverage import (
    band_tables,
    dependent_rows,
    dependent_tables,
    fold_tables,
    near_bound,
    near_bound_tables,
    pair_correlation,
    pair_correlation_tables,
    panel_tables,
    probability_tables,
    rate_tables,
    threshold_tables,
    thresholds,
)
from roclab_studies.coverage import bands as band_coverage
from roclab_studies.coverage import folds as fold_coverage
from roclab_studies.coverage import interval_tables as coverage_tables
from roclab_studies.coverage import intervals as interval_coverage
from roclab_studies.coverage import multiclass as multiclass_coverage
from roclab_studies.coverage import panel as interval_panel
from roclab_studies.coverage import probabilities as probability_coverage
from roclab_studies.coverage import rates as rate_coverage
from roclab_studies.drift import detectors as drift
from roclab_studies.drift import real as real_drift
from roclab_studies.drift import tables as drift_tables
from roclab_studies.granular_roc import bands as granular_bands
from roclab_studies.granular_roc import example as granular_example
from roclab_studies.granular_roc import selection as granular_selection
from roclab_studies.granular_roc import tables as granular_tables
from roclab_studies.ledger import Ledger
from roclab_studies.monitor import delays as monitor_delays
from roclab_studies.monitor import false_alarms as monitor_alarms
from roclab_studies.monitor import full_path as monitor_path
from roclab_studies.monitor import label_free as monitor_label_free
from roclab_studies.monitor import replays as monitor_replays
from roclab_studies.monitor import tables as monitor_tables
from roclab_studies.planning import pilots as planned_pilots
from roclab_studies.planning import power as planned_power
from roclab_studies.planning import tables as planned_tables
from roclab_studies.planning import two_curves as planned_curves
from roclab_studies.repair import data as repair_data
from roclab_studies.repair import rules as repair_rules
from roclab_studies.repair import tables as repair_tables
from roclab_studies.runner import question_of
from roclab_studies.scored_auc import few_rows as scored_few
from roclab_studies.scored_auc import noise as scored_noise
from roclab_studies.scored_auc import noise_tables as scored_noise_tables
from roclab_studies.scored_auc import scatter as scored_scatter
from roclab_studies.scored_auc import selection as scored_selection
from roclab_studies.scored_auc import selection_tables as scored_selection_tables
from roclab_studies.selection import contender_tables as selection_set_tables
from roclab_studies.selection import contenders as selection_sets
from roclab_studies.selection import normal_limit, normal_limit_tables
from roclab_studies.selection import rule_tables as selection_rules_tables
from roclab_studies.selection import rules as selection_rules
from roclab_studies.sequential import coverage as sequence_coverage
from roclab_studies.sequential import decisions as sequence_decisions
from roclab_studies.sequential import real as real_sequences
from roclab_studies.sequential import tables as sequence_tables
from roclab_studies.sliding_window import drift as window_drift
from roclab_studies.sliding_window import errors as window_errors
from roclab_studies.sliding_window import tables as window_tables
from roclab_studies.sliding_window import times as window_times

FOLDER = Path(__file__).parents[2]
RESULTS = FOLDER / "results"
PICTURES = FOLDER.parent / "docs" / "pictures"


@dataclass(frozen=True)
class Study:
    """A study and the tables of its answers.

    Attributes
    ----------
    name : str
        On the command line, and of its file in `results`.
    module : module
        What is asked, and how it is answered; see `runner`.
    tables : mapping from str to function
        What makes each table of all answers, by the mark that pages have it between.
    """

    name: str
    module: ModuleType
    tables: Mapping[str, Callable[[Sequence[Any]], str]]

    @property
    def path(self) -> Path:
        """Where the answers are recorded."""
        return RESULTS / f"{self.name}.csv"

    def recorded(self) -> list[Any]:
        """The recorded answers."""
        return Ledger(self.path, self.module.Answer).read()

    @cached_property
    def answers(self) -> list[Any] | None:
        """All answers, in the order of the questions; None while some are missing."""
        found = {question_of(self.module, one): one for one in self.recorded()}
        asked = self.module.questions()
        return [found[question] for question in asked] if found.keys() >= set(asked) else None


STUDIES = {
    study.name: study
    for study in (
        Study("multiclass_coverage", multiclass_coverage, rate_tables.MULTICLASS_BLOCKS),
        Study("rate_coverage", rate_coverage, rate_tables.RATE_BLOCKS),
        Study(
            "interval_panel", interval_panel, {**panel_tables.BLOCKS, **panel_tables.CLUSTER_BLOCKS}
        ),
        Study("pair_correlation", pair_correlation, pair_correlation_tables.BLOCKS),
        Study("near_bound", near_bound, near_bound_tables.BLOCKS),
        Study("thresholds", thresholds, threshold_tables.BLOCKS),
        Study("interval_coverage", interval_coverage, coverage_tables.BLOCKS),
        Study(
            "error_rates",
            error_rates,
            {**error_tables.BLOCKS, "rates-short": short_tables.error_rates_by_test},
        ),
        Study("measure_differences", measure_differences, measure_tables.BLOCKS),
        Study("group_tests", group_tests, measure_tables.GROUP_BLOCKS),
        Study(
            "selection_sets",
            selection_sets,
            {**selection_set_tables.BLOCKS, "optimism-short": short_tables.optimism_by_pattern},
        ),
        Study("normal_limit", normal_limit, normal_limit_tables.BLOCKS),
        Study("auc_trees", auc_trees, auc_tree_tables.BLOCKS),
        Study(
            "auctron_data",
            auctron_data,
            {**auctron_tables.DATA_BLOCKS, "auctron-short": short_tables.mean_leads},
        ),
        Study("auctron_starts", auctron_starts, auctron_tables.START_BLOCKS),
        Study("auctron_defaults", auctron_defaults, auctron_default_tables.BLOCKS),
        Study("fixed_errors", fixed_errors, fixed_error_tables.BLOCKS),
        Study("window_errors", window_errors, window_tables.ERROR_BLOCKS),
        Study("window_times", window_times, window_tables.TIME_BLOCKS),
        Study("window_drift", window_drift, window_tables.DRIFT_BLOCKS),
        Study(
            "repair_rules",
            repair_rules,
            {**repair_tables.RULES_BLOCKS, "repair-short": short_tables.repaired_models},
        ),
        Study("repair_data", repair_data, repair_tables.DATA_BLOCKS),
        Study("drift", drift, drift_tables.BLOCKS),
        Study("real_drift", real_drift, drift_tables.REAL_BLOCKS),
        Study("monitor_alarms", monitor_alarms, monitor_tables.ALARM_BLOCKS),
        Study("monitor_path", monitor_path, monitor_tables.FULL_BLOCKS),
        Study("monitor_delays", monitor_delays, monitor_tables.DELAY_BLOCKS),
        Study("monitor_replays", monitor_replays, monitor_tables.REPLAY_BLOCKS),
        Study("monitor_label_free", monitor_label_free, monitor_tables.LABEL_FREE_BLOCKS),
        Study("sequence_coverage", sequence_coverage, sequence_tables.COVERAGE_BLOCKS),
        Study("sequence_decisions", sequence_decisions, sequence_tables.DECISION_BLOCKS),
        Study("real_sequences", real_sequences, sequence_tables.REAL_BLOCKS),
        Study(
            "dependent_rows",
            dependent_rows,
            {**dependent_tables.BLOCKS, "clusters-short": short_tables.clusters_by_design},
        ),
        Study(
            "planned_power",
            planned_power,
            {**planned_tables.BLOCKS, "planned-short": short_tables.found_powers},
        ),
        Study("planned_curves", planned_curves, planned_tables.CURVES_BLOCKS),
        Study("planned_pilots", planned_pilots, planned_tables.PILOT_BLOCKS),
        Study("scored_few", scored_few, scored_selection_tables.FEW_BLOCKS),
        Study("scored_noise", scored_noise, scored_noise_tables.BLOCKS),
        Study("scored_scatter", scored_scatter, scored_selection_tables.SCATTER_BLOCKS),
        Study("scored_selection", scored_selection, scored_selection_tables.SELECTION_BLOCKS),
        Study("granular_example", granular_example, granular_tables.EXAMPLE_BLOCKS),
        Study("granular_bands", granular_bands, granular_tables.BAND_BLOCKS),
        Study("granular_selection", granular_selection, granular_tables.SELECTION_BLOCKS),
        Study("selection_rules", selection_rules, selection_rules_tables.BLOCKS),
        Study("band_coverage", band_coverage, band_tables.BLOCKS),
        Study("fold_coverage", fold_coverage, fold_tables.BLOCKS),
        Study(
            "probability_coverage",
            probability_coverage,
            {**probability_tables.CALIBRATION_BLOCKS, **probability_tables.BENEFIT_BLOCKS},
        ),
    )
}
