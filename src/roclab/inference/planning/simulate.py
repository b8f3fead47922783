"""Power by experiment: studies are drawn, and tested as real ones would be."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from roclab.errors import InputError
from roclab.inference.comparison.auc_tests import (
    AUCComparison,
    compare_auc,
    compare_independent_auc,
    compare_to_value,
)
from roclab.inference.planning.design import StudyDesign
from roclab.inference.planning.variance import SPREADS, Sizes
from roclab.numeric.distributions import normal_quantile
from roclab.options import Progress, RandomState, seed_of
from roclab.ranking import Ranking

__all__ = ["PowerSimulation", "simulate_power"]

# Examples of one study, of which several columns are in memory.
_MOST_ROWS = 30_000_000


@dataclass(frozen=True, kw_only=True, repr=False)
class PowerSimulation:
    """What came of studies that were drawn by chance and tested.

    Attributes
    ----------
    power : float
        Share of the studies whose test rejected.
    standard_error : float
        Its standard error.
    width : float
        Mean width of their intervals; nan where the test is one-sided.
    n_simulations : int
        How many were drawn.
    """

    power: float
    standard_error: float
    width: float
    n_simulations: int

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return asdict(self)

    def __repr__(self) -> str:
        return (
            f"power {self.power:.3f}, standard error {self.standard_error:.3f}, "
            f"{self.n_simulations:,} simulated studies"
        )


def simulate_power(
    design: StudyDesign,
    auc: float,
    sizes: Sizes,
    alpha: float,
    *,
    n_simulations: int,
    rng: RandomState,
    progress: Progress | None,
) -> PowerSimulation:
    """Draw studies with normal scores, and make DeLong's test in each.

    The sizes are rounded up. A test that is not defined, as of a class of one example, does not
    reject.
    """
    rows = sum(sizes) * (1 if design.paired or not design.compared else 1 + design.sample_ratio)
    if rows > _MOST_ROWS:
        raise InputError(
            f"A study of {rows:.3g} examples is too large to be simulated; up to {_MOST_ROWS:,} "
            "are. Leave out `simulate`."
        )
    random = np.random.default_rng(seed_of(rng))
    run = _study(design, auc, (math.ceil(sizes[0]), math.ceil(sizes[1])), 1 - alpha)
    rejected = 0
    widths = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is not defined in a small study
        for done in range(1, n_simulations + 1):
            result = run(random)
            rejected += result.pvalue < alpha
            widths.append(result.high - result.low)
            if progress is not None:
                progress(done, n_simulations)
    share = rejected / n_simulations
    known = [width for width in widths if not math.isnan(width)]
    wide = design.alternative == "two-sided" and known
    return PowerSimulation(
        power=share,
        standard_error=math.sqrt(share * (1 - share) / n_simulations),
        width=float(np.mean(known)) if wide else math.nan,
        n_simulations=n_simulations,
    )


def _study(
    design: StudyDesign, auc: float, sizes: tuple[int, int], level: float
) -> Callable[[np.random.Generator], AUCComparison]:
    """A function that draws one study and tests it."""
    options: dict[str, Any] = {"alternative": design.alternative, "confidence_level": level}
    if not design.compared:
        return lambda random: compare_to_value(
            *_scores(random, auc, sizes), design.null_value, **options
        )
    if not design.paired:
        k = design.sample_ratio
        other = (math.ceil(k * sizes[0]), math.ceil(k * sizes[1]))
        return lambda random: compare_independent_auc(
            Ranking(*_scores(random, auc, sizes)),
            Ranking(*_scores(random, design.null_value, other)),
            **options,
        )
    in_pos, in_neg = _score_correlations(design, auc, sizes)
    labels = _labels(sizes)
    weights = np.where(labels, in_pos, in_neg)

    def paired(random: np.random.Generator) -> AUCComparison:
        first = random.standard_normal(len(labels))
        own = random.standard_normal(len(labels))
        second = weights * first + np.sqrt(1 - weights**2) * own
        shifted = (first + labels * _separation(auc), second + labels * _separation(null))
        return compare_auc(labels, *shifted, **options)

    null = design.null_value
    return paired


def _score_correlations(
    design: StudyDesign, auc: float, sizes: tuple[int, int]
) -> tuple[float, float]:
    """As given, or as the AUCs need to correlate as given."""
    if design.estimate_correlation is None:
        return design.correlations or (0.0, 0.0)
    spread, wanted = SPREADS["delong"], design.estimate_correlation
    ends = (auc, design.null_value)
    errors = math.sqrt(math.prod(spread(one, one, sizes, (1.0, 1.0)) for one in ends))

    def excess(correlation: float) -> float:
        return spread(*ends, sizes, (correlation, correlation)) / errors - wanted

    low, high = (excess(end) + wanted for end in (-1.0, 1.0))
    if not low < wanted < high:
        raise InputError(
            f"estimate_correlation={wanted:g} cannot be had of normal scores with the AUCs "
            f"{auc:g} and {design.null_value:g}, whose estimates correlate by {low:.2f} to "
            f"{high:.2f}. Simulate with less, or plan without simulation."
        )
    found = float(brentq(excess, -1.0, 1.0))
    return found, found


def _scores(
    random: np.random.Generator, auc: float, sizes: tuple[int, int]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64]]:
    labels = _labels(sizes)
    return labels, random.standard_normal(len(labels)) + labels * _separation(auc)


def _labels(sizes: tuple[int, int]) -> npt.NDArray[np.bool_]:
    return np.repeat([True, False], sizes)


def _separation(auc: float) -> float:
    return math.sqrt(2) * normal_quantile(auc)
