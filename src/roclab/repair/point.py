"""Repair of a ROC point below the line between two others: three classifiers give a fourth."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from roclab.checks.labels_and_scores import as_labels, check_same_length
from roclab.errors import InputError


@overload
def repair_point(
    model_1: npt.ArrayLike, model_2: npt.ArrayLike, model_3: npt.ArrayLike
) -> npt.NDArray[np.bool_]: ...


@overload
def repair_point(
    model_1: BaseEstimator, model_2: BaseEstimator, model_3: BaseEstimator
) -> PointRepairedClassifier: ...


def repair_point(model_1: Any, model_2: Any, model_3: Any) -> Any:
    """Combine three nested classifiers into a fourth that replaces the poor middle one.

    Parameters
    ----------
    model_1, model_2, model_3 : array-like of bool, 0/1 or -1/1, or fitted classifiers
        Predictions, or the classifiers themselves: a strict classifier, a lenient one that calls
        everything positive that the strict one does, and one between them; for example three
        thresholds of one model.

    Returns
    -------
    ndarray of bool, or PointRepairedClassifier
        Predictions for predictions, a classifier for classifiers. Where the first two agree, it
        agrees with them; elsewhere it predicts the opposite of the third.

    Notes
    -----
    If the three are nested, the true positive rate is that of the first, plus that of the second,
    minus that of the third, and so is the false positive rate: the ROC point is that of the third,
    mirrored at the middle between the other two. This does not hold if the first model is positive
    where the second is negative.

    References
    ----------
    P. Flach, S. Wu, Repairing concavities in ROC curves, IJCAI 2005, table 2 and theorem 1.

    Examples
    --------
    >>> strict, lenient, poor = [1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 0, 0]
    >>> repair_point(strict, lenient, poor).tolist()
    [True, False, True, False]
    """
    models = (model_1, model_2, model_3)
    fitted = [callable(getattr(model, "predict", None)) for model in models]
    if all(fitted):
        return PointRepairedClassifier(*models)._of_fitted()
    if any(fitted):
        raise InputError(
            found="Only some of {model_1}, {model_2} and {model_3} are classifiers",
            fix="Pass three fitted classifiers, or the predictions of three.",
        )
    first, second, third = (_predictions(model, f"model_{n}") for n, model in enumerate(models, 1))
    check_same_length(len(first), len(second), "model_2", first="model_1")
    check_same_length(len(first), len(third), "model_3", first="model_1")
    return np.where(first == second, first, ~third)


def _predictions(model: Any, name: str) -> npt.NDArray[np.bool_]:
    try:
        return as_labels(model, name=name).astype(np.bool_)
    except InputError as error:
        raise InputError(
            found=error.found,
            needed="predictions of two classes are needed",
            fix="Pass booleans, 0/1 or -1/1.",
            **error.values,
        ) from None


class PointRepairedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The classifier that `repair_point` makes from three.

    Parameters
    ----------
    model_1, model_2, model_3 : classifiers
        A strict one, a lenient one, and the poor one between them.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The second is positive.
    models_ : tuple of classifiers
        The fitted classifiers.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import FixedThresholdClassifier
    >>> strict, lenient, poor = (
    ...     FixedThresholdClassifier(LogisticRegression(), threshold=at) for at in (0.6, 0.3, 0.45)
    ... )
    >>> X, y = [[0.0], [1.0], [1.0], [2.0]], [0, 1, 0, 1]
    >>> PointRepairedClassifier(strict, lenient, poor).fit(X, y).predict(X).tolist()
    [1, 0, 0, 1]
    """

    def __init__(self, model_1: Any, model_2: Any, model_3: Any) -> None:
        self.model_1 = model_1
        self.model_2 = model_2
        self.model_3 = model_3

    def fit(self, X: Any, y: Any) -> PointRepairedClassifier:
        """Fit all three classifiers on the same data.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features, in any form that the estimator accepts.
        y : array-like of shape (n_samples,)
            Target labels of two classes.
        """
        X, y = validate_data(self, X, y, accept_sparse=True, dtype=None, ensure_all_finite=False)
        check_classification_targets(y)
        if type_of_target(y) != "binary":
            raise InputError(
                found="Only binary classification is supported. The type of the target is {kind}",
                kind=type_of_target(y),
            )
        self.models_ = tuple(clone(model).fit(X, y) for model in self._models())
        self.classes_ = self.models_[0].classes_
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict the class where the first two agree, the opposite of the third elsewhere.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features, in any form that the estimator accepts.
        """
        check_is_fitted(self)
        X = validate_data(
            self, X, accept_sparse=True, dtype=None, ensure_all_finite=False, reset=False
        )
        votes = [model.predict(X) == self.classes_[1] for model in self.models_]
        chosen: npt.NDArray[Any] = self.classes_[repair_point(*votes).astype(int)]
        return chosen

    def _of_fitted(self) -> PointRepairedClassifier:
        """Use the models as they are."""
        for model in self._models():
            check_is_fitted(model)
        self.models_ = self._models()
        self.classes_ = self.models_[0].classes_
        if len(self.classes_) != 2 or any(
            not np.array_equal(model.classes_, self.classes_) for model in self.models_
        ):
            raise InputError(
                found="The classifiers have different classes, or not two",
                needed="all three need the same two classes",
            )
        if hasattr(self.models_[0], "n_features_in_"):
            self.n_features_in_ = self.models_[0].n_features_in_
        return self

    def _models(self) -> tuple[Any, Any, Any]:
        return self.model_1, self.model_2, self.model_3

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        inner = [get_tags(model).input_tags for model in self._models()]
        tags.input_tags.sparse = all(one.sparse for one in inner)
        tags.input_tags.allow_nan = all(one.allow_nan for one in inner)
        return tags
