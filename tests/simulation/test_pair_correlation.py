"""Coverage of the default interval of the AUC by its expected correlation of pairs.

``PYTHONPATH=. python tests/simulation/test_pair_correlation.py`` prints the table of the page on
intervals. Forms were compared on the populations of the panel and on `OTHER`; `NEW` was drawn once,
after the choice.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtri

from roclab import _core
from studies.coverage.panel_populations import FAMILIES, PanelPopulation

# Noise of positives and of negatives; the positives are shifted.
OTHER: dict[str, tuple[Callable, Callable]] = {
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
NEW: dict[str, tuple[Callable, Callable]] = {
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
# The correlation of two pairs by the imbalance r, and the weight of the expected dispersion.
FORMS = {
    "0.2 (1 + r^2)": (lambda r: 0.2 * (1 + r * r), 30),
    "0.25 (1 + r^2)": (lambda r: 0.25 * (1 + r * r), 30),
    "0.25 + 0.15 |r|": (lambda r: 0.25 + 0.15 * r, 30),
    "0.25 + 0.2 |r|": (lambda r: 0.25 + 0.2 * r, 30),
    "0.3 + 0.1 |r|, 15": (lambda r: 0.3 + 0.1 * r, 15),
}


def estimates(pos, neg):
    """AUCs and DeLong's variances, one sample a row."""
    found, step = [], max(1, 2_000_000 // (pos.shape[1] * neg.shape[1]))
    for first in range(0, len(pos), step):
        one, other = pos[first : first + step, :, None], neg[first : first + step, None, :]
        wins = (one > other) + 0.5 * (one == other)
        of_pos, of_neg = wins.mean(2), wins.mean(1)
        variance = sum(of.var(1, ddof=1) / of.shape[1] for of in (of_pos, of_neg))
        found.append((of_pos.mean(1), variance))
    return tuple(map(np.concatenate, zip(*found, strict=True)))


def ends(value, variance, n_pos, n_neg, level, form):
    """Ends of the interval, as in the core."""
    total, imbalance = n_pos + n_neg, abs(n_pos - n_neg) / (n_pos + n_neg)
    correlation, weight = form[0](imbalance), form[1]
    expected = (1 + (total - 2) * correlation) / (n_pos * n_neg)
    freedom = total**2 * (n_pos - 1) * (n_neg - 1)
    freedom /= n_pos**2 * (n_pos - 1) + n_neg**2 * (n_neg - 1)
    informative = 4 * freedom * value * (1 - value)
    data = 4 * freedom * informative * variance
    w = (weight * expected + data) / (weight + informative**2) * (1 + 2 / (1 + freedom))
    w = w * ndtri((1 + level) / 2) ** 2
    reach = w / 2 + np.sqrt(w * (value * (1 - value) + w / 4))
    return value**2 / (value + reach), 1 - (1 - value) ** 2 / (1 - value + reach)


def cells(kinds, seed: int, runs: int) -> Iterator[tuple]:
    """AUC, numbers of examples and estimates of each cell of shifted noise."""
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
                yield auc, n_pos, n_neg, *estimates(pos, of_neg(rng, (runs, n_neg)))


def panel_cells(runs: int) -> Iterator[tuple]:
    """The same of the populations of the panel."""
    for number, family in enumerate(FAMILIES):
        for auc in AUCS:
            if family == "third" and auc > 0.8:
                continue
            population = PanelPopulation(family=family, auc=auc)
            for n_pos, n_neg in PANEL_SIZES:
                rng = np.random.default_rng([77, number, n_pos, n_neg, round(1000 * auc)])
                yield auc, n_pos, n_neg, *estimates(*population.draw(rng, n_pos, n_neg, runs))


def coverages(drawn, level, form):
    """Coverage and mean width of each cell."""
    found = []
    for auc, n_pos, n_neg, value, variance in drawn:
        low, high = ends(value, variance, n_pos, n_neg, level, form)
        covered = np.mean((low <= auc) & (auc <= high))
        found.append((covered if n_pos >= 10 else np.nan, np.mean(high - low)))
    return np.array(found).T


def test_the_default_form_is_that_of_the_library():
    rng = np.random.default_rng(0)
    for n_pos, n_neg in ((10, 30), (20, 20), (40, 5)):
        value, variance = estimates(rng.normal(1, 2, (5, n_pos)), rng.normal(0, 1, (5, n_neg)))
        low, high = ends(value, variance, n_pos, n_neg, 0.95, FORMS["0.25 + 0.2 |r|"])
        for one in range(5):
            expected = (value[one], variance[one], n_pos, n_neg, ndtri(0.975))
            assert (low[one], high[one]) == pytest.approx(_core.wilson_interval(*expected))


def test_wide_positives_that_no_form_had_seen():
    drawn = list(cells(NEW, seed=10, runs=3000))
    before, now = (coverages(drawn, 0.95, FORMS[form])[0] for form in list(FORMS)[0::3])
    assert (round(before.min(), 3), np.sum(before < 0.9)) == (0.847, 38)
    assert (round(now.min(), 3), np.sum(now < 0.9)) == (0.893, 2)


if __name__ == "__main__":
    sets = [list(panel_cells(2000)), list(cells(OTHER, 9, 3000)), list(cells(NEW, 10, 3000))]
    for level in (0.95, 0.9, 0.8):
        before = [coverages(drawn, level, FORMS["0.2 (1 + r^2)"])[1] for drawn in sets]
        for name, form in FORMS.items():
            print(f"{level:g} {name:20}", end="")
            for drawn, width in zip(sets, before, strict=True):
                covered, wide = coverages(drawn, level, form)
                short = np.sum(covered < level - 0.05)
                ratio = np.mean(wide / width)
                print(f"  {np.nanmin(covered):.3f} {short:3} x{ratio:.3f}", end="")
            print()
