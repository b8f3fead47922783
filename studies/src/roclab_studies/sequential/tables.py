"""The tables of the study of confidence sequences, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from roclab_studies.drift.streams import REAL
from roclab_studies.markdown import table_head, table_row
from roclab_studies.sequential.coverage import AUCS, LOOKS
from roclab_studies.sequential.coverage import METHODS as COVERAGE_METHODS
from roclab_studies.sequential.coverage import Answer as Coverage
from roclab_studies.sequential.decisions import LEADS
from roclab_studies.sequential.decisions import Answer as Decision
from roclab_studies.sequential.real import METHODS, TARGETS
from roclab_studies.sequential.real import Answer as Real
from roclab_studies.sequential.streams import POPULATIONS

NAMES = {
    "hedged_capital": "hedged capital",
    "empirical_bernstein": "empirical Bernstein",
    "student": "Student's t of blocks",
    "pooled": "pooled AUC",
}


def coverage(answers: Sequence[Coverage]) -> str:
    """Shares of streams in which an interval ever misses the mean."""
    rows = []
    for population in POPULATIONS:
        for auc in AUCS:
            some = {
                one.method: one for one in answers if (one.population, one.auc) == (population, auc)
            }
            shares = [
                f"{some[method].missed / some[method].streams:.1%}"
                for method in COVERAGE_METHODS[:3]
            ]
            hedged = some["hedged_capital"]
            cells = [population, f"{auc:g}", f"{hedged.true:.3f}", *shares]
            rows.append([*cells, f"{hedged.empty / hedged.streams:.1%}"])
    head = (
        *("stream", "AUC", "mean of blocks"),
        *(NAMES[method] for method in COVERAGE_METHODS[:3]),
        "no constant mean left",
    )
    return _table(head, rows)


def lengths(answers: Sequence[Coverage]) -> str:
    """Mean lengths of the intervals after so many events."""
    rows = []
    for population in POPULATIONS[:3]:
        for auc in AUCS:
            for place, events in enumerate(LOOKS):
                found = [
                    f"{one.lengths[place]:.3f}"
                    for method in COVERAGE_METHODS
                    for one in answers
                    if (one.population, one.auc, one.method) == (population, auc, method)
                ]
                rows.append([population, f"{auc:g}", f"{events:,}", *found])
    return _table(("stream", "AUC", "events", *NAMES.values()), rows)


def decisions(answers: Sequence[Decision]) -> str:
    """Events to a decision, and wrong decisions."""
    rows = []
    for population in POPULATIONS:
        for lead in LEADS:
            some = [one for one in answers if (one.population, one.lead) == (population, lead)]
            fixed = "" if math.isnan(some[0].fixed) else _events(some[0].fixed)
            cells = [cell for one in some for cell in (_time(one), f"{one.wrong} of {one.streams}")]
            rows.append([population, f"{lead:g}", fixed, *cells])
    head = ("stream", "lead", "DeLong's test, once")
    each = [cell for method in METHODS for cell in (NAMES[method], "wrong")]
    return _table((*head, *each), rows)


def real(answers: Sequence[Real]) -> str:
    """What sequences say of real streams."""
    rows = []
    some = _real(answers, "real")
    for one, other in zip(some[::2], some[1::2], strict=True):  # the two methods
        cells = [one.data, one.target, str(one.per_class), f"{one.pooled:.3f}", f"{one.value:.3f}"]
        rows.append([*cells, _ends(one), _ends(other), _decided(one), _decided(other)])
    each = [NAMES[method] for method in METHODS]
    head = (
        *("data", "of", "block", "pooled", "mean of blocks", *each),
        *(f"decided by {name}, ahead later" for name in each),
    )
    return _table(head, rows, left=(0, 1))


def shuffled(answers: Sequence[Real]) -> str:
    """The same rows, shuffled."""
    rows = []
    for one in _real(answers, "shuffled"):
        decided = f"{one.boosting}, {one.logistic}"
        cells = [one.data, NAMES[one.method], f"{one.pooled:.3f}", f"{one.missed} of {one.streams}"]
        rows.append([*cells, str(one.empty), decided, f"{one.decided:,.0f}"])
    head = (
        *("data", "method", "difference", "missed at the end", "none left"),
        *("decided for boosting, logistic", "events to it, median"),
    )
    return _table(head, rows, left=(0, 1))


COVERAGE_BLOCKS: dict[str, Callable[[Sequence[Coverage]], str]] = {
    "sequence-coverage": coverage,
    "sequence-lengths": lengths,
}
DECISION_BLOCKS: dict[str, Callable[[Sequence[Decision]], str]] = {"sequence-decisions": decisions}
REAL_BLOCKS: dict[str, Callable[[Sequence[Real]], str]] = {
    "sequence-real": real,
    "sequence-shuffled": shuffled,
}


def _real(answers: Sequence[Real], kind: str) -> list[Real]:
    data, targets = list(REAL), list(TARGETS)
    found = [one for one in answers if one.kind == kind]
    return sorted(
        found,
        key=lambda one: (
            data.index(one.data),
            targets.index(one.target),
            one.per_class,
            METHODS.index(one.method),
        ),
    )


def _ends(one: Real) -> str:
    if one.empty:
        return f"none left at {one.changed:,.0f}"
    return f"[{one.low:.3f}, {one.high:.3f}]"


def _decided(one: Real) -> str:
    """The decision, its event, and the share of later windows that agree."""
    if one.target != "difference":
        return ""
    if math.isnan(one.decided):
        return "undecided"
    winner = "boosting" if one.boosting else "logistic"
    return f"{winner} at {one.decided:,.0f}, {one.ahead:.0%}"


def _time(one: Decision) -> str:
    """Median and 90 % of the events to a decision."""
    if math.isinf(one.median):
        return "undecided"
    return f"{_events(one.median)} ({_events(one.late)})"


def _events(number: float) -> str:
    return "undecided" if math.isinf(number) else f"{int(float(f'{number:.2g}')):,}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    return "\n".join([*table_head(head, left=left), *(table_row(*row) for row in rows)])
