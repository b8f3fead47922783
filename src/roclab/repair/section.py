"""A section of the scores and its repair: reversed, or set to one score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import RepairMethod
from roclab.checks.options import check_method
from roclab.errors import InputError
from roclab.formatting import range_text
from roclab.result import ReadOnlyArrays, Result

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RepairedSection(Result, ReadOnlyArrays):
    """The map of the scores with ``low <= score < high``; all others are unchanged.

    Attributes
    ----------
    method : {"mirror", "flatten"}
        ``"mirror"`` exchanges the lowest of `scores` with the highest, the second lowest with the
        second highest and so on, and interpolates between them. ``"flatten"`` sets all to the
        middle between the lowest and the highest.
    low, high : float
        Infinite if the section reaches the end of the ROC curve and so has no limit.
    scores : ndarray of float
        Distinct scores to which the section was fitted, ascending; if flattened the lowest and the
        highest. Scores in the section but beyond these are treated like the nearest of them.
    area : float
        Area between the chord of the section and the ROC curve below it, in units of the ROC
        square: mirroring adds twice this area to the AUC of the fitted data, flattening once.
    n_pos, n_neg : int or float
        Numbers of positive and negative examples in it; with weights, sums of weights.
    """

    method: RepairMethod
    low: float
    high: float
    scores: Floats
    area: float
    n_pos: float
    n_neg: float

    def __post_init__(self) -> None:
        check_method(self.method, RepairMethod)
        scores = np.array(self.scores, dtype=np.float64)  # a copy
        ascending = scores.ndim == 1 and len(scores) > 1 and bool((scores[1:] > scores[:-1]).all())
        if not (ascending and np.isfinite(scores).all()):
            raise InputError(
                found="{scores} of a section are too few, infinite or not ascending",
                needed="two or more finite, ascending scores are needed",
                fix="Make it with repair_section.",
            )
        if not (self.low <= scores[0] and scores[-1] < self.high):
            raise InputError(
                found="A section from {range} cannot contain the scores {scores}",
                fix="Make it with repair_section.",
                range=range_text(self.low, self.high, digits=6),
                scores=range_text(scores[0], scores[-1], digits=6),
            )
        scores.flags.writeable = False
        object.__setattr__(self, "scores", scores)

    @property
    def level(self) -> float:
        """The middle between the lowest and the highest score: the score of a flat section."""
        return float(self.scores[0] / 2 + self.scores[-1] / 2)

    def holds(self, scores: Floats) -> npt.NDArray[np.bool_]:
        """Which scores lie in the section.

        Parameters
        ----------
        scores : ndarray of float64
            Scores.
        """
        return (scores >= self.low) & ((scores < self.high) | (self.high == np.inf))

    def images(self, inside: Floats) -> Floats:
        """The repaired scores of scores in the section. O(n log(number of its scores)).

        Parameters
        ----------
        inside : ndarray of float64
            Scores that lie in the section.
        """
        if self.method == "flatten":
            return np.full(len(inside), self.level)
        return _reversed(self.scores, inside)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RepairedSection):
            return NotImplemented
        found, others = ([one.area, one.n_pos, one.n_neg] for one in (self, other))
        return (
            (self.method, self.low, self.high) == (other.method, other.low, other.high)
            and np.array_equal(self.scores, other.scores)
            and np.array_equal(found, others, equal_nan=True)
        )

    def __hash__(self) -> int:
        return hash((self.method, self.low, self.high, self.scores.tobytes()))

    def __repr__(self) -> str:
        done = "mirrored" if self.method == "mirror" else "flattened"
        return (
            f"RepairedSection({range_text(self.low, self.high)} {done}, area {self.area:.4g}, "
            f"{self.n_pos:g}+ {self.n_neg:g}-)"
        )


def _reversed(scores: Floats, inside: Floats) -> Floats:
    """Map each of `scores` to its counterpart from the other end, linearly between them.

    Never increasing, even with rounding: of two scores the higher never has the higher image, and
    no image is outside the scores.
    """
    last = len(scores) - 1
    inside = np.clip(inside, scores[0], scores[last])  # beyond them like the nearest
    place = np.clip(np.searchsorted(scores, inside, side="right") - 1, 0, last)
    after = np.minimum(place + 1, last)
    start, end = scores[last - place], scores[last - after]
    with np.errstate(over="ignore"):
        # Halves if the distance of the two ends overflows.
        scale = 1.0 if np.isfinite(scores[-1] - scores[0]) else 0.5
    lower, upper = scores[place] * scale, scores[after] * scale
    width = np.where(upper > lower, upper - lower, 1.0)
    share = np.clip((inside * scale - lower) / width, 0.0, 1.0)
    share[place == last] = 0.0
    between = (start * scale + share * (end * scale - start * scale)) / scale
    return np.where(share == 0.0, start, np.clip(between, end, start))
