"""Losses over all pairs against numpy, and AUCtron against logistic regression."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import StratifiedKFold

import roclab as rl
from benchmarks.harness import Case, Contender, timing_table
from benchmarks.tables import Table
from benchmarks.workloads import Labels, Scores, Workload, at_most
from roclab.learning import PairwiseLoss, PairwiseObjective, pairwise_loss

Floats = npt.NDArray[np.float64]

GAMMA = 0.3
SUMS = 1e-9  # relative difference that sums of so many terms, in another order, explain
ALL_PAIRS = [Workload(n=10**4), Workload(n=10**4, positives=0.5)]
LOG_LINEAR = [
    Workload(n=10**5),
    Workload(n=10**5, positives=0.5),
    Workload(n=10**6),
    Workload(n=10**6, kind="float64 tied"),
    Workload(n=10**6, kind="probabilities near 0"),
    Workload(n=10**6, positives=0.5),
]
GROWTH = [(10**5, 10**6)]
FITS = [(10**6, 50, 0.1), (140_000, 30, 0.03)]  # rows, columns, share of positives
PATHS = [(2000, 30, 0.1), (20_000, 30, 0.03)]


def tables(largest: int) -> list[Table]:
    return [
        timing_table(
            "Pairwise loss with gradient, over all pairs in numpy",
            (_against(all_pairs, load) for load in at_most(largest, ALL_PAIRS)),
        ),
        timing_table(
            "Pairwise loss with gradient, over sorting and prefix sums in numpy",
            (_against(prefix_sums, load) for load in at_most(largest, LOG_LINEAR)),
        ),
        timing_table(
            "Pairwise loss with gradient, a step further in training, over the same in numpy",
            (_one_step_further(load) for load in at_most(largest, LOG_LINEAR)),
        ),
        timing_table("Pairwise loss, a row of 1e6 over a row of 1e5", _growth(largest)),
        timing_table("AUCtron fitted, over scikit-learn's LogisticRegression", _fits(largest)),
        timing_table(
            "AUCtron with its penalty chosen, over scikit-learn's LogisticRegressionCV",
            _paths(largest),
        ),
    ]


def all_pairs(y: Labels, s: Scores) -> tuple[float, Floats]:
    """Value and gradient of the squared hinge from the matrix of all pairs: O(PQ)."""
    short = np.maximum(GAMMA - (s[y][:, np.newaxis] - s[~y]), 0)
    gradient = np.empty(len(s))
    gradient[y] = -2 * short.sum(axis=1) / short.size
    gradient[~y] = 2 * short.sum(axis=0) / short.size
    return float(np.einsum("ij,ij->", short, short)) / short.size, gradient


def prefix_sums(y: Labels, s: Scores) -> tuple[float, Floats]:
    """The same from sums over sorted scores: O(n log n), for scores near zero.

    Both classes are sorted first, so that looking one up in the other stays in cache.
    """
    order = [np.argsort(s[y]), np.argsort(s[~y])]
    moved, negatives = s[y][order[0]] - GAMMA, s[~y][order[1]]
    pairs = len(moved) * len(negatives)

    above = np.searchsorted(negatives, moved, "right")
    n = len(negatives)
    tail = np.append(np.cumsum(negatives[::-1])[::-1], 0)[above]
    tail_squared = np.append(np.cumsum((negatives * negatives)[::-1])[::-1], 0)[above]
    count = n - above
    value = float((tail_squared - 2 * moved * tail + count * moved * moved).sum()) / pairs

    below = np.searchsorted(moved, negatives, "left")
    head = np.concatenate(([0], np.cumsum(moved)))[below]
    by_pos, by_neg = np.empty(len(moved)), np.empty(n)
    by_pos[order[0]] = -2 * (tail - count * moved) / pairs
    by_neg[order[1]] = 2 * (below * negatives - head) / pairs
    gradient = np.empty(len(s))
    gradient[y], gradient[~y] = by_pos, by_neg
    return value, gradient


def _against(numpy_loss: Callable[[Labels, Scores], tuple[float, Floats]], load: Workload) -> Case:
    y, s = load.draw()
    return Case(
        name=load.name,
        contenders=[
            Contender(
                name=f"numpy {numpy_loss.__name__}",
                call=lambda: numpy_loss(y, s),
                result=lambda found: _digest(*found),
            ),
            *(
                Contender(
                    name="roclab pairwise_loss",
                    call=lambda: pairwise_loss(y, s, gamma=GAMMA),
                    result=_digest_of,
                    threads=threads,
                    tolerance=SUMS,
                )
                for threads in (1, 2)
            ),
        ],
    )


def _one_step_further(load: Workload) -> Case:
    """What training asks for: the same labels, and scores that have moved by a hundredth."""
    y, s = load.draw()
    moved = s + 0.01 * np.random.default_rng(1).normal(size=len(s))

    def in_turns(loss: Callable[[Scores], object]) -> Callable[[], object]:
        def call() -> object:
            loss(moved)
            return loss(s)

        return call

    return Case(
        name=load.name,
        contenders=[
            Contender(
                name="numpy prefix_sums",
                call=in_turns(lambda scores: prefix_sums(y, scores)),
                result=lambda found: _digest(*found),
                units=2,
            ),
            *(
                Contender(
                    name="roclab PairwiseObjective",
                    call=in_turns(PairwiseObjective(y, gamma=GAMMA)),
                    result=_digest_of,
                    threads=threads,
                    tolerance=SUMS,
                    units=2,
                )
                for threads in (1, 2)
            ),
        ],
    )


def _growth(largest: int) -> Iterator[Case]:
    """The time for a row at two sizes; 13 times as long for 10 times the rows is 0.77."""
    for small, large in GROWTH:
        for positives in (0.05, 0.5):
            for threads in (1, 2):
                loads = [Workload(n=min(n, largest), positives=positives) for n in (small, large)]
                yield Case(
                    name=f"squared hinge, {positives:.0%} positive",
                    contenders=[_per_row(load, threads) for load in loads],
                )


def _per_row(load: Workload, threads: int) -> Contender:
    y, s = load.draw()
    return Contender(
        name=f"roclab pairwise_loss, {load.n:.0e} rows".replace("e+0", "e"),
        call=lambda: pairwise_loss(y, s, gamma=GAMMA),
        result=lambda found: np.isfinite(found.value),
        threads=threads,
        units=load.n,
    )


def _fits(largest: int) -> Iterator[Case]:
    for rows, columns, positives in FITS:
        yield _models(
            min(rows, largest),
            columns,
            positives,
            peer=(
                "scikit-learn LogisticRegression lbfgs",
                lambda _: LogisticRegression(max_iter=1000),
            ),
            ours=("roclab AUCtronClassifier lbfgs", lambda _: rl.AUCtronClassifier(random_state=0)),
        )


def _paths(largest: int) -> Iterator[Case]:
    """The same folds, and as many penalties."""
    penalties = len(rl.AUCtronClassifierCV().fit([[0], [1], [2], [3]], [0, 0, 1, 1]).alphas_)
    for rows, columns, positives in PATHS:
        yield _models(
            min(rows, largest),
            columns,
            positives,
            peer=(
                "scikit-learn LogisticRegressionCV lbfgs",
                lambda folds: LogisticRegressionCV(Cs=penalties, cv=folds, scoring="roc_auc"),
            ),
            ours=(
                "roclab AUCtronClassifierCV lbfgs",
                lambda folds: rl.AUCtronClassifierCV(cv=folds),
            ),
        )


Folds = list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]
Named = tuple[str, Callable[[Folds], Any]]


def _models(rows: int, columns: int, positives: float, *, peer: Named, ours: Named) -> Case:
    """Models that learn different things, which agree by their held-out AUCs."""
    X, y = _drawn_features(rows, columns, positives, seed=0)
    held_out, truth = _drawn_features(max(rows // 10, 20_000), columns, positives, seed=1)
    folds = list(StratifiedKFold(5).split(X, y))

    def ranked(model: Any) -> float:
        return rl.auc(truth, model.decision_function(held_out))

    def fitted(named: Named) -> Callable[[], Any]:
        def fit() -> Any:
            with warnings.catch_warnings():
                # scikit-learn announces other defaults of LogisticRegressionCV.
                warnings.simplefilter("ignore", FutureWarning)
                return named[1](folds).fit(X, y)

        return fit

    aucs = [ranked(fitted(named)()) for named in (ours, peer)]
    return Case(
        name=f"{rows:.2g} rows x {columns} columns, {positives:.0%} positive".replace("e+0", "e"),
        contenders=[
            Contender(name=peer[0], call=fitted(peer), result=ranked),
            *(
                Contender(
                    name=ours[0],
                    call=fitted(ours),
                    result=ranked,
                    threads=threads,
                    tolerance=0.02,
                )
                for threads in (1, 2)
            ),
        ],
        skipped=[f"held-out AUC of {ours[0]} {aucs[0]:.5f}, of {peer[0]} {aucs[1]:.5f}"],
    )


def _drawn_features(
    rows: int, columns: int, positives: float, seed: int
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    z = X @ np.linspace(-0.5, 0.5, columns) + rng.logistic(size=rows)
    return X, z > np.quantile(z, 1 - positives)


def _digest_of(loss: PairwiseLoss) -> list[float]:
    return _digest(loss.value, loss.gradient)


def _digest(value: float, gradient: Floats) -> list[float]:
    """The value, and a few numbers in which every part of the gradient counts."""
    probe = np.random.default_rng(2).random((2, len(gradient)))
    return [value, *(probe @ np.abs(gradient)).tolist(), float(np.abs(gradient).max())]
