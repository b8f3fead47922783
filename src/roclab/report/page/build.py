"""What a report of a table of scores says, section by section."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from roclab.checks.options import Progress
from roclab.curves.rates import check_costs, check_prevalence
from roclab.data.table import ScoreTable, check_table
from roclab.decisions import (
    population_stability_index,
)
from roclab.decisions.threshold.goal import checked_share
from roclab.errors import RoclabWarning
from roclab.formatting import one_line
from roclab.inference import auc_change, compare_independent_auc
from roclab.inference.comparison.results import Comparison
from roclab.measures import average_precision, gains_table
from roclab.report.document import Column, Document, Note, Table, document
from roclab.report.documents.rows import MODEL
from roclab.report.figure import Band, Figure
from roclab.report.formats import (
    UNDEFINED,
    decimals_for,
    interval,
    number,
    percent,
    percentage,
    pvalue,
)
from roclab.report.page.answer import alternatives, answer
from roclab.report.page.findings import MOST_COMPARED, Findings
from roclab.report.page.groups import groups
from roclab.report.page.parts import (
    Folded,
    IntervalColumn,
    Kind,
    Legend,
    ModelColumn,
    Moving,
    Outcome,
    Panel,
    Part,
    Row,
    Section,
    Setting,
)
from roclab.report.page.risks import checks
from roclab.report.page.write import to_page
from roclab.report.together import combined
from roclab.selection import select_model

# Rows times models beyond which nothing is resampled or fitted for every model.
MOST_RESAMPLED = 200_000

Maker = Callable[[], tuple[Part, ...]]


def html_report(
    table: ScoreTable,
    *,
    by: str | None = None,
    reference: ScoreTable | None = None,
    false_positive_cost: float | None = None,
    false_negative_cost: float | None = None,
    prevalence: float | None = None,
    capacity: float | None = None,
    title: str = "Report",
    facts: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> str:
    """Build a self-contained HTML report on the models of a table.

    It says how good each model is and how sure that is, which one to use, where it fails, and which
    threshold to set at which cost. No row of the table is in it.

    Parameters
    ----------
    table : ScoreTable
        Labels and scores, from `read_scores` or from arrays.
    by : str, optional
        Group column of the table. Groups are shown sorted by how much they hurt.
    reference : ScoreTable, optional
        An earlier period, with the same models: the page says what changed.
    false_positive_cost, false_negative_cost : float, optional
        Costs of a false positive and of a false negative, in any unit. They decide which threshold
        the page recommends, and where its panel starts. By default both are 1, unless a class is
        rare: then the page assumes a ratio, says so, and shows thresholds for others.
    prevalence : float, optional
        Share of positives where the model will be used, between 0 and 1; by default that of the
        data.
    capacity : float, optional
        Largest share of examples that can be called positive. Without costs, the threshold is the
        one that finds most positives within it.
    title : str, default "Report"
        Title of the page.
    facts : mapping of str to str, optional
        What the end of the page says, such as the command that made it.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is the number of
        sections.

    Returns
    -------
    str
        The page.

    Notes
    -----
    Of more than 12 models the best 12 are drawn; more than 100 are not compared. Above 200,000
    scores nothing is resampled.

    Examples
    --------
    >>> page = html_report(ScoreTable([0, 1, 0, 1], {"a": [0.1, 0.4, 0.4, 0.8]}))
    >>> "<title>Report</title>" in page
    True
    """
    check_table(table)
    if reference is not None:
        check_table(reference)
    asked = _checked(false_positive_cost, false_negative_cost, prevalence, capacity)
    found = Findings(table=table, by=by, reference=reference, asked=asked)
    with warnings.catch_warnings():
        # What is undefined is said beside the numbers.
        warnings.simplefilter("ignore", RoclabWarning)
        made = []
        makers = _makers(found, facts or {})
        for done, (key, heading, make) in enumerate(makers, start=1):
            made.append(Section(key, heading, make(), folded=key == "methods"))
            if progress is not None:
                progress(done, len(makers))
    return to_page(str(title), _subtitle(found), made)


def _checked(
    false_positive_cost: float | None,
    false_negative_cost: float | None,
    prevalence: float | None,
    capacity: float | None,
) -> Setting:
    given = (false_positive_cost, false_negative_cost)
    costs = check_costs(*(1.0 if cost is None else cost for cost in given))
    return Setting(
        false_positive_cost=None if false_positive_cost is None else costs[0],
        false_negative_cost=None if false_negative_cost is None else costs[1],
        prevalence=None if prevalence is None else check_prevalence(prevalence),
        capacity=checked_share("capacity", capacity),
    )


def _subtitle(found: Findings) -> str:
    """What is positive, of how many rows, and the date."""
    one = found.intervals[found.table.names[0]]
    rows = one.n_pos + one.n_neg
    positive = found.table.positive
    named = "Positive examples" if positive is None else f"Positive: {one_line(positive)}"
    share = f"{percentage(one.n_pos / rows)} of {rows:,} rows" if rows else "no rows"
    models = f"{len(found.names):,} model{'s' * (len(found.names) != 1)}"
    return f"{named}, {share}. {models}. {date.today().isoformat()}."


def _makers(found: Findings, facts: Mapping[str, str]) -> list[tuple[str, str, Maker]]:
    """The address and title of each section, and what makes its parts."""
    makers: list[tuple[str, str, Maker]] = [
        ("answer", "", lambda: answer(found)),
        ("models", "Models", lambda: _models(found)),
    ]
    if found.defined:
        makers += [
            ("curves", "Curves", lambda: _curves(found)),
            ("decision", "Decision", lambda: _decision(found)),
        ]
        if found.by is not None:
            makers.append(("groups", f"Groups of {one_line(found.by)}", lambda: groups(found)))
        if found.probabilities:
            makers.append(("calibration", "Calibration", lambda: _calibration(found)))
        makers.append(("risks", "What could go wrong", lambda: (checks(found),)))
        reference = found.reference
        if reference is not None:
            makers.append(("changes", "What changed", lambda: _changes(found, reference)))
    return [*makers, ("methods", "Methods and reproduction", lambda: _methods(facts))]


def _models(found: Findings) -> tuple[Part, ...]:
    rows = [found.intervals[name] for name in found.names]
    digits = decimals_for(one.high - one.low for one in rows)
    precision = {
        name: found.model(name).average_precision
        if found.defined and name in found.drawn
        else average_precision(found.ranking(name))
        for name in found.names
    }
    records = [
        {
            "model": name,
            "color": found.colors[name],
            "value": one.value,
            "low": one.low,
            "high": one.high,
            "difference": pair.difference if pair else math.nan,
            "pvalue": pair.adjusted_pvalue if pair else math.nan,
            "place": place,
            "contender": name in found.contenders,
            "average_precision": precision[name],
        }
        for place, (name, one) in enumerate(zip(found.names, rows, strict=True))
        for pair in (found.against_best.get(name),)
    ]
    lows = [one.low for one in rows if not math.isnan(one.low)]
    axis = (math.floor(10 * min([*lows, 0.5])) / 10, 1.0)
    compared = [
        Column(
            "behind the best",
            ("place", "difference"),
            lambda place, gap: "" if not place or math.isnan(gap) else f"{abs(gap):.{digits}f}",
            "Difference of AUC to the best model.",
        ),
        Column(
            "adjusted p",
            ("place", "pvalue"),
            lambda place, tested: "" if not place else pvalue(tested),
            "Of the test that it is as good as the best model, adjusted for all pairs.",
        ),
        Column("verdict", ("place", "contender"), _verdict, kind="text"),
    ]
    table = Table(
        name="models",
        records=tuple(records),
        columns=(
            ModelColumn(title="model", keys=("model", "color"), format=lambda name, _: name),
            Column("AUC", ("value",), number(digits)),
            IntervalColumn(
                title=f"{axis[0]:g} to 1",
                keys=("value", "low", "high", "color"),
                format=lambda *_: "",
                axis=axis,
            ),
            Column(
                f"{percent(rows[0].confidence_level)} interval", ("low", "high"), interval(digits)
            ),
            *(compared if found.comparison is not None else ()),
            Column("average precision", ("average_precision",), number(digits)),
        ),
        shown=200,
    )
    parts: list[Part] = [table]
    if len(found.names) > MOST_COMPARED:
        text = f"More than {MOST_COMPARED} models are not compared: choose some of them."
        parts.append(Note(text))
    if found.comparison is not None:
        sure = _pairs(found, found.comparison)
        parts.append(Folded("All pairs, and how sure the choice is", sure))
    return tuple(parts)


def _verdict(place: int, contender: bool) -> str:
    return "best" if not place else "may be as good" if contender else ""


def _pairs(found: Findings, comparison: Comparison) -> tuple[Part, ...]:
    shown = _flat(document(comparison))
    if len(found.table.y_true) * len(found.names) <= MOST_RESAMPLED:
        wins = document(select_model(found.table, rng=0)).main_table
        # The verdict on this page is that of the tests.
        columns = tuple(one for one in wins.columns if one.title not in ("p", "contender"))
        shown.append(replace(wins, columns=columns, title="How often each wins in resamples"))
    return tuple(shown)


def _flat(shown: Document) -> list[Part]:
    """The tables and notes of a document, without figures."""
    return [part for part in shown.parts if not isinstance(part, Figure)]


def _curves(found: Findings) -> tuple[Part, ...]:
    titles: dict[Kind, str] = {
        "roc": "ROC",
        "pr": "Precision and recall",
        "cost": "Cost at the best threshold",
    }
    shown = {name: found.colors[name] for name in found.drawn}
    moving = [_together(found, found.drawn, kind, title) for kind, title in titles.items()]
    return Legend(shown), Row(tuple(moving))


def _together(found: Findings, names: Sequence[str], kind: Kind, title: str) -> Moving:
    """The curves of several models in one figure; bands would cover each other."""
    drawn = [
        replace(
            one,
            series=tuple(
                part if part.role == "context" else replace(part, label="")
                for part in one.series
                if not isinstance(part, Band)
            ),
        )
        for one in (found.model(name).figures[kind] for name in names)
    ]
    return Moving(_titled(combined(drawn, names, found.colors), title), kind)


def _titled(shown: Figure, title: str) -> Figure:
    return replace(shown, title=title)


def _panel(found: Findings) -> Panel:
    aucs = {}
    for name in found.drawn:
        rows = [found.row(group, name).interval for group in found.groups]
        aucs[name] = tuple((one.value, one.low, one.high) for one in rows)
    return Panel(
        models=tuple(found.model(name).counts for name in found.drawn),
        colors={name: found.colors[name] for name in found.drawn},
        probabilities=frozenset(found.probabilities),
        setting=found.setting,
        model=found.best,
        group_aucs=aucs,
    )


def _decision(found: Findings) -> tuple[Part, ...]:
    scores = [
        Moving(
            _titled(found.model(name).figures["scores"], f"Scores of {one_line(name)}"),
            "scores",
            place,
        )
        for place, name in enumerate(found.drawn)
    ]
    parts: list[Part] = [_panel(found), Row((Outcome("people"), Outcome("rates"), *scores))]
    if not found.setting.assumed:
        parts.append(Folded("Other capacities and costs", (alternatives(found),)))
    gains = document(gains_table(found.ranking(found.best))).main_table
    parts.append(Folded(f"Gains of {one_line(found.best)}", (replace(gains, title=None),)))
    return tuple(parts)


def _calibration(found: Findings) -> tuple[Part, ...]:
    sure = found.probabilities
    large = len(found.table.y_true) * len(sure) > MOST_RESAMPLED
    figures = tuple(
        Moving(
            _titled(_briefly(found.model(name).figures["calibration"]), one_line(name)),
            "calibration",
            found.drawn.index(name),
        )
        for name in sure
    )
    records = []
    for name in sure[: 1 if large else None]:
        summary = found.calibration(name)
        record = {"model": name, "color": found.colors[name]}
        for key in ("slope", "observed_expected"):
            one = getattr(summary, key)
            record |= {key: one.value, f"{key}_low": one.low, f"{key}_high": one.high}
        records.append(record)
    table = Table(
        name="calibration",
        records=tuple(records),
        columns=(
            ModelColumn(title="model", keys=("model", "color"), format=lambda name, _: name),
            _estimate("slope", "slope", "1 is ideal; below it scores are too extreme."),
            _estimate("O/E", "observed_expected", "Observed over expected positives; 1 is ideal."),
        ),
    )
    benefit = _together(found, sure, "benefit", "Net benefit")
    return (Row((*figures, benefit, table)),)


def _briefly(shown: Figure) -> Figure:
    """The figure with a title of its axis that fits below a narrow picture."""
    below = shown.below
    if below is None:
        return shown
    axes = replace(below.axes, x=below.axes.x.partition(";")[0])
    return replace(shown, below=replace(below, axes=axes))


def _estimate(title: str, key: str, meaning: str) -> Column:
    def shown(value: float, low: float, high: float) -> str:
        return UNDEFINED if math.isnan(value) else f"{value:.2f}\n[{low:.2f}, {high:.2f}]"

    return Column(title, (key, f"{key}_low", f"{key}_high"), shown, meaning)


def _changes(found: Findings, reference: ScoreTable) -> tuple[Part, ...]:
    table = found.table
    shared = [name for name in found.names if name in reference.names]
    if not shared:
        text = "The reference has no model of this table, so nothing can be compared."
        return (Note(text, severity="warning"),)
    records = []
    for name in shared:
        test = compare_independent_auc(found.ranking(name), reference.ranking(name))
        kept = ("value_a", "value_b", "difference", "low", "high", "pvalue")
        record = {"model": name, **{key: getattr(test, key) for key in kept}}
        if table.sample_weight is None and reference.sample_weight is None:
            shift = population_stability_index(reference.scores[name], table.scores[name])
            record |= {"psi": shift.value, "psi_pvalue": shift.pvalue}
        records.append(record)
    digits = decimals_for(record["high"] - record["low"] for record in records)
    columns = (
        MODEL,
        Column("AUC before", ("value_b",), number(digits)),
        Column("AUC now", ("value_a",), number(digits)),
        Column("change", ("difference",), number(digits, sign="+")),
        Column("95 % interval", ("low", "high"), interval(digits)),
        Column("p", ("pvalue",), pvalue),
        *_SHIFT[: 2 * ("psi" in records[0])],
    )
    parts: list[Part] = [Table(name="changes", records=tuple(records), columns=columns)]
    if found.by is not None:
        first = shared[0]
        parts.append(Note(f"By {one_line(found.by)}, for {one_line(first)}:"))
        parts += _flat(document(auc_change(reference, table, by=found.by, model=first)))
    return tuple(parts)


_SHIFT = (
    Column("PSI", ("psi",), number(3), "Population stability index of the scores."),
    Column("p of no shift", ("psi_pvalue",), pvalue),
)


def _methods(facts: Mapping[str, str]) -> tuple[Part, ...]:
    notes = (
        "AUC: probability that a positive example scores higher than a negative one, ties count "
        "one half (Mann and Whitney 1947; Hanley and McNeil 1982). Its interval is Wilson-type "
        "with a variance between DeLong's (1988) and the one expected at this sample size. Tests "
        "of pairs: MOVER (Zou and Donner 2008), p-values adjusted by Holm (1979).",
        "Decision: expected cost (Elkan 2001) and net benefit (Vickers and Elkin 2006) from exact "
        "counts at up to 1,000 thresholds of each model, among them all that can have the lowest "
        "cost; with a capacity that is not of this report, the best of these. Intervals of rates: "
        "Clopper and Pearson (1934); of sums and ratios of rates: MOVER (Donner and Zou 2012). "
        "They do not include that the threshold was chosen on these data.",
        "Ranks the wrong way round: ranges of scores in which the ROC curve of one half of the "
        "rows runs below its hull, tested on the other half (Mann and Whitney, Holm).",
    )
    records = tuple({"fact": fact, "value": value} for fact, value in facts.items())
    columns = (
        Column("", ("fact",), str, kind="text"),
        Column("", ("value",), str, kind="name"),
    )
    made = (Table(name="facts", records=records, columns=columns),) if records else ()
    return (*map(Note, notes), *made)
