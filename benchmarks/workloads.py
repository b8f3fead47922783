"""The labels and scores that are measured on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.bool_]
Scores = npt.NDArray[Any]

# What the scores are made of: normal noise, shifted by one for a positive.
KINDS: dict[str, Callable[[npt.NDArray[np.float64]], Scores]] = {
    "float64": lambda shifted: shifted,
    "float32": lambda shifted: shifted.astype(np.float32),
    "float64 tied": lambda shifted: shifted.round(2),
    "int64": lambda shifted: (1000 * shifted).astype(np.int64),
    "lognormal": lambda shifted: np.exp(3 * shifted),
    "lognormal, sigma 4": lambda shifted: np.exp(4 * shifted),
    "probabilities near 0": lambda shifted: 1 / (1 + np.exp(12 - 2 * shifted)),
}


@dataclass(frozen=True, kw_only=True)
class Workload:
    """How many examples, of what kind, and the share of positives."""

    n: int
    kind: str = "float64"
    positives: float = 0.05

    @property
    def name(self) -> str:
        """As the tables print it."""
        size = f"{self.n:.0e}".replace("e+0", "e")
        return f"{size} {self.kind}, {self.positives:.0%} positive"

    def draw(self) -> tuple[Labels, Scores]:
        """Labels and scores, always the same."""
        rng = np.random.default_rng(0)
        labels = rng.permutation(np.arange(self.n) < round(self.positives * self.n))
        return labels, KINDS[self.kind](rng.normal(size=self.n) + labels)


def at_most(largest: int, workloads: Iterable[Workload]) -> list[Workload]:
    """Return the workloads with no more than `largest` examples each, without repetition."""
    return list(dict.fromkeys(replace(load, n=min(load.n, largest)) for load in workloads))
