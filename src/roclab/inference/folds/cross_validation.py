"""Cross-validated AUC with confidence intervals.

References
----------
E. LeDell, M. Petersen, M. van der Laan, Electronic Journal of Statistics 9 (2015) 1583-1607.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import Alternative
from roclab.checks.options import check_interval
from roclab.data.ranking import Ranking
from roclab.data.row_groups import Membership
from roclab.data.undefined import is_undefined
from roclab.errors import UndefinedMeasureWarning
from roclab.formatting import level_and_method, listed, one_line, plain_value, with_interval
from roclab.inference.estimation.influence import placements
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.estimation.paired_rows import Clusters, PairedRows
from roclab.inference.folds.fold_scores import Fold, Folds, FoldScores, clusters_of, folds_of
from roclab.inference.intervals.closed_form import CLOSED_FORMS
from roclab.inference.intervals.interval import (
    Interval,
    finished_interval,
    lacks_width,
    warn_of_defects,
)
from roclab.numeric.distributions import critical_value
from roclab.numeric.sums import dot
from roclab.result import Result

FoldMethod = Literal["auto", "wald", "ledell"]
# Names of these methods in `auc_interval`.
_FORMS = {"auto": "auto", "wald": "delong", "ledell": "delong"}


@dataclass(frozen=True, kw_only=True, repr=False)
class FoldAUC(Result):
    """AUC of one fold.

    Attributes
    ----------
    fold : object
        Name of the fold.
    value : float
        AUC; nan if the fold lacks a class.
    n_pos, n_neg : int
        Number of positive and negative examples.
    """

    fold: Any
    value: float
    n_pos: int
    n_neg: int

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return vars(self) | {"fold": plain_value(self.fold)}


@dataclass(frozen=True, kw_only=True, repr=False)
class CrossValidatedAUC(Result):
    """Cross-validated AUC, the result of `cross_validated_auc`.

    Attributes
    ----------
    averaged : Interval
        Mean of the folds' AUCs, which compares only examples of the same fold.
    pooled : Interval
        AUC of all examples together, which compares scores of different models.
    folds : tuple of FoldAUC
        Each fold, in the order in which they first appear.
    """

    averaged: Interval
    pooled: Interval
    folds: tuple[FoldAUC, ...]

    def __repr__(self) -> str:
        one = self.averaged
        return (
            f"CrossValidatedAUC(averaged {with_interval(one.value, one.low, one.high)}, pooled "
            f"{self.pooled.value:.3f}, {level_and_method(one.confidence_level, one.method)}, "
            f"{len(self.folds)} folds, "
            f"{one.n_pos}+ {one.n_neg}-)"
        )


def cross_validated_auc(
    y_true: npt.ArrayLike | Ranking | FoldScores,
    y_score: npt.ArrayLike | None = None,
    *,
    fold: npt.ArrayLike | None = None,
    method: FoldMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    cluster: npt.ArrayLike | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> CrossValidatedAUC:
    """Compute the cross-validated AUC, averaged over folds and pooled, with intervals.

    Parameters
    ----------
    y_true : array-like, Ranking or FoldScores
        Target labels (see `Ranking`), a ranking made from rows, or the result of `fold_scores`.
    y_score : array-like, optional
        Out-of-fold scores, higher for the positive class; not with a ranking or `FoldScores`.
    fold : array-like, optional
        Fold of each row; not with `FoldScores`. Rows of the same fold are scored by the same model.
    method : {"auto", "wald", "ledell"}, default "auto"
        ``"auto"`` is the Wilson-type interval of that name in `auc_interval`; ``"wald"`` is the
        value plus and minus a multiple of its standard error. ``"ledell"`` is the same with the
        standard error of LeDell et al., as computed by their package cvAUC for R (its releases up
        to 1.1.4), also with ties.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. A one-sided interval needs more than 0.5.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Two-sided or one-sided interval. ``"greater"`` gives a lower bound, ``"less"`` an upper
        bound; the other end is that of the range of the measure.
    cluster : array-like, optional
        Cluster of each row, such as a patient. Clusters instead of rows are then assumed to be
        independent; with `FoldScores`, pass that of each row of the data. Keep each cluster in one
        fold (scikit-learn's `GroupKFold`): otherwise models are tested on patients that they were
        trained on.
    sample_weight : array-like, optional
        Sample weights; with `FoldScores`, of the rows of the data, in their order. Not with a
        ranking. Rows of weight 0 are left out, and so is a fold that has no others.
    pos_label : object, optional
        Positive class label; not with a ranking or `FoldScores`.

    Returns
    -------
    CrossValidatedAUC
        If a fold lacks a class, its AUC and the average are nan, with an
        `UndefinedMeasureWarning`; the pooled AUC needs both classes only in all folds together.

    Raises
    ------
    InputError
        There are fewer than two folds with examples.

    Notes
    -----
    The interval is for the mean of the true AUCs of the trained models, each on its part of the
    data; it does not include the variation over training data. With V folds the variance is the sum
    of the squared influences of the examples, each (placement - AUC of its fold) / (examples of its
    class in the fold) / V, where the placement is the proportion of the other class in its fold
    that is ranked correctly against it; times m / (m - V) for m examples of that class, because
    the AUC of each fold is estimated too. In repeated cross-validation, the influences of an
    example are added up before they are squared. For the pooled AUC all examples are one fold, and
    the variance is DeLong's. O(n log n).

    ``"ledell"`` has no such factors, and divides by examples of all folds: with N examples, m of
    that class, and N_v in the fold, an influence is
    (placement - AUC of its fold) / m * sqrt(N / (V N_v)). As in the paper and in cvAUC, ties count
    0 in its placements, and half in the AUC. Without ties, and if folds have the same size and the
    same number of positives, the two differ by the factors alone.

    With clusters, p and q are the sums of the influences of a cluster's positives and negatives.
    With I clusters, of which Ip have positives and Iq negatives, the variance is
    ``Ip / (Ip - V) sum p^2 + Iq / (Iq - V) sum q^2 + 2 I / (I - V) sum p q``: Obuchowski's for the
    pooled AUC, and the one above if each row is a cluster. ``"auto"`` uses Student's quantile with
    I - V degrees of freedom for clusters of equal size, and fewer for unequal ones.

    References
    ----------
    N. A. Obuchowski, Biometrics 53 (1997) 567-578, for clusters.
    E. LeDell, M. Petersen, M. van der Laan, Electronic Journal of Statistics 9 (2015) 1583-1607.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.7, 0.9]
    >>> result = cross_validated_auc(y, s, fold=[1, 1, 1, 1, 2, 2, 2, 2])
    >>> result
    CrossValidatedAUC(averaged 0.688 [0.23, 0.94], pooled 0.719, 95 % Wilson-type, 2 folds, 4+ 4-)
    >>> [fold.value for fold in result.folds]
    [0.875, 0.5]
    """
    folds = folds_of(y_true, y_score, fold, sample_weight, pos_label)
    found = unwarned_cross_validation(
        folds,
        clusters=None if cluster is None else clusters_of(cluster, y_true),
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
    )
    _warn_of_folds(found.folds)
    for one in (found.averaged, found.pooled):
        if lacks_width(one):
            warn_of_defects(one)
            break
    return found


def unwarned_cross_validation(
    folds: Folds,
    *,
    clusters: Membership | None = None,
    method: FoldMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> CrossValidatedAUC:
    """`cross_validated_auc` without warnings, for callers that warn once for many."""
    level, side = check_interval(confidence_level, alternative, method, FoldMethod)

    def interval(parts: Sequence[Fold]) -> Interval:
        estimate = _averaged(parts, folds.pooled, method, clusters)
        z = critical_value(level, side, estimate.df if method == "auto" else None)
        ends = CLOSED_FORMS[_FORMS[method]](estimate, z)
        return finished_interval(
            estimate=estimate, ends=ends, level=level, method=method, alternative=side
        )

    return CrossValidatedAUC(
        averaged=interval(folds.parts),
        pooled=interval([folds.pooled]),
        folds=tuple(
            FoldAUC(
                fold=one.name,
                value=math.nan if is_undefined(one.ranking) else one.ranking.summary.auc,
                n_pos=one.ranking.n_pos,
                n_neg=one.ranking.n_neg,
            )
            for one in folds.parts
        ),
    )


def _warn_of_folds(folds: Sequence[FoldAUC]) -> None:
    """Warn of folds that lack a class."""
    lacking = [one for one in folds if math.isnan(one.value)]
    if lacking:
        UndefinedMeasureWarning(
            found="{lacking} of {count} folds ({names}) have no positive or no negative examples",
            needed="the AUC averaged over folds needs both classes in every fold",
            fix="It is nan. Stratify the folds (StratifiedKFold), use fewer of them, or use the "
            "pooled AUC.",
            lacking=len(lacking),
            count=len(folds),
            names=listed(one_line(one.fold) for one in lacking),
        ).issue()


def _averaged(
    folds: Sequence[Fold], pooled: Fold, method: FoldMethod, clusters: Membership | None
) -> Estimate:
    """Mean of the folds' AUCs with its variance; for a single fold DeLong's."""
    value = variance = math.nan
    df = None
    pos, neg = (_Class(folds, positive=positive, method=method) for positive in (True, False))
    sizes = pos.effective, neg.effective
    if not any(is_undefined(one.ranking) for one in folds):
        value = float(np.mean([one.ranking.summary.auc for one in folds]))
        variance = pos.variance + neg.variance
    if clusters is not None:
        variance, sizes, df = _clustered(pos, neg, pooled, clusters, variance)
    return Estimate(
        measure="auc",
        value=value,
        variance=variance,
        pos=sizes[0],
        neg=sizes[1],
        n_pos=pos.examples,
        n_neg=neg.examples,
        df=df,
    )


def _clustered(
    pos: _Class, neg: _Class, pooled: Fold, clusters: Membership, of_rows: float
) -> tuple[float, tuple[float, float], float]:
    """Variance between clusters, the effective sample sizes and the degrees of freedom."""
    sample = PairedRows(pooled.ranking.rows(), None)
    counts = Clusters(sample, clusters.numbers[pooled.rows][sample.rows]).counts
    p, q = (
        np.bincount(clusters.numbers[one.rows], one.moved, minlength=clusters.count)
        for one in (pos, neg)
    )
    variance = (
        pos.corrected(dot(p, p), counts.with_pos)
        + neg.corrected(dot(q, q), counts.with_neg)
        + pos.corrected(2 * dot(p, q), counts.total)
    )
    # As many examples as the variance of independent ones would need; each cluster counts as one
    # if that is 0.
    effect = max(variance / of_rows, 1.0) if of_rows > 0 else math.nan
    sizes = pos.effective / effect, neg.effective / effect
    if math.isnan(effect):
        sizes = counts.with_pos, counts.with_neg
    return variance, sizes, max(counts.df - (pos.folds - 1), 0.0)


class _Class:
    """Influences of one class on an average over folds, its variance, and its size.

    Examples that occur in several folds, as in repeated cross-validation, count once.
    """

    def __init__(self, folds: Sequence[Fold], *, positive: bool, method: FoldMethod) -> None:
        self.folds, self.method = len(folds), method
        rows, moved, loads = [], [], []
        effective = 0.0
        for one in folds:
            ranked, summary = one.ranking.rows(), one.ranking.summary
            in_class = ranked.labels.view(np.bool_) == positive
            effective += summary.effective_pos if positive else summary.effective_neg
            kept = one.rows if ranked.numbers is None else one.rows[ranked.numbers]
            rows.append(kept[in_class])
            weights = np.ones(len(in_class)) if ranked.weights is None else ranked.weights
            loads.append((float(weights[in_class].sum()), float(weights.sum())))
            if is_undefined(one.ranking):
                moved.append(np.full(len(rows[-1]), np.nan))
                continue
            groups = ranked.groups[in_class]
            placed = placements(one.ranking, "auc")[0 if positive else 1][groups]
            share = weights[in_class] / weights[in_class].sum()
            auc = dot(share, placed)
            if method == "ledell":  # a tie counts 0 in placements, and half in the AUC
                other = one.ranking.neg if positive else one.ranking.pos
                placed = placed - (other / other.sum())[groups] / 2
            moved.append(share * (placed - auc) / len(folds))
        if method == "ledell":
            own, both = (sum(column) for column in zip(*loads, strict=True))
            for influences, (of_class, of_fold) in zip(moved, loads, strict=True):
                influences *= len(folds) * of_class / own * math.sqrt(both / (len(folds) * of_fold))
        self.rows, self.moved = np.concatenate(rows), np.concatenate(moved)
        times = np.bincount(self.rows)
        self.examples = int(np.count_nonzero(times))
        self.effective = effective * self.examples / max(len(self.rows), 1)
        # Rows of one number are the same example.
        squares = float(np.sum(np.bincount(self.rows, self.moved) ** 2))
        self.variance = self.corrected(squares, effective)

    def corrected(self, squares: float, number: float) -> float:
        """Correct a sum over a number of units for the estimated AUC of each fold.

        nan if there are no more units than folds.
        """
        if self.method == "ledell":
            return squares
        return squares * number / (number - self.folds) if number > self.folds else math.nan
