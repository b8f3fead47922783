"""All registered measures, and samples on which intervals and tests go wrong.

Sizes, ties, separated and constant scores, and weights whose sums lose the smaller ones.
"""

import warnings

import numpy as np
from hypothesis import strategies as st

import roclab as rl
from roclab.measures.measure import measures_by_name

# Options of measures that need some, or for which more than the default should be tried.
OPTIONS = {
    "expected_cost": (
        "(false_positive_cost=1, false_negative_cost=2)",
        "(false_positive_cost=1, false_negative_cost=2, threshold=0.5)",
    ),
    "lift_at": ("", "(share=0.5)"),
    "log_loss": ("", "(clip=1e-15)"),
    "margin_auc": ("(margin=0.2)", "(margin=0.2, normalize=True)"),
    "net_benefit": ("(threshold=0.3)",),
    "partial_auc": (
        "(fpr_range=(0, 0.2))",
        "(tpr_range=(0.8, 1))",
        "(fpr_range=(0, 0.2), standardize=True)",
    ),
    "scored_auc": ("", "(normalize=True)"),
    "sensitivity": ("(specificity=0.9)",),
    "specificity": ("(sensitivity=0.9)",),
}
MEASURES = [
    name + options
    for name, entry in measures_by_name().items()
    if entry.single
    for options in OPTIONS.get(name, ("",))
]
SCORES = {
    "separated": lambda rng, y: np.where(y, 0.9, 0.1) + 0.05 * rng.random(len(y)),
    "two values": lambda _, y: np.where(y, 0.9, 0.1),
    "zero and one": lambda _, y: y * 1.0,
    "reversed": lambda rng, y: np.where(y, 0.1, 0.9) + 0.05 * rng.random(len(y)),
    "constant": lambda _, y: np.full(len(y), 0.5),
    "four levels": lambda rng, y: (1 + rng.integers(0, 4, len(y))) / 5,
    "separated levels": lambda rng, y: np.where(y, rng.integers(3, 5, len(y)), 1) / 5,
    "spike": lambda rng, y: np.where(rng.random(len(y)) < 0.6, 0.0, rng.random(len(y))),
    "random": lambda rng, y: rng.random(len(y)),
    "good": lambda rng, y: 0.5 * y + 0.5 * rng.random(len(y)),
}
WEIGHTS = {
    "none": lambda *_: None,
    "mild": lambda rng, n: rng.choice([0.5, 1.0, 2.0], n),
    "tiny": lambda rng, n: 1e-50 * rng.choice([0.5, 1.0, 2.0], n),
    "huge": lambda rng, n: 1e50 * rng.choice([0.5, 1.0, 2.0], n),
    "spread": lambda rng, n: 10.0 ** rng.integers(-8, 8, n),
    "tiny and huge": lambda rng, n: 10.0 ** rng.choice([-50, 50], n),
    "all": lambda rng, n: 10.0 ** rng.choice([-50, 0, 50], n),
}
SIZES = [(1, 1), (1, 5), (5, 1), (2, 2), (3, 7), (10, 10), (10, 60), (40, 3)]


@st.composite
def samples(draw, weights=tuple(WEIGHTS)):
    """(truth, scores, sample_weight), the scores from 0 to 1."""
    n_pos, n_neg = draw(st.sampled_from(SIZES))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    truth = np.arange(n_pos + n_neg) < n_pos
    scores = SCORES[draw(st.sampled_from(list(SCORES)))](rng, truth)
    return truth, scores, WEIGHTS[draw(st.sampled_from(weights))](rng, len(truth))


def found(function, *args, **options):
    """A result with the names of its warnings; any that is not roclab's is an error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("error")
        warnings.simplefilter("always", rl.RoclabWarning)
        result = function(*args, **options)
    return result, {one.category.__name__ for one in caught}
