"""The AUC for more than two classes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.formatting import listed
from roclab.measures.area import auc
from roclab.ranking_arguments import warn_undefined
from roclab.validation import as_labels, as_scores, as_weights, check_same_length, nan_scores
from roclab.vector import as_names

__all__ = ["multiclass_auc"]

Average = Literal["hand_till", "hand_till_weighted", "macro", "weighted"]


def multiclass_auc(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike | Mapping[Any, npt.ArrayLike],
    *,
    average: Average = "hand_till",
    labels: Sequence[Any] | None = None,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """An AUC for three classes or more: a mean of AUCs between two.

    Parameters
    ----------
    y_true : array-like
        Class of each example, by any names.
    y_score : array-like of shape (n, k), or mapping
        A column of scores for each class, higher for more of that class: a matrix, its columns in
        the order of `labels`, or a mapping from class to column. Rows need not sum to 1.
    average : {"hand_till", "hand_till_weighted", "macro", "weighted"}, default "hand_till"
        ``"hand_till"``: each class against each other one, averaged over the pairs of classes.
        ``"hand_till_weighted"``: pairs weighted by the examples in them. ``"macro"``: each class
        against all others together, averaged. ``"weighted"``: these weighted by the examples of
        the class.
    labels : sequence, optional
        The classes in the order of the columns; their sorted names if not given.
    sample_weight : array-like, optional
        Weights of the examples.

    Returns
    -------
    float
        Between 0 and 1; one half for chance. nan, with `UndefinedMeasureWarning`, if there are
        scores for a class of which there are no examples.

    Notes
    -----
    A pair of classes is worth the mean of two AUCs: one by the scores of either class. With two
    columns that sum to a constant all averages are the `auc` of the second.

    The averages are those of scikit-learn's `roc_auc_score`: ``multi_class="ovo"`` for the first
    two, ``"ovr"`` for the last two, each with ``average="macro"`` and ``"weighted"``.
    O(k n log n) for k classes.

    References
    ----------
    D. J. Hand, R. J. Till, Machine Learning 45 (2001) 171-186, equation 7.

    Examples
    --------
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.4, 0.5, 0.1], [0.2, 0.1, 0.7]]
    >>> multiclass_auc(["a", "a", "b", "c"], y_score)
    0.9583333333333334
    """
    if average not in get_args(Average):
        raise InputError(
            f"average={average!r} is not known. Averages: {', '.join(get_args(Average))}."
        )
    found = _classes(y_true)
    columns = _columns(y_score, labels, found)
    unknown = [label for label in found if label not in columns]
    if unknown:
        raise InputError(
            f"y_true holds {listed(map(repr, unknown))}, for which there are no scores; there are "
            f"scores for {listed(map(repr, columns))}. Give every class a column, and its name."
        )
    sample = _Sample.of(y_true, columns, found, sample_weight)
    missing = [label for label in columns if not sample.is_class[label].any()]
    if missing:
        warn_undefined(
            f"There are no examples of {listed(map(repr, missing))}, for which there are scores. "
            "The result is nan; leave their columns out to average over the other classes."
        )
        return math.nan
    against = sample.each_other if average.startswith("hand_till") else sample.the_rest
    values, sizes = zip(*against(), strict=True)
    return float(np.average(values, weights=sizes if average.endswith("weighted") else None))


class _Sample(NamedTuple):
    """Examples of several classes, with a column of scores for each class."""

    is_class: dict[Any, npt.NDArray[np.bool_]]
    scores: dict[Any, npt.NDArray[Any]]
    weight: npt.NDArray[np.float64] | None

    @classmethod
    def of(
        cls,
        y_true: npt.ArrayLike,
        columns: Mapping[Any, npt.ArrayLike],
        found: list[Any],
        sample_weight: npt.ArrayLike | None,
    ) -> _Sample:
        rows = len(as_labels(y_true, found[0])) if found else 0
        weight = None if sample_weight is None else as_weights(sample_weight, rows)
        kept = np.arange(rows) if weight is None else np.flatnonzero(weight)
        is_class, scores = {}, {}
        for label, given in columns.items():
            name = f"the column of {label!r}"
            column = as_scores(given, name)
            check_same_length(rows, len(column), name)
            column = column[kept]
            if column.dtype.kind == "f" and np.isnan(column).any():
                raise nan_scores(column, name, numbers=kept)
            scores[label] = column
            is_class[label] = (
                as_labels(y_true, label).view(np.bool_)[kept]
                if label in found
                else np.zeros(len(kept), np.bool_)
            )
        return cls(is_class, scores, None if weight is None else weight[kept])

    def each_other(self) -> Iterator[tuple[float, float]]:
        """For each pair of classes the mean of its two AUCs, and the examples in it."""
        for a, b in combinations(self.is_class, 2):
            rows = self.is_class[a] | self.is_class[b]
            yield (self._auc(a, rows) + self._auc(b, rows)) / 2, self._size(rows)

    def the_rest(self) -> Iterator[tuple[float, float]]:
        """For each class its AUC against all others, and the examples of it."""
        for label, mask in self.is_class.items():
            yield self._auc(label, np.ones(len(mask), np.bool_)), self._size(mask)

    def _auc(self, label: Any, rows: npt.NDArray[np.bool_]) -> float:
        weight = None if self.weight is None else self.weight[rows]
        return auc(self.is_class[label][rows], self.scores[label][rows], sample_weight=weight)

    def _size(self, rows: npt.NDArray[np.bool_]) -> float:
        return float(np.count_nonzero(rows) if self.weight is None else self.weight[rows].sum())


def _classes(y_true: npt.ArrayLike) -> list[Any]:
    """The distinct classes, in the order in which they appear."""
    return list(dict.fromkeys(as_names(y_true, "y_true").tolist()))


def _columns(y_score: Any, labels: Sequence[Any] | None, found: list[Any]) -> dict[Any, Any]:
    if isinstance(y_score, Mapping):
        if labels is not None:
            raise InputError("A mapping already names its columns. Leave labels= out.")
        columns = dict(y_score)
    else:
        matrix = _matrix(y_score)
        if matrix.ndim != 2:
            raise InputError(
                f"y_score has shape {matrix.shape}; a column for each class is needed. For two "
                "classes and one score, use auc."
            )
        names = _in_order(found) if labels is None else _named(labels)
        if len(names) != matrix.shape[1] or len(set(names)) != len(names):
            raise InputError(
                f"y_score has {matrix.shape[1]} columns, and there are {len(names)} classes "
                f"({listed(map(repr, names))}). Name the class of each column once: labels=[...]."
            )
        columns = dict(zip(names, matrix.T, strict=True))
    if len(columns) < 2:
        raise InputError(
            f"There are scores for {len(columns)} class; two at least are needed. "
            "Pass a column for each class."
        )
    return columns


def _named(labels: Sequence[Any]) -> list[Any]:
    given = list(labels) if isinstance(labels, str) else labels
    return list(as_names(given, "labels").tolist())


def _matrix(y_score: Any) -> npt.NDArray[Any]:
    try:
        return np.asarray(y_score)
    except (ValueError, TypeError) as error:
        raise InputError(
            f"y_score cannot be read as an array ({error}). Pass rows of equal length, one number "
            "for each class."
        ) from None


def _in_order(found: list[Any]) -> list[Any]:
    try:
        return sorted(found)
    except TypeError:
        raise InputError(
            f"The classes {listed(map(repr, found))} have no order, so it is not known whose "
            "column is whose. Name them in the order of the columns: labels=[...]."
        ) from None
