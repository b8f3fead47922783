"""Measures as scikit-learn scorers: ``scorer(estimator, X, y)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier

# Private, since scikit-learn has no public base for a scorer that knows the estimator's classes,
# shares predictions with other scorers and takes metadata like those of `make_scorer`.
from sklearn.metrics._scorer import _BaseScorer, _cached_call

from roclab.checks.options import shown
from roclab.checks.vectors import as_names
from roclab.errors import InputError
from roclab.formatting import listed
from roclab.measures.measure import Measure
from roclab.measures.specification import word_of

RESPONSE_METHODS = ("decision_function", "predict_proba")


class MeasureScorer(_BaseScorer):  # type: ignore[misc]
    """A measure as a scorer, for the `scoring` parameters of scikit-learn; higher is better.

    Created by `scorers`. It works like the scorers of scikit-learn's `make_scorer`: it is called as
    ``scorer(estimator, X, y)``, can be pickled and cloned, shares predictions with the other
    scorers of a search, and takes ``sample_weight`` by ``set_score_request``.

    Parameters
    ----------
    measure : Measure
        Measure to compute, from `find_measure`.
    options : mapping
        Options of the measure, by name.
    response_method : tuple of str
        Methods of the estimator that give the scores; the first available one is called.
    pos_label : object, optional
        Positive class label; by default the last of the estimator's ``classes_``.

    Attributes
    ----------
    name : str
        Specification of the measure, with the prefix ``neg_`` if it is a loss, which is negated.
    pos_label : object
        Positive class label; None for the last of the estimator's ``classes_``, as in scikit-learn.

    Examples
    --------
    >>> from roclab.selection import scorers
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[1], [2], [2], [3]], ["no", "no", "yes", "yes"]
    >>> model = LogisticRegression().fit(X, y)
    >>> scorers["auc"](model, X, y)
    0.875
    >>> scorers["auc"]
    MeasureScorer('auc', response_method=('decision_function', 'predict_proba'))
    """

    def __init__(
        self,
        measure: Measure,
        options: Mapping[str, Any],
        response_method: tuple[str, ...],
        *,
        pos_label: Any = None,
    ) -> None:
        loss = measure.better == "lower"
        super().__init__(measure.function, -1 if loss else 1, dict(options), response_method)
        self.name = ("neg_" if loss else "") + word_of(measure, options)
        self.pos_label = pos_label
        self._fix, self._measure = _fix(measure), measure.name

    @property
    def response_method(self) -> tuple[str, ...]:
        """Methods of the estimator that give the scores; the first available one is called."""
        methods: tuple[str, ...] = self._response_method
        return methods

    def __repr__(self) -> str:
        positive = "" if self.pos_label is None else f", pos_label={self.pos_label!r}"
        return f"MeasureScorer({self.name!r}, response_method={self.response_method}{positive})"

    def _score(
        self,
        method_caller: Callable[..., npt.NDArray[Any]],
        estimator: Any,
        X: Any,
        y_true: Any,
        **metadata: Any,
    ) -> float:
        method = next((name for name in self.response_method if hasattr(estimator, name)), None)
        if method is None:
            raise InputError(
                found="{named} needs {methods}, which {estimator} does not have",
                fix=self._fix,
                named=self.name,
                methods=" or ".join(self.response_method),
                estimator=type(estimator).__name__,
                measure=repr(self._measure),
            )
        pos_label = self._positive(estimator, y_true)
        if self.pos_label is not None:
            # scikit-learn would share predictions for another positive class.
            method_caller = partial(_cached_call, None)
        y_score = method_caller(estimator, method, X, pos_label=pos_label)
        given = {"pos_label": pos_label, **self._kwargs, **metadata}
        value = float(self._score_func(y_true, y_score, **given))
        return -value if self._sign < 0 else value

    def _positive(self, estimator: Any, y_true: Any) -> Any:
        """The positive class, which the labels of a single fold may not determine."""
        if not is_classifier(estimator):
            return self.pos_label
        classes = estimator.classes_
        if len(classes) != 2:
            one = len(classes) == 1
            raise InputError(
                found="{estimator} was trained on {count} ({classes})",
                needed="{named} needs two",
                fix="Stratify the splits." if one else "For more classes use multiclass_auc.",
                estimator=type(estimator).__name__,
                count="one class" if one else f"{len(classes)} classes",
                classes=listed(map(str, classes)),
                named=self.name,
            )
        labels = as_names(y_true, "y")
        known = np.isin(labels, classes)
        if not known.all():
            raise InputError(
                found="{y} holds {value}, which is not among the classes of {estimator}: {classes}",
                fix="Stratify the splits.",
                value=shown(labels[~known][0]),
                estimator=type(estimator).__name__,
                classes=listed(map(str, classes)),
            )
        return classes[-1] if self.pos_label is None else self.pos_label


def response_methods(measure: Measure, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Methods of an estimator that give the scores for a measure, in order of preference.

    Decision values and probabilities have the same ranks, so that rank-based measures take either,
    in scikit-learn's order. Measures that depend on the scale of the scores or on a threshold take
    probabilities only, since decision values have a different scale for each estimator.
    """
    defaults = {option.name: option.default for option in measure.options}
    threshold = (defaults | dict(options)).get("threshold")
    ranks = measure.scores == "any" and threshold is None
    return RESPONSE_METHODS if ranks else ("predict_proba",)


def _fix(measure: Measure) -> str:
    if measure.scores == "probability":
        return "Wrap it in CalibratedClassifierCV."
    return (
        "Choose an estimator that has one, wrap it in CalibratedClassifierCV, or, for decision "
        "values, pass scorers.make({measure}, response_method='decision_function')."
    )
