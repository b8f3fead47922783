"""Criterion of a selection: its values in the sample and in replicates."""

from __future__ import annotations

import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.choices import EstimatedMeasure
from roclab.checks.options import check_choice, shown
from roclab.data.table import ScoreTable
from roclab.errors import InputError, Parameter, UndefinedMeasureWarning
from roclab.inference.comparison.paired import lead_pvalues
from roclab.inference.estimation.delong import joint_estimate
from roclab.inference.estimation.joint_estimate import JointEstimate
from roclab.inference.estimation.normal_limit import (
    difference_skewness,
    largest_share,
    normal_replicates,
)
from roclab.inference.estimation.resampling import Draws, Sample
from roclab.lazy import computed_once
from roclab.measures import Measure, find_measure
from roclab.measures.specification import word_of

Floats = npt.NDArray[np.float64]
Better = Literal["higher", "lower"]
ReplicateMethod = Literal["bootstrap", "joint_normal"]

# The joint normal limit replaces the bootstrap for this number of independent examples of the
# smaller class, and up to this bound of the skewness of differences: measured, see the page on
# model selection.
_MANY, _MOST_SKEWNESS = 5_000, 0.5
# Measures whose differences are those of the AUC, up to a factor.
_OF_THE_AUC = ("auc", "gini")
# Squares of larger spans of scores may overflow.
_MOST_SPAN = 1e150
# Measures proposed for choosing models of high AUC, and the number of validation rows from which
# AUC itself chose better: `python -m roclab_studies selection_rules`.
_AUC_CHOOSES_BETTER = {
    "lambda_auc": 200,
    "probabilistic_auc": 200,
    "rho_auc": 500,
    "scored_auc": 200,
}


class Criterion(ABC):
    """A measure of all models of a table, and of bootstrap replicates of it.

    Attributes
    ----------
    word, title : str
        Specification of the measure, and its title in tables.
    better : {"higher", "lower"}
        Which values are better.
    ends : tuple of float
        Lowest and highest possible value.
    """

    def __init__(
        self,
        table: ScoreTable,
        draws: Draws,
        word: str,
        title: str,
        better: Better,
        ends: tuple[float, float],
    ) -> None:
        self.table, self.draws = table, draws
        self.word, self.title, self.better, self.ends = word, title, better, ends

    @abstractmethod
    def value_of(self, name: str) -> float:
        """Value of one model in the sample."""

    @property
    def method(self) -> ReplicateMethod:
        """How replicates are drawn."""
        return "bootstrap"

    @property
    def auc_chooses_better(self) -> bool:
        """Whether AUC is known to choose better models from this number of rows."""
        return False

    @abstractmethod
    def replicates(self) -> Floats:
        """Values of all models in each replicate, an array of replicates by models."""

    def lead_pvalues(self) -> Floats | None:
        """p-values of a test of two models that holds its level in small samples, if there is one.

        At [a, b] that of the null hypothesis that the first model is not better than the second.
        """
        return None

    def values(self) -> Floats:
        """Values of all models in the sample."""
        found = []
        for name in self.table.names:
            try:
                found.append(self.value_of(name))
            except InputError as error:
                raise error.about(f"Column {name!r}") from None
        return np.array(found)


def criterion_of(
    table: ScoreTable,
    draws: Draws,
    measure: str | Callable[..., Any],
    better: Better | None,
    parameter: str = "measure",
) -> Criterion:
    """Criterion from the arguments `by`, or another `parameter`, and `better`."""
    if better is not None:
        check_choice("better", better, Better)
    if not isinstance(measure, str) and not callable(measure):
        raise InputError(
            found="{parameter=}{value} is neither the name of a measure nor a function",
            fix="Pass a name, such as {parameter=}'scored_auc', or a function of labels and "
            "scores.",
            parameter=Parameter(parameter),
            value=shown(measure),
        )
    try:
        entry, options = find_measure(measure)
    except InputError:
        if isinstance(measure, str):
            raise
        return _OfRows(table, draws, measure, better or "higher")
    if not entry.single:
        raise InputError(
            found="{named} has several parts ({parts})",
            needed="a selection needs a measure that returns one number",
            fix="Choose one from list_measures().",
            named=entry.name,
            parts=", ".join(entry.parts),
        )
    if better is not None and better != entry.better:
        raise InputError(
            found="{better=}{value}, but for {named} " + f"{entry.better} values are better",
            fix="Leave out {better}, which is for functions.",
            value=repr(better),
            named=entry.name,
        )
    if entry.has_variance and not options:
        return _Compiled(table, draws, entry)
    return _OfRankings(table, draws, entry, options)


class _OfMeasure(Criterion):
    """A measure of the registry."""

    def __init__(
        self, table: ScoreTable, draws: Draws, entry: Measure, options: dict[str, Any]
    ) -> None:
        word = word_of(entry, options)
        title = word if options else entry.title
        ends = entry.range_with(options)
        super().__init__(table, draws, word, title, entry.better, ends)
        self._entry, self._options = entry, options
        self._drawn: Sample | None = None
        self.rankings = [table[name] for name in table.names]
        draws.prepare(*self.rankings)

    def value_of(self, name: str) -> float:
        return float(self._entry.value_of(self.table[name], **self._options))

    def lead_pvalues(self) -> Floats | None:
        if self._entry.name not in _OF_THE_AUC or self.method == "joint_normal":
            return None
        joint = joint_estimate(self.table, clusters=self.draws.clusters)
        return lead_pvalues(joint, self.rankings)

    @property
    def auc_chooses_better(self) -> bool:
        first = self.rankings[0]
        return first.n_pos + first.n_neg >= _AUC_CHOOSES_BETTER.get(self._entry.name, math.inf)

    @property
    def sample(self) -> Sample:
        """The models in the form that the core needs."""
        if self._drawn is None:
            measure = self._entry.name if self._entry.has_variance else "auc"
            self._drawn = Sample.of(self.rankings, self.draws, cast("EstimatedMeasure", measure))
        return self._drawn


