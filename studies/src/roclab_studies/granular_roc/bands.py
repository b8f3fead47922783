"""The simulation of Dong and others: granular bands of two normal classes, again and again.

Positives are normal around 0.65 and negatives around 0.45, both with standard deviation 0.2. The
true ROC curve and its area are known, so a band can be asked whether it holds them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
from scipy.special import ndtr, ndtri

import roclab as rl
from roclab.curves import ROCCurve
from roclab_studies.granular_roc.readings import READINGS, Floats, Labels, stretched

MEANS, SPREAD = (0.45, 0.65), 0.2
DISTANCE = (MEANS[1] - MEANS[0]) / SPREAD
TRUE_AUC = float(ndtr(DISTANCE / math.sqrt(2)))
# As in the paper: examples of each class, and the granularity.
SIZE, GRANULARITY = 2000, 0.02
SIZES = (25, 50, 100, 500, SIZE, 10_000)
GRANULARITIES = (0.005, GRANULARITY, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
DEFINITIONS = ("published", "clean")
RUNS = 1000
SEED = 20_130_109
RATES = np.arange(1, 100) / 100  # false positive rates at which curves are compared
RANK = 2001  # first row of the paper's table 2, which has this many
ROWS = 50


@dataclass(frozen=True, kw_only=True)
class Question:
    """A reading, the number of examples of each class, and the granularity."""

    method: str
    size: int
    granularity: float
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * self.size

    def __str__(self) -> str:
        return f"{self.method}, {self.size} a class, granularity {self.granularity:g}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Means and standard deviations over runs.

    Attributes
    ----------
    auc, up, low, lambda_, above, below : float
        AUC, upper and lower AUC, their ratio, and how far they are from the AUC.
    auc_sd, up_sd, low_sd, lambda_sd, above_sd, below_sd : float
        Standard deviations of these.
    area_inside : float
        Share of runs in which the true AUC lies between the lower and the upper one.
    delong_inside : float
        The same of the interval of DeLong, 95 %.
    curve_inside : float
        Share of runs whose band holds the whole true curve, at false positive rates from 0.01 to
        0.99; nan for a reading that roclab has no curves of.
    points_inside : float
        Share of those rates, over all runs, at which the band holds the true curve.
    other_inside : float
        Share of them at which the band holds the empirical curve of another run.
    rank_2001, spread_50 : float
        Score at rank 2001 from the top, and the distance from there to 49 ranks below; nan where
        there are no so many.
    rank_2001_sd, spread_50_sd : float
        Standard deviations of these.
    """

    auc: float
    up: float
    low: float
    lambda_: float
    above: float
    below: float
    auc_sd: float
    up_sd: float
    low_sd: float
    lambda_sd: float
    above_sd: float
    below_sd: float
    area_inside: float
    delong_inside: float
    curve_inside: float
    points_inside: float
    other_inside: float
    rank_2001: float
    spread_50: float
    rank_2001_sd: float
    spread_50_sd: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    cells = [(method, SIZE, GRANULARITY) for method in READINGS]
    cells += [(method, size, GRANULARITY) for method in DEFINITIONS for size in SIZES]
    cells += [
        (method, SIZE, granularity) for method in DEFINITIONS for granularity in GRANULARITIES
    ]
    return [
        Question(method=method, size=size, granularity=granularity, runs=max(2, RUNS // fewer))
        for method, size, granularity in dict.fromkeys(cells)
    ]


def samples(size: int, runs: int) -> Iterator[tuple[Labels, Floats]]:
    """Labels and scores; the same for all readings."""
    labels = np.arange(2 * size) < size
    for run in range(runs):
        noise = np.random.default_rng([SEED, size, run]).standard_normal(2 * size)
        yield labels, np.where(labels, MEANS[1], MEANS[0]) + SPREAD * noise


def answer(question: Question) -> Answer:
    """Draw, and look what the band holds."""
    truth = ndtr(DISTANCE + ndtri(RATES))
    areas, ranks, inside, delong = [], [], [], []
    other = None
    with_curves = question.method in DEFINITIONS
    for labels, scores in samples(question.size, question.runs):
        ranking = rl.Ranking(labels, scores)
        low, up = READINGS[question.method](labels, scores, question.granularity)
        areas.append((ranking.summary.auc, up, low))
        interval = rl.auc_interval(ranking, method="delong")
        delong.append(interval.low <= TRUE_AUC <= interval.high)
        ranks.append(_ranks(question, scores))
        if with_curves:
            band = rl.granular_roc(
                ranking, granularity=question.granularity, definition=question.method
            )
            floor, ceiling = lowest(band.low), highest(band.up)
            own = highest(rl.roc_curve(ranking))
            previous = own if other is None else other
            inside.append([(floor <= one) & (one <= ceiling) for one in (truth, previous)])
            other = own
    found = np.array(areas)
    auc, up, low = found.T
    columns = {
        "auc": auc,
        "up": up,
        "low": low,
        "lambda_": low / up,
        "above": up - auc,
        "below": low - auc,
        "rank_2001": np.array(ranks)[:, 0],
        "spread_50": np.array(ranks)[:, 1],
    }
    held = np.array(inside) if with_curves else np.full((2, 2, len(RATES)), math.nan)
    return Answer(
        **asdict(question),
        **{name: _short(values.mean()) for name, values in columns.items()},
        **{
            f"{name.rstrip('_')}_sd": _short(values.std(ddof=1)) for name, values in columns.items()
        },
        area_inside=_short(np.mean((low <= TRUE_AUC) & (up >= TRUE_AUC))),
        delong_inside=_short(np.mean(delong)),
        curve_inside=_short(held[:, 0].all(axis=1).mean()) if with_curves else math.nan,
        points_inside=_short(held[:, 0].mean()),
        # The first run has no other before it.
        other_inside=_short(held[1:, 1].mean()),
    )


def highest(curve: ROCCurve) -> Floats:
    """True positive rates at the rates of comparison, the highest where there are several.

    The published curves may run back, so that a rate has many.
    """
    order = np.lexsort((curve.tpr, curve.fpr))
    return np.interp(RATES, curve.fpr[order], np.maximum.accumulate(curve.tpr[order]))


def lowest(curve: ROCCurve) -> Floats:
    """The same, the lowest where there are several."""
    order = np.lexsort((curve.tpr, curve.fpr))[::-1]
    return np.interp(-RATES, -curve.fpr[order], np.minimum.accumulate(curve.tpr[order]))


def _ranks(question: Question, scores: Floats) -> tuple[float, float]:
    if len(scores) < RANK + ROWS:
        return math.nan, math.nan
    values = stretched(scores) if "scaled" in question.method else scores
    ordered = np.sort(values)[::-1]
    return float(ordered[RANK - 1]), float(ordered[RANK - 1] - ordered[RANK + ROWS - 2])


def _short(value: float | np.floating[object]) -> float:
    return float(f"{value:.5g}")
