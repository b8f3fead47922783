"""Solvers that minimise an objective until its gradient vanishes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.optimize import OptimizeResult, minimize

from roclab.learning.descent import next_parameters
from roclab.learning.objective import UnitObjective

Floats = npt.NDArray[np.float64]

_LOSS_TOLERANCE = 64 * np.finfo(float).eps  # a smaller relative decrease of the loss is rounding


@dataclass(kw_only=True)
class Path:
    """The parameters after the last complete iteration of a solver, and all losses.

    Separate from the solver, so that it survives an interrupt.
    """

    parameters: Floats
    losses: list[float] = field(default_factory=list)
    report: Callable[[int, float], None] | None = None

    def add(self, parameters: Floats, loss: float) -> None:
        """Record an iteration."""
        self.parameters = parameters.copy()
        self.losses.append(float(loss))
        if self.report is not None:
            self.report(len(self.losses) - 1, float(loss))

    @property
    def iterations(self) -> int:
        """Number of iterations; the first loss is the initial one."""
        return max(len(self.losses) - 1, 0)


@dataclass(frozen=True, kw_only=True)
class Minimum:
    """How a solver ended.

    Attributes
    ----------
    converged : bool
        Whether it converged.
    reason, fix : str
        Parts of the warning if it did not converge.
    message : str
        Message of scipy, for the placeholder in `reason`.
    """

    converged: bool
    reason: str = ""
    fix: str = ""
    message: str = ""


_CONVERGED = Minimum(converged=True)
_MAX_ITER_REACHED = Minimum(
    converged=False,
    reason="{max_iter=}{iterations} was reached",
    fix="Increase {max_iter}.",
)


def _descend(objective: UnitObjective, path: Path, max_iter: int, tol: float) -> Minimum:
    """Minimise with the algorithm of the paper."""
    for _ in range(max_iter):
        loss, gradient = objective.with_gradient(path.parameters)
        if np.abs(gradient).max() <= tol:
            return _CONVERGED
        parameters = next_parameters(objective, path.parameters)
        if parameters is None:  # no step decreases the loss
            return _CONVERGED
        after, _ = objective.with_gradient(parameters)
        path.add(parameters, after)
        if loss - after <= _LOSS_TOLERANCE * max(abs(loss), abs(after)):
            return _CONVERGED
    _, gradient = objective.with_gradient(path.parameters)
    return _CONVERGED if np.abs(gradient).max() <= tol else _MAX_ITER_REACHED


def _by_scipy(
    method: str,
    options: dict[str, float],
    objective: UnitObjective,
    path: Path,
    max_iter: int,
    tol: float,
) -> Minimum:
    # In units of comparable steps fewer iterations are needed; powers of 2 do not round.
    steps = np.ones_like(path.parameters)
    steps[-1] = objective.bias_step

    def with_gradient(x: Floats) -> tuple[float, Floats]:
        value, gradient = objective.with_gradient(steps * x)
        return value, steps * gradient

    def hessian_product(x: Floats, vector: Floats) -> Floats:
        return steps * objective.hessian_product(steps * x, steps * vector)

    # scipy decides by the name of the argument what to pass.
    def record(intermediate_result: OptimizeResult) -> None:
        path.add(steps * intermediate_result.x, intermediate_result.fun)

    result = minimize(
        with_gradient,
        path.parameters / steps,
        jac=True,
        hessp=hessian_product if method == "trust-ncg" else None,
        method=method,
        callback=record,
        options={"maxiter": max_iter, "gtol": tol, **options},
    )
    reached = steps * result.x
    if not np.array_equal(reached, path.parameters):
        if path.losses[-1] >= result.fun:
            path.parameters = reached
        else:  # the last line search failed
            objective.with_gradient(path.parameters)
    if result.success:
        return _CONVERGED
    if result.nit >= max_iter:
        return _MAX_ITER_REACHED
    return Minimum(
        converged=False,
        reason="no further step decreases the loss ({message})",
        fix="If that is too large, use another {solver}, {p=}2 or {p=}3, or {alpha} above 0.",
        message=str(result.message).strip(" :."),
    )


SOLVERS: dict[str, Callable[[UnitObjective, Path, int, float], Minimum]] = {
    "auctron": _descend,
    "lbfgs": partial(_by_scipy, "L-BFGS-B", {"ftol": _LOSS_TOLERANCE, "maxls": 50}),
    "newton-cg": partial(_by_scipy, "trust-ncg", {}),
}
