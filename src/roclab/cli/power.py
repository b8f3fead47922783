"""``roclab power``: sample size and power of studies of the AUC."""

from __future__ import annotations

from typing import Annotated

import typer

from roclab.choices import Alternative, PlanningMethod
from roclab.cli.output import show
from roclab.cli.progress import simulating
from roclab.cli.table import Format, optional
from roclab.errors import InputError

EXAMPLE = "Example: roclab power --auc 0.80 --other-auc 0.75 --correlation 0.5 --power 0.9"


def power(
    auc: Annotated[float | None, optional("--auc", "AUC", "Expected AUC.")] = None,
    n_pos: Annotated[
        float | None, optional("--n-pos", "NUMBER", "Number of positive examples.")
    ] = None,
    n_neg: Annotated[
        float | None, optional("--n-neg", "NUMBER", "Number of negative examples.")
    ] = None,
    ratio: Annotated[
        float | None,
        optional("--ratio", "NUMBER", "Negatives per positive. Default, without sizes: 1."),
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
    simulate: Annotated[
        int,
        typer.Option(
            "--simulate",
            metavar="NUMBER",
            min=0,
            help="Number of studies to simulate, as a check of the formula.",
        ),
    ] = 0,
    seed: Annotated[
        int | None, optional("--seed", "NUMBER", "Random seed, for reproducible results.", min=0)
    ] = None,
    format: Format = "table",
) -> None:
    """Plan a study of an AUC: solves for AUC, sizes, power or alpha, whichever is left out."""
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
            simulate=simulate,
            rng=seed,
            progress=progress,
        )
    show(plan, format)


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
