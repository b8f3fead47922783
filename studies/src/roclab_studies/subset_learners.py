"""The three learners of Wu, Flach and Ferri's tables, each for many subsets of attributes at once.

They had J48, naive Bayes and logistic regression of Weka with its defaults; these do what is known
of those: a tree after C4.5, unpruned, with Laplace's correction; naive Bayes with normal densities
for numbers; logistic regression with the slightest ridge. Models that differ only in the attributes
they may use share their work.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtr

from roclab_studies.gain_ratio_trees import Attributes, grow

RIDGE = 1e-8
STEPS = 30  # separated classes have no other end
CLOSE = 1e-6  # change of the loss, beside the loss and one
LEAST_CHANCE = 1e-75  # of a number, given its class

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]
Scorer = Callable[[Attributes, Labels, Rows, Rows, Labels], Floats]


def tree_scores(
    attributes: Attributes, labels: Labels, learn: Rows, judge: Rows, usable: Labels
) -> Floats:
    """Chance of being positive by trees, a line for each line of `usable` attributes."""
    own = Attributes(values=attributes.values[learn], sizes=attributes.sizes)
    return grow(own, labels[learn], usable).scores(attributes.values[judge])


def bayes_scores(
    attributes: Attributes, labels: Labels, learn: Rows, judge: Rows, usable: Labels
) -> Floats:
    """The same by naive Bayes: the evidence of attributes adds up, so a model is a sum."""
    truth = labels[learn]
    evidence = np.empty((len(judge), len(attributes.sizes)))
    numeric = attributes.numeric
    known, new = attributes.values[learn], attributes.values[judge]
    evidence[:, numeric] = number_evidence(known[:, numeric], truth, new[:, numeric])
    for k in np.flatnonzero(~numeric):
        evidence[:, k] = value_evidence(known[:, k], truth, new[:, k], int(attributes.sizes[k]))
    prior = np.log((truth.sum() + 1) / ((~truth).sum() + 1))
    return np.asarray(expit(prior + usable.astype(np.float64) @ evidence.T))


def value_evidence(known: Floats, truth: Labels, new: Floats, size: int) -> Floats:
    """Log of the ratio of the two classes' chances of a nominal value, after Laplace."""
    found = ~np.isnan(known)
    counts = np.bincount(
        2 * known[found].astype(np.intp) + truth[found], minlength=2 * size
    ).reshape(size, 2)
    chances = (counts + 1) / (counts.sum(axis=0) + size)
    logs = np.append(np.log(chances[:, 1] / chances[:, 0]), 0.0)
    return np.asarray(logs[np.where(np.isnan(new), size, new).astype(np.intp)])


def number_evidence(known: Floats, truth: Labels, new: Floats) -> Floats:
    """Log of the ratio of the classes' normal chances of numbers, a column for each attribute.

    A number stands for an interval as wide as the mean gap of the training values, and no deviation
    is less than a sixth of that.
    """
    gaps = np.diff(np.sort(known, axis=0), axis=0)  # a missing number is the last
    apart = gaps > 0
    count = apart.sum(axis=0)
    width = np.where(count > 0, np.where(apart, gaps, 0).sum(axis=0) / np.maximum(count, 1), 0.01)
    logs = []
    for rows in (~truth, truth):
        found = ~np.isnan(known[rows])
        size = np.maximum(found.sum(axis=0), 1)
        own = np.where(found, known[rows], 0.0)
        mean = own.sum(axis=0) / size
        spread = np.sqrt((np.where(found, own - mean, 0.0) ** 2).sum(axis=0) / size)
        spread = np.maximum(spread, width / 6)
        # From the tail: a difference of numbers near one is too coarse.
        away = np.abs(new - mean)
        chance = ndtr((width / 2 - away) / spread) - ndtr((-width / 2 - away) / spread)
        logs.append(np.log(np.maximum(chance, LEAST_CHANCE)))
    return np.where(np.isnan(new), 0.0, logs[1] - logs[0])


