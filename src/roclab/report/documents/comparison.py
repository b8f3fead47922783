"""Documents of comparisons: models, pairs and the outcome."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from roclab.errors import InputError
from roclab.formatting import one_line
from roclab.inference import (
    AUCComparison,
    AUCCovariance,
    Comparison,
    GroupedComparison,
    MeasureComparison,
    ModelPair,
)
from roclab.inference.intervals.interval import TITLES
from roclab.measures import find_measure
from roclab.report.document import Column, Document, Note, Table, document, figure, with_fields
from roclab.report.documents.rows import (
    cluster_notes,
    estimate_columns,
    missing_notes,
    power_notes,
    size_note,
)
from roclab.report.figure import Axes, Figure, Points, Rule
from roclab.report.formats import decimals_for, interval, number, p_equals, percent, pvalue
from roclab.report.together import worst_last

_TESTS = {
    "mover": "Paired MOVER test",
    "studentized_permutation": "Paired studentized permutation test",
    "delong": "Paired DeLong test",
    "paired_t": "Welch's t test of the paired differences of rows",
    "influence_function": "Paired t test with influence functions",
    "half_sampling": "Paired t test by half-sampling",
}
_CORRECTIONS = {"holm": "Holm", "fdr": "Benjamini-Hochberg"}
# A matrix of more models does not fit a screen; of many models only pairs with the best are shown.
_MATRIX, _PAIRS = 5, 12
_SHOWN_NAMES = 5
_DRAWN = 40
_LETTERS = "Models that share a letter are not significantly different."
_DIFFERENCE = "Value of model a minus that of model b."


@document.register
def _(result: Comparison) -> Document:
    parts: list[Table | Figure | Note] = [*_comparison(result), _all_pairs(_pair_records(result))]
    parts += [figure(result)] if result.pairs else []
    parts += [*_explanations([result]), *_about_rows([result])]
    parts += missing_notes(result.missing)
    data = result.to_dict() | {"outcome": outcome(result)}
    return Document(data=data, parts=tuple(parts), main="all pairs")


@document.register
def _(result: GroupedComparison) -> Document:
    comparisons = list(result.parts.values())
    tables: list[Table] = []
    notes: list[Note] = []
    records: list[dict[str, Any]] = []
    data = result.to_dict()
    for (group, one), plain in zip(result.parts.items(), data["parts"], strict=True):
        title = f"{one_line(result.by)}: {one_line(group)}"
        plain["outcome"] = outcome(one)
        for part in _comparison(one, title):
            if isinstance(part, Table):
                tables.append(part)
            else:
                notes.append(replace(part, text=f"{title}. {part.text}"))
        records += [{"group": plain["group"]} | record for record in _pair_records(one)]
    notes += _interactions(result)
    notes += [*_explanations(comparisons, grouped=True), *_about_rows(comparisons, grouped=True)]
    notes += missing_notes(result.missing)
    everything = _all_pairs(records, ("group", *_PAIR_FIELDS))
    shown = [figure(result)] if any(one.pairs for one in comparisons) else []
    return Document(data=data, parts=(*tables, everything, *shown, *notes), main="all pairs")


@document.register
def _(result: AUCComparison) -> Document:
    notes = [Note(repr(result))]
    if result.margin is None and 1 - result.confidence_level <= result.pvalue < 1:
        sizes = (result.n_pos, result.n_neg)
        if result.n_pos_b is not None and result.n_neg_b is not None and result.difference < 0:
            sizes = (result.n_pos_b, result.n_neg_b)
        notes += power_notes(sizes, [(result.power_bound, min(result.value_a, result.value_b))])
    return with_fields(result, figure(result), *notes)


@figure.register
def _(result: MeasureComparison) -> Figure:
    """The difference on its own scale; the values themselves have no intervals."""
    point = Points.of_intervals(
        [(result.difference, result.low, result.high)],
        filled=[result.pvalue < 1 - result.confidence_level],
    )
    margins = [] if result.margin is None else [-result.margin, result.margin]
    rules = [
        Rule(x=margin, label="" if place else "margin", role="reference")
        for place, margin in enumerate(margins)
    ]
    title = TITLES.get(result.measure, result.measure)
    digits = decimals_for([result.high - result.low])
    values = (number(digits)(one) for one in (result.value_a, result.value_b))
    level = 2 * result.confidence_level - 1
    if result.alternative != "equivalent":
        level = result.confidence_level
    return Figure(
        series=(Rule(x=0.0), *rules, point),
        axes=Axes(
            x=f"difference of {title}, {percent(level)} interval",
            y="",
            names=(" - ".join(values),),
        ),
        title=f"{number(digits, sign='+')(result.difference)}, {p_equals(result.pvalue)}",
    )


@document.register
def _(result: AUCCovariance) -> Document:
    correlation = result.correlation
    records = tuple(
        {
            "model_a": a,
            "model_b": b,
            "covariance": float(result.covariance[i, j]),
            "correlation": float(correlation[i, j]),
        }
        for i, a in enumerate(result.names)
        for j, b in enumerate(result.names)
        if i <= j
    )
    table = Table(
        name="covariances",
        records=records,
        columns=(
            Column("model a", ("model_a",), one_line, kind="name"),
            Column("model b", ("model_b",), one_line, kind="name"),
            Column("covariance", ("covariance",), lambda value: f"{value:.6g}"),
            Column("correlation", ("correlation",), number(3)),
        ),
    )
    notes = [*cluster_notes(result.cluster), size_note(result.n_pos, result.n_neg)]
    return Document(data=result.to_dict(), parts=(table, *notes))


@figure.register
def _(result: Comparison) -> Figure:
    return _differences({"": result})


@figure.register
def _(result: GroupedComparison) -> Figure:
    return _differences({f"{one_line(group)}: ": one for group, one in result.parts.items()})


def _differences(comparisons: Mapping[str, Comparison]) -> Figure:
    """The differences of all pairs, or of those with the best model, the largest first."""
    names: list[str] = []
    rows: list[dict[str, Any]] = []
    for prefix, one in comparisons.items():
        models = sorted(one.models, key=lambda model: _best_first(one, model.interval.value))
        table = _pairs(one, [model.model for model in models])
        found = sorted(table.records[: table.shown], key=lambda row: worst_last(row["difference"]))
        rows += [{**row, "significant": row["adjusted_pvalue"] < _error(one)} for row in found]
        names += [
            f"{prefix}{one_line(row['model_a'])} - {one_line(row['model_b'])}" for row in found
        ]
    names, rows = names[:_DRAWN], rows[:_DRAWN]
    if not rows:
        raise InputError(
            found="There is no pair of models to draw", fix="Compare at least two models."
        )
    first = next(iter(comparisons.values()))
    points = Points.of_intervals(
        [(row["difference"], row["low"], row["high"]) for row in rows],
        filled=[row["significant"] for row in rows],
    )
    adjusted = "p" if first.correction == "none" else "adjusted p"
    return Figure(
        series=(Rule(x=0.0), points),
        axes=Axes(
            x=f"difference of {_title(first)}, {_level(first)}",
            y="",
            names=tuple(names[::-1]),
        ),
        title=f"Differences (filled: {adjusted} < {_error(first):.3g})",
    )


def _error(result: Comparison) -> float:
    return round(1 - result.confidence_level, 12)


def _interactions(result: GroupedComparison) -> list[Note]:
    """Whether differences depend on the group: of several pairs the one with the lowest p-value."""
    tested = [one for one in result.interactions if not math.isnan(one.pvalue)]
    if not tested:
        return []
    least = min(tested, key=lambda one: one.adjusted_pvalue)
    by, pair = one_line(result.by), f"{one_line(least.model_a)} - {one_line(least.model_b)}"
    several = f", the lowest of {len(tested):,} adjusted p-values" * (len(tested) > 1)
    error = 1 - next(iter(result.parts.values())).confidence_level
    depends = "depends" if least.adjusted_pvalue < error else "does not significantly depend"
    text = (
        f"Interaction: the difference {pair} {depends} on {by} (Cochran's Q {least.statistic:.2f}, "
        f"{least.df} df, {p_equals(least.adjusted_pvalue)}{several})."
    )
    return [Note(text)]


_PAIR_FIELDS = ("measure", *(field.name for field in fields(ModelPair)), "value_a", "value_b")


def _pair_records(result: Comparison) -> list[dict[str, Any]]:
    """The pairs, with the values of both models."""
    values = {model.model: model.interval.value for model in result.models}
    return [
        {"measure": result.measure}
        | pair.to_dict()
        | {"value_a": values[pair.model_a], "value_b": values[pair.model_b]}
        for pair in result.pairs
    ]


def _all_pairs(records: list[dict[str, Any]], names: tuple[str, ...] = _PAIR_FIELDS) -> Table:
    """For programs: all pairs in the order of the table."""
    return Table(name="all pairs", records=tuple(records), columns=(), fields=names, shown=0)


def _comparison(result: Comparison, title: str | None = None) -> list[Table | Note]:
    models = sorted(result.models, key=lambda one: _best_first(result, one.interval.value))
    rows = [model.to_dict() for model in models]
    digits = decimals_for(row["high"] - row["low"] for row in rows)
    table = Table(
        name="models",
        title=title,
        records=tuple(rows),
        columns=(
            *estimate_columns(_title(result), _level(result), digits),
            Column("letters", ("letters",), str, _LETTERS),
        ),
    )
    pairs = _pairs(result, [model.model for model in models])
    return [table, pairs, _outcome_note(result), *_power_notes(result)]


def _power_notes(result: Comparison) -> list[Note]:
    """Whether no test could find a difference of the pairs that are not significant."""
    values = {one.model: one.interval.value for one in result.models}
    found = [
        (bound, min(values[pair.model_a], values[pair.model_b]))
        for pair, bound in zip(result.pairs, result.power_bounds, strict=True)
        if pair.adjusted_pvalue >= _error(result) and pair.pvalue < 1
    ]
    return power_notes((result.n_pos, result.n_neg), found, len(result.pairs))


def _pairs(result: Comparison, names: list[str]) -> Table:
    """Every two models, the better one first."""
    place = {model: number for number, model in enumerate(names)}
    records = []
    for pair in result.pairs:
        record = pair.to_dict()
        if place[pair.model_a] > place[pair.model_b]:
            record |= {"model_a": pair.model_b, "model_b": pair.model_a}
            record |= {"difference": -pair.difference, "low": -pair.high, "high": -pair.low}
        records.append(record)
    records = sorted(records, key=lambda one: (place[one["model_a"]], place[one["model_b"]]))
    digits = decimals_for(record["high"] - record["low"] for record in records)
    adjusted = "p" if result.correction == "none" else "adjusted p"
    return Table(
        name="pairs",
        records=tuple(records),
        columns=(
            Column("model a", ("model_a",), one_line, kind="name"),
            Column("model b", ("model_b",), one_line, kind="name"),
            Column("difference", ("difference",), number(digits, sign="+"), _DIFFERENCE),
            Column(_level(result), ("low", "high"), interval(digits)),
            Column(adjusted, ("adjusted_pvalue",), pvalue),
        ),
        matrix=("model_a", "model_b") if 1 < len(names) <= _MATRIX else None,
        # Records of the best model come first.
        shown=None if len(names) <= _PAIRS else len(names) - 1,
    )


def _level(result: Comparison) -> str:
    return f"{percent(result.confidence_level)} interval"


def _outcome_note(result: Comparison) -> Note:
    test = result.omnibus
    all_equal = ""
    if len(result.models) > 2 and not math.isnan(test.pvalue):
        kind = {
            "simes": "Simes test of the pairs",
            "hotelling": f"Hotelling's T-squared {test.statistic:.2f}, {test.df} df",
            "delong": f"chi-square {test.statistic:.2f}, {test.df} df",
        }[test.method]
        all_equal = f" All equal: {kind}, {p_equals(test.pvalue)}."
    return Note(outcome(result) + all_equal)


def _explanations(results: Iterable[Comparison], *, grouped: bool = False) -> list[Note]:
    result = next(iter(results), None)  # groups differ in their rows only
    if result is None or len(result.models) < 2:
        return []
    models = len(result.models)
    pairs = models * (models - 1) // 2
    adjusted = "p-values are not adjusted"
    if result.correction != "none":
        within = " in each group" * grouped
        adjusted = (
            f"p-values are adjusted for {pairs:,} pair{'s' * (pairs > 1)}{within} "
            f"({_CORRECTIONS[result.correction]})"
        )
    text = (
        "Models that share a letter are not significantly different at "
        f"{percent(1 - result.confidence_level)}. {_test_name(result)}; {adjusted}, "
        "intervals of differences are not."
    )
    found = [Note(text)]
    if models > _PAIRS:
        found.append(Note("Only pairs with the best model are shown; CSV has all."))
    return found


def _test_name(result: Comparison) -> str:
    """The test of the pairs; those of models that agree on all examples need none."""
    named = (_TESTS[pair.method] for pair in result.pairs if pair.method in _TESTS)
    return next(named, "Models that agree on all examples need no test")


def _about_rows(results: Sequence[Comparison], *, grouped: bool = False) -> list[Note]:
    sizes = [] if grouped else [size_note(results[0].n_pos, results[0].n_neg)]
    return sizes + (cluster_notes(results[0].cluster) if results else [])


def outcome(result: Comparison, *, named: bool = True) -> str:
    """Which model is best, and which others are significantly different from it.

    Unless `named`, one that is best alone is called "it": a sentence before has named it.
    """
    models, pairs = result.models, result.pairs
    values = {one.model: one.interval.value for one in models}
    first, title = models[0].interval, _title(result)
    lower = _lower_is_better(result)
    if math.isnan(first.value):
        return (
            f"The {title} is undefined: there are {first.n_pos:,} positive and {first.n_neg:,} "
            "negative examples."
        )
    if len(models) == 1:
        return (
            f"{one_line(models[0].model)} has {title} {first.value:.3f} [{first.low:.2f}, "
            f"{first.high:.2f}]; there is no other model to compare it with."
        )
    if all(pair.difference == 0 and pair.standard_error == 0 for pair in pairs):
        same = "rank identically" if result.measure == "auc" else "do not differ on these rows"
        return f"{_names(values)} {same} ({title} {first.value:.3f})."
    best = min(values.values()) if lower else max(values.values())
    leaders = [model for model, value in values.items() if value == best]
    several = len(leaders) > 1
    place = "lowest" if lower else "highest"
    lead = f"{_names(leaders)} {'share' if several else 'has'} the {place} {title} ({best:.3f})"
    if all(math.isnan(pair.pvalue) for pair in pairs):
        few = min(first.n_pos, first.n_neg) < 2
        why = "a class has fewer than two examples" if few else "the differences do not vary"
        return f"{lead}, but no test is possible: {why}."
    found = {frozenset((pair.model_a, pair.model_b)): pair.adjusted_pvalue for pair in pairs}
    # The largest p-value of a model's tests against the leaders.
    against = {
        model: max(found[frozenset((model, leader))] for leader in leaders)
        for model in sorted(values, key=lambda model: _best_first(result, values[model]))
        if model not in leaders
    }
    error = 1 - result.confidence_level
    worse = {model: tested for model, tested in against.items() if tested < error}
    near = [model for model in against if model not in worse]
    better = ""
    if worse:
        better = f"significantly better than {_names(worse)} ({_largest(worse, result.correction)})"
    if not against:
        return f"{lead}; they are not significantly different."
    if not (named or several):
        differs = f"not significantly different from {_names(near)}" if near else ""
        return f"It is {', and is '.join(filter(None, (differs, better)))}."
    if not worse:
        return f"{lead}, but is not significantly different from {_names(near)}.".replace(
            "but is", "but are" if several else "but is"
        )
    verb = "are" if several else "is"
    if not near:
        return f"{lead} and {verb} {better}."
    return (
        f"{lead}; {'they' if several else 'it'} {verb} not significantly different from "
        f"{_names(near)}, and {verb} {better}."
    )


def _largest(tested: dict[str, float], correction: str) -> str:
    title = "p" if correction == "none" else "adjusted p"
    largest = max(tested.values())
    if largest < 0.001:
        return f"{title} < 0.001"
    return f"{title} {'at most' if len(tested) > 1 else '='} {largest:.3f}"


def _names(models: Iterable[str]) -> str:
    """Join names as "a, b and c"; only the first ones of many."""
    shown = [one_line(model) for model in models]
    if len(shown) > _SHOWN_NAMES + 1:
        shown = [*shown[:_SHOWN_NAMES], f"{len(shown) - _SHOWN_NAMES} more"]
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _best_first(result: Comparison, value: float) -> float:
    """Sort key of a value, undefined ones last."""
    if math.isnan(value):
        return math.inf
    return value if _lower_is_better(result) else -value


def _lower_is_better(result: Comparison) -> bool:
    return find_measure(result.measure)[0].better == "lower"


def _title(result: Comparison) -> str:
    return TITLES.get(result.measure, result.measure)
