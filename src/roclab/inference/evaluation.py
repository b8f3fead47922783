"""Evaluation of all models of a table: AUC with interval, and further measures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from roclab.checks.choices import Alternative, IntervalMethod, StratumWeighting
from roclab.checks.options import Progress, RandomState, seed_of, shown
from roclab.data.ranking import Ranking
from roclab.data.table import MissingValues, ScoreTable, check_table
from roclab.errors import (
    DegenerateIntervalWarning,
    InputError,
    Parameter,
    UndefinedMeasureWarning,
)
from roclab.formatting import level_and_method, listed, one_line, plain_value, with_interval
from roclab.inference.comparison.homogeneity import Homogeneity, RateHomogeneity, equal_aucs
from roclab.inference.estimation.draw_series import DrawSeries
from roclab.inference.intervals.interval import Interval, lacks_ends, lacks_width
from roclab.inference.intervals.stratified import StratifiedInterval
from roclab.inference.missing_labels import table_bounds
from roclab.inference.sampling_design import RowDesign
from roclab.inference.threshold_rates import ThresholdRates, refuse_rates
from roclab.measures import Measure
from roclab.measures.specification import find_measures
from roclab.result import Result

_BOUNDS = {f"bounds.{name}": name for name in ("low", "high", "n_missing")}


@dataclass(frozen=True, kw_only=True, repr=False)
class EvaluationRow(Result):
    """One model, in one group of rows or in all of them.

    Attributes
    ----------
    model : str
        Score column.
    group : object
        Value of the group column; None without groups.
    interval : Interval
        AUC with its interval and the numbers of examples.
    values : mapping of str to float
        Further measures, by their specification, such as ``"partial_auc(fpr_range=(0, 0.1))"``;
        measures with several parts as ``"name.part"``.
    threshold : float or None
        Decision threshold: scores at or above it are called positive.
    rates : mapping of str to Interval
        With a threshold, the rates at it: ``"sensitivity"``, ``"specificity"``, ``"ppv"``,
        ``"npv"`` and ``"called_positive"``, the share of examples called positive.
    """

    model: str
    group: Any
    interval: Interval
    values: Mapping[str, float] = field(default_factory=dict, hash=False)
    threshold: float | None = None
    rates: Mapping[str, Interval] = field(default_factory=dict, hash=False)

    @property
    def max_error(self) -> float:
        """Largest error of the AUC, from `scale.evaluate` with bins; 0 if it is exact."""
        return self.values.get("max_error", 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Model, group, measure, the fields of the interval and further measures, on one level.

        With a threshold also that and the rates, as ``"ppv"``, ``"ppv_low"`` and ``"ppv_high"``.
        """
        found = {
            "model": self.model,
            "group": plain_value(self.group),
            "measure": "auc",
            **self.interval.to_dict(),
            **self.values,
        }
        if self.threshold is not None:
            found["threshold"] = self.threshold
        for name, one in self.rates.items():
            found |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
        return found

    def __repr__(self) -> str:
        group = "" if self.group is None else f" in {one_line(self.group)}"
        return f"EvaluationRow({one_line(self.model)}{group}: {self.interval!r})"


