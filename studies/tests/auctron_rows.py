"""Rows with numbers, categories, ties and missing values, for the studies of AUCtron."""

import numpy as np

RNG = np.random.default_rng(3)
VALUES = np.column_stack(
    [RNG.normal(size=(120, 2)).round(1), RNG.integers(0, 3, 120), RNG.integers(0, 2, 120)]
).astype(float)
VALUES[::17, 0] = np.nan
VALUES[::13, 2] = np.nan
NUMERIC = np.array([True, True, False, False])
LABELS = np.nan_to_num(VALUES[:, 0]) + (VALUES[:, 2] == 2) + RNG.normal(size=120) > 0.8
