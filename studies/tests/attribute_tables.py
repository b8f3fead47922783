"""Tables of numeric and nominal attributes, with ties and missing values."""

import numpy as np

from roclab_studies.gain_ratio_trees import Attributes


def table(seed, rows=80, *, missing=0.1):
    """Three numbers, one of them coarse, and three nominal attributes; with gaps and ties."""
    rng = np.random.default_rng(seed)
    sizes = np.array([0, 3, 0, 2, 4, 0])
    values = np.column_stack(
        [rng.integers(0, size, rows) if size else rng.normal(size=rows) for size in sizes]
    )
    values[:, 2] = np.round(2 * values[:, 2])
    odds = values[:, 0] + (values[:, 1] == 1) - (values[:, 3] == values[:, 4]) + values[:, 2] / 2
    labels = rng.random(rows) < 1 / (1 + np.exp(-odds))
    values[rng.random(values.shape) < missing] = np.nan
    return Attributes(values=values, sizes=sizes), labels
