"""What came of training a model on a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from roclab.data.table import MissingValues
from roclab.inference import Interval
from roclab.result import Result


@dataclass(frozen=True, kw_only=True, repr=False)
class Training(Result):
    """A model that was trained on a table.

    Attributes
    ----------
    model : str
        The class of the estimator.
    n_rows, n_pos : int
        Rows it was trained on, and how many of them are positive.
    features, categories : tuple of str
        The columns it takes, and those of them that hold categories.
    details : mapping of str to float
        Penalty, iterations and loss of a linear model, or the penalty that was chosen and its
        cross-validated AUC; leaves and depth of a tree.
    auc : Interval
        AUC on the training rows, which is optimistic.
    missing : MissingValues
        What was left out when the table was read.
    file : str
        Where the model was written.
    """

    model: str
    n_rows: int
    n_pos: int
    features: tuple[str, ...]
    categories: tuple[str, ...]
    details: Mapping[str, float] = field(hash=False)
    auc: Interval
    missing: MissingValues
    file: str

    def __repr__(self) -> str:
        return f"Training({self.model} on {self.n_rows:,} rows: {self.auc!r})"