class _Compiled(_OfMeasure):
    """The AUC and the scored AUC: of many examples from their joint normal limit.

    Otherwise one pass of the core over each replicate and model.
    """

    def __init__(self, table: ScoreTable, draws: Draws, entry: Measure) -> None:
        super().__init__(table, draws, entry, {})

    @property
    def method(self) -> ReplicateMethod:
        return "bootstrap" if self._limit is None else "joint_normal"

    def replicates(self) -> Floats:
        draws, models = self.draws, len(self.table.names)
        if self._limit is not None:
            return normal_replicates(self._limit, draws)
        sample = self.sample
        values = np.empty((draws.n_resamples, models))
        for first, count in draws.chunks(sample.rows * models):
            values[first : first + count] = sample.values(draws.seed, first, count)
        return values

    @computed_once
    def _limit(self) -> JointEstimate | None:
        """The joint estimate, if its normal limit is as good as the bootstrap."""
        ranking, span = self.rankings[0], 1.0
        if min(ranking.n_pos, ranking.n_neg) < _MANY:
            return None
        if self._entry.name == "scored_auc":
            span = max(float(one.scores[-1]) - float(one.scores[0]) for one in self.rankings)
        if not span < _MOST_SPAN:
            return None
        measure = cast("EstimatedMeasure", self._entry.name)
        joint = joint_estimate(self.table, measure=measure, clusters=self.draws.clusters)
        if min(joint.independent_examples) < _MANY:
            return None
        skewness = difference_skewness(joint, span * largest_share(ranking, self.draws))
        return joint if skewness <= _MOST_SKEWNESS else None


class _OfRankings(_OfMeasure):
    """Any other measure: each replicate and model gives a ranking, without sorting."""

    def replicates(self) -> Floats:
        values = np.empty((self.draws.n_resamples, len(self.table.names)))
        for replicate, counts in self._counts(self.draws):
            values[replicate] = [self._drawn_value(counts, k) for k in range(values.shape[1])]
        return values

    def _counts(self, draws: Draws) -> Any:
        for first, count in draws.chunks(100 * self.sample.rows * len(self.table.names)):
            for replicate in range(first, first + count):
                yield replicate, self.sample.resampler.draw(draws.seed, replicate)

    def _drawn_value(self, counts: npt.NDArray[np.uint8], model: int) -> float:
        drawn = self.sample.replicate(self.rankings[model], counts, model)
        if not (drawn.n_pos and drawn.n_neg):
            return math.nan
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMeasureWarning)
            return float(self._entry.value_of(drawn, **self._options))


class _OfRows(Criterion):
    """A function passed by the caller, of labels and scores, and of weights if there are any."""

    def __init__(
        self, table: ScoreTable, draws: Draws, function: Callable[..., Any], better: Better
    ) -> None:
        name = getattr(function, "__name__", None) or type(function).__name__
        super().__init__(table, draws, name, name, better, (-math.inf, math.inf))
        self._function = function
        weights = table.sample_weight
        kept = np.arange(len(table)) if weights is None else np.flatnonzero(weights)
        labels = table.y_true[kept]
        positive, negative = np.flatnonzero(labels), np.flatnonzero(~labels)
        among_kept = np.concatenate((positive, negative))
        self._rows = kept[among_kept]
        clusters, count = None, 0
        if draws.clusters is not None:
            members = draws.clusters.among(kept, len(kept))
            clusters, count = members.numbers[among_kept], members.count
        self._resampler = _core.Resampler(
            len(positive), len(negative), draws.stratified, clusters, count
        )

    def value_of(self, name: str) -> float:
        return self._value(self._rows, name)

    def replicates(self) -> Floats:
        names = self.table.names
        values = np.empty((self.draws.n_resamples, len(names)))
        for replicate, counts in self._counts(self.draws):
            rows = self._rows.repeat(counts)
            values[replicate] = [self._value(rows, name) for name in names]
        return values

    def _counts(self, draws: Draws) -> Any:
        for first, count in draws.chunks(100 * len(self._rows) * len(self.table.names)):
            for replicate in range(first, first + count):
                yield replicate, self._resampler.draw(draws.seed, replicate)

    def _value(self, rows: npt.NDArray[np.intp], name: str) -> float:
        labels = self.table.y_true[rows]
        if labels.all() or not labels.any():
            return math.nan
        weights = self.table.sample_weight
        more = {} if weights is None else {"sample_weight": weights[rows]}
        value = self._function(labels, self.table.scores[name][rows], **more)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise InputError(
                found="{named} returned {value}",
                needed="a number is needed",
                fix="Pass a function of labels and scores that returns a number.",
                named=self.word,
                value=shown(value),
            ) from None
