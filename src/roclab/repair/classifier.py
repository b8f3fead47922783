"""A scikit-learn classifier whose scores are repaired where held-out data confirm it."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.preprocessing import LabelEncoder
from sklearn.utils import _safe_indexing, check_random_state, get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    has_fit_parameter,
    validate_data,
)

from roclab.checks.choices import KeepRule, RepairMethod, Sections
from roclab.checks.options import (
    check_between,
    check_choice,
    check_count,
    check_method,
    check_splits,
    shown,
)
from roclab.data.ranking import Ranking
from roclab.errors import InputError
from roclab.repair.checked import check_rule, checked_repair
from roclab.repair.heldout import HeldOut, held_out

Floats = npt.NDArray[np.float64]
_RESPONSES = ("predict_proba", "decision_function")


def _gives_probabilities(self: RepairedClassifierCV) -> bool:
    return bool(self.calibrate) or self._response() == "predict_proba"


def _gives_decisions(self: RepairedClassifierCV) -> bool:
    return self._response() == "decision_function"


class RepairedClassifierCV(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose scores are repaired where their ranking is inverted.

    Part of the rows is held out. The others get out-of-fold scores, in which concavities of the ROC
    curve are found; the held-out rows, scored by a model trained on all others, decide which of
    them are repaired. The model is then trained on all rows. If nothing is confirmed nothing is
    changed, and `decisions_` gives the reasons.

    Parameters
    ----------
    estimator : classifier, optional
        A classifier with `predict_proba` or `decision_function`; by default `LogisticRegression()`.
    method : {"mirror", "flatten"}, default "mirror"
        Reverse the order of the scores in a section, or set them all to one score.
    sections : {"largest", "all"}, default "largest"
        Which concavities are considered.
    cv : int, splitter, iterable of (train, test) or "train", default 5
        Cross-validation for the out-of-fold scores. A splitter divides the rows that are not held
        out; an iterable, as in scikit-learn, has pairs of row numbers of `X`, of which those that
        are held out are left out. ``"train"`` takes the scores of the training rows, as Flach and
        Wu do: a model that overfits them shows no concavity.
    validation : int, default 1
        Number of folds of the held-out rows, for `keep`.
    validation_size : float, default 0.3
        Share of the rows that is held out, in each class.
    keep : {"significant", "every_fold", "most_folds"}, default "significant"
        ``"significant"`` keeps a repair if the ranking of the held-out examples inside the section
        is significantly inverted. The other two keep it if it increases the AUC of every fold, or
        of more than half of the folds.
    alpha : float, default 0.05
        Significance level of the test of ``"significant"``.
    calibrate : bool, default False
        Calibrate the repaired scores by isotonic regression, fitted to scores of rows that the
        scoring model had not seen. Scores between two vertices of the hull are then tied.
    response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
        The scores that are repaired; by default probabilities if available.
    random_state : int, RandomState or None, default 0
        Random state of the held-out rows and of an integer `cv`. Pass an int for reproducible
        results.

    Attributes
    ----------
    estimator_ : classifier
        The classifier, trained on all rows.
    classes_ : ndarray of shape (2,)
        Class labels; the second is positive.
    checked_ : CheckedRepair
        All concavities, and the gain on the checked rows.
    decisions_ : tuple of RepairDecision
        Every concavity considered: whether its repair is kept, and the reason.
    repair_ : ScoreRepair
        The repair that is applied to the scores.
    calibrator_ : IsotonicRegression
        The calibration, if `calibrate`.
    n_features_in_, feature_names_in_
        As in scikit-learn, if the estimator has them.

    Notes
    -----
    One fit per fold of `cv`, one for the held-out rows, and one on all rows. Every class needs a
    row for each fold of the validation and one for each fold of `cv`.

    References
    ----------
    P. Flach, S. Wu, Repairing concavities in ROC curves, IJCAI 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> x = np.repeat([0.0, 1.0, 2.0, 3.0], 100)  # four scores, each tied a hundred times
    >>> y = (np.arange(400) % 100) < np.repeat([10, 70, 30, 90], 100)
    >>> model = RepairedClassifierCV(LogisticRegression()).fit(x[:, None], y)
    >>> model.decisions_[0].reason
    'p = 3.67e-05 with 31+ 33- checked examples, below 0.05'
    >>> model.predict_proba([[0], [1], [2], [3]])[:, 1].round(2)
    array([0.21, 0.61, 0.39, 0.79])
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        method: RepairMethod = "mirror",
        sections: Sections = "largest",
        cv: Any = 5,
        validation: int = 1,
        validation_size: float = 0.3,
        keep: KeepRule = "significant",
        alpha: float = 0.05,
        calibrate: bool = False,
        response_method: str = "auto",
        random_state: Any = 0,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.sections = sections
        self.cv = cv
        self.validation = validation
        self.validation_size = validation_size
        self.keep = keep
        self.alpha = alpha
        self.calibrate = calibrate
        self.response_method = response_method
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RepairedClassifierCV:
        """Train the model, find concavities, and repair those that are confirmed.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training data, in any form that the estimator accepts.
        y : array-like of shape (n_samples,)
            Target labels of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Sample weights, for the estimator and the ROC curves.

        Raises
        ------
        InputError
            If there are not two classes, a class has too few rows for the folds, or the estimator
            does not support weights.
        """
        self._check_parameters()
        X, y, truth = self._checked_data(X, y)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        if weights is not None and not has_fit_parameter(self._base(), "sample_weight"):
            raise InputError(
                found="{estimator} is a {kind}, whose fit has no {sample_weight}",
                fix="Leave the weights out, or choose another estimator.",
                kind=type(self._base()).__name__,
            )
        rng = check_random_state(self.random_state)
        parts = held_out(
            truth if weights is None else np.where(weights > 0, truth, -1),
            folds=self.validation,
            share=self.validation_size,
            remaining=int(self.cv) if isinstance(self.cv, Integral) else 1,
            rng=rng,
        )
        scores = self._unseen_scores(X, y, truth, weights, parts, rng)
        scored = ~np.isnan(scores)

        def ranking(rows: npt.NDArray[np.intp]) -> Ranking:
            weight = None if weights is None else weights[rows]
            return Ranking(truth[rows], scores[rows], sample_weight=weight)

        self.checked_ = checked_repair(
            ranking(parts.others[scored[parts.others]]),
            [ranking(fold) for fold in parts.folds],
            sections=self.sections,
            method=self.method,
            keep=self.keep,
            alpha=self.alpha,
        )
        self.decisions_ = self.checked_.decisions
        self.repair_ = self.checked_.repair
        if self.calibrate:
            self.calibrator_ = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
            weight = None if weights is None else weights[scored]
            repaired = self.repair_.apply(scores[scored])
            self.calibrator_.fit(repaired, truth[scored], sample_weight=weight)
        self.estimator_ = self._fitted(X, y, weights, np.arange(len(truth)))
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    @available_if(_gives_decisions)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Floats:
        """The repaired scores of the positive class; available if decisions are repaired."""
        return self.repaired_scores(X)

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Repaired probabilities of the two classes, calibrated if requested.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features, in any form that the estimator accepts.
        """
        positive = self.repaired_scores(X)
        if self.calibrate:
            positive = self.calibrator_.predict(positive)
        return np.column_stack((1 - positive, positive))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict the positive class if its probability is above 0.5, or its score above 0.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features, in any form that the estimator accepts.
        """
        check_is_fitted(self)
        if _gives_probabilities(self):
            positive = self.predict_proba(X)[:, 1] > 0.5
        else:
            positive = self.repaired_scores(X) > 0
        chosen: npt.NDArray[Any] = self.classes_[positive.astype(int)]
        return chosen

    def repaired_scores(self, X: Any) -> Floats:
        """The scores of the positive class after the repair, before any calibration.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features, in any form that the estimator accepts.
        """
        check_is_fitted(self)
        return self.repair_.apply(_positive_scores(self.estimator_, X, self._response()))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._base())
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags

    def _base(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _response(self) -> str:
        """The method of the estimator that gives the scores."""
        fitted = getattr(self, "estimator_", self._base())
        if self.response_method != "auto":
            return str(self.response_method)
        return next((name for name in _RESPONSES if hasattr(fitted, name)), _RESPONSES[0])

    def _check_parameters(self) -> None:
        check_method(self.method, RepairMethod)
        check_rule(self.keep, self.alpha)
        check_choice("response_method", self.response_method, ("auto", *_RESPONSES))
        if not hasattr(self._base(), self._response()):
            raise InputError(
                found="{estimator} is a {kind}, which has no {response}",
                fix="Choose another estimator or {response_method}.",
                kind=type(self._base()).__name__,
                response=self._response(),
            )
        if isinstance(self.cv, str) and self.cv != "train":
            raise InputError(
                found="{cv=}{value} is not an option",
                fix="Pass a number, a splitter, pairs of training and test rows, or 'train'.",
                value=shown(self.cv),
            )
        if isinstance(self.cv, Integral):
            check_count("cv", self.cv, 2, fix="Out-of-fold scores need 2 folds or more.")
        check_count("validation", self.validation, fix="Pass the number of folds.")
        check_between(
            "validation_size",
            self.validation_size,
            0,
            1,
            fix="Pass a share such as {validation_size=}0.3.",
        )

    def _checked_data(self, X: Any, y: Any) -> tuple[Any, npt.NDArray[Any], npt.NDArray[np.intp]]:
        """X that can be indexed, labels, and labels as 0 and 1.

        The estimator validates X.
        """
        y = validate_data(self, X="no_validation", y=y)
        X, y = indexable(X, y)
        check_classification_targets(y)
        encoder = LabelEncoder().fit(y)
        self.classes_ = encoder.classes_
        if len(self.classes_) != 2:
            kind = "one class" if len(self.classes_) < 2 else type_of_target(y)
            raise InputError(
                found="Only binary classification is supported. The type of the target is {kind}",
                needed="two classes are needed",
                fix="{rows} rows were passed.",
                kind=kind,
                rows=f"{len(y):,}",
            )
        return X, y, encoder.transform(y)

    def _unseen_scores(
        self,
        X: Any,
        y: npt.NDArray[Any],
        truth: npt.NDArray[np.intp],
        weights: Floats | None,
        parts: HeldOut,
        rng: np.random.RandomState,
    ) -> Floats:
        """A score for every row: of held-out rows by a model of all others, of these out of fold.

        nan for rows that a splitter excludes.
        """
        scores = np.full(len(truth), np.nan)
        splits = self._checked_splits(truth, parts.others, rng)
        trained = self._fitted(X, y, weights, parts.others)
        for rows in parts.folds:
            scores[rows] = self._scores(trained, X, rows)
        if isinstance(self.cv, str):
            scores[parts.others] = self._scores(trained, X, parts.others)
            return scores
        for train, test in splits:
            if len(test):  # or all of its rows are held out
                scores[test] = self._scores(self._fitted(X, y, weights, train), X, test)
        return scores

    def _checked_splits(
        self, truth: npt.NDArray[np.intp], others: npt.NDArray[np.intp], rng: np.random.RandomState
    ) -> list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
        """All folds; refused before a model is trained. None for training scores."""
        if isinstance(self.cv, str):
            return []
        splits = list(self._splits(truth, others, rng))
        for train, _ in splits:
            if not _both_classes(truth[train]):
                raise InputError(
                    found="A training fold of {cv} has rows of one class only",
                    needed="a classifier needs both classes",
                    fix="Use fewer folds, or a stratified splitter.",
                )
        if not _both_classes(truth[np.concatenate([test for _, test in splits])]):
            raise InputError(
                found="The test folds of {cv}, without the rows held out for validation, have rows "
                "of one class only",
                needed="a ROC curve needs both classes",
                fix="Use a stratified splitter, or a smaller {validation_size}.",
            )
        return splits

    def _splits(
        self, truth: npt.NDArray[np.intp], others: npt.NDArray[np.intp], rng: np.random.RandomState
    ) -> Iterator[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
        """Training and test rows of each fold, without those that are held out."""
        cv = self.cv
        if cv is None or isinstance(cv, Integral) or hasattr(cv, "split"):
            if isinstance(cv, Integral):
                cv = StratifiedKFold(int(cv), shuffle=True, random_state=rng)
            among = truth[others]
            for train, test in check_cv(cv, among, classifier=True).split(among, among):
                yield others[train], others[test]
            return
        kept = np.zeros(len(truth), bool)
        kept[others] = True
        for train, test in check_splits("cv", cv, len(truth)):
            yield train[kept[train]], test[kept[test]]

    def _fitted(
        self, X: Any, y: npt.NDArray[Any], weights: Floats | None, rows: npt.NDArray[np.intp]
    ) -> Any:
        """A copy of the estimator, trained on some rows."""
        weighted = {} if weights is None else {"sample_weight": weights[rows]}
        return clone(self._base()).fit(_safe_indexing(X, rows), y[rows], **weighted)

    def _scores(self, model: Any, X: Any, rows: npt.NDArray[np.intp]) -> Floats:
        return _positive_scores(model, _safe_indexing(X, rows), self._response())


def _both_classes(truth: npt.NDArray[np.intp]) -> bool:
    return bool(truth.any()) and not truth.all()


def _positive_scores(model: Any, X: Any, response: str) -> Floats:
    """The scores of the second class."""
    found = np.asarray(getattr(model, response)(X), dtype=np.float64)
    return found[:, 1] if found.ndim == 2 else found
