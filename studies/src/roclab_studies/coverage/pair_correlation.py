"""Coverage of the default interval of the AUC by its expected correlation of pairs.

Forms were compared on the populations of the panel and on `OTHER`; `NEW` was drawn once, after the
choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import ndtri

from roclab_studies.coverage.panel_populations import FAMILIES, PanelPopulation

Floats = npt.NDArray[np.float64]
Noise = Callable[[np.random.Generator, Any], Floats]

# Noise of positives and of negatives; the positives are shifted.
OTHER: dict[str, tuple[Noise, Noise]] = {
    "logistic x6": (lambda r, n: 6 * r.logistic(size=n), lambda r, n: r.logistic(size=n)),
    "uniform x8": (lambda r, n: 8 * (r.random(n) - 0.5), lambda r, n: r.random(n) - 0.5),
    "Laplace x4": (lambda r, n: 4 * r.laplace(size=n), lambda r, n: r.laplace(size=n)),
    "Cauchy": (lambda r, n: r.standard_cauchy(n), lambda r, n: r.standard_normal(n)),
    "normal x8": (lambda r, n: 8 * r.standard_normal(n), lambda r, n: r.standard_normal(n)),
    "normal x3": (lambda r, n: 3 * r.standard_normal(n), lambda r, n: r.standard_normal(n)),
    "negatives x5": (lambda r, n: r.standard_normal(n), lambda r, n: 5 * r.standard_normal(n)),
    "bimodal": (
        lambda r, n: r.standard_normal(n) + 6 * np.where(r.random(n) < 0.3, -1, 0.4),
        lambda r, n: r.standard_normal(n),
    ),
    "Gumbel x3": (lambda r, n: -3 * r.gumbel(size=n), lambda r, n: r.gumbel(size=n)),
    "beta": (lambda r, n: r.beta(0.5, 0.5, n) * 6, lambda r, n: r.beta(2, 2, n)),
}
NEW: dict[str, tuple[Noise, Noise]] = {
    "t2 x2": (lambda r, n: 2 * r.standard_t(2, n), lambda r, n: r.standard_normal(n)),
    "triangular x6": (
        lambda r, n: 6 * r.triangular(-1, 0, 1, n),
        lambda r, n: r.triangular(-1, 0, 1, n),
    ),
    "reflected exponential x4": (
        lambda r, n: -4 * r.standard_exponential(n),
        lambda r, n: r.standard_exponential(n),
    ),
    "a seventh far below": (
        lambda r, n: r.standard_normal(n) - 8 * (r.random(n) < 0.15),
        lambda r, n: r.standard_normal(n),
    ),
    "lognormal negatives": (
        lambda r, n: 3 * r.standard_normal(n),
        lambda r, n: np.exp(r.standard_normal(n)),
    ),
    "Weibull": (lambda r, n: r.weibull(0.5, n), lambda r, n: r.standard_normal(n)),
    "chi-square": (lambda r, n: 2 * r.chisquare(2, n), lambda r, n: r.chisquare(4, n)),
    "normal x4": (lambda r, n: 4 * r.standard_normal(n), lambda r, n: r.standard_normal(n)),
}
SIZES = ((10, 10), (10, 20), (10, 30), (10, 50), (10, 100), (15, 45), (15, 150), (20, 20))
SIZES = (*SIZES, (20, 60), (20, 200), (30, 30), (30, 90), (50, 50), (50, 150))
PANEL_SIZES = ((5, 50), (10, 10), (10, 30), (10, 100), (10, 500), (20, 20), (20, 200), (50, 50))
PANEL_SIZES = (*PANEL_SIZES, (30, 30), (100, 10), (30, 10))
AUCS = (0.65, 0.8, 0.9, 0.95)
LEVELS = (0.95, 0.9, 0.8)
RUNS = {"panel": 2000, "other": 3000, "new": 3000}
# The correlation of two pairs by the imbalance r, and the weight of the expected dispersion.
FORMS: dict[str, tuple[Callable[[float], float], int]] = {
    "0.2 (1 + r^2)": (lambda r: 0.2 * (1 + r * r), 30),
    "0.25 (1 + r^2)": (lambda r: 0.25 * (1 + r * r), 30),
    "0.25 + 0.15 |r|": (lambda r: 0.25 + 0.15 * r, 30),
    "0.25 + 0.2 |r|": (lambda r: 0.25 + 0.2 * r, 30),
    "0.3 + 0.1 |r|, 15": (lambda r: 0.3 + 0.1 * r, 15),
}
BEFORE, DEFAULT = "0.2 (1 + r^2)", "0.25 + 0.2 |r|"


@dataclass(frozen=True, kw_only=True)
class Question:
    """A form, a set of populations, and a confidence level."""

    form: str
    populations: str
    level: float
    runs: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.form

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs

    def __str__(self) -> str:
        return f"{self.form}, {self.populations}, {self.level:g}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was found over all cells with at least ten positives.

    Attributes
    ----------
    cells : int
        Number of cells: population, AUC and numbers of examples.
    lowest : float
        Coverage in the cell where it is lowest.
    short : int
        Number of cells whose coverage is more than 0.05 below the level.
    width : float
        Mean width of the interval over that of the form before.
    """

    cells: int
    lowest: float
    short: int
    width: float


