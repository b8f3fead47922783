"""Documents of selection: all models, best first, and which of them may be the best."""

from __future__ import annotations

import math

import numpy as np

from roclab.formatting import listed, one_line
from roclab.report.document import Column, Document, Note, Table, document, figure
from roclab.report.documents.rows import MODEL, missing_notes, size_note
from roclab.report.figure import Axes, Figure, Points
from roclab.report.formats import UNDEFINED, decimals_for, number, percent, pvalue, yes_or_no
from roclab.report.together import model_colors
from roclab.selection import ModelSelection
from roclab.selection.contenders import ROUNDING

_DRAWN = 40
_WINS = "Share of replicates in which the model is best."
_REPLICATES = {
    "bootstrap": "bootstrap replicates",
    "joint_normal": "replicates from the joint normal limit with DeLong's covariance",
}


@document.register
def _(result: ModelSelection) -> Document:
    digits = decimals_for(4 * model.standard_error for model in result.models)
    table = Table(
        name="models",
        records=tuple({"measure": result.measure} | one.to_dict() for one in result.models),
        columns=(
            MODEL,
            Column(result.title, ("value",), number(digits)),
            Column("standard error", ("standard_error",), number(digits)),
            Column("wins", ("win_share",), _share, _WINS),
            Column("p", ("pvalue",), pvalue, "p-value of the hypothesis that no model is better."),
            Column("contender", ("contender",), yes_or_no, "Whether the model may be the best."),
        ),
    )
    replicates = f"{result.n_resamples:,} {_REPLICATES[result.method]}"
    wins = f" Wins are shares of {replicates}, not probabilities." * bool(result.n_resamples)
    notes = [
        Note(outcome(result)),
        Note(
            f"Contenders contain the best model at {percent(result.confidence_level)}; p is "
            f"for the hypothesis that no model is better.{wins}"
        ),
        *_cautions(result),
        size_note(result.n_pos, result.n_neg),
        *missing_notes(result.missing),
    ]
    data = result.to_dict() | {"outcome": outcome(result)}
    return Document(data=data, parts=(table, *notes, figure(result)))


@figure.register
def _(result: ModelSelection) -> Figure:
    models = result.models[:_DRAWN][::-1]
    sign = 1.0 if result.better == "higher" else -1.0
    values = {model.model: sign * model.value for model in result.models}
    # The shares have the order of the table, which decides on colours.
    colors = model_colors({name: values[name] for name in result.win_share})
    points = tuple(
        Points(
            x=np.array([model.value]),
            y=np.array([float(place)]),
            x_error=np.array([2 * model.standard_error]),
            filled=np.array([model.contender]),
            role="context" if colors[model.model] is None else "curve",
            group=colors[model.model],
        )
        for place, model in enumerate(models)
    )
    names = tuple(one_line(model.model) for model in models)
    return Figure(
        series=points,
        axes=Axes(x=f"{result.title} ± 2 standard errors", y="", names=names),
        title=f"{len(result.contenders)} of {len(result.models)} may be the best (filled)"
        + (f"; the best {_DRAWN} are shown" if len(result.models) > _DRAWN else ""),
    )


def _cautions(result: ModelSelection) -> list[Note]:
    """Whether AUC chooses better than the measure, and which model."""
    if result.best_by_auc is None:
        return []
    rows = f"{result.n_pos + result.n_neg:,} rows"
    which = "the same model" if result.best_by_auc == result.best else one_line(result.best_by_auc)
    text = (
        f"With {rows}, choosing by AUC finds models of higher AUC than choosing by {result.title} "
        f"(roclab's study of 22 data sets). AUC chooses {which}."
    )
    return [Note(text, severity="warning")]


def _share(share: float) -> str:
    return UNDEFINED if math.isnan(share) else f"{100 * share:.1f} %"


def outcome(result: ModelSelection) -> str:
    """Which model is best, which others may be, and the selection bias of its value."""
    models, title = result.models, result.title
    best, others = models[0], len(models) - 1
    if math.isnan(best.value):
        return (
            f"No model can be chosen: the {title} is undefined with {result.n_pos:,} positive and "
            f"{result.n_neg:,} negative examples."
        )
    if not others:
        return f"{one_line(best.model)} is the only model; its {title} is {best.value:.3f}."
    extreme = {"higher": "highest", "lower": "lowest"}[result.better]
    lead = f"{one_line(best.model)} has the {extreme} {title} ({best.value:.3f})"
    equal = [
        one_line(one.model)
        for one in models[1:]
        if math.isclose(one.value, best.value, rel_tol=ROUNDING)
    ]
    if equal:
        rule = "the first in the table" if result.ties is None else f"chosen by {result.ties}"
        lead += f", as {'has' if len(equal) == 1 else 'have'} {listed(equal)}; it is {rule}"
    near = [one_line(one.model) for one in models[1:] if one.contender]
    level = percent(result.confidence_level)
    if not near:
        text = f"{lead}. No other model is a contender at {level}."
    elif len(near) == others:
        every = "Both" if others == 2 else f"All {others}"
        text = f"{lead}. {every} others are also contenders at {level}."
        if others == 1:
            text = f"{lead}. The other model, {near[0]}, is also a contender at {level}."
    else:
        also = "Also a contender" if len(near) == 1 else "Also contenders"
        text = f"{lead}. {also} at {level}: {listed(near)} ({len(near)} of {others} others)."
    if math.isnan(result.optimism):
        return text
    bias = "less than 0.001" if result.optimism < 0.001 else f"about {result.optimism:.3f}"
    lower = "lower" if result.better == "higher" else "higher"
    return f"{text} Selection bias: expect {bias} {lower} on new data."
