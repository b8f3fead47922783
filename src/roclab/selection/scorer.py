"""A measure as scikit-learn scores models: ``scorer(estimator, X, y)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier

# Private, since scikit-learn has no public way to a scorer that knows the estimator's classes, and
# that shares predictions with other scorers and takes metadata like those of `make_scorer`.
from sklearn.metrics._scorer import _BaseScorer, _cached_call

from roclab.errors import InputError
from roclab.formatting import listed
from roclab.measures.measure import Measure
from roclab.measures.specification import word_of
from roclab.vector import as_names

__all__ = ["RESPONSE_METHODS", "MeasureScorer", "response_methods"]

RESPONSE_METHODS = ("decision_function", "predict_proba")


class MeasureScorer(_BaseScorer):  # type: ignore[misc]
    """A measure of held-out data, for every `scoring` of scikit-learn; higher is better.

    Made by `scorers`. It is a scorer like those of scikit-learn's `make_scorer`: called as
    ``scorer(estimator, X, y)``, it can be pickled and cloned, shares predictions with the other
    scorers of a search, and takes ``sample_weight`` by ``set_score_request``.

    Attributes
    ----------
    name : str
        The word for the measure with its options, after ``neg_`` if it is a loss: then the score
        is the negated loss.
    pos_label : object
        The positive class; None for the last of the estimator's ``classes_``, as in scikit-learn.

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
        measure: Measure[Any],
        options: Mapping[str, Any],
        response_method: tuple[str, ...],
        pos_label: Any = None,
    ) -> None:
        loss = measure.better == "lower"
        super().__init__(measure.function, -1 if loss else 1, dict(options), response_method)
        self.name = ("neg_" if loss else "") + word_of(measure, options)
        self.pos_label = pos_label
        self._advice = _advice(measure)

    @property
    def response_method(self) -> tuple[str, ...]:
        """Which methods of the estimator give the scores; the first that it has is called."""
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
                f"{self.name} is computed from {' or '.join(self.response_method)}, which "
                f"{type(estimator).__name__} does not have. {self._advice}"
            )
        pos_label = self._positive(estimator, y_true)
        if self.pos_label is not None:
            # scikit-learn would share what it has predicted for another positive class.
            method_caller = partial(_cached_call, None)
        y_score = method_caller(estimator, method, X, pos_label=pos_label)
        given = {"pos_label": pos_label, **self._kwargs, **metadata}
        value = float(self._score_func(y_true, y_score, **given))
        return -value if self._sign < 0 else value

    def _positive(self, estimator: Any, y_true: Any) -> Any:
        """The positive class, which the labels of one fold alone may not tell."""
        if not is_classifier(estimator):
            return self.pos_label
        classes = estimator.classes_
        if len(classes) != 2:
            one = len(classes) == 1
            raise InputError(
                f"{type(estimator).__name__} was trained on "
                f"{'one class' if one else f'{len(classes)} classes'} "
                f"({listed(map(str, classes))}); {self.name} needs two. "
                f"{'Stratify the splits.' if one else 'See multiclass_auc.'}"
            )
        labels = as_names(y_true, "y")
        known = np.isin(labels, classes)
        if not known.all():
            raise InputError(
                f"y holds {labels[~known][0]!r}, which is not among the classes that "
                f"{type(estimator).__name__} was trained on ({listed(map(str, classes))}). "
                "Stratify the splits."
            )
        return classes[-1] if self.pos_label is None else self.pos_label


def response_methods(measure: Measure[Any], options: Mapping[str, Any]) -> tuple[str, ...]:
    """Where the scores of a measure come from, the first method that an estimator has.

    Ranks are the same in decision values and probabilities, so that measures of ranks take either,
    in scikit-learn's order. Where the distances of scores count, or their place beside a threshold,
    decision values would give the number another meaning, and another one for each estimator.
    """
    defaults = {option.name: option.default for option in measure.options}
    threshold = (defaults | dict(options)).get("threshold")
    ranks = measure.scores == "any" and threshold is None
    return RESPONSE_METHODS if ranks else ("predict_proba",)


def _advice(measure: Measure[Any]) -> str:
    if measure.scores == "probability":
        return "Wrap it in CalibratedClassifierCV."
    return (
        "Choose an estimator that has one, wrap it in CalibratedClassifierCV, or, if decision "
        f"values are meant, pass scorers.make({measure.name!r}, "
        "response_method='decision_function')."
    )
