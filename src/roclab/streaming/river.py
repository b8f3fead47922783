"""A window as a metric for river, which need not be installed."""

from __future__ import annotations

import contextlib
import copy
import importlib
from collections.abc import Mapping
from typing import Any

from roclab.errors import InputError
from roclab.inference import Interval
from roclab.streaming.windows.protocol import StreamingAUC
from roclab.streaming.windows.timed import TimeWindowAUC

_Metric: Any = object  # it then works wherever nothing asks for river's own class
with contextlib.suppress(ImportError):
    _Metric = importlib.import_module("river.metrics.base").ClassificationMetric


class RiverAUC(_Metric):  # type: ignore[misc]
    """A metric for river, from any window.

    With river installed it is one of its metrics: ``Accuracy() + RiverAUC(window)``, and a metric
    for ``SuccessiveHalvingClassifier`` and ``BanditClassifier``.

    river's `ROCAUC` uses ten thresholds, and `RollingROCAUC` counts tied scores as less than one
    half; this metric is as exact as the window.

    Parameters
    ----------
    window : StreamingAUC
        Window, such as ``WindowAUC(1000)`` or ``CumulativeAUC()``. A `TimeWindowAUC` needs the time
        of each event, which river's own loops do not pass: call `update` yourself.
    pos_val : object, default True
        Positive class label, as in river.

    Notes
    -----
    Classifiers return a dictionary of probabilities; the score is that of `pos_val`, or 0 if it is
    missing. Any other prediction, such as an anomaly score, is itself the score. While a class is
    missing, `get` returns nan; river's metrics return 0.

    Examples
    --------
    >>> from roclab import WindowAUC
    >>> metric = RiverAUC(WindowAUC(1000))
    >>> for label, p in [(False, 0.1), (True, 0.4), (False, 0.4), (True, 0.8)]:
    ...     metric.update(label, {True: p, False: 1 - p})
    >>> metric
    RiverAUC: 87.50%
    """

    bigger_is_better = True
    requires_labels = False
    works_with_weights = True
    _fmt = ".2%"

    def __init__(self, window: StreamingAUC, *, pos_val: Any = True) -> None:
        self.window = window
        self.pos_val = pos_val

    def update(self, y_true: Any, y_pred: Any, w: float = 1.0, *, time: Any = None) -> None:
        """Add a label and the prediction of the model.

        Parameters
        ----------
        y_true : object
            Label; `pos_val` is positive, everything else negative.
        y_pred : dict or float
            Prediction of the model: probabilities by class, or a score.
        w : float, default 1
            Weight of the event.
        time : number or datetime, optional
            Time of the event; required and used with a `TimeWindowAUC` only.
        """
        # In one function: each further call would cost a fifth of what the window does.
        score = y_pred.get(self.pos_val, 0.0) if isinstance(y_pred, dict) else y_pred
        try:
            if w == 1.0 and time is None:  # some windows take no weights, not even 1
                self.window.update(y_true == self.pos_val, score)
            else:
                weight = None if w == 1.0 else w
                self.window.update(y_true == self.pos_val, score, time=time, sample_weight=weight)
        except InputError:
            self._check_time(time)
            raise

    def revert(self, y_true: Any, y_pred: Any, w: float = 1.0, *, time: Any = None) -> None:
        """Remove a label and its prediction.

        Parameters
        ----------
        y_true : object
            Label; `pos_val` is positive, everything else negative.
        y_pred : dict or float
            Prediction of the model: probabilities by class, or a score.
        w : float, default 1
            Weight of the event.
        time : number or datetime, optional
            Time of the event; required and used with a `TimeWindowAUC` only.
        """
        self._check_time(time)
        score = y_pred.get(self.pos_val, 0.0) if isinstance(y_pred, dict) else y_pred
        weight = None if w == 1.0 else w
        self.window.revert(y_true == self.pos_val, score, time=time, sample_weight=weight)

    def clone(
        self, new_params: Mapping[str, Any] | None = None, include_attributes: bool = False
    ) -> RiverAUC:
        """A metric with the same settings and an empty window.

        Parameters
        ----------
        new_params : mapping, optional
            Constructor arguments to replace, by name.
        include_attributes : bool, default False
            Whether the window keeps its events.
        """
        window = copy.deepcopy(self.window)
        if not include_attributes:
            window.reset()
        return type(self)(**{"window": window, "pos_val": self.pos_val, **(new_params or {})})

    def get(self) -> float:
        """The AUC."""
        return self.window.auc

    def interval(self) -> Interval:
        """The AUC with its confidence interval, which river's metrics do not have."""
        return self.window.interval()

    def works_with(self, model: Any) -> bool:
        """Whether the model predicts probabilities or anomaly scores.

        Parameters
        ----------
        model : object
            Model or pipeline of river.
        """
        while steps := getattr(model, "steps", None):  # the last step of a pipeline counts
            model = list(steps.values())[-1]
        return any(hasattr(model, name) for name in ("predict_proba_one", "score_one"))

    def is_better_than(self, other: Any) -> bool:
        """Whether the AUC is higher than the value of another metric.

        Parameters
        ----------
        other : metric
            Metric of river to compare with.
        """
        return bool(self.get() > other.get())

    def __gt__(self, other: Any) -> bool:
        return self.is_better_than(other)

    def __repr__(self) -> str:
        return f"RiverAUC: {self.get():.2%}"

    def _check_time(self, time: Any) -> None:
        if time is None and isinstance(self.window, TimeWindowAUC):
            raise InputError(
                found="A RiverAUC of a TimeWindowAUC needs the {time} of each event",
                fix="Call update(y_true, y_pred, {time=}...). The loops of river pass no times: in "
                "them use WindowAUC, DecayedAUC or CumulativeAUC.",
            ) from None
