"""Documents of evaluations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from roclab.errors import InputError
from roclab.formatting import level_and_method, listed, one_line, sentence
from roclab.inference import Evaluation, EvaluationRow, RateHomogeneity
from roclab.report.document import Column, Document, Note, Table, document, figure
from roclab.report.documents.operating_point import RATE_TITLES
from roclab.report.documents.rows import (
    MODEL,
    N_NEG,
    N_POS,
    cluster_notes,
    estimate_columns,
    missing_notes,
)
from roclab.report.figure import Axes, Figure, Points, Rule, Series
from roclab.report.formats import (
    count,
    decimals_for,
    number,
    p_equals,
    percent,
    threshold,
    value_and_interval,
)
from roclab.report.together import model_colors, worst_last

_DRAWN = 40
_MOST_ROWS, _ROWS_OF_MANY = 1000, 200  # that people see
_SHOWN_RATES = ("sensitivity", "specificity", "ppv", "called_positive")
_NEAR_CHANCE = 0.6  # where 0.5 is worth a line
# How the methods of intervals are cited.
_INTERVALS = {
    "shrunken_wilson": "Wilson-type with shrunken variance",
    "delong": "DeLong",
    "logit": "DeLong on the logit scale",
    "score": "inverted score test",
    "newcombe": "Newcombe's method 5",
    "bootstrap": "bootstrap percentiles",
    "bca": "BCa bootstrap",
    "bootstrap_t": "bootstrap-t on the logit scale",
    "between": "variation between strata",
}


@document.register
def _(result: Evaluation) -> Document:
    data = result.to_dict()
    rows = data["rows"]
    digits = decimals_for(row["high"] - row["low"] for row in rows)
    level = f"{percent(rows[0]['confidence_level'])} interval" if rows else "interval"
    group = [Column(one_line(result.by), ("group",), one_line, kind="name")]
    group = group if result.by is not None else []
    hidden = "group" if result.by is None else None
    table = Table(
        name="rows",
        records=tuple({k: v for k, v in row.items() if k != hidden} for row in rows),
        columns=(
            *group,
            *estimate_columns(_title(result), level, digits),
            N_POS,
            N_NEG,
            *(_column(measure, digits) for measure in result.measures),
        ),
        shown=_ROWS_OF_MANY if len(rows) > _MOST_ROWS else None,
    )
    notes = [
        *_left_out(table),
        *_methods(rows),
        *_design(result, rows),
        *_homogeneity(result),
        *_rate_notes(result),
        *_undefined(result, rows),
        *_below_one_half(result, rows),
        *_bounds(rows),
        *missing_notes(result.missing),
    ]
    shown = [figure(result)] if result.rows else []
    rates = _rates(result, table, group)
    return Document(data=data, parts=(table, *rates, *shown, *notes))


@figure.register
def _(result: Evaluation) -> Figure:
    return evaluation_figure(result)


def evaluation_figure(result: Evaluation, colors: Mapping[str, int | None] | None = None) -> Figure:
    """The values of models with their intervals, in each group if there are groups.

    `colors` are those of `model_colors`, by default by the values, or by their means over groups.
    """
    if not result.rows:
        raise InputError(found="An evaluation without rows has no picture")
    level = percent(result.rows[0].interval.confidence_level)
    models: dict[str, list[EvaluationRow]] = {}
    for row in result.rows:
        models.setdefault(row.model, []).append(row)
    means = {model: _mean_value(rows) for model, rows in models.items()}
    colors = model_colors(means) if colors is None else colors
    best_first = sorted(models, key=lambda model: worst_last(means[model]))
    if result.by is None:
        names: list[Any] = best_first
        series: list[Series] = _in_rows(models, best_first[:_DRAWN], colors)
        left_out = f"the best {_DRAWN} of {len(names):,} models"
    else:
        names = list(dict.fromkeys(row.group for row in result.rows))
        series = _by_group({model: models[model] for model in best_first}, names[:_DRAWN], colors)
        left_out = f"the first {_DRAWN} of {len(names):,} groups"
    if any(row.interval.low < _NEAR_CHANCE for row in result.rows):
        series = [Rule(x=0.5), *series]
    return Figure(
        series=tuple(series),
        axes=Axes(
            x=f"{_title(result)}, {level} interval",
            y="" if result.by is None else one_line(result.by),
            names=tuple(one_line(name) for name in names[:_DRAWN][::-1]),
        ),
        title=left_out if len(names) > _DRAWN else "",
    )


def _points(
    rows: Sequence[EvaluationRow], y: Sequence[float], color: int | None, label: str = ""
) -> Points:
    return Points.of_intervals(
        [(row.interval.value, row.interval.low, row.interval.high) for row in rows],
        y=np.array(y, dtype=np.float64),
        label="" if color is None else label,
        role="context" if color is None else "curve",
        group=color,
    )


def _in_rows(
    models: Mapping[str, Sequence[EvaluationRow]],
    names: Sequence[str],
    colors: Mapping[str, int | None],
) -> list[Series]:
    """Models under each other, the first on top."""
    last = len(names) - 1
    return [_points(models[name], [last - at], colors[name]) for at, name in enumerate(names)]


def _by_group(
    models: Mapping[str, Sequence[EvaluationRow]],
    groups: Sequence[Any],
    colors: Mapping[str, int | None],
) -> list[Series]:
    """In each group its models under each other, the first on top."""
    places = {group: len(groups) - 1 - at for at, group in enumerate(groups)}
    apart = 0.8 / len(models)
    series: list[Series] = []
    for at, (model, rows) in enumerate(models.items()):
        inside = [row for row in rows if row.group in places]
        shift = apart * ((len(models) - 1) / 2 - at)
        heights = [places[row.group] + shift for row in inside]
        series.append(_points(inside, heights, colors[model], one_line(model)))
    return series[::-1]


def _mean_value(rows: Sequence[EvaluationRow]) -> float:
    values = [row.interval.value for row in rows if not math.isnan(row.interval.value)]
    return sum(values) / len(values) if values else math.nan


def _column(measure: str, digits: int) -> Column:
    if measure == "bounds.n_missing":
        return Column("unlabelled", (measure,), count, "Rows without a label.")
    return Column(measure, (measure,), number(digits))


def _bounds(rows: Sequence[dict[str, Any]]) -> list[Note]:
    text = (
        "Whatever the missing labels are, the AUC of all rows lies between bounds.low and "
        "bounds.high; the AUC of the labelled rows, in the table, may lie outside. Sampling error "
        "comes in addition."
    )
    return [Note(text)] * any("bounds.low" in row for row in rows)


def _title(result: Evaluation) -> str:
    if result.fold is not None:
        return "mean AUC"
    return "AUC" if result.stratum is None else "stratified AUC"


def _left_out(table: Table) -> list[Note]:
    if table.shown is None:
        return []
    text = (
        f"The first {table.shown:,} of {len(table.records):,} rows are shown; CSV, JSON and data "
        "frames have all."
    )
    return [Note(text)]


def _methods(rows: Sequence[dict[str, Any]]) -> list[Note]:
    kinds = dict.fromkeys((row["confidence_level"], row["method"]) for row in rows)
    return [
        Note(
            f"{percent(level)} confidence intervals: {_INTERVALS.get(method, method)}; "
            "n+, n-: positive, negative examples."
        )
        for level, method in kinds
    ]


def _design(result: Evaluation, rows: Sequence[dict[str, Any]]) -> list[Note]:
    """How rows depend on each other."""
    clusters = [] if result.cluster is None else cluster_notes(result.cluster)
    if result.fold is not None:
        text = (
            f"Mean over the folds in {one_line(result.fold)}: only examples of the same fold are "
            "compared; pooled_auc compares all."
        )
        return [Note(text), *clusters]
    if result.stratum is None or not rows:
        return clusters
    stratum = one_line(result.stratum)
    counted = rows[0]["weighting"]
    weighting = "equally" if counted == "equal" else f"by their number of {counted}"
    text = f"Only examples with the same {stratum} are compared; strata are weighted {weighting}."
    found = [Note(text)]
    of_groups = {row["group"]: row for row in rows}.values()  # models share the rows of a group
    left_out = sum(row["n_strata_left_out"] for row in of_groups)
    if left_out:
        dropped = sum(row["n_rows_left_out"] for row in of_groups)
        used = sum(row["n_strata"] for row in of_groups)
        text = (
            f"{left_out:,} of {left_out + used:,} values of {stratum} left out for lack of a "
            f"class, with {dropped:,} row{'s' * (dropped != 1)}."
        )
        found.append(Note(text))
    return found


def _homogeneity(result: Evaluation) -> list[Note]:
    """Whether the AUC depends on the group: of several models that with the lowest p-value."""
    tested = [one for one in result.homogeneity if not math.isnan(one.pvalue)]
    if not tested:
        return []
    least = min(tested, key=lambda one: one.pvalue)
    several = f", lowest of {len(tested):,} models" * (len(tested) > 1)
    text = (
        f"Equal AUC in all groups of {one_line(result.by)}: chi-square {least.statistic:.2f}, "
        f"{least.df} df, {p_equals(least.pvalue)} ({one_line(least.model)}{several})."
    )
    return [Note(text)]


def _rates(result: Evaluation, table: Table, group: Sequence[Column]) -> list[Table]:
    """Rates at the threshold, in a table of their own: beside the AUC they would be too wide."""
    if not any(row.rates for row in result.rows):
        return []
    thresholds = _thresholds(result)
    cut = [Column("threshold", ("threshold",), threshold)] if len(thresholds) > 1 else []
    columns = []
    for name in _SHOWN_RATES:
        ends = (row.rates[name] for row in result.rows)
        digits = decimals_for((one.high - one.low for one in ends), fewest=2, figures=1)
        keys = (name, f"{name}_low", f"{name}_high")
        columns.append(Column(RATE_TITLES[name], keys, value_and_interval(digits)))
    first = result.rows[0].rates[_SHOWN_RATES[0]]
    level = level_and_method(first.confidence_level, first.method)
    return [
        replace(
            table,
            name="rates",
            title=f"{_at(thresholds)}, with {level} intervals",
            columns=(*group, MODEL, *cut, *columns),
        )
    ]


def _thresholds(result: Evaluation) -> list[float]:
    found = dict.fromkeys(row.threshold for row in result.rows)
    return [one for one in found if one is not None]


def _at(thresholds: Sequence[float]) -> str:
    """Which thresholds a sentence is about."""
    if len(thresholds) > 1:
        return "At the thresholds of the models"
    return f"At the threshold {threshold(thresholds[0])}"


def _rate_notes(result: Evaluation) -> list[Note]:
    """Whether sensitivity and specificity depend on the group, for each model."""
    known = [one for one in result.rate_homogeneity if not math.isnan(one.pvalue)]
    by, notes = one_line(result.by), []
    for rate in dict.fromkeys(one.rate for one in known):
        tests = [one for one in known if one.rate == rate]
        alpha = 1 - result.rows[0].interval.confidence_level
        at = _at(_thresholds(result))
        differ = [_tested(one, tests) for one in tests if one.pvalue < alpha]
        others = [_tested(one, tests) for one in tests if not one.pvalue < alpha]
        if differ:
            notes.append(Note(f"{at} {rate} depends on {by}: {listed(differ)}."))
        if others:
            text = f"{at} no difference in {rate} between groups of {by} was found"
            notes.append(Note(f"{text}: {listed(others)}."))
    return notes


def _tested(test: RateHomogeneity, tests: Sequence[RateHomogeneity]) -> str:
    """A test in a sentence, with the model if there are several."""
    permuted = " by permutation" * (test.method == "permutation")
    text = f"chi-square {test.statistic:.2f}, {test.df} df, {p_equals(test.pvalue)}{permuted}"
    return text if len(tests) == 1 else f"{one_line(test.model)} ({text})"


def _undefined(result: Evaluation, rows: Sequence[dict[str, Any]]) -> list[Note]:
    found = []
    if any(math.isnan(row["value"]) for row in rows):
        where = "" if result.fold is None else " in a fold"
        found.append(Note(f"Undefined AUC: a class has no examples{where}."))
    if any(math.isnan(row["low"]) and not math.isnan(row["value"]) for row in rows):
        text = "Undefined interval: too few examples or clusters, or an AUC of 0 or 1."
        found.append(Note(text))
    return found


def _below_one_half(result: Evaluation, rows: Sequence[dict[str, Any]]) -> list[Note]:
    names = [
        one_line(row["model"]) + (f" ({one_line(row['group'])})" if result.by is not None else "")
        for row in rows
        if row["high"] < 0.5
    ]
    text = (
        sentence(f"Whole interval below 0.5: {listed(names)}")
        + " Are the scores reversed, or is the other class positive?"
    )
    return [Note(text, severity="warning")] * bool(names)
