"""Gradient descent of Castro and Braga, with golden-section line search.

Corrections to the printed algorithm: it also stops when the gradient vanishes or the loss no longer
decreases, not only after a number of epochs; and it makes a step only if the loss decreases, since
golden section assumes a single minimum along the line, which is not guaranteed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from roclab.learning.objective import UnitObjective

Floats = npt.NDArray[np.float64]

_RATIO = (5**0.5 - 1) / 2
_SECTION_TOLERANCE = 1e-4  # of the step
_MOST_SECTIONS = 60
_MOST_DOUBLINGS = 60


def next_parameters(objective: UnitObjective, parameters: Floats) -> Floats | None:
    """Return the parameters after one epoch; None if no step decreases the loss."""
    start, gradient = objective.with_gradient(parameters)
    norm = float(np.linalg.norm(gradient))
    if norm == 0:
        return None
    z, z_gradient = objective.unit.forward(parameters), objective.unit.forward(gradient)

    def loss_after(step: float) -> float:
        return objective.value_along(parameters, gradient, z, z_gradient, step)

    step = golden_section(loss_after, start, first=1 / norm)
    return None if step is None else parameters - step * gradient


def golden_section(
    loss_after: Callable[[float], float], start: float, *, first: float
) -> float | None:
    """Find a step that decreases the loss, at a minimum along the line.

    Parameters
    ----------
    loss_after : callable
        The loss after a step.
    start : float
        The loss before any step.
    first : float
        Initial step: it is doubled while the loss decreases, or halved until it does.

    Returns
    -------
    float or None
        None if even the smallest step does not decrease the loss.
    """
    low, step, high = 0.0, first, 2 * first
    best = loss_after(step)
    if best < start:
        for _ in range(_MOST_DOUBLINGS):
            further = loss_after(high)
            if not further < best:
                break
            low, step, high, best = step, high, 2 * high, further
    else:
        high = step
        while not best < start:
            high, step = step, step / 2
            if step < first * 1e-18:
                return None
            best = loss_after(step)
    found, value = _section(loss_after, low, high)
    return found if value < best else step


def _section(loss_after: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    left, right = high - _RATIO * (high - low), low + _RATIO * (high - low)
    at_left, at_right = loss_after(left), loss_after(right)
    for _ in range(_MOST_SECTIONS):
        if high - low <= _SECTION_TOLERANCE * high:
            break
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - _RATIO * (high - low)
            at_left = loss_after(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _RATIO * (high - low)
            at_right = loss_after(right)
    return (left, at_left) if at_left < at_right else (right, at_right)
