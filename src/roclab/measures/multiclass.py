"""The AUC for more than two classes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.formatting import listed
from roclab.measures.area import auc
from roclab.options import check_choice
from roclab.validation import as_labels, as_scores, as_weights, check_same_length, nan_scores
from roclab.vector import as_names

Average = Literal["hand_till", "hand_till_weighted", "macro", "weighted", "micro"]


def multiclass_auc(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike | Mapping[Any, npt.ArrayLike],
    *,
    average: Average = "hand_till",
    labels: Sequence[Any] | None = None,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """AUC for three or more classes: a mean of AUCs between two.

    Parameters
    ----------
    y_true : array-like
        Class of each example.
    y_score : array-like of shape (n, k), or mapping
        One column of scores per class, higher for that class: a matrix, its columns in the order
        of `labels`, or a mapping from class to column. Rows need not sum to 1.
    average : {"hand_till", "hand_till_weighted", "macro", "weighted", "micro"}
        ``"hand_till"``, the default: each class against each other, averaged over the pairs of
        classes. ``"hand_till_weighted"``: pairs weighted by their numbers of examples.
        ``"macro"``: each class against all others, averaged. ``"weighted"``: these weighted by the
        number of examples of the class. ``"micro"``: no average, but the AUC of all scores
        together, where the score of an example for its own class is positive and for any other
        class negative; scores of different classes are then compared.
    labels : sequence, optional
        The classes in the order of the columns; by default sorted.
    sample_weight : array-like, optional
        Sample weights.

    Returns
    -------
    float
        Between 0 and 1; one half for chance. nan, with `UndefinedMeasureWarning`, if a class with
        scores has no examples; ``average="micro"`` only needs an example.

    Notes
    -----
    The value of a pair of classes is the mean of two AUCs, one for the scores of each class. With
    two columns that sum to a constant all averages but ``"micro"`` equal the `auc` of the second.

    The averages are those of scikit-learn's `roc_auc_score`: ``multi_class="ovo"`` for the first
    two and ``"ovr"`` for the next two, each with ``average="macro"`` and ``"weighted"``, and
    ``"ovr"`` with ``"micro"``. If a class has no examples, its one-vs-one average leaves that class
    out without a warning, and its one-vs-rest average is nan.
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
    check_choice("average", average, Average)
    sample = class_sample(y_true, y_score, labels, sample_weight)
    if average == "micro" and sample.size:
        return sample.all_cells()
    missing = [label for label in sample.scores if not sample.is_class[label].any()]
    if missing:
        UndefinedMeasureWarning(
            found="There are scores for {missing}, but no examples",
            fix="The result is nan; leave their columns out to average over the other classes.",
            missing=listed(map(repr, missing)),
        ).issue()
        return math.nan
    against = sample.each_other if average.startswith("hand_till") else sample.the_rest
    values, sizes = zip(*against(), strict=True)
    return float(np.average(values, weights=sizes if average.endswith("weighted") else None))


class MulticlassSample(NamedTuple):
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
    ) -> MulticlassSample:
        """From checked columns; `found` are the classes that have examples."""
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

    @property
    def size(self) -> int:
        """Number of examples, without those of weight 0."""
        return len(next(iter(self.scores.values())))

    def each_other(self) -> Iterator[tuple[float, float]]:
        """For each pair of classes the mean of its two AUCs, and its number of examples."""
        for a, b in combinations(self.is_class, 2):
            rows = self.is_class[a] | self.is_class[b]
            yield (self._auc(a, rows) + self._auc(b, rows)) / 2, self._size(rows)

    def the_rest(self) -> Iterator[tuple[float, float]]:
        """For each class its AUC against all others, and its number of examples."""
        for label, mask in self.is_class.items():
            yield self._auc(label, np.ones(len(mask), np.bool_)), self._size(mask)

    def all_cells(self) -> float:
        """AUC of the scores for the own class against those for all others."""
        weight = None if self.weight is None else np.tile(self.weight, len(self.scores))
        own, scores = (np.concatenate(list(part.values())) for part in (self.is_class, self.scores))
        return auc(own, scores, sample_weight=weight)

    def _auc(self, label: Any, rows: npt.NDArray[np.bool_]) -> float:
        weight = None if self.weight is None else self.weight[rows]
        return auc(self.is_class[label][rows], self.scores[label][rows], sample_weight=weight)

    def _size(self, rows: npt.NDArray[np.bool_]) -> float:
        return float(np.count_nonzero(rows) if self.weight is None else self.weight[rows].sum())


def class_sample(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike | Mapping[Any, npt.ArrayLike],
    labels: Sequence[Any] | None,
    sample_weight: npt.ArrayLike | None,
) -> MulticlassSample:
    """Check the arguments of a measure of several classes."""
    found = _classes(y_true)
    columns = _columns(y_score, labels, found)
    unknown = [label for label in found if label not in columns]
    if unknown:
        raise InputError(
            found="{y_true} holds {unknown}, without scores; there are scores for {known}",
            fix="Pass a column, and its name, for every class.",
            unknown=listed(map(repr, unknown)),
            known=listed(map(repr, columns)),
        )
    return MulticlassSample.of(y_true, columns, found, sample_weight)


def _classes(y_true: npt.ArrayLike) -> list[Any]:
    """The distinct classes, in order of appearance."""
    return list(dict.fromkeys(as_names(y_true, "y_true").tolist()))


def _columns(y_score: Any, labels: Sequence[Any] | None, found: list[Any]) -> dict[Any, Any]:
    if isinstance(y_score, Mapping):
        if labels is not None:
            raise InputError(
                found="{labels} were passed with a mapping",
                needed="a mapping already names its columns",
                fix="Leave {labels} out.",
            )
        columns = dict(y_score)
    else:
        matrix = _matrix(y_score)
        if matrix.ndim != 2:
            raise InputError(
                found="{y_score} has shape {shape}",
                needed="one column per class is needed",
                fix="For two classes and one score, use auc.",
                shape=matrix.shape,
            )
        names = _in_order(found) if labels is None else _named(labels)
        if len(names) != matrix.shape[1] or len(set(names)) != len(names):
            raise InputError(
                found="{y_score} has {columns} columns, and there are {count} classes ({classes})",
                fix="Name the class of each column once: {labels=}[...].",
                columns=matrix.shape[1],
                count=len(names),
                classes=listed(map(repr, names)),
            )
        columns = dict(zip(names, matrix.T, strict=True))
    if len(columns) < 2:
        raise InputError(
            found="There are scores for {count} class",
            needed="two or more are needed",
            fix="Pass a column for each class.",
            count=len(columns),
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
            found="{y_score} cannot be read as an array ({reason})",
            fix="Pass rows of equal length, one number per class.",
            reason=error,
        ) from None


def _in_order(found: list[Any]) -> list[Any]:
    try:
        return sorted(found)
    except TypeError:
        raise InputError(
            found="The classes {classes} have no order, so their columns are unknown",
            fix="Name them in the order of the columns: {labels=}[...].",
            classes=listed(map(repr, found)),
        ) from None
