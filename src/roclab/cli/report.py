"""``roclab report``: one HTML page on a table of scores."""

from __future__ import annotations

import hashlib
import shlex
from io import BytesIO
from pathlib import Path
from typing import Annotated

import typer

from roclab import __version__
from roclab.cli.output import write
from roclab.cli.progress import writing
from roclab.cli.table import (
    By,
    Decimal,
    File,
    InputFormatOption,
    Label,
    Positive,
    Score,
    Separator,
    Weight,
    named_source,
    note_missing,
    optional,
    read_table,
)
from roclab.data.output_file import check_output, check_suffix, write_output

EXAMPLE = "Example: roclab report scores.csv --label outcome --by country -o report.html"


def report(
    context: typer.Context,
    label: Label,
    file: File = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="HTML file to write.")
    ] = "report.html",
    score: Score = None,
    positive: Positive = None,
    weight: Weight = None,
    by: By = None,
    reference: Annotated[
        str | None,
        optional(
            "--reference", "FILE", "Table of an earlier period: the report says what changed."
        ),
    ] = None,
    false_positive_cost: Annotated[
        float | None,
        optional("--false-positive-cost", "COST", "Cost of a false positive, for the threshold."),
    ] = None,
    false_negative_cost: Annotated[
        float | None,
        optional("--false-negative-cost", "COST", "Cost of a false negative, for the threshold."),
    ] = None,
    prevalence: Annotated[
        float | None,
        optional(
            "--prevalence",
            "SHARE",
            "Share of positives where the model will be used. Default: that of the data.",
        ),
    ] = None,
    capacity: Annotated[
        float | None,
        optional("--capacity", "SHARE", "Largest share of examples that can be called positive."),
    ] = None,
    title: Annotated[
        str | None, optional("--title", "TEXT", "Title of the page. Default: the name of FILE.")
    ] = None,
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Write an HTML page on the models of a file.

    It says how good they are, which one to use and which threshold to set.
    """
    # Imported here so that --help is fast.
    from roclab.report.page.build import html_report

    source = named_source(file, example="roclab report --label COLUMN < scores.csv")
    sources = [source] if reference is None else [source, reference]
    check_output(output, *sources)
    check_suffix(output, ("", ".html", ".htm"), "a web page")
    # Standard input can be read once, and its checksum needs it as well.
    kept = [one if isinstance(one, str) else BytesIO(one.read()) for one in sources]
    tables = [
        read_table(
            "report",
            one,
            label=label,
            score=score,
            positive=positive,
            weight=weight,
            by=by,
            input_format=input_format,
            separator=separator,
            decimal=decimal,
        )
        for one in kept
    ]
    for table in tables:
        note_missing(table)
    facts = {
        "Command": shlex.join(["roclab", "report", *_arguments(context)]),
        "Version": f"roclab {__version__}",
        **{f"SHA-256 of {_name(one)}": _checksum(one) for one in kept},
    }
    with writing() as progress:
        page = html_report(
            tables[0],
            by=by,
            reference=tables[1] if reference is not None else None,
            false_positive_cost=false_positive_cost,
            false_negative_cost=false_negative_cost,
            prevalence=prevalence,
            capacity=capacity,
            title=_name(kept[0]) if title is None else title,
            facts=facts,
            progress=progress,
        )
    write_output(output, lambda stream: stream.write(page.encode()))
    write(f"{output}: {len(page.encode()) / 1000:,.0f} KB. Open it in a browser.\n")


def _arguments(context: typer.Context) -> list[str]:
    """What the command was called with, apart from defaults."""
    found: list[str] = []
    # The file first, as everyone writes it.
    for parameter in sorted(context.command.params, key=lambda one: one.param_type_name):
        value = context.params.get(parameter.name or "")
        if value is None or value == parameter.default:
            continue
        option = [] if parameter.param_type_name == "argument" else [parameter.opts[0]]
        if value is True:
            found += option
            continue
        for one in value if isinstance(value, list | tuple) else [value]:
            found += [*option, str(one)]
    return found


def _name(source: str | BytesIO) -> str:
    return Path(source).name if isinstance(source, str) else "standard input"


def _checksum(source: str | BytesIO) -> str:
    if not isinstance(source, str):
        return hashlib.sha256(source.getbuffer()).hexdigest()
    with open(source, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
