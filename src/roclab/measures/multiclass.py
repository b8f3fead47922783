"""The AUC for more than two classes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from roclab.checks.labels_and_scores import (
    as_labels,
    as_scores,
    as_weights,
    check_same_length,
    nan_scores,
)
from roclab.checks.options import check_choice
from roclab.checks.vectors import as_names
from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.formatting import listed
from roclab.measures.area import auc

Average = Literal["hand_till", "hand_till_weighted", "macro", "weighted", "micro"]


def multiclass_auc(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike | Mapping[Any, npt.ArrayLike],
    *,
    average: Average = "hand_till",
    labels: Sequence[Any] | None = None,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """AUC for three or more classes: the mean of AUCs between two classes.

    Parameters
    ----------
    y_true : array-like
        Class of each example.
    y_score : array-like of shape (n, k) or (n,), or mapping
        One column of scores per class, higher for that class: a matrix, its columns in the order of
        `labels`, or a mapping from class to column. Rows need not sum to 1. A single column of
        scores ranks ordered classes: higher for those that come later in `labels`.
    average : {"hand_till", "hand_till_weighted", "macro", "weighted", "micro"}
        ``"hand_till"``, the default: each class against each other, averaged over the pairs of
        classes. ``"hand_till_weighted"``: pairs weighted by their numbers of examples. ``"macro"``:
        each class against all others, averaged. ``"weighted"``: these weighted by the number of
        examples of the class. ``"micro"``: no average, but the AUC of all scores together, where
        the score of an example for its own class is positive and for any other class negative;
        scores of different classes are then compared.
    labels : sequence, optional
        The classes in the order of the columns, or from the lowest to the highest for a single
        column of scores; by default sorted.
    sample_weight : array-like, optional
        Sample weights.

    Returns
    -------
    float
        Between 0 and 1; one half for chance. nan, with `UndefinedMeasureWarning`, if a class with
        scores has no examples; ``average="micro"`` only needs an example.

    Notes
    -----
    The value of a pair of classes is the mean of two AUCs, one for the scores of each class; of
    ordered classes it is the AUC of the higher one. With two columns that sum to a constant all
    averages but ``"micro"`` equal the `auc` of the second.
    `roclab.inference.multiclass_auc_interval` has the values of the pairs or classes, with
    confidence intervals.

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
    sample = MulticlassSample.of(y_true, y_score, average, labels, sample_weight)
    if average == "micro" and sample.size:
        return sample.all_cells()
    if sample.missing():
        return math.nan
    values, sizes = zip(
        *((sample.value(one), one.size) for one in sample.contrasts(average)), strict=True
    )
    return float(np.average(values, weights=sizes if average.endswith("weighted") else None))


class Contrast(NamedTuple):
    """Classes that are compared: two of them, or one with all others.

    Attributes
    ----------
    classes : tuple
        The classes.
    rows : ndarray of bool
        Their examples.
    positives : tuple
        The classes whose scores rank these examples: the value is the mean of their AUCs.
    size : float
        Number of examples by which the contrast counts in a weighted mean.
    """

    classes: tuple[Any, ...]
    rows: npt.NDArray[np.bool_]
    positives: tuple[Any, ...]
    size: float


