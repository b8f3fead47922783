"""Naive Bayes models of many bootstrap samples at once.

A bootstrap sample is how often each row was drawn, so sums over it are products of matrices, and
one product serves all samples.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
# Of the largest variance, as in scikit-learn's GaussianNB, so that none is zero.
FLOOR = 1e-9


def bootstrap_weights(rows: int, samples: int, rng: np.random.Generator) -> Floats:
    """How often each row is in each sample."""
    drawn = rng.integers(0, rows, (samples, rows)) + rows * np.arange(samples)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=samples * rows)
    return counts.reshape(samples, rows).astype(np.float64)


def log_odds(
    X: Floats, y: Labels, numeric: Labels, weights: Floats, training: npt.NDArray[np.intp]
) -> Floats:
    """Logarithm of the odds of being positive, for each model and each row of `X`.

    Numbers are normal in each class, nominal values are counted after Laplace, and what is missing
    says nothing.

    Parameters
    ----------
    X : ndarray, shape (rows, features)
        Nominal values are numbered; nan is missing.
    y : ndarray of bool, shape (rows,)
        Labels; only those of training rows are looked at.
    numeric : ndarray of bool, shape (features,)
        Which columns hold numbers.
    weights : ndarray, shape (models, training rows)
        How often each training row is in the sample of each model.
    training : ndarray of int
        The training rows.

    Returns
    -------
    ndarray, shape (models, rows)
    """
    truth = y[training]
    groups = [(weights[:, truth], training[truth]), (weights[:, ~truth], training[~truth])]
    pos, neg = (part.sum(axis=1) for part, _ in groups)
    total = np.repeat(np.log(pos / neg)[:, None], len(X), axis=1)
    if numeric.any():
        total += _normal(X[:, numeric], training, groups)
    if not numeric.all():
        total += _counted(X[:, ~numeric], groups)
    return total


def _normal(
    X: Floats, training: npt.NDArray[np.intp], groups: list[tuple[Floats, npt.NDArray[np.intp]]]
) -> Floats:
    known = (~np.isnan(X)).astype(np.float64)
    # Rescaled, since squares of large numbers would lose the small differences.
    middle, spread = np.nanmean(X[training], axis=0), np.nanstd(X[training], axis=0)
    units = np.where(known > 0, (X - middle) / np.where(spread > 0, spread, 1), 0)
    floor = FLOOR * (spread.max() / np.where(spread > 0, spread, 1)) ** 2
    parts = []
    for weights, rows in groups:
        count = np.maximum(weights @ known[rows], 1)
        mean = weights @ units[rows] / count
        variance = np.maximum(weights @ units[rows] ** 2 / count - mean**2, 0) + floor
        parts.append(
            (units**2 @ (-0.5 / variance).T)
            + (units @ (mean / variance).T)
            + (known @ (-0.5 * (np.log(variance) + mean**2 / variance)).T)
        )
    return (parts[0] - parts[1]).T


def _counted(X: Floats, groups: list[tuple[Floats, npt.NDArray[np.intp]]]) -> Floats:
    total = np.zeros((len(groups[0][0]), len(X)))
    for column in X.T:
        values = np.unique(column[~np.isnan(column)])
        cells = (column[:, None] == values).astype(np.float64)
        counts = [weights @ cells[rows] + 1 for weights, rows in groups]
        shares = [count / count.sum(axis=1, keepdims=True) for count in counts]
        total += np.log(shares[0] / shares[1]) @ cells.T
    return total
