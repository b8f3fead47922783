"""A linear classifier trained on pairs, to maximise the AUC."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.learning.classifier import LinearClassifier, UnitClassifier
from roclab.learning.objective import OutputLoss, PairLoss


class PairClassifier(LinearClassifier):
    """A unit trained on the hinge over all pairs of its outputs."""

    gamma: float
    p: int

    def _loss(
        self, labels: npt.NDArray[np.uint8], weights: npt.NDArray[np.float64] | None
    ) -> OutputLoss:
        return PairLoss(labels, weights, self.gamma, self.p)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.solver == "newton-cg" and self.p == 1:
            raise InputError(
                found="{solver=}'newton-cg' needs a second derivative, and {p=}1 has none",
                fix="Use {p=}2, or {solver=}'lbfgs'.",
            )


class AUCtronClassifier(PairClassifier, UnitClassifier):
    r"""A linear classifier trained to rank positives above negatives: AUCtron.

    A unit with outputs :math:`o = 1 / (1 + e^{-(b + w x)})` is trained on the mean over all pairs
    of a positive and a negative of :math:`(\gamma - (o_+ - o_-))_+^p`, a smooth surrogate of
    1 - AUC. All pairs are used, in O(n log n).

    Parameters
    ----------
    gamma : float, default 0.3
        Margin: pairs whose outputs are further apart cost nothing. 0.1 to 0.7 is usual.
    p : {1, 2, 3}, default 2
        Power of the loss. With 1 the loss has kinks, at which the solvers may get stuck.
    alpha : float, default 0.01
        L2 penalty: half of this times the squared coefficients of the standardised features is
        added to the loss. The loss is a mean over pairs, so that the penalty depends neither on
        the number of rows nor on the scale of the features. 0.01 is safe for most data; the best
        may be 1 or 1e-5, and `AUCtronClassifierCV` finds it. 0 means no penalty.
    solver : {"lbfgs", "newton-cg", "auctron"}, default "lbfgs"
        ``"lbfgs"`` is usually fastest. ``"newton-cg"``, a trust region with conjugate gradients,
        needs fewer but more expensive iterations, and p of 2 or 3. ``"auctron"`` is the algorithm
        of the paper: gradient descent with golden-section line search.
    max_iter : int, default 200
        Maximum number of iterations.
    tol : float, default 1e-4
        Training stops when no derivative of the loss with respect to a parameter is larger. A
        penalty below 0.001 needs a smaller one, such as 1e-5.
    standardize : bool, default True
        Whether to scale features to mean 0 and standard deviation 1. `coef_` is for the original
        features.
    calibrate : bool, default True
        Whether to calibrate the scores on the training rows (Platt scaling), so that
        `predict_proba` returns probabilities and `predict` the more probable class. The loss itself
        hardly determines the bias. Otherwise outputs are those of the unit, and `predict` cuts them
        at one half, which means little.
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
    Each evaluation of loss and gradient costs two products with X and O(n log n). Missing values
    raise an error. The result does not depend on the order of the rows, and integer weights equal
    repeated rows. The loss is not convex: the result may depend on the initial parameters, which
    are therefore small.

    References
    ----------
    C. L. Castro and A. P. Braga, "Optimization of the area under the ROC curve", SBRN 2008.
    L. Yan, R. Dodier, M. C. Mozer and R. Wolniewicz, "Optimizing classifier performance via
    an approximation to the Wilcoxon-Mann-Whitney statistic", ICML 2003 (the loss).

    Examples
    --------
    >>> X = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [3.0, 1.0]]
    >>> ranker = AUCtronClassifier(random_state=0).fit(X, [0, 1, 0, 1])
    >>> ranker.predict(X).tolist()
    [0, 1, 0, 1]
    >>> bool(ranker.loss_curve_[-1] < ranker.loss_curve_[0])
    True
    """

    def __init__(
        self,
        *,
        gamma: float = 0.3,
        p: int = 2,
        alpha: float = 0.01,
        solver: str = "lbfgs",
        max_iter: int = 200,
        tol: float = 1e-4,
        standardize: bool = True,
        calibrate: bool = True,
        warm_start: bool = False,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.gamma = gamma
        self.p = p
        self.alpha = alpha
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.standardize = standardize
        self.calibrate = calibrate
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose
