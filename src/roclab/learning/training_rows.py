"""Training data of the classifiers: weighted rows of two classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from roclab import _core
from roclab.checks.labels_and_scores import as_weights
from roclab.errors import InputError

_BLOCK = 1 << 16  # rows compared at once


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingRows:
    """Checked rows with positive weight.

    Attributes
    ----------
    features : ndarray or sparse matrix
        One row for each example.
    labels : ndarray of uint8
        1 for the positive class, 0 for the other.
    weights : ndarray or None
        Sample weights, above 0.
    classes : ndarray of shape (2,)
        The values of `y`, the positive one last.
    """

    features: Any
    labels: npt.NDArray[np.uint8]
    weights: npt.NDArray[np.float64] | None
    classes: npt.NDArray[Any]

    @classmethod
    def of(
        cls, features: Any, y: npt.NDArray[Any], sample_weight: npt.ArrayLike | None
    ) -> TrainingRows:
        """Check data that scikit-learn's `validate_data` accepted; drop rows of weight 0."""
        try:
            check_classification_targets(y)
        except TypeError as error:
            raise InputError(
                found="{y} holds labels that cannot be sorted ({error})",
                needed="the larger label is the positive class",
                fix="Convert all labels to one type, for example with .astype(str).",
                error=error,
            ) from None
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        if kind != "binary":
            raise InputError(
                found="Only binary classification is supported. The type of the target is {kind}",
                fix="Train one model for each class against the rest with "
                "sklearn.multiclass.OneVsRestClassifier.",
                kind=kind,
            )
        weights = None
        if sample_weight is not None:
            weights = as_weights(sample_weight, len(y), labels="y")
        if weights is not None and not weights.all():
            kept = np.flatnonzero(weights)
            features, y, weights = features[kept], y[kept], weights[kept]
        classes = np.unique(y)
        if len(classes) < 2:
            raise InputError(
                found="{y} holds one class only ({classes})",
                needed="two are needed",
                fix="Check how the training rows were selected. Rows of zero weight are ignored.",
                classes=", ".join(repr(label) for label in classes.tolist()) or "none",
            )
        labels = (y == classes[1]).astype(np.uint8)
        return cls(features=features, labels=labels, weights=weights, classes=classes)

    def part(self, rows: npt.NDArray[np.intp]) -> TrainingRows:
        """Return a copy of some rows, given by their numbers."""
        return replace(
            self,
            features=self.features[rows],
            labels=self.labels[rows],
            weights=None if self.weights is None else self.weights[rows],
        )

    def in_order_of_content(self) -> TrainingRows:
        """Return a copy sorted by the content of the rows. Features must be numbers.

        The last digits of sums depend on the order of the rows, and so do the steps of a solver.
        Rows that differ only in their weights are merged, so that repeated rows and weights give
        the same result.
        """
        sparse = issparse(self.features)
        features = _canonical(self.features) if sparse else self.features
        hashes = _core.hash_rows(
            features.data if sparse else features.reshape(-1),
            features.indptr.astype(np.int64) if sparse else None,
            features.indices.astype(np.int64) if sparse else None,
            self.labels,
            _core.thread_count(),
        )
        order = _core.order_rows(hashes, _core.thread_count())
        content = hashes[order]
        as_next = content[1:] == content[:-1]
        if self.weights is not None and as_next.any():
            # The weights of equal rows must be summed in one order, too.
            tied = np.flatnonzero(np.append(as_next, False) | np.append(False, as_next))
            rows = order[tied]
            rows = rows[_core.order_rows(self.weights[rows], _core.thread_count())]
            order[tied] = rows[_core.order_rows(hashes[rows], _core.thread_count())]
        ordered = replace(
            self,
            features=features[order] if sparse else _taken(features, order),
            labels=self.labels[order],
            weights=None if self.weights is None else self.weights[order],
        )
        return ordered._merged(np.flatnonzero(as_next))

    def _merged(self, doubtful: npt.NDArray[np.intp]) -> TrainingRows:
        """Merge equal neighbours among the rows whose hash equals that of the next row."""
        first = np.ones(len(self.labels), bool)
        for start in range(0, len(doubtful), _BLOCK):
            at = doubtful[start : start + _BLOCK]
            equal = self.labels[at] == self.labels[at + 1]
            differs = self.features[at] != self.features[at + 1]
            differences = np.diff(differs.tocsr().indptr) if issparse(differs) else differs.sum(1)
            first[at + 1] = ~(equal & (differences == 0))
        if first.all():
            return self
        kept = np.flatnonzero(first)
        masses = np.ones(len(first)) if self.weights is None else self.weights
        return replace(
            self,
            features=self.features[kept],
            labels=self.labels[kept],
            weights=np.add.reduceat(masses, kept),
        )


def _taken(features: npt.NDArray[np.float64], order: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    columns = features.shape[1]
    taken = _core.take_rows(features.reshape(-1), order, columns, _core.thread_count())
    return taken.reshape(len(order), columns)


def _canonical(features: Any) -> Any:
    """Return sparse features in canonical format, copied if they have to change.

    Columns are in ascending order, each once, without explicit zeros. scikit-learn's variances need
    this, too: they count a duplicate entry as another row.
    """
    if features.has_canonical_format and features.data.all():
        return features
    features = features.copy()
    features.sum_duplicates()
    features.eliminate_zeros()
    return features
