"""``roclab evaluate``: the AUC of every model in a file, with confidence intervals."""

from __future__ import annotations

from typing import Annotated

import typer

from roclab.checks.choices import IntervalMethod, MissingLabels, StratumWeighting
from roclab.cli.engine import EngineOption, Memory, chosen_engine, refuse_in_parts
from roclab.cli.output import show
from roclab.cli.progress import reading, resampling
from roclab.cli.table import (
    By,
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
        typer.Option(
            "--weighting", help="Weights of strata: their pairs, rows or positives, or equal."
        ),
    ] = "pairs",
    fold: Annotated[
        str | None,
        optional(
            "--fold", "COLUMN", "Column with the folds of a cross-validation; averages over them."
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        optional(
            "--measure",
            "MEASURE",
            "Further measures, separated by commas, with options in brackets, as in "
            '"scored_auc,partial_auc(fpr_range=(0, 0.1))"; may be repeated. See: roclab measures.',
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        optional(
            "--threshold",
            "SCORE",
            "Also show the rates at this threshold, with intervals: scores at or above it are "
            "called positive. With --by, tests whether they depend on the group.",
        ),
    ] = None,
    interval: Annotated[
        IntervalMethod, typer.Option("--interval", help="Method of the intervals.")
    ] = "auto",
    missing_labels: Annotated[
        MissingLabels,
        typer.Option(
            "--missing-labels",
            help="Rows without a label: drop them, or also show the bounds between which the AUC "
            "of all rows lies, whatever their labels are.",
        ),
    ] = "drop",
    positive_rate: Annotated[
        str | None,
        optional(
            "--positive-rate",
            "LOW[,HIGH]",
            "Proportion of positives among the missing labels, for narrower bounds.",
        ),
    ] = None,
    engine: EngineOption = "auto",
    memory: Memory = None,
    max_error: Annotated[
        float | None,
        optional(
            "--max-error",
            "ERROR",
            "Count scores in bins, in one pass over the file, so that the AUC is at most this far "
            "from the exact one, such as 1e-4.",
        ),
    ] = None,
    confidence: Confidence = 0.95,
    resamples: Resamples = 2000,
    seed: Seed = None,
    format: Format = "table",
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """AUC of every model in a file, with confidence intervals."""
    # Imported here so that --help is fast.
    from roclab.inference import evaluate as evaluate_table
    from roclab.measures.specification import find_measures

    # Before a long read, so that a wrong one is refused at once.
    further = tuple(find_measures(",".join(measure or [])))
    engine = chosen_engine(file, engine, memory, in_parts=max_error is not None)
    if engine != "memory":
        options: dict[str, object] = {"cluster": cluster, "stratum": stratum, "fold": fold}
        options["threshold"] = threshold is not None
        options["interval"] = interval if interval != "auto" else None
        options["missing_labels"] = missing_labels if missing_labels != "drop" else None
        refuse_in_parts(engine, options)
        from roclab.scale import evaluate as evaluate_in_parts
        from roclab.scale.sources import read_on

        with reading() as progress:
            evaluation = evaluate_in_parts(
                read_on(engine, str(file), input_format),
                y_true=label,
                y_score=score or None,
                by=by,
                sample_weight=weight,
                pos_label=positive,
                measures=further,
                method="exact" if max_error is None else "bounded",
                max_error=1e-4 if max_error is None else max_error,
                confidence_level=confidence,
                memory_limit=memory,
                format=input_format,
                separator=separator,
                decimal=decimal,
                progress=progress,
            )
        show(evaluation, format)
        return
    table = read_table(
        "evaluate",
        file,
        label=label,
        score=score,
        positive=positive,
        weight=weight,
        by=[column for column in (by, cluster, stratum, fold) if column is not None],
        input_format=input_format,
        separator=separator,
        decimal=decimal,
        missing_labels=missing_labels,
    )
    with resampling() as progress:
        evaluation = evaluate_table(
            table,
            by=by,
            measures=further,
            threshold=threshold,
            method=interval,
            confidence_level=confidence,
            n_resamples=resamples,
            rng=seed,
            cluster=cluster,
            stratum=stratum,
            weighting=weighting,
            fold=fold,
            positive_rate=_rates(positive_rate),
            progress=progress,
        )
    show(evaluation, format)


def _rates(text: str | None) -> float | tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, *high = (float(part) for part in text.strip("()").split(","))
        (top,) = high or [low]
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a proportion, such as 0.1 or 0.1,0.2.") from None
    return (low, top) if high else low


def measures(format: Format = "table") -> None:
    """List the measures that other commands take. Shows options, range, meaning and reference."""
    # Imported here so that --help is fast.
    from roclab.measures import list_measures

    show(list_measures(), format)
