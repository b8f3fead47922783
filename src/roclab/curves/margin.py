"""The margin curve: AUC after every positive score is lowered, or raised, by a margin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from roclab.checks.labels_and_scores import as_numbers
from roclab.checks.options import check_count
from roclab.curves.score_differences import Floats, comparable_scores
from roclab.curves.score_scale import ScoreScale
from roclab.curves.shifted import shares_won
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import is_undefined, warn_if_undefined
from roclab.errors import InputError
from roclab.numeric.sums import dot, running_sum
from roclab.result import ReadOnlyArrays, Result


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MarginCurve(Result, ReadOnlyArrays):
    """AUC as a function of the margin by which positives must score above negatives.

    For a positive score y and a negative score x drawn at random,
    ``theta(tau) = P(y - x > tau) + P(y - x = tau) / 2`` at every real tau: a step function that
    falls from 1 to 0. It may have one step per pair, so the curve keeps the scores of the two
    classes and is evaluated on demand.

    Attributes
    ----------
    low, high : float
        The smallest and the largest difference y - x: theta is 1 below and 0 above. nan if a
        class is missing.
    n_pos, n_neg : int
        Numbers of positive and negative examples.
    strict : bool
        Whether ``y - x = tau`` counts 0 instead of one half.
    scale : float
        Units of `pos_scores` and `neg_scores` per unit of tau: 1, or the range of the scores if
        margins are shares of it, or the number of decimal steps per unit.
    pos_scores, neg_scores : ndarray of float
        Distinct scores of the positives and of the negatives, ascending, up to a common shift:
        only their differences matter.
    pos, neg : ndarray
        The mass at each score: counts, or sums of weights.
    """

    low: float
    high: float
    n_pos: int
    n_neg: int
    strict: bool
    scale: float
    pos_scores: Floats
    neg_scores: Floats
    pos: npt.NDArray[Any]
    neg: npt.NDArray[Any]

    @overload
    def at(self, tau: float) -> float: ...
    @overload
    def at(self, tau: Sequence[float] | npt.NDArray[Any]) -> Floats: ...

    def at(self, tau: float | Sequence[float] | npt.NDArray[Any]) -> float | Floats:
        """The curve at one margin or at several.

        ``at(0)`` is the AUC, ``at(delta)`` the AUC after all positives are lowered by `delta`, and
        ``at(-delta)`` the AUC after they are raised by it.

        Parameters
        ----------
        tau : float or array-like of float
            Margins of either sign; infinite ones are allowed.

        Returns
        -------
        float or ndarray
            Values between 0 and 1, in the shape of `tau`.

        Notes
        -----
        About O(m) per margin, with m distinct scores in the class that has fewer. ``y - x`` is
        compared with tau exactly, as binary numbers: 0.6 - 0.5 is slightly below 0.1. With
        ``decimals=`` in `margin_curve` they are decimal numbers, and it is 0.1.
        """
        taus = as_numbers(tau, "tau")
        if np.isnan(taus).any():
            raise InputError(found="{tau} holds NaN", needed="a number of either sign is needed")
        values = np.full(taus.size, np.nan)
        if self.n_pos and self.n_neg:
            values = shares_won(
                self.pos_scores,
                self.pos,
                self.neg_scores,
                self.neg,
                -self._in_scores(taus.ravel()),
                exact=True,
                strict=self.strict,
            )
        return float(values[0]) if taus.ndim == 0 else values.reshape(taus.shape)

    def area(self, *, low: float = 0.0, high: float = math.inf) -> float:
        """Area under the curve between two margins; without arguments, the scored AUC.

        Parameters
        ----------
        low : float, default 0
            Lower limit. Since theta is 1 far on the left, ``low=-inf`` gives inf.
        high : float, default inf
            Upper limit, at least `low`.

        Returns
        -------
        float
            The mean over pairs of ``min(max(y - x - low, 0), high - low)``. nan if a class is
            missing.

        Notes
        -----
        O(m log n), without numerical integration: the area is that of the steps, up to rounding
        (about 1e-15 of the range of the scores). ``strict`` does not change it.
        """
        low, high = float(low), float(high)
        if not low <= high:
            raise InputError(
                found="{low=}{first} and {high=}{last} are not limits of an area",
                needed="numbers with low <= high are needed",
                first=f"{low:g}",
                last=f"{high:g}",
            )
        if not (self.n_pos and self.n_neg):
            return math.nan
        before = max(0.0, min(high, self.low) - low)  # where theta is 1
        first, last = max(low, self.low), min(high, self.high)
        if first >= last:
            return before
        beyond = self._mean_excess(last) if last < self.high else 0.0
        return before + max(0.0, self._mean_excess(first) - beyond) / self.scale

    def taus(self, *, points: int = 201) -> Floats:
        """Margins at which to draw the curve: evenly spaced over all its steps.

        Between two of them the curve lies between their values. Empty if a class is missing.

        Parameters
        ----------
        points : int, default 201
            Number of margins.
        """
        check_count("points", points, 2)
        if not (self.n_pos and self.n_neg):
            return np.empty(0)
        return np.linspace(self.low, self.high, points)

    def to_dict(self, *, points: int = 201) -> dict[str, Any]:
        """The curve as plain Python values, evaluated at evenly spaced margins.

        Parameters
        ----------
        points : int, default 201
            Number of margins at which the curve is evaluated.
        """
        taus = self.taus(points=points)
        return {
            "low": self.low,
            "high": self.high,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            "strict": self.strict,
            "scale": self.scale,
            "auc": self.at(0.0),
            "area": self.area(),
            "tau": taus.tolist(),
            "theta": self.at(taus).tolist(),
        }

    def __repr__(self) -> str:
        kind = ", strict" if self.strict else ""
        return (
            f"MarginCurve({self.n_pos:,} positive, {self.n_neg:,} negative, "
            f"margins {self.low:g} to {self.high:g}{kind})"
        )

    def _in_scores(self, taus: Floats) -> Floats:
        """Margins in units of the scores; integers where tau is the nearest double to one."""
        with np.errstate(over="ignore"):
            scaled = taus * self.scale
        whole = np.rint(scaled)
        return np.where(whole / self.scale == taus, whole, scaled)

    def _mean_excess(self, tau: float) -> float:
        """Mean over pairs of max(y - x - tau, 0), in scores, by the integrated shares below."""
        bounds = self.pos_scores - tau * self.scale
        below = np.searchsorted(self.neg_scores, bounds)
        last = np.maximum(below - 1, 0)
        shares = self._below[below] / float(self._below[-1])
        excess = self._integrated[last] + shares * (bounds - self.neg_scores[last])
        return dot(self.pos / float(self.pos.sum()), np.where(below > 0, excess, 0.0))

    @cached_property
    def _below(self) -> npt.NDArray[Any]:
        """Mass of the first 0, 1, 2, ... negative scores."""
        return running_sum(self.neg)

    @cached_property
    def _integrated(self) -> Floats:
        """At each negative score, the mean over negatives of max(score - x, 0).

        A running sum of shares times gaps: all terms are positive, so nothing cancels even if the
        scores are far from zero.
        """
        shares = self._below[1:-1] / float(self._below[-1])
        return running_sum(shares * np.diff(self.neg_scores))


def margin_curve(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    normalize: bool = False,
    strict: bool = False,
    decimals: int | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> MarginCurve:
    """The margin curve: AUC after all positive scores are lowered by tau, for every real tau.

    The half with ``tau >= 0`` is the sROC curve, and the area under it the scored AUC; at
    ``delta`` and ``-delta`` it gives the lower and the upper AUC of granularity `delta`.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    normalize : bool, default False
        Measure margins in units of the range of the scores, as if these were scaled to [0, 1].
        Constant scores stay as they are.
    strict : bool, default False
        Count ``y - x = tau`` as 0, as in the paper, instead of one half.
    decimals : int, optional
        Number of decimals of the scores: differences are then compared as decimal numbers, not as
        binary ones.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    MarginCurve
        If a class is missing its values are nan, with `UndefinedMeasureWarning`.

    Notes
    -----
    O(n log n) for the ranking and about O(n) per evaluation. Scores must be finite. Integer scores
    are exact if their range is below 2**53; otherwise they are rounded to float64.

    References
    ----------
    S. Wu, P. Flach and C. Ferri, *An improved model selection heuristic for AUC*, ECML 2007,
    equation 4 (strict, and for 0 <= tau <= 1).

    Examples
    --------
    >>> curve = margin_curve([0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0])
    >>> curve
    MarginCurve(2 positive, 2 negative, margins 0 to 1)
    >>> curve.at([-0.25, 0, 0.25, 0.5])
    array([1.   , 0.875, 0.75 , 0.5  ])
    >>> curve.area()
    0.5
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    scores, span, scale = _on_scale(ranking, decimals)
    warn_if_undefined("A margin curve", ranking)
    if normalize and span > 0:
        scale = span
    pos_at, neg_at = np.flatnonzero(ranking.pos), np.flatnonzero(ranking.neg)
    low = high = math.nan
    if not is_undefined(ranking):
        low = float(scores[pos_at[0]] - scores[neg_at[-1]]) / scale
        high = float(scores[pos_at[-1]] - scores[neg_at[0]]) / scale
    return MarginCurve(
        low=low,
        high=high,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
        strict=bool(strict),
        scale=scale,
        pos_scores=scores[pos_at],
        neg_scores=scores[neg_at],
        pos=ranking.pos[pos_at],
        neg=ranking.neg[neg_at],
    )


def _on_scale(ranking: Ranking, decimals: int | None) -> tuple[Floats, float, float]:
    """Scores as comparable numbers, their range, and the number of their units per unit."""
    scores, span = comparable_scores(ranking, "margin_curve")
    if decimals is None:
        return scores, span, 1.0
    decimal = ScoreScale(decimals)
    steps = decimal.scores(ranking.scores)
    steps = (steps - steps[:1]).astype(np.float64)
    return steps, float(steps[-1]) if len(steps) else 0.0, float(decimal.unit)
