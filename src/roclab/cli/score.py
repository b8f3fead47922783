"""``roclab score``: the scores of a trained model for the rows of a file."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from roclab.cli.output import note, write
from roclab.cli.progress import reading
from roclab.cli.table import Decimal, File, InputFormatOption, Separator, named_source
from roclab.errors import InputError

EXAMPLE = "Example: roclab score model.skops new.csv > scores.csv"


def score(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model written by roclab train.")],
    file: File = None,
    name: Annotated[
        str, typer.Option("--name", metavar="COLUMN", help="Name of the new column.")
    ] = "score",
    probability: Annotated[
        bool,
        typer.Option(
            "--probability",
            help="Write probabilities instead of log odds. Scores of a tree are probabilities.",
        ),
    ] = False,
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Write the scores of a trained model. CSV, beside the columns that are no features."""
    # Imported here so that --help is fast.
    import numpy as np

    from roclab.learning import load_model
    from roclab.readers import read_features
    from roclab.readers.rewriting import csv_bytes, with_column

    loaded = load_model(model)  # refuse a wrong one before a long read
    source = named_source(file, example="roclab score MODEL < rows.csv")
    with reading(quiet=source is not file and sys.stdin.isatty()) as progress:
        table = read_features(
            source,
            loaded.features,
            categories=loaded.categories,
            format=input_format,
            separator=separator,
            decimal=decimal,
            progress=progress,
        )
    if name in table.others.columns:
        raise InputError(
            found="The file already has a column `{column}`",
            fix="Choose another name with {name}.",
            column=name,
        )
    scores = loaded.scores(table.features, probability=probability)
    without = int(np.isnan(scores).sum())
    if without:
        note(f"{without:,} of {len(scores):,} rows have no score: a feature is missing or infinite")
    write(csv_bytes(with_column(table.others, name, scores)))
