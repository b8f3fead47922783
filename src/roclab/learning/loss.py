"""A loss over all pairs of a positive and a negative, in the time of a sort."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.ranking import Ranking
from roclab.validation import Labels, as_labels, as_scores, as_weights, check_same_length

__all__ = ["PairwiseLoss", "PairwiseObjective", "pairwise_loss"]

Floats = npt.NDArray[np.float64]
LossName = Literal["hinge", "logistic"]

_MOST_ROWS = 2**32
_POWERS = (1, 2, 3)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairwiseLoss:
    """The mean loss over all pairs of a positive and a negative, with its derivatives.

    Attributes
    ----------
    value : float
        The loss; nan where a class is missing.
    gradient : ndarray
        Its derivative by each score, in the order of the rows; 0 where a class is missing.
    hessian_bound : ndarray or None
        A diagonal matrix that is nowhere below the Hessian: twice the Hessian's own diagonal. None
        unless it was asked for.
    n_pos, n_neg : int
        Positive and negative examples.
    """

    value: float
    gradient: Floats
    hessian_bound: Floats | None
    n_pos: int
    n_neg: int

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return {
            "value": self.value,
            "gradient": self.gradient.tolist(),
            "hessian_bound": None if self.hessian_bound is None else self.hessian_bound.tolist(),
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
        }

    def __repr__(self) -> str:
        return f"pairwise loss {self.value:.6g}, {self.n_pos}+ {self.n_neg}-"


class PairwiseObjective:
    """The mean loss over all pairs as a function of the scores, for one set of labels.

    What trains a model asks for the same labels again and again. This keeps them, and the order of
    the rows from one call to the next, so that each call is quicker than `pairwise_loss`.

    Parameters
    ----------
    y_true : array-like
        Labels: booleans, 0/1, -1/1, or any values with `pos_label`.
    loss : {"hinge", "logistic"}
        Of a pair whose positive scores higher by d: ``max(gamma - d, 0) ** p``, or
        ``log(1 + exp(-d / gamma))``.
    gamma : float
        The margin of the hinge: pairs further apart cost nothing. For the logistic loss the
        distance that counts as one.
    p : {1, 2, 3}
        The power of the hinge; the logistic loss has none. ``gamma=1, p=2`` is the squared hinge.
    sample_weight : array-like, optional
        Finite, non-negative weights. A pair weighs the product of its two.
    pos_label : optional
        The value of `y_true` that is positive; every other value is then negative.

    Notes
    -----
    O(n log n) at worst, about O(n) for most data. Both losses are exact but for rounding; the
    logistic one by interpolation in boxes of width 2 gamma, to the last digits of a double.

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
    pairwise loss 0.0225, 2+ 2-
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
        _check_options(loss, gamma, p)
        labels = as_labels(y_true, pos_label)
        if len(labels) >= _MOST_ROWS:
            raise InputError(
                f"y_true has {len(labels):,} rows; fewer than {_MOST_ROWS:,} are needed. Train on "
                "a sample: a loss over pairs settles long before that."
            )
        weights = None if sample_weight is None else as_weights(sample_weight, len(labels))
        present = labels if weights is None else labels[weights > 0]
        self.n_pos = int(np.count_nonzero(present))
        self.n_neg = len(present) - self.n_pos
        self._rows = len(labels)
        self._made_of = (labels, weights, loss, gamma, p)
        self._kernel: _core.HingeLoss | _core.LogisticLoss | None = None
        if self.n_pos and self.n_neg:
            self._kernel = (
                _core.HingeLoss(labels, weights, float(gamma), int(p))
                if loss == "hinge"
                else _core.LogisticLoss(labels, weights, float(gamma))
            )

    def __reduce__(self) -> tuple[Any, ...]:
        # The kernel cannot be copied; it is made anew, as before the first scores.
        return _made_anew, self._made_of

    def __call__(self, y_score: npt.ArrayLike, *, hessian: bool = False) -> PairwiseLoss:
        """The loss at these scores, with its gradient.

        Parameters
        ----------
        y_score : array-like
            Finite scores, higher for more positive.
        hessian : bool
            Whether to add `PairwiseLoss.hessian_bound`, as boosting wants it.
        """
        scores = self._as_scores(y_score, "y_score")
        if self._kernel is None:
            warnings.warn(
                f"A loss over pairs needs both classes; there are {self.n_pos} positive and "
                f"{self.n_neg} negative rows. The value is nan and the gradient 0.",
                UndefinedMeasureWarning,
                stacklevel=2,
            )
            value, slopes, bends = math.nan, np.zeros(self._rows), np.zeros(self._rows)
        else:
            value, slopes, bends = self._evaluate(scores, gradient=True, curvature=hessian)
        return PairwiseLoss(
            value=value,
            gradient=slopes,
            hessian_bound=2 * bends if hessian else None,
            n_pos=self.n_pos,
            n_neg=self.n_neg,
        )

    def value(self, y_score: npt.ArrayLike) -> float:
        """The loss alone, which takes about half the time; nan where a class is missing."""
        scores = self._as_scores(y_score, "y_score")
        if self._kernel is None:
            return math.nan
        return self._evaluate(scores, gradient=False, curvature=False)[0]

    def hessian_product(self, vector: npt.ArrayLike) -> Floats:
        """The Hessian at the scores last passed, times a vector with an element for each row."""
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
                f"The scores lie between {scores.min():g} and {scores.max():g}; their loss is "
                "beyond the largest double. Divide them, or look for a model that has diverged."
            )
        return found

    def _as_scores(self, values: npt.ArrayLike, name: str) -> Floats:
        scores = as_scores(values, name)
        check_same_length(self._rows, len(scores), name)
        if scores.dtype.kind in "iu" and len(scores):
            # Whole numbers may have more digits than doubles, and only differences count.
            scores = scores.astype(np.uint64) - scores.min().astype(np.uint64)
        # A copy: the kernel needs numbers that stay as they are checked here.
        scores = scores.astype(np.float64)
        if not np.isfinite(scores).all():
            row = int(np.argmin(np.isfinite(scores)))
            raise InputError(
                f"{name} is {scores[row]} in row {row}; a loss over differences needs finite "
                "numbers. Look for a model that has diverged, or drop the row."
            )
        return scores


