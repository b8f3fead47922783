"""Documents of plans of studies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from roclab.errors import InputError
from roclab.inference import AUCPlan, auc_power
from roclab.inference.planning.variance import whole
from roclab.report.document import Column, Document, Note, Table, document, figure
from roclab.report.figure import Axes, Figure, Line, Rule
from roclab.report.formats import number, percent

_SOLVED = {
    "power": ("power",),
    "n": ("n+", "n-", "other n+", "other n-"),
    "n_pos": ("n+", "other n+"),
    "n_neg": ("n-", "other n-"),
    "alpha": ("alpha",),
}
_VARIANCES = {"obuchowski": "Obuchowski", "delong": "DeLong", "pilot": "pilot study"}


@document.register
def _(result: AUCPlan) -> Document:
    against = result.null_value if result.other_auc is None else result.other_auc
    three = number(3 if result.measure == "auc" else 4)
    cells: list[tuple[str, float, str]] = [
        (_title(result), result.auc, three(result.auc)),
        ("against", _known(against), three(_known(against))),
        ("n+", result.n_pos, _size(result.n_pos)),
        ("n-", result.n_neg, _size(result.n_neg)),
    ]
    if result.n_pos_b is not None:
        cells.append(("other n+", result.n_pos_b, _size(result.n_pos_b)))
        cells.append(("other n-", _known(result.n_neg_b), _size(_known(result.n_neg_b))))
    cells.append(("total", result.n, f"{result.n:,}"))
    if result.estimate_correlation is not None:
        between = result.estimate_correlation
        cells.append(("correlation of AUCs", between, three(between)))
    cells.append(("alpha", result.alpha, f"{result.alpha:.3g}"))
    cells.append(("power", result.power, three(result.power)))
    if result.alternative == "two-sided":
        solved = result.solved_for == "alpha"
        level = "1 - alpha" if solved else percent(1 - result.alpha)
        kind = "AUC" if result.other_auc is None else "difference"
        cells.append((f"{level} interval width of the {kind}", result.width, three(result.width)))
    solved_for = _SOLVED.get(result.solved_for, (_title(result),))
    shown = {title: text for title, _, text in cells}

    def marked(title: str) -> str:
        return f"{title}, solved for" if title in solved_for else title

    design = Table(
        name="study",
        records=tuple({"study": title, "value": value} for title, value, _ in cells),
        columns=(
            Column("study", ("study",), marked, kind="name"),
            Column("value", ("study", "value"), lambda title, _: shown[title]),
        ),
    )
    plan = Table(name="plan", records=(_plan_record(result),), columns=(), shown=0)
    notes = [Note(_plan_outcome(result, _known(against))), *_simulated(result)]
    picture = [] if result.method == "pilot" else [figure(result)]
    return Document(data=result.to_dict(), parts=(design, plan, *picture, *notes), main="plan")


@figure.register
def _(result: AUCPlan) -> Figure:
    if result.method == "pilot":
        raise InputError(
            found="A plan that rests on a pilot study has no picture",
            needed="its variance at other sizes needs the pilot data",
            fix="Draw auc_power of several sizes.",
        )
    times = np.linspace(0, 2, 101)[1:]
    powers = np.array([_power_at(result, share) for share in times.tolist()])
    sizes = times * (result.n_pos + result.n_neg)
    against = result.null_value if result.other_auc is None else result.other_auc
    label = f"AUC {result.auc:.3g} against {_known(against):.3g}, alpha {result.alpha:.3g}"
    planned = f"planned: {_size(result.n_pos)}+ {_size(result.n_neg)}-, power {result.power:.3f}"
    return Figure(
        series=(
            Rule(y=result.power),
            Rule(x=result.n_pos + result.n_neg, label=planned),
            Line(x=sizes, y=powers, label=label),
        ),
        axes=Axes(
            x=f"examples, {result.ratio:.3g} negative for each positive",
            y="power",
            y_range=(0, 1.02),
        ),
    )


def _power_at(result: AUCPlan, times: float) -> float:
    """The power with a multiple of the examples."""
    design: dict[str, Any] = {"alternative": result.alternative, "method": result.method}
    if result.other_auc is None:
        design["null_value"] = result.null_value
    else:
        design["other_auc"] = result.other_auc
        if result.n_pos_b is not None:
            design |= {"paired": False, "sample_ratio": result.n_pos_b / result.n_pos}
        elif result.correlation is not None:
            design["correlation"] = result.correlation
        else:
            design["estimate_correlation"] = result.estimate_correlation
    sizes = (times * result.n_pos, times * result.n_neg)
    return auc_power(result.auc, *sizes, alpha=result.alpha, **design)


def _title(result: AUCPlan) -> str:
    return "AUC" if result.measure == "auc" else result.measure


def _plan_record(result: AUCPlan) -> dict[str, Any]:
    """The plan on one line, with the simulation and the correlation beside it."""
    data = result.to_dict()
    drawn = data.pop("simulation") or {}
    in_pos, in_neg = data["correlation"] or (math.nan, math.nan)
    return (
        data
        | {"correlation": f"{in_pos:g} {in_neg:g}" if data["correlation"] else math.nan}
        | {f"simulated_{part}": drawn.get(part, math.nan) for part in ("power", "standard_error")}
        | {"n_simulations": drawn.get("n_simulations", 0)}
    )


def _known(value: float | None) -> float:
    return math.nan if value is None else value


def _size(size: float) -> str:
    return f"{whole(size):,}"


def _power(result: AUCPlan) -> str:
    """The power; of sizes that are rounded up to whole examples it is at least that."""
    sizes = (result.n_pos, result.n_neg, result.n_pos_b, result.n_neg_b)
    rounded = any(size is not None and whole(size) > size * (1 + 1e-9) for size in sizes)
    return ("at least " if rounded else "") + f"{result.power:.3g}"


def _plan_outcome(result: AUCPlan, against: float) -> str:
    sizes = f"{_size(result.n_pos)} positive and {_size(result.n_neg)} negative examples"
    total = f" ({result.n:,} in all)"
    if result.n_pos_b is None:
        sizes += total
    else:
        sizes += (
            f", and {_size(result.n_pos_b)} positive and {_size(_known(result.n_neg_b))} negative "
            f"for the other model{total},"
        )
    sides = "two-sided" if result.alternative == "two-sided" else "one-sided"
    other = f"that of another model with {against:.3g}" if result.other_auc else f"{against:.3g}"
    auc = f"{_title(result)} {result.auc:.3g}"
    return (
        f"With {sizes} a {sides} test of {auc} against {other} at alpha "
        f"{result.alpha:.3g} has power {_power(result)}. Predicted variance: "
        f"{_VARIANCES[result.method]}. Assumption: {result.assumption}."
    )


def _simulated(result: AUCPlan) -> list[Note]:
    drawn = result.simulation
    if drawn is None:
        return []
    text = (
        f"DeLong's test rejected in {percent(round(drawn.power, 4))} of {drawn.n_simulations:,} "
        f"simulated studies (standard error {percent(round(drawn.standard_error, 4))})."
    )
    return [Note(text)]
