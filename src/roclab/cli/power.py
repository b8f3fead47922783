"""``roclab power``: sample size and power of studies of the AUC."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from roclab.checks.choices import Alternative, PlanningMethod, TableFormat
from roclab.cli.output import show
from roclab.cli.progress import simulating
from roclab.cli.table import (
    Decimal,
    Format,
    InputFormatOption,
    Positive,
    Score,
    Seed,
    Separator,
    note_missing,
    optional,
    read_table,
)
from roclab.errors import InputError

if TYPE_CHECKING:
    from roclab.data.table import ScoreTable

EXAMPLE = "Example: roclab power --auc 0.80 --other-auc 0.75 --correlation 0.5 --power 0.9"


def power(
    auc: Annotated[float | None, optional("--auc", "AUC", "Expected AUC.")] = None,
    n_pos: Annotated[
        int | None, optional("--n-pos", "NUMBER", "Number of positive examples.")
    ] = None,
    n_neg: Annotated[
        int | None, optional("--n-neg", "NUMBER", "Number of negative examples.")
    ] = None,
    ratio: Annotated[
        float | None,
        optional(
            "--ratio",
            "NUMBER",
            "Negatives per positive. Default, without sizes: that of the pilot, or 1.",
        ),
    ] = None,
    power: Annotated[
        float | None, optional("--power", "NUMBER", "Power of the test. Default: 0.9.")
    ] = None,
    width: Annotated[
        float | None,
        optional("--width", "NUMBER", "Instead of a power: width of the confidence interval."),
    ] = None,
    alpha: Annotated[
        str,
        typer.Option(
            "--alpha",
            metavar="NUMBER",
            help="Significance level; ? to solve for it.",
        ),
    ] = "0.05",
    null_value: Annotated[
        float | None,
        optional("--null-value", "AUC", "AUC under the null hypothesis. Default: 0.5."),
    ] = None,
    other_auc: Annotated[
        float | None,
        optional("--other-auc", "AUC", "Instead of a null value: AUC of another model."),
    ] = None,
    correlation: Annotated[
        float | None,
        optional(
            "--correlation", "NUMBER", "Correlation of the two models' scores within a class."
        ),
    ] = None,
    estimate_correlation: Annotated[
        float | None,
        optional("--estimate-correlation", "NUMBER", "Instead: correlation of the two AUCs."),
    ] = None,
    unpaired: Annotated[
        bool,
        typer.Option(
            "--unpaired", help="The models score different rows; sizes are those of the first."
        ),
    ] = False,
    sample_ratio: Annotated[
        float,
        typer.Option(
            "--sample-ratio",
            metavar="NUMBER",
            help="Rows of the other model for each row of the first, with --unpaired.",
        ),
    ] = 1.0,
    alternative: Annotated[
        Alternative, typer.Option("--alternative", help="Alternative hypothesis.")
    ] = "two-sided",
    method: Annotated[
        PlanningMethod,
        typer.Option("--method", help="Method to predict the variance."),
    ] = "obuchowski",
    pilot: Annotated[
        str | None,
        optional(
            "--pilot",
            "FILE",
            "Table of a pilot study with one or two models, for the variance and for AUCs that are "
            "left out.",
        ),
    ] = None,
    label: Annotated[
        str | None, optional("--label", "COLUMN", "Column with the true labels of the pilot.")
    ] = None,
    score: Score = None,
    positive: Positive = None,
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            metavar="MEASURE",
            help="auc, or with a pilot a partial AUC: 'partial_auc(fpr_range=(0, 0.1))'.",
        ),
    ] = "auc",
    simulate: Annotated[
        int,
        typer.Option(
            "--simulate",
            metavar="NUMBER",
            min=0,
            help="Number of studies to simulate, as a check of the formula.",
        ),
    ] = 0,
    seed: Seed = None,
    format: Format = "table",
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Plan a study: sample size, power, alpha or AUC. Solves for the one that is left out."""
    # Imported here so that --help is fast.
    from roclab.inference import plan_auc_study

    with simulating() as progress:
        plan = plan_auc_study(
            auc,
            n_pos=n_pos,
            n_neg=n_neg,
            ratio=ratio,
            power=power,
            width=width,
            alpha=_alpha(alpha),
            null_value=null_value,
            other_auc=other_auc,
            correlation=correlation,
            estimate_correlation=estimate_correlation,
            paired=not unpaired,
            sample_ratio=sample_ratio,
            alternative=alternative,
            method=method,
            pilot=_pilot(pilot, label, score, positive, input_format, separator, decimal),
            measure=measure,
            simulate=simulate,
            rng=seed,
            progress=progress,
        )
    show(plan, format)


def _pilot(
    file: str | None,
    label: str | None,
    score: list[str] | None,
    positive: str | None,
    input_format: TableFormat | None,
    separator: str | None,
    decimal: str | None,
) -> ScoreTable | None:
    if file is None and (label, score, positive) == (None, None, None):
        return None
    if file is None or label is None:
        raise InputError(
            found="{pilot} and {y_true} were not both passed",
            needed="a pilot study is a table with a column of labels",
            fix="Pass both, or leave out {pilot}, {y_true}, {y_score} and {pos_label}.",
        )
    table = read_table(
        "power",
        file,
        label=label,
        score=score,
        positive=positive,
        weight=None,
        by=None,
        input_format=input_format,
        separator=separator,
        decimal=decimal,
    )
    note_missing(table)
    return table


def _alpha(text: str) -> float | None:
    if text == "?":
        return None
    try:
        return float(text)
    except ValueError:
        raise InputError(
            found="{alpha=}{text} is not a number",
            fix="Pass one such as 0.05, or ? to solve for it.",
            text=text,
        ) from None
