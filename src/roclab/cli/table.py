"""Options that commands share, and reading the table that they name."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from roclab.checks.choices import MissingLabels, TableFormat
from roclab.cli.output import OutputFormat, note
from roclab.cli.progress import reading
from roclab.errors import InputError

if TYPE_CHECKING:
    from roclab.data.table import ScoreTable


def _between_0_and_1(value: float) -> float:
    if not 0 < value < 1:
        raise typer.BadParameter(f"{value:g} is not between 0 and 1. For 95 % pass 0.95.")
    return value


def optional(name: str, metavar: str, help: str, **limits: Any) -> Any:
    """An option without a default."""
    return typer.Option(name, metavar=metavar, help=help, show_default=False, **limits)


Label = Annotated[
    str, typer.Option("--label", metavar="COLUMN", help="Column with the true labels.")
]
File = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE",
        help="A table with a header: CSV, TSV, JSON lines (these also as .gz or .zst), Parquet, "
        "Arrow or Excel; several files by a pattern in quotes. - or nothing: standard input.",
        show_default=False,
    ),
]
Score = Annotated[
    list[str] | None,
    optional(
        "--score",
        "COLUMN",
        "Columns with the scores of models, higher for positives, separated by commas; may be "
        "repeated. Default: every numeric column.",
    ),
]
OneScore = Annotated[
    str | None,
    optional(
        "--score",
        "COLUMN",
        "Column with the scores, higher for positives. Default: the only numeric column.",
    ),
]
Positive = Annotated[
    str | None,
    optional("--positive", "VALUE", "Positive label; not needed for 0/1, -1/1 and true/false."),
]
Weight = Annotated[str | None, optional("--weight", "COLUMN", "Column with sample weights.")]
By = Annotated[
    str | None, optional("--by", "COLUMN", "Evaluate each value of this column separately.")
]
Cluster = Annotated[
    str | None,
    optional(
        "--cluster",
        "COLUMN",
        "Column of clusters: rows with the same value, such as a patient, depend on each other.",
    ),
]
Confidence = Annotated[
    float,
    typer.Option(
        "--confidence",
        metavar="LEVEL",
        help="Confidence level of the intervals.",
        callback=_between_0_and_1,
    ),
]
Resamples = Annotated[
    int,
    typer.Option("--resamples", metavar="NUMBER", min=1, help="Number of bootstrap replicates."),
]
Seed = Annotated[
    int | None, optional("--seed", "NUMBER", "Random seed, for reproducible results.", min=0)
]
Format = Annotated[
    OutputFormat, typer.Option("--format", help="Output format; json and csv have every digit.")
]
InputFormatOption = Annotated[
    TableFormat | None,
    typer.Option(
        "--input-format",
        help="Format of FILE. Default: by its name; csv for standard input and pipes.",
        show_default=False,
    ),
]


Separator = Annotated[
    str | None,
    optional(
        "--separator",
        "CHARACTER",
        "What separates the fields of a CSV or TSV file. Default: as its header shows.",
    ),
]
Decimal = Annotated[
    str | None,
    optional("--decimal", "SIGN", "Decimal sign in a CSV or TSV file: . or , Default: detected."),
]


def read_table(
    command: str,
    file: str | IO[bytes] | None,
    *,
    label: str,
    score: list[str] | None,
    positive: str | None,
    weight: str | None,
    by: str | list[str] | None,
    input_format: TableFormat | None,
    separator: str | None,
    decimal: str | None,
    missing_labels: MissingLabels = "drop",
) -> ScoreTable:
    """Read the table, with a progress bar."""
    from roclab.readers import read_scores

    source = named_source(file, example=f"roclab {command} --label COLUMN < scores.csv")
    with reading(quiet=source is not file and sys.stdin.isatty()) as progress:
        return read_scores(
            source,
            y_true=label,
            y_score=score or None,
            pos_label=positive,
            sample_weight=weight,
            by=by,
            missing_labels=missing_labels,
            format=input_format,
            separator=separator,
            decimal=decimal,
            progress=progress,
        )


def note_missing(table: ScoreTable) -> None:
    """Note rows and numbers that were left out, where a result does not say it."""
    from roclab.report.documents.rows import missing_notes

    for one in missing_notes(table.missing):
        if one.severity == "warning":
            note(one.text)


def named_source(file: str | IO[bytes] | None, *, example: str) -> str | IO[bytes]:
    """The file that was named or is open already, or standard input."""
    if file is not None and file != "-":
        return file
    standard_input: Any = sys.stdin
    if standard_input is None or (file is None and standard_input.isatty()):
        raise InputError(
            found="No file is named and nothing is piped in",
            fix="Name one, or pipe it in: {example}",
            example=example,
        )
    buffer: IO[bytes] = standard_input.buffer
    return buffer
