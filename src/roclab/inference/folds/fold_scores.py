"""Scores of examples by models that have not seen them, each example with its fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.formatting import listed
from roclab.ranking import Ranking
from roclab.row_groups import Membership
from roclab.validation import check_same_length
from roclab.vector import as_names, as_vector

__all__ = ["Fold", "FoldScores", "fold_scores", "folds_of"]

_CALL = "cross_validate(..., return_estimator=True, return_indices=True)"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FoldScores:
    """Scores from cross-validation, as columns of one length.

    Attributes
    ----------
    y_true : ndarray of bool
        True for the positive class.
    y_score : ndarray of float
        What the model of the fold, which has not seen the example, says of it.
    fold : ndarray of int
        The fold, counted from 0.
    row : ndarray of int
        The row of the data; where cross-validation was repeated, rows come several times.
    """

    y_true: npt.NDArray[np.bool_]
    y_score: npt.NDArray[np.float64]
    fold: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists."""
        return {name: column.tolist() for name, column in vars(self).items()}

    def __len__(self) -> int:
        return len(self.y_true)

    def __repr__(self) -> str:
        positive, folds = int(np.count_nonzero(self.y_true)), int(self.fold.max(initial=-1)) + 1
        return f"FoldScores({len(self):,} scores, {positive:,} positive, {folds} folds)"


def fold_scores(
    results: Mapping[str, Any], X: Any, y: npt.ArrayLike, *, pos_label: Any = None
) -> FoldScores:
    """The scores behind scikit-learn's `cross_validate`: of each fold by its own model.

    Parameters
    ----------
    results : mapping
        What ``cross_validate(..., return_estimator=True, return_indices=True)`` returned.
    X, y
        The data it was given.
    pos_label : optional
        The positive class; by default the second of the models' ``classes_``, as in scikit-learn.

    Returns
    -------
    FoldScores
        From ``decision_function``, or else the probability of the positive class, as scikit-learn's
        AUC scorer has them. Pass it to `cross_validated_auc` or `average_roc`.

    Raises
    ------
    InputError
        `results` holds no models or no indices, a model does not tell two classes apart, or `X`
        and `y` are not the data that it was given.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_validate
    >>> X, y = [[1.0], [2.0], [2.0], [3.0]], [0, 1, 0, 1]
    >>> results = cross_validate(
    ...     LogisticRegression(), X, y, cv=2, return_estimator=True, return_indices=True
    ... )
    >>> fold_scores(results, X, y)
    FoldScores(4 scores, 2 positive, 2 folds)
    """
    known = results if isinstance(results, Mapping) else {}
    missing = [name for name in ("estimator", "indices") if name not in known]
    if missing:
        raise InputError(
            f"results has no {' and no '.join(map(repr, missing))}; the models and the rows they "
            f"were tested on are needed. Call {_CALL}."
        )
    labels = as_names(y, "y")
    X = X.tocsr() if hasattr(X, "tocsr") else X  # of sparse matrices not all can take rows
    for name, size in (("X", X.shape[0] if hasattr(X, "shape") else len(X)), ("y", len(labels))):
        _check_rows(name, size, np.concatenate(results["indices"]["test"]))
    parts = []
    for model, rows in zip(results["estimator"], results["indices"]["test"], strict=True):
        positive = _positive_class(model, pos_label)
        _check_labels(labels[rows], model)
        parts.append((labels[rows] == positive, _scores(model, _taken(X, rows), positive), rows))
    sizes = [len(rows) for _, _, rows in parts]
    return FoldScores(
        y_true=np.concatenate([truth for truth, _, _ in parts]).astype(np.bool_),
        y_score=np.concatenate([scores for _, scores, _ in parts]).astype(np.float64),
        fold=np.repeat(np.arange(len(parts)), sizes),
        row=np.concatenate([rows for _, _, rows in parts]).astype(np.int64),
    )


def _check_rows(name: str, size: int, rows: npt.NDArray[Any]) -> None:
    last = int(rows.max(initial=-1))
    if size <= last:
        raise InputError(
            f"{name} has {size:,} rows, and row {last:,} is in a fold. Pass what belongs to the "
            "rows of the data that cross_validate was given, in their order."
        )


def _check_labels(labels: npt.NDArray[Any], model: Any) -> None:
    strange = ~np.isin(labels, model.classes_)
    if strange.any():
        raise InputError(
            f"y holds {labels[strange].tolist()[0]!r}, which {type(model).__name__} does not know; "
            f"its classes are {_listed(model.classes_)}. Pass the y that "
            "cross_validate was given."
        )


