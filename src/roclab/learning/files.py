"""Trained models on disk, in skops' format: read without running what a stranger put there."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError, MissingExtraError, SerializationError
from roclab.formatting import listed
from roclab.learning.auc_split_tree import AUCSplitTreeClassifier
from roclab.learning.auctron import AUCtronClassifier
from roclab.learning.msetron import MSEtronClassifier
from roclab.learning.split_features import CategoryCodes
from roclab.learning.split_tree import SplitTree
from roclab.output_file import write_output

__all__ = ["ModelFile", "load_model", "save_model"]

_VERSION = 1
_MODELS = (AUCtronClassifier, MSEtronClassifier, AUCSplitTreeClassifier)
_TRUSTED = [
    f"{kind.__module__}.{kind.__qualname__}" for kind in (*_MODELS, SplitTree, CategoryCodes)
]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ModelFile:
    """A trained model, and the columns it was trained on.

    Attributes
    ----------
    model : AUCtronClassifier, MSEtronClassifier or AUCSplitTreeClassifier
        Trained.
    features : tuple of str
        The columns that it takes, in order.
    target : str
        The column that it was trained to predict.
    """

    model: AUCtronClassifier | MSEtronClassifier | AUCSplitTreeClassifier
    features: tuple[str, ...]
    target: str

    @property
    def categories(self) -> tuple[str, ...]:
        """Those of its columns that hold categories."""
        mask = getattr(self.model, "is_categorical_", [False] * len(self.features))
        return tuple(name for name, is_one in zip(self.features, mask, strict=True) if is_one)

    def scores(
        self, features: npt.NDArray[Any], *, probability: bool = False
    ) -> npt.NDArray[np.float64]:
        """The scores of rows, higher for more positive; nan for a row that the model cannot take.

        A linear model takes finite numbers alone; a tree takes categories and missing values as
        well, and its scores are probabilities in any case.

        Parameters
        ----------
        features : ndarray of shape (n_rows, n_features)
            Rows, with nan where a value is missing.
        probability : bool
            Whether a linear model gives probabilities and not their log odds.

        Returns
        -------
        ndarray of shape (n_rows,)
            Scores.
        """
        tree = isinstance(self.model, AUCSplitTreeClassifier)
        taken = np.ones(len(features), bool)
        for name, column in zip(self.features, features.T, strict=True):
            if name not in self.categories:
                numbers = column.astype(np.float64)
                taken &= np.isfinite(numbers) | (np.isnan(numbers) & tree)
        scores = np.full(len(features), np.nan)
        if taken.any():
            rows = features[taken]
            with warnings.catch_warnings():
                # Of a model that was trained on a frame; the columns are in its order.
                warnings.filterwarnings("ignore", message="X does not have valid feature names")
                scores[taken] = (
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
        Where to; by custom with the suffix ``.skops``.
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

    Only roclab's own models and the arrays in them are taken; a file that asks for any other type
    is refused before anything of it is made.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    ModelFile
        The model and its columns.

    Raises
    ------
    InputError
        There is no such file.
    MissingExtraError
        skops is not installed.
    SerializationError
        The file holds something else than a model of roclab.
    """
    skops = _skops()
    name = f"`{os.fspath(path)}`"
    try:
        # Once: a pipe has no second time, and what is checked is what is then read.
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(f"{name} cannot be opened: {error.strerror or error}.") from None
    try:
        foreign = sorted(set(skops.get_untrusted_types(data=data)) - set(_TRUSTED))
        if foreign:
            raise SerializationError(
                f"{name} asks for types that are not trusted ({listed(foreign)}); only models that "
                "roclab trained are read. Load it with skops, if you know where it comes from."
            )
        content = skops.loads(data, trusted=_TRUSTED)
    except SerializationError:
        raise
    except Exception as error:  # whatever a damaged or crafted archive brings about
        reason = f"{type(error).__name__}: {str(error).rstrip('. ')}"
        raise SerializationError(
            f"{name} is no model of roclab ({reason}). Make one with roclab train, or save_model."
        ) from None
    return _checked(content, name)


def _checked(content: Any, name: str) -> ModelFile:
    whole = isinstance(content, dict) and {"roclab", "model", "features", "target"} <= set(content)
    if not whole or not isinstance(content["model"], _MODELS):
        raise SerializationError(
            f"{name} holds no model of roclab with its columns. Make one with roclab train, or "
            "save_model."
        )
    if content["roclab"] != _VERSION:
        raise SerializationError(
            f"{name} was written in version {content['roclab']} of the format; this roclab reads "
            f"version {_VERSION}. Update roclab, or train anew."
        )
    try:
        file = ModelFile(
            model=content["model"],
            features=tuple(map(str, content["features"])),
            target=str(content["target"]),
        )
        problem = _problem(file)
    except Exception as error:  # whatever a part that is not there, or another one, brings about
        problem = f"{type(error).__name__}: {str(error).rstrip('. ')}"
    if problem is not None:
        raise SerializationError(
            f"{name} holds a model that roclab did not write: {problem}. Train it anew."
        )
    return file


def _problem(file: ModelFile) -> str | None:
    """What no model over these columns can be like; None for one that scores a row."""
    if len(set(file.features)) < len(file.features):
        return "its columns have no names of their own"
    model = file.model
    if isinstance(model, AUCSplitTreeClassifier):
        tree, mask = getattr(model, "tree_", None), getattr(model, "is_categorical_", None)
        if not (isinstance(tree, SplitTree) and isinstance(mask, np.ndarray)):
            return "it has not been trained"
        features = model.n_features_in_
        problem = "its features differ" if mask.shape != (features,) else tree.problem(features)
        if problem is not None:
            return problem
    row = [None if column in file.categories else 0.0 for column in file.features]
    file.scores(np.array([row], object))
    return None


def _skops() -> Any:
    try:
        import skops.io
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "skops":
            raise
        raise MissingExtraError("skops", extra="model", purpose="A model on disk") from None
    return skops.io
