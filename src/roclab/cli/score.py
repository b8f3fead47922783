"""``roclab score``: the scores of a trained model for the rows of a file."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from roclab.cli.output import note, write
from roclab.cli.progress import reading
from roclab.cli.table import File, InputFormatOption, named_source
from roclab.errors import InputError

__all__ = ["EXAMPLE", "score"]

EXAMPLE = "Example: roclab score model.skops new.csv > scores.csv"


def score(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A model that roclab train has written.")
    ],
    file: File = None,
    name: Annotated[
        str, typer.Option("--name", metavar="COLUMN", help="What the new column is called.")
    ] = "score",
    probability: Annotated[
        bool,
        typer.Option(
            "--probability",
            help="Write probabilities and not their log odds. A tree's scores are that anyway.",
        ),
    ] = False,
    input_format: InputFormatOption = None,
) -> None:
    """Write the scores of a trained model, beside the columns that it did not take, as CSV."""
    # Here and not above, so that the help comes at once.
    import numpy as np

    from roclab.learning import load_model
    from roclab.readers import read_features
    from roclab.readers.rewriting import csv_bytes, with_column

    loaded = load_model(model)  # a wrong model is told before a long read
    source = named_source(file, example="roclab score MODEL < rows.csv")
    with reading(quiet=source is not file and sys.stdin.isatty()) as progress:
        table = read_features(
            source,
            loaded.features,
            categories=loaded.categories,
            format=input_format,
            progress=progress,
        )
    if name in table.others.columns:
        raise InputError(
            f"The file has a column `{name}` already; the new one needs a name of its own. Give "
            "one with --name."
        )
    scores = loaded.scores(table.features, probability=probability)
    without = int(np.isnan(scores).sum())
    if without:
        note(f"{without:,} of {len(scores):,} rows have no score: a feature is missing or infinite")
    write(csv_bytes(with_column(table.others, name, scores)))
