"""Power by simulation: studies are drawn at random, and tested as real ones."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from roclab.checks.options import Progress, RandomState, seed_of
from roclab.data.ranking import Ranking
from roclab.errors import InputError
from roclab.inference.comparison.hypothesis import AUCComparison
from roclab.inference.comparison.paired import compare_auc
from roclab.inference.comparison.unpaired import compare_independent_auc, compare_to_value
from roclab.inference.planning.design import StudyDesign
from roclab.inference.planning.variance import COVARIANCES, Sizes, whole
from roclab.numeric.distributions import normal_quantile
from roclab.result import Result

# Largest number of examples of a study; several columns of them are in memory.
_MOST_ROWS = 30_000_000


@dataclass(frozen=True, kw_only=True, repr=False)
class PowerSimulation(Result):
    """Power estimated from simulated studies.

    Attributes
    ----------
    power : float
        Proportion of the studies whose test rejects.
    standard_error : float
        Standard error of `power`.
    width : float
        Mean width of the intervals; nan for a one-sided test.
    n_simulations : int
        Number of simulated studies.
    """

    power: float
    standard_error: float
    width: float
    n_simulations: int

    def __repr__(self) -> str:
        return (
            f"PowerSimulation(power {self.power:.3f}, standard error {self.standard_error:.3f}, "
            f"{self.n_simulations:,} simulated studies)"
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
    """Simulate studies with normal scores, and apply DeLong's test to each.

    The sizes are rounded up. An undefined test, as with one example of a class, does not reject.
    """
    if design.pilot is not None:
        raise InputError(
            found="{simulate} draws normal scores, and {pilot} has others",
            fix="Leave out one of them.",
        )
    rows = sum(sizes) * (1 if design.paired or not design.compared else 1 + design.sample_ratio)
    if rows > _MOST_ROWS:
        raise InputError(
            found="A study of {rows} examples is too large to simulate",
            needed=f"at most {_MOST_ROWS:,} examples are allowed",
            fix="Leave out {simulate}.",
            rows=f"{rows:.3g}",
        )
    random = np.random.default_rng(seed_of(rng))
    run = _study(design, auc, (whole(sizes[0]), whole(sizes[1])), 1 - alpha)
    rejected = 0
    widths = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small studies have undefined tests
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
    """Function that simulates and tests one study."""
    options: dict[str, Any] = {
        "alternative": design.alternative,
        "confidence_level": level,
        "method": "delong",
    }
    if not design.compared:
        return lambda random: compare_to_value(
            *_scores(random, auc, sizes), value=design.null_value, **options
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
        independent = random.standard_normal(len(labels))
        second = weights * first + np.sqrt(1 - weights**2) * independent
        shifted = (first + labels * _separation(auc), second + labels * _separation(null))
        return compare_auc(labels, *shifted, **options)

    null = design.null_value
    return paired


def _score_correlations(
    design: StudyDesign, auc: float, sizes: tuple[int, int]
) -> tuple[float, float]:
    """Correlations of the scores: as given, or such that the AUCs correlate as given."""
    if design.estimate_correlation is None:
        return design.correlations or (0.0, 0.0)
    covariance, wanted = COVARIANCES["delong"], design.estimate_correlation
    ends = (auc, design.null_value)
    errors = math.sqrt(math.prod(covariance(one, one, sizes, (1.0, 1.0)) for one in ends))

    def excess(correlation: float) -> float:
        return covariance(*ends, sizes, (correlation, correlation)) / errors - wanted

    low, high = (excess(end) + wanted for end in (-1.0, 1.0))
    if not low < wanted < high:
        raise InputError(
            found="{estimate_correlation=}{value} is impossible for normal scores with AUCs "
            "{first} and {second}",
            needed="their estimates have correlations from {low} to {high}",
            fix="Simulate with a lower correlation, or leave out {simulate}.",
            value=f"{wanted:g}",
            first=f"{auc:g}",
            second=f"{design.null_value:g}",
            low=f"{low:.2f}",
            high=f"{high:.2f}",
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
