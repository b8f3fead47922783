"""What a classifier of this room trains on: rows of two classes, each with some weight."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from roclab import _core
from roclab.errors import InputError
from roclab.validation import as_weights

__all__ = ["TrainingRows"]

_BLOCK = 1 << 16  # rows compared at once


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingRows:
    """Rows that count, checked.

    Attributes
    ----------
    features : ndarray or sparse matrix
        A row for each example.
    labels : ndarray of uint8
        1 for the positive class, 0 for the other.
    weights : ndarray or None
        Above 0, if there are any.
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
        """Check what scikit-learn's `validate_data` let through; leave out rows of weight 0."""
        try:
            check_classification_targets(y)
        except TypeError as error:
            raise InputError(
                f"y holds labels that have no order ({error}); the larger one is to be the "
                "positive class. Make them all of one type, for example with .astype(str)."
            ) from None
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        if kind != "binary":
            raise InputError(
                "Only binary classification is supported. The type of the target is "
                f"{kind}. Train one model for each class against the rest: "
                "sklearn.multiclass.OneVsRestClassifier."
            )
        weights = None
        if sample_weight is not None:
            weights = as_weights(sample_weight, len(y), labels="y")
        if weights is not None and not weights.all():
            kept = np.flatnonzero(weights)
            features, y, weights = features[kept], y[kept], weights[kept]
        classes = np.array(sorted(set(y.tolist())), dtype=y.dtype)
        if len(classes) < 2:
            shown = ", ".join(repr(label) for label in classes.tolist()) or "none"
            raise InputError(
                f"y holds one class only ({shown}); two are needed, since there is nothing to "
                "rank otherwise. Check the filter that made the training rows, and rows of zero "
                "weight, which are left out."
            )
        labels = (y == classes[1]).astype(np.uint8)
        return cls(features=features, labels=labels, weights=weights, classes=classes)

    def in_order_of_content(self) -> TrainingRows:
        """A copy in an order that depends on what the rows hold, and not on how they came.

        Sums of rounded numbers depend on their order in the last digits, and so does the way that
        a solver takes from there on. Rows that are equal but for their weights become one, so that
        repetitions and weights give the same. Of features that are numbers.
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
            # The weights of equal rows are to be added up in one order, too.
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
        """Rows made one with the next where they are equal, which is to be seen at some."""
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
    """Sparse features as only one way is left to write them down; a copy, if they have to change.

    Columns in ascending order, each once, and no zeros. scikit-learn's variances need this, too:
    they take a column that is there twice for two rows.
    """
    if features.has_canonical_format and features.data.all():
        return features
    features = features.copy()
    features.sum_duplicates()
    features.eliminate_zeros()
    return features
