"""A scikit-learn classifier whose scores are repaired where that holds up on held-out data."""

from __future__ import annotations

from numbers import Integral, Real
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

from roclab.errors import InputError
from roclab.ranking import Ranking
from roclab.repair.checked import KeepRule, checked_repair, checked_rule
from roclab.repair.fit import Sections
from roclab.repair.heldout import HeldOut, held_out
from roclab.repair.section import RepairMethod, checked_method

__all__ = ["RepairedClassifierCV"]

Floats = npt.NDArray[np.float64]
_RESPONSES = ("predict_proba", "decision_function")


def _gives_probabilities(self: RepairedClassifierCV) -> bool:
    return bool(self.calibrate) or self._response() == "predict_proba"


def _gives_decisions(self: RepairedClassifierCV) -> bool:
    return self._response() == "decision_function"


class RepairedClassifierCV(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose scores are mended where they rank the wrong way round.

    Part of the rows is held out. The others get out-of-fold scores, in which concavities of the ROC
    curve are found; the held-out rows, scored by a model trained on all others, decide which of
    them are repaired. The model is then trained on all rows. Where nothing holds up nothing is
    changed, and `decisions_` says why.

    Parameters
    ----------
    estimator : classifier, optional
        With `predict_proba` or `decision_function`; by default `LogisticRegression()`.
    method : {"mirror", "flatten"}, default "mirror"
        What is done to a section of scores: turn it round, or give all of it one score.
    sections : {"largest", "all"}, default "largest"
        Which concavities are considered.
    cv : int, splitter or "train", default 5
        How the out-of-fold scores are made. ``"train"`` takes the scores of the training rows
        themselves, as Flach and Wu do: a model that has learned them by heart shows no concavity.
    validation : int, default 1
        Number of folds into which the held-out rows are cut, for `keep` to look at.
    validation_size : float, default 0.3
        Share of the rows that is held out, in each class.
    keep : {"significant", "every_fold", "most_folds"}, default "significant"
        What has to hold for a repair to be kept, as in `checked_repair`.
    alpha : float, default 0.05
        Level of the test behind ``"significant"``.
    calibrate : bool, default False
        Make probabilities of the repaired scores by isotonic regression, fitted to scores of rows
        that the scoring model had not seen. Scores between two corners of the hull are then tied.
    response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
        The scores that are repaired; by default probabilities if there are any.
    random_state : int, RandomState or None, default 0
        Which rows are held out, and how whole `cv` are shuffled.

    Attributes
    ----------
    estimator_ : classifier
        Trained on all rows.
    classes_ : ndarray of shape (2,)
        The second is positive.
    checked_ : CheckedRepair
        All that was found, and the gain where it was checked.
    decisions_ : tuple of RepairDecision
        Every concavity considered: whether its repair was kept, and why.
    repair_ : ScoreRepair
        The repair that is applied to the scores.
    calibrator_ : IsotonicRegression
        If `calibrate`.
    n_features_in_, feature_names_in_
        As scikit-learn has them, where the estimator has them.

    Notes
    -----
    One fit for each fold of `cv`, one for the held-out rows, and one on all rows. Every class needs
    a row for each fold of the validation and one for each fold of `cv`.

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
    'p = 0.000314 with 31+ 33- checked examples, below 0.05'
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
        """Train the model, find concavities, and repair those that hold up.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Or whatever else the estimator takes.
        y : array-like of shape (n_samples,)
            Labels of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Passed to the estimator, and counted in the ROC curves.

        Raises
        ------
        InputError
            If there are not two classes, a class has too few rows for the folds, or the estimator
            cannot honour weights.
        """
        self._check_parameters()
        X, y, truth = self._checked_data(X, y)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        if weights is not None and not has_fit_parameter(self._base(), "sample_weight"):
            raise InputError(
                f"sample_weight was given, but {type(self._base()).__name__} cannot be fitted with "
                "it. Leave it out, or choose an estimator whose fit takes sample_weight."
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
        """The repaired scores of the positive class; there if decisions were repaired."""
        return self.repaired_scores(X)

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Repaired probabilities of the two classes, calibrated if asked for."""
        positive = self.repaired_scores(X)
        if self.calibrate:
            positive = self.calibrator_.predict(positive)
        return np.column_stack((1 - positive, positive))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict the positive class where its probability is above 0.5, or its score above 0."""
        check_is_fitted(self)
        if _gives_probabilities(self):
            positive = self.predict_proba(X)[:, 1] > 0.5
        else:
            positive = self.repaired_scores(X) > 0
        chosen: npt.NDArray[Any] = self.classes_[positive.astype(int)]
        return chosen

    def repaired_scores(self, X: Any) -> Floats:
        """The scores of the positive class after the repair, and before any calibration."""
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
        """Which method of the estimator gives the scores."""
        fitted = getattr(self, "estimator_", self._base())
        if self.response_method != "auto":
            return str(self.response_method)
        return next((name for name in _RESPONSES if hasattr(fitted, name)), _RESPONSES[0])

    def _check_parameters(self) -> None:
        checked_method(self.method)
        checked_rule(self.keep, self.alpha)
        if self.response_method not in ("auto", *_RESPONSES):
            raise InputError(
                f"response_method={self.response_method!r} is not known. Choose 'auto', "
                "'predict_proba' or 'decision_function'."
            )
        if not hasattr(self._base(), self._response()):
            raise InputError(
                f"{type(self._base()).__name__} has no {self._response()}, so it gives no scores "
                "to repair. Choose another estimator or response_method."
            )
        if isinstance(self.cv, str) and self.cv != "train":
            raise InputError(f"cv={self.cv!r} is not known. Pass a number, a splitter or 'train'.")
        if isinstance(self.cv, Integral) and self.cv < 2:
            raise InputError(f"cv={self.cv!r} is too few: out-of-fold scores need 2 folds or more.")
        whole = isinstance(self.validation, Integral) and not isinstance(self.validation, bool)
        if not whole or self.validation < 1:
            raise InputError(f"validation={self.validation!r} is not a number of folds, 1 or more.")
        if not (isinstance(self.validation_size, Real) and 0 < self.validation_size < 1):
            raise InputError(
                f"validation_size={self.validation_size!r} is not a share between 0 and 1, such as "
                "0.3."
            )

    def _checked_data(self, X: Any, y: Any) -> tuple[Any, npt.NDArray[Any], npt.NDArray[np.intp]]:
        """Rows that can be chosen from, labels, and labels as 0 and 1.

        What X may hold is for the estimator to say.
        """
        y = validate_data(self, X="no_validation", y=y)
        X, y = indexable(X, y)
        check_classification_targets(y)
        encoder = LabelEncoder().fit(y)
        self.classes_ = encoder.classes_
        if len(self.classes_) != 2:
            kind = "one class" if len(self.classes_) < 2 else type_of_target(y)
            raise InputError(
                "Only binary classification is supported. The type of the target is "
                f"{kind}; it needs two classes. {len(y):,} rows were given."
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

        nan for rows that a splitter leaves out.
        """
        scores = np.full(len(truth), np.nan)
        trained = self._fitted(X, y, weights, parts.others)
        for rows in parts.folds:
            scores[rows] = self._scores(trained, X, rows)
        if isinstance(self.cv, str):
            scores[parts.others] = self._scores(trained, X, parts.others)
            return scores
        cv = self.cv
        if isinstance(cv, Integral):
            cv = StratifiedKFold(int(cv), shuffle=True, random_state=rng)
        among = truth[parts.others]
        for train, test in check_cv(cv, among, classifier=True).split(among, among):
            if not among[train].any() or among[train].all():
                raise InputError(
                    "A training fold of cv has rows of one class only; a classifier needs both. "
                    "Use fewer folds, or a stratified splitter."
                )
            model = self._fitted(X, y, weights, parts.others[train])
            rows = parts.others[test]
            scores[rows] = self._scores(model, X, rows)
        return scores

    def _fitted(
        self, X: Any, y: npt.NDArray[Any], weights: Floats | None, rows: npt.NDArray[np.intp]
    ) -> Any:
        """A copy of the estimator, trained on some rows."""
        weighted = {} if weights is None else {"sample_weight": weights[rows]}
        return clone(self._base()).fit(_safe_indexing(X, rows), y[rows], **weighted)

    def _scores(self, model: Any, X: Any, rows: npt.NDArray[np.intp]) -> Floats:
        return _positive_scores(model, _safe_indexing(X, rows), self._response())


def _positive_scores(model: Any, X: Any, response: str) -> Floats:
    """The scores of the second class."""
    found = np.asarray(getattr(model, response)(X), dtype=np.float64)
    return found[:, 1] if found.ndim == 2 else found
