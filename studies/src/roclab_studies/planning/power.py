"""Whether studies that were planned for a power have it: the formulas against simulation."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import roclab as rl
from roclab.inference import AUCPlan

METHODS = ("obuchowski", "delong")
POWER = 0.8
RUNS = 4000
SEED = 20_261_116
# What is compared, and how the two models go together.
TESTS: dict[str, dict[str, Any]] = {
    "value": {},
    "paired": {"correlation": 0.5},
    "unpaired": {"paired": False},
}
PAIRS = {
    "value": ((0.6, 0.5), (0.7, 0.5), (0.8, 0.7), (0.95, 0.9)),
    "paired": ((0.75, 0.65), (0.85, 0.75), (0.95, 0.9), (0.95, 0.8)),
    "unpaired": ((0.8, 0.65), (0.95, 0.85)),
}
RATIOS = (1.0, 4.0)


@dataclass(frozen=True, kw_only=True)
class Question:
    """A study to be planned and tried."""

    method: str
    test: str
    auc: float
    against: float
    ratio: float
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs / (self.auc - self.against) ** 2

    def __str__(self) -> str:
        return f"{self.method} {self.test} {self.auc:g} against {self.against:g}, 1:{self.ratio:g}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """The sizes planned, and the power that studies of such sizes had."""

    n_pos: float
    n_neg: float
    power: float
    standard_error: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    return [
        Question(
            method=method, test=test, auc=auc, against=against, ratio=ratio, runs=RUNS // fewer
        )
        for test, pairs in PAIRS.items()
        for auc, against in pairs
        for ratio in RATIOS
        for method in METHODS
    ]


def plan(question: Question, simulate: int = 0) -> AUCPlan:
    """The study, simulated if asked."""
    against = "null_value" if question.test == "value" else "other_auc"
    return rl.plan_auc_study(
        question.auc,
        power=POWER,
        ratio=question.ratio,
        method=question.method,
        simulate=simulate,
        rng=SEED,
        **{against: question.against},
        **TESTS[question.test],
    )


def answer(question: Question) -> Answer:
    """Plan it, and draw studies of that size."""
    found = plan(question, question.runs)
    drawn = found.simulation
    return Answer(
        **asdict(question),
        n_pos=float(f"{found.n_pos:.6g}"),
        n_neg=float(f"{found.n_neg:.6g}"),
        power=drawn.power if drawn else 0.0,
        standard_error=float(f"{drawn.standard_error:.3g}") if drawn else 0.0,
    )
