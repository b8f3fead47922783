"""Measures of probabilities for more than two classes: Brier score and logarithmic loss."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_between
from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.measures.multiclass import MulticlassSample
from roclab.numeric.sums import dot

_Floats = npt.NDArray[np.float64]
_ROUNDED = 0.01  # by how much the probabilities of a row may miss 1


def multiclass_brier_score(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike | Mapping[Any, npt.ArrayLike],
    *,
    labels: Sequence[Any] | None = None,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Brier score for three or more classes: the sum of squared differences over all classes.

    Parameters
    ----------
    y_true : array-like
        Class of each example.
    y_score : array-like of shape (n, k), or mapping
        One column of probabilities per class: a matrix, its columns in the order of `labels`, or a
        mapping from class to column. The probabilities of an example sum to 1, up to 0.01 for
        rounding.
    labels : sequence, optional
        The classes in the order of the columns; by default sorted. Some may have no examples.
    sample_weight : array-like, optional
        Sample weights.

    Returns
    -------
    float
        Between 0 and 2, lower is better; nan, with `UndefinedMeasureWarning`, if there are no
        examples. With two columns half of that, which is the `brier_score` of either.

    Notes
    -----
    The mean over examples of the sum over classes of (p - y)^2, where y is 1 for the class of the
    example and 0 for any other: Brier's original scale, and that of scikit-learn's
    `brier_score_loss`. O(k n) for k classes.

    References
    ----------
    G. W. Brier, Monthly Weather Review 78 (1950) 1-3.

    Examples
    --------
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.4, 0.5, 0.1], [0.2, 0.1, 0.7]]
    >>> round(multiclass_brier_score(["a", "a", "b", "c"], y_score), 4)
    0.315
    """
    own, probabilities, weight = _probabilities(y_true, y_score, labels, sample_weight)
    if not len(weight):
        return _undefined("A Brier score")
    squares = sum((chosen - column) ** 2 for chosen, column in zip(own, probabilities, strict=True))
    value = dot(weight, np.asarray(squares)) / float(weight.sum())
    return value / 2 if len(own) == 2 else value


def multiclass_log_loss(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike | Mapping[Any, npt.ArrayLike],
    *,
    clip: float = 0.0,
    labels: Sequence[Any] | None = None,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Mean negative natural logarithm of the probability of the observed class.

    Parameters
    ----------
    y_true : array-like
        Class of each example.
    y_score : array-like of shape (n, k), or mapping
        One column of probabilities per class: a matrix, its columns in the order of `labels`, or a
        mapping from class to column. The probabilities of an example sum to 1, up to 0.01 for
        rounding.
    clip : float, default 0
        Probabilities are first clipped to [clip, 1 - clip]. Without it, an outcome of probability 0
        makes the loss infinite.
    labels : sequence, optional
        The classes in the order of the columns; by default sorted. Some may have no examples.
    sample_weight : array-like, optional
        Sample weights.

    Returns
    -------
    float
        0 or more, lower is better; infinite if the class of an example has probability 0, unless
        `clip` is given. nan, with `UndefinedMeasureWarning`, if there are no examples.

    Notes
    -----
    scikit-learn's `log_loss`, which clips at the spacing of the type of the probabilities,
    ``numpy.finfo(y_score.dtype).eps``. With two columns it is the `log_loss` of the second.
    O(k n) for k classes.

    References
    ----------
    I. J. Good, Journal of the Royal Statistical Society B 14 (1952) 107-114.

    Examples
    --------
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.4, 0.5, 0.1], [0.2, 0.1, 0.7]]
    >>> round(multiclass_log_loss(["a", "a", "b", "c"], y_score), 4)
    0.5807
    """
    clip = check_between(
        "clip", clip, 0, 0.5, or_low=True, fix="Pass a probability such as {clip=}1e-15."
    )
    own, probabilities, weight = _probabilities(y_true, y_score, labels, sample_weight)
    if not len(weight):
        return _undefined("A log loss")
    with np.errstate(divide="ignore"):
        surprise = -np.log(np.select(own, probabilities))
    if clip:  # in the losses: 1 - clip would be rounded
        surprise = surprise.clip(-math.log1p(-clip), -math.log(clip))
    return dot(weight, surprise) / float(weight.sum())


def _probabilities(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike | Mapping[Any, npt.ArrayLike],
    labels: Sequence[Any] | None,
    sample_weight: npt.ArrayLike | None,
) -> tuple[list[npt.NDArray[np.bool_]], list[_Floats], _Floats]:
    """For each class its examples and the probabilities of all; the weight of each example."""
    if not isinstance(y_score, Mapping) and np.ndim(y_score) == 1:
        raise InputError(
            found="{y_score} has shape {shape}",
            needed="one column per class is needed",
            fix="For two classes and one column, use brier_score or log_loss.",
            shape=np.shape(y_score),
        )
    sample = MulticlassSample.of(y_true, y_score, "macro", labels, sample_weight)
    columns = {label: column.astype(np.float64) for label, column in sample.scores.items()}
    for label, column in columns.items():
        if len(column) and not (column.min() >= 0 and column.max() <= 1):
            raise InputError(
                found="The scores for {label} range from {low} to {high}",
                needed="probabilities, between 0 and 1, are needed",
                fix="Calibrate them first, or use multiclass_auc.",
                label=repr(label),
                low=f"{column.min():g}",
                high=f"{column.max():g}",
            )
    probabilities = list(columns.values())
    total = np.sum(probabilities, axis=0)
    missed = np.abs(total - 1)
    if (missed > _ROUNDED).any():
        raise InputError(
            found="The probabilities of an example sum to {total}",
            needed="the classes are exclusive, and their probabilities sum to 1",
            fix="Divide each row by its sum, or use brier_score for each class alone.",
            total=f"{total[int(np.argmax(missed))]:g}",
        )
    weight = np.ones(len(total)) if sample.weight is None else sample.weight
    return list(sample.is_class.values()), probabilities, weight


def _undefined(title: str) -> float:
    UndefinedMeasureWarning(
        found="{title} needs examples; there are none", fix="The result is nan.", title=title
    ).issue()
    return math.nan
