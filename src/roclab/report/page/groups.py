"""Groups in a report: how well a model ranks in each, and what one threshold does to them."""

from __future__ import annotations

import math

from roclab.data.table import ScoreTable
from roclab.formatting import listed, one_line
from roclab.inference import evaluate
from roclab.report.document import Note
from roclab.report.formats import count, p_equals, percentage
from roclab.report.page.findings import FEW, MOST_GROUPS, Findings
from roclab.report.page.parts import GroupRates, Part

_LEVEL = 0.05
# What depends on the group, as a clause and as a noun.
_RATES = {
    "sensitivity": ("the share of positives found depends on the group", "the positives found"),
    "specificity": ("the share of false alarms depends on the group", "false alarms"),
}


def groups(found: Findings) -> tuple[Part, ...]:
    """What the test of equal AUCs says, and the rates of each group at the threshold."""
    names = found.groups
    rows = [found.row(group, found.best).interval for group in names]
    overall = found.intervals[found.best]
    total = overall.n_pos + overall.n_neg
    sizes = [
        f"{count(one.n_pos + one.n_neg)} rows ({percentage((one.n_pos + one.n_neg) / total)})\n"
        f"{count(one.n_pos)} positive"
        for one in rows
    ]
    lows = [one.low for one in rows if not math.isnan(one.low)]
    axis = (math.floor(10 * min([*lows, 0.5])) / 10, 1.0)
    notes = [Note(" ".join((_homogeneity(found), *_rates(found))))]
    small = [
        one_line(group)
        for group, one in zip(names, rows, strict=True)
        if min(one.n_pos, one.n_neg) < FEW
    ]
    if small:
        text = f"Fewer than {FEW} examples of a class: {listed(small)}. Do not judge these."
        notes.append(Note(text, severity="warning"))
    left_out = len(found.parts) - len(names)
    if left_out:
        notes.append(Note(f"The {MOST_GROUPS} groups that cost most are shown, {left_out:,} not."))
    rates = GroupRates(
        by=one_line(found.by),
        names=tuple(map(one_line, names)),
        sizes=tuple(sizes),
        axis=axis,
    )
    return (*notes, rates)


def _homogeneity(found: Findings) -> str:
    """Whether the AUC of the best model depends on the group, in words."""
    tested = next((one for one in found.by_group.homogeneity if one.model == found.best), None)
    name = one_line(found.best)
    if tested is None or math.isnan(tested.pvalue):
        return f"Whether {name} ranks equally well in all groups cannot be tested."
    how = f"chi-square {tested.statistic:.1f}, {tested.df} df, {p_equals(tested.pvalue)}"
    if tested.pvalue < _LEVEL:
        return f"{name} does not rank equally well in all groups ({how})."
    return f"No difference in how well {name} ranks the groups was found ({how})."


def _rates(found: Findings) -> list[str]:
    """Whether the recommended threshold finds as many positives in all groups, in words."""
    table, by = found.table, str(found.by)
    alone = ScoreTable(
        table.y_true,
        {found.best: table.scores[found.best]},
        groups={by: table.groups[by]},
        sample_weight=table.sample_weight,
    )
    at = evaluate(alone, by=by, threshold=found.choice.threshold, rng=0)
    said = []
    for tested in at.rate_homogeneity:
        what, noun = _RATES[tested.rate]
        if math.isnan(tested.pvalue):
            continue
        if tested.pvalue < _LEVEL:
            said.append(f"At the recommended threshold {what} ({p_equals(tested.pvalue)}).")
        else:
            said.append(f"No difference in {noun} was found ({p_equals(tested.pvalue)}).")
    return said
