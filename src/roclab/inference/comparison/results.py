"""What comes of comparing all models of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from roclab.formatting import listed, one_line, plain_value
from roclab.inference.comparison.hypothesis import written_pvalue
from roclab.inference.estimation.estimate import EstimatedMeasure
from roclab.inference.intervals.interval import TITLES, Interval
from roclab.table import MissingValues

__all__ = ["Comparison", "GroupedComparison", "ModelPair", "ModelValue", "Omnibus"]


@dataclass(frozen=True, kw_only=True, repr=False)
class ModelValue:
    """One model of a comparison.

    Attributes
    ----------
    model : str
        The score column.
    interval : Interval
        Its value with an interval.
    letters : str
        The groups it belongs to: models that share a letter could not be told apart.
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
class ModelPair:
    """Two models of a comparison.

    Attributes
    ----------
    model_a, model_b : str
        The score columns, in the order of the table.
    difference : float
        Value of the first less that of the second.
    low, high : float
        Its interval, by itself: the correction is that of the p-values.
    standard_error, statistic : float
        DeLong's standard error of the difference, and the difference in units of it.
    pvalue, adjusted_pvalue : float
        Two-sided, before and after correction for the number of pairs.
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

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return asdict(self)

    def __repr__(self) -> str:
        return (
            f"ModelPair({one_line(self.model_a)} - {one_line(self.model_b)} = "
            f"{self.difference:.3f} [{self.low:.3f}, {self.high:.3f}], "
            f"adjusted {written_pvalue(self.adjusted_pvalue)})"
        )


@dataclass(frozen=True, kw_only=True)
class Omnibus:
    """The test that all models have the same value.

    Attributes
    ----------
    statistic : float
        Chi-square of all differences at once.
    df : int
        Its degrees of freedom: models less one, fewer where some are identical.
    pvalue : float
        1 if all models are identical.
    """

    statistic: float
    df: int
    pvalue: float

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison:
    """What `compare` found.

    Attributes
    ----------
    models : tuple of ModelValue
        In the order of the table.
    pairs : tuple of ModelPair
        Every two models.
    omnibus : Omnibus
        The test that all are the same.
    groups : tuple of tuple of str
        The largest sets of models no two of which were told apart (adjusted p-value not below
        ``1 - confidence_level``), best first. A model may be in several. Of more than 200 sets
        only as many are given as it takes for every two such models to share one.
    measure : {"auc", "scored_auc"}
        What was compared.
    correction : {"holm", "fdr", "none"}
        How p-values were adjusted.
    confidence_level : float
        Level of the intervals, and one less the level of the tests.
    n_pos, n_neg : int
        Positive and negative examples.
    missing : MissingValues
        What was left out when the table was read.
    cluster : str or None
        The column whose values are clusters of rows.
    """

    models: tuple[ModelValue, ...]
    pairs: tuple[ModelPair, ...]
    omnibus: Omnibus
    groups: tuple[tuple[str, ...], ...]
    measure: EstimatedMeasure
    correction: str
    confidence_level: float
    n_pos: int
    n_neg: int
    missing: MissingValues = field(default_factory=MissingValues)
    cluster: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values; what is not defined stays nan."""
        return {
            "measure": self.measure,
            "correction": self.correction,
            "confidence_level": self.confidence_level,
            "cluster": self.cluster,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            "models": [model.to_dict() for model in self.models],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "omnibus": self.omnibus.to_dict(),
            "groups": [list(group) for group in self.groups],
            "missing": self.missing.to_dict(),
        }

    def __repr__(self) -> str:
        values = listed(
            f"{one_line(one.model)} {one.interval.value:.3f} {one.letters}".rstrip()
            for one in self.models
        )
        return (
            f"Comparison({TITLES[self.measure]}: {values}; {written_pvalue(self.omnibus.pvalue)})"
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class GroupedComparison:
    """What `compare` found in each group of rows.

    Attributes
    ----------
    by : str
        The group column.
    parts : mapping of group to Comparison
        In the order in which groups first appear. P-values are adjusted within each.
    missing : MissingValues
        What was left out when the table was read.
    """

    by: str
    parts: Mapping[Any, Comparison] = field(hash=False)
    missing: MissingValues = field(default_factory=MissingValues)

    def to_dict(self) -> dict[str, Any]:
        """The comparisons as plain Python values, each with its group."""
        parts = self.parts.items()
        return {
            "by": self.by,
            "parts": [{"group": plain_value(group)} | part.to_dict() for group, part in parts],
            "missing": self.missing.to_dict(),
        }

    def __repr__(self) -> str:
        count = f"{len(self.parts)} group{'s' * (len(self.parts) != 1)}"
        return f"GroupedComparison({count} of {one_line(self.by)})"
