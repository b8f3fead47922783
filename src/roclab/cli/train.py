"""``roclab train``: a model that ranks, from a file with features and a target."""

from __future__ import annotations

import sys
import warnings
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from roclab.cli.messages import shell_message
from roclab.cli.output import note, write
from roclab.cli.progress import reading
from roclab.cli.table import (
    File,
    InputFormat,
    InputFormatOption,
    Positive,
    Weight,
    named_source,
    read_table,
)
from roclab.errors import InputError
from roclab.output_file import check_output

if TYPE_CHECKING:
    from roclab.learning import AUCSplitTreeClassifier, AUCtronClassifier, MSEtronClassifier
    from roclab.readers import ExampleTable
    from roclab.table import MissingValues

__all__ = ["EXAMPLE", "train"]

EXAMPLE = "Example: roclab train patients.csv --target outcome -o model.skops"
_PIPE = "roclab train --target COLUMN < rows.csv"


class Model(StrEnum):
    """Models that can be trained."""

    auctron = "auctron"
    msetron = "msetron"
    tree = "tree"


class Solver(StrEnum):
    """Ways to train the linear ones."""

    lbfgs = "lbfgs"
    newton_cg = "newton-cg"
    auctron = "auctron"


_LINEAR = (Model.auctron, Model.msetron)
# The parameter of the model behind an option, and whose it is.
_OPTIONS = {
    "--gamma": ("gamma", (Model.auctron,)),
    "--power": ("p", (Model.auctron,)),
    "--alpha": ("alpha", _LINEAR),
    "--solver": ("solver", _LINEAR),
    "--max-iter": ("max_iter", _LINEAR),
    "--max-depth": ("max_depth", (Model.tree,)),
    "--min-leaf": ("min_samples_leaf", (Model.tree,)),
    "--prune": ("ccp_alpha", (Model.tree,)),
}


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
            "large, or on the squared error (msetron); or a decision tree of AUC splits (tree), "
            "which takes categories and missing values.",
        ),
    ] = Model.auctron,
    feature: Annotated[
        list[str] | None,
        typer.Option(
            "--feature",
            metavar="COLUMN",
            help="A column with a feature. May be repeated. Without it: every numeric column; for "
            "a tree also every column of text.",
            show_default=False,
        ),
    ] = None,
    category: Annotated[
        list[str] | None,
        typer.Option(
            "--category",
            metavar="COLUMN",
            help="A column of categories that look like numbers, such as codes (tree). May be "
            "repeated. Columns of text are categories anyway.",
            show_default=False,
        ),
    ] = None,
    positive: Positive = None,
    weight: Weight = None,
    gamma: Annotated[
        float | None,
        typer.Option(
            "--gamma",
            help="The margin between the outputs of a pair (auctron).",
            show_default="0.3",
        ),
    ] = None,
    power: Annotated[
        int | None,
        typer.Option(
            "--power", help="The power of the loss: 1, 2 or 3 (auctron).", show_default="2"
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            "--alpha",
            help="The penalty on large coefficients (auctron, msetron).",
            show_default="0",
        ),
    ] = None,
    solver: Annotated[
        Solver | None,
        typer.Option(
            "--solver", help="How it is trained (auctron, msetron).", show_default="lbfgs"
        ),
    ] = None,
    max_iter: Annotated[
        int | None,
        typer.Option(
            "--max-iter",
            metavar="NUMBER",
            min=1,
            help="Iterations at most (auctron, msetron).",
            show_default="200",
        ),
    ] = None,
    max_depth: Annotated[
        int | None,
        typer.Option(
            "--max-depth",
            metavar="NUMBER",
            min=1,
            help="Splits at most on the way to a leaf (tree).",
            show_default="no limit",
        ),
    ] = None,
    min_leaf: Annotated[
        int | None,
        typer.Option(
            "--min-leaf",
            metavar="NUMBER",
            min=1,
            help="Rows that a leaf has at least (tree).",
            show_default="1",
        ),
    ] = None,
    prune: Annotated[
        float | None,
        typer.Option(
            "--prune",
            metavar="PRICE",
            min=0,
            help="The AUC that a leaf must be worth, such as 0.005 (tree).",
            show_default="0",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="NUMBER",
            min=0,
            max=2**32 - 1,  # what numpy's RandomState takes
            help="A number with which training starts in the same place again.",
            show_default=False,
        ),
    ] = None,
    input_format: InputFormatOption = None,
) -> None:
    """Train a model to rank, on the rows in which nothing is missing; a tree on all rows."""
    given = {
        "--gamma": gamma,
        "--power": power,
        "--alpha": alpha,
        "--solver": None if solver is None else solver.value,
        "--max-iter": max_iter,
        "--max-depth": max_depth,
        "--min-leaf": min_leaf,
        "--prune": prune,
    }
    parameters = _parameters(model, given)
    if category and model is not Model.tree:
        raise InputError(_not_for("--category", model, (Model.tree,)))
    check_output(output, named_source(file, example=_PIPE))
    examples = _read(
        model,
        file,
        target=target,
        feature=feature,
        category=category or [],
        positive=positive,
        weight=weight,
        input_format=input_format,
    )
    _check(examples, target)
    # Here and not above, so that the help comes at once.
    from roclab.inference import auc_interval
    from roclab.learning import ModelFile, save_model

    trained = _estimator(model, examples)
    trained.set_params(**parameters, random_state=seed)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        trained.fit(examples.features, examples.y_true, examples.sample_weight)
    file_of_model = ModelFile(model=trained, features=examples.names, target=target)
    save_model(output, file_of_model)
    for warning in said:
        note(shell_message(warning.message, "train"))
    _tell_what_was_left_out(examples.missing)
    scores = file_of_model.scores(examples.features)
    ranked = auc_interval(examples.y_true, scores, sample_weight=examples.sample_weight)
    write(
        f"{type(trained).__name__} trained on {len(scores):,} rows "
        f"({int(examples.y_true.sum()):,} positive) and {_columns(examples)}: {_how(trained)}\n"
        f"on those rows, which flatters: {ranked!r}\n"
        f"written to {output}\n"
    )


