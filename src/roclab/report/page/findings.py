"""What the sections of a report share: each result is computed once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from roclab.curves import cost_curve, precision_recall_curve, roc_curve, roc_hull
from roclab.data.ranking import Ranking
from roclab.data.table import ScoreTable
from roclab.decisions import (
    CalibrationSummary,
    ThresholdChoice,
    calibration_curve,
    calibration_summary,
    choose_threshold,
    decision_curve,
)
from roclab.decisions.threshold.goal import Goal
from roclab.inference import Evaluation, EvaluationRow, Interval, compare, evaluate
from roclab.inference.comparison.results import Comparison, ModelPair
from roclab.measures import average_precision
from roclab.report.document import figure
from roclab.report.documents.calibration import NEARLY
from roclab.report.figure import Figure
from roclab.report.page.counts import ModelCounts
from roclab.report.page.parts import Setting
from roclab.report.svg import thinned_figure
from roclab.report.together import model_colors, worst_last

# Models beyond which pairs are too many to read.
MOST_COMPARED = 100
# Models beyond which only the best are drawn and can be chosen in the panel.
MOST_DRAWN = 12
# Examples of a class below which nothing can be judged.
FEW = 10
# Shares of examples that can be acted on, to choose from.
CAPACITIES = (0.01, 0.02, 0.05, 0.1, 0.2)
# Groups that are shown.
MOST_GROUPS = 24
# Shares of positives between which equal costs are assumed where none were given.
_BALANCED = (0.2, 0.8)
_ROUND = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


@dataclass(frozen=True, kw_only=True)
class ModelFindings:
    """What a report needs of a model; the examples are ranked once for all of it.

    Attributes
    ----------
    average_precision : float
        Its average precision.
    counts : ModelCounts
        Examples that are called positive at its thresholds.
    figures : mapping of str to Figure
        ``"roc"``, ``"pr"``, ``"cost"`` and ``"scores"``, and of probabilities also
        ``"calibration"`` and ``"benefit"``; with no more points than a page shows.
    """

    average_precision: float
    counts: ModelCounts
    figures: Mapping[str, Figure]

    @property
    def probabilities(self) -> bool:
        """Whether all scores are from 0 to 1."""
        return "calibration" in self.figures

    @classmethod
    def of(
        cls,
        name: str,
        ranking: Ranking,
        groups: Mapping[Any, Ranking],
        goals: Sequence[Goal],
        prevalence: float | None,
    ) -> ModelFindings:
        """Of a model, from its ranking and those of the groups."""
        figures = {
            "roc": figure(roc_curve(ranking)),
            "pr": figure(precision_recall_curve(ranking)),
            "cost": figure(cost_curve(ranking)),
            "scores": figure(ranking),
        }
        if ranking.scores[0] >= 0 and ranking.scores[-1] <= 1:
            figures["calibration"] = figure(calibration_curve(ranking))
            figures["benefit"] = figure(decision_curve(ranking, prevalence=prevalence))
        return cls(
            average_precision=average_precision(ranking),
            counts=ModelCounts.of(name, ranking, roc_hull(ranking), groups, goals),
            figures={kind: thinned_figure(one) for kind, one in figures.items()},
        )


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Results on a table; those that take time are computed when they are first needed.

    Attributes
    ----------
    table : ScoreTable
        Labels and scores.
    by : str or None
        Group column.
    reference : ScoreTable or None
        An earlier period.
    asked : Setting
        What the reader said about costs, prevalence and capacity.
    """

    table: ScoreTable
    by: str | None
    reference: ScoreTable | None
    asked: Setting

    @cached_property
    def evaluation(self) -> Evaluation:
        """The AUCs of all models."""
        return evaluate(self.table)

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """The AUC of each model, in the order of the table."""
        return {row.model: row.interval for row in self.evaluation.rows}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The models, the best first."""
        return tuple(
            sorted(self.intervals, key=lambda name: worst_last(self.intervals[name].value))
        )

    @property
    def best(self) -> str:
        """The model with the highest AUC."""
        return self.names[0]

    @property
    def drawn(self) -> tuple[str, ...]:
        """The models in pictures and in the panel, the best first."""
        return self.names[:MOST_DRAWN]

    @cached_property
    def colors(self) -> dict[str, int | None]:
        """The number of each model's colour."""
        return model_colors({name: one.value for name, one in self.intervals.items()})

    @property
    def defined(self) -> bool:
        """Whether there are examples of both classes."""
        return not any(math.isnan(one.value) for one in self.intervals.values())

    @property
    def better_than_chance(self) -> bool:
        """Whether the interval of the best model is above 0.5."""
        return self.intervals[self.best].low > 0.5

    @cached_property
    def comparison(self) -> Comparison | None:
        """All pairs of models; None if there is only one, or too many."""
        if not 1 < len(self.names) <= MOST_COMPARED:
            return None
        return compare(self.table)

    @cached_property
    def against_best(self) -> dict[str, ModelPair]:
        """The comparison of each other model with the best."""
        pairs = () if self.comparison is None else self.comparison.pairs
        found = {}
        for pair in pairs:
            names = (pair.model_a, pair.model_b)
            if self.best in names:
                found[names[names[0] == self.best]] = pair
        return found

    @cached_property
    def contenders(self) -> tuple[str, ...]:
        """Other models that no test tells apart from the best, in their order."""
        error = 0.05 if self.comparison is None else 1 - self.comparison.confidence_level
        near = {
            name for name, pair in self.against_best.items() if not pair.adjusted_pvalue < error
        }
        return tuple(name for name in self.names if name in near)

    def ranking(self, name: str) -> Ranking:
        """The examples as a model ranks them; that of the best is kept."""
        return self.table[name] if name == self.best else self.table.ranking(name)

    @cached_property
    def _models(self) -> dict[str, ModelFindings]:
        return {}

    def model(self, name: str) -> ModelFindings:
        """Curves and counts of a model."""
        if name not in self._models:
            groups = {one: self.parts[one].ranking(name) for one in self.groups}
            self._models[name] = ModelFindings.of(
                name, self.ranking(name), groups, self.goals, self.asked.prevalence
            )
        return self._models[name]

    @cached_property
    def probabilities(self) -> tuple[str, ...]:
        """The drawn models whose scores are all from 0 to 1."""
        return tuple(name for name in self.drawn if self.model(name).probabilities)

    @cached_property
    def _calibrations(self) -> dict[str, CalibrationSummary]:
        return {}

    def calibration(self, name: str) -> CalibrationSummary:
        """The calibration of a model; probabilities of 0 and 1 are taken as nearly so."""
        if name not in self._calibrations:
            self._calibrations[name] = calibration_summary(self.ranking(name), clip=NEARLY)
        return self._calibrations[name]

    @property
    def prevalence(self) -> float:
        """Share of positives where the model will be used."""
        if self.asked.prevalence is not None:
            return self.asked.prevalence
        ranking = self.ranking(self.best)
        pos, neg = float(ranking.pos.sum()), float(ranking.neg.sum())
        return pos / (pos + neg)

    @cached_property
    def setting(self) -> Setting:
        """What the recommended threshold is chosen for.

        Without costs and limits both errors cost the same, unless a class is rare: then a miss
        costs as many false alarms as there are negatives to a positive, roughly.
        """
        asked = self.asked
        low, high = _BALANCED
        said = (asked.false_positive_cost, asked.false_negative_cost, asked.capacity)
        if said != (None, None, None) or low <= self.prevalence <= high:
            return asked
        odds = (1 - self.prevalence) / self.prevalence
        ratio = min(_ROUND, key=lambda one: abs(math.log(one / max(odds, 1 / odds))))
        costs = (1, ratio) if odds > 1 else (ratio, 1)
        return replace(
            asked, false_positive_cost=costs[0], false_negative_cost=costs[1], assumed=True
        )

    def goal(self, setting: Setting) -> Goal:
        """What `choose_threshold` looks for in this setting."""
        return Goal.of(
            false_positive_cost=setting.false_positive_cost,
            false_negative_cost=setting.false_negative_cost,
            prevalence=setting.prevalence,
            max_fpr=None,
            min_tpr=None,
            capacity=setting.capacity,
            of_data=self.prevalence,
        )

    @property
    def capacities(self) -> list[Setting]:
        """Settings for some capacities without costs."""
        return [Setting(prevalence=self.asked.prevalence, capacity=one) for one in CAPACITIES]

    @cached_property
    def goals(self) -> list[Goal]:
        """Goals whose best thresholds the panel must have."""
        return [self.goal(one) for one in (self.setting, *self.capacities)]

    @cached_property
    def choice(self) -> ThresholdChoice:
        """The threshold of the best model for the setting."""
        setting = self.setting
        return choose_threshold(
            self.ranking(self.best),
            false_positive_cost=setting.false_positive_cost,
            false_negative_cost=setting.false_negative_cost,
            prevalence=setting.prevalence,
            capacity=setting.capacity,
            n_resamples=200,
            rng=0,
        )

    @cached_property
    def by_group(self) -> Evaluation:
        """The AUCs of all models in each group."""
        return evaluate(self.table, by=self.by)

    @cached_property
    def groups(self) -> tuple[Any, ...]:
        """The groups of the page: by how far below the model's AUC they are, times their share.

        Those that are too small to judge are last.
        """
        if self.by is None:
            return ()
        overall = self.intervals[self.best]
        losses = {}
        for row in self.by_group.rows:
            if row.model == self.best:
                one = row.interval
                few = min(one.n_pos, one.n_neg) < FEW
                loss = (one.n_pos + one.n_neg) * (overall.value - one.value)
                losses[row.group] = (few, worst_last(loss))
        return tuple(sorted(losses, key=losses.__getitem__))[:MOST_GROUPS]

    @cached_property
    def parts(self) -> dict[Any, ScoreTable]:
        """The table of each group."""
        return self.table.split(str(self.by))

    def row(self, group: Any, model: str) -> EvaluationRow:
        """The AUC of a model in a group."""
        return next(one for one in self.by_group.rows if (one.group, one.model) == (group, model))
