"""Variances of AUCs as a pilot study shows them, for planning without assumptions on the scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import shown
from roclab.data.ranking import Ranking
from roclab.data.table import ScoreTable
from roclab.errors import InputError
from roclab.inference.estimation.influence import jackknife, placements
from roclab.inference.planning.variance import Sizes
from roclab.measures import find_measure
from roclab.measures.specification import word_of

Floats = npt.NDArray[np.float64]
PilotData = Ranking | ScoreTable | tuple[Ranking, Ranking]

# Distinct examples that are left out once each, for a partial AUC.
_MOST_LEFT_OUT = 20_000


@dataclass(frozen=True, kw_only=True)
class PlannedMeasure:
    """The AUC or a partial AUC.

    Attributes
    ----------
    word : str
        Its specification.
    value_of : callable
        Its value for a ranking.
    highest : float
        Its largest value.
    chance : float
        Its value if all scores tie.
    """

    word: str
    value_of: Callable[[Ranking], float]
    highest: float
    chance: float

    @classmethod
    def of(cls, measure: Any) -> PlannedMeasure:
        """From its specification, such as ``"partial_auc(fpr_range=(0, 0.1))"``."""
        entry, options = find_measure(measure)
        if entry.name not in ("auc", "partial_auc"):
            raise InputError(
                found="{measure=}{value} cannot be planned",
                fix="Choose 'auc', or a partial AUC such as 'partial_auc(fpr_range=(0, 0.1))'.",
                value=shown(measure),
            )

        def value_of(ranking: Ranking) -> float:
            return float(entry.value_of(ranking, **options))

        return cls(
            word=word_of(entry, options),
            value_of=value_of,
            highest=entry.range_with(options)[1],
            chance=value_of(Ranking.from_groups([0], pos=[1], neg=[1])),
        )

    @property
    def partial(self) -> bool:
        """Whether it is a partial AUC."""
        return self.word != "auc"


@dataclass(frozen=True, kw_only=True, eq=False)
class Pilot:
    """Components of DeLong's covariance in a pilot study.

    Attributes
    ----------
    values : ndarray of shape (k,)
        AUCs, or partial AUCs, of the models, one or two.
    highest : float
        Their largest possible value.
    ratio : float
        Number of negatives per positive, of the first model.
    of_pos, of_neg : ndarray of shape (k, k)
        Covariances of the placements of positives, and of negatives; for a partial AUC, of their
        jackknife influences.
    """

    values: Floats
    highest: float
    ratio: float
    of_pos: Floats
    of_neg: Floats

    @classmethod
    def of(cls, pilot: Any, measure: PlannedMeasure, *, compared: bool, paired: bool) -> Pilot:
        """From a ranking, a table of two models that score the same rows, or two rankings."""
        rankings = models_of(pilot)
        allowed = (2,) if compared and paired else (1, 2) if compared else (1,)
        if len(rankings) not in allowed or (paired and isinstance(pilot, tuple)):
            raise _unsuitable(pilot, len(rankings), paired)
        components = [_components(ranking, measure) for ranking in rankings]
        values = np.array([measure.value_of(ranking) for ranking in rankings])
        if not ((values > 0) & (values < measure.highest)).all():
            raise InputError(
                found="The AUC of {pilot} is 0 or 1",
                needed="its variance is then unknown",
                fix="Leave out {pilot}, or collect more examples.",
            )
        if paired or len(rankings) == 1:
            of_pos, of_neg = (np.atleast_2d(np.cov(one)) for one in zip(*components, strict=True))
        else:
            of_pos, of_neg = (
                np.diag([float(np.var(one, ddof=1)) for one in of_class])
                for of_class in zip(*components, strict=True)
            )
        return cls(
            values=values,
            highest=measure.highest,
            ratio=rankings[0].n_neg / rankings[0].n_pos,
            of_pos=of_pos,
            of_neg=of_neg,
        )

    def covariance(self, models: tuple[int, int], ends: tuple[float, float], sizes: Sizes) -> float:
        """Covariance of two AUCs in a study of these sizes; the variance if both are the same.

        Components are scaled with the largest variance that an AUC can have, AUC (1 - AUC).
        """
        n_pos, n_neg = sizes
        i, j = (min(model, len(self.values) - 1) for model in models)
        scales = [
            math.sqrt(self._largest_variance(end) / self._largest_variance(self.values[model]))
            for end, model in zip(ends, (i, j), strict=True)
        ]
        between = float(self.of_pos[i, j] / n_pos + self.of_neg[i, j] / n_neg)
        return math.prod(scales) * between

    def _largest_variance(self, value: float) -> float:
        return value * (self.highest - value)


def _unsuitable(pilot: Any, count: int, paired: bool) -> InputError:
    kind = "a ScoreTable of two models" if paired else "a Ranking"
    fix = "Pass for example {pilot=}Ranking(y_true, y_score)."
    if paired:
        fix = (
            "Pass for example {pilot=}ScoreTable(y_true, {{'a': a, 'b': b}}), or {paired=False} if "
            "the models score different rows."
        )
    return InputError(
        found="{pilot} is {value} with {count} models",
        needed=f"this study needs {kind}",
        fix="Choose one or two of them with {y_score}." if count > 2 else fix,
        value=type(pilot).__name__,
        count=count,
    )


def models_of(pilot: Any) -> list[Ranking]:
    """The models of a pilot study; empty if it is none."""
    if isinstance(pilot, ScoreTable):
        return [pilot[name] for name in pilot]
    if isinstance(pilot, tuple) and all(isinstance(one, Ranking) for one in pilot):
        return list(pilot)
    return [pilot] if isinstance(pilot, Ranking) else []


def _components(ranking: Ranking, measure: PlannedMeasure) -> tuple[Floats, Floats]:
    """Placements, or influences, of the positives and of the negatives, in the order of rows."""
    if ranking.weighted:
        raise InputError(found="{pilot} has weights", fix="Leave them out.")
    if min(ranking.n_pos, ranking.n_neg) < 2:
        raise InputError(
            found="{pilot} has {n_pos} positive and {n_neg} negative examples",
            needed="a variance needs two of each",
            n_pos=ranking.n_pos,
            n_neg=ranking.n_neg,
        )
    rows = ranking.rows()
    labels = rows.labels.view(np.bool_)
    if not measure.partial:
        below, above = placements(ranking, "auc")
        return below[rows.groups[labels]], above[rows.groups[~labels]]
    distinct = int(np.count_nonzero(ranking.pos) + np.count_nonzero(ranking.neg))
    if distinct > _MOST_LEFT_OUT:
        raise InputError(
            found="{measure} leaves out each of {count} distinct examples of {pilot} once",
            needed=f"at most {_MOST_LEFT_OUT:,} are allowed",
            fix="Pass a random part of it.",
            count=f"{distinct:,}",
        )
    moved = jackknife(measure.value_of, ranking)
    found = []
    for counts, influence, of_class in (
        (ranking.pos, moved[: ranking.n_pos] * ranking.n_pos, labels),
        (ranking.neg, moved[ranking.n_pos :] * ranking.n_neg, ~labels),
    ):
        # Influences are in the order of scores: a row has that of the first with its score.
        first = np.cumsum(counts) - counts
        found.append(influence[first[rows.groups[of_class]]])
    return found[0], found[1]
