"""``roclab train``: train a model to rank."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from roclab.checks.choices import Solver
from roclab.cli.messages import shell_message
from roclab.cli.output import note, show
from roclab.cli.progress import reading, training
from roclab.cli.table import (
    Decimal,
    File,
    Format,
    InputFormatOption,
    Label,
    Positive,
    Separator,
    Weight,
    named_source,
    optional,
)
from roclab.data.output_file import check_output, check_suffix
from roclab.errors import InputError

if TYPE_CHECKING:
    from roclab.learning.files import Model as Trained
    from roclab.readers import ExampleTable

EXAMPLE = "Example: roclab train patients.csv --label outcome -o model.skops"
_PIPE = "roclab train --label COLUMN < rows.csv"


Model = Literal["auctron", "msetron", "tree"]

_LINEAR = ("auctron", "msetron")
# The parameter behind an option, and the models that have it.
_OPTIONS = {
    "--gamma": ("gamma", ("auctron",)),
    "--power": ("p", ("auctron",)),
    "--alpha": ("alpha", _LINEAR),
    "--solver": ("solver", _LINEAR),
    "--max-iter": ("max_iter", _LINEAR),
    "--max-depth": ("max_depth", ("tree",)),
    "--min-leaf": ("min_samples_leaf", ("tree",)),
    "--prune": ("ccp_alpha", ("tree",)),
}


def train(
    label: Label,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="File of the model: .skops."),
    ],
    file: File = None,
    model: Annotated[
        Model,
        typer.Option(
            "--model",
            help="Model to train: a linear model that maximizes the AUC (auctron) or minimizes the "
            "squared error (msetron), or a decision tree of AUC splits (tree), which takes "
            "categories and missing values.",
        ),
    ] = "auctron",
    feature: Annotated[
        list[str] | None,
        optional(
            "--feature",
            "COLUMN",
            "Columns with features, separated by commas; may be repeated. Default: every numeric "
            "column; for a tree also every text column.",
        ),
    ] = None,
    category: Annotated[
        list[str] | None,
        optional(
            "--category",
            "COLUMN",
            "Columns of categories that look like numbers, such as codes (tree), separated by "
            "commas; may be repeated. Text columns are always categories.",
        ),
    ] = None,
    positive: Positive = None,
    weight: Weight = None,
    gamma: Annotated[
        float | None,
        typer.Option(
            "--gamma",
            help="Margin of the pairwise loss (auctron).",
            show_default="0.3",
        ),
    ] = None,
    power: Annotated[
        int | None,
        typer.Option("--power", help="Power of the loss: 1, 2 or 3 (auctron).", show_default="2"),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            "--alpha",
            help="L2 penalty (auctron, msetron). Default: auctron chooses it by the AUC in "
            "five folds, msetron has none.",
        ),
    ] = None,
    solver: Annotated[
        Solver | None,
        typer.Option("--solver", help="Solver (auctron, msetron).", show_default="lbfgs"),
    ] = None,
    max_iter: Annotated[
        int | None,
        typer.Option(
            "--max-iter",
            metavar="NUMBER",
            min=1,
            help="Maximum number of iterations (auctron, msetron).",
            show_default="200",
        ),
    ] = None,
    max_depth: Annotated[
        int | None,
        typer.Option(
            "--max-depth",
            metavar="NUMBER",
            min=1,
            help="Maximum depth (tree).",
            show_default="no limit",
        ),
    ] = None,
    min_leaf: Annotated[
        int | None,
        typer.Option(
            "--min-leaf",
            metavar="NUMBER",
            min=1,
            help="Minimum number of rows in a leaf (tree).",
            show_default="1",
        ),
    ] = None,
    prune: Annotated[
        float | None,
        typer.Option(
            "--prune",
            metavar="PRICE",
            min=0,
            help="Pruning: the AUC that a leaf must add, such as 0.005 (tree).",
            show_default="0",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        optional(
            "--seed", "NUMBER", "Random seed, for reproducible results.", min=0, max=2**32 - 1
        ),
    ] = None,
    format: Format = "table",
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Train a model to rank, on complete rows; a tree on all rows."""
    given = {
        "--gamma": gamma,
        "--power": power,
        "--alpha": alpha,
        "--solver": solver,
        "--max-iter": max_iter,
        "--max-depth": max_depth,
        "--min-leaf": min_leaf,
        "--prune": prune,
    }
    parameters = _parameters(model, given)
    if category and model != "tree":
        raise _not_for("--category", model, ("tree",))
    source = named_source(file, example=_PIPE)
    check_output(output, source)
    check_suffix(output, ("", ".skops"), "a model")
    # Imported here so that --help is fast.
    from roclab.inference import auc_interval
    from roclab.learning import ModelFile, save_model
    from roclab.learning.training import Training
    from roclab.readers import read_examples

    with reading(quiet=source is not file and sys.stdin.isatty()) as progress:
        examples = read_examples(
            source,
            y_true=label,
            features=feature or None,
            categories=(category or []) if model == "tree" else None,
            pos_label=positive,
            sample_weight=weight,
            format=input_format,
            separator=separator,
            decimal=decimal,
            progress=progress,
        )
    _check(examples, label)
    trained = _estimator(model, examples, chosen_alpha="alpha" not in parameters)
    if "random_state" in trained.get_params():
        parameters["random_state"] = seed
    trained.set_params(**parameters)
    with warnings.catch_warnings(record=True) as said, training():
        warnings.simplefilter("always")
        trained.fit(examples.features, examples.y_true, examples.sample_weight)
        file_of_model = ModelFile(model=trained, features=examples.names, target=label)
        save_model(output, file_of_model)
    for warning in said:
        note(shell_message(warning.message, "train"))
    scores = file_of_model.scores(examples.features)
    summary = Training(
        model=type(trained).__name__,
        n_rows=len(scores),
        n_pos=int(examples.y_true.sum()),
        features=examples.names,
        categories=examples.categories,
        details=_details(trained),
        auc=auc_interval(examples.y_true, scores, sample_weight=examples.sample_weight),
        missing=examples.missing,
        file=output,
    )
    show(summary, format)


