"""What the property tests draw: small samples by hypothesis, large ones by numpy.

A sample is (truth, scores): a boolean array and an array of any accepted score type. Ties are the
rule rather than the exception, since that is where AUC code goes wrong.
"""

import numpy as np
from hypothesis import strategies as st

INTEGER_DTYPES = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
FLOAT_DTYPES = ("f2", "f4", "f8")
SCORE_DTYPES = INTEGER_DTYPES + FLOAT_DTYPES


def edges(dtype):
    """The values of a score type at which comparisons and conversions break, inf apart."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        near_zero = [v for v in (-1, 0, 1) if v >= info.min]
        middle = [2**63 - 1, 2**63, 2**63 + 1] if dtype == "u8" else []
        values = [info.min, info.min + 1, *near_zero, *middle, info.max - 1, info.max]
    else:
        top, tiny = np.finfo(dtype).max, np.finfo(dtype).smallest_subnormal
        below_top = np.nextafter(top, dtype.type(0))
        near_one = np.nextafter(dtype.type(1), dtype.type(2))
        positive = [
            dtype.type(0),
            tiny,
            2 * tiny,
            np.finfo(dtype).tiny,
            1,
            near_one,
            below_top,
            top,
        ]
        values = [*positive, *(-np.asarray(v, dtype) for v in positive)]
    return [dtype.type(v) for v in values]


def _tied(dtype):
    if np.dtype(dtype).kind == "f":
        return st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0])
    return st.integers(0, 3)


def _any_value(dtype, finite):
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return st.integers(int(info.min), int(info.max))
    return st.floats(width=8 * dtype.itemsize, allow_nan=False, allow_infinity=not finite)


def _edge_value(dtype, finite):
    infinities = [] if finite or np.dtype(dtype).kind != "f" else [-np.inf, np.inf]
    return st.sampled_from(edges(dtype) + infinities)


@st.composite
def score_arrays(draw, size, dtypes=SCORE_DTYPES, finite=False):
    """`size` scores of one type: tied, arbitrary or extreme; as drawn, ascending or descending."""
    dtype = draw(st.sampled_from(dtypes))
    value = draw(
        st.sampled_from([_tied(dtype), _any_value(dtype, finite), _edge_value(dtype, finite)])
    )
    if draw(st.integers(0, 9)) == 0:
        scores = np.full(size, draw(value), dtype)
    else:
        scores = np.array(draw(st.lists(value, min_size=size, max_size=size)), dtype)
    return draw(st.sampled_from([np.asarray, np.sort, lambda a: np.sort(a)[::-1]]))(scores)


@st.composite
def truths(draw, size):
    """Boolean labels with at least one of each class."""
    truth = draw(st.lists(st.booleans(), min_size=size - 2, max_size=size - 2))
    truth.insert(draw(st.integers(0, size - 2)), True)
    truth.insert(draw(st.integers(0, size - 1)), False)
    return np.array(truth)


@st.composite
def samples(draw, min_size=2, max_size=40, dtypes=SCORE_DTYPES, finite=False):
    """(truth, scores) with both classes present."""
    size = draw(st.integers(min_size, max_size))
    return draw(truths(size)), draw(score_arrays(size, dtypes, finite))


@st.composite
def one_class_samples(draw):
    size = draw(st.integers(1, 10))
    return np.full(size, draw(st.booleans())), draw(score_arrays(size))


@st.composite
def level_samples(draw, min_size=4, max_size=30, offset=0.0):
    """(truth, scores) on a grid of eighths around `offset`: finite, tied, safe to subtract."""
    size = draw(st.integers(min_size, max_size))
    steps = draw(st.lists(st.integers(-16, 16), min_size=size, max_size=size))
    return draw(truths(size)), offset + np.array(steps) / 8


WEIGHTS = {
    "counts": st.integers(0, 4).map(float),
    "importance": st.floats(0.125, 8),
    "with zeros": st.one_of(st.just(0.0), st.floats(0.125, 8)),
    "spread": st.integers(-6, 6).map(lambda e: 10.0**e),
    "huge spread": st.integers(-40, 40).map(lambda e: 10.0**e),
}
MILD_WEIGHTS = ("counts", "importance", "with zeros")


@st.composite
def weights(draw, truth, kinds=tuple(WEIGHTS)):
    """One weight per row; each class keeps at least one row of positive weight."""
    value = WEIGHTS[draw(st.sampled_from(kinds))]
    drawn = np.array(draw(st.lists(value, min_size=len(truth), max_size=len(truth))))
    for of_class in (truth, ~truth):
        if not drawn[of_class].any():
            drawn[np.flatnonzero(of_class)[0]] = 1.0
    return drawn


@st.composite
def weighted_samples(draw, base=None, kinds=tuple(WEIGHTS)):
    """(truth, scores, sample_weight)."""
    truth, scores = draw(samples() if base is None else base)
    return truth, scores, draw(weights(truth, kinds))


def label_forms(truth):
    """Every accepted way to write down the same labels: name -> (y_true, keywords)."""
    forms = {"bool": (truth, {}), "list of bool": (truth.tolist(), {})}
    for dtype in INTEGER_DTYPES + FLOAT_DTYPES:
        forms[f"0/1 {dtype}"] = (truth.astype(dtype), {})
        if not dtype.startswith("u"):
            forms[f"-1/1 {dtype}"] = (np.where(truth, 1, -1).astype(dtype), {})
    yes_no = np.where(truth, "yes", "no")
    forms["strings"] = (yes_no, {"pos_label": "yes"})
    forms["strings, positive sorts first"] = (np.where(truth, "a", "b"), {"pos_label": "a"})
    forms["list of strings"] = (yes_no.tolist(), {"pos_label": "yes"})
    forms["objects"] = (yes_no.astype(object), {"pos_label": "yes"})
    forms["bytes"] = (yes_no.astype("S"), {"pos_label": b"yes"})
    forms["numbers 3/7"] = (np.where(truth, 3, 7), {"pos_label": 3})
    forms["0 is positive"] = ((~truth).astype(int), {"pos_label": 0})
    forms["-1 is positive"] = (np.where(truth, -1, 1), {"pos_label": -1})
    forms["False is positive"] = (~truth, {"pos_label": False})
    return forms


def _clusters(rng, n):
    """Runs of neighbouring doubles, the runs far apart: equal in all but the last bits."""
    centres = np.array([-1e300, -1.0, 1e-300, 1.0, 1e300])[rng.integers(0, 5, n)]
    return (centres.view(np.int64) + rng.integers(0, 20, n)).view(np.float64)


def _with_infinities(rng, n):
    scores = rng.normal(size=n)
    special = rng.random(n) < 0.3
    scores[special] = rng.choice([-np.inf, np.inf, -1e308, 1e308, 0.0, -0.0], special.sum())
    return scores


LARGE_SCORES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "normal float32": lambda rng, n: rng.normal(size=n).astype("f4"),
    "normal float16": lambda rng, n: rng.normal(size=n).astype("f2"),
    "lognormal, huge tails": lambda rng, n: np.exp(rng.normal(scale=100, size=n)),
    "uniform": lambda rng, n: rng.random(n),
    "probabilities near zero": lambda rng, n: rng.random(n) ** 40,
    "subnormals": lambda rng, n: rng.integers(-(2**20), 2**20, n) * 5e-324,
    "seven levels": lambda rng, n: rng.integers(0, 7, n) / 7,
    "blocks of ten ties": lambda rng, n: rng.permutation(n) // 10 / 3,
    "two decimals": lambda rng, n: np.round(rng.normal(size=n), 2),
    "two magnitudes": lambda rng, n: rng.random(n) * np.where(rng.random(n) < 0.5, 1e-9, 1e9),
    "constant": lambda _, n: np.full(n, 0.5),
    "one value in most rows": lambda rng, n: np.where(rng.random(n) < 0.9, 0.0, rng.random(n)),
    "ascending": lambda rng, n: np.sort(rng.normal(size=n)),
    "descending": lambda rng, n: -np.sort(rng.normal(size=n)),
    "ascending with one row out of place": lambda _, n: np.roll(np.arange(n, dtype=float), 1),
    "saw tooth": lambda _, n: np.arange(n) % 1000 / 7,
    "integers": lambda rng, n: rng.integers(-(10**12), 10**12, n),
    "integers next to each other": lambda rng, n: 2**53 + rng.integers(0, n, n),
    "unsigned above the signed range": lambda rng, n: rng.integers(
        2**63 - 50, 2**63 + 50, n, dtype=np.uint64
    ),
    "bytes": lambda rng, n: rng.integers(0, 256, n, dtype=np.uint8),
    "with infinities": _with_infinities,
    "clusters of neighbouring doubles": _clusters,
    "whole range of doubles": lambda rng, n: np.ldexp(
        rng.choice([-1.0, 1.0], n) * (1 + rng.random(n)), rng.integers(-1070, 1023, n)
    ),
}


def large_truths(rng, scores):
    """Labels from one positive to one negative, and two that know the scores: name -> array."""
    n = len(scores)
    rare = np.zeros(n, bool)
    rare[rng.integers(0, n)] = True
    middle = np.partition(scores, n // 2)[n // 2]
    return {
        "one positive": rare,
        "five percent": rng.random(n) < 0.05,
        "half": rng.random(n) < 0.5,
        "one negative": ~rare,
        "separated": scores >= middle,
        "reversed but for a few": (scores < middle) ^ (rng.random(n) < 0.01),
    }
