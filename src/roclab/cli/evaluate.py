"""``roclab evaluate``: the AUC of every model in a file, with confidence intervals."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import IO, Annotated, Any

import typer

from roclab.cli.output import OutputFormat, note, show
from roclab.cli.progress import reading
from roclab.errors import InputError

__all__ = ["EXAMPLE", "evaluate"]

EXAMPLE = "Example: roclab evaluate scores.csv --label outcome --by region"


class InputFormat(StrEnum):
    """Formats that are read."""

    csv = "csv"
    tsv = "tsv"
    parquet = "parquet"
    jsonl = "jsonl"


def _between_0_and_1(value: float) -> float:
    if not 0 < value < 1:
        raise typer.BadParameter(f"{value:g} is not between 0 and 1. For 95 % give 0.95.")
    return value


def evaluate(
    label: Annotated[
        str, typer.Option("--label", metavar="COLUMN", help="The column with the true labels.")
    ],
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="A table with a header: CSV, TSV, Parquet or JSON lines (the text formats also "
            "with .gz or .zst). - or nothing: standard input.",
            show_default=False,
        ),
    ] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(
            "--score",
            metavar="COLUMN",
            help="A column with a model's scores, higher for more positive. May be repeated. "
            "Without it: every numeric column.",
            show_default=False,
        ),
    ] = None,
    positive: Annotated[
        str | None,
        typer.Option(
            "--positive",
            metavar="VALUE",
            help="The label that is positive; not needed for 0/1, -1/1 and true/false.",
            show_default=False,
        ),
    ] = None,
    weight: Annotated[
        str | None,
        typer.Option(
            "--weight", metavar="COLUMN", help="The column with weights.", show_default=False
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="Evaluate each value of this column by itself.",
            show_default=False,
        ),
    ] = None,
    measures: Annotated[
        str | None,
        typer.Option(
            "--measures",
            metavar="WORDS",
            help="Further measures by name, with options in brackets, as in "
            '"scored_auc,partial_auc(max_fpr=0.1)"; see: roclab measures.',
            show_default=False,
        ),
    ] = None,
    confidence: Annotated[
        float,
        typer.Option(
            "--confidence",
            metavar="LEVEL",
            help="Confidence level of the intervals.",
            callback=_between_0_and_1,
        ),
    ] = 0.95,
    format: Annotated[
        OutputFormat,
        typer.Option("--format", help="How to print the result; json and csv have every digit."),
    ] = OutputFormat.table,
    input_format: Annotated[
        InputFormat | None,
        typer.Option(
            "--input-format",
            help="What FILE is. Without it: what its name says; csv for standard input.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """AUC of every model in a file, with confidence intervals."""
    # Here and not above, so that the help comes at once.
    from roclab.inference import evaluate as evaluate_table
    from roclab.measures import find_measures
    from roclab.readers import read_scores
    from roclab.report import text

    further = tuple(find_measures(measures or ""))  # a wrong word is told before a long read
    source = _source(file)
    with reading(quiet=source is not file and sys.stdin.isatty()) as progress:
        table = read_scores(
            source,
            y_true=label,
            y_score=score or None,
            pos_label=positive,
            sample_weight=weight,
            by=by,
            format=input_format,
            progress=progress,
        )
    evaluation = evaluate_table(table, by=by, measures=further, confidence_level=confidence)
    if format in (OutputFormat.json, OutputFormat.csv):
        for line in text.notes(evaluation):
            note(line)
    show(evaluation, format)


def _source(file: str | None) -> str | IO[bytes]:
    if file is not None and file != "-":
        return file
    standard_input: Any = sys.stdin
    if standard_input is None or (file is None and standard_input.isatty()):
        raise InputError(
            "No file was named and nothing is piped in. Name one, or pipe a table: "
            "roclab evaluate --label COLUMN < scores.csv"
        )
    buffer: IO[bytes] = standard_input.buffer
    return buffer