@dataclass(frozen=True, kw_only=True, repr=False)
class Evaluation(Result):
    """Evaluation of all models of a table, the result of `evaluate`.

    Attributes
    ----------
    rows : tuple of EvaluationRow
        One per model; with `by`, one per group and model.
    by : str or None
        Group column.
    missing : MissingValues
        Rows left out when the table was read.
    measures : tuple of str
        Further measures: the names of `values` in each row.
    cluster : str or None
        Column with the clusters of the rows.
    stratum : str or None
        Column with the strata within which examples were compared; intervals are then
        `StratifiedInterval`.
    fold : str or None
        Column with the folds over which the AUC was averaged.
    homogeneity : tuple of Homogeneity
        With `by`, for each model whether its AUC is the same in all groups.
    rate_homogeneity : tuple of RateHomogeneity
        With `by` and a threshold, for each model whether its sensitivity and its specificity are.
    """

    rows: tuple[EvaluationRow, ...]
    by: str | None
    missing: MissingValues
    measures: tuple[str, ...] = ()
    cluster: str | None = None
    stratum: str | None = None
    fold: str | None = None
    homogeneity: tuple[Homogeneity, ...] = ()
    rate_homogeneity: tuple[RateHomogeneity, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values; undefined values stay nan.

        JSON has no nan: `report` writes null. Tests of rates are there with a threshold.
        """
        tests = {"rate_homogeneity": [one.to_dict() for one in self.rate_homogeneity]}
        return {
            "by": self.by,
            "cluster": self.cluster,
            "stratum": self.stratum,
            "fold": self.fold,
            "measures": list(self.measures),
            "rows": [row.to_dict() for row in self.rows],
            "homogeneity": [one.to_dict() for one in self.homogeneity],
            **(tests if any(row.rates for row in self.rows) else {}),
            "missing": self.missing.to_dict(),
        }

    def __repr__(self) -> str:
        models = list(dict.fromkeys(row.model for row in self.rows))
        count = f"{len(models)} model{'s' * (len(models) != 1)}"
        if self.by is not None:
            groups = len(self.rows) // max(len(models), 1)
            grouped = f"{groups} group{'s' * (groups != 1)} of {one_line(self.by)}"
            return f"Evaluation({count} in {grouped})"
        intervals = [row.interval for row in self.rows]
        values = listed(
            f"{one_line(row.model)} {with_interval(one.value, one.low, one.high)}"
            for row, one in zip(self.rows, intervals, strict=True)
        )
        methods = listed(
            dict.fromkeys(level_and_method(one.confidence_level, one.method) for one in intervals)
        )
        return f"Evaluation({count}: {values}; {methods})"


def evaluate(
    table: ScoreTable,
    *,
    by: str | None = None,
    measures: str | Sequence[str | Callable[..., Any]] = (),
    threshold: float | Mapping[str, float] | None = None,
    stratum: str | None = None,
    weighting: StratumWeighting = "pairs",
    fold: str | None = None,
    positive_rate: float | tuple[float, float] | None = None,
    method: IntervalMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_resamples: int = 2000,
    rng: RandomState = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate all models of a table: AUC with confidence interval, and further measures.

    Parameters
    ----------
    table : ScoreTable
        Labels and scores, from `read_scores` or from arrays.
    by : str, optional
        Group column of the table. The models are evaluated within each group, and tested for an
        AUC that depends on the group.
    measures : str or sequence of str, optional
        Further measures, by name and with options in brackets, such as ``"scored_auc"`` and
        ``"partial_auc(fpr_range=(0, 0.1))"``; ``roclab measures`` lists them. A measure with
        several parts gives a number for each.
    threshold : float or mapping of str to float, optional
        Decision threshold of all models, or of each by its name: scores at or above it are called
        positive. Each row then has the rates at it with two-sided Clopper-Pearson intervals, as in
        `operating_point_interval`; with `by` sensitivity and specificity are tested for a
        dependence on the group. It must not be chosen on the same data. Cannot be combined with
        `cluster`, `stratum`, `fold` or `alternative`.
    stratum : str, optional
        Group column of the table. Only examples of the same stratum are compared, as in
        `stratified_auc_interval` with method ``"between"``. Cannot be combined with `cluster`,
        `measures` or `method`.
    weighting : {"pairs", "rows", "positives", "equal"}, default "pairs"
        Weights of the strata: their numbers of pairs of a positive and a negative, of rows, of
        positives, or equal.
    fold : str, optional
        Group column of the table with the folds of a cross-validation. The AUC is averaged over
        them, as in `cross_validated_auc`, and ``pooled_auc`` is that of all rows together. Cannot
        be combined with `stratum`, `measures` or `method`.
    positive_rate : float or pair of floats, optional
        For a table with unlabelled rows: the proportion of positives among them, or its lowest and
        highest value. By default anything from 0 to 1.
    method : {"auto", "delong", "logit", "score", "newcombe", "bootstrap", "bca", "bootstrap_t"}
        Interval of the AUC. ``"auto"``, the default, is a Wilson-type interval, which holds its
        nominal level in small samples and near AUC 1; `auc_interval` describes all methods.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for each interval by itself; one-sided intervals
        need more than 0.5.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Two-sided or one-sided interval. ``"greater"`` gives a lower bound, ``"less"`` an upper
        bound; the other end is that of the range of the measure.
    n_resamples : int, default 2000
        Number of resamples, such as bootstrap replicates or permutations. All models share the same
        draws.
    rng : None, int or numpy.random.Generator, optional
        Random state. Pass an int for reproducible results.
    cluster : str, optional
        Group column of the table with the cluster of each row, such as a patient. Clusters instead
        of rows are then assumed to be independent: the variance is Obuchowski's, and the bootstrap
        resamples clusters.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is the number of
        replicates of all models.

    Returns
    -------
    Evaluation
        Groups in the order in which they first appear, and models in the order of the table. The
        AUC of a group with only one class is nan; a single `UndefinedMeasureWarning` names all such
        groups. If the table has rows without a label, each row has ``bounds.low`` and
        ``bounds.high``, the AUCs between which that of all its rows lies whatever the missing
        labels are, and their number as ``bounds.n_missing``. Rates at a threshold are nan where
        they have no examples, without a warning.

    Raises
    ------
    ColumnError
        The table has no group column `by`, `cluster`, `stratum` or `fold`.
    InputError
        A measure or one of its options is unknown, or a model's scores do not suit it. `stratum`,
        `fold` or `threshold` is combined with other options. A model has no threshold, or none that
        is a number. There is only one fold.

    Notes
    -----
    About O(n) per model, O(n log n) at worst.

    The tests of rates are Pearson's chi-square of the examples of one class, called positive or
    not, in the groups. If a count is expected to be below 5, `n_resamples` permutations give the
    p-value. With weights the effective sample sizes (sum w)^2 / sum w^2 replace the numbers of
    examples, and the p-value is approximate.

    Examples
    --------
    >>> table = ScoreTable([0, 1, 0, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [4, 3, 2, 1]})
    >>> evaluation = evaluate(table)
    >>> evaluation
    Evaluation(2 models: a 0.875 [0.23, 0.99], b 0.250 [0.02, 0.84]; 95 % Wilson-type)
    >>> evaluation.rows[0].interval
    AUC 0.875 [0.23, 0.99], 95 % Wilson-type, 2+ 2-
    >>> evaluate(table, measures="gini, margin_auc(margin=0.2)").rows[0].values
    {'gini': 0.75, 'margin_auc(margin=0.2)': 0.75}
    >>> evaluate(table, threshold={"a": 0.4, "b": 3}).rows[0].rates["specificity"]
    specificity 0.500 [0.01, 0.99], 95 % Clopper-Pearson, 2+ 2-
    """
    check_table(table)
    further = find_measures(measures)
    further.pop("auc", None)  # part of every row
    design = RowDesign(cluster=cluster, stratum=stratum, fold=fold, weighting=weighting)
    design.check(further, method)
    at_threshold = None
    if threshold is not None:
        refuse_rates(threshold, design, alternative)
        at_threshold = ThresholdRates(threshold, table.names, confidence_level)
    bounds = _BOUNDS if table.unlabelled is not None else {}
    if positive_rate is not None and not bounds:
        raise InputError(
            found="{positive_rate=}{value} has no effect: the table has no unlabelled rows",
            fix="Read it with {missing_labels=}'bounds', or leave out {positive_rate}.",
            value=shown(positive_rate),
        )
    if bounds and (stratum is not None or fold is not None):
        raise InputError(
            found="The table has rows without a label, with {name=}{column}",
            needed="bounds over missing labels compare all rows",
            fix="Leave out {name} or the unlabelled rows.",
            name=Parameter("stratum" if fold is None else "fold"),
            column=repr(stratum if fold is None else fold),
        )
    parts = {None: table} if by is None else table.split(by)
    draws = DrawSeries(len(parts) * len(table.names), n_resamples, rng, progress)
    rows = []
    for group, part in parts.items():
        for model in part.names:
            ranking = part.ranking(model)
            # One sort for the interval and all measures.
            rows_first = design.needs_rows(ranking, method)
            if rows_first or further or at_threshold is not None:
                ranking.prepare(rows=rows_first)
            interval, values = design.interval(
                ranking,
                part,
                method=method,
                confidence_level=confidence_level,
                alternative=alternative,
                draws=draws,
            )
            if bounds:
                found = table_bounds(part, model, positive_rate)
                values |= {column: getattr(found, name) for column, name in bounds.items()}
            values |= _values(ranking, model, further)
            row = EvaluationRow(
                model=model,
                group=group,
                interval=interval,
                values=values,
                threshold=None if at_threshold is None else at_threshold.thresholds[model],
                rates={} if at_threshold is None else at_threshold.rates(model, ranking),
            )
            rows.append(row)
    columns = [column for word, (entry, _) in further.items() for column in _columns(word, entry)]
    measured = (*design.measures, *bounds, *columns)
    evaluation = evaluation_of(rows, by=by, missing=table.missing, measures=measured, design=design)
    if by is None or at_threshold is None:
        return evaluation
    tests = at_threshold.homogeneity(n_resamples, seed_of(rng))
    return replace(evaluation, rate_homogeneity=tuple(tests))


def evaluation_of(
    rows: Sequence[EvaluationRow],
    *,
    by: str | None,
    missing: MissingValues,
    measures: tuple[str, ...],
    design: RowDesign,
) -> Evaluation:
    """The evaluation with these rows; warns once about all that are undefined."""
    _warn_once(rows, by, design)
    return Evaluation(
        rows=tuple(rows),
        by=by,
        missing=missing,
        measures=measures,
        cluster=design.cluster,
        stratum=design.stratum,
        fold=design.fold,
        homogeneity=() if by is None else _homogeneity(rows),
    )


def _homogeneity(rows: Sequence[EvaluationRow]) -> tuple[Homogeneity, ...]:
    intervals: dict[str, list[Interval]] = {}
    for row in rows:
        intervals.setdefault(row.model, []).append(row.interval)
    return tuple(equal_aucs(model, found) for model, found in intervals.items())


def _columns(word: str, measure: Measure) -> list[str]:
    return [word] if measure.single else [f"{word}.{part}" for part in measure.parts]


def _values(
    ranking: Ranking, model: str, measures: Mapping[str, tuple[Measure, dict[str, Any]]]
) -> dict[str, float]:
    values: dict[str, float] = {}
    for word, (measure, options) in measures.items():
        try:
            value = measure.value_of(ranking, **options)
        except InputError as error:
            raise error.about(f"Model {model!r}, {word}") from None
        parts = {} if measure.single else value.to_dict()
        numbers = [parts[part] for part in measure.parts] or [value]
        values |= zip(_columns(word, measure), numbers, strict=True)
    return values


def _warn_once(rows: Sequence[EvaluationRow], by: str | None, design: RowDesign) -> None:
    no_value = [row for row in rows if math.isnan(row.interval.value)]
    no_ends = [row for row in rows if lacks_ends(row.interval)]
    no_width = [row for row in rows if lacks_width(row.interval)]
    found, fixes = [], []
    values: dict[str, Any] = {"undefined": _where(no_value, rows, by)}
    if no_value and design.fold is not None:
        found.append(
            "An AUC averaged over folds needs both classes in every fold of `{folds}`, and one is "
            "missing{undefined}: the AUC is nan"
        )
        fixes.append("Stratify the folds, use fewer of them, or use pooled_auc.")
        values["folds"] = one_line(design.fold)
    elif no_value and by is None:
        counts = no_value[0].interval
        strata = " in strata with both classes" * isinstance(counts, StratifiedInterval)
        found.append(
            "An AUC needs both classes, and there are {n_pos} positive and {n_neg} negative "
            f"examples{strata}: all AUCs are nan"
        )
        values |= {"n_pos": f"{counts.n_pos:,}", "n_neg": f"{counts.n_neg:,}"}
    elif no_value:
        found.append("An AUC needs both classes, and one is missing{undefined}: it is nan")
    if no_ends:
        few = any(min(row.interval.n_pos, row.interval.n_neg) < 2 for row in no_ends)
        needs = "two examples of each class" if few else "an AUC that is neither 0 nor 1"
        if design.cluster is not None and any(0 < row.interval.value < 1 for row in no_ends):
            needs = "two clusters with each class"
        found.append(f"The {{kind}} interval, which needs {needs}, is nan{{no_ends}}")
        fixes.append("Choose {method=}'auto' for an interval.")
        values |= {"kind": no_ends[0].interval.method, "no_ends": _where(no_ends, rows, by)}
    if found:
        warning = UndefinedMeasureWarning(found=". ".join(found), fix=" ".join(fixes), **values)
        warning.issue()
    if no_width:
        models = listed(one_line(name) for name in dict.fromkeys(row.model for row in no_width))
        DegenerateIntervalWarning(
            found="The {kind} interval has zero width in {count} of {rows} rows (models: "
            "{models}), which is not certainty",
            fix="Choose {method=}'auto' for an interval.",
            kind=no_width[0].interval.method,
            count=len(no_width),
            rows=len(rows),
            models=models,
        ).issue()


def _where(found: Sequence[EvaluationRow], rows: Sequence[EvaluationRow], by: str | None) -> str:
    """Return " in 2 of 5 groups of `region` (north, south)", or "" without groups."""
    if by is None:
        return ""
    groups = list(dict.fromkeys(row.group for row in found))
    total = len(dict.fromkeys(row.group for row in rows))
    names = listed(one_line(group) for group in groups)
    return f" in {len(groups)} of {total} groups of `{one_line(by)}` ({names})"
