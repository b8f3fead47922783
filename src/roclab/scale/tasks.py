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
from roclab.data.ranked_rows import RankedRows
from roclab.data.summary import RangeSummary
from roclab.readers.rows import TIMES, RowCounts, RowReader, Rows, RowStore

Array = npt.NDArray[Any]

SAMPLE_ROWS = 1 << 18  # kept of each part, for quantiles


@dataclass
class ScoreSample:
    """Every `stride`-th of the scores of one model in a part.

    The stride doubles whenever there are too many, so a sample of any part is at most twice as
    large as wanted.
    """

    rows: int = SAMPLE_ROWS
    stride: int = 1
    seen: int = 0
    kept: list[Array] = field(default_factory=list)

    def add(self, scores: Array) -> None:
        """Take scores of the next frame."""
        self.kept.append(scores[-self.seen % self.stride :: self.stride].copy())
        self.seen += len(scores)
        if self.seen > 2 * self.rows * self.stride:
            self._thin(2 * self.stride)

    def _thin(self, stride: int) -> None:
        step = stride // self.stride
        if self.kept:
            self.kept = [np.concatenate(self.kept)[::step].copy()]
        self.stride = stride

    def merge(self, other: ScoreSample) -> None:
        """Take the sample of another part too, each with the larger stride of both."""
        stride = max(self.stride, other.stride)
        while (self.seen + other.seen) > 2 * self.rows * stride:
            stride *= 2
        for one in (self, other):
            if one.stride < stride:
                one._thin(stride)
        self.seen += other.seen
        self.kept += other.kept

    def scores(self) -> Array:
        """The sampled scores."""
        return np.concatenate(self.kept) if self.kept else np.zeros(0)


@dataclass
class Survey:
    """What a first pass learns of a table, and the rows that it kept in memory.

    Attributes
    ----------
    counts : RowCounts
        Rows of all parts.
    samples : list of ScoreSample
        Scores of some rows, for each model.
    kept : RowStore
        All rows, or all of one class, if they were to be kept and fitted.
    complete : {"all", 0, 1, None}
        Which rows `kept` has.
    """

    counts: RowCounts = field(default_factory=RowCounts)
    samples: list[ScoreSample] = field(default_factory=list)
    kept: RowStore = field(default_factory=lambda: RowStore(0))
    complete: Literal["all", 0, 1] | None = None

    def merge(self, other: Survey) -> None:
        """Add what was learned of another part, without its rows."""
        self.counts.add(other.counts)
        if not self.samples:
            self.samples = [ScoreSample() for _ in other.samples]
        for sample, more in zip(self.samples, other.samples, strict=bool(other.samples)):
            sample.merge(more)


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
            samples=[ScoreSample(self.sample_rows) for _ in self.reader.models],
            kept=RowStore(expected),
            complete="all" if self.keep_bytes else None,
        )
        for rows in surveyed(self.reader, frames, survey):
            for sample, scores in zip(survey.samples, rows.scores, strict=True):
                sample.add(scores)
            if survey.complete is None:
                continue
            survey.kept.add(rows if survey.complete == "all" else rows.of_class(survey.complete))
            if survey.kept.nbytes > self.keep_bytes and survey.complete == "all":
                survey.complete = 1 if survey.counts.pos <= survey.counts.neg else 0
                survey.kept = survey.kept.of_class(survey.complete)
            if survey.kept.nbytes > self.keep_bytes:
                survey.complete, survey.kept = None, RowStore(0)
        return survey


def merged_surveys(found: Iterable[Survey]) -> Survey:
    """The survey of all parts; of a single one with the rows that it kept."""
    first, *others = [*found] or [Survey()]
    for other in others:
        first.merge(other)
    return first


def surveyed(reader: RowReader, frames: Iterable[pl.DataFrame], survey: Survey) -> Iterator[Rows]:
    """Read frames and count their rows; frames without a complete row are skipped.

    Where all values are missing, a column may have another type than in the other frames.
    """
    for frame in frames:
        rows = reader.read(frame)
        survey.counts.add(rows.counts)
        if len(rows):
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
            if not chosen.any():
                continue
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
        if self.reader.counted:
            return counted_summary(rows, 0)
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


def counted_summary(rows: Rows, model: int) -> RangeSummary:
    """The summary of one model from distinct rows with the number of each."""
    times = np.ones(len(rows)) if rows.times is None else rows.times.astype(np.float64)
    # Sums of floats are exact: together the rows are fewer than 2**53.
    distinct, pos, neg, *_ = _core.group_weighted(
        rows.labels, rows.scores[model], times, _core.thread_count()
    )
    masses = [pos.astype(np.int64), neg.astype(np.int64)]
    return RangeSummary._of_groups(distinct, masses, int(pos.sum()), int(neg.sum()))


def many_ties(sample: Array, parts: int) -> bool:
    """Whether most rows share their scores, or a single score would overload its part."""
    ones = np.ones(len(sample), np.uint8)
    _, counts, _ = _core.group_scores(ones, sample, _core.thread_count())
    return 8 * len(counts) < len(sample) or int(counts.max()) * parts > 4 * len(sample)


def counted_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """The distinct rows of a frame, with the number of each; of counted rows those of all."""
    columns = [name for name in frame.columns if name != TIMES]
    times = pl.col(TIMES).sum() if TIMES in frame.columns else pl.len().alias(TIMES)
    return frame.group_by(columns).agg(times.cast(pl.Int64))


def likely_distinct(frame: pl.DataFrame) -> float:
    """About how many distinct rows a table has, from some of them: the estimate of Chao (1984).

    Values that were seen once and twice tell how many were not seen. It is infinite if no row was
    seen twice.
    """
    times = counted_rows(frame)[TIMES]
    once, twice = int((times == 1).sum()), int((times == 2).sum())
    unseen = once**2 / (2 * twice) if twice else np.inf if once else 0
    return len(times) + float(unseen)


@dataclass(frozen=True)
class DistinctTask:
    """The distinct rows of a part with the number of each, unless they are more than `most`."""

    reader: RowReader
    most: int

    def __call__(self, frames: Iterable[pl.DataFrame]) -> pl.DataFrame | None:
        """The result of one part."""
        return merged_rows((counted_rows(frame) for frame in frames), self.most)


def merged_rows(counted: Iterable[pl.DataFrame | None], most: int) -> pl.DataFrame | None:
    """Counted rows of several frames; None if one is missing, or they are more than `most`."""
    found: pl.DataFrame | None = None
    for frame in counted:
        if frame is None:
            return None
        found = frame if found is None else counted_rows(pl.concat([found, frame]))
        if found.height > most:
            return None
    return found
