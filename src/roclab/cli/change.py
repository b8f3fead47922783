"""``roclab change``: what changed the AUC between two files."""

from __future__ import annotations

from typing import Annotated

import typer

from roclab.cli.output import show
from roclab.cli.table import (
    Confidence,
    Decimal,
    Format,
    InputFormatOption,
    Label,
    OneScore,
    Positive,
    Separator,
    note_missing,
    read_table,
)

EXAMPLE = "Example: roclab change march.csv april.csv --label outcome --by country"


def change(
    before: Annotated[
        str, typer.Argument(metavar="BEFORE", help="Table of the first period, as for evaluate.")
    ],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="Table of the second period.")],
    label: Label,
    by: Annotated[
        str, typer.Option("--by", metavar="COLUMN", help="Column with the segment of each row.")
    ],
    score: OneScore = None,
    positive: Positive = None,
    confidence: Confidence = 0.95,
    format: Format = "table",
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Explain a change of the AUC by segments. Its parts: their mix, and the ranking in them."""
    # Imported here so that --help is fast.
    from roclab.inference import auc_change

    periods = [
        read_table(
            "change",
            file,
            label=label,
            score=None if score is None else [score],
            positive=positive,
            weight=None,
            by=by,
            input_format=input_format,
            separator=separator,
            decimal=decimal,
        )
        for file in (before, after)
    ]
    for table in periods:
        note_missing(table)
    show(auc_change(*periods, by=by, confidence_level=confidence), format)
