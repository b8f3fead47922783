"""Do pointwise bands cover the true positive rate at each false positive rate?

Normal scores of equal variance. `python tests/simulation/test_pointwise_bands.py` prints the table
of the documentation.
"""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import roclab as rl

GRID = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9])


def coverage(n_pos, n_neg, auc, method, runs):
    """Share of intervals that hold the true rate, and the mean width, at each FPR."""
    rng = np.random.default_rng([n_pos, n_neg, int(10 * auc)])
    truth, shift = np.arange(n_pos + n_neg) < n_pos, np.sqrt(2) * ndtri(auc)
    rates = ndtr(shift + ndtri(GRID))
    held, width = np.zeros((2, len(GRID)))
    for run in range(runs):
        scores = rng.normal(size=len(truth)) + shift * truth
        options = {"method": method, "n_resamples": 300, "rng": run}
        band = rl.roc_band(truth, scores, kind="pointwise", fpr=GRID, **options)
        held += (band.low <= rates) & (rates <= band.high)
        width += band.high - band.low
    return held / runs, width / runs


@pytest.mark.parametrize(("n_pos", "n_neg"), [(10, 10), (10, 100), (100, 10)])
def test_the_default_holds_at_every_rate(n_pos, n_neg):
    held, _ = coverage(n_pos, n_neg, 0.9, "auto", runs=200)
    assert held.min() > 0.92


if __name__ == "__main__":
    for n_pos, n_neg in ((10, 10), (10, 100), (100, 10), (30, 30), (100, 100)):
        for auc in (0.7, 0.9):
            cells = []
            for method in ("order_statistics", "wilson"):
                held, width = coverage(n_pos, n_neg, auc, method, runs=1000)
                cells.append(f"{held.min():.3f} | {held.mean():.3f} | {width.mean():.2f}")
            print(f"| {n_pos}+{n_neg} | {auc} | {' | '.join(cells)} |", flush=True)