def logistic_scores(
    attributes: Attributes, labels: Labels, learn: Rows, judge: Rows, usable: Labels
) -> Floats:
    """The same by logistic regression."""
    design, owner = indicators(attributes, learn)
    mean, spread = design[learn].mean(axis=0), design[learn].std(axis=0)
    varies = spread > 0
    design = (design[:, varies] - mean[varies]) / spread[varies]
    design = np.column_stack((np.ones(len(design)), design))
    kept = np.column_stack((np.ones(len(usable), bool), usable[:, owner[varies]]))
    weights = logistic_weights(design[learn], labels[learn], kept)
    return np.asarray(expit(weights @ design[judge].T))


def indicators(attributes: Attributes, learn: Rows) -> tuple[Floats, Rows]:
    """A column for each nominal value, one for two; whose it is; gaps filled by the training rows.

    A missing number is the mean of those known, a missing nominal value the most frequent.
    """
    columns, owner = [], []
    for k, (column, size) in enumerate(zip(attributes.values.T, attributes.sizes, strict=True)):
        missing = np.isnan(column)
        if missing.any():
            known = column[learn][~missing[learn]]
            if not size:
                usual = known.mean() if len(known) else 0.0
            else:
                usual = float(np.argmax(np.bincount(known.astype(np.intp), minlength=size)))
            column = np.where(missing, usual, column)
        if size <= 2:
            columns.append(column[:, None])
        else:
            columns.append((column[:, None] == np.arange(size)).astype(np.float64))
        owner += [k] * columns[-1].shape[1]
    return np.hstack(columns), np.array(owner)


def logistic_weights(
    design: Floats, labels: Labels, kept: Labels, *, ridge: float = RIDGE
) -> Floats:
    """Weights that make the log loss plus `ridge` times their squares least, by Newton's steps.

    A line for each line of `kept`; columns that are not kept have weight 0. The first column is the
    constant and bears no ridge. A step that does not lower the loss is halved.
    """
    models, width = kept.shape
    sign = np.where(labels, 1.0, -1.0)
    penalty = np.full(width, 2 * ridge)
    penalty[0] = 0
    weights = np.zeros((models, width))
    loss = _losses(weights, design, sign, ridge)
    going = np.ones(models, dtype=bool)
    place = np.arange(width)
    for _ in range(STEPS):
        active = np.flatnonzero(going)
        if not len(active):
            break
        own, mask = weights[active], kept[active]
        chance = expit(own @ design.T)
        slope = (chance - labels) @ design + penalty * own
        bend = (design.T * (chance * (1 - chance))[:, None, :]) @ design
        bend *= mask[:, :, None] & mask[:, None, :]
        bend[:, place, place] += penalty + np.where(mask, 1e-12 * len(labels), 1.0)
        step = np.linalg.solve(bend, np.where(mask, slope, 0.0)[:, :, None])[:, :, 0]
        before = loss[active]
        factor = np.ones(len(active))
        for _ in range(STEPS):
            trial = own - factor[:, None] * step
            after = _losses(trial, design, sign, ridge)
            worse = ~(after <= before)
            if not worse.any():
                break
            factor[worse] /= 2
        better = after <= before
        weights[active[better]] = trial[better]
        loss[active[better]] = after[better]
        going[active] = better & (before - after > CLOSE * (before + 1))
    return weights


def _losses(weights: Floats, design: Floats, sign: Floats, ridge: float) -> Floats:
    log_losses = np.logaddexp(0, -sign * (weights @ design.T)).sum(axis=1)
    return np.asarray(log_losses + ridge * (weights[:, 1:] ** 2).sum(axis=1))


LEARNERS: dict[str, Scorer] = {
    "tree": tree_scores,
    "naive Bayes": bayes_scores,
    "logistic regression": logistic_scores,
}
