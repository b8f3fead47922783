"""Pairwise loss over all pairs of a positive and a negative, in O(n log n)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.labels_and_scores import as_labels, as_scores, as_weights, check_same_length
from roclab.checks.options import check_between, check_choice, shown
from roclab.data.ranking import Ranking
from roclab.errors import InputError, Parameter, UndefinedMeasureWarning
from roclab.result import Result

Floats = npt.NDArray[np.float64]
LossName = Literal["hinge", "logistic"]

_MOST_ROWS = 2**32


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairwiseLoss(Result):
    """Mean loss over all pairs of a positive and a negative, with its derivatives.

    Attributes
    ----------
    value : float
        The loss; nan if a class is missing.
    gradient : ndarray
        Derivative with respect to each score, in row order; 0 if a class is missing.
    hessian_bound : ndarray or None
        Diagonal of a matrix that bounds the Hessian from above: twice the diagonal of the Hessian.
        None unless requested.
    n_pos, n_neg : int
        Number of positive and negative examples.
    """

    value: float
    gradient: Floats
    hessian_bound: Floats | None
    n_pos: int
    n_neg: int

    def __repr__(self) -> str:
        return f"PairwiseLoss({self.value:.6g}, {self.n_pos}+ {self.n_neg}-)"


class PairwiseObjective:
    """Mean loss over all pairs as a function of the scores, for fixed labels.

    Training evaluates the loss repeatedly for the same labels. This object keeps them, and the row
    order between calls, so that each call is faster than `pairwise_loss`.

    Parameters
    ----------
    y_true : array-like
        Target labels: booleans, 0/1, -1/1, or any values with `pos_label`.
    loss : {"hinge", "logistic"}, default "hinge"
        Loss of a pair whose positive scores higher by d: ``max(gamma - d, 0) ** p``, or ``log(1 +
        exp(-d / gamma))``.
    gamma : float, default 0.3
        Margin of the hinge: pairs further apart cost nothing. For the logistic loss, its scale.
    p : {1, 2, 3}, default 2
        Power of the hinge; the logistic loss has none. ``gamma=1, p=2`` is the squared hinge.
    sample_weight : array-like, optional
        Sample weights, finite and not negative. The weight of a pair is the product of both.
    pos_label : object, optional
        Positive class label; every other value is then negative. Not needed for booleans, 0/1 and
        -1/1.

    Notes
    -----
    O(n log n) in the worst case, about O(n) for most data. Both losses are exact up to rounding;
    the logistic loss is interpolated in boxes of width 2 gamma, to the last digits of a double.

    References
    ----------
    C. L. Castro and A. P. Braga, "Optimization of the area under the ROC curve", SBRN 2008,
    equation 7 (the hinge).
    K. R. Rust and T. D. Hocking, "A log-linear gradient descent algorithm for unbalanced
    binary classification using the all pairs squared hinge loss", 2023 (in this time, p = 2).

    Examples
    --------
    >>> objective = PairwiseObjective([0, 1, 0, 1], gamma=0.3)
    >>> objective([0.1, 0.4, 0.4, 0.8])
    PairwiseLoss(0.0225, 2+ 2-)
    >>> objective([0.1, 0.5, 0.4, 0.8]).value < 0.0225
    True
    """

    def __init__(
        self,
        y_true: npt.ArrayLike,
        *,
        loss: LossName = "hinge",
        gamma: float = 0.3,
        p: int = 2,
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
    ) -> None:
        check_loss(loss, gamma, p)
        labels = as_labels(y_true, pos_label)
        if len(labels) >= _MOST_ROWS:
            raise InputError(
                found="{y_true} has {rows} rows",
                needed=f"fewer than {_MOST_ROWS:,} are needed",
                fix="Train on a sample.",
                rows=f"{len(labels):,}",
            )
        weights = None if sample_weight is None else as_weights(sample_weight, len(labels))
        present = labels if weights is None else labels[weights > 0]
        self.n_pos = int(np.count_nonzero(present))
        self.n_neg = len(present) - self.n_pos
        self._rows = len(labels)
        self._rebuild = partial(
            PairwiseObjective, labels, loss=loss, gamma=gamma, p=p, sample_weight=weights
        )
        self._kernel: _core.HingeLoss | _core.LogisticLoss | None = None
        if self.n_pos and self.n_neg:
            self._kernel = (
                _core.HingeLoss(labels, weights, float(gamma), int(p))
                if loss == "hinge"
                else _core.LogisticLoss(labels, weights, float(gamma))
            )

    def __reduce__(self) -> tuple[Any, ...]:
        # The kernel cannot be copied; it is rebuilt, as before the first scores.
        return self._rebuild, ()

    def __call__(self, y_score: npt.ArrayLike, *, hessian: bool = False) -> PairwiseLoss:
        """The loss at given scores, with its gradient.

        Parameters
        ----------
        y_score : array-like
            Finite scores, higher for the positive class.
        hessian : bool, default False
            Whether to compute `PairwiseLoss.hessian_bound`, which boosting needs.
        """
        scores = self._as_scores(y_score, "y_score")
        if self._kernel is None:
            UndefinedMeasureWarning(
                found="{y_true} has {n_pos} positive and {n_neg} negative rows",
                needed="a pairwise loss needs both classes",
                fix="The value is nan and the gradient 0.",
                n_pos=self.n_pos,
                n_neg=self.n_neg,
            ).issue()
            value, gradient, curvature = math.nan, np.zeros(self._rows), np.zeros(self._rows)
        else:
            value, gradient, curvature = self._evaluate(scores, gradient=True, curvature=hessian)
        return PairwiseLoss(
            value=value,
            gradient=gradient,
            hessian_bound=2 * curvature if hessian else None,
            n_pos=self.n_pos,
            n_neg=self.n_neg,
        )

    def value(self, y_score: npt.ArrayLike) -> float:
        """The loss alone, in about half the time; nan if a class is missing.

        Parameters
        ----------
        y_score : array-like
            Finite scores, higher for the positive class.
        """
        scores = self._as_scores(y_score, "y_score")
        if self._kernel is None:
            return math.nan
        return self._evaluate(scores, gradient=False, curvature=False)[0]

    def hessian_product(self, vector: npt.ArrayLike) -> Floats:
        """Product of the Hessian at the last scores with a vector, one value per row.

        Parameters
        ----------
        vector : array-like
            Finite numbers, one per row.
        """
        elements = self._as_scores(vector, "vector")
        if self._kernel is None:
            return np.zeros(self._rows)
        return self._kernel.hessian_product(elements, _core.thread_count())

    def _evaluate(
        self, scores: Floats, *, gradient: bool, curvature: bool
    ) -> tuple[float, Floats, Floats]:
        threads = _core.thread_count()
        found = self._kernel.evaluate(scores, gradient, curvature, threads)  # type: ignore[union-attr]
        if not math.isfinite(found[0]):
            raise InputError(
                found="{y_score} ranges from {low} to {high}, and the loss overflows",
                fix="Rescale the scores, or check whether the model has diverged.",
                low=f"{scores.min():g}",
                high=f"{scores.max():g}",
            )
        return found

    def _as_scores(self, values: npt.ArrayLike, name: str) -> Floats:
        scores = as_scores(values, name)
        check_same_length(self._rows, len(scores), name)
        if scores.dtype.kind in "iu" and len(scores):
            # Integers may have more digits than doubles, and only differences matter.
            scores = scores.astype(np.uint64) - scores.min().astype(np.uint64)
        # A copy, so that the scores cannot change after this check.
        scores = scores.astype(np.float64)
        if not np.isfinite(scores).all():
            row = int(np.argmin(np.isfinite(scores)))
            raise InputError(
                found="{name} is {value} in row {row}",
                needed="a pairwise loss needs finite numbers",
                fix="Drop the row, or check whether the model has diverged.",
                name=Parameter(name),
                value=scores[row],
                row=row,
            )
        return scores


def pairwise_loss(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    loss: LossName = "hinge",
    gamma: float = 0.3,
    p: int = 2,
    hessian: bool = False,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> PairwiseLoss:
    """Mean loss over all pairs of a positive and a negative, with its gradient.

    A smooth surrogate of 1 - AUC: a pair costs more, the further its negative scores above its
    positive minus `gamma`.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking. The ranking must have rows.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking. They must be finite.
    loss : {"hinge", "logistic"}, default "hinge"
        Loss of a pair whose positive scores higher by d: ``max(gamma - d, 0) ** p``, or ``log(1 +
        exp(-d / gamma))``.
    gamma : float, default 0.3
        Margin of the hinge: pairs further apart cost nothing. For the logistic loss, its scale.
    p : {1, 2, 3}, default 2
        Power of the hinge; the logistic loss has none. ``gamma=1, p=2`` is the squared hinge.
    hessian : bool, default False
        Whether to compute `PairwiseLoss.hessian_bound`, which boosting needs.
    sample_weight : array-like, optional
        Sample weights; not with a ranking. The weight of a pair is the product of both.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    PairwiseLoss
        Result with the fields `value` and `gradient`.

    Warns
    -----
    UndefinedMeasureWarning
        A class is missing: the value is nan and the gradient 0.

    Notes
    -----
    O(n log n) in the worst case, about O(n) for most data. Adding a constant to all scores changes
    nothing and loses no precision. A pair exactly `gamma` apart counts as further apart. For
    repeated evaluations with the same labels use a `PairwiseObjective`.

    References
    ----------
    C. L. Castro and A. P. Braga, "Optimization of the area under the ROC curve", SBRN 2008,
    equation 7 (the hinge).
    K. R. Rust and T. D. Hocking, "A log-linear gradient descent algorithm for unbalanced
    binary classification using the all pairs squared hinge loss", 2023 (in this time, p = 2).

    Examples
    --------
    >>> found = pairwise_loss([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], gamma=0.3)
    >>> found
    PairwiseLoss(0.0225, 2+ 2-)
    >>> found.gradient.round(3).tolist()
    [0.0, -0.15, 0.15, 0.0]
    """
    if isinstance(y_true, Ranking):
        if y_score is not None or sample_weight is not None or pos_label is not None:
            raise InputError(
                found="A Ranking already holds labels, scores and weights",
                needed="they cannot be passed with it",
                fix="Pass the Ranking alone, or {y_true} and {y_score}.",
            )
        rows = y_true.rows()
        y_score, sample_weight = y_true.scores[rows.groups], rows.weights
        y_true = rows.labels
    elif y_score is None:
        raise InputError(
            found="Only {y_true} was passed", fix="Pass {y_true} and {y_score}, or a Ranking."
        )
    objective = PairwiseObjective(
        y_true, loss=loss, gamma=gamma, p=p, sample_weight=sample_weight, pos_label=pos_label
    )
    return objective(y_score, hessian=hessian)


def check_loss(loss: str, gamma: float, p: int) -> None:
    """Check the options of a pairwise loss."""
    check_choice("loss", loss, LossName)
    check_between(
        "gamma", gamma, 0, math.inf, fix="For outputs between 0 and 1, 0.1 to 0.7 is usual."
    )
    if p not in (1, 2, 3):
        raise InputError(
            found="{p=}{value} is not an option",
            fix="Choose 1, 2 or 3; 2 is a good start.",
            value=shown(p),
        )
