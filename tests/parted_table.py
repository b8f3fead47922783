"""A table in parts of any kind, as a cluster has them: everything passes through pickles."""

import pickle
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from roclab.scale.tasks import DistinctTask, SurveyTask, merged_rows, merged_surveys


@dataclass
class PartedTable:
    """An engine whose parts are frames in a list; ranges and groups are divided obviously."""

    parts: list
    broadcast_bytes: int = 1 << 20
    keep_bytes: int = 0
    rows: None = None
    most_distinct: int | None = None  # as if more distinct rows were too many

    def glance(self, reader, rows):
        return pl.concat(self.parts).head(rows).select(reader.columns)

    def where(self, by, keys, *, among):
        found = pl.any_horizontal([pl.col(by) == key for key in keys])
        chosen = [part.filter(found == among) for part in self.parts]
        return replace(self, parts=chosen)

    def derived(self, task, rows):  # noqa: ARG002, as of the engines
        sent = pickle.loads(pickle.dumps(task))
        made = [sent(part.select(task.reader.columns)) for part in self.parts]
        return replace(self, parts=made)

    def survey(self, reader):
        return merged_surveys(self.map(SurveyTask(reader)))

    def distinct_rows(self, reader, most):
        most = most if self.most_distinct is None else self.most_distinct
        return merged_rows(self.map(DistinctTask(reader, most)), most)

    def map(self, task):
        for part in self.parts:
            sent = pickle.loads(pickle.dumps(task))
            frames = [part.select(task.reader.columns)]
            yield pickle.loads(pickle.dumps(sent(frames)))

    def range_summaries(self, task, sample):
        whole = pl.concat(self.parts)
        [model] = task.reader.models
        bounds = sorted({*sample[:: max(len(sample) // 4, 1)].tolist()})
        place = np.searchsorted(np.array(bounds), whole[model].fill_null(0).to_numpy())
        for number in range(len(bounds) + 1):
            yield from replace(self, parts=[whole.filter(place == number)]).map(task)

    def map_groups(self, task, by, n_groups):
        whole = pl.concat(self.parts)
        for remainder in range(min(n_groups, 3)):
            part = whole.filter((pl.col(by).hash() % min(n_groups, 3)) == remainder)
            yield from replace(self, parts=[part]).map(task)
