"""Rates of the models of a table at their thresholds, and whether they depend on the group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roclab.checks.options import check_level, shown
from roclab.curves.operating import unwarned_operating_points
from roclab.data.ranking import Ranking
from roclab.errors import InputError, Parameter
from roclab.formatting import listed, one_line
from roclab.inference.comparison.homogeneity import RateHomogeneity, equal_rates
from roclab.inference.intervals.interval import Interval
from roclab.inference.intervals.operating_point import PointShares, check_threshold
from roclab.inference.sampling_design import RowDesign

_RATES = ("sensitivity", "specificity", "ppv", "npv", "called_positive")
_TESTED = ("sensitivity", "specificity")


class ThresholdRates:
    """Rates of models at thresholds with their intervals, one group after the other.

    Parameters
    ----------
    threshold : float or mapping of str to float
        Decision threshold of all models, or of each by its name.
    models : sequence of str
        The models.
    confidence_level : float
        Confidence level of each interval.
    """

    def __init__(self, threshold: Any, models: Sequence[str], confidence_level: Any) -> None:
        self.thresholds = _thresholds(threshold, models)
        self._level = check_level(confidence_level)
        self._shares: dict[str, dict[str, list[tuple[float, float]]]] = {
            model: {rate: [] for rate in _TESTED} for model in models
        }
        self._weighted = False

    def rates(self, model: str, ranking: Ranking) -> dict[str, Interval]:
        """The rates of a model in the next group."""
        point = unwarned_operating_points(ranking).at(threshold=self.thresholds[model])
        shares = PointShares(ranking, point)
        for rate, found in self._shares[model].items():
            found.append(shares.value_and_number(rate))
        self._weighted |= ranking.weighted
        return {
            rate: shares.share_interval(rate, self._level, "clopper_pearson") for rate in _RATES
        }

    def homogeneity(self, n_resamples: int, seed: int) -> list[RateHomogeneity]:
        """For each model and rate, whether it is the same in all groups.

        Every test has the same seed, so that it does not depend on which others there are.
        """
        return [
            equal_rates(
                model,
                rate,
                shares,
                counted=not self._weighted,
                n_resamples=n_resamples,
                seed=seed,
            )
            for model, rates in self._shares.items()
            for rate, shares in rates.items()
            if shares
        ]


def refuse_rates(threshold: Any, design: RowDesign, alternative: str) -> None:
    """Refuse thresholds where rows are not independent, and one-sided intervals."""
    columns = {"cluster": design.cluster, "stratum": design.stratum, "fold": design.fold}
    others = {name: repr(column) for name, column in columns.items() if column is not None}
    needed = "the intervals of rates at a threshold assume independent rows"
    if not others and alternative != "two-sided":
        others, needed = {"alternative": repr(alternative)}, "rates have two-sided intervals"
    for name, other in others.items():
        raise InputError(
            found="{threshold=}{value} cannot be combined with {name=}{other}",
            needed=needed,
            fix="Leave out one of them.",
            value=shown(threshold),
            name=Parameter(name),
            other=other,
        )


def _thresholds(threshold: Any, models: Sequence[str]) -> dict[str, float]:
    """The threshold of each model."""
    if not isinstance(threshold, Mapping):
        return dict.fromkeys(models, check_threshold(threshold))
    unknown = [name for name in threshold if name not in models]
    without = [name for name in models if name not in threshold]
    if unknown or without:
        text = "has no value for {names}" if without else "names unknown models: {names}"
        raise InputError(
            found=f"{{threshold}} {text}",
            needed="a mapping needs a threshold for each model: {models}",
            fix="Pass one number for all models, or one for each.",
            names=listed(one_line(name) for name in without or unknown),
            models=listed(map(one_line, models)),
        )
    found = {}
    for model in models:
        try:
            found[model] = check_threshold(threshold[model])
        except InputError as error:
            raise error.about(f"Model {model!r}") from None
    return found
