"""How the summaries of all models are found: in memory, by the rarer class, or by ranges of scores.

All plans give the same pair counts. Which one is taken follows from the numbers of rows:

- rows that fit into memory are counted there;
- if few rows are distinct, as where scores have three digits, each of these is counted;
- if the scores of the rarer class fit, every row is looked up among them: no sort and no shuffle;
- otherwise rows are divided by score, each range is summarised, and the summaries are joined.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_UP, Context
from functools import reduce

from roclab import _core
from roclab.data.summary import RangeSummary
from roclab.errors import MaxErrorWarning, RoclabError
from roclab.formatting import listed, one_line
from roclab.readers.rows import RowCounts, RowReader, RowStore, check_counts
from roclab.readers.values import Array
from roclab.scale.cuts import quantile_cuts
from roclab.scale.engine import Partitioned
from roclab.scale.histogram import ScoreHistogram
from roclab.scale.slots import CountTask, SlotCounts, merged_counts
from roclab.scale.tasks import (
    CollectTask,
    SummaryTask,
    Survey,
    counted_summary,
    distinct_scores,
    likely_distinct,
    summary_of,
)

# A score of the rarer class needs its value, a place in a table, and counts of both classes at it
# and beside it, in 32 bits for each thread and in 64 bits twice.
_BYTES_PER_CUT = 128
_MOST_DISTINCT = 1 << 20  # rows that are counted before anything is known of the table
_GLANCE_AT_TIES = 1 << 14
_GLANCE_ROWS = 1 << 20
_SAMPLED_PER_BIN = 16
_MOST_CUTS = 1 << 20
_MOST_RECOUNTS = 8
_UPWARDS = Context(prec=2, rounding=ROUND_UP)  # so that the error that is shown can be asked


def exact_summaries(
    table: Partitioned, reader: RowReader, *, scored: bool
) -> tuple[RowCounts, dict[str, RangeSummary]]:
    """The summary of each model, and what was read."""
    tied = _by_distinct_rows(table, reader)
    if tied is not None:
        return tied
    survey = table.survey(reader)
    counts = survey.counts
    check_counts(counts, reader)
    if counts.pos + counts.neg == 0:
        return counts, {model: RangeSummary() for model in reader.models}
    if survey.complete == "all":
        return counts, _in_memory(survey, reader, scored)
    rare = 1 if counts.pos <= counts.neg else 0
    at_once = table.broadcast_bytes // max(min(counts.pos, counts.neg) * _BYTES_PER_CUT, 1)
    if at_once == 0:
        survey.kept = RowStore(0)
        return counts, _by_ranges(table, reader, survey, scored)
    found: dict[str, RangeSummary] = {}
    for first in range(0, len(reader.models), at_once):
        places = range(first, min(first + at_once, len(reader.models)))
        models = [reader.models[place] for place in places]
        some = reader.of(*models, complete=counts.dropped == 0)
        if survey.complete == rare:
            kept = [[survey.kept.whole().scores[place]] for place in places]
        else:
            rows = rows_of_class(table, reader, rare)
            kept = _collected(rows.map(CollectTask(some, rare)), len(places))
        # With no scores of the sample, which have the right type if there are no others.
        cuts = [
            distinct_scores([survey.samples[place].scores()[:0], *scores])
            for place, scores in zip(places, kept, strict=True)
        ]
        again, slots = _counted(table, some, cuts, rare=rare if scored else None)
        check_same(counts, again.counts)
        sizes = counts.pos, counts.neg
        for model, values, one in zip(some.models, cuts, slots, strict=True):
            summary = one.scored_summary(values, rare, *sizes) if scored else one.summary(*sizes)
            found[model] = summary
    return counts, found


def _by_distinct_rows(
    table: Partitioned, reader: RowReader
) -> tuple[RowCounts, dict[str, RangeSummary]] | None:
    """The summaries by one pass, if few rows of a table that does not fit are distinct."""
    fits = (table.rows or 0) * (1 + 8 * len(reader.models)) <= table.keep_bytes
    if reader.weight is not None or (table.keep_bytes and fits):
        return None
    glance = table.glance(reader, _GLANCE_AT_TIES)
    if likely_distinct(glance) > _MOST_DISTINCT / 4:
        return None
    counted = table.distinct_rows(reader, _MOST_DISTINCT)
    if counted is None:
        return None
    rows = replace(reader, counted=True).read(counted)
    check_counts(rows.counts, reader)
    return rows.counts, {
        model: counted_summary(rows, place) for place, model in enumerate(reader.models)
    }


def rows_of_class(table: Partitioned, reader: RowReader, label: int) -> Partitioned:
    """The rows of one class, so that an engine need not hand over the others."""
    wanted = 1 if reader.pos_label is None else reader.pos_label
    return table.where(reader.label, [wanted], among=label == 1)


def bounded_histograms(
    table: Partitioned, reader: RowReader, *, max_error: float
) -> tuple[RowCounts, dict[str, ScoreHistogram]]:
    """Histograms whose error is at most `max_error`, by one pass over the table or a few.

    The first cuts come from the first rows. Where bins turn out to be too coarse, they are divided
    at scores of rows from everywhere, then of rows in these bins alone. So a further pass always
    has cuts inside them, and also finds single rows with much weight. A larger error remains, and
    is warned of, if that takes too many passes or cuts.
    """
    bins = min(math.ceil(1 / max_error), _MOST_CUTS)
    glance = reader.read(table.glance(reader, min(_GLANCE_ROWS, _SAMPLED_PER_BIN * bins)))
    cuts = [quantile_cuts(scores, bins, glance.weights) for scores in glance.scores]
    survey, slots = _counted(table, reader, cuts)
    check_counts(survey.counts, reader)
    found = _histograms(reader.models, cuts, slots, survey.counts)
    samples = dict(zip(reader.models, survey.samples, strict=True))
    for _ in range(_MOST_RECOUNTS):
        finer = {
            model: histogram.finer_cuts(samples[model].scores(), max_error, _MOST_CUTS)
            for model, histogram in found.items()
            if histogram.max_error > max_error and len(histogram.cuts) < _MOST_CUTS
        }
        if not finer:
            break
        some = reader.of(*finer, complete=survey.counts.dropped == 0)
        cuts, coarse = map(list, zip(*finer.values(), strict=True))
        again, slots = _counted(table, some, cuts, coarse=coarse)
        check_same(survey.counts, again.counts)
        found |= _histograms(some.models, cuts, slots, survey.counts)
        samples |= zip(some.models, again.samples, strict=True)
    _warn_of_errors(found, max_error)
    return survey.counts, found


def _warn_of_errors(found: Mapping[str, ScoreHistogram], max_error: float) -> None:
    larger = {name: one.max_error for name, one in found.items() if one.max_error > max_error}
    if larger:
        MaxErrorWarning(
            found="The error of the AUC is at most {reached}, and {max_error=}{asked} was asked "
            "(models: {models})",
            fix="Ask for {max_error=}{reached}, or evaluate the table exactly.",
            reached=f"{float(_UPWARDS.create_decimal_from_float(max(larger.values()))):g}",
            asked=f"{max_error:g}",
            models=listed(one_line(name) for name in larger),
        ).issue()


def _histograms(
    models: Sequence[str], cuts: Sequence[Array], slots: Sequence[SlotCounts], counts: RowCounts
) -> dict[str, ScoreHistogram]:
    return {
        model: ScoreHistogram._of_masses(values, one.masses, counts.pos, counts.neg)
        for model, values, one in zip(models, cuts, slots, strict=True)
    }


def check_same(first: RowCounts, again: RowCounts) -> None:
    """Raise if a second pass read other rows than the first."""
    if (first.pos, first.neg) != (again.pos, again.neg):
        raise RoclabError(
            found="The table changed while it was read: {first} rows, then {again}",
            fix="Evaluate a copy that does not change.",
            first=f"{first.pos:,}+ {first.neg:,}-",
            again=f"{again.pos:,}+ {again.neg:,}-",
        )


def _in_memory(survey: Survey, reader: RowReader, scored: bool) -> dict[str, RangeSummary]:
    rows = survey.kept.whole()
    return {
        model: summary_of(rows.labels, scores, rows.weights, scored=scored)
        for model, scores in zip(reader.models, rows.scores, strict=True)
    }


def _by_ranges(
    table: Partitioned, reader: RowReader, survey: Survey, scored: bool
) -> dict[str, RangeSummary]:
    found = {}
    for place, model in enumerate(reader.models):
        task = SummaryTask(reader.of(model, complete=survey.counts.dropped == 0), scored)
        # In their order, which the ends of ranges do not show if they are large integers.
        ranges = table.range_summaries(task, survey.samples[place].scores())
        summary = reduce(RangeSummary.join, ranges, RangeSummary())
        check_same(survey.counts, RowCounts(pos=summary.n_pos, neg=summary.n_neg))
        found[model] = summary
    return found


def _collected(found: Iterable[list[Array]], models: int) -> list[list[Array]]:
    parts: list[list[Array]] = [[] for _ in range(models)]
    for one in found:
        for kept, scores in zip(parts, one, strict=True):
            if len(scores):
                kept.append(scores)
    return parts


def _counted(
    table: Partitioned,
    reader: RowReader,
    cuts: Sequence[Array],
    *,
    rare: int | None = None,
    coarse: Sequence[Array] = (),
) -> tuple[Survey, list[SlotCounts]]:
    """Rows of all parts by slot, and what was read."""
    threads = _core.thread_count() if table.keep_bytes else 1
    return merged_counts(table.map(CountTask(reader, tuple(cuts), threads, rare, tuple(coarse))))
