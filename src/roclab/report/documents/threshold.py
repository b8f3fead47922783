"""Documents of a chosen threshold."""

from __future__ import annotations

import math
from collections.abc import Callable

from roclab.decisions.threshold.choose import ThresholdChoice
from roclab.report.document import Column, Document, Note, Table, document
from roclab.report.formats import UNDEFINED, count, number, percent, plain, threshold

_OBJECTIVES = {
    "expected_cost": "It has the lowest expected cost",
    "tpr": "It has the highest true positive rate",
    "fpr": "It has the lowest false positive rate",
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
    return Document(data=data, parts=(choice, Note(_advice(result)), neighbours, *_notes(result)))


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
    limits = [
        f"{name} at {word} {plain(limit)}"
        for name, word, limit in (
            ("a false positive rate", "most", result.max_fpr),
            ("a true positive rate", "least", result.min_tpr),
            ("a share called positive", "most", result.capacity),
        )
        if limit is not None
    ]
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
