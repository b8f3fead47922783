"""Rows in partitions as they should not be: what clusters must cope with."""

import numpy as np
import polars as pl

_SMALLEST = 5e-324


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


def _infinite(share, rng, y):
    scores = rng.normal(size=len(y)) + y
    signs = rng.choice([-np.inf, np.inf], len(y))
    return np.where(rng.random(len(y)) < share, signs, scores)


# Scores by which tables are hard to divide, from a generator and labels.
FAMILIES = {
    "no infinities": lambda rng, y: _infinite(0.0, rng, y),
    "some infinities": lambda rng, y: _infinite(0.1, rng, y),
    "mostly infinities": lambda rng, y: _infinite(0.9, rng, y),
    "only infinities": lambda rng, y: _infinite(1.0, rng, y),
    "one infinity": lambda _, y: np.full(len(y), np.inf),
    "one value": lambda _, y: np.full(len(y), 0.3),
    "two adjacent floats": lambda rng, y: np.where(
        rng.random(len(y)) < 0.5, 1.0, np.nextafter(1, 2)
    ),
    "denormals": lambda rng, y: _SMALLEST * (rng.integers(-4000, 4000, len(y)) + y),
    "signed zeros": lambda rng, y: rng.choice([-0.0, 0.0, _SMALLEST, -_SMALLEST], len(y)),
    "the largest floats": lambda rng, y: (
        rng.choice([-1.0, 1.0], len(y))
        * np.finfo(float).max
        * rng.choice([1, 1 - 2**-53, 0.5], len(y))
    ),
    "all magnitudes": lambda rng, y: (
        rng.choice([-1.0, 1.0], len(y)) * 10.0 ** rng.uniform(-320, 308, len(y))
    ),
    "float32": lambda rng, y: _infinite(0.3, rng, y).astype(np.float32),
    "int64": lambda rng, y: np.where(
        rng.random(len(y)) < 0.5, -(2**63), 2**63 - 1 - rng.integers(0, 3000, len(y))
    ),
    "uint64": lambda rng, y: rng.integers(
        2**64 - 3000, 2**64 - 1, len(y), np.uint64, endpoint=True
    ),
}
