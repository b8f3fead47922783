"""Many groups of rows, evaluated together."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from roclab.inference.estimation.joint_estimate import Estimate
from roclab.readers.rows import RowCounts, RowReader, check_counts
from roclab.scale.engine import Partitioned
from roclab.scale.grouped_rows import GroupedRows, GroupEstimates, grouped_rows
from roclab.scale.plans import check_same, exact_summaries

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
        Number of rows of each group, if they were not kept.
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
            if rows.groups is None or not len(rows):
                continue
            if survey.kept is None:
                survey.add_sizes(rows.groups.value_counts().iter_rows())
                continue
            survey.kept.add(rows)
            if survey.kept.nbytes > self.keep_bytes:
                survey.add_sizes(survey.kept.sizes())
                survey.kept = None
        return survey


def grouped_summaries(
    table: Partitioned, reader: RowReader, by: str, *, scored: bool
) -> tuple[RowCounts, list[tuple[str, Any, Estimate, float]]]:
    """Model, group, estimate and scored AUC of each model in each group, and what was read.

    Groups that do not fit into the memory of a worker are evaluated one by one.
    """
    survey, *others = [*table.map(GroupSurveyTask(reader, scored, table.keep_bytes))] or [
        GroupSurvey()
    ]
    for other in others:
        survey.merge(other)
    check_counts(survey.counts, reader)
    if survey.kept is not None:
        return survey.counts, [*_estimates([survey.kept.estimates()], reader)]
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
    rows = sum(estimate.n_pos for model, _, estimate, _ in found if model == reader.models[0])
    check_same(survey.counts, RowCounts(pos=rows, neg=survey.counts.neg))
    return survey.counts, found


def _estimates(
    parts: Iterable[list[GroupEstimates]], reader: RowReader
) -> Iterator[tuple[str, Any, Estimate, float]]:
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
            if len(rows):
                kept.add(rows)
        return kept.estimates()
