"""Ways to minimise an objective, each from a start to a point where the gradient has vanished."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import OptimizeResult, minimize

from roclab.learning.descent import next_parameters
from roclab.learning.objective import UnitObjective

__all__ = ["SOLVERS", "Minimum", "Path"]

Floats = npt.NDArray[np.float64]

_LOSS_TOLERANCE = 64 * np.finfo(float).eps  # a relative fall of the loss that is only rounding


@dataclass(kw_only=True)
class Path:
    """Where a solver has been: the parameters after its last whole iteration, and all losses.

    Kept apart from the solver, so that it outlives an interrupt.
    """

    parameters: Floats
    losses: list[float] = field(default_factory=list)
    tell: Callable[[int, float], None] | None = None

    def add(self, parameters: Floats, loss: float) -> None:
        """One more iteration is done."""
        self.parameters = parameters.copy()
        self.losses.append(float(loss))
        if self.tell is not None:
            self.tell(len(self.losses) - 1, float(loss))

    @property
    def iterations(self) -> int:
        """Iterations done; the first loss is that of the start."""
        return max(len(self.losses) - 1, 0)


@dataclass(frozen=True, kw_only=True)
class Minimum:
    """How a solver ended.

    Attributes
    ----------
    converged : bool
        Whether it stopped of itself.
    reason : str
        Why it stopped.
    advice : str
        What to do if it did not stop of itself.
    """

    converged: bool
    reason: str
    advice: str = "Allow more with max_iter, or go on from here with warm_start=True."


def _descend(objective: UnitObjective, path: Path, max_iter: int, tol: float) -> Minimum:
    """The paper's algorithm."""
    for _ in range(max_iter):
        loss, gradient = objective.with_gradient(path.parameters)
        if np.abs(gradient).max() <= tol:
            return Minimum(converged=True, reason="the gradient has vanished")
        parameters = next_parameters(objective, path.parameters)
        if parameters is None:
            return Minimum(converged=True, reason="no step lowers the loss")
        after, _ = objective.with_gradient(parameters)
        path.add(parameters, after)
        if loss - after <= _LOSS_TOLERANCE * max(abs(loss), abs(after)):
            return Minimum(converged=True, reason="the loss no longer falls")
    _, gradient = objective.with_gradient(path.parameters)
    if np.abs(gradient).max() <= tol:
        return Minimum(converged=True, reason="the gradient has vanished")
    return Minimum(converged=False, reason=f"max_iter={max_iter} was reached")


def _lbfgs(objective: UnitObjective, path: Path, max_iter: int, tol: float) -> Minimum:
    result = minimize(
        objective.with_gradient,
        path.parameters,
        jac=True,
        method="L-BFGS-B",
        callback=_recorder(path),
        options={"maxiter": max_iter, "gtol": tol, "ftol": _LOSS_TOLERANCE, "maxls": 50},
    )
    return _ended(result, objective, path, max_iter)


def _newton_cg(objective: UnitObjective, path: Path, max_iter: int, tol: float) -> Minimum:
    result = minimize(
        objective.with_gradient,
        path.parameters,
        jac=True,
        hessp=objective.hessian_product,
        method="trust-ncg",
        callback=_recorder(path),
        options={"maxiter": max_iter, "gtol": tol},
    )
    return _ended(result, objective, path, max_iter)


def _recorder(path: Path) -> Callable[[OptimizeResult], None]:
    # scipy looks at the name of the argument to find out what it is to pass.
    def record(intermediate_result: OptimizeResult) -> None:
        path.add(intermediate_result.x, intermediate_result.fun)

    return record


def _ended(result: Any, objective: UnitObjective, path: Path, max_iter: int) -> Minimum:
    if not np.array_equal(result.x, path.parameters):
        if path.losses[-1] >= result.fun:
            path.parameters = result.x
        else:  # the last line search went nowhere
            objective.with_gradient(path.parameters)
    if result.success:
        return Minimum(converged=True, reason=str(result.message))
    if result.nit >= max_iter:
        return Minimum(converged=False, reason=f"max_iter={max_iter} was reached")
    return Minimum(
        converged=False,
        reason=f"no step lowers the loss any more ({str(result.message).strip(' :.')})",
        advice="If that is too much, take another solver, p of 2 or 3, or alpha above 0.",
    )


SOLVERS: dict[str, Callable[[UnitObjective, Path, int, float], Minimum]] = {
    "auctron": _descend,
    "lbfgs": _lbfgs,
    "newton-cg": _newton_cg,
}
