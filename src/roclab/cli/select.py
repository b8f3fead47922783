"""``roclab select``: the best model of a file, and the contenders."""

from __future__ import annotations

from typing import Annotated

import typer

from roclab.cli.output import show
from roclab.cli.progress import resampling
from roclab.cli.table import (
    Cluster,
    Confidence,
    Decimal,
    File,
    Format,
    InputFormatOption,
    Label,
    Positive,
    Resamples,
    Score,
    Seed,
    Separator,
    Weight,
    optional,
    read_table,
)

EXAMPLE = "Example: roclab select scores.csv --label outcome --measure scored_auc"


def select(
    label: Label,
    file: File = None,
    score: Score = None,
    positive: Positive = None,
    weight: Weight = None,
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            metavar="MEASURE",
            help="Measure to choose by, with options in brackets, as in "
            '"lambda_auc(granularity=0.05)"; see: roclab measures.',
        ),
    ] = "auc",
    ties: Annotated[
        str | None,
        optional(
            "--ties",
            "MEASURE",
            "Measure that decides between models of equal value. Default: their order.",
        ),
    ] = None,
    cluster: Cluster = None,
    confidence: Confidence = 0.95,
    resamples: Resamples = 2000,
    seed: Seed = None,
    format: Format = "table",
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Choose the best of the models in a file. Shows the contenders and the selection bias."""
    # Imported here so that --help is fast.
    from roclab.measures import find_measure
    from roclab.selection import select_model

    for word in filter(None, (measure, ties)):
        find_measure(word)  # refuse a wrong one before a long read
    table = read_table(
        "select",
        file,
        label=label,
        score=score,
        positive=positive,
        weight=weight,
        by=cluster,
        input_format=input_format,
        separator=separator,
        decimal=decimal,
    )
    with resampling() as progress:
        selection = select_model(
            table,
            measure=measure,
            ties=ties,
            confidence_level=confidence,
            n_resamples=resamples,
            rng=seed,
            cluster=cluster,
            progress=progress,
        )
    show(selection, format)
