"""Out-of-fold scores from cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from roclab.checks.labels_and_scores import check_same_length
from roclab.checks.options import shown
from roclab.checks.vectors import as_names, as_vector
from roclab.data.ranked_rows import RankedRows
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.row_groups import Membership
from roclab.data.table import ScoreTable
from roclab.errors import InputError, Parameter
from roclab.formatting import listed
from roclab.result import Record

_CALL = "cross_validate(..., return_estimator=True, return_indices=True)"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FoldScores(Record):
    """Out-of-fold scores from cross-validation, as columns of equal length.

    Attributes
    ----------
    y_true : ndarray of bool
        True for the positive class.
    y_score : ndarray of float
        Score of the example by the model of its fold, which was trained without it.
    fold : ndarray of int
        Fold, counted from 0.
    row : ndarray of int
        Row of the data; in repeated cross-validation a row occurs several times.
    """

    y_true: npt.NDArray[np.bool_]
    y_score: npt.NDArray[np.float64]
    fold: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.y_true)

    def __repr__(self) -> str:
        positive, folds = int(np.count_nonzero(self.y_true)), int(self.fold.max(initial=-1)) + 1
        return f"FoldScores({len(self):,} scores, {positive:,} positive, {folds} folds)"


def fold_scores(
    results: Mapping[str, Any], X: Any, y: npt.ArrayLike, *, pos_label: Any = None
) -> FoldScores:
    """Compute out-of-fold scores from the results of scikit-learn's `cross_validate`.

    Parameters
    ----------
    results : mapping
        Result of ``cross_validate(..., return_estimator=True, return_indices=True)``.
    X, y : array-like
        The data passed to `cross_validate`.
    pos_label : object, optional
        Positive class label; by default the second of the models' ``classes_``, as in scikit-learn.

    Returns
    -------
    FoldScores
        Scores from ``decision_function``, or else the probability of the positive class, as in
        scikit-learn's AUC scorer. Pass them to `cross_validated_auc` or `average_roc`.

    Raises
    ------
    InputError
        `results` has no models or no indices, a model is not a binary classifier, or `X` and `y`
        are not the data passed to `cross_validate`.

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
            found="{results} has no {missing}",
            needed="the models and the indices of their test rows are needed",
            fix=f"Call {_CALL}.",
            missing=" and no ".join(map(repr, missing)),
        )
    labels = as_names(y, "y")
    X = X.tocsr() if hasattr(X, "tocsr") else X  # not all sparse formats support row indexing
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
            found="{name} has {size} rows, and row {last} is in a fold",
            fix="Pass one value for each row of the data passed to cross_validate, in their order.",
            name=Parameter(name),
            size=f"{size:,}",
            last=f"{last:,}",
        )


def _check_labels(labels: npt.NDArray[Any], model: Any) -> None:
    strange = ~np.isin(labels, model.classes_)
    if strange.any():
        raise InputError(
            found="{y} holds {value}, which is not among the classes of {model}: {classes}",
            fix="Pass the {y} that was passed to cross_validate.",
            value=shown(labels[strange].tolist()[0]),
            model=type(model).__name__,
            classes=_listed(model.classes_),
        )


def _listed(classes: Any) -> str:
    return listed(map(repr, np.asarray(classes).tolist()))


def _positive_class(model: Any, pos_label: Any) -> Any:
    classes = list(getattr(model, "classes_", ()))
    if not classes:
        raise InputError(
            found="{model} has no classes_",
            needed="binary classifiers are needed",
            fix="Cross-validate a classifier.",
            model=type(model).__name__,
        )
    if len(classes) != 2:
        raise InputError(
            found="{model} has {count} classes",
            needed="two are needed",
            fix="For more classes use multiclass_auc.",
            model=type(model).__name__,
            count=len(classes),
        )
    if pos_label is None:
        return classes[1]
    if pos_label not in classes:
        raise InputError(
            found="{pos_label=}{value} is not among the classes of {model}: {classes}",
            fix="Pass one of them.",
            value=shown(pos_label),
            model=type(model).__name__,
            classes=_listed(classes),
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
        found="{model} has neither decision_function nor predict_proba",
        fix="Use a classifier that has one of them.",
        model=type(model).__name__,
    )


