"""The same unit trained on the squared error: the baseline of AUCtron."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.learning.classifier import UnitClassifier
from roclab.learning.objective import OutputLoss, SquaredError


class MSEtronClassifier(UnitClassifier):
    r"""A linear unit with logistic output, trained on the mean squared error: MSEtron.

    The baseline of Castro and Braga: the unit, the solvers and the options of `AUCtronClassifier`,
    but the loss is the mean of :math:`(o - y)^2`, the Brier score.

    Parameters
    ----------
    alpha : float, default 0
        L2 penalty: half of this times the squared coefficients of the standardised features is
        added to the loss.
    solver : {"lbfgs", "newton-cg", "auctron"}, default "lbfgs"
        ``"lbfgs"`` is usually fastest. ``"newton-cg"``, a trust region with conjugate gradients,
        needs fewer but more expensive iterations. ``"auctron"`` is the algorithm of the paper:
        gradient descent with golden-section line search.
    max_iter : int, default 200
        Maximum number of iterations.
    tol : float, default 1e-5
        Training stops when no derivative of the loss with respect to a parameter is larger.
    standardize : bool, default True
        Whether to scale features to mean 0 and standard deviation 1. `coef_` is for the original
        features.
    calibrate : bool, default False
        Whether to calibrate the scores on the training rows (Platt scaling). By default they are
        not calibrated: outputs trained on the squared error already are probabilities.
    warm_start : bool, default False
        Whether `fit` continues from the last fit.
    random_state : int, RandomState instance or None, optional
        Random state of the initial parameters, small random numbers. Pass an int for reproducible
        results.
    verbose : int, default 0
        Whether to write the loss after each iteration to standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Class labels; the second is the positive class.
    coef_ : ndarray of shape (1, n_features)
        Coefficients of the scores.
    intercept_ : ndarray of shape (1,)
        Intercept of the scores.
    n_iter_ : int
        Number of iterations.
    loss_curve_ : list of float
        The initial loss and the loss after each iteration.
    gradient_norm_ : float
        The largest derivative with respect to a parameter (of standardised features) at the end.
    converged_ : bool
        Whether the solver converged.
    unit_coef_, unit_intercept_ : ndarray of shape (n_features,), float
        The unit before calibration; a warm start continues from here.

    Notes
    -----
    Each evaluation of loss and gradient costs two products with X. On separable data the
    coefficients grow without bound, and training stops when the derivatives are small; `alpha`
    keeps them finite.

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
