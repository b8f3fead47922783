"""Results of the pairwise comparison of models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from roclab.data.table import MissingValues
from roclab.formatting import listed, method_name, one_line, plain_value, with_interval
from roclab.inference.comparison.hypothesis import written_pvalue
from roclab.inference.comparison.small_samples import power_bound
from roclab.inference.intervals.interval import TITLES, Interval
from roclab.result import Result


@dataclass(frozen=True, kw_only=True, repr=False)
class ModelValue(Result):
    """One model of a comparison.

    Attributes
    ----------
    model : str
        Score column.
    interval : Interval
        Value of the model, with its confidence interval.
    letters : str
        Groups of the model: models that share a letter do not differ significantly.
    """

    model: str
    interval: Interval
    letters: str

    def to_dict(self) -> dict[str, Any]:
        """Model, letters and the fields of the interval, on one level."""
        return {"model": self.model, "letters": self.letters, **self.interval.to_dict()}

    def __repr__(self) -> str:
        return f"ModelValue({one_line(self.model)} {self.letters}: {self.interval!r})"


@dataclass(frozen=True, kw_only=True, repr=False)
class ModelPair(Result):
    """Two models of a comparison.

    Attributes
    ----------
    model_a, model_b : str
        Score columns, in the order of the table.
    difference : float
        Value of the first model minus that of the second.
    low, high : float
        Ends of the interval of the difference, without correction for multiple testing.
    standard_error, statistic : float
        Standard error of the difference, and the statistic of the test.
    pvalue, adjusted_pvalue : float
        Two-sided p-value, before and after correction for multiple testing.
    method : str
        Test of the pair, as in `MeasureComparison`.
    """

    model_a: str
    model_b: str
    difference: float
    low: float
    high: float
    standard_error: float
    statistic: float
    pvalue: float
    adjusted_pvalue: float
    method: str

    def __repr__(self) -> str:
        return (
            f"ModelPair({one_line(self.model_a)} - {one_line(self.model_b)} = "
            f"{with_interval(self.difference, self.low, self.high, least=3)}, "
            f"{method_name(self.method)}, adjusted {written_pvalue(self.adjusted_pvalue)})"
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class Omnibus(Result):
    """Test of the null hypothesis that all models have the same value.

    Attributes
    ----------
    statistic : float
        Chi-square of all differences.
    df : int
        Degrees of freedom: the number of models minus one, fewer if some are identical.
    pvalue : float
        p-value; 1 if all models are identical.
    method : {"hotelling", "simes", "delong"}
        Hotelling's T-squared test or Simes' test of the pairs, which ``"auto"`` chooses, or
        DeLong's chi-square test.
    """

    statistic: float
    df: int
    pvalue: float
    method: str

    def __repr__(self) -> str:
        return (
            f"Omnibus({method_name(self.method)}: chi-square {self.statistic:.3g}, {self.df} df, "
            f"{written_pvalue(self.pvalue)})"
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Result):
    """Pairwise comparison of models, the result of `compare`.

    Attributes
    ----------
    models : tuple of ModelValue
        Models, in the order of the table.
    pairs : tuple of ModelPair
        All pairs of models.
    omnibus : Omnibus
        Test that all models have the same value.
    groups : tuple of tuple of str
        Maximal sets of models without significant differences (adjusted p-value not below
        ``1 - confidence_level``), best first. A model may be in several. If there are more than
        200, only enough of them that all pairs of such models share one.
    measure : str
        Measure that was compared, with its options.
    correction : {"holm", "fdr", "none"}
        Correction of the p-values.
    confidence_level : float
        Confidence level of the intervals; the tests have the significance level
        ``1 - confidence_level``.
    n_pos, n_neg : int
        Number of positive and negative examples.
    missing : MissingValues
        Rows left out when the table was read.
    cluster : str or None
        Column with the clusters of the rows.
    """

    models: tuple[ModelValue, ...]
    pairs: tuple[ModelPair, ...]
    omnibus: Omnibus
    groups: tuple[tuple[str, ...], ...]
    measure: str
    correction: str
    confidence_level: float
    n_pos: int
    n_neg: int
    missing: MissingValues = field(default_factory=MissingValues)
    cluster: str | None = None

    @property
    def power_bounds(self) -> tuple[float, ...]:
        """Upper bound of the power of any test, for each pair; nan for measures other than the AUC.

        As `power_bound` of `AUCComparison`, before correction for multiple testing.
        """
        values = {one.model: one.interval.value for one in self.models}
        examples, error = min(self.n_pos, self.n_neg), 1 - self.confidence_level
        return tuple(
            power_bound(min(values[pair.model_a], values[pair.model_b]), examples, error)
            if self.measure == "auc"
            else math.nan
            for pair in self.pairs
        )

    def __repr__(self) -> str:
        values = listed(
            f"{one_line(one.model)} {one.interval.value:.3f} {one.letters}".rstrip()
            for one in self.models
        )
        return (
            f"Comparison({TITLES.get(self.measure, self.measure)}: {values}; "
            f"{method_name(self.omnibus.method)} {written_pvalue(self.omnibus.pvalue)})"
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class Interaction(Result):
    """Test of the null hypothesis that the difference of two models is the same in all groups.

    Attributes
    ----------
    model_a, model_b : str
        Score columns, in the order of the table.
    statistic : float
        Cochran's Q of the differences.
    df : int
        Degrees of freedom: the number of groups minus one.
    pvalue, adjusted_pvalue : float
        p-value, before and after correction for the number of pairs; nan with fewer than two
        groups.
    n_groups : int
        Number of groups; those whose difference has no interval, or one of zero width, are left
        out.
    """

    model_a: str
    model_b: str
    statistic: float
    df: int
    pvalue: float
    adjusted_pvalue: float
    n_groups: int

    def __repr__(self) -> str:
        return (
            f"Interaction({one_line(self.model_a)} - {one_line(self.model_b)} in {self.n_groups} "
            f"groups: Cochran's Q, adjusted {written_pvalue(self.adjusted_pvalue)})"
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class GroupedComparison(Result):
    """Comparisons within groups of rows, the result of `compare` with `by`.

    Attributes
    ----------
    by : str
        Group column.
    parts : mapping of group to Comparison
        In the order in which groups first appear. p-values are adjusted within each group.
    interactions : tuple of Interaction
        For each pair of models, whether their difference depends on the group.
    missing : MissingValues
        Rows left out when the table was read.
    """

    by: str
    parts: Mapping[Any, Comparison] = field(hash=False)
    interactions: tuple[Interaction, ...] = ()
    missing: MissingValues = field(default_factory=MissingValues)

    def to_dict(self) -> dict[str, Any]:
        """The comparisons as plain Python values, each with its group."""
        parts = self.parts.items()
        return {
            "by": self.by,
            "parts": [{"group": plain_value(group)} | part.to_dict() for group, part in parts],
            "interactions": [one.to_dict() for one in self.interactions],
            "missing": self.missing.to_dict(),
        }

    def __repr__(self) -> str:
        count = f"{len(self.parts)} group{'s' * (len(self.parts) != 1)}"
        tested = [one.adjusted_pvalue for one in self.interactions if one.pvalue == one.pvalue]
        interaction = f": interaction {written_pvalue(min(tested))}" if tested else ""
        return f"GroupedComparison({count} of {one_line(self.by)}{interaction})"
