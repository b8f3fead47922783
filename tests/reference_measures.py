"""The influence of examples on measures, obviously and slowly: by adding a little weight to one."""

import numpy as np

import roclab as rl


def derivatives(measure, options, y_true, scores, weight, step=1e-6):
    """Derivative of a measure with respect to the weight of each row, by central differences."""
    found = []
    for row in range(len(y_true)):
        values = []
        for sign in (1, -1):
            moved = np.array(weight, float)
            moved[row] += sign * step
            ranking = rl.Ranking(y_true, scores, sample_weight=moved)
            values.append(measure.value_of(ranking, **options))
        found.append((values[0] - values[1]) / (2 * step))
    return np.array(found)


def paired_t(losses_a, losses_b, y_true):
    """Difference of two mean losses, its variance and degrees of freedom after Welch."""
    differences = np.asarray(losses_a) - np.asarray(losses_b)
    share = np.mean(y_true)
    parts = [
        (part**2 * differences[side].var(ddof=1) / side.sum(), side.sum() - 1)
        for part, side in ((share, y_true == 1), (1 - share, y_true == 0))
    ]
    variance = sum(one for one, _ in parts)
    return differences.mean(), variance, variance**2 / sum(one**2 / df for one, df in parts)


def degrees_of_freedom(influences, y_true):
    """Satterthwaite's for a sum of two variances, each with 2 n / (kurtosis - 1), at most n - 1."""
    variances, freedoms = [], []
    for side in (1, 0):
        values = influences[y_true == side]
        n, centred = len(values), values - values.mean()
        kurtosis = np.mean(centred**4) / np.mean(centred**2) ** 2
        variances.append(values.var(ddof=1) / n)
        freedoms.append(min(n - 1, 2 * n / max(kurtosis - 1, 2)))
    parts = zip(variances, freedoms, strict=True)
    return sum(variances) ** 2 / sum(one**2 / df for one, df in parts)
