"""Variances of AUCs as a pilot study shows them, for planning without assumptions on the scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.inference.estimation.influence import placements
from roclab.inference.planning.variance import Sizes
from roclab.ranking import Ranking
from roclab.table import ScoreTable

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Pilot:
    """Components of DeLong's covariance in a pilot study.

    Attributes
    ----------
    aucs : ndarray of shape (k,)
        AUCs of the models, one or two.
    of_pos, of_neg : ndarray of shape (k, k)
        Covariances of the placements of positives, and of negatives.
    """

    aucs: Floats
    of_pos: Floats
    of_neg: Floats

    @classmethod
    def of(cls, pilot: Any, *, compared: bool, paired: bool) -> Pilot:
        """From a ranking, or from a table of two models that score the same rows."""
        models = 2 if compared and paired else 1
        if isinstance(pilot, ScoreTable):
            rankings = [pilot[name] for name in pilot]
        else:
            rankings = [pilot] if isinstance(pilot, Ranking) else []
        if len(rankings) != models:
            kind = "a ScoreTable of two models" if models == 2 else "a Ranking"
            raise InputError(
                found="{pilot} is {value} with {count} models",
                needed=f"this study needs {kind}",
                fix="Pass for example {pilot=}ScoreTable(y_true, {{'a': a, 'b': b}})."
                if models == 2
                else "Pass for example {pilot=}Ranking(y_true, y_score).",
                value=type(pilot).__name__,
                count=len(rankings),
            )
        first = rankings[0]
        if first.weighted:
            raise InputError(found="{pilot} has weights", fix="Leave them out.")
        if min(first.n_pos, first.n_neg) < 2:
            raise InputError(
                found="{pilot} has {n_pos} positive and {n_neg} negative examples",
                needed="a variance needs two of each",
                n_pos=first.n_pos,
                n_neg=first.n_neg,
            )
        pos, neg = [], []
        for ranking in rankings:
            rows = ranking.rows()
            below, above = placements(ranking, "auc")
            labels = rows.labels.view(np.bool_)
            pos.append(below[rows.groups[labels]])
            neg.append(above[rows.groups[~labels]])
        aucs = np.array([one.mean() for one in pos])
        if not ((aucs > 0) & (aucs < 1)).all():
            raise InputError(
                found="The AUC of {pilot} is 0 or 1",
                needed="its variance is then unknown",
                fix="Leave out {pilot}, or collect more examples.",
            )
        return cls(aucs=aucs, of_pos=np.atleast_2d(np.cov(pos)), of_neg=np.atleast_2d(np.cov(neg)))

    def covariance(self, models: tuple[int, int], ends: tuple[float, float], sizes: Sizes) -> float:
        """Covariance of two AUCs in a study of these sizes; the variance if both are the same.

        Components are scaled with the largest variance that an AUC can have, AUC (1 - AUC).
        """
        n_pos, n_neg = sizes
        i, j = (min(model, len(self.aucs) - 1) for model in models)
        scales = [
            math.sqrt(end * (1 - end) / (self.aucs[model] * (1 - self.aucs[model])))
            for end, model in zip(ends, (i, j), strict=True)
        ]
        between = float(self.of_pos[i, j] / n_pos + self.of_neg[i, j] / n_neg)
        return math.prod(scales) * between
