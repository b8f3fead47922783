"""Documents of a chosen threshold."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from roclab.curves import operating_points
from roclab.data.ranking import Ranking
from roclab.decisions.threshold.choose import ThresholdChoice
from roclab.report.document import Column, Document, Note, Table, document, figure
from roclab.report.figure import (
    LARGEST_DRAWN,
    Axes,
    Band,
    Figure,
    Floats,
    Line,
    Points,
    Rule,
    Series,
    Words,
)
from roclab.report.formats import UNDEFINED, count, number, percent, plain, threshold

# Ends of the axis of costs, as multiples of the highest: all costs leave room above the lowest.
_ROOM, _ROOM_FOR_WORDS = 1.08, 1.5
_OBJECTIVES = {
    "expected_cost": "It has the lowest expected cost",
    "tpr": "It has the highest true positive rate",
    "fpr": "It has the lowest false positive rate",
}
_AXES = {
    "expected_cost": "expected cost per example",
    "tpr": "true positive rate",
    "fpr": "false positive rate",
}
# Why no example is called positive, by the objective.
_NONE = {
    "expected_cost": "no threshold{within} saves more than it costs",
    "tpr": "no threshold{within} finds a positive",
    "fpr": "every threshold has false positives",
}


@document.register
def _(result: ThresholdChoice) -> Document:
    data = result.to_dict()
    record = {key: value for key, value in data.items() if key != "neighbours"}
    level = f"{percent(result.confidence_level)} interval"
    choice = Table(
        name="choice",
        records=(record,),
        columns=(
            _THRESHOLD,
            Column(level, ("low", "high"), _interval(result)),
            *_RATES,
            Column("TP", ("tp",), count, "True positives."),
            Column("FP", ("fp",), count, "False positives."),
            Column("TN", ("tn",), count, "True negatives."),
            Column("FN", ("fn",), count, "False negatives."),
        ),
    )
    neighbours = Table(
        name="neighbours",
        title="Other thresholds: the ends of the interval and the next scores",
        records=tuple(data["neighbours"]),
        columns=(_THRESHOLD, *_RATES),
    )
    advice = Note(_advice(result))
    return Document(data=data, parts=(choice, advice, neighbours, figure(result), *_notes(result)))


@figure.register
def _(result: ThresholdChoice, ranking: Ranking | None = None) -> Figure:
    thresholds, losses = _known(result) if ranking is None else _all(result, ranking)
    reached, axis = getattr(result, result.objective), _AXES[result.objective]
    ends = (float(thresholds.min()), float(thresholds.max())) if len(thresholds) else (0.0, 1.0)
    highest = max(reached, *losses.tolist(), 0)
    top = highest * (_ROOM_FOR_WORDS if ranking is None else _ROOM)
    y_range = (0.0, top or 1.0)
    low, high, chosen = (
        min(max(one, ends[0]), ends[1]) for one in (result.low, result.high, result.threshold)
    )
    level = percent(result.confidence_level)
    interval = Band(
        x=np.array([low, high]),
        low=np.zeros(2),
        high=np.full(2, y_range[1]),
        label=f"{level} interval of the best threshold",
    )
    curve: Series = Line(x=thresholds, y=losses, label="")
    if ranking is None:  # a few thresholds, which no line joins
        curve = Points(x=thresholds, y=losses, filled=np.zeros(len(thresholds), np.bool_))
    point = Points(x=np.array([chosen]), y=np.array([reached]), filled=np.array([True]))
    words = Words(
        x=chosen,
        y=y_range[1],
        lines=(
            f"threshold {result.shown(result.threshold, digits=4)}",
            f"expected cost {_short(result.expected_cost)}",
            f"TPR {number(3)(result.tpr)}, FPR {number(3)(result.fpr)}",
        ),
        before=chosen > sum(ends) / 2,
    )
    limits = " and ".join(_limits(result))
    goal = _OBJECTIVES[result.objective].removeprefix("It has the ")
    return Figure(
        series=(*([] if math.isnan(low) else [interval]), curve, Rule(x=chosen), point, words),
        axes=Axes(x="threshold", y=axis, y_range=y_range),
        title=f"{goal} with {limits}" if limits else "",
    )


def _known(result: ThresholdChoice) -> tuple[Floats, Floats]:
    """The thresholds that the result knows, and what was to be lowest or highest there."""
    known = sorted({(one.threshold, getattr(one, result.objective)) for one in result.neighbours})
    finite = [pair for pair in known if math.isfinite(pair[0])]
    thresholds, losses = np.array(finite, dtype=np.float64).reshape(-1, 2).T
    return np.clip(thresholds, -LARGEST_DRAWN, LARGEST_DRAWN), losses


def _all(result: ThresholdChoice, ranking: Ranking) -> tuple[Floats, Floats]:
    """The same in steps along all scores: it stays the same down to the next score."""
    points = operating_points(ranking)
    scores = points.threshold.astype(np.float64)
    finite = np.isfinite(scores)
    losses = points.expected_cost(
        false_positive_cost=result.false_positive_cost,
        false_negative_cost=result.false_negative_cost,
        prevalence=result.prevalence,
    )
    if result.objective != "expected_cost":
        losses = points.tpr if result.objective == "tpr" else points.fpr
    drawn = np.clip(scores[finite], -LARGEST_DRAWN, LARGEST_DRAWN)
    return np.repeat(drawn, 2)[1:], np.repeat(losses[finite], 2)[:-1]


def _short(value: float) -> str:
    """Scores and costs, on any scale."""
    return f"{value:.4g}"


_THRESHOLD = Column("threshold", ("threshold", "score_below"), threshold)
_RATES = (
    Column("TPR", ("tpr",), number(3), "True positive rate, sensitivity."),
    Column("FPR", ("fpr",), number(3), "False positive rate, 1 - specificity."),
    Column("called positive", ("called_positive",), number(3), "Share of all examples."),
    Column("cost", ("expected_cost",), _short, "Expected cost per example."),
)


def _interval(result: ThresholdChoice) -> Callable[[float, float], str]:
    def shown(low: float, high: float) -> str:
        ends = (result.shown(end, digits=4) for end in (low, high))
        return UNDEFINED if math.isnan(low) else f"[{', '.join(ends)}]"

    return shown


def _advice(result: ThresholdChoice) -> str:
    if not result.tp + result.fp:
        limits = (result.max_fpr, result.min_tpr, result.capacity)
        within = " within the limits" * any(limit is not None for limit in limits)
        return f"Call no example positive: {_NONE[result.objective].format(within=within)}."
    if result.threshold == -math.inf:
        return "Call all examples positive."
    return f"Call examples positive if their score is at least {result.shown(result.threshold)}."


def _notes(result: ThresholdChoice) -> list[Note]:
    limits = _limits(result)
    within = f" among thresholds with {' and '.join(limits)}" * bool(limits)
    costs = (
        f"a false positive costs {plain(result.false_positive_cost)}, a false negative "
        f"{plain(result.false_negative_cost)}; prevalence {_short(result.prevalence)}"
    )
    ends = f"[{_short(result.cost_low)}, {_short(result.cost_high)}]"
    notes = [
        Note(f"{_OBJECTIVES[result.objective]}{within}; {costs}."),
        Note(
            f"{percent(result.confidence_level)} interval of the cost at this threshold: {ends}, "
            "without the choice of the threshold."
        ),
    ]
    if not math.isnan(result.optimism):
        notes.append(
            Note(
                f"Optimism: expect a cost of {_short(result.expected_cost + result.optimism)} on "
                "new data, since the threshold was chosen on these."
            )
        )
    return notes


def _limits(result: ThresholdChoice) -> list[str]:
    return [
        f"{name} at {word} {plain(limit)}"
        for name, word, limit in (
            ("a false positive rate", "most", result.max_fpr),
            ("a true positive rate", "least", result.min_tpr),
            ("a share called positive", "most", result.capacity),
        )
        if limit is not None
    ]