def _listed(classes: Any) -> str:
    return listed(map(repr, np.asarray(classes).tolist()))


def _positive_class(model: Any, pos_label: Any) -> Any:
    classes = list(getattr(model, "classes_", ()))
    if not classes:
        raise InputError(
            f"{type(model).__name__} has no classes_; models that tell two classes apart are "
            "needed. Cross-validate a classifier."
        )
    if len(classes) != 2:
        raise InputError(
            f"{type(model).__name__} knows {len(classes)} classes; two are needed. For more see "
            "multiclass_auc."
        )
    if pos_label is None:
        return classes[1]
    if pos_label not in classes:
        raise InputError(
            f"pos_label={pos_label!r} is not among the classes of {type(model).__name__}: "
            f"{_listed(classes)}. Name one of them."
        )
    return pos_label


def _scores(model: Any, X: Any, positive: Any) -> npt.NDArray[Any]:
    place = list(model.classes_).index(positive)
    if hasattr(model, "decision_function"):
        decided = np.asarray(model.decision_function(X))
        return decided if place == 1 else -decided
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X))[:, place]
    raise InputError(
        f"{type(model).__name__} has neither decision_function nor predict_proba, so it gives no "
        "scores. Use a classifier that has one of them."
    )


def _taken(X: Any, rows: npt.NDArray[Any]) -> Any:
    """Some rows of whatever scikit-learn accepts: an array, a frame, a sparse matrix, a list."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return X[rows] if hasattr(X, "shape") else [X[row] for row in rows]


@dataclass(frozen=True, kw_only=True, eq=False)
class Fold:
    """One fold: its name, its examples, and which rows they are of the data."""

    name: Any
    ranking: Ranking
    rows: npt.NDArray[np.intp]


def folds_of(
    y_true: npt.ArrayLike | FoldScores,
    y_score: npt.ArrayLike | None,
    fold: npt.ArrayLike | None,
    sample_weight: npt.ArrayLike | None,
    pos_label: Any,
) -> Sequence[Fold]:
    """The folds of what users pass, in the order in which they first appear; at least two."""
    rows: npt.NDArray[Any] | None = None
    if isinstance(y_true, FoldScores):
        if y_score is not None or fold is not None or pos_label is not None:
            raise InputError("FoldScores hold labels, scores and folds. Pass them alone.")
        given = y_true
        y_true, y_score, fold, rows = given.y_true, given.y_score, given.fold, given.row
        if sample_weight is not None:
            of_data = as_vector(sample_weight, "sample_weight")
            _check_rows("sample_weight", len(of_data), given.row)
            sample_weight = of_data[given.row]
    if isinstance(y_true, Ranking):
        raise InputError(
            "A Ranking is of all rows together. Pass y_true, y_score and fold, a value a row."
        )
    if y_score is None or fold is None:
        raise InputError("y_true, y_score and fold are needed, a value a row, or FoldScores.")
    labels, scores = as_vector(y_true, "y_true"), as_vector(y_score, "y_score")
    weights = None if sample_weight is None else as_vector(sample_weight, "sample_weight")
    members = Membership.of(fold, "fold")
    # Checks all that can be wrong with the whole, so that messages speak of the rows as given.
    whole = Ranking(labels, scores, sample_weight=weights, pos_label=pos_label)
    check_same_length(len(labels), len(members.numbers), "fold")
    truth = np.zeros(len(labels), dtype=np.bool_)
    kept = whole.rows()
    numbers = np.arange(len(labels)) if kept.numbers is None else kept.numbers
    truth[numbers] = kept.labels.view(np.bool_)
    members = members.among(numbers, len(numbers))
    if members.count < 2:
        beside = "" if kept.numbers is None else " beside rows of weight 0"
        raise InputError(
            f"fold holds {members.count} different value{'s' * (members.count != 1)}{beside}; an "
            "average over folds needs two or more. For one sample see auc_interval."
        )
    names = as_names(fold, "fold").tolist()
    found = []
    for number in range(members.count):
        inside = numbers[members.numbers == number]
        found.append(
            Fold(
                name=names[inside[0]],
                ranking=Ranking(
                    truth[inside],
                    scores[inside],
                    sample_weight=None if weights is None else weights[inside],
                ),
                rows=inside if rows is None else rows[inside],
            )
        )
    return found
