"""Many groups of rows, evaluated together."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from roclab.data.summary import RangeSummary
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.readers.rows import RowCounts, RowReader, check_counts
from roclab.scale.engine import Partitioned
from roclab.scale.grouped_rows import (
    GroupedRows,
    GroupEstimates,
    first_of_each,
    grouped_rows,
    keys_of,
    sizes_of_groups,
)
from roclab.scale.plans import check_same, exact_summaries

Found = tuple[str, Any, Estimate, float]  # model, group, estimate, scored AUC

# A row needs its label, score and group, and copies of them by group.
_BYTES_PER_ROW = 40


@dataclass
class GroupSurvey:
    """What a first pass learns of the groups of a table.

    Attributes
    ----------
    counts : RowCounts
        Rows of all parts.
    groups : dict
        Number of rows of each group, if they were not kept, in order of first appearance. Rows of
        weight 0 do not count, but their groups appear.
    kept : GroupedRows or None
        All rows, if they were to be kept and fitted.
    """

    counts: RowCounts = field(default_factory=RowCounts)
    groups: dict[Any, int] = field(default_factory=lambda: defaultdict(int))
    kept: GroupedRows | None = None

    def merge(self, other: GroupSurvey) -> None:
        """Add what was learned of another part, without its rows."""
        self.counts.add(other.counts)
        self.add_sizes(other.groups.items())

    def add_sizes(self, sizes: Iterable[tuple[Any, int]]) -> None:
        """Add the rows of some groups."""
        for key, rows in sizes:
            self.groups[key] += rows


@dataclass(frozen=True)
class GroupSurveyTask:
    """Keeps rows by group while they need no more than some bytes; else counts those of each."""

    reader: RowReader
    scored: bool = False
    keep_bytes: int = 0

    def __call__(self, frames: Iterable[pl.DataFrame]) -> GroupSurvey:
        """The result of one part."""
        survey = GroupSurvey()
        if self.keep_bytes:
            survey.kept = grouped_rows(self.reader, self.scored)
        for frame in frames:
            rows = self.reader.read(frame)
            survey.counts.add(rows.counts)
            groups = self._complete.read(frame).groups if self.reader.weight else rows.groups
            if groups is None or rows.groups is None or not len(groups):
                continue
            if survey.kept is None:
                survey.add_sizes((key, 0) for key in keys_of(first_of_each(groups)))
                survey.add_sizes(sizes_of_groups(rows.groups))
                continue
            survey.kept.add(rows, groups)
            if survey.kept.nbytes > self.keep_bytes:
                survey.add_sizes(survey.kept.sizes())
                survey.kept = None
        return survey

    @property
    def _complete(self) -> RowReader:
        """Reads rows of weight 0 too."""
        also = (*self.reader.also, *([self.reader.weight] if self.reader.weight else ()))
        return replace(self.reader, weight=None, also=also)


def grouped_summaries(
    table: Partitioned,
    reader: RowReader,
    by: str,
    *,
    scored: bool,
    survey: GroupSurvey | None = None,
) -> tuple[RowCounts, list[Found]]:
    """Model, group, estimate and scored AUC of each model in each group, and what was read.

    Groups come in order of first appearance, and models in that of the reader, as from
    `roclab.evaluate`; a group whose rows all have weight 0 has no AUC. Groups that do not fit into
    the memory of a worker are evaluated one by one. Without memory for rows, the first pass is left
    out if its `survey` is known.
    """
    if survey is None or table.keep_bytes:
        survey, *others = [*table.map(GroupSurveyTask(reader, scored, table.keep_bytes))] or [
            GroupSurvey()
        ]
        for other in others:
            survey.merge(other)
    check_counts(survey.counts, reader)
    if survey.kept is not None:
        groups = [key for key, _ in survey.kept.sizes()]
        return survey.counts, _ordered(
            groups, _estimates([survey.kept.estimates()], reader), reader
        )
    most = table.broadcast_bytes // (_BYTES_PER_ROW * len(reader.models))
    large = [key for key, rows in survey.groups.items() if rows > most]
    small = table.where(by, large, among=False) if large else table
    task = GroupTask(reader, scored)
    found = [*_estimates(small.map_groups(task, by, len(survey.groups)), reader)]
    for key in large:
        alone = table.where(by, [key], among=True)
        _, summaries = exact_summaries(alone, reader.of(*reader.models), scored=scored)
        for model, summary in summaries.items():
            value = summary.scored_auc if scored else math.nan
            found.append((model, key, Estimate.of(summary, "auc"), value))
    of_first = [estimate for model, _, estimate, _ in found if model == reader.models[0]]
    read = RowCounts(pos=sum(one.n_pos for one in of_first), neg=sum(one.n_neg for one in of_first))
    check_same(survey.counts, read)
    return survey.counts, _ordered(survey.groups, found, reader)


def _ordered(groups: Iterable[Any], found: Iterable[Found], reader: RowReader) -> list[Found]:
    """The estimates of all models in each group, in this order; nan if it has no rows."""
    by_place = {(group, model): (estimate, scored) for model, group, estimate, scored in found}
    empty = Estimate.of(RangeSummary(), "auc"), math.nan
    return [
        (model, group, *by_place.get((group, model), empty))
        for group in groups
        for model in reader.models
    ]


def _estimates(parts: Iterable[list[GroupEstimates]], reader: RowReader) -> Iterator[Found]:
    for part in parts:
        for model, found in zip(reader.models, part, strict=bool(part)):
            columns = (found.n_pos, found.n_neg, found.pos, found.neg, found.auc, found.variance)
            values = [math.nan] * len(found.keys) if found.scored is None else found.scored.tolist()
            for key, n_pos, n_neg, pos, neg, auc, variance, value in zip(
                found.keys, *(column.tolist() for column in columns), values, strict=True
            ):
                estimate = Estimate(
                    measure="auc",
                    value=auc,
                    variance=variance,
                    pos=pos,
                    neg=neg,
                    n_pos=int(n_pos),
                    n_neg=int(n_neg),
                )
                yield model, key, estimate, value


@dataclass(frozen=True)
class GroupTask:
    """The estimates of every group whose rows are in this part, for each model."""

    reader: RowReader
    scored: bool = False

    def __call__(self, frames: Iterable[pl.DataFrame]) -> list[GroupEstimates]:
        """The estimates of one part."""
        kept = grouped_rows(self.reader, self.scored)
        for frame in frames:
            rows = self.reader.read(frame)
            if rows.groups is not None and len(rows):
                kept.add(rows, rows.groups)
        return kept.estimates()
