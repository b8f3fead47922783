"""The same unit trained on the squared error: the baseline that AUCtron is compared with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.learning.classifier import UnitClassifier
from roclab.learning.objective import OutputLoss, SquaredError

__all__ = ["MSEtronClassifier"]


class MSEtronClassifier(UnitClassifier):
    r"""A linear unit with logistic output, trained on the mean squared error: MSEtron.

    The baseline of Castro and Braga: the unit, the solvers and the options of `AUCtronClassifier`,
    but the loss is the mean of :math:`(o - y)^2`, the Brier score.

    Parameters
    ----------
    alpha : float
        Half of this times the squared coefficients of the standardised features is added to the
        loss.
    solver : {"lbfgs", "newton-cg", "auctron"}
        As for `AUCtronClassifier`.
    max_iter : int
        Iterations at most.
    tol : float
        Training ends when no derivative of the loss by a parameter is larger.
    standardize : bool
        Whether features are brought to mean 0 and deviation 1 first. `coef_` is for features as
        they came.
    calibrate : bool
        Whether scores are put through a logistic curve fitted to the training rows. By default
        they are not: outputs trained on the squared error are probabilities already.
    warm_start : bool
        Whether `fit` goes on from the last fit.
    random_state : int, RandomState instance or None
        For the parameters to start from, small random numbers.
    verbose : int
        Whether to write the loss after each iteration on standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; the second is the positive one.
    coef_ : ndarray of shape (1, n_features)
        Coefficients of the scores.
    intercept_ : ndarray of shape (1,)
        Intercept of the scores.
    n_iter_ : int
        Iterations done.
    loss_curve_ : list of float
        The loss at the start and after each iteration.
    gradient_norm_ : float
        The largest derivative by a parameter (of standardised features) at the end.
    converged_ : bool
        Whether training stopped of itself.
    unit_coef_, unit_intercept_ : ndarray of shape (n_features,), float
        The unit before calibration; from here a warm start goes on.

    Notes
    -----
    An evaluation of loss and gradient costs two products with X. On separable data the
    coefficients grow without end, and training stops when the derivatives are small; `alpha` keeps
    them finite.

    References
    ----------
    C. L. Castro and A. P. Braga, "Optimization of the area under the ROC curve", SBRN 2008.

    Examples
    --------
    >>> X = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [3.0, 1.0]]
    >>> MSEtronClassifier(alpha=0.01, random_state=0).fit(X, [0, 1, 0, 1]).predict(X).tolist()
    [0, 1, 0, 1]
    """

    def __init__(
        self,
        *,
        alpha: float = 0.0,
        solver: str = "lbfgs",
        max_iter: int = 200,
        tol: float = 1e-5,
        standardize: bool = True,
        calibrate: bool = False,
        warm_start: bool = False,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.alpha = alpha
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.standardize = standardize
        self.calibrate = calibrate
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose

    def _loss(
        self, labels: npt.NDArray[np.uint8], weights: npt.NDArray[np.float64] | None
    ) -> OutputLoss:
        return SquaredError(labels, weights)
