"""``roclab compare``: differences between the models of a file."""

from __future__ import annotations

from typing import Annotated

import typer

from roclab.choices import Correction, EstimatedMeasure, PairMethod
from roclab.cli.output import show
from roclab.cli.table import (
    By,
    Cluster,
    Confidence,
    File,
    Format,
    InputFormatOption,
    Label,
    Positive,
    Score,
    Weight,
    read_table,
)

EXAMPLE = "Example: roclab compare scores.csv --label outcome --score old --score new"


def compare(
    label: Label,
    file: File = None,
    score: Score = None,
    positive: Positive = None,
    weight: Weight = None,
    by: By = None,
    cluster: Cluster = None,
    measure: Annotated[
        EstimatedMeasure, typer.Option("--measure", help="Measure to compare.")
    ] = "auc",
    correction: Annotated[
        Correction,
        typer.Option(
            "--correction",
            help="Correction of p-values for the number of pairs: Holm, Benjamini-Hochberg (fdr) "
            "or none.",
        ),
    ] = "holm",
    method: Annotated[
        PairMethod,
        typer.Option(
            "--method",
            help="Test of each pair: auto, which holds its level in small samples, or delong.",
        ),
    ] = "auto",
    confidence: Confidence = 0.95,
    format: Format = "table",
    input_format: InputFormatOption = None,
) -> None:
    """Compare all models in a file: differences, intervals and tests."""
    # Imported here so that --help is fast.
    from roclab.inference import compare as compare_models

    table = read_table(
        "compare",
        file,
        label=label,
        score=score,
        positive=positive,
        weight=weight,
        by=[column for column in (by, cluster) if column is not None],
        input_format=input_format,
    )
    comparison = compare_models(
        table,
        measure=measure,
        by=by,
        correction=correction,
        method=method,
        confidence_level=confidence,
        cluster=cluster,
    )
    show(comparison, format)
