"""Trained models on disk, in skops' format, which does not run code from the file."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from roclab.data.output_file import write_output
from roclab.errors import InputError, SerializationError, needs_extra
from roclab.formatting import listed
from roclab.learning.archive import foreign_types
from roclab.learning.auc_split_tree import AUCSplitTreeClassifier
from roclab.learning.auctron import AUCtronClassifier
from roclab.learning.auctron_cv import AUCtronClassifierCV
from roclab.learning.msetron import MSEtronClassifier
from roclab.learning.split_features import CategoryCodes
from roclab.learning.split_tree import SplitTree

_VERSION = 1
_CREATE = "Create one with roclab train, or with save_model."
Model = AUCtronClassifierCV | AUCtronClassifier | MSEtronClassifier | AUCSplitTreeClassifier
_MODELS = get_args(Model)
_TRUSTED = [
    f"{kind.__module__}.{kind.__qualname__}" for kind in (*_MODELS, SplitTree, CategoryCodes)
]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ModelFile:
    """A trained model, and the columns it was trained on.

    Attributes
    ----------
    model : AUCtronClassifierCV, AUCtronClassifier, MSEtronClassifier or AUCSplitTreeClassifier
        Fitted estimator.
    features : tuple of str
        Names of the feature columns, in order.
    target : str
        Name of the target column.
    """

    model: Model
    features: tuple[str, ...]
    target: str

    @property
    def categories(self) -> tuple[str, ...]:
        """Names of the categorical columns."""
        mask = getattr(self.model, "is_categorical_", [False] * len(self.features))
        return tuple(name for name, is_one in zip(self.features, mask, strict=True) if is_one)

    def scores(
        self, features: npt.NDArray[Any], *, probability: bool = False
    ) -> npt.NDArray[np.float64]:
        """Scores of rows, higher for the positive class; nan for rows that cannot be scored.

        A linear model needs finite numbers. A tree also accepts categories and missing values, and
        its scores are always probabilities.

        Parameters
        ----------
        features : ndarray of shape (n_rows, n_features)
            Features, nan if missing.
        probability : bool, default False
            Whether a linear model returns probabilities instead of log odds.

        Returns
        -------
        ndarray of shape (n_rows,)
            Scores.
        """
        tree = isinstance(self.model, AUCSplitTreeClassifier)
        valid = np.ones(len(features), bool)
        for name, column in zip(self.features, features.T, strict=True):
            if name not in self.categories:
                numbers = column.astype(np.float64)
                valid &= np.isfinite(numbers) | (np.isnan(numbers) & tree)
        scores = np.full(len(features), np.nan)
        if valid.any():
            rows = features[valid]
            with warnings.catch_warnings():
                # From a model that was trained on a data frame; the columns are in its order.
                warnings.filterwarnings("ignore", message="X does not have valid feature names")
                scores[valid] = (
                    self.model.predict_proba(rows)[:, 1]
                    if probability or isinstance(self.model, AUCSplitTreeClassifier)
                    else self.model.decision_function(rows)
                )
        return scores

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values; the model as its name."""
        return {
            "model": type(self.model).__name__,
            "features": list(self.features),
            "target": self.target,
        }

    def __repr__(self) -> str:
        return (
            f"{type(self.model).__name__} for {self.target} from {len(self.features)} columns: "
            f"{listed(self.features)}"
        )


def save_model(path: str | os.PathLike[str], file: ModelFile) -> None:
    """Write a trained model with skops.

    Parameters
    ----------
    path : path
        Output file, usually with the suffix ``.skops``.
    file : ModelFile
        The model and its columns.

    Raises
    ------
    InputError
        The file cannot be written.
    MissingExtraError
        skops is not installed.
    """
    skops = _skops()
    content = {
        "roclab": _VERSION,
        "model": file.model,
        "features": list(file.features),
        "target": file.target,
    }
    data = skops.dumps(content)
    write_output(path, lambda output: output.write(data))


def load_model(path: str | os.PathLike[str]) -> ModelFile:
    """Read a model that `save_model` wrote.

    Only models of roclab and their arrays are loaded; a file with any other type raises an error
    before any object is created.

    Parameters
    ----------
    path : path
        File to read.

    Returns
    -------
    ModelFile
        The model and its columns.

    Raises
    ------
    InputError
        The file cannot be opened.
    MissingExtraError
        skops is not installed.
    SerializationError
        The file is not a model of roclab.
    """
    skops = _skops()
    file_name = os.fspath(path)
    try:
        # Read once: a pipe cannot be read twice, and the bytes that are checked are those loaded.
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(
            found="`{file}` cannot be opened: {reason}",
            file=file_name,
            reason=error.strerror or error,
        ) from None
    try:
        foreign = foreign_types(data, _TRUSTED)
        if foreign:
            raise SerializationError(
                found="`{file}` needs types that are not trusted ({types})",
                needed="only models trained by roclab are loaded",
                fix="Load it with skops if you trust its source.",
                file=file_name,
                types=listed(foreign),
            )
        content = skops.loads(data, trusted=_TRUSTED)
    except SerializationError:
        raise
    except Exception as error:  # a damaged or crafted archive may raise anything
        raise SerializationError(
            found="`{file}` is not a model of roclab ({reason})",
            fix=_CREATE,
            file=file_name,
            reason=_reason(error),
        ) from None
    return _checked(content, file_name)


def _checked(content: Any, file_name: str) -> ModelFile:
    whole = isinstance(content, dict) and {"roclab", "model", "features", "target"} <= set(content)
    if not whole or not isinstance(content["model"], _MODELS):
        raise SerializationError(
            found="`{file}` does not hold a roclab model with its columns",
            fix=_CREATE,
            file=file_name,
        )
    version = content["roclab"]
    if type(version) is not int:
        raise SerializationError(
            found="`{file}` says {type} where the version of its format should be",
            needed=f"a whole number; this release of roclab reads version {_VERSION}",
            fix=_CREATE,
            file=file_name,
            type=type(version).__name__,
        )
    if version != _VERSION:
        raise SerializationError(
            found="`{file}` was written in version {version} of the format",
            needed=f"this release of roclab reads version {_VERSION}",
            fix="Update roclab, or train the model again.",
            file=file_name,
            version=version,
        )
    try:
        file = ModelFile(
            model=content["model"],
            features=tuple(map(str, content["features"])),
            target=str(content["target"]),
        )
        problem = _problem(file)
    except Exception as error:  # missing or exchanged parts may raise anything
        problem = _reason(error)
    if problem is not None:
        raise SerializationError(
            found="`{file}` holds a model that was not written by roclab: {problem}",
            fix="Train it again.",
            file=file_name,
            problem=problem,
        )
    return file


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).rstrip('. ')}"


def _problem(file: ModelFile) -> str | None:
    """Return what is wrong with a model over these columns; None if it can score a row."""
    if len(set(file.features)) < len(file.features):
        return "its column names are not unique"
    model = file.model
    if isinstance(model, AUCSplitTreeClassifier):
        tree, mask = getattr(model, "tree_", None), getattr(model, "is_categorical_", None)
        if not (isinstance(tree, SplitTree) and isinstance(mask, np.ndarray)):
            return "it is not trained"
        features = model.n_features_in_
        problem = "its features differ" if mask.shape != (features,) else tree.problem(features)
        if problem is not None:
            return problem
    row = [None if column in file.categories else 0.0 for column in file.features]
    score = file.scores(np.array([row], object))
    return None if np.isfinite(score).all() else "it gives no scores"


def _skops() -> Any:
    with needs_extra("model", "A model on disk", "skops"):
        import skops.io
    return skops.io