def _taken(X: Any, rows: npt.NDArray[Any]) -> Any:
    """Select rows of an array, a frame, a sparse matrix or a list."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return X[rows] if hasattr(X, "shape") else [X[row] for row in rows]


@dataclass(frozen=True, kw_only=True, eq=False)
class Fold:
    """One fold: its name, its examples, and their rows in the data."""

    name: Any
    ranking: Ranking
    rows: npt.NDArray[np.intp]


class Folds(NamedTuple):
    """The folds of a cross-validation, and all their examples together."""

    parts: Sequence[Fold]
    pooled: Fold


def folds_of(
    y_true: npt.ArrayLike | Ranking | FoldScores,
    y_score: npt.ArrayLike | None,
    fold: npt.ArrayLike | None,
    sample_weight: npt.ArrayLike | None,
    pos_label: Any,
) -> Folds:
    """Check the arguments and split them into folds, in order of appearance; at least two."""
    rows: npt.NDArray[Any] | None = None
    if isinstance(y_true, FoldScores):
        if y_score is not None or fold is not None or pos_label is not None:
            raise InputError(
                found="FoldScores already hold labels, scores and folds",
                fix="Leave out {y_score}, {fold} and {pos_label}.",
            )
        given = y_true
        y_true, y_score, fold, rows = given.y_true, given.y_score, given.fold, given.row
        if sample_weight is not None:
            of_data = as_vector(sample_weight, "sample_weight")
            _check_rows("sample_weight", len(of_data), given.row)
            sample_weight = of_data[given.row]
    if isinstance(y_true, Ranking):
        whole = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        return folds_of_ranking(whole, _fold_names(fold))
    if isinstance(y_true, ScoreTable):
        raise InputError(
            found="A ScoreTable was passed",
            needed="{y_true}, {y_score} and {fold} with one value per row are needed",
            fix="For the AUCs of a table use evaluate(table, fold='its column').",
        )
    if y_score is None:
        raise _missing("y_score")
    labels = as_vector(y_true, "y_true")
    whole = Ranking(labels, y_score, sample_weight=sample_weight, pos_label=pos_label)
    names = _fold_names(fold)
    check_same_length(len(labels), len(names), "fold")
    return folds_of_ranking(whole, names, rows)


def _fold_names(fold: npt.ArrayLike | None) -> npt.NDArray[Any]:
    if fold is None:
        raise _missing("fold")
    return as_names(fold, "fold")


def _missing(parameter: str) -> InputError:
    return InputError(
        found="{missing} is missing",
        fix="Pass {y_true}, {y_score} and {fold} with one value per row, a Ranking and {fold}, or "
        "FoldScores.",
        missing=Parameter(parameter),
    )


def clusters_of(cluster: npt.ArrayLike, y_true: npt.ArrayLike | Ranking | FoldScores) -> Membership:
    """The cluster of each row of the data."""
    clusters = Membership.of(cluster)
    if isinstance(y_true, FoldScores):
        _check_rows("cluster", len(clusters.numbers), y_true.row)
    elif isinstance(y_true, Ranking):
        rows = y_true.rows()
        clusters.among(rows.numbers, len(rows.labels))  # raises if the lengths differ
    else:
        check_same_length(len(as_vector(y_true, "y_true")), len(clusters.numbers), "cluster")
    return clusters


def folds_of_ranking(
    ranking: Ranking, fold: npt.NDArray[Any], rows: npt.NDArray[Any] | None = None
) -> Folds:
    """Split the rows of a ranking into folds; `rows` are their numbers in the data."""
    kept = ranking.rows()
    members = Membership.of(fold, "fold").among(kept.numbers, len(kept.labels))
    if members.count < 2:
        beside = "" if kept.numbers is None else " beside rows of weight 0"
        raise InputError(
            found="{fold} has {count} distinct value" + "s" * (members.count != 1) + beside,
            needed="an average over folds needs two or more",
            fix="For a single sample compute the AUC without {fold}.",
            count=members.count,
        )
    inside = members.rows()
    chosen = np.concatenate(inside)
    pooled = Ranking._of_rows(
        RankedRows(
            kept.labels[chosen],
            kept.scores[chosen],
            None if kept.weights is None else kept.weights[chosen],
        )
    )
    numbers = chosen.astype(np.intp) if kept.numbers is None else kept.numbers[chosen]
    sizes = np.array([len(one) for one in inside])
    firsts = np.cumsum(sizes) - sizes
    names = fold[numbers[firsts]].tolist()
    numbers = numbers if rows is None else rows[numbers]
    parts = [
        Fold(name=name, ranking=part, rows=numbers[first : first + len(part)])
        for name, part, first in zip(names, pooled.consecutive(sizes), firsts, strict=True)
    ]
    return Folds(parts, Fold(name=None, ranking=pooled, rows=numbers))
