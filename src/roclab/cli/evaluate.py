"""``roclab evaluate``: the AUC of every model in a file, with confidence intervals."""

from __future__ import annotations

from typing import Annotated

import typer

from roclab.choices import IntervalMethod, StratumWeighting
from roclab.cli.output import show
from roclab.cli.progress import resampling
from roclab.cli.table import (
    By,
    Cluster,
    Confidence,
    File,
    Format,
    InputFormatOption,
    Label,
    Positive,
    Resamples,
    Score,
    Seed,
    Weight,
    optional,
    read_table,
)

EXAMPLE = "Example: roclab evaluate scores.csv --label outcome --by region"


def evaluate(
    label: Label,
    file: File = None,
    score: Score = None,
    positive: Positive = None,
    weight: Weight = None,
    by: By = None,
    cluster: Cluster = None,
    stratum: Annotated[
        str | None,
        optional(
            "--stratum",
            "COLUMN",
            "Compare only rows with the same value of this column, such as a query.",
        ),
    ] = None,
    weighting: Annotated[
        StratumWeighting,
        typer.Option("--weighting", help="Weights of strata: by their number of pairs, or equal."),
    ] = "pairs",
    fold: Annotated[
        str | None,
        optional(
            "--fold", "COLUMN", "Column with the folds of a cross-validation; averages over them."
        ),
    ] = None,
    measures: Annotated[
        str | None,
        optional(
            "--measures",
            "WORDS",
            "Further measures, with options in brackets, as in "
            '"scored_auc,partial_auc(fpr_range=(0, 0.1))"; see: roclab measures.',
        ),
    ] = None,
    interval: Annotated[
        IntervalMethod, typer.Option("--interval", help="Method of the intervals.")
    ] = "auto",
    confidence: Confidence = 0.95,
    resamples: Resamples = 2000,
    seed: Seed = None,
    format: Format = "table",
    input_format: InputFormatOption = None,
) -> None:
    """AUC of every model in a file, with confidence intervals."""
    # Imported here so that --help is fast.
    from roclab.inference import evaluate as evaluate_table
    from roclab.measures.specification import find_measures

    further = tuple(find_measures(measures or ""))  # refuse a wrong one before a long read
    table = read_table(
        "evaluate",
        file,
        label=label,
        score=score,
        positive=positive,
        weight=weight,
        by=[column for column in (by, cluster, stratum, fold) if column is not None],
        input_format=input_format,
    )
    with resampling() as progress:
        evaluation = evaluate_table(
            table,
            by=by,
            measures=further,
            method=interval,
            confidence_level=confidence,
            n_resamples=resamples,
            rng=seed,
            cluster=cluster,
            stratum=stratum,
            weighting=weighting,
            fold=fold,
            progress=progress,
        )
    show(evaluation, format)


def measures(format: Format = "table") -> None:
    """List the measures with options, range, meaning and reference."""
    # Imported here so that --help is fast.
    from roclab.measures import list_measures

    show(list_measures(), format)
