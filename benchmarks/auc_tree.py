"""Trees of AUC splits against scikit-learn's trees of the same depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.tree import DecisionTreeClassifier

import roclab as rl
from benchmarks.harness import Case, Contender, timing_table
from benchmarks.tables import Table

TITLE = "AUCSplitTreeClassifier fitted, over scikit-learn's DecisionTreeClassifier"
ANY_AUC = 0.1  # relative difference of the training AUCs of two trees that learn different things
GROWN = 2**10  # no deeper than this: until the leaves are pure


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Rows and features, of a kind, and how deep the trees are."""

    rows: int
    features: int
    depth: int
    kind: str = "float64"

    @property
    def name(self) -> str:
        """As the tables print it."""
        depth = "pure leaves" if self.depth == GROWN else f"depth {self.depth}"
        return f"{self.rows:.0e} x {self.features} {self.kind}, {depth}".replace("e+0", "e")

    def draw(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """Features, of which four matter, and labels."""
        rng = np.random.default_rng(0)
        X = rng.normal(size=(self.rows, self.features))
        noise = rng.normal(size=self.rows)
        truth = X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] + noise > 1
        if self.kind == "tied":
            X = X.round(1)
        elif self.kind == "missing":
            X[rng.random(X.shape) < 0.1] = np.nan
        return X, truth


SHAPES = [
    Shape(rows=10**5, features=20, depth=8),
    Shape(rows=10**5, features=20, depth=GROWN),
    Shape(rows=10**5, features=50, depth=8),
    Shape(rows=10**5, features=20, depth=8, kind="tied"),
    Shape(rows=10**5, features=20, depth=4, kind="missing"),
]


def tables(largest: int) -> list[Table]:
    return [timing_table(TITLE, _cases(largest))]


def _cases(largest: int) -> Iterator[Case]:
    for shape in SHAPES:
        small = Shape(
            rows=min(shape.rows, largest),
            features=shape.features,
            depth=shape.depth,
            kind=shape.kind,
        )
        X, truth = small.draw()

        def fitted(model: Any, X: Any = X, truth: Any = truth) -> Any:
            return model.fit(X, truth)

        def auc(model: Any, X: Any = X, truth: Any = truth) -> float:
            return rl.auc(truth, model.predict_proba(X)[:, 1])

        yield Case(
            name=small.name,
            contenders=[
                Contender(
                    name="scikit-learn DecisionTreeClassifier",
                    call=lambda depth=small.depth, fitted=fitted: fitted(
                        DecisionTreeClassifier(max_depth=depth, random_state=0)
                    ),
                    result=auc,
                ),
                *(
                    Contender(
                        name="roclab AUCSplitTreeClassifier",
                        call=lambda depth=small.depth, fitted=fitted: fitted(
                            rl.AUCSplitTreeClassifier(max_depth=depth, leaf_score="share")
                        ),
                        result=auc,
                        threads=threads,
                        tolerance=ANY_AUC,
                    )
                    for threads in (1, 2)
                ),
            ],
        )