class Cell(NamedTuple):
    """Estimates of samples of a population."""

    auc: float
    n_pos: int
    n_neg: int
    value: Floats
    variance: Floats


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of samples divided by `fewer`."""
    return [
        Question(form=form, populations=name, level=level, runs=runs // fewer)
        for (name, runs), level, form in product(RUNS.items(), LEVELS, FORMS)
    ]


def answer(question: Question) -> Answer:
    """Coverage of the intervals in all cells."""
    drawn = samples(question.populations, question.runs)
    covered, widths = coverages(drawn, question.level, question.form)
    _, before = coverages(drawn, question.level, BEFORE)
    return Answer(
        **asdict(question),
        cells=int(np.isfinite(covered).sum()),
        lowest=round(float(np.nanmin(covered)), 6),
        short=int(np.sum(covered < question.level - 0.05)),
        width=round(float(np.mean(widths / before)), 6),
    )


@lru_cache(maxsize=1)
def samples(populations: str, runs: int) -> list[Cell]:
    """All cells of a set of populations."""
    if populations == "panel":
        return list(panel_cells(runs))
    return list(shifted_cells(*{"other": (OTHER, 9), "new": (NEW, 10)}[populations], runs))


def shifted_cells(kinds: Mapping[str, tuple[Noise, Noise]], seed: int, runs: int) -> Iterator[Cell]:
    """Cells of noise, with the positives shifted."""
    for number, (of_pos, of_neg) in enumerate(kinds.values()):
        rng = np.random.default_rng(number)
        many_pos, many_neg = np.sort(of_pos(rng, 400_000)), np.sort(of_neg(rng, 400_000))
        for auc in AUCS:
            shift = brentq(
                lambda x, a=auc, p=many_pos, n=many_neg: (
                    np.searchsorted(n, p + x).mean() / len(n) - a
                ),
                *(-200, 200),
                xtol=1e-4,
            )
            for n_pos, n_neg in SIZES:
                rng = np.random.default_rng([seed, number, n_pos, n_neg, round(1000 * auc)])
                pos = of_pos(rng, (runs, n_pos)) + shift
                yield Cell(auc, n_pos, n_neg, *estimates(pos, of_neg(rng, (runs, n_neg))))


def panel_cells(runs: int) -> Iterator[Cell]:
    """Cells of the populations of the panel."""
    for number, family in enumerate(FAMILIES):
        for auc in AUCS:
            if family == "third" and auc > 0.8:
                continue
            population = PanelPopulation(family=family, auc=auc)
            for n_pos, n_neg in PANEL_SIZES:
                rng = np.random.default_rng([77, number, n_pos, n_neg, round(1000 * auc)])
                yield Cell(auc, n_pos, n_neg, *estimates(*population.draw(rng, n_pos, n_neg, runs)))


def estimates(pos: Floats, neg: Floats) -> tuple[Floats, Floats]:
    """AUCs and DeLong's variances, one sample a row."""
    values, variances = [], []
    step = max(1, 2_000_000 // (pos.shape[1] * neg.shape[1]))
    for first in range(0, len(pos), step):
        one, other = pos[first : first + step, :, None], neg[first : first + step, None, :]
        wins = (one > other) + 0.5 * (one == other)
        of_pos, of_neg = wins.mean(2), wins.mean(1)
        values.append(of_pos.mean(1))
        variances.append(sum(of.var(1, ddof=1) / of.shape[1] for of in (of_pos, of_neg)))
    return np.concatenate(values), np.concatenate(variances)


def ends(cell: Cell, level: float, form: str) -> tuple[Floats, Floats]:
    """Ends of the interval, as in the core."""
    value, n_pos, n_neg = cell.value, cell.n_pos, cell.n_neg
    correlation_at, weight = FORMS[form]
    total = n_pos + n_neg
    correlation = correlation_at(abs(n_pos - n_neg) / total)
    expected = (1 + (total - 2) * correlation) / (n_pos * n_neg)
    freedom = total**2 * (n_pos - 1) * (n_neg - 1)
    freedom /= n_pos**2 * (n_pos - 1) + n_neg**2 * (n_neg - 1)
    informative = 4 * freedom * value * (1 - value)
    data = 4 * freedom * informative * cell.variance
    w = (weight * expected + data) / (weight + informative**2) * (1 + 2 / (1 + freedom))
    w = w * ndtri((1 + level) / 2) ** 2
    reach = w / 2 + np.sqrt(w * (value * (1 - value) + w / 4))
    return value**2 / (value + reach), 1 - (1 - value) ** 2 / (1 - value + reach)


def coverages(cells: list[Cell], level: float, form: str) -> tuple[Floats, Floats]:
    """Coverage, nan with fewer than ten positives, and mean width of each cell."""
    covered, widths = [], []
    for cell in cells:
        low, high = ends(cell, level, form)
        covered.append(
            np.mean((low <= cell.auc) & (cell.auc <= high)) if cell.n_pos >= 10 else np.nan
        )
        widths.append(np.mean(high - low))
    return np.array(covered), np.array(widths)