def _parameters(model: Model, given: dict[str, Any]) -> dict[str, Any]:
    """The parameters that the options name; an option of another model is refused."""
    parameters = {}
    for option, value in given.items():
        if value is None:
            continue
        parameter, models = _OPTIONS[option]
        if model not in models:
            raise InputError(_not_for(option, model, models))
        parameters[parameter] = value
    return parameters


def _not_for(option: str, model: Model, models: tuple[Model, ...]) -> str:
    whose = " and ".join(f"--model {other.value}" for other in models)
    return (
        f"{option} is given, and --model {model.value} has no use for it; it is for {whose}. "
        "Leave it out, or take another model."
    )


def _read(
    model: Model,
    file: str | None,
    *,
    target: str,
    feature: list[str] | None,
    category: list[str],
    positive: str | None,
    weight: str | None,
    input_format: InputFormat | None,
) -> ExampleTable:
    import numpy as np

    from roclab.readers import ExampleTable, read_examples

    if model is Model.tree:
        source = named_source(file, example=_PIPE)
        with reading(quiet=source is not file and sys.stdin.isatty()) as progress:
            return read_examples(
                source,
                y_true=target,
                features=feature or None,
                categories=category,
                pos_label=positive,
                sample_weight=weight,
                format=input_format,
                progress=progress,
            )
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
    columns = [column.astype(np.float64) for column in table.scores.values()]
    return ExampleTable(
        features=np.column_stack(columns),
        names=table.names,
        categories=(),
        y_true=table.y_true,
        sample_weight=table.sample_weight,
        missing=table.missing,
    )


def _check(examples: ExampleTable, target: str) -> None:
    """Refuse what no model can be trained on, in words of the file."""
    import numpy as np

    counted, rows = examples.y_true, "rows"
    if examples.sample_weight is not None:
        counted, rows = counted[examples.sample_weight > 0], "rows of weight above 0"
    if counted.all() or not counted.any():
        which = "positive" if counted.all() else "negative"
        raise InputError(
            f"All {len(counted):,} {rows} are {which} in column `{target}`; rows of both classes "
            "are needed. Check --positive, and the filter that made the file."
        )
    for name, column in zip(examples.names, examples.features.T, strict=True):
        if name not in examples.categories:
            infinite = int(np.isinf(column.astype(np.float64)).sum())
            if infinite:
                raise InputError(
                    f"Column `{name}` is infinite in {infinite:,} of {len(column):,} rows; a model "
                    "takes finite numbers. Correct them, or leave them empty."
                )


def _estimator(
    model: Model, examples: ExampleTable
) -> AUCtronClassifier | MSEtronClassifier | AUCSplitTreeClassifier:
    from roclab.learning import AUCSplitTreeClassifier, AUCtronClassifier, MSEtronClassifier

    if model is Model.tree:
        places = [examples.names.index(name) for name in examples.categories]
        return AUCSplitTreeClassifier(categorical_features=places or None)
    return AUCtronClassifier() if model is Model.auctron else MSEtronClassifier()


def _columns(examples: ExampleTable) -> str:
    from roclab.formatting import listed

    columns = _counted(len(examples.names), "column", "columns")
    of_categories = listed(examples.categories)
    return f"{columns} (categories: {of_categories})" if of_categories else columns


def _how(trained: AUCtronClassifier | MSEtronClassifier | AUCSplitTreeClassifier) -> str:
    from roclab.learning import AUCSplitTreeClassifier

    if isinstance(trained, AUCSplitTreeClassifier):
        return f"{_counted(trained.n_leaves_, 'leaf', 'leaves')}, depth {trained.depth_}"
    iterations = _counted(trained.n_iter_, "iteration", "iterations")
    return f"{iterations}, loss {trained.loss_curve_[-1]:.4g}"


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _tell_what_was_left_out(missing: MissingValues) -> None:
    from roclab.formatting import listed

    if missing.rows_dropped:
        note(str(missing))
    if missing.columns_skipped:
        note(f"no numbers, so no features: {listed(missing.columns_skipped)}")
