"""Many groups of rows, evaluated together."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from roclab import _core
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.scale.engine import Partitioned
from roclab.scale.passes import summary_of
from roclab.scale.plans import check_counts, check_same, exact_summaries
from roclab.scale.rows import Array, RowCounts, RowReader, Rows, RowStore

# A row needs its label, score and group, and copies of them by group.
_BYTES_PER_ROW = 40
_LOOKED_UP = 1 << 22  # integers below are found in a table, others by a join


@dataclass
class GroupCounts:
    """Numbers of rows of each class, by group."""

    counts: RowCounts = field(default_factory=RowCounts)
    groups: dict[Any, int] = field(default_factory=lambda: defaultdict(int))

    def merge(self, other: GroupCounts) -> None:
        """Add the counts of another part."""
        self.counts.add(other.counts)
        for key, count in other.groups.items():
            self.groups[key] += count


@dataclass(frozen=True)
class GroupCountTask:
    """Counts the rows of each group."""

    reader: RowReader

    def __call__(self, frames: Iterable[pl.DataFrame]) -> GroupCounts:
        """The counts of one part."""
        found = GroupCounts()
        for frame in frames:
            rows = self.reader.read(frame)
            found.counts.add(rows.counts)
            if rows.groups is not None:
                for key, count in rows.groups.value_counts().iter_rows():
                    found.groups[key] += count
        return found


@dataclass(frozen=True, kw_only=True)
class GroupEstimates:
    """Estimates of one model in many groups: an entry of each array for each key."""

    keys: list[Any]
    n_pos: Array
    n_neg: Array
    pos: Array
    neg: Array
    auc: Array
    variance: Array
    scored: Array | None = None


def grouped_summaries(
    table: Partitioned, reader: RowReader, by: str, *, scored: bool
) -> tuple[RowCounts, list[tuple[str, Any, Estimate, float]]]:
    """Model, group, estimate and scored AUC of each model in each group, and what was read.

    Groups that do not fit into the memory of a worker are evaluated one by one.
    """
    survey = table.survey(reader)
    check_counts(survey.counts, reader)
    if survey.complete == "all":
        parts = [grouped_estimates(survey.kept.whole(), scored)]
        return survey.counts, [*_estimates(parts, reader)]
    survey.kept = RowStore(0)
    counted = GroupCounts()
    complete = survey.counts.dropped == 0
    for one in table.map(GroupCountTask(reader.of(by=by, complete=complete))):
        counted.merge(one)
    most = table.broadcast_bytes // (_BYTES_PER_ROW * len(reader.models))
    large = [key for key, rows in counted.groups.items() if rows > most]
    small = table.where(by, large, among=False) if large else table
    task = GroupTask(reader, scored)
    found = [*_estimates(small.map_groups(task, by, len(counted.groups)), reader)]
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
        return grouped_estimates(self.reader.read_all(frames), self.scored)


def grouped_estimates(rows: Rows, scored: bool) -> list[GroupEstimates]:
    """The estimates of every group of rows in memory, for each model."""
    if rows.groups is None:
        return []
    keys, codes = group_codes(rows.groups)
    found = []
    for scores in rows.scores:
        if rows.weights is not None or scored:
            one = _one_by_one(keys, codes, rows.labels, scores, rows.weights, scored)
        else:
            pos, neg, auc, variance = _core.pairs_by_group(
                codes, len(keys), rows.labels, scores, _core.thread_count()
            )
            one = GroupEstimates(
                keys=keys, n_pos=pos, n_neg=neg, pos=pos, neg=neg, auc=auc, variance=variance
            )
        found.append(one)
    return found


def _one_by_one(
    keys: list[Any],
    codes: npt.NDArray[np.uint32],
    labels: npt.NDArray[np.uint8],
    scores: Array,
    weights: npt.NDArray[np.float64] | None,
    scored: bool,
) -> GroupEstimates:
    names = ["n_pos", "n_neg", "effective_pos", "effective_neg", "auc", "auc_variance"]
    names += ["scored_auc"] * scored
    table = np.empty((len(names), len(keys)))
    for group, rows in enumerate(_rows_by_group(codes, len(keys))):
        chosen = None if weights is None else weights[rows]
        summary = summary_of(labels[rows], scores[rows], chosen, scored=scored)
        table[:, group] = [getattr(summary, name) for name in names]
    n_pos, n_neg, pos, neg, auc, variance, *rest = table
    return GroupEstimates(
        keys=keys,
        n_pos=n_pos,
        n_neg=n_neg,
        pos=pos,
        neg=neg,
        auc=auc,
        variance=variance,
        scored=rest[0] if scored else None,
    )


def _rows_by_group(codes: npt.NDArray[np.uint32], groups: int) -> Iterator[Array]:
    order = _core.order_rows(codes.astype(np.int64), _core.thread_count())
    ends = np.cumsum(np.bincount(codes, minlength=groups))
    first = 0
    for last in ends.tolist():
        yield order[first:last]
        first = last


def group_codes(column: pl.Series) -> tuple[list[Any], npt.NDArray[np.uint32]]:
    """The distinct values of a column, and for each row the place of its value among them."""
    lowest: Any = column.min()
    highest: Any = column.max()
    if column.dtype.is_integer() and 0 <= lowest <= highest < _LOOKED_UP:
        values = column.to_numpy()
        present = np.zeros(highest + 1, np.bool_)
        present[values] = True
        places = np.cumsum(present, dtype=np.uint32) - 1
        return np.flatnonzero(present).tolist(), places.astype(np.uint32)[values]
    keys = column.value_counts().to_series()
    numbers = pl.Series("code", np.arange(len(keys), dtype=np.uint32))
    table = pl.DataFrame([keys.alias("key"), numbers])
    codes = pl.DataFrame([column.alias("key")]).join(
        table, on="key", how="left", maintain_order="left"
    )["code"]
    return keys.to_list(), np.require(codes.to_numpy(), np.uint32, "C")
