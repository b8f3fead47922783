"""Export: the rows of a model are written to a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from roclab.data.output_file import write_output
from roclab.monitor.installation import Installation
from roclab.monitor.schema import shown_identifier

if TYPE_CHECKING:
    import polars as pl

_EXPORTED = ("id", "time", "score", "version", "label", "label_time", "implicit")


def export(installation: Installation, model: str, path: Path) -> int:
    """Write the rows of a model to a Parquet file, a part at a time; return their number.

    Parameters
    ----------
    installation : Installation
        Where they are.
    model : str
        Name of the model.
    path : Path
        The file.
    """
    import polars as pl

    from roclab.readers.batches import lazy_batches

    store = installation.store
    number = installation.models[model].record.number
    columns = {
        name: f"segment_{name}" if name in _EXPORTED else name
        for name in store.segment_names(number)
    }
    schema = {
        "id": pl.String(),
        "time": pl.Datetime("us", "UTC"),
        "score": pl.Float64(),
        "version": pl.String(),
        "label": pl.Int8(),
        "label_time": pl.Datetime("us", "UTC"),
        "implicit": pl.Boolean(),
        **dict.fromkeys(columns.values(), pl.String()),
    }
    count = 0

    def frames(wanted: list[str] | None) -> Iterator[pl.DataFrame]:
        nonlocal count
        for rows in store.events(number):
            ids, _, time, score, version, segments, _, label, _, known, implicit = zip(
                *rows, strict=True
            )
            values = {one: dict(store.segments.get(one, ())) for one in {*segments}}
            frame = pl.DataFrame(
                {
                    "id": pl.Series(map(shown_identifier, ids), dtype=pl.String),
                    "time": pl.Series(time, dtype=pl.Int64),
                    "score": pl.Series(score, dtype=pl.Float64),
                    "version": pl.Series(version, dtype=pl.String),
                    "label": pl.Series(label, dtype=pl.Int8),
                    "label_time": pl.Series(known, dtype=pl.Int64),
                    "implicit": pl.Series(implicit, dtype=pl.Int8),
                    **{
                        column: pl.Series(
                            [values[one].get(name) for one in segments], dtype=pl.String
                        )
                        for name, column in columns.items()
                    },
                }
            ).cast(schema)  # type: ignore[arg-type]
            count += len(frame)
            yield frame if wanted is None else frame.select(wanted)

    def write(file: IO[bytes]) -> None:
        lazy_batches(frames, schema).sink_parquet(file)

    write_output(path, write)
    return count
