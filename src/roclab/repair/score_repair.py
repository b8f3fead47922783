"""A repair of scores: a piecewise map that can be applied, printed, stored and composed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.labels_and_scores import as_scores, nan_scores
from roclab.checks.options import shown
from roclab.data.ranking import Ranking
from roclab.errors import InputError, SerializationError
from roclab.formatting import range_text
from roclab.repair.explanation import RepairExplanation, explained
from roclab.repair.section import RepairedSection

_FORMAT = "roclab.ScoreRepair"
_VERSION = 1
_FEW = 8  # number of sections up to which one pass each is faster than a search

Floats = npt.NDArray[np.float64]
Step = tuple[RepairedSection, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class ScoreRepair:
    """A map of scores that repairs concavities of a ROC curve; made by `repair_section`.

    Attributes
    ----------
    steps : tuple of tuple of RepairedSection
        Steps that are applied in order; the sections of a step, from low to high scores, do not
        overlap. Without a step all scores are unchanged.
    ranking : Ranking or None
        The data to which it was fitted; None if it was read from JSON. Not compared.

    Examples
    --------
    >>> from roclab import repair_section
    >>> repair = repair_section([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])
    >>> repair
    ScoreRepair(1 section mirrored, AUC 0.556 -> 1.000)
    >>> repair.apply([0.9, 0.7, 0.6, 0.4, 0.2]).tolist()
    [0.9, 0.4, 0.5, 0.7, 0.2]
    >>> ScoreRepair.from_json(repair.to_json()) == repair
    True
    """

    steps: tuple[Step, ...] = ()
    ranking: Ranking | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(_ordered(step) for step in self.steps if step))

    @property
    def sections(self) -> Step:
        """The sections of all steps."""
        return tuple(section for step in self.steps for section in step)

    @property
    def auc(self) -> float:
        """AUC of the fitted data; nan if they are unknown or lack a class."""
        return math.nan if self.ranking is None else self.ranking.summary.auc

    @property
    def repaired_auc(self) -> float:
        """AUC of the fitted data after the repair."""
        if self.ranking is None:
            return math.nan
        return self.apply_to_ranking(self.ranking).summary.auc

    def apply(self, scores: npt.ArrayLike) -> Floats:
        """The repaired scores.

        Parameters
        ----------
        scores : array-like
            Scores of the repaired model, one per row.

        Returns
        -------
        ndarray of float64
            Scores outside all sections are unchanged. A score inside a section but beyond the
            scores to which it was fitted is treated like the nearest of these: as the highest, for
            a score above all fitted ones, if the section reaches the upper end.

        Raises
        ------
        InputError
            If a score is NaN, or an integer that float64 cannot hold.

        Notes
        -----
        O(n log k) with k fitted scores.
        """
        repaired = _doubles(scores)
        for step in self.steps:
            # An image stays in its section, so the order of the sections does not matter.
            for section, inside in _members(step, repaired):
                repaired[inside] = section.images(repaired[inside])
        return repaired

    def apply_to_ranking(self, ranking: Ranking) -> Ranking:
        """The ranking of the repaired scores; it has no rows. O(number of distinct scores).

        Parameters
        ----------
        ranking : Ranking
            Examples with the scores of the repaired model.
        """
        for step in self.steps:
            ranking = _through(step, ranking)
        return ranking

    def then(self, other: ScoreRepair) -> ScoreRepair:
        """Both repairs as one: this one first, then the other.

        Parameters
        ----------
        other : ScoreRepair
            Repair of the scores that this one returns.

        Examples
        --------
        >>> from roclab import repair_section
        >>> repair = repair_section([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])
        >>> repair.then(repair).apply([0.9, 0.7, 0.4, 0.2]).tolist()
        [0.9, 0.7, 0.4, 0.2]
        """
        if not isinstance(other, ScoreRepair):
            raise InputError(
                found="{other} is a {kind}",
                needed="another ScoreRepair is needed",
                kind=type(other).__name__,
            )
        return ScoreRepair(steps=self.steps + other.steps, ranking=self.ranking)

    def explain(self, ranking: Ranking | None = None) -> RepairExplanation:
        """The effect of the repair on each section, and on each example inside a section.

        Parameters
        ----------
        ranking : Ranking, optional
            The examples; by default the fitted data.

        Examples
        --------
        >>> from roclab import repair_section
        >>> table = repair_section([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2]).explain()
        >>> table
        RepairExplanation(4 of 6 examples in 1 section, AUC 0.556 -> 1.000)
        >>> table.rows.tolist(), table.score.tolist(), table.repaired.tolist()
        ([1, 2, 3, 4], [0.7, 0.7, 0.4, 0.4], [0.4, 0.4, 0.7, 0.7])
        """
        return explained(self, self.known_ranking(ranking, "explain"))

    def known_ranking(self, ranking: Ranking | None, purpose: str) -> Ranking:
        """The given ranking, or the fitted one.

        Parameters
        ----------
        ranking : Ranking or None
            Examples with the scores of the repaired model.
        purpose : str
            Name of the method that needs it, for the error message.
        """
        chosen = self.ranking if ranking is None else ranking
        if not isinstance(chosen, Ranking):
            raise InputError(
                found="This repair has no data, as after from_json",
                needed="{purpose} needs examples",
                fix="Pass {ranking=}Ranking(y_true, y_score) with the scores before the repair.",
                purpose=purpose,
            )
        return chosen

    def to_dict(self) -> dict[str, Any]:
        """The map as plain Python values, with the AUC before and after if known."""
        return {
            "steps": [[section.to_dict() for section in step] for step in self.steps],
            "auc": self.auc,
            "repaired_auc": self.repaired_auc,
        }

    def to_json(self) -> str:
        """The map as JSON, with all digits; infinite limits are null."""
        steps = [
            [
                {name: _finite(value) for name, value in section.to_dict().items()}
                for section in step
            ]
            for step in self.steps
        ]
        data = {"format": _FORMAT, "version": _VERSION, "steps": steps}
        return json.dumps(data, indent=1, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> ScoreRepair:
        """Restore the map from the result of `to_json`, without the data to which it was fitted.

        Parameters
        ----------
        text : str or bytes
            The result of `to_json`.

        Raises
        ------
        SerializationError
            The text is not JSON, or not a valid repair of a known version.
        """
        try:
            data = json.loads(text)
        except (ValueError, TypeError) as error:
            raise SerializationError(
                found="This is not JSON ({reason})",
                needed="the result of ScoreRepair.to_json() is needed",
                reason=error,
            ) from None
        if not isinstance(data, dict) or data.get("format") != _FORMAT:
            raise SerializationError(
                found="This JSON is not a ScoreRepair",
                needed="the result of ScoreRepair.to_json() is needed",
            )
        version = data.get("version")
        if type(version) is not int:  # True and 1.0 are equal to 1
            raise SerializationError(
                found="This ScoreRepair says {version} where the version of its format should be",
                needed=f"a whole number; this roclab reads version {_VERSION}",
                fix="Use another copy of it.",
                version=shown(version),
            )
        if version != _VERSION:
            raise SerializationError(
                found="This ScoreRepair has version {version} of the format",
                needed=f"this roclab reads version {_VERSION}",
                fix="Install a release that reads it.",
                version=shown(version),
            )
        try:
            return cls(steps=tuple(tuple(map(_section, step)) for step in data["steps"]))
        except (KeyError, TypeError, ValueError) as error:
            raise SerializationError(
                found="This ScoreRepair is damaged: {reason}",
                fix="Use another copy of it.",
                reason=str(error).rstrip("."),
            ) from None

    def __len__(self) -> int:
        return len(self.sections)

    def __repr__(self) -> str:
        parts = []
        for method, done in (("mirror", "mirrored"), ("flatten", "flattened")):
            count = sum(section.method == method for section in self.sections)
            parts += [f"{count:,} section{'s' * (count != 1)} {done}"] if count else []
        what = ", ".join(parts) or "nothing to do"
        known = "" if self.ranking is None else f", AUC {self.auc:.3f} -> {self.repaired_auc:.3f}"
        return f"ScoreRepair({what}{known})"


def _doubles(scores: Any) -> Floats:
    """Scores as new float64 values; raise if that changes them."""
    given = as_scores(scores, "scores")
    doubles = given.astype(np.float64)
    if given.dtype.kind == "f":
        with np.errstate(all="ignore"):
            suspicious = np.isnan(doubles.sum())  # NaN, or infinities of both signs
        if suspicious and np.isnan(doubles).any():
            raise nan_scores(given, "scores")
    refuse_wide(given)
    return doubles


def refuse_wide(scores: npt.NDArray[Any]) -> None:
    """Raise for integers that float64 cannot represent."""
    if scores.dtype.kind not in "iu" or not len(scores):
        return
    if max(-int(scores.min()), int(scores.max())) > 2**53:
        raise InputError(
            found="The scores are integers beyond 2**53, which float64 cannot represent exactly",
            needed="repaired scores are float64",
            fix="Subtract a constant, or pass ranks.",
        )


def _ordered(step: Sequence[RepairedSection]) -> Step:
    """The sections of a step from low to high; raise if they overlap."""
    found = sorted(step, key=lambda one: one.low)
    for one, two in pairwise(found):
        if one.high > two.low:
            raise InputError(
                found="Two sections overlap: {first} and {second}",
                needed="sections of one repair must not overlap",
                fix="Join them, or apply one after the other with then().",
                first=range_text(one.low, one.high, digits=6),
                second=range_text(two.low, two.high, digits=6),
            )
    return tuple(found)


def _bounds(step: Step) -> Floats:
    """Start and end of the sections; no limit is nan, which NumPy sorts after infinity."""
    ends = np.array([(one.low, one.high) for one in step]).ravel()
    return np.where(ends == np.inf, np.nan, ends)


def _members(step: Step, scores: Floats) -> Iterator[tuple[RepairedSection, npt.NDArray[np.intp]]]:
    """Each section that contains scores, and their indices."""
    if len(step) <= _FEW:
        for section in step:
            yield section, np.flatnonzero(section.holds(scores))
        return
    place = np.searchsorted(_bounds(step), scores, side="right")
    counts = np.bincount(place, minlength=2 * len(step) + 1)
    for number in np.flatnonzero(counts[1::2]).tolist():
        yield step[number], np.flatnonzero(place == 2 * number + 1)


def _through(step: Step, ranking: Ranking) -> Ranking:
    """The ranking after a step. Inside a section the order is reversed, or all is tied."""
    refuse_wide(ranking.scores)
    scores = ranking.scores.astype(np.float64)
    given = (ranking.pos, ranking.neg, ranking.pos_squared, ranking.neg_squared)
    masses = [mass.copy() for mass in given if mass is not None]
    ends = np.searchsorted(scores, _bounds(step)).tolist()
    for section, first, last in zip(step, ends[::2], ends[1::2], strict=True):
        inside = slice(first, last)
        scores[inside] = section.images(scores[inside])[::-1]
        for mass in masses:
            mass[inside] = mass[inside][::-1].copy()
    if len(scores):
        starts = np.flatnonzero(np.concatenate(([True], scores[1:] != scores[:-1])))
        scores = scores[starts]
        masses = [np.add.reduceat(mass, starts) for mass in masses]
    return Ranking._of_masses(scores, masses, ranking.n_pos, ranking.n_neg)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _section(data: dict[str, Any]) -> RepairedSection:
    fields = {
        "low": -math.inf,
        "high": math.inf,
        "area": math.nan,
        "n_pos": math.nan,
        "n_neg": math.nan,
    }
    given = {name: data[name] for name in ("method", "scores", *fields)}
    for name, infinite in fields.items():
        if given[name] is None:
            given[name] = infinite
        elif isinstance(given[name], bool) or not isinstance(given[name], int | float):
            raise TypeError(f"{name} is {given[name]!r}, not a number.")
        elif isinstance(given[name], int) and abs(given[name]) >= 2**63:
            raise ValueError(f"{name} is too large")
    return RepairedSection(**given)
