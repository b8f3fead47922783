"""``roclab plot``: a picture of the models in a file."""

from __future__ import annotations

from typing import Annotated, get_args

import typer

from roclab.checks.choices import PictureFormat, PlotKind
from roclab.cli.table import (
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

EXAMPLE = "Example: roclab plot scores.csv --label outcome --kind pr -o pr.svg"


def plot(
    label: Label,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Picture to write: .png, .svg or .pdf."
        ),
    ],
    file: File = None,
    kind: Annotated[
        PlotKind,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="roc: ROC curves with AUCs; pr: precision and recall; pr-gain: their gains; det: "
            "both error rates; calibration: observed rates by probability; decision: net benefit; "
            "gains: capture by share of examples; cost: cost curves; thresholds: rates at every "
            "threshold; margin: AUC by margin; hull: ROC hulls; scores: distributions by class; "
            "forest: AUCs with intervals; pairs: differences of AUC.",
        ),
    ] = "roc",
    score: Score = None,
    positive: Positive = None,
    weight: Weight = None,
    by: Annotated[
        str | None, optional("--by", "COLUMN", "Draw each value of this column separately.")
    ] = None,
    band: Annotated[
        bool,
        typer.Option(
            "--band",
            help="Draw confidence bands of up to three models: simultaneous ones of ROC curves, "
            "pointwise ones of net benefit.",
        ),
    ] = False,
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Draw the models of a file."""
    # Imported here so that --help is fast.
    from roclab.report.plots import write_picture
    from roclab.report.table_figures import table_figures

    source = named_source(file, example="roclab plot --label COLUMN -o roc.png < scores.csv")
    check_output(output, source)
    format = _format(output)
    table = read_table(
        "plot",
        file,
        label=label,
        score=score,
        positive=positive,
        weight=weight,
        by=by,
        input_format=input_format,
        separator=separator,
        decimal=decimal,
    )
    note_missing(table)
    figures = table_figures(table, kind, by=by, band=band)
    write_output(output, lambda picture: write_picture(figures, picture, format))


def _format(output: str) -> PictureFormat:
    known: dict[str, PictureFormat] = {f".{one}": one for one in get_args(PictureFormat)}
    return known[check_suffix(output, [*known], "a known picture format")]
