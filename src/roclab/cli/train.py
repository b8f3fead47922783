"""``roclab train``: a linear model that ranks, from a file with features and a target."""

from __future__ import annotations

import warnings
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from roclab.cli.output import note, write
from roclab.cli.table import File, InputFormatOption, Positive, Weight, read_table

if TYPE_CHECKING:
    from roclab.table import ScoreTable

__all__ = ["EXAMPLE", "train"]

EXAMPLE = "Example: roclab train patients.csv --target outcome -o model.skops"


class Model(StrEnum):
    """Models that can be trained."""

    auctron = "auctron"
    msetron = "msetron"


class Solver(StrEnum):
    """Ways to train them."""

    lbfgs = "lbfgs"
    newton_cg = "newton-cg"
    auctron = "auctron"


def train(
    target: Annotated[
        str, typer.Option("--target", metavar="COLUMN", help="The column to be predicted.")
    ],
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="Where the model goes: a .skops file."),
    ],
    file: File = None,
    model: Annotated[
        Model,
        typer.Option(
            "--model",
            help="What is trained: a linear unit on all pairs (auctron), which makes the AUC "
            "large, or on the squared error (msetron).",
        ),
    ] = Model.auctron,
    feature: Annotated[
        list[str] | None,
        typer.Option(
            "--feature",
            metavar="COLUMN",
            help="A column with a feature. May be repeated. Without it: every numeric column.",
            show_default=False,
        ),
    ] = None,
    positive: Positive = None,
    weight: Weight = None,
    gamma: Annotated[
        float, typer.Option("--gamma", help="The margin between the outputs of a pair (auctron).")
    ] = 0.3,
    power: Annotated[
        int, typer.Option("--power", help="The power of the loss: 1, 2 or 3 (auctron).")
    ] = 2,
    alpha: Annotated[
        float, typer.Option("--alpha", help="The penalty on large coefficients.")
    ] = 0.0,
    solver: Annotated[Solver, typer.Option("--solver", help="How it is trained.")] = Solver.lbfgs,
    max_iter: Annotated[
        int, typer.Option("--max-iter", metavar="NUMBER", min=1, help="Iterations at most.")
    ] = 200,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="NUMBER",
            min=0,
            help="A number with which training starts in the same place again.",
            show_default=False,
        ),
    ] = None,
    input_format: InputFormatOption = None,
) -> None:
    """Train a model to rank, on the rows in which nothing is missing."""
    # Here and not above, so that the help comes at once.
    import numpy as np

    from roclab.inference import auc_interval
    from roclab.learning import AUCtronClassifier, ModelFile, MSEtronClassifier, save_model

    table = read_table(
        "train",
        file,
        label=target,
        score=feature,
        positive=positive,
        weight=weight,
        by=None,
        input_format=input_format,
    )
    trained: AUCtronClassifier | MSEtronClassifier = MSEtronClassifier()
    if model is Model.auctron:
        trained = AUCtronClassifier(gamma=gamma, p=power)
    trained.set_params(alpha=alpha, solver=solver.value, max_iter=max_iter, random_state=seed)
    features = np.column_stack([column.astype(np.float64) for column in table.scores.values()])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        trained.fit(features, table.y_true, table.sample_weight)
    save_model(output, ModelFile(model=trained, features=table.names, target=target))
    for warning in said:
        note(" ".join(str(warning.message).split()))
    _tell_what_was_left_out(table)
    ranked = auc_interval(
        table.y_true, trained.decision_function(features), sample_weight=table.sample_weight
    )
    write(
        f"{type(trained).__name__} trained on {len(table):,} rows "
        f"({int(table.y_true.sum()):,} positive) and {len(table.names)} columns: "
        f"{trained.n_iter_} iterations, loss {trained.loss_curve_[-1]:.4g}\n"
        f"on those rows, which flatters: {ranked!r}\n"
        f"written to {output}\n"
    )


def _tell_what_was_left_out(table: ScoreTable) -> None:
    from roclab.wording import listed

    if table.missing.rows_dropped:
        note(str(table.missing))
    if table.missing.columns_skipped:
        note(f"no numbers, so no features: {listed(table.missing.columns_skipped)}")
