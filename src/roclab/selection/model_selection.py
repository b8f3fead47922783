"""The outcome of choosing among models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from roclab.formatting import listed, one_line
from roclab.table import MissingValues

__all__ = ["ModelSelection", "ModelStanding"]


@dataclass(frozen=True, kw_only=True)
class ModelStanding:
    """How one model stands among those to choose from.

    Attributes
    ----------
    model : str
        Its name.
    value : float
        What it is chosen by; nan if that is not defined.
    standard_error : float
        Of the value: its standard deviation over the replicates.
    win_share : float
        Share of the replicates in which it is the best; ties are shared. Not the probability that
        it is the best model.
    pvalue : float
        Of the hypothesis that no other model is better.
    contender : bool
        Whether it may be the best: its p-value is above the level.
    """

    model: str
    value: float
    standard_error: float
    win_share: float
    pvalue: float
    contender: bool

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, kw_only=True, repr=False)
class ModelSelection:
    """The model to take, those that may be as good, and how sure that is.

    Attributes
    ----------
    best : str or None
        The model with the best value; of several the one that `ties` prefers, or the first in the
        table. None if no value is defined.
    contenders : tuple of str
        Models that cannot be told from the best, best first. They contain the model that is best
        in truth with probability `confidence_level`.
    win_share : mapping of str to float
        Share of the replicates in which each model is the best.
    value : float
        That of the best model.
    optimism : float
        By how much the value of the best is flattered, since it was chosen for it; nan where no
        replicate left examples of both classes out.
    corrected_value : float
        The value without its optimism.
    models : tuple of ModelStanding
        All models, best first; others of equal values as in the table.
    measure, title : str
        What was chosen by, as commands and tables call it.
    better : {"higher", "lower"}
        Which values are better.
    confidence_level : float
        Of the contenders.
    n_resamples : int
        Replicates in which all models had a value.
    n_pos, n_neg : int
        Positive and negative examples.
    ties : str or None
        The measure that decides between models of equal values; None: their order in the table.
    missing : MissingValues
        What was left out when the table was read.
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
    n_pos: int
    n_neg: int
    ties: str | None
    missing: MissingValues

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        return plain | {
            "contenders": list(self.contenders),
            "win_share": dict(self.win_share),
            "models": [model.to_dict() for model in self.models],
            "missing": self.missing.to_dict(),
        }

    def __repr__(self) -> str:
        others = listed(one_line(name) for name in self.contenders if name != self.best)
        near = f"; not told from it: {others}" if others else ""
        value = f" {self.title} {self.value:.3f}" if self.best is not None else ""
        best = "none" if self.best is None else one_line(self.best)
        return f"ModelSelection(best of {len(self.models)}: {best}{value}{near})"