def _parameters(model: Model, given: dict[str, Any]) -> dict[str, Any]:
    """The parameters behind the options; refuses options of other models."""
    parameters = {}
    for option, value in given.items():
        if value is None:
            continue
        parameter, models = _OPTIONS[option]
        if model not in models:
            raise _not_for(option, model, models)
        parameters[parameter] = value
    return parameters


def _not_for(option: str, model: Model, models: tuple[str, ...]) -> InputError:
    whose = " and ".join(f"--model {other}" for other in models)
    return InputError(
        found=f"--model {model} has no option {option}",
        needed=f"it is for {whose}",
        fix="Leave it out, or choose another model.",
    )


def _check(examples: ExampleTable, label: str) -> None:
    """Refuse what no model can be trained on."""
    import numpy as np

    counted, rows = examples.y_true, "rows"
    if examples.sample_weight is not None:
        counted, rows = counted[examples.sample_weight > 0], "rows of weight above 0"
    if counted.all() or not counted.any():
        which = "positive" if counted.all() else "negative"
        raise InputError(
            found=f"All {len(counted):,} {rows} are {which} in column `{{column}}`",
            needed="both classes are needed",
            fix="Check {pos_label} and how the file was filtered.",
            column=label,
        )
    for name, column in zip(examples.names, examples.features.T, strict=True):
        if name not in examples.categories:
            infinite = int(np.isinf(column.astype(np.float64)).sum())
            if infinite:
                raise InputError(
                    found=f"Column `{{column}}` is infinite in {infinite:,} rows",
                    needed="features must be finite",
                    fix="Correct these values, or leave them empty.",
                    column=name,
                )


def _estimator(model: Model, examples: ExampleTable, *, chosen_alpha: bool) -> Trained:
    from roclab.learning import (
        AUCSplitTreeClassifier,
        AUCtronClassifier,
        AUCtronClassifierCV,
        MSEtronClassifier,
    )

    if model == "tree":
        places = [examples.names.index(name) for name in examples.categories]
        return AUCSplitTreeClassifier(categorical_features=places or None)
    if model == "msetron":
        return MSEtronClassifier()
    return AUCtronClassifierCV() if chosen_alpha else AUCtronClassifier()


def _details(trained: Trained) -> dict[str, float]:
    from roclab.learning import AUCSplitTreeClassifier, AUCtronClassifierCV

    if isinstance(trained, AUCSplitTreeClassifier):
        return {"leaves": trained.n_leaves_, "depth": trained.depth_}
    if isinstance(trained, AUCtronClassifierCV):
        return {"alpha": trained.alpha_, "cv_auc": round(trained.best_score_, 4)}
    details = {"iterations": trained.n_iter_, "loss": float(trained.loss_curve_[-1])}
    return {"alpha": float(trained.alpha), **details}
