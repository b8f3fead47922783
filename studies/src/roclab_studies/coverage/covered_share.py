"""How often something held the truth, as a share of the samples it was tried on."""

from __future__ import annotations

import math


class CoveredShare:
    """For answers that count, over `runs` samples, those that `covered` the truth."""

    covered: int
    runs: int

    @property
    def coverage(self) -> float:
        """Share of samples in which the truth was held."""
        return self.covered / self.runs

    @property
    def standard_error(self) -> float:
        """That of the coverage, from the number of runs."""
        return math.sqrt(self.coverage * (1 - self.coverage) / self.runs)
