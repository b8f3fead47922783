"""Objective function of training: a loss of the outputs of a logistic unit, plus a penalty."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from roclab import _core
from roclab.errors import InputError
from roclab.learning.loss import check_loss
from roclab.learning.unit import LinearUnit

Floats = npt.NDArray[np.float64]


class OutputLoss(Protocol):
    """A loss of outputs, one output a row.

    Attributes
    ----------
    bias_step : float
        A step of the bias that changes the loss about as much as a step of 1 of a coefficient.
    """

    bias_step: float

    def value(self, outputs: Floats) -> float:
        """Return the loss."""

    def with_gradient(self, outputs: Floats) -> tuple[float, Floats]:
        """Return the loss and its gradient with respect to the outputs."""

    def hessian_product(self, vector: Floats) -> Floats:
        """Return the product of the Hessian at the last outputs with a vector."""


class PairLoss:
    """The polynomial hinge over all pairs of outputs.

    Only the curvature of the logistic function lets a bias change differences of outputs.
    """

    bias_step = 4.0

    def __init__(
        self, labels: npt.NDArray[np.uint8], weights: Floats | None, gamma: float, p: int
    ) -> None:
        check_loss("hinge", gamma, p)
        # Not a PairwiseObjective: labels and weights are checked, and outputs are our own.
        self._kernel = _core.HingeLoss(labels, weights, float(gamma), int(p))

    def value(self, outputs: Floats) -> float:
        """Return the loss."""
        return self._evaluate(outputs, gradient=False)[0]

    def with_gradient(self, outputs: Floats) -> tuple[float, Floats]:
        """Return the loss and its gradient with respect to the outputs."""
        return self._evaluate(outputs, gradient=True)

    def _evaluate(self, outputs: Floats, *, gradient: bool) -> tuple[float, Floats]:
        if math.isnan(outputs.sum()):  # the kernel sorts them
            raise InputError(
                found="The parameters are not finite after a step",
                needed="the solver has diverged",
                fix="Scale the features, or increase {alpha}.",
            )
        value, slopes, _ = self._kernel.evaluate(outputs, gradient, False, _core.thread_count())
        return value, slopes

    def hessian_product(self, vector: Floats) -> Floats:
        """Return the product of the Hessian at the last outputs with a vector."""
        return self._kernel.hessian_product(vector, _core.thread_count())


class SquaredError:
    """The mean squared error of the outputs."""

    bias_step = 1.0

    def __init__(self, labels: npt.NDArray[np.uint8], weights: Floats | None) -> None:
        weights = np.ones(len(labels)) if weights is None else weights
        self._targets = labels.astype(np.float64)
        self._shares = weights / weights.sum()

    def value(self, outputs: Floats) -> float:
        """Return the loss."""
        return float(self._shares @ (outputs - self._targets) ** 2)

    def with_gradient(self, outputs: Floats) -> tuple[float, Floats]:
        """Return the loss and its gradient with respect to the outputs."""
        errors = outputs - self._targets
        slopes = self._shares * errors
        return float(slopes @ errors), 2 * slopes

    def hessian_product(self, vector: Floats) -> Floats:
        """Return the product of the Hessian with a vector."""
        product: Floats = 2 * self._shares * vector
        return product


class UnitObjective:
    """The loss of ``o = 1 / (1 + exp(-z))`` plus ``alpha / 2`` times the squared coefficients.

    z are the net inputs of a `LinearUnit`; the penalty applies to the coefficients of standardised
    features, not to the bias.
    """

    def __init__(self, loss: OutputLoss, unit: LinearUnit, alpha: float) -> None:
        self.unit = unit
        self._loss, self._alpha = loss, alpha
        self._at: Floats | None = None  # the last parameters, whose results are cached
        self._outputs = self._by_outputs = np.empty(0)
        self._found = (0.0, np.empty(0))

    @property
    def bias_step(self) -> float:
        """Step of the bias that compares with a step of 1 of a coefficient; a power of 2."""
        return self._loss.bias_step

    def with_gradient(self, parameters: Floats) -> tuple[float, Floats]:
        """Return the value and its gradient with respect to the parameters."""
        if self._at is None or not np.array_equal(self._at, parameters):
            outputs = expit(self.unit.forward(parameters))
            value, by_outputs = self._loss.with_gradient(outputs)
            gradient = self.unit.backward(by_outputs * outputs * (1 - outputs))
            gradient[:-1] += self._alpha * parameters[:-1]
            self._found = (value + self._penalty(parameters), gradient)
            self._at, self._outputs, self._by_outputs = parameters.copy(), outputs, by_outputs
        return self._found

    def value_along(
        self, parameters: Floats, direction: Floats, z: Floats, z_direction: Floats, step: float
    ) -> float:
        """Return the value at ``parameters - step * direction``, given the net inputs.

        Clears the cache, since the outputs are not those of the last parameters.
        """
        self._at = None
        outputs = expit(z - step * z_direction)
        return self._loss.value(outputs) + self._penalty(parameters - step * direction)

    def hessian_product(self, parameters: Floats, vector: Floats) -> Floats:
        """Return the product of the Hessian at the parameters with a vector."""
        self.with_gradient(parameters)
        slopes = self._outputs * (1 - self._outputs)
        along = self.unit.forward(vector)
        by_z = slopes * self._loss.hessian_product(slopes * along)
        by_z += self._by_outputs * slopes * (1 - 2 * self._outputs) * along
        product = self.unit.backward(by_z)
        product[:-1] += self._alpha * vector[:-1]
        return product

    def _penalty(self, parameters: Floats) -> float:
        return 0.5 * self._alpha * float(parameters[:-1] @ parameters[:-1])