class MulticlassSample(NamedTuple):
    """Examples of several classes, with a column of scores for each class.

    Attributes
    ----------
    is_class : dict of ndarray of bool
        Which examples are of a class.
    scores : dict of ndarray
        Scores for a class.
    weight : ndarray or None
        Sample weights, all positive.
    ordered : bool
        Whether the classes are ordered and share one column of scores.
    """

    is_class: dict[Any, npt.NDArray[np.bool_]]
    scores: dict[Any, npt.NDArray[Any]]
    weight: npt.NDArray[np.float64] | None
    ordered: bool

    @classmethod
    def of(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike | Mapping[Any, npt.ArrayLike],
        average: Average,
        labels: Sequence[Any] | None,
        sample_weight: npt.ArrayLike | None,
    ) -> MulticlassSample:
        """From the arguments of `multiclass_auc`, checked."""
        check_choice("average", average, Average)
        found = _classes(y_true)
        columns, ordered = _columns(y_score, labels, found)
        if ordered and not average.startswith("hand_till"):
            raise InputError(
                found="{average=}{value} sets each class against all others",
                needed="a single column of scores orders the classes, in pairs",
                fix="Choose {average=}'hand_till', or pass a column for each class.",
                value=repr(average),
            )
        unknown = [label for label in found if label not in columns]
        if unknown:
            raise InputError(
                found="{y_true} holds {unknown}, without scores; there are scores for {known}",
                fix="Pass a column, and its name, for every class.",
                unknown=listed(map(repr, unknown)),
                known=listed(map(repr, columns)),
            )
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
        return cls(is_class, scores, None if weight is None else weight[kept], ordered)

    @property
    def size(self) -> int:
        """Number of examples, without those of weight 0."""
        return len(next(iter(self.scores.values())))

    def missing(self) -> bool:
        """Whether a class has scores and no examples, with a warning."""
        missing = [label for label, mask in self.is_class.items() if not mask.any()]
        if missing:
            UndefinedMeasureWarning(
                found="There are scores for {missing}, but no examples",
                fix="The result is nan; leave their columns out to average over the other classes.",
                missing=listed(map(repr, missing)),
            ).issue()
        return bool(missing)

    def contrasts(self, average: Average) -> Iterator[Contrast]:
        """The pairs of classes, or each class with all others."""
        if average.startswith("hand_till"):
            for a, b in combinations(self.is_class, 2):
                rows = self.is_class[a] | self.is_class[b]
                yield Contrast((a, b), rows, (b,) if self.ordered else (a, b), self._size(rows))
            return
        for label, mask in self.is_class.items():
            yield Contrast((label,), np.ones(len(mask), np.bool_), (label,), self._size(mask))

    def all_cells(self) -> float:
        """AUC of the scores for the own class against those for all others."""
        weight = None if self.weight is None else np.tile(self.weight, len(self.scores))
        own, scores = (np.concatenate(list(part.values())) for part in (self.is_class, self.scores))
        return auc(own, scores, sample_weight=weight)

    def columns(self, contrast: Contrast, positive: Any) -> tuple[Any, Any, Any]:
        """Labels, scores and weights of a contrast, for one of its classes."""
        rows = contrast.rows
        weight = None if self.weight is None else self.weight[rows]
        return self.is_class[positive][rows], self.scores[positive][rows], weight

    def value(self, contrast: Contrast) -> float:
        """The mean of the AUCs of a contrast."""
        values = []
        for positive in contrast.positives:
            labels, scores, weight = self.columns(contrast, positive)
            values.append(auc(labels, scores, sample_weight=weight))
        return sum(values) / len(values)

    def _size(self, rows: npt.NDArray[np.bool_]) -> float:
        return float(np.count_nonzero(rows) if self.weight is None else self.weight[rows].sum())


def _classes(y_true: npt.ArrayLike) -> list[Any]:
    """The distinct classes, in order of appearance."""
    return list(dict.fromkeys(as_names(y_true, "y_true").tolist()))


def _columns(
    y_score: Any, labels: Sequence[Any] | None, found: list[Any]
) -> tuple[dict[Any, Any], bool]:
    """The column of each class, and whether it is a single one for ordered classes."""
    ordered = False
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
        ordered = matrix.ndim == 1
        if matrix.ndim not in (1, 2):
            raise InputError(
                found="{y_score} has shape {shape}",
                needed="one column per class is needed, or a single one for ordered classes",
                shape=matrix.shape,
            )
        if ordered and labels is None and not all(isinstance(one, int | float) for one in found):
            raise InputError(
                found="{y_score} is a single column of scores, and the classes are not numbers",
                needed="a single column ranks ordered classes",
                fix="Name them from the lowest to the highest: {labels=}[...]; or pass a column "
                "per class.",
            )
        names = _in_order(found) if labels is None else _named(labels)
        if ordered:
            matrix = np.broadcast_to(matrix[:, np.newaxis], (len(matrix), len(names)))
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
    return columns, ordered


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
