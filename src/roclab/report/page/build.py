"""What a report of a table of scores says, section by section."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace

from roclab.checks.options import Progress
from roclab.curves import ROCHull, precision_recall_curve, roc_hull
from roclab.data.ranking import Ranking
from roclab.data.table import ScoreTable, check_table
from roclab.decisions import calibration_curve, choose_threshold, population_stability_index
from roclab.errors import RoclabWarning
from roclab.formatting import distinct_texts, one_line
from roclab.inference import Evaluation, auc_change, compare, compare_independent_auc, evaluate
from roclab.inference.comparison.results import Comparison
from roclab.measures import gains_table
from roclab.report.decision import ModelCounts
from roclab.report.document import Column, Note, Table, document, figure
from roclab.report.documents.comparison import outcome
from roclab.report.documents.rows import MODEL
from roclab.report.documents.table import roc_figure
from roclab.report.figure import Figure
from roclab.report.formats import (
    UNDEFINED,
    count,
    decimals_for,
    interval,
    number,
    percent,
    percentage,
    pvalue,
)
from roclab.report.page.write import DecisionPanel, Part, Section, to_page
from roclab.report.together import MOST_NAMED, combined, worst_last
from roclab.selection import select_model

# Rows times models beyond which closed forms replace resampling.
MOST_RESAMPLED = 200_000
# Models beyond which pairs are too many to read.
MOST_COMPARED = 100
# Examples of a class below which a group is too small to judge.
_FEW = 10


def html_report(
    table: ScoreTable,
    *,
    by: str | None = None,
    reference: ScoreTable | None = None,
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
    title : str, default "Report"
        Title of the page.
    facts : mapping of str to str, optional
        What the footer says, such as the command that made the page.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is the number of
        sections.

    Returns
    -------
    str
        The page.

    Notes
    -----
    Of more than 12 models only tables are shown, and more than 100 are not compared. Above 200,000
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
    return to_page(title, _sections(table, by, reference, progress), facts or {})


def _sections(
    table: ScoreTable, by: str | None, reference: ScoreTable | None, progress: Progress | None
) -> list[Section]:
    """The sections of a report, without those that have nothing to say."""
    with warnings.catch_warnings():
        # What is undefined is said beside the numbers.
        warnings.simplefilter("ignore", RoclabWarning)
        made = []
        makers = _makers(table, by, reference)
        for done, (title, make) in enumerate(makers, start=1):
            made.append(Section(title, make()))
            if progress is not None:
                progress(done, len(makers))
        return made


def _makers(
    table: ScoreTable, by: str | None, reference: ScoreTable | None
) -> list[tuple[str, Callable[[], tuple[Part, ...]]]]:
    """The title of each section, and what makes its parts."""
    evaluation = evaluate(table)
    best_first = sorted(evaluation.rows, key=lambda row: worst_last(row.interval.value))
    evaluation = replace(evaluation, rows=tuple(best_first))
    few = len(table.names) <= MOST_NAMED
    comparison = compare(table) if 1 < len(table.names) <= MOST_COMPARED else None
    makers: list[tuple[str, Callable[[], tuple[Part, ...]]]] = [
        ("", lambda: _opening(table, evaluation, comparison)),
        ("Models", lambda: (document(evaluation),)),
    ]
    if not _both_classes(evaluation):
        return makers
    # Both sections below need them, and neither is made before its turn.
    hull_of = functools.cache(lambda name: roc_hull(table.ranking(name)))
    if few:
        makers.append(("Curves", lambda: _curves(table, evaluation)))
        makers.append(("Decisions", lambda: _decisions(table, hull_of)))
    if comparison is not None:
        makers.append(("Comparison", lambda: _comparison(table, comparison)))
    if few:
        makers.append(
            ("Where models rank the wrong way round", lambda: _concavities(table, hull_of))
        )
    if by is not None:
        makers.append((f"Groups of {one_line(by)}", lambda: _groups(table, by, evaluation)))
    if reference is not None:
        makers.append(("What changed", lambda: _changes(table, reference, by)))
    return [*makers, ("Methods", _methods)]


def _both_classes(evaluation: Evaluation) -> bool:
    return not any(math.isnan(row.interval.value) for row in evaluation.rows)


def _opening(
    table: ScoreTable, evaluation: Evaluation, comparison: Comparison | None
) -> tuple[Note, ...]:
    one = evaluation.rows[0].interval
    models = len(evaluation.rows)
    size = (
        f"{models:,} model{'s' * (models != 1)} on {one.n_pos + one.n_neg:,} examples, "
        f"{one.n_pos:,} positive and {one.n_neg:,} negative."
    )
    if not _both_classes(evaluation):
        undefined = "A class has no examples, so nothing can be said about ranking."
        return Note(size), Note(undefined, severity="warning")
    best = evaluation.rows[0]
    digits = decimals_for([best.interval.high - best.interval.low])
    value, low, high = (
        f"{number:.{digits}f}"
        for number in (best.interval.value, best.interval.low, best.interval.high)
    )
    says = (
        f"{one_line(best.model)}{' ranks best: it' * (models > 1)} scores a positive example above "
        f"a negative one in {percent(round(best.interval.value, 3))} of all pairs (AUC {value}, "
        f"{percent(best.interval.confidence_level)} interval {low} to {high})."
    )
    notes = [Note(f"{size} {says}")]
    if comparison is not None:
        notes.append(Note(outcome(comparison, named=False)))
    if models <= MOST_NAMED:
        notes.append(Note(_at_equal_costs(table[best.model])))
    if models > MOST_COMPARED:
        text = (
            f"More than {MOST_COMPARED} models are not compared: choose some of them with --score."
        )
        notes.append(Note(text))
    small = min(one.n_pos, one.n_neg)
    if small < _FEW:
        text = f"The smaller class has {small:,} examples: intervals are wide, and curves coarse."
        notes.append(Note(text, severity="warning"))
    return tuple(notes)


def _at_equal_costs(ranking: Ranking) -> str:
    """The best threshold of a model where both errors cost the same."""
    choice = choose_threshold(ranking, n_resamples=2, rng=0)
    if not choice.tp + choice.fp:
        return "If both errors cost the same, it is best to call no example positive."
    called = (
        "all examples positive"
        if choice.threshold == -math.inf
        else f"examples positive that score {choice.shown(choice.threshold, digits=4)} or more"
    )
    return (
        f"If both errors cost the same, call {called}: this finds {percentage(choice.tpr)} of the "
        f"positives, with a false alarm for {percentage(choice.fpr)} of the negatives. Set your "
        "own costs under Decisions."
    )


def _curves(table: ScoreTable, evaluation: Evaluation) -> tuple[Part, ...]:
    names = [row.model for row in evaluation.rows]
    precision = combined(
        [figure(precision_recall_curve(table.ranking(name))) for name in names], names
    )
    best = table.ranking(names[0])
    parts = [
        _titled(
            roc_figure(table, {row.model: row.interval for row in evaluation.rows}), "ROC curves"
        ),
        _titled(precision, "Precision and recall"),
        _titled(figure(best), f"Scores of {one_line(names[0])}"),
    ]
    if all(0 <= end <= 1 for end in (best.scores[0], best.scores[-1])):
        calibration = calibration_curve(best)
        parts.append(_titled(figure(calibration), f"Calibration of {one_line(names[0])}"))
    gains = replace(document(gains_table(best)).main_table, title=f"Gains of {one_line(names[0])}")
    return (*parts, gains)


def _titled(shown: Figure, title: str) -> Figure:
    return replace(shown, title=title)


def _decisions(table: ScoreTable, hull_of: Callable[[str], ROCHull]) -> tuple[Part, ...]:
    models = tuple(ModelCounts.of(name, table.ranking(name), hull_of(name)) for name in table.names)
    text = (
        "Set the prevalence where the model will be used, what a miss costs compared with a false "
        "alarm, and how many examples can be acted on."
    )
    return Note(text), DecisionPanel(models)


def _comparison(table: ScoreTable, comparison: Comparison) -> tuple[Part, ...]:
    if len(table.y_true) * len(table.names) > MOST_RESAMPLED:
        return (document(comparison),)
    return document(comparison), document(select_model(table, rng=0))


def _concavities(table: ScoreTable, hull_of: Callable[[str], ROCHull]) -> tuple[Part, ...]:
    records = []
    for name in table.names:
        hull = hull_of(name)
        largest = max(hull.concavities, key=lambda one: one.area, default=None)
        records.append(
            {
                "model": name,
                "concavities": len(hull.concavities),
                "low": math.nan if largest is None else largest.low,
                "high": math.nan if largest is None else largest.high,
                "area": 0.0 if largest is None else largest.area,
                "hull_auc": hull.auc,
            }
        )
    columns = (
        MODEL,
        Column("concavities", ("concavities",), count),
        Column("largest: from score", ("low", "high"), _end(0)),
        Column("to below", ("low", "high"), _end(1)),
        Column("area", ("area",), number(4), "Area between the curve and its hull."),
        Column("AUC of the hull", ("hull_auc",), number(3)),
    )
    text = (
        "A concavity is a range of scores in which the ROC curve runs below its hull. Small ones "
        "are chance: test them on other data before repairing anything (roclab repair)."
    )
    return Table(name="concavities", records=tuple(records), columns=columns), Note(text)


def _end(place: int) -> Callable[[float, float], str]:
    """The format of an end of a range of scores."""

    def shown(low: float, high: float) -> str:
        return UNDEFINED if math.isnan(low) else distinct_texts(low, high)[place]

    return shown


def _groups(table: ScoreTable, by: str, evaluation: Evaluation) -> tuple[Part, ...]:
    overall = {row.model: row.interval for row in evaluation.rows}
    rows = [row.to_dict() for row in evaluate(table, by=by).rows]
    total = overall[rows[0]["model"]].n_pos + overall[rows[0]["model"]].n_neg
    for row in rows:
        share = (row["n_pos"] + row["n_neg"]) / total
        row["share"] = share
        row["loss"] = share * (overall[row["model"]].value - row["value"])
    rows = sorted(rows, key=lambda row: worst_last(row["loss"]))
    digits = decimals_for(row["high"] - row["low"] for row in rows)
    columns = (
        Column(one_line(by), ("group",), one_line, kind="name"),
        MODEL,
        Column("AUC", ("value",), number(digits)),
        Column("95 % interval", ("low", "high"), interval(digits)),
        Column("n+", ("n_pos",), count),
        Column("n-", ("n_neg",), count),
        Column("share", ("share",), percentage, "Share of all examples."),
    )
    notes = [Note("Sorted by how far below the model's AUC they are, times their share.")]
    small = sorted(
        {one_line(row["group"]) for row in rows if min(row["n_pos"], row["n_neg"]) < _FEW}
    )
    if small:
        text = f"Fewer than {_FEW} examples of a class: {', '.join(small)}. Do not judge these."
        notes.append(Note(text, severity="warning"))
    return Table(name="groups", records=tuple(rows), columns=columns, shown=100), *notes


def _changes(table: ScoreTable, reference: ScoreTable, by: str | None) -> tuple[Part, ...]:
    shared = [name for name in table.names if name in reference.names]
    if not shared:
        text = "The reference has no model of this table, so nothing can be compared."
        return (Note(text, severity="warning"),)
    records = []
    for name in shared:
        test = compare_independent_auc(table.ranking(name), reference.ranking(name))
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
    if by is not None:
        first = shared[0]
        parts.append(Note(f"By {one_line(by)}, for {one_line(first)}:"))
        parts.append(document(auc_change(reference, table, by=by, model=first)))
    return tuple(parts)


_SHIFT = (
    Column("PSI", ("psi",), number(3), "Population stability index of the scores."),
    Column("p of no shift", ("psi_pvalue",), pvalue),
)


def _methods() -> tuple[Note, ...]:
    return (
        Note(
            "AUC: probability that a positive example scores higher than a negative one, ties "
            "count one half (Mann and Whitney 1947; Hanley and McNeil 1982)."
        ),
        Note(
            "Intervals of the AUC: Wilson-type with a variance between DeLong's (1988) and the "
            "one expected at this sample size. Tests of pairs: MOVER (Zou and Donner 2008), "
            "p-values adjusted by Holm (1979)."
        ),
        Note(
            "Decisions: expected cost (Elkan 2001) and net benefit (Vickers and Elkin 2006) from "
            "exact counts. Intervals of rates: Wilson (1927); of calibration: Clopper and Pearson "
            "(1934)."
        ),
    )
