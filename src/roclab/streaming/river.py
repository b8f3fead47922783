"""A window as a metric of river's evaluation loop; river itself is not needed here."""

from __future__ import annotations

from typing import Any

from roclab.errors import InputError
from roclab.inference import Interval
from roclab.streaming.windows.protocol import StreamingAUC

__all__ = ["RiverAUC"]


class RiverAUC:
    """A metric for ``river.evaluate``, made of any window.

    river's own `ROCAUC` counts at ten thresholds, and `RollingROCAUC` gives tied scores less than
    their half; this one is as exact as the window.

    Parameters
    ----------
    window : StreamingAUC
        Such as ``WindowAUC(1000)`` or ``CumulativeAUC()``.
    pos_val : optional
        The label that is positive, True by default, as in river.

    Notes
    -----
    Classifiers give a dictionary of probabilities, of which that of `pos_val` is the score: 0 if
    it is not there. Anything else that a model gives, such as an anomaly score, is the score
    itself. While a class is missing `get` gives nan; river's metrics give 0.

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

    def __init__(self, window: StreamingAUC, *, pos_val: Any = True) -> None:
        self.window = window
        self.pos_val = pos_val

    def update(self, y_true: Any, y_pred: Any, w: float = 1.0) -> None:
        """Take in a label and what the model gave for it."""
        window: Any = self.window
        label, score = y_true == self.pos_val, self._score(y_pred)
        if w == 1.0:
            window.update(label, score)
        else:
            window.update(label, score, w)

    def revert(self, y_true: Any, y_pred: Any, w: float = 1.0) -> None:
        """Take it out again, where the window can do that."""
        window: Any = self.window
        if not hasattr(window, "revert"):
            raise InputError(
                f"A {type(window).__name__} cannot take events out. Give RiverAUC a WindowAUC."
            )
        if w != 1.0:
            raise InputError(f"w={w!r}: an event with a weight cannot be taken out again.")
        window.revert(y_true == self.pos_val, self._score(y_pred))

    def get(self) -> float:
        """The AUC."""
        return self.window.auc

    def interval(self) -> Interval:
        """The AUC with its interval, which river's metrics do not have."""
        return self.window.interval()

    def works_with(self, model: Any) -> bool:
        """Whether the model gives something to rank by: probabilities or anomaly scores."""
        while steps := getattr(model, "steps", None):  # a pipeline is what its last step is
            model = list(steps.values())[-1]
        return any(hasattr(model, name) for name in ("predict_proba_one", "score_one"))

    def is_better_than(self, other: Any) -> bool:
        """Whether the AUC is higher than another metric's value."""
        return bool(self.get() > other.get())

    def __gt__(self, other: Any) -> bool:
        return self.is_better_than(other)

    def __repr__(self) -> str:
        return f"RiverAUC: {self.get():.2%}"

    def _score(self, y_pred: Any) -> Any:
        return y_pred.get(self.pos_val, 0.0) if isinstance(y_pred, dict) else y_pred
