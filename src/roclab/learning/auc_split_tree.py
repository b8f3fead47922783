"""A decision tree whose splits maximise the AUC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from roclab import _core
from roclab.errors import InputError
from roclab.learning.pruning import PruningPath, pruning_path
from roclab.learning.split_criterion import integer_weights
from roclab.learning.split_features import (
    CategoryCodes,
    categorical_mask,
    frame_categories,
    plain_frame,
    refuse_text,
)
from roclab.learning.split_tree import SplitTree
from roclab.learning.training_rows import TrainingRows
from roclab.learning.tree_parameters import LEAF_SCORES, check_parameters, features_considered

Floats = npt.NDArray[np.float64]

_MOST_ROWS = 2**31 - 1
_FEATURES = {"order": "C", "ensure_all_finite": "allow-nan"}


class AUCSplitTreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""A decision tree that splits a node where the AUC of the two children is largest: AUCsplit.

    The children of a node, ranked by their proportion of positives, are a ranking with ties. Its
    AUC is :math:`(1 + |p_1/P - n_1/N|) / 2` for two children, and does not depend on the class
    proportions. A node in which no split has an AUC above one half is a leaf.

    Parameters
    ----------
    max_depth : int, optional
        Maximum depth of the tree.
    min_samples_split : int, default 2
        Minimum number of rows to split a node.
    min_samples_leaf : int, default 1
        Minimum number of rows in a child.
    max_leaf_nodes : int, optional
        Maximum number of leaves: splits that increase the AUC of the tree most are made first.
    max_features : int, float, "sqrt", "log2" or None, optional
        Number of features that a node considers, drawn among those that are not constant in it; a
        float is a proportion of all features, None means all.
    categorical_features : array-like of int, str or bool, optional
        Categorical features: indices, names in a data frame, or a mask. None: the columns of text
        and of categories in a data frame of pandas or polars.
    categorical_split : {"binary", "multiway"}, default "binary"
        Whether categories are divided into the best two sets, or get a child each.
    leaf_score : {"laplace", "prior", "share"}, default "laplace"
        Score of a leaf with class weights p and n: (p + 1) / (p + n + 2), Laplace's rule; the same
        with two additional rows that have the class proportions of all training rows; or the
        proportion p / (p + n).
    ccp_alpha : float, default 0
        Price of a leaf, in AUC, for cost-complexity pruning: the subtree is chosen whose AUC on the
        training rows minus this for each leaf is largest. See `cost_complexity_pruning_path`.
    random_state : int, RandomState instance or None, optional
        Random state for `max_features`. Pass an int for reproducible results.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Class labels; the second is the positive class.
    tree_ : SplitTree
        The nodes.
    n_leaves_ : int
        Number of leaves.
    depth_ : int
        Depth of the tree.
    feature_importances_ : ndarray of shape (n_features,)
        Contribution of the splits by a feature to the AUC of the tree, as a proportion of all;
        zeros if there is no split.
    is_categorical_ : ndarray of bool of shape (n_features,)
        Which features are categorical.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, if `X` was a data frame.

    Notes
    -----
    O(d n log n) for d features and n rows, and O(d n) for each level. Splits are compared in
    integers, weights as multiples of a small unit: the tree does not depend on the order of the
    rows or on the number of threads. Of equally good splits, the first feature and the lower
    threshold are chosen.

    A missing value (NaN) goes to the side where the AUC is larger, which every split learns; if
    training had none, to the child of larger weight, as do unseen categories. Infinite values raise
    an error. Missing categories are a category.

    References
    ----------
    C. Ferri, P. Flach, J. Hernandez-Orallo, Learning decision trees using the area under the ROC
    curve, ICML 2002; C. L. Castro, A. P. Braga, Optimization of the area under the ROC curve, SBRN
    2008.

    Examples
    --------
    >>> X = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [3.0, 1.0]]
    >>> tree = AUCSplitTreeClassifier(max_depth=1).fit(X, [0, 1, 0, 1])
    >>> print(tree.to_text())
    all: +2 -2, split with AUC 0.750
    |   x0 <= 0.5: +0 -1, score 0.333
    |   x0 > 0.5 or missing: +2 -1, score 0.600
    >>> tree.predict_proba(X)[:, 1].round(3).tolist()
    [0.333, 0.6, 0.6, 0.6]
    """

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        categorical_features: Any = None,
        categorical_split: str = "binary",
        leaf_score: str = "laplace",
        ccp_alpha: float = 0.0,
        random_state: Any = None,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.categorical_features = categorical_features
        self.categorical_split = categorical_split
        self.leaf_score = leaf_score
        self.ccp_alpha = ccp_alpha
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Grow and prune the tree.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features: numbers, NaN if missing; categorical features may hold text.
        y : array-like of shape (n_samples,)
            Target labels, two classes. The second in ascending order is the positive class.
        sample_weight : array-like of shape (n_samples,), optional
            Sample weights, finite and non-negative. Rows of weight 0 are ignored;
            `min_samples_split` and `min_samples_leaf` count rows, whatever their weight.

        Returns
        -------
        self
            Fitted estimator.
        """
        check_parameters(self)
        self.tree_ = self._grow(X, y, sample_weight, float(self.ccp_alpha))
        self.n_leaves_ = self.tree_.n_leaves
        self.depth_ = self.tree_.max_depth
        return self

    def cost_complexity_pruning_path(
        self, X: Any, y: Any, sample_weight: npt.ArrayLike | None = None
    ) -> PruningPath:
        """Compute the subtrees that `ccp_alpha` chooses among; the model stays unchanged.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            Target labels.
        sample_weight : array-like of shape (n_samples,), optional
            Sample weights.

        Returns
        -------
        PruningPath
            Subtrees in ascending order of `ccp_alphas`.
        """
        other = clone(self)
        check_parameters(other)
        return pruning_path(other._grow(X, y, sample_weight, 0.0))

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Index of the leaf of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples,)
            Indices of nodes in `tree_`.
        """
        check_is_fitted(self)
        return self.tree_.leaf_of(self._features(X))

    def predict_proba(self, X: Any) -> Floats:
        """Class probabilities: the scores of the leaves.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Columns in the order of `classes_`.
        """
        positive = self._node_scores()[self.apply(X)]
        return np.column_stack([1 - positive, positive])

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict the class: positive if its probability is above one half.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples,)
            Predicted labels, values of `classes_`.
        """
        positive = (self.predict_proba(X)[:, 1] > 0.5).astype(np.intp)
        chosen: npt.NDArray[Any] = self.classes_[positive]
        return chosen

    def to_text(self, *, feature_names: Sequence[str] | None = None) -> str:
        """The tree as text, one line per node.

        Parameters
        ----------
        feature_names : sequence of str, optional
            Names of the features; by default those of the data frame, else x0, x1 and so on.

        Returns
        -------
        str
            Weights of positives and negatives, and the AUC of each split or the score of each leaf.
        """
        check_is_fitted(self)
        if feature_names is None:
            feature_names = getattr(self, "feature_names_in_", None)
        if feature_names is None:
            names = [f"x{feature}" for feature in range(self.n_features_in_)]
        else:
            names = [str(name) for name in feature_names]
            if len(names) != self.n_features_in_:
                raise InputError(
                    found="{feature_names} has {names} names and the tree {features} features",
                    needed="one for each is needed",
                    fix="Pass them in the order of the columns of X.",
                    names=len(names),
                    features=self.n_features_in_,
                )
        return "\n".join(self.tree_.lines(names, self._category_name(), self._node_scores()))

    @property
    def feature_importances_(self) -> Floats:
        """Share of each feature in the AUC that the splits of the tree gain."""
        check_is_fitted(self)
        split = self.tree_.feature >= 0
        gains = np.zeros(self.n_features_in_)
        np.add.at(gains, self.tree_.feature[split], self.tree_.gain[split])
        total = gains.sum()
        return gains / total if total > 0 else gains

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        categories = not self._takes_numbers_only()
        tags.input_tags.categorical = tags.input_tags.string = categories
        return tags

    def _grow(self, X: Any, y: Any, sample_weight: npt.ArrayLike | None, alpha: float) -> SplitTree:
        """Set the learned attributes except the tree, and return the tree."""
        texts = frame_categories(X) if self.categorical_features is None else None
        numeric = self._takes_numbers_only() and (texts is None or not texts.any())
        if numeric:
            refuse_text(X)
        else:
            X = plain_frame(X)
        X, y = validate_data(self, X, y, dtype=np.float64 if numeric else None, **_FEATURES)
        if len(y) > _MOST_ROWS:
            raise InputError(
                found="X has {rows} rows",
                needed=f"a tree can use up to {_MOST_ROWS:,}",
                fix="Train on a sample.",
                rows=f"{len(y):,}",
            )
        rows = TrainingRows.of(X, y, sample_weight)
        X, labels, weights, self.classes_ = rows.features, rows.labels, rows.weights, rows.classes
        names = getattr(self, "feature_names_in_", None)
        mask = categorical_mask(
            self.categorical_features, X.shape[1], None if names is None else names.tolist()
        )
        if texts is not None:
            mask = texts
        self.is_categorical_ = mask
        self._codes = None if numeric else CategoryCodes(mask)
        features = X if self._codes is None else self._codes.learn(X)
        masses, shift = (None, 0) if weights is None else integer_weights(weights)
        seed = int(check_random_state(self.random_state).randint(_MOST_ROWS))
        fields = _core.grow_split_tree(
            features.reshape(-1),
            labels,
            masses,
            mask.astype(np.uint8),
            len(labels) if self.max_depth is None else min(int(self.max_depth), len(labels)),
            int(self.min_samples_split),
            int(self.min_samples_leaf),
            0 if self.max_leaf_nodes is None else int(self.max_leaf_nodes),
            features_considered(self.max_features, X.shape[1]),
            self.categorical_split == "multiway",
            alpha,
            seed,
            _core.thread_count(),
        )
        for of_class in ("pos", "neg"):
            fields[of_class] = np.ldexp(fields[of_class].astype(np.float64), -shift)
        return SplitTree(**fields)

    def _takes_numbers_only(self) -> bool:
        return self.categorical_features is None or np.size(self.categorical_features) == 0

    def _features(self, X: Any) -> Floats:
        if self._codes is not None:
            X = plain_frame(X)
        elif (texts := frame_categories(X)) is not None and texts.any():
            raise InputError(
                found="Column {column} of X holds text or categories, but held numbers in training",
                fix="Convert it to numbers, or train with it as it is.",
                column=repr(list(X.columns)[int(np.argmax(texts))]),
            )
        dtype = np.float64 if self._codes is None else None
        X = validate_data(self, X, reset=False, dtype=dtype, **_FEATURES)
        features: Floats = X if self._codes is None else self._codes.apply(X)
        return features

    def _node_scores(self) -> Floats:
        check_is_fitted(self)
        pos, neg = self.tree_.pos, self.tree_.neg
        prior_weight, as_in_all_rows = LEAF_SCORES[self.leaf_score]
        prior = pos[0] / (pos[0] + neg[0]) if as_in_all_rows else 0.5
        scores: Floats = (pos + prior_weight * prior) / (pos + neg + prior_weight)
        return scores

    def _category_name(self) -> Callable[[int, float], Any]:
        return (lambda _, code: code) if self._codes is None else self._codes.name
