"""The AUC of splits, frozen.

Worked out in fractions from the definition (children ranked by their share of positives, ties half)
and checked against counting all pairs, over all orders of the children.
"""

from fractions import Fraction

import numpy as np
import pytest
from reference_tree import ranking_auc

from roclab.learning import AUCSplitTreeClassifier, split_auc

SPLITS = [
    ([(4, 1), (1, 4)], "4/5"),
    ([(3, 3), (3, 3)], "1/2"),
    ([(5, 0), (0, 7)], "1"),
    ([(2, 1), (4, 2), (1, 6)], "16/21"),
    ([(1, 5), (6, 3), (0, 2), (3, 0)], "171/200"),
]


@pytest.mark.parametrize(("children", "auc"), SPLITS)
class TestGolden:
    def test_the_criterion(self, children, auc):
        assert split_auc(*zip(*children, strict=True)) == pytest.approx(
            float(Fraction(auc)), rel=1e-15
        )

    def test_the_reference(self, children, auc):
        rows = [
            [((0,), truth, 1) for truth, n in ((True, pos), (False, neg)) for _ in range(n)]
            for pos, neg in children
        ]
        assert ranking_auc(rows) == Fraction(auc)

    def test_the_tree(self, children, auc):
        column = [i for i, counts in enumerate(children) for _ in range(sum(counts))]
        truth = [label for pos, neg in children for label in [1] * pos + [0] * neg]
        tree = AUCSplitTreeClassifier(
            max_depth=1, categorical_features=[0], categorical_split="multiway"
        ).fit(np.array(column)[:, np.newaxis], truth)
        assert 0.5 + tree.tree_.gain[0] == pytest.approx(float(Fraction(auc)), rel=1e-15)
        assert tree.n_leaves_ == (len(children) if Fraction(auc) > Fraction(1, 2) else 1)
