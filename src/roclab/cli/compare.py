"""``roclab compare``: which models of a file differ, and by how much."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from roclab.cli.output import OutputFormat, show
from roclab.cli.table import (
    By,
    Cluster,
    Confidence,
    File,
    InputFormatOption,
    Label,
    Positive,
    Score,
    Weight,
    read_table,
)

__all__ = ["EXAMPLE", "compare"]

EXAMPLE = "Example: roclab compare scores.csv --label outcome --score old --score new"


class ComparedMeasure(StrEnum):
    """What can be compared."""

    auc = "auc"
    scored_auc = "scored_auc"


class Correction(StrEnum):
    """Ways to adjust p-values for the number of pairs."""

    holm = "holm"
    fdr = "fdr"
    none = "none"


def compare(
    label: Label,
    file: File = None,
    score: Score = None,
    positive: Positive = None,
    weight: Weight = None,
    by: By = None,
    cluster: Cluster = None,
    measure: Annotated[
        ComparedMeasure, typer.Option("--measure", help="What to compare.")
    ] = ComparedMeasure.auc,
    correction: Annotated[
        Correction,
        typer.Option(
            "--correction",
            help="How p-values are adjusted for the number of pairs: after Holm, after Benjamini "
            "and Hochberg (false discovery rate), or not.",
        ),
    ] = Correction.holm,
    confidence: Confidence = 0.95,
    format: Annotated[
        OutputFormat,
        typer.Option("--format", help="How to print the result; json and csv have every digit."),
    ] = OutputFormat.table,
    input_format: InputFormatOption = None,
) -> None:
    """All models in a file against each other: differences, intervals and tests."""
    # Here and not above, so that the help comes at once.
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
        measure=measure.value,
        by=by,
        correction=correction.value,
        confidence_level=confidence,
        cluster=cluster,
    )
    show(comparison, format)
