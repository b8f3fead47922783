"""A plan as a table: what the study is, how large, and what it can show."""

from __future__ import annotations

import math
from typing import Any

from roclab.report.sheet import Page, Sheet, number, percent

__all__ = ["page", "records"]

Data = dict[str, Any]

_SOLVED = {"power": ("power",), "n": ("n+", "n-"), "auc": ("AUC",), "alpha": ("alpha",)}
_NAMES = {"obuchowski": "Obuchowski", "delong": "DeLong"}
_SIDES = {"two-sided": "two-sided", "greater": "one-sided", "less": "one-sided"}


def page(data: Data) -> Page:
    """The table with a sentence, and what simulated studies came to."""
    cells = [("AUC", number(data["auc"], 3)), ("against", number(_against(data), 3))]
    cells += [("n+", _size(data["n_pos"])), ("n-", _size(data["n_neg"]))]
    if data["n_pos_b"] is not None:
        cells += [("other n+", _size(data["n_pos_b"])), ("other n-", _size(data["n_neg_b"]))]
    if data["estimate_correlation"] is not None:
        cells.append(("correlation of AUCs", number(data["estimate_correlation"], 3)))
    cells += [("alpha", f"{data['alpha']:.3g}"), ("power", number(data["power"], 3))]
    if data["alternative"] == "two-sided":
        cells.append((f"{_level(data)} interval width", number(data["width"], 3)))
    solved = _SOLVED[data["solved_for"]]
    sheet = Sheet(
        header=("study", "value"),
        names=1,
        rows=tuple((name + ", solved for" * (name in solved), value) for name, value in cells),
    )
    return Page(sheets=(sheet,), notes=(_sentence(data), *_simulated(data)))


def records(data: Data) -> list[Data]:
    """One line: the fields, with those of the simulation and of the correlation beside them."""
    plan = {name: value for name, value in data.items() if name != "simulation"}
    in_pos, in_neg = data["correlation"] or (math.nan, math.nan)
    drawn = data["simulation"] or {}
    return [
        plan
        | {"correlation": f"{in_pos:g} {in_neg:g}" if data["correlation"] else math.nan}
        | {f"simulated_{name}": drawn.get(name, math.nan) for name in ("power", "standard_error")}
        | {"n_simulations": drawn.get("n_simulations", 0)}
    ]


def _against(data: Data) -> float:
    value: float = data["null_value"] if data["other_auc"] is None else data["other_auc"]
    return value


def _size(size: float) -> str:
    """Rounded up, but for the rounding of what was solved for."""
    return f"{math.ceil(size - 1e-9 * size):,}"


def _level(data: Data) -> str:
    return percent(1 - data["alpha"]) if data["solved_for"] != "alpha" else "1 - alpha"


def _sentence(data: Data) -> str:
    sizes = f"{_size(data['n_pos'])} positive and {_size(data['n_neg'])} negative examples"
    if data["n_pos_b"] is not None:
        other = (
            f"{_size(data['n_pos_b'])} positive and {_size(data['n_neg_b'])} negative for the other"
        )
        sizes += f", and {other} model,"
    against = f"{_against(data):.3g}"
    if data["other_auc"] is not None:
        against = f"that of another model with {against}"
    return (
        f"With {sizes} a {_SIDES[data['alternative']]} test at alpha {data['alpha']:.3g} tells an "
        f"AUC of {data['auc']:.3g} from {against} with probability {data['power']:.3g}. Variance "
        f"foreseen after {_NAMES[data['method']]}, for normal scores."
    )


def _simulated(data: Data) -> list[str]:
    drawn = data["simulation"]
    if drawn is None:
        return []
    return [
        f"Of {drawn['n_simulations']:,} simulated studies DeLong's test rejected in "
        f"{percent(round(drawn['power'], 4))} (standard error "
        f"{percent(round(drawn['standard_error'], 4))})."
    ]
