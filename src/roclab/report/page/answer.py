"""The answer of a report: which model, how good, and which threshold for which costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from roclab.curves import OperatingPoints, operating_points
from roclab.decisions import ThresholdChoice
from roclab.formatting import one_line, threshold_text
from roclab.inference import operating_point_interval
from roclab.report.document import Column, Note, Table
from roclab.report.formats import decimals_for, percent, percentage
from roclab.report.page.findings import MOST_COMPARED, Findings
from roclab.report.page.parts import Facts, Part, Row, Setting, StateColumn

_NAMED = 3  # models in a sentence
_RATIOS = (1, 2, 5, 10, 20, 50, 100)
_PEOPLE = 1000


def answer(found: Findings) -> tuple[Part, ...]:
    """One sentence, four facts, and where no costs were given thresholds to choose from."""
    if not found.defined:
        text = "A class has no examples, so nothing can be said about ranking."
        return (Note(text, severity="warning"),)
    parts: list[Part] = [Note(sentence(found)), facts(found)]
    if found.setting.assumed and found.better_than_chance:
        parts += [Note(_costs_are_missing(found)), alternatives(found)]
    return tuple(parts)


def sentence(found: Findings) -> str:
    """Which model, which others are as good, and from which score on to act."""
    best = found.intervals[found.best]
    name = one_line(found.best)
    share = percent(round(best.value, 3))
    pairs = f"scores the positive above the negative in {share} of all pairs"
    if best.high < 0.5:
        hint = "Are the scores reversed, or is the other class positive?"
        return f"{name} ranks worse than chance: it {pairs}. {hint}"
    if not found.better_than_chance:
        which = "No model is" if len(found.names) > 1 else f"{name} is not"
        return f"{which} shown to rank better than chance: {name} {pairs}."
    if len(found.names) == 1:
        return f"{name} {pairs}. {_advice(found)}"
    return f"{name} ranks best: it {pairs}. {_others(found)}{_advice(found)}"


def _others(found: Findings) -> str:
    near = [one_line(name) for name in found.contenders]
    if len(found.names) > MOST_COMPARED:
        return ""
    if not near:
        return "It is better than " + (
            "the other model. " if len(found.names) == 2 else "each other model. "
        )
    if len(near) <= _NAMED:
        listed = " and ".join(filter(None, (", ".join(near[:-1]), near[-1])))
        return f"{listed} may be as good. "
    return f"{len(near):,} of {len(found.names) - 1:,} others may be as good. "


def _advice(found: Findings) -> str:
    return f"{_condition(found.setting)}, {called(found.choice)}."


def _condition(setting: Setting) -> str:
    """What the threshold is chosen for, as the beginning of a sentence."""
    where = ""
    if setting.prevalence is not None:
        where = f" where {percent(float(f'{setting.prevalence:.4g}'))} are positive"
    miss, alarm = setting.false_negative_cost, setting.false_positive_cost
    limit = "" if setting.capacity is None else f"at most {percent(setting.capacity)} of examples"
    if miss is None and alarm is None:
        return f"To act on {limit}{where}" if limit else f"If both errors cost the same{where}"
    costs = f"If a miss costs {_cost(miss)} and a false alarm {_cost(alarm)}"
    if alarm in (None, 1) and miss is not None and miss > 1:
        costs = f"If a miss costs as much as {_cost(miss)} false alarms"
    return f"{costs}{where}, and {limit} can be acted on" if limit else f"{costs}{where}"


def _cost(cost: float | None) -> str:
    return f"{1 if cost is None else cost:,.6g}"


def called(choice: ThresholdChoice) -> str:
    """What to call positive at a threshold."""
    if not choice.tp + choice.fp:
        return "call nothing positive"
    if not choice.tn + choice.fn:
        return "call everything positive"
    return f"call positive what scores {choice.shown(choice.threshold, digits=4)} or more"


def facts(found: Findings) -> Facts:
    """AUC, positives found, false alarms, and what it costs or how many are called positive."""
    best, choice, setting = found.intervals[found.best], found.choice, found.setting
    digits = decimals_for([best.high - best.low])
    level = percent(best.confidence_level)
    auc = (
        f"AUC of {one_line(found.best)}",
        f"{best.value:.{digits}f}",
        f"{level} interval {best.low:.{digits}f} to {best.high:.{digits}f}",
    )
    if not found.better_than_chance:
        return Facts(
            (auc, ("Positives", f"{best.n_pos:,}", ""), ("Negatives", f"{best.n_neg:,}", ""))
        )
    rates = operating_point_interval(
        found.ranking(found.best),
        threshold=choice.threshold,
        prevalence=setting.prevalence,
        false_positive_cost=setting.false_positive_cost,
        false_negative_cost=setting.false_negative_cost,
    ).rates
    hit, correct = rates["sensitivity"], rates["specificity"]
    items = [
        auc,
        ("Positives found", percentage(hit.value), _between(hit.low, hit.high)),
        (
            "False alarms among negatives",
            percentage(1 - correct.value),
            _between(1 - correct.high, 1 - correct.low),
        ),
    ]
    if "expected_cost" in rates and not setting.assumed:
        cost = rates["expected_cost"]
        value, low, high = _amounts(*(_PEOPLE * one for one in (cost.value, cost.low, cost.high)))
        items.append((f"Expected cost of {_PEOPLE:,} examples", value, f"{low} to {high}"))
    else:
        ppv = rates["ppv"]
        precise = "" if math.isnan(ppv.value) else f"{percentage(ppv.value)} of them rightly"
        people = _people(choice.called_positive)
        items.append((f"Called positive of {_PEOPLE:,}", people, precise))
    return Facts(tuple(items))


def _people(share: float) -> str:
    """How many of a thousand; people are whole, few of them are not."""
    many = _PEOPLE * share
    return f"{math.floor(many + 0.5):,}" if many >= 10 else f"{many:.1f}"


def _amounts(*values: float) -> list[str]:
    """Amounts with the decimals that the first of them needs for three digits."""
    size = abs(values[0])
    decimals = min(max(2 - math.floor(math.log10(size)), 0), 6) if size > 0 else 1
    return [f"{value:,.{decimals}f}" for value in values]


def _between(low: float, high: float) -> str:
    return f"{percentage(low).removesuffix(' %')} to {percentage(high)}"


def _costs_are_missing(found: Findings) -> str:
    share, setting = found.prevalence, found.setting
    ratio = max(setting.false_negative_cost or 1, setting.false_positive_cost or 1)
    rare, error, other = ("positives", "miss", "false alarms")
    if share > 0.5:
        rare, error, other = ("negatives", "false alarm", "misses")
    return (
        f"No costs were given, and {rare} are rare ({percent(round(min(share, 1 - share), 4))}): "
        f"to start with, a {error} counts as much as {ratio:,} {other}. Say in the panel below "
        "what errors cost, or how many examples can be acted on; or choose:"
    )


def alternatives(found: Findings) -> Row:
    """Thresholds of the best model for some capacities, and for some ratios of costs."""
    points = operating_points(found.ranking(found.best))
    by_capacity = [
        (f"act on {percent(one.capacity or 0)}", f"miss=&alarm=&capacity={one.capacity:g}", one)
        for one in found.capacities
    ]
    by_costs = [
        (
            f"a miss costs {ratio} false alarm{'s' * (ratio > 1)}",
            f"miss={ratio}&alarm=1&capacity=",
            replace(found.asked, false_negative_cost=ratio, false_positive_cost=1, capacity=None),
        )
        for ratio in _RATIOS
    ]
    return Row(
        tuple(
            _alternatives(title, [_alternative(found, points, *one) for one in goals])
            for title, goals in (("If you can", by_capacity), ("If", by_costs))
        ),
        wide=True,
    )


def _alternative(
    found: Findings, points: OperatingPoints, text: str, state: str, setting: Setting
) -> dict[str, Any]:
    """The best threshold in a setting."""
    goal = found.goal(setting)
    place = int(goal.best(points.fpr, points.tpr))
    fpr, tpr = points.fpr[place], points.tpr[place]
    share = float(goal.called_positive(fpr, tpr))
    return {
        "goal": text,
        "state": state,
        "threshold": points.threshold[place],
        "score_below": points.score_below[place],
        "tpr": float(tpr),
        "ppv": goal.prevalence * float(tpr) / share if share else math.nan,
        "called": share,
    }


def _alternatives(title: str, records: Sequence[dict[str, Any]]) -> Table:
    return Table(
        name="alternatives",
        records=tuple(records),
        columns=(
            StateColumn(title=title, keys=("goal", "state"), format=lambda goal, _: goal),
            Column("threshold", ("threshold", "score_below", "called"), _threshold),
            Column("found", ("tpr",), percentage, "Share of positives that are found."),
            Column("precision", ("ppv",), percentage),
            Column(f"of {_PEOPLE:,}", ("called",), _people, "Called positive."),
        ),
    )


def _threshold(value: float, below: float, called: float) -> str:
    return threshold_text(value, below, digits=4) if called else "above all"
