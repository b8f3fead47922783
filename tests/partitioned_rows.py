"""Rows in partitions as they should not be: what clusters must cope with."""

import numpy as np
import polars as pl


def rows(seed, n=900):
    """Scores of three types with ties, signed zeros and infinities, weights and groups."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < rng.choice([0.1, 0.5, 0.8])
    tied = np.round(rng.normal(size=n) + y, 1)
    tied[rng.random(n) < 0.1] = -0.0
    smooth = rng.normal(size=n) + y
    smooth[:: n // 3] = np.inf * np.sign(smooth[:: n // 3])
    frame = pl.DataFrame(
        {
            "y": y.astype(np.int32),
            "tied": tied,
            "smooth": smooth,
            "whole": (rng.integers(-9, 9, n) + 2 * y).astype(np.int64),
            "w": rng.choice([0.0, 0.5, 1.0, 3.0], n),
            "g": rng.choice(["a", "b", "c", "d d"], n),
        }
    )
    return frame.with_columns(pl.col("tied", "smooth").cast(pl.Float64))


def parted(frame, seed):
    """Partitions: one with missing values, one class only, a single row, none, and the others."""
    rng = np.random.default_rng(seed)
    frame = frame.sample(fraction=1.0, shuffle=True, seed=seed)
    one_class, others = frame.filter(pl.col("y") == 1)[:100], frame.filter(pl.col("y") == 0)
    others = pl.concat([others, frame.filter(pl.col("y") == 1)[100:]])
    others = others.sample(fraction=1.0, shuffle=True, seed=seed)
    cuts = sorted(rng.integers(2, others.height, 2))
    single, first, second, third = (
        others[:1],
        others[1 : cuts[0]],
        others[cuts[0] : cuts[1]],
        others[cuts[1] :],
    )
    lost = pl.int_range(pl.len()) % 7 == 3
    first = first.with_columns(
        tied=pl.when(lost).then(float("nan")).otherwise(pl.col("tied")),
        whole=pl.when(~lost | (pl.int_range(pl.len()) % 2 == 0)).then(pl.col("whole")),
    )
    return [one_class, first, frame[:0], single, second, third]
