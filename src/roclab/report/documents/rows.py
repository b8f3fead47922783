"""Columns of models and sizes, and notes on rows: left out, skipped, dependent."""

from __future__ import annotations

from collections.abc import Sequence

from roclab.data.table import MissingValues
from roclab.formatting import listed, one_line, sentence
from roclab.report.document import Column, Note
from roclab.report.formats import count, interval, number, unless_undefined

_NO_POWER, _LITTLE_POWER = 0.2, 0.5

MODEL = Column("model", ("model",), one_line, kind="name")
N_POS = Column("n+", ("n_pos",), count, "Positive examples.")
N_NEG = Column("n-", ("n_neg",), count, "Negative examples.")


_SIGNS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "bars"}


def estimate_columns(value: str, ends: str, digits: int) -> tuple[Column, ...]:
    """A model, the value of its measure and the ends of its interval, with these two titles."""
    shown = unless_undefined(interval(digits))
    interval_column = Column(ends, ("value", "low", "high"), shown)
    return MODEL, Column(value, ("value",), number(digits)), interval_column


def missing_notes(missing: MissingValues) -> list[Note]:
    """Rows that were left out, columns that were not taken for scores, and signs of a text file."""
    notes = dropped_notes(missing)
    if missing.separator is not None or missing.decimal is not None:
        signs = {"Fields are separated by": missing.separator, "decimals by": missing.decimal}
        found = [f"{what} {_SIGNS.get(sign, sign)}" for what, sign in signs.items() if sign]
        text = " and ".join(found).capitalize() + ", as detected; "
        notes.append(Note(text + "the options separator and decimal override it."))
    if missing.columns_skipped:
        skipped = listed(map(one_line, missing.columns_skipped))
        notes.append(Note(sentence(f"Columns ignored because they are not numeric: {skipped}")))
    if missing.identifiers:
        named = listed(map(one_line, missing.identifiers))
        text = sentence(f"Columns ignored because they look like identifiers: {named}")
        text += " To include them, name all score columns."
        notes.append(Note(text, severity="warning"))
    return notes


def dropped_notes(missing: MissingValues) -> list[Note]:
    """Rows that were left out."""
    if not missing.rows_dropped:
        return []
    counts = sorted(missing.by_column.items(), key=lambda item: -item[1])
    columns = listed(f"{one_line(name)} {count:,}" for name, count in counts)
    dropped = f"{missing.rows_dropped:,} of {missing.rows_read:,} rows left out"
    return [Note(f"{dropped}; values missing: {columns}.", severity="warning")]


def cluster_notes(cluster: str | None) -> list[Note]:
    """Which rows are not independent."""
    if cluster is None:
        return []
    return [Note(f"Rows with the same {one_line(cluster)} form one cluster.")]


def size_note(n_pos: int, n_neg: int) -> Note:
    """Numbers of examples."""
    return Note(f"{n_pos:,} positive, {n_neg:,} negative examples.")


def power_notes(
    sizes: tuple[int, int], found: Sequence[tuple[float, float]], pairs: int = 1
) -> list[Note]:
    """That no test has power for some differences that are not significant.

    `found` has the bound of their power and the lower AUC of each; `pairs` are all differences.
    """
    without = [one for one in found if one[0] < _LITTLE_POWER]
    if not without:
        return []
    bound, weaker = max(without)
    n_pos, n_neg = sizes
    few = f"{min(sizes):,} {'positive' if n_pos <= n_neg else 'negative'}{'s' * (min(sizes) != 1)}"
    which = f" for {len(without):,} of {pairs:,} pairs" * (pairs > 1)
    power = "power" if bound < _NO_POWER else "much power"
    text = (
        f"No test has {power} here with {few}{which}: one that holds its level for ROC curves of "
        f"all shapes finds even a perfect model significantly better than one with AUC "
        f"{weaker:.3f} with a probability of at most {bound:.2f}."
    )
    return [Note(text, severity="warning")]
