"""Base class of the linear classifiers: a logistic unit, trained on a loss of its outputs."""

from __future__ import annotations

import math
import sys
from abc import abstractmethod
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from roclab.checks.options import check_between, check_choice, check_count
from roclab.errors import InputError, RoclabWarning
from roclab.learning.calibration import platt_curve
from roclab.learning.objective import OutputLoss, UnitObjective
from roclab.learning.solvers import SOLVERS, Minimum, Path
from roclab.learning.training_rows import TrainingRows
from roclab.learning.unit import LinearUnit, Scaling

Floats = npt.NDArray[np.float64]

_START = 0.01  # standard deviation of the initial parameters


class _NotConvergedWarning(RoclabWarning, ConvergenceWarning):  # type: ignore[misc]
    """scikit-learn's warning, with parts."""


class LinearClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A linear unit with a logistic output, trained by one of the `SOLVERS`.

    Subclasses define the loss, and `fit` chooses penalty and initial parameters.
    """

    solver: str
    max_iter: int
    tol: float
    standardize: bool
    calibrate: bool

    @abstractmethod
    def _loss(self, labels: npt.NDArray[np.uint8], weights: Floats | None) -> OutputLoss:
        """Return the loss that training minimises."""

    def _check_parameters(self) -> None:
        check_choice("solver", self.solver, SOLVERS)
        fix = "1e-4 to 1e-6 is usual."
        check_between("tol", self.tol, 0, math.inf, fix=fix, or_low=True)
        check_count("max_iter", self.max_iter)

    def decision_function(self, X: Any) -> Floats:
        """Scores, higher for the positive class; 0 is the threshold of `predict`.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples,)
            Log odds of the positive class if ``calibrate``, else the net input of the unit.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)
        return linear_scores(X, self.coef_[0], float(self.intercept_[0]))

    def predict_proba(self, X: Any) -> Floats:
        """Class probabilities if ``calibrate``, else the raw output of the unit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Columns in the order of `classes_`.
        """
        scores = self.decision_function(X)
        return np.column_stack([expit(-scores), expit(scores)])

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict the class: positive if `decision_function` is above 0.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples,)
            Predicted labels, values of `classes_`.
        """
        positive = (self.decision_function(X) > 0).astype(np.intp)
        chosen: npt.NDArray[Any] = self.classes_[positive]
        return chosen

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags

    def _training_rows(self, X: Any, y: Any, sample_weight: npt.ArrayLike | None) -> TrainingRows:
        """Check parameters and data."""
        self._check_parameters()
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=np.float64, order="C", ensure_min_samples=2
        )
        return TrainingRows.of(X, y, sample_weight)

    def _minimise(self, objective: UnitObjective, path: Path, tol: float) -> Minimum:
        """Train from the parameters of the path."""
        path.add(path.parameters, objective.with_gradient(path.parameters)[0])
        return SOLVERS[self.solver](objective, path, int(self.max_iter), tol)

    def _fit(self, rows: TrainingRows, objective: UnitObjective, path: Path) -> Self:
        """Train, and set the learned attributes."""
        try:
            ended = self._minimise(objective, path, float(self.tol))
        except KeyboardInterrupt:
            self._keep(rows, objective, path, False)
            raise
        self._keep(rows, objective, path, ended.converged)
        if not ended.converged:
            _NotConvergedWarning(
                found="Training stopped after {iterations} iterations: " + ended.reason,
                needed="the largest derivative is {gradient_norm}, above {tol=}{tolerance}",
                fix=ended.fix,
                iterations=path.iterations,
                message=ended.message,
                gradient_norm=f"{self.gradient_norm_:.2g}",
                tolerance=f"{self.tol:g}",
            ).issue()
        return self

    def _keep(
        self, rows: TrainingRows, objective: UnitObjective, path: Path, converged: bool
    ) -> None:
        """Set the learned attributes from the last parameters."""
        unit = objective.unit
        self.classes_ = rows.classes
        self.unit_coef_, self.unit_intercept_ = unit.to_features(path.parameters)
        slope, intercept = 1.0, 0.0
        if self.calibrate:
            masses = np.ones(len(rows.labels)) if rows.weights is None else rows.weights
            slope, intercept = platt_curve(unit.forward(path.parameters), rows.labels, masses)
        self.coef_ = slope * self.unit_coef_[np.newaxis]
        self.intercept_ = np.array([slope * self.unit_intercept_ + intercept])
        self.n_iter_ = path.iterations
        self.loss_curve_ = path.losses
        self.converged_ = converged
        self.gradient_norm_ = float(np.abs(objective.with_gradient(path.parameters)[1]).max())


class UnitClassifier(LinearClassifier):
    """A unit that is trained once, with a given penalty."""

    alpha: float
    warm_start: bool
    random_state: Any
    verbose: int

    def _check_parameters(self) -> None:
        super()._check_parameters()
        fix = "Without a penalty it is {alpha=}0."
        check_between("alpha", self.alpha, 0, math.inf, fix=fix, or_low=True)

    def fit(self, X: Any, y: Any, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit the model.

        KeyboardInterrupt ends training and is raised again. The model is then that of the last
        complete iteration: it can be used, or trained further with ``warm_start=True``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features; finite numbers.
        y : array-like of shape (n_samples,)
            Target labels, two classes. The second in ascending order is the positive class.
        sample_weight : array-like of shape (n_samples,), optional
            Sample weights, finite and non-negative. Rows of weight 0 are ignored.

        Returns
        -------
        self
            Fitted estimator.
        """
        rows = self._training_rows(X, y, sample_weight).in_order_of_content()
        scaling = Scaling.of(rows.features, rows.weights, standardize=self.standardize)
        unit = LinearUnit(rows.features, scaling)
        objective = UnitObjective(self._loss(rows.labels, rows.weights), unit, float(self.alpha))
        path = Path(parameters=self._start(unit), report=_report if self.verbose else None)
        return self._fit(rows, objective, path)

    def _start(self, unit: LinearUnit) -> Floats:
        features = len(unit.scaling.mean)
        if self.warm_start and hasattr(self, "unit_coef_"):
            if len(self.unit_coef_) != features:
                raise InputError(
                    found="{warm_start=}True, but the model was trained on {before} features and "
                    "X has {features}",
                    fix="Pass the same features, or use a new model.",
                    before=len(self.unit_coef_),
                    features=features,
                )
            return unit.from_features(self.unit_coef_, self.unit_intercept_)
        start: Floats = check_random_state(self.random_state).normal(0, _START, features + 1)
        start[:-1][unit.scaling.constant] = 0
        return start


def linear_scores(features: Any, coefficients: Floats, intercept: float) -> Floats:
    """Return the scores of rows; equal rows have equal scores."""
    if issparse(features):
        products = features @ coefficients
    else:
        # BLAS sums some rows in another order than others, so that equal rows would differ.
        products = np.einsum("ij,j->i", features, coefficients)
    scores: Floats = np.asarray(products + intercept)
    return scores


def _report(iteration: int, loss: float) -> None:
    sys.stderr.write(f"iteration {iteration:>4}  loss {loss:.8g}\n")
