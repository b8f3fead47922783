"""AUCtron with its penalty chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.metrics import check_scoring
from sklearn.model_selection import StratifiedKFold, check_cv

from roclab.checks.options import check_count, check_splits, shown
from roclab.errors import InputError
from roclab.learning.auctron import AUCtronClassifier, PairClassifier
from roclab.learning.classifier import linear_scores
from roclab.learning.objective import UnitObjective
from roclab.learning.solvers import Path
from roclab.learning.training_rows import TrainingRows
from roclab.learning.unit import LinearUnit, Scaling
from roclab.measures import auc

Floats = npt.NDArray[np.float64]
Fold = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]

# With a stronger penalty the direction is that of the difference of the class means, and with a
# weaker one that without penalty, as far as the AUC shows.
_STRONGEST, _WEAKEST = 1.0, 1e-5
_LOOSER = 10.0  # tolerance in the folds, of which only the ranking is used


class AUCtronClassifierCV(PairClassifier):
    r"""AUCtron whose penalty is chosen by the AUC in cross-validation.

    In each fold `AUCtronClassifier` is trained along a path of penalties, from strong to weak, each
    from the coefficients of the last. The penalty whose AUC on the held-out rows is largest, on
    average over the folds, is used to train on all rows.

    Parameters
    ----------
    alphas : int or array-like of float, default 11
        L2 penalties to choose from, in the unit of `alpha` of `AUCtronClassifier`; or their number,
        on a logarithmic grid from 1 to 1e-5: with 11 two for each power of ten.
    cv : int, cross-validation splitter or iterable, default 5
        Number of stratified folds, at most the number of rows of the smaller class; or splits of
        the rows of `X`, as scikit-learn takes them.
    scoring : str or callable, default "roc_auc"
        Measure that the penalty is chosen by: a scorer of scikit-learn or of `roclab.scorers`.
    gamma : float, default 0.3
        Margin: pairs whose outputs are further apart cost nothing. 0.1 to 0.7 is usual.
    p : {1, 2, 3}, default 2
        Power of the loss. With 1 the loss has kinks, at which the solvers may get stuck.
    solver : {"lbfgs", "newton-cg", "auctron"}, default "lbfgs"
        ``"lbfgs"`` is usually fastest. ``"newton-cg"``, a trust region with conjugate gradients,
        needs fewer but more expensive iterations, and p of 2 or 3. ``"auctron"`` is the algorithm
        of the paper: gradient descent with golden-section line search.
    max_iter : int, default 200
        Maximum number of iterations for a penalty.
    tol : float, default 1e-5
        Training on all rows stops when no derivative of the loss with respect to a parameter is
        larger; in the folds, where only the ranking matters, it may be ten times larger.
    standardize : bool, default True
        Whether to scale features to mean 0 and standard deviation 1, those of all rows. `coef_` is
        for the original features.
    calibrate : bool, default True
        Whether to calibrate the scores on the training rows (Platt scaling).

    Attributes
    ----------
    alpha_ : float
        The chosen penalty; of equally good ones the strongest.
    alphas_ : ndarray of shape (n_alphas,)
        All penalties, in descending order.
    scores_ : ndarray of shape (n_folds, n_alphas)
        Score of each penalty on the held-out rows of each fold.
    best_score_ : float
        Mean score of `alpha_` over the folds. Slightly optimistic: it is the largest of several.
    classes_ : ndarray of shape (2,)
        Class labels; the second is the positive class.
    coef_ : ndarray of shape (1, n_features)
        Coefficients of the scores.
    intercept_ : ndarray of shape (1,)
        Intercept of the scores.
    n_iter_ : int
        Number of iterations for all penalties in all folds, and on all rows.
    loss_curve_ : list of float
        The loss on all rows, from the mean of the folds' coefficients on.
    gradient_norm_ : float
        The largest derivative with respect to a parameter (of standardised features) at the end.
    converged_ : bool
        Whether the solver converged on all rows.
    unit_coef_, unit_intercept_ : ndarray of shape (n_features,), float
        The unit before calibration.

    Notes
    -----
    Nothing is random. Folds depend on the content of the rows, not on their order: equal rows are
    in one fold, and integer weights equal repeated rows. (Splits of your own are of the rows as
    they are.) For probabilities or for a fixed penalty see `AUCtronClassifier`.

    References
    ----------
    C. L. Castro and A. P. Braga, "Optimization of the area under the ROC curve", SBRN 2008.

    Examples
    --------
    >>> X = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [3.0, 1.0], [0.5, 0.0], [2.0, 0.5]]
    >>> ranker = AUCtronClassifierCV(cv=3).fit(X, [0, 1, 0, 1, 0, 1])
    >>> ranker.predict(X).tolist()
    [0, 1, 0, 1, 0, 1]
    >>> ranker.scores_.shape
    (3, 11)
    """

    def __init__(
        self,
        *,
        alphas: Any = 11,
        cv: Any = 5,
        scoring: Any = "roc_auc",
        gamma: float = 0.3,
        p: int = 2,
        solver: str = "lbfgs",
        max_iter: int = 200,
        tol: float = 1e-5,
        standardize: bool = True,
        calibrate: bool = True,
    ) -> None:
        self.alphas = alphas
        self.cv = cv
        self.scoring = scoring
        self.gamma = gamma
        self.p = p
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.standardize = standardize
        self.calibrate = calibrate

    def fit(self, X: Any, y: Any, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Choose the penalty, and fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features; finite numbers.
        y : array-like of shape (n_samples,)
            Target labels, two classes. The second in ascending order is the positive class.
        sample_weight : array-like of shape (n_samples,), optional
            Sample weights, finite and non-negative, for training and for the scores of the folds.
            Rows of weight 0 are ignored.

        Returns
        -------
        self
            Fitted estimator.
        """
        rows = self._training_rows(X, y, sample_weight)
        self.alphas_ = self._penalties()
        if isinstance(self.cv, Integral):
            rows = rows.in_order_of_content()
            folds = self._stratified(rows)
        else:
            folds = self._custom(X, y, sample_weight)
        _check_folds(rows, folds)
        scaling = Scaling.of(rows.features, rows.weights, standardize=self.standardize)
        self.scores_ = np.empty((len(folds), len(self.alphas_)))
        sums = np.zeros((len(self.alphas_), len(scaling.mean) + 1))
        iterations = 0
        for fold, (train, test) in enumerate(folds):
            learn = rows.part(train)
            score = self._scorer(rows.part(test), sample_weight is not None)
            unit, loss = (
                LinearUnit(learn.features, scaling),
                self._loss(learn.labels, learn.weights),
            )
            start = np.zeros_like(sums[0])
            for place, alpha in enumerate(self.alphas_):
                objective, path = UnitObjective(loss, unit, alpha), Path(parameters=start)
                self._minimise(objective, path, _LOOSER * float(self.tol))
                start, iterations = path.parameters, iterations + path.iterations
                sums[place] += start
                self.scores_[fold, place] = score(learn, objective, path)
        means = self.scores_.mean(axis=0)
        best = int(np.argmax(means))
        self.alpha_, self.best_score_ = float(self.alphas_[best]), float(means[best])
        unit = LinearUnit(rows.features, scaling)
        objective = UnitObjective(self._loss(rows.labels, rows.weights), unit, self.alpha_)
        self._fit(rows, objective, Path(parameters=sums[best] / len(folds)))
        self.n_iter_ += iterations
        return self

    def _penalties(self) -> Floats:
        if isinstance(self.alphas, Integral):
            return np.geomspace(_STRONGEST, _WEAKEST, check_count("alphas", self.alphas, 2))
        alphas = np.asarray(self.alphas)
        if alphas.ndim != 1 or not len(alphas) or alphas.dtype.kind not in "iuf":
            valid = False
        else:
            valid = bool((np.isfinite(alphas) & (alphas >= 0)).all())
        if not valid:
            raise InputError(
                found="{alphas=}{value} is out of range",
                needed="finite non-negative numbers are needed, or their number",
                fix="The default is {alphas=}11.",
                value=shown(self.alphas),
            )
        return np.unique(alphas.astype(np.float64))[::-1]

    def _stratified(self, rows: TrainingRows) -> list[Fold]:
        n_pos = int(np.count_nonzero(rows.labels))
        smaller = min(n_pos, len(rows.labels) - n_pos)
        if smaller < 2:
            raise InputError(
                found="There are {n_pos} different positive and {n_neg} negative rows",
                needed="cross-validation needs two of each class",
                fix="Pass a fixed {alpha} instead, in Python to AUCtronClassifier.",
                n_pos=n_pos,
                n_neg=len(rows.labels) - n_pos,
            )
        folds = StratifiedKFold(min(check_count("cv", self.cv, 2), smaller))
        return list(folds.split(rows.labels, rows.labels))

    def _custom(self, X: Any, y: Any, sample_weight: npt.ArrayLike | None) -> list[Fold]:
        """Return splits of the rows as they came, without those of weight 0."""
        kept = np.ones(len(y), bool) if sample_weight is None else np.asarray(sample_weight) > 0
        place = np.cumsum(kept) - 1
        splits = (
            check_cv(self.cv, y, classifier=True).split(X, y)
            if self.cv is None or hasattr(self.cv, "split")
            else check_splits("cv", self.cv, len(y))
        )
        return [(place[train[kept[train]]], place[test[kept[test]]]) for train, test in splits]

    def _scorer(
        self, test: TrainingRows, weighted: bool
    ) -> Callable[[TrainingRows, UnitObjective, Path], float]:
        """Return the function that scores a model on held-out rows."""
        if isinstance(self.scoring, str) and self.scoring == "roc_auc":

            def auc_of(_: TrainingRows, objective: UnitObjective, path: Path) -> float:
                line = objective.unit.to_features(path.parameters)
                scores = linear_scores(test.features, *line)
                return float(auc(test.labels, scores, sample_weight=test.weights))

            return auc_of
        judged = AUCtronClassifier(
            gamma=self.gamma,
            p=self.p,
            solver=self.solver,
            max_iter=self.max_iter,
            tol=self.tol,
            standardize=self.standardize,
            calibrate=self.calibrate,
        )
        judged.n_features_in_ = self.n_features_in_
        scorer = check_scoring(judged, self.scoring)
        options = {}
        if weighted:
            options["sample_weight"] = test.weights
        elif test.weights is not None:  # equal rows were merged
            test = test.part(np.repeat(np.arange(len(test.labels)), test.weights.astype(np.intp)))
        held_out, y = test.features, test.classes[test.labels]

        def score_of(learn: TrainingRows, objective: UnitObjective, path: Path) -> float:
            judged._keep(learn, objective, path, True)
            return float(scorer(judged, held_out, y, **options))

        return score_of


def _check_folds(rows: TrainingRows, folds: list[Fold]) -> None:
    """Refuse folds that lack a class, before a model is trained."""
    for fold, parts in enumerate(folds):
        for use, part in zip(("train", "test"), parts, strict=True):
            n_pos = int(np.count_nonzero(rows.labels[part]))
            if n_pos in (0, len(part)):
                raise InputError(
                    found="Split {fold} has {n_pos} positive and {n_neg} negative rows to {use} on",
                    needed="both classes are needed",
                    fix="Use stratified splits, for example {cv=}5.",
                    fold=fold,
                    n_pos=n_pos,
                    n_neg=len(part) - n_pos,
                    use=use,
                )