def _made_anew(
    labels: Labels, weights: Floats | None, loss: LossName, gamma: float, p: int
) -> PairwiseObjective:
    return PairwiseObjective(labels, loss=loss, gamma=gamma, p=p, sample_weight=weights)


def pairwise_loss(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    loss: LossName = "hinge",
    gamma: float = 0.3,
    p: int = 2,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    hessian: bool = False,
) -> PairwiseLoss:
    """The mean loss over all pairs of a positive and a negative, with its gradient.

    A smooth stand-in for 1 - AUC: a pair costs the more, the further its negative scores above its
    positive less `gamma`.

    Parameters
    ----------
    y_true : array-like or Ranking
        Labels: booleans, 0/1, -1/1, or any values with `pos_label`; or a `Ranking` made of rows,
        of which those with weight 0 are not part.
    y_score : array-like
        Finite scores, higher for more positive.
    loss : {"hinge", "logistic"}
        Of a pair whose positive scores higher by d: ``max(gamma - d, 0) ** p``, or
        ``log(1 + exp(-d / gamma))``.
    gamma : float
        The margin of the hinge: pairs further apart cost nothing. For the logistic loss the
        distance that counts as one.
    p : {1, 2, 3}
        The power of the hinge; the logistic loss has none. ``gamma=1, p=2`` is the squared hinge.
    sample_weight : array-like, optional
        Finite, non-negative weights. A pair weighs the product of its two.
    pos_label : optional
        The value of `y_true` that is positive; every other value is then negative.
    hessian : bool
        Whether to add `PairwiseLoss.hessian_bound`, as boosting wants it.

    Returns
    -------
    PairwiseLoss
        With the fields `value` and `gradient`.

    Warns
    -----
    UndefinedMeasureWarning
        A class is missing: the value is nan and the gradient 0.

    Notes
    -----
    O(n log n) at worst, about O(n) for most data. Adding a constant to all scores changes nothing,
    and takes away no digits. A pair exactly `gamma` apart counts as further apart. To ask for the
    same labels again and again, make a `PairwiseObjective`.

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
    pairwise loss 0.0225, 2+ 2-
    >>> found.gradient.round(3).tolist()
    [0.0, -0.15, 0.15, 0.0]
    """
    if isinstance(y_true, Ranking):
        if y_score is not None or sample_weight is not None or pos_label is not None:
            raise InputError(
                "A Ranking already holds labels, scores and weights; they cannot be given beside "
                "it. Pass the Ranking alone, or y_true and y_score."
            )
        rows = y_true.rows()
        y_score, sample_weight = y_true.scores[rows.groups], rows.weights
        y_true = rows.labels
    elif y_score is None:
        raise InputError("Only y_true was given. Pass y_true and y_score, or a Ranking.")
    objective = PairwiseObjective(
        y_true, loss=loss, gamma=gamma, p=p, sample_weight=sample_weight, pos_label=pos_label
    )
    return objective(y_score, hessian=hessian)


def _check_options(loss: str, gamma: float, p: int) -> None:
    if loss not in ("hinge", "logistic"):
        raise InputError(f'loss is {loss!r}; it is "hinge" or "logistic".')
    if not (isinstance(gamma, int | float | np.number) and 0 < gamma < math.inf):
        raise InputError(
            f"gamma is {gamma!r}; a finite number above 0 is needed. On outputs between 0 and 1, "
            "0.1 to 0.7 is usual."
        )
    if p not in _POWERS:
        raise InputError(f"p is {p!r}; 1, 2 and 3 are possible. 2 is a good start.")
