"""What the parameters of a tree may be, and what they mean."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from roclab.errors import InputError

__all__ = ["LEAF_SCORES", "check_parameters", "features_looked_at"]

# Weight that a leaf gets in advance, and the share of positives in it: of 0.5, or of all rows.
LEAF_SCORES = {"laplace": (2.0, False), "prior": (2.0, True), "share": (0.0, False)}
_CATEGORICAL_SPLITS = ("binary", "multiway")


def check_parameters(tree: Any) -> None:
    """Refuse parameters of an estimator that mean nothing, whatever the data."""
    for name, least, optional in (
        ("max_depth", 1, True),
        ("min_samples_split", 2, False),
        ("min_samples_leaf", 1, False),
        ("max_leaf_nodes", 2, True),
    ):
        value = getattr(tree, name)
        if not (_is_whole(value) and value >= least) and not (optional and value is None):
            options = " or None" if optional else ""
            raise InputError(
                f"{name} is {value!r}; a whole number from {least} on{options} is needed."
            )
    for name, known in (
        ("categorical_split", _CATEGORICAL_SPLITS),
        ("leaf_score", tuple(LEAF_SCORES)),
    ):
        if getattr(tree, name) not in known:
            choices = ", ".join(f'"{choice}"' for choice in known)
            raise InputError(f"{name} is {getattr(tree, name)!r}; there are {choices}.")
    alpha = tree.ccp_alpha
    if not (isinstance(alpha, int | float | np.number) and 0 <= alpha < math.inf):
        raise InputError(
            f"ccp_alpha is {alpha!r}; a finite number of at least 0 is needed. An AUC is at "
            "most 1, so that small ones like 0.001 make sense."
        )


def features_looked_at(wanted: int | float | str | None, n_features: int) -> int:
    """How many features a node looks at."""
    if wanted is None:
        return n_features
    if wanted in ("sqrt", "log2"):
        root = math.sqrt(n_features) if wanted == "sqrt" else math.log2(n_features)
        return max(1, int(root))
    if not isinstance(wanted, str) and _is_whole(wanted) and 1 <= wanted <= n_features:
        return int(wanted)
    if isinstance(wanted, float | np.floating) and 0 < wanted <= 1:
        return max(1, int(wanted * n_features))
    raise InputError(
        f"max_features is {wanted!r} and X has {n_features} features; a whole number from 1 to "
        f'{n_features}, a share above 0 and up to 1.0, "sqrt", "log2" or None is needed.'
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)
