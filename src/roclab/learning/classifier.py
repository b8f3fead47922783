"""What the classifiers of this room share: a logistic unit, trained on some loss of its outputs."""

from __future__ import annotations

import math
import sys
import warnings
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

from roclab.errors import InputError
from roclab.learning.calibration import platt_curve
from roclab.learning.objective import OutputLoss, UnitObjective
from roclab.learning.solvers import SOLVERS, Minimum, Path
from roclab.learning.training_rows import TrainingRows
from roclab.learning.unit import LinearUnit, Scaling

__all__ = ["UnitClassifier"]

Floats = npt.NDArray[np.float64]

_START = 0.01  # standard deviation of the parameters to start from


class UnitClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A linear unit with a logistic output, trained by one of the `SOLVERS`.

    Who inherits names its parameters in its own constructor, and says what the loss is.
    """

    alpha: float
    solver: str
    max_iter: int
    tol: float
    standardize: bool
    calibrate: bool
    warm_start: bool
    random_state: Any
    verbose: int

    @abstractmethod
    def _loss(self, labels: npt.NDArray[np.uint8], weights: Floats | None) -> OutputLoss:
        """What training minimises."""

    def _check_parameters(self) -> None:
        if self.solver not in tuple(SOLVERS):
            known = ", ".join(f'"{name}"' for name in SOLVERS)
            raise InputError(f"solver is {self.solver!r}; there are {known}.")
        for name in ("alpha", "tol"):
            value = getattr(self, name)
            if not (isinstance(value, int | float | np.number) and 0 <= value < math.inf):
                raise InputError(f"{name} is {value!r}; a finite number of at least 0 is needed.")
        if not (isinstance(self.max_iter, int | np.integer) and self.max_iter >= 1):
            raise InputError(f"max_iter is {self.max_iter!r}; a whole number from 1 on is needed.")

    def fit(self, X: Any, y: Any, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Train on rows of features with their labels.

        An interrupt (KeyboardInterrupt) ends the training, leaves the model as it was after the
        last whole iteration, usable and a start for ``warm_start=True``, and is raised again.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features; finite numbers.
        y : array-like of shape (n_samples,)
            Labels of two classes. The second in ascending order is the positive one.
        sample_weight : array-like of shape (n_samples,), optional
            Finite, non-negative weights. Rows of weight 0 are left out.

        Returns
        -------
        self
            Trained.
        """
        self._check_parameters()
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=np.float64, order="C", ensure_min_samples=2
        )
        rows = TrainingRows.of(X, y, sample_weight).in_order_of_content()
        X, labels, weights, self.classes_ = rows.features, rows.labels, rows.weights, rows.classes
        unit = LinearUnit(X, Scaling.of(X, weights, standardize=self.standardize))
        objective = UnitObjective(self._loss(labels, weights), unit, float(self.alpha))
        path = Path(parameters=self._start(unit), tell=_tell if self.verbose else None)
        path.add(path.parameters, objective.with_gradient(path.parameters)[0])
        try:
            ended = SOLVERS[self.solver](objective, path, int(self.max_iter), float(self.tol))
        except KeyboardInterrupt:
            stopped = Minimum(converged=False, reason="it was interrupted")
            self._keep(objective, path, stopped, labels, weights)
            raise
        self._keep(objective, path, ended, labels, weights)
        if not ended.converged:
            warnings.warn(
                f"Training stopped after {path.iterations} iterations, since {ended.reason}; the "
                f"largest derivative is {self.gradient_norm_:.2g}, above tol={self.tol:g}. "
                f"{ended.advice}",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def decision_function(self, X: Any) -> Floats:
        """Scores, higher for more positive; 0 is the threshold of `predict`.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples,)
            Log odds of the positive class if ``calibrate``, else the unit's net input.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)
        # BLAS adds up some rows in another order than others, which parts rows that are equal.
        products = X @ self.coef_[0] if issparse(X) else np.einsum("ij,j->i", X, self.coef_[0])
        scores: Floats = np.asarray(products + self.intercept_[0])
        return scores

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the two classes if ``calibrate``, else the unit's raw output.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            In the order of `classes_`.
        """
        scores = self.decision_function(X)
        return np.column_stack([expit(-scores), expit(scores)])

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class of each row: the positive one where `decision_function` is above 0.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples,)
            Values of `classes_`.
        """
        positive = (self.decision_function(X) > 0).astype(np.intp)
        chosen: npt.NDArray[Any] = self.classes_[positive]
        return chosen

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags

    def _start(self, unit: LinearUnit) -> Floats:
        features = len(unit.scaling.mean)
        if self.warm_start and hasattr(self, "unit_coef_"):
            if len(self.unit_coef_) != features:
                raise InputError(
                    f"warm_start=True, but the model was trained on {len(self.unit_coef_)} "
                    f"features and X has {features}. Pass the same features, or a new model."
                )
            return unit.from_features(self.unit_coef_, self.unit_intercept_)
        start: Floats = check_random_state(self.random_state).normal(0, _START, features + 1)
        start[:-1][unit.scaling.constant] = 0
        return start

    def _keep(
        self,
        objective: UnitObjective,
        path: Path,
        ended: Minimum,
        labels: npt.NDArray[np.uint8],
        weights: Floats | None,
    ) -> None:
        """Make the model of the last parameters."""
        unit = objective.unit
        self.unit_coef_, self.unit_intercept_ = unit.to_features(path.parameters)
        slope, intercept = 1.0, 0.0
        if self.calibrate:
            masses = np.ones(len(labels)) if weights is None else weights
            slope, intercept = platt_curve(unit.forward(path.parameters), labels, masses)
        self.coef_ = slope * self.unit_coef_[np.newaxis]
        self.intercept_ = np.array([slope * self.unit_intercept_ + intercept])
        self.n_iter_ = path.iterations
        self.loss_curve_ = path.losses
        self.converged_ = ended.converged
        self.gradient_norm_ = float(np.abs(objective.with_gradient(path.parameters)[1]).max())


def _tell(iteration: int, loss: float) -> None:
    sys.stderr.write(f"iteration {iteration:>4}  loss {loss:.8g}\n")
