"""Covariance matrix of the AUCs of several models on the same rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import EstimatedMeasure
from roclab.checks.options import check_choice
from roclab.data.table import ScoreTable, check_table
from roclab.errors import UndefinedMeasureWarning
from roclab.inference.estimation.delong import joint_estimate
from roclab.result import ReadOnlyArrays, Result

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AUCCovariance(Result, ReadOnlyArrays):
    """AUCs of several models on the same rows, with their covariance matrix.

    Attributes
    ----------
    measure : {"auc", "scored_auc"}
        Measure that was estimated.
    names : tuple of str
        Models, in the order of the rows and columns.
    values : ndarray of shape (k,)
        Values of the models.
    covariance : ndarray of shape (k, k)
        Covariances of the values; variances on the diagonal.
    cluster : str or None
        Group column of the clusters.
    n_pos, n_neg : int
        Number of positive and negative examples.
    """

    measure: EstimatedMeasure
    names: tuple[str, ...]
    values: Floats
    covariance: Floats
    cluster: str | None
    n_pos: int
    n_neg: int

    @property
    def correlation(self) -> Floats:
        """Correlations of the values; nan where a variance is 0."""
        errors = np.sqrt(np.diag(self.covariance))
        products = errors[:, np.newaxis] * errors
        found: Floats = np.full_like(products, np.nan)
        np.divide(self.covariance, products, out=found, where=products > 0)
        return found

    def __repr__(self) -> str:
        models = f"{self.measure} of {len(self.names)} models"
        return f"AUCCovariance({models}, {self.n_pos}+ {self.n_neg}-)"


def auc_covariance(
    table: ScoreTable, *, measure: EstimatedMeasure = "auc", cluster: str | None = None
) -> AUCCovariance:
    """Compute DeLong's covariance matrix of the AUCs of models that score the same rows.

    Parameters
    ----------
    table : ScoreTable
        Labels and scores, from `read_scores` or from arrays.
    measure : {"auc", "scored_auc"}, default "auc"
        Measure to estimate.
    cluster : str, optional
        Group column of the table with the cluster of each row, such as a patient. Clusters instead
        of rows are then assumed to be independent: the covariance is Obuchowski's.

    Returns
    -------
    AUCCovariance
        Covariances are nan, with an `UndefinedMeasureWarning`, if a class has fewer than two
        examples or clusters.

    Notes
    -----
    One sort per model and one matrix product. AUCs of samples without common rows have covariance
    0. The variance of a difference of nearly identical models loses digits if it is computed from
    this matrix: use `compare`.

    References
    ----------
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988) 837-845, equation 6.
    N. A. Obuchowski, Biometrics 53 (1997) 567-578.

    Examples
    --------
    >>> scores = {"a": [0.1, 0.4, 0.4, 0.8], "b": [4, 3, 2, 1]}
    >>> auc_covariance(ScoreTable([0, 1, 0, 1], scores)).covariance
    array([[ 0.03125, -0.0625 ],
           [-0.0625 ,  0.125  ]])
    """
    check_table(table)
    check_choice("measure", measure, EstimatedMeasure)
    clusters = None if cluster is None else table.members(cluster)
    joint = joint_estimate(table, measure=measure, clusters=clusters)
    if np.isnan(joint.covariance).any():
        UndefinedMeasureWarning(
            found="There are {n_pos} positive and {n_neg} negative examples",
            needed="a covariance needs two of each (with clusters: two clusters with each class)",
            fix="The result is nan.",
            n_pos=f"{joint.n_pos:,}",
            n_neg=f"{joint.n_neg:,}",
        ).issue()
    return AUCCovariance(
        measure=measure,
        names=joint.names,
        values=joint.values,
        covariance=joint.covariance,
        cluster=cluster,
        n_pos=joint.n_pos,
        n_neg=joint.n_neg,
    )
