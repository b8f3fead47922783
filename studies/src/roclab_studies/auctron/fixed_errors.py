"""What an error count says about the AUC: Figures 2 to 4 of Castro and Braga.

The paper does not say how many examples its figures are of, nor in which ratios; what it says of
them is asked of three sizes.
"""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass

import roclab as rl

RATIOS = (0.05, 0.1, 0.25, 0.5)
SIZE = 200  # of which all error counts are asked
LARGER = (2000, 20_000)
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)  # of the smaller class, of the larger ones


@dataclass(frozen=True, kw_only=True)
class Question:
    """Numbers of positives, of all examples, and of errors."""

    size: int
    positives: int
    errors: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return "error counts"

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.size

    @property
    def ratio(self) -> float:
        """Share of positives."""
        return self.positives / self.size

    @property
    def accuracy(self) -> float:
        """Share of examples on the right side."""
        return 1 - self.errors / self.size

    def __str__(self) -> str:
        return f"{self.errors} errors of {self.size}, {self.positives} positive"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Mean and standard deviation of the AUC over all rankings with so many errors."""

    mean: float
    deviation: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; `fewer` takes every so manieth error count."""
    asked = [
        Question(size=SIZE, positives=round(SIZE * ratio), errors=errors)
        for ratio, errors in itertools.product(RATIOS, range(0, SIZE + 1, fewer))
    ]
    for size, ratio, share in itertools.product(LARGER, RATIOS, SHARES):
        positives = round(size * ratio)
        asked.append(Question(size=size, positives=positives, errors=round(share * positives)))
    return asked


def answer(question: Question) -> Answer:
    """By the formula of Cortes and Mohri, corrected."""
    found = rl.auc_given_errors(
        question.positives, question.size - question.positives, question.errors
    )
    return Answer(
        **asdict(question),
        mean=float(f"{found.mean:.10g}"),
        deviation=float(f"{found.variance**0.5:.10g}"),
    )


def mean_given_false_positives(
    positives: int, negatives: int, errors: int, false_positives: int
) -> float:
    """Equation 3: the mean AUC when so many of the errors are false positives."""
    missed = errors - false_positives
    return 1 - (false_positives / negatives + missed / positives) / 2
