"""What is done with the rows of one part of a table, in each pass over it.

A task is called with the frames of a part and returns a small result; it can be pickled, so an
engine may send it to its workers. Results of all parts are merged where the table was opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from roclab import _core
from roclab.ranked_rows import RankedRows
from roclab.scale.rows import RowCounts, RowReader, Rows, RowStore
from roclab.summary import RangeSummary

Array = npt.NDArray[Any]

SAMPLE_ROWS = 1 << 18  # kept of each part, for quantiles


@dataclass
class ScoreSample:
    """Every `stride`-th row of a part: the scores of each model.

    The stride doubles whenever there are too many rows, so a sample of any part is at most twice
    as large as wanted.
    """

    rows: int = SAMPLE_ROWS
    stride: int = 1
    seen: int = 0
    scores: list[list[Array]] = field(default_factory=list)

    def add(self, scores: list[Array]) -> None:
        """Take rows of the next frame."""
        if not self.scores:
            self.scores = [[] for _ in scores]
        first = -self.seen % self.stride
        for kept, column in zip(self.scores, scores, strict=True):
            kept.append(column[first :: self.stride].copy())
        self.seen += len(scores[0])
        if self.seen > 2 * self.rows * self.stride:
            self._thin(2 * self.stride)

    def _thin(self, stride: int) -> None:
        step = stride // self.stride
        self.scores = [[np.concatenate(kept)[::step].copy()] for kept in self.scores]
        self.stride = stride

    def merge(self, other: ScoreSample) -> None:
        """Take the sample of another part too, each with the larger stride of both."""
        if not other.scores:
            return
        if not self.scores:
            self.scores = [[] for _ in other.scores]
        stride = max(self.stride, other.stride)
        while (self.seen + other.seen) > 2 * self.rows * stride:
            stride *= 2
        for one in (self, other):
            if one.stride < stride and any(one.scores):
                one._thin(stride)
        self.stride = stride
        self.seen += other.seen
        for kept, more in zip(self.scores, other.scores, strict=True):
            kept += more

    def of(self, model: int) -> Array:
        """The sampled scores of a model."""
        return np.concatenate(self.scores[model])


@dataclass
class Survey:
    """What a first pass learns of a table, and the rows that it kept in memory.

    Attributes
    ----------
    counts : RowCounts
        Rows of all parts.
    sample : ScoreSample
        Scores of some rows.
    kept : RowStore
        All rows, or all of one class, if they were to be kept and fitted.
    complete : {"all", 0, 1, None}
        Which rows `kept` has.
    """

    counts: RowCounts = field(default_factory=RowCounts)
    sample: ScoreSample = field(default_factory=ScoreSample)
    kept: RowStore = field(default_factory=lambda: RowStore(0))
    complete: Literal["all", 0, 1] | None = None

    def merge(self, other: Survey) -> None:
        """Add what was learned of another part, without its rows."""
        self.counts.add(other.counts)
        self.sample.merge(other.sample)


@dataclass(frozen=True)
class SurveyTask:
    """Counts rows and samples scores; keeps rows while they need no more than some bytes.

    When they do, those of the class that is rarer so far stay, as long as they fit.
    """

    reader: RowReader
    keep_bytes: int = 0
    expected: int = 0
    sample_rows: int = SAMPLE_ROWS

    def __call__(self, frames: Iterable[pl.DataFrame]) -> Survey:
        """The result of one part."""
        row_bytes = 1 + 8 * len(self.reader.models)
        expected = min(self.expected, self.keep_bytes // row_bytes)
        survey = Survey(
            sample=ScoreSample(self.sample_rows),
            kept=RowStore(expected),
            complete="all" if self.keep_bytes else None,
        )
        for rows in surveyed(self.reader, frames, survey):
            if survey.complete is None:
                continue
            survey.kept.add(rows if survey.complete == "all" else rows.of_class(survey.complete))
            if survey.kept.nbytes > self.keep_bytes and survey.complete == "all":
                survey.complete = 1 if survey.counts.pos <= survey.counts.neg else 0
                survey.kept = survey.kept.of_class(survey.complete)
            if survey.kept.nbytes > self.keep_bytes:
                survey.complete, survey.kept = None, RowStore(0)
        return survey


def surveyed(reader: RowReader, frames: Iterable[pl.DataFrame], survey: Survey) -> Iterator[Rows]:
    """Read frames, count their rows and sample their scores."""
    for frame in frames:
        rows = reader.read(frame)
        survey.counts.add(rows.counts)
        if len(rows):
            survey.sample.add(rows.scores)
        yield rows


@dataclass(frozen=True)
class CollectTask:
    """The distinct scores of the rows of one class, for each model."""

    reader: RowReader
    label: int

    def __call__(self, frames: Iterable[pl.DataFrame]) -> list[Array]:
        """The result of one part."""
        found: list[list[Array]] = [[] for _ in self.reader.models]
        for frame in frames:
            rows = self.reader.read(frame)
            chosen = rows.labels == self.label
            for kept, scores in zip(found, rows.scores, strict=True):
                kept.append(scores[chosen])
        return [distinct_scores(kept) for kept in found]


def distinct_scores(parts: Iterable[Array]) -> Array:
    """The distinct scores of several arrays, ascending."""
    scores = np.concatenate(list(parts) or [np.zeros(0)])
    ones = np.ones(len(scores), np.uint8)
    distinct: Array = _core.group_scores(ones, scores, _core.thread_count())[0]
    return distinct


@dataclass(frozen=True)
class SummaryTask:
    """The summary of all rows of a part, whose scores overlap with no other part's."""

    reader: RowReader
    scored: bool = False

    def __call__(self, frames: Iterable[pl.DataFrame]) -> RangeSummary:
        """The result of one part."""
        rows = self.reader.read_all(frames)
        if not len(rows):
            return RangeSummary()
        return summary_of(rows.labels, rows.scores[0], rows.weights, scored=self.scored)


