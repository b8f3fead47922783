"""Parameters of a tree: their checks and their meaning."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np

from roclab.checks.options import check_between, check_choice, check_count, shown
from roclab.errors import InputError

# Prior weight of a leaf, and whether its proportion of positives is that of all rows, not 0.5.
LEAF_SCORES = {"laplace": (2.0, False), "prior": (2.0, True), "share": (0.0, False)}
_CATEGORICAL_SPLITS = ("binary", "multiway")


def check_parameters(tree: Any) -> None:
    """Check the parameters of an estimator that do not depend on the data."""
    for name, least in (("max_depth", 1), ("max_leaf_nodes", 2)):
        if getattr(tree, name) is not None:
            check_count(name, getattr(tree, name), least, fix=f"For no limit pass {{{name}=}}None.")
    check_count("min_samples_split", tree.min_samples_split, 2)
    check_count("min_samples_leaf", tree.min_samples_leaf)
    check_choice("categorical_split", tree.categorical_split, _CATEGORICAL_SPLITS)
    check_choice("leaf_score", tree.leaf_score, LEAF_SCORES)
    fix = "It is a difference of AUCs, so that small values like 0.001 make sense."
    check_between("ccp_alpha", tree.ccp_alpha, 0, math.inf, fix=fix, or_low=True)


def features_considered(wanted: int | float | str | None, n_features: int) -> int:
    """Return the number of features that a node considers."""
    if wanted is None:
        return n_features
    if wanted in ("sqrt", "log2"):
        root = math.sqrt(n_features) if wanted == "sqrt" else math.log2(n_features)
        return max(1, int(root))
    whole = isinstance(wanted, Integral) and not isinstance(wanted, bool)
    if whole and 1 <= int(wanted) <= n_features:
        return int(wanted)
    if isinstance(wanted, float | np.floating) and 0 < wanted <= 1:
        return max(1, int(wanted * n_features))
    raise InputError(
        found="{max_features=}{value}, and X has {n_features} features",
        needed="an integer from 1 to {n_features}, a proportion above 0 and up to 1.0, 'sqrt', "
        "'log2' or None is needed",
        fix="For all features pass {max_features=}None.",
        value=shown(wanted),
        n_features=n_features,
    )
