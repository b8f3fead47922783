"""Does it matter where AUCtron starts? Castro and Braga say that it hardly does.

Training starts from normal coefficients of several sizes, by the paper's descent and by L-BFGS, on
the training rows of the first split. From where it ended it then goes on by L-BFGS and Newton's
method until the gradient has vanished: if the loss falls to that of the best start, training had
only stalled. If it stays above, the start led to another minimum or to a plateau: where nearly all
outputs are 0 or 1 the loss is flat although nothing is best about it.
"""

from __future__ import annotations

import itertools
import warnings
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

import roclab as rl
from roclab_studies.auctron.data import DATA, examples, splits
from roclab_studies.auctron.rankers import EPOCHS, MOST_ITERATIONS, Encoding, Floats

STARTS = 25
SPREADS = (0.01, 1.0, 5.0)
SOLVERS: dict[str, dict[str, Any]] = {
    "descent": {"solver": "auctron", "max_iter": EPOCHS, "alpha": 0.0},
    "L-BFGS": {"solver": "lbfgs", "max_iter": MOST_ITERATIONS, "alpha": 0.0},
    "penalised L-BFGS": {"solver": "lbfgs", "max_iter": MOST_ITERATIONS, "alpha": 0.01},
}
FURTHER: list[dict[str, Any]] = [
    {"solver": "lbfgs", "max_iter": 20_000, "tol": 1e-7},
    {"solver": "newton-cg", "max_iter": 300, "tol": 1e-7},
]
SATURATED = 1e-3  # from 0 or 1
SEED = 33


@dataclass(frozen=True, kw_only=True)
class Question:
    """A solver, a data set and the standard deviation of the coefficients to start from."""

    solver: str
    data: str
    spread: float
    starts: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.solver

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.spread

    def __str__(self) -> str:
        return f"{self.solver}, {self.data}, starts of {self.spread:g}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """A number for each start.

    Attributes
    ----------
    losses, gradients : tuple of float
        At the end of training: the loss, and the largest derivative by a coefficient.
    aucs : tuple of float
        On the test rows.
    further_losses, further_gradients, further_aucs : tuple of float
        The same after going on from there.
    further_saturated : tuple of float
        Share of the training rows whose output is then within a thousandth of 0 or 1.
    """

    losses: tuple[float, ...]
    gradients: tuple[float, ...]
    aucs: tuple[float, ...]
    further_losses: tuple[float, ...]
    further_gradients: tuple[float, ...]
    further_aucs: tuple[float, ...]
    further_saturated: tuple[float, ...]


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of starts divided by `fewer`."""
    return [
        Question(solver=solver, data=data, spread=spread, starts=max(2, STARTS // fewer))
        for data, spread, solver in itertools.product(DATA, SPREADS, SOLVERS)
    ]


def answer(question: Question) -> Answer:
    """Train from every start, then go on."""
    table = examples(question.data)
    learn, judge = next(iter(splits(table.y, 1)))
    encoding = Encoding.of(table.X[learn], table.numeric)
    X, new = (encoding.columns(table.X[rows]) for rows in (learn, judge))
    found = []
    for number in range(question.starts):
        directions = np.random.default_rng((SEED, number)).normal(size=X.shape[1] + 1)
        model = starting_from(question.spread * directions)
        line: list[float] = []
        for stage in ([SOLVERS[question.solver]], FURTHER):
            for options in stage:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of training that ends before it is done
                    model.set_params(**options).fit(X, table.y[learn])
            auc = rl.auc(table.y[judge], model.decision_function(new))
            line += [model.loss_curve_[-1], model.gradient_norm_, auc]
        outputs = model.predict_proba(X)
        found.append([*line, float((outputs.min(axis=1) < SATURATED).mean())])
    columns = (tuple(float(f"{one:.6g}") for one in column) for column in zip(*found, strict=True))
    names = [field.name for field in fields(Answer) if field.name not in asdict(question)]
    return Answer(**asdict(question), **dict(zip(names, columns, strict=True)))


def starting_from(parameters: Floats) -> rl.AUCtronClassifier:
    """A model that is trained from these coefficients, the bias being the last."""
    model = rl.AUCtronClassifier(alpha=0, standardize=False, calibrate=False, warm_start=True)
    model.unit_coef_, model.unit_intercept_ = parameters[:-1], float(parameters[-1])
    return model
