"""A linear classifier that ranks: trained on pairs, so as to make the AUC large."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.learning.classifier import UnitClassifier
from roclab.learning.objective import OutputLoss, PairLoss

__all__ = ["AUCtronClassifier"]


class AUCtronClassifier(UnitClassifier):
    r"""A linear classifier trained to rank positives above negatives: AUCtron.

    A unit with outputs :math:`o = 1 / (1 + e^{-(b + w x)})` is trained on the mean over all pairs
    of a positive and a negative of :math:`(\gamma - (o_+ - o_-))_+^p`, a smooth stand-in for
    1 - AUC. All pairs are taken, in the time of a sort.

    Parameters
    ----------
    gamma : float
        The margin: pairs whose outputs are further apart cost nothing. 0.1 to 0.7 is usual.
    p : {1, 2, 3}
        The power of the loss. 1 has kinks, at which the solvers may get stuck.
    alpha : float
        Half of this times the squared coefficients of the standardised features is added to the
        loss.
    solver : {"lbfgs", "newton-cg", "auctron"}
        "lbfgs" is quickest as a rule. "newton-cg", a trust region with conjugate gradients, needs
        fewer and dearer iterations, and p of 2 or 3. "auctron" is the paper's: down the gradient,
        with a step by golden section.
    max_iter : int
        Iterations at most.
    tol : float
        Training ends when no derivative of the loss by a parameter is larger.
    standardize : bool
        Whether features are brought to mean 0 and deviation 1 first. `coef_` is for features as
        they came.
    calibrate : bool
        Whether scores are put through a logistic curve fitted to the training rows after Platt, so
        that `predict_proba` gives probabilities and `predict` takes the likelier class. The loss
        itself hardly pins the bias. Otherwise outputs are the unit's own, and `predict` cuts them
        at one half, which means little.
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
    An evaluation of loss and gradient costs two products with X and O(n log n). Missing values are
    refused. The order of the rows changes no digit, and weights are repetitions. The loss is not
    convex: a start far from zero may end elsewhere, so the start is small.

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
        alpha: float = 0.0,
        solver: str = "lbfgs",
        max_iter: int = 200,
        tol: float = 1e-5,
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

    def _loss(
        self, labels: npt.NDArray[np.uint8], weights: npt.NDArray[np.float64] | None
    ) -> OutputLoss:
        return PairLoss(labels, weights, self.gamma, self.p)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.solver == "newton-cg" and self.p == 1:
            raise InputError(
                'solver="newton-cg" needs a second derivative, and p=1 has none. Take p=2, or '
                'solver="lbfgs".'
            )