def summary_of(
    labels: npt.NDArray[np.uint8],
    scores: Array,
    weights: npt.NDArray[np.float64] | None,
    *,
    scored: bool,
) -> RangeSummary:
    """The summary of rows in memory; without `scored`, its scored AUC has no meaning."""
    if weights is None and not scored:
        counts = _core.count_pairs(labels, scores, True, _core.thread_count())
        return RangeSummary._of_pairs(counts, scores.min(), scores.max())
    distinct, *masses = RankedRows(labels, scores, weights).grouped()
    n_pos = int(np.count_nonzero(labels))
    return RangeSummary._of_groups(distinct, masses, n_pos, len(labels) - n_pos)


def many_ties(sample: Array, parts: int) -> bool:
    """Whether most rows share their scores, or a single score would overload its part."""
    ones = np.ones(len(sample), np.uint8)
    _, counts, _ = _core.group_scores(ones, sample, _core.thread_count())
    return 8 * len(counts) < len(sample) or int(counts.max()) * parts > 4 * len(sample)


def counted_ties(reader: RowReader, frame: pl.DataFrame) -> pl.DataFrame:
    """The distinct scores of the reader's only model, with the rows of each class at them."""
    rows = reader.read(frame)
    scores, pos, neg = _core.group_scores(rows.labels, rows.scores[0], _core.thread_count())
    return pl.DataFrame({"score": scores, "pos": pos, "neg": neg})


def counted_summary(frames: Iterable[pl.DataFrame]) -> RangeSummary:
    """The summary of a range from frames of `counted_ties`, together ascending by score."""
    parts = [frame for frame in frames if frame.height]
    if not parts:
        return RangeSummary()
    found = pl.concat(parts).group_by("score", maintain_order=True).agg(pl.col("pos", "neg").sum())
    scores, pos, neg = (np.require(column.to_numpy(), None, "C") for column in found.get_columns())
    return RangeSummary._of_groups(scores, [pos, neg], int(pos.sum()), int(neg.sum()))
