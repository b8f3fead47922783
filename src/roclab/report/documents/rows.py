"""Notes on the rows of a table: left out, skipped, dependent."""

from __future__ import annotations

from roclab.formatting import listed, one_line
from roclab.report.document import Note
from roclab.table import MissingValues


def missing_notes(missing: MissingValues) -> list[Note]:
    """Rows that were left out."""
    if not missing.rows_dropped:
        return []
    counts = sorted(missing.by_column.items(), key=lambda item: -item[1])
    columns = listed(f"{one_line(name)} {count:,}" for name, count in counts)
    dropped = f"{missing.rows_dropped:,} of {missing.rows_read:,} rows left out"
    return [Note(text=f"{dropped}; values missing: {columns}.", severity="warning")]


def skipped_notes(missing: MissingValues) -> list[Note]:
    """Columns that were not taken for scores."""
    skipped = listed(map(one_line, missing.columns_skipped))
    return [Note(text=f"Columns ignored because they are not numeric: {skipped}.")] * bool(skipped)


def cluster_notes(cluster: str | None) -> list[Note]:
    """Which rows are not independent."""
    if cluster is None:
        return []
    return [Note(text=f"Rows with the same {one_line(cluster)} form one cluster.")]


def size_note(n_pos: int, n_neg: int) -> Note:
    """Numbers of examples."""
    return Note(text=f"{n_pos:,} positive, {n_neg:,} negative examples.")
