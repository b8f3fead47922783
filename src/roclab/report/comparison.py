"""A comparison as tables: the models, best first, and every two of them against each other."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from roclab.formatting import one_line
from roclab.report.evaluation import cluster_notes, missing_notes, skipped_notes
from roclab.report.sheet import Page, Sheet, decimals_for, ends, is_nan, number, percent

__all__ = ["columns", "page", "records", "warnings"]

Data = dict[str, Any]

_TITLES = {"auc": "AUC", "scored_auc": "scored AUC"}
_CORRECTIONS = {"holm": "Holm", "fdr": "Benjamini and Hochberg", "none": "not adjusted"}
# A matrix of more models would not fit a screen; of still more, not even all pairs are shown.
_MATRIX, _PAIRS = 5, 12


def page(data: Data, *, matrix: bool) -> Page:
    """The tables with the outcome below them; of few models a matrix, if the format can have it."""
    sheets: list[Sheet] = []
    sentences: list[str] = []
    for part in _parts(data):
        group = None if "by" not in data else f"{data['by']}: {part['group']}"
        models = sorted(part["models"], key=_by_value)
        small = matrix and len(models) <= _MATRIX
        sheets.append(_models(part, models, group))
        if len(models) > 1:
            sheets.append(_matrix(part, models) if small else _pairs(part, models))
        prefix = "" if group is None else f"{one_line(group)}. "
        sentences.append(prefix + part["sentence"] + _omnibus(part))
    notes = [*sentences, *_explanations(data), *_about_rows(data)]
    return Page(sheets=tuple(sheets), notes=tuple(notes))


def columns(data: Data) -> list[str]:
    """What `records` have, also where one model has no pairs."""
    from roclab.inference import ModelPair  # here, since inference takes long to load

    group = ["group"] if "by" in data else []
    return [*group, "measure", *(field.name for field in fields(ModelPair)), "value_a", "value_b"]


def records(data: Data) -> list[Data]:
    """One line for each pair, with the values of both models; the group if there are groups."""
    found = []
    for part in _parts(data):
        values = {model["model"]: model["value"] for model in part["models"]}
        group = {"group": part["group"]} if "by" in data else {}
        for pair in part["pairs"]:
            of_models = {"value_a": values[pair["model_a"]], "value_b": values[pair["model_b"]]}
            found.append(group | {"measure": part["measure"]} | pair | of_models)
    return found


def warnings(data: Data) -> list[str]:
    """What should be said beside the numbers, for formats that hold numbers only."""
    return missing_notes(data["missing"])


def _parts(data: Data) -> list[Data]:
    return data["parts"] if "by" in data else [data]


def _by_value(model: Data) -> float:
    return float("inf") if is_nan(model["value"]) else -model["value"]


def _models(part: Data, models: list[Data], title: str | None) -> Sheet:
    digits = decimals_for(model["high"] - model["low"] for model in models)
    return Sheet(
        title=None if title is None else one_line(title),
        header=(
            "model",
            _TITLES[part["measure"]],
            f"{percent(part['confidence_level'])} interval",
            "letters",
        ),
        names=1,
        rows=tuple(
            (
                one_line(model["model"]),
                number(model["value"], digits),
                "" if is_nan(model["value"]) else ends(model["low"], model["high"], digits),
                model["letters"],
            )
            for model in models
        ),
    )


def _signed(part: Data) -> dict[tuple[str, str], Data]:
    """Every pair in both directions."""
    found = {}
    for pair in part["pairs"]:
        turned = {"difference": -pair["difference"], "low": -pair["high"], "high": -pair["low"]}
        found[pair["model_a"], pair["model_b"]] = pair
        found[pair["model_b"], pair["model_a"]] = pair | turned
    return found


def _matrix(part: Data, models: list[Data]) -> Sheet:
    names = [model["model"] for model in models]
    pairs = _signed(part)
    digits = decimals_for(pair["high"] - pair["low"] for pair in part["pairs"])
    rows = []
    for place, row in enumerate(names[1:], start=1):
        cells = ["\n".join(_lines(pairs[column, row], digits)) for column in names[:place]]
        rows.append((one_line(row), *cells, *[""] * (len(names) - 1 - place)))
    return Sheet(header=("less", *map(one_line, names[:-1])), names=1, rows=tuple(rows), wraps=True)


def _pairs(part: Data, models: list[Data]) -> Sheet:
    names = [model["model"] for model in models]
    pairs = _signed(part)
    digits = decimals_for(pair["high"] - pair["low"] for pair in part["pairs"])
    first = names if len(names) <= _PAIRS else names[:1]
    return Sheet(
        header=(
            "model",
            "less",
            "difference",
            f"{percent(part['confidence_level'])} interval",
            "adjusted p" if part["correction"] != "none" else "p",
        ),
        names=2,
        rows=tuple(
            (
                one_line(a),
                one_line(b),
                *_lines(pairs[a, b], digits)[:2],
                _pvalue(pairs[a, b]["adjusted_pvalue"]).removeprefix("p ").removeprefix("= "),
            )
            for place, a in enumerate(first)
            for b in names[place + 1 :]
        ),
    )


def _lines(pair: Data, digits: int) -> tuple[str, str, str]:
    return (
        number(pair["difference"], digits, sign="+"),
        ends(pair["low"], pair["high"], digits),
        _pvalue(pair["adjusted_pvalue"]),
    )


def _pvalue(pvalue: float) -> str:
    if is_nan(pvalue):
        return "undefined"
    return "p < 0.001" if pvalue < 0.001 else f"p = {pvalue:.3f}"


def _omnibus(part: Data) -> str:
    test = part["omnibus"]
    if len(part["models"]) < 3 or is_nan(test["pvalue"]):
        return ""
    return (
        f" All equal: chi-square {test['statistic']:.2f}, {test['df']} df, "
        f"{_pvalue(test['pvalue'])}."
    )


def _explanations(data: Data) -> list[str]:
    part = next(iter(_parts(data)), None)  # all groups are alike in this
    if part is None or len(part["models"]) < 2:
        return []
    level, correction = percent(1 - part["confidence_level"]), _CORRECTIONS[part["correction"]]
    pairs = len(part["models"]) * (len(part["models"]) - 1) // 2
    adjusted = "p-values are not adjusted"
    if part["correction"] != "none":
        within = " in each group" if "by" in data else ""
        adjusted = (
            f"p-values are adjusted for {pairs:,} pair{'s' * (pairs > 1)}{within} ({correction})"
        )
    found = [
        f"Models that share a letter cannot be told apart at {level}. Paired test of DeLong; "
        f"{adjusted}, intervals of differences are not."
    ]
    if len(part["models"]) > _PAIRS:
        found.append("Only pairs with the best model are shown; --format csv has all.")
    return found


def _about_rows(data: Data) -> list[str]:
    sizes = (
        []
        if "by" in data
        else [f"{data['n_pos']:,} positive, {data['n_neg']:,} negative examples."]
    )
    for part in _parts(data)[:1]:  # all groups are alike in this
        sizes += cluster_notes(part)
    return sizes + missing_notes(data["missing"]) + skipped_notes(data["missing"])
