"""Result of a model selection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from roclab.data.table import MissingValues
from roclab.formatting import listed, one_line
from roclab.result import Result


@dataclass(frozen=True, kw_only=True, repr=False)
class ModelStanding(Result):
    """One model of a selection.

    Attributes
    ----------
    model : str
        Name of the model.
    value : float
        Value of the criterion; nan if undefined.
    standard_error : float
        Standard deviation of the value over the replicates.
    win_share : float
        Proportion of the replicates in which the model is the best; ties are shared. Not the
        probability that it is the best model.
    pvalue : float
        p-value of the null hypothesis that no other model is better.
    contender : bool
        Whether the model may be the best: its p-value is above the significance level.
    """

    model: str
    value: float
    standard_error: float
    win_share: float
    pvalue: float
    contender: bool


@dataclass(frozen=True, kw_only=True, repr=False)
class ModelSelection(Result):
    """The best model, the contenders, and the uncertainty of the selection.

    Attributes
    ----------
    best : str or None
        Model with the best value; among ties the one that `ties` prefers, or the first in the
        table. None if no value is defined.
    contenders : tuple of str
        Models that may be the best, best first. They include the truly best model with probability
        `confidence_level`.
    win_share : mapping of str to float
        Proportion of the replicates in which each model is the best, in the order of the table.
    value : float
        Value of the best model.
    optimism : float
        Selection bias of the value of the best model, not negative; nan if a class has a single
        independent example.
    corrected_value : float
        Value corrected for the optimism.
    models : tuple of ModelStanding
        All models, best first; others of equal values in the order of the table.
    measure, title : str
        Specification of the criterion, and its title in tables.
    better : {"higher", "lower"}
        Which values are better.
    confidence_level : float
        Confidence level of the set of contenders.
    n_resamples : int
        Number of replicates in which all models have a value.
    method : {"bootstrap", "joint_normal"}
        How replicates were drawn: from the rows, or from the joint normal limit of the values with
        DeLong's covariance.
    n_pos, n_neg : int
        Number of positive and negative examples.
    ties : str or None
        Measure that decides among models of equal values; None for their order in the table.
    best_by_auc : str or None
        Model with the highest AUC, as a caution: `measure` was proposed for choosing models of high
        AUC, and with this number of rows or more AUC itself chose better ones in roclab's study.
        None if that is not known.
    missing : MissingValues
        Rows left out when the table was read.
    """

    best: str | None
    contenders: tuple[str, ...]
    win_share: Mapping[str, float]
    value: float
    optimism: float
    corrected_value: float
    models: tuple[ModelStanding, ...]
    measure: str
    title: str
    better: str
    confidence_level: float
    n_resamples: int
    method: str
    n_pos: int
    n_neg: int
    ties: str | None
    best_by_auc: str | None
    missing: MissingValues

    def __repr__(self) -> str:
        others = listed(one_line(name) for name in self.contenders if name != self.best)
        near = f"; also contenders: {others}" if others else ""
        value = f" {self.title} {self.value:.3f}" if self.best is not None else ""
        best = "none" if self.best is None else one_line(self.best)
        auc = ""
        if self.best_by_auc not in (None, self.best):
            auc = f"; caution: AUC chooses {one_line(self.best_by_auc)}"
        return f"ModelSelection(best of {len(self.models)}: {best}{value}{near}{auc})"
