"""Tables read by every engine on this machine: in memory, in parts, and from a stream of Arrow."""

from dataclasses import replace

import numpy as np
import polars as pl

import roclab as rl
from roclab.readers.columns import Columns
from roclab.readers.opening import FileOptions
from roclab.readers.rows import RowCounts, RowReader, check_counts
from roclab.scale.grouped_rows import keys_of
from roclab.scale.sources import open_table
from roclab.scale.tasks import SurveyTask

ENGINES = ("memory", "parts", "stream")


def read_with(engine, source, **options):
    """The `ScoreTable` that an engine reads; raises what it raises."""
    if engine == "memory" or options.get("missing_labels", "drop") != "drop":
        return rl.read_scores(source, **options)
    if engine == "stream" and isinstance(source, pl.DataFrame):
        # polars refuses its own enumerations in a stream.
        source = source.with_columns(pl.col(pl.Enum).cast(pl.Categorical))
        source = source.lazy().collect_batches(chunk_size=3)
    return read_in_parts(source, **options)


def read_in_parts(
    source,
    *,
    y_true,
    y_score=None,
    pos_label=None,
    sample_weight=None,
    by=None,
    missing_labels="drop",
    progress=None,
    **files,
):
    """A `ScoreTable` of rows that are read in batches, as large tables are."""
    del missing_labels
    columns = Columns.named(y_true=y_true, y_score=y_score, sample_weight=sample_weight, by=by)
    with open_table(
        source,
        columns,
        pos_label=pos_label,
        options=FileOptions(**files),
        memory_limit="10MB",
        progress=progress,
    ) as (table, reading):
        reader = replace(reading.reader, also=columns.groups)
        counts = RowCounts()
        for survey in table.map(SurveyTask(reader)):
            counts.add(survey.counts)
        check_counts(counts, reader)
        whole = table.frame.select(reader.columns).collect()
    # As numbers beside the scores: rows of weight 0 belong to a table too.
    weight = () if reader.weight is None else (reader.weight,)
    every = replace(reader, weight=None, models=(*reader.models, *weight))
    rows = every.read(whole)
    columns_read = dict(zip(every.models, rows.scores, strict=True))
    return rl.ScoreTable(
        rows.labels.view(np.bool_),
        {name: columns_read[name] for name in reader.models},
        sample_weight=columns_read[weight[0]] if weight else None,
        groups={name: groups_of(every, whole, name) for name in columns.groups} or None,
        missing=reading.left_out(counts),
    )


def groups_of(reader: RowReader, frame, name):
    values = keys_of(replace(reader, by=name).read(frame).groups)
    column = np.empty(len(values), object)
    column[:] = values
    return column
