"""``roclab threshold``: choose a threshold for costs or limits."""

from __future__ import annotations

from typing import Annotated

from roclab.cli.output import show
from roclab.cli.progress import resampling
from roclab.cli.table import (
    Confidence,
    Decimal,
    File,
    Format,
    InputFormatOption,
    Label,
    OneScore,
    Positive,
    Resamples,
    Seed,
    Separator,
    Weight,
    note_missing,
    optional,
    read_table,
)
from roclab.errors import InputError
from roclab.formatting import listed, one_line

EXAMPLE = "Example: roclab threshold scores.csv --label outcome --false-negative-cost 10"


def threshold(
    label: Label,
    file: File = None,
    score: OneScore = None,
    positive: Positive = None,
    weight: Weight = None,
    false_positive_cost: Annotated[
        float | None,
        optional("--false-positive-cost", "COST", "Cost of a false positive. Default: 1."),
    ] = None,
    false_negative_cost: Annotated[
        float | None,
        optional("--false-negative-cost", "COST", "Cost of a false negative. Default: 1."),
    ] = None,
    prevalence: Annotated[
        float | None,
        optional(
            "--prevalence",
            "SHARE",
            "Share of positives where the threshold will be used. Default: that of the file.",
        ),
    ] = None,
    max_fpr: Annotated[
        float | None, optional("--max-fpr", "RATE", "Highest false positive rate allowed.")
    ] = None,
    min_tpr: Annotated[
        float | None, optional("--min-tpr", "RATE", "Lowest true positive rate allowed.")
    ] = None,
    capacity: Annotated[
        float | None,
        optional("--capacity", "SHARE", "Largest share of examples that can be called positive."),
    ] = None,
    confidence: Confidence = 0.95,
    resamples: Resamples = 1000,
    seed: Seed = None,
    format: Format = "table",
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Choose a threshold for costs or limits."""
    # Imported here so that --help is fast.
    from roclab.decisions import choose_threshold

    table = read_table(
        "threshold",
        file,
        label=label,
        score=None if score is None else [score],
        positive=positive,
        weight=weight,
        by=None,
        input_format=input_format,
        separator=separator,
        decimal=decimal,
    )
    if len(table.names) != 1:
        raise InputError(
            found="There are {count} score columns: {names}",
            needed="a threshold is chosen for one model",
            fix="Name its column with {y_score}.",
            count=len(table.names),
            names=listed(map(one_line, table.names)),
        )
    note_missing(table)
    with resampling() as progress:
        choice = choose_threshold(
            table[table.names[0]],
            false_positive_cost=false_positive_cost,
            false_negative_cost=false_negative_cost,
            prevalence=prevalence,
            max_fpr=max_fpr,
            min_tpr=min_tpr,
            capacity=capacity,
            confidence_level=confidence,
            n_resamples=resamples,
            rng=seed,
            progress=progress,
        )
    show(choice, format)
