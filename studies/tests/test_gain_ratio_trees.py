"""Gain-ratio trees equal those of a plain reference implementation."""

import numpy as np
import pytest
import reference_gain_ratio
from attribute_tables import table

from roclab_studies.gain_ratio_trees import Attributes, grow


class TestTrees:
    @pytest.mark.parametrize("missing", [0, 0.15])
    @pytest.mark.parametrize("seed", range(6))
    def test_are_those_of_the_obvious_way(self, seed, missing):
        attributes, labels = table(seed, missing=missing)
        rng = np.random.default_rng(seed)
        usable = rng.random((4, 6)) < 0.7
        learn, new = slice(0, 60), attributes.values
        own = Attributes(values=attributes.values[learn], sizes=attributes.sizes)
        found = grow(own, labels[learn], usable).scores(new)
        sizes = attributes.sizes.tolist()
        entries = [
            (row, bool(label), 1.0)
            for row, label in zip(own.values.tolist(), labels[learn], strict=True)
        ]
        for line, allowed in zip(found, usable, strict=True):
            tree = reference_gain_ratio.grow(entries, sizes, np.flatnonzero(allowed).tolist())
            expected = [reference_gain_ratio.score(tree, row, sizes) for row in new.tolist()]
            np.testing.assert_allclose(line, expected, atol=1e-9)

    def test_few_rows_at_a_time_give_the_same(self, monkeypatch):
        attributes, labels = table(9)
        usable = np.ones((2, 6), dtype=bool)
        whole = grow(attributes, labels, usable).scores(attributes.values)
        monkeypatch.setattr("roclab_studies.gain_ratio_splits.CELLS", 1)
        parts = grow(attributes, labels, usable).scores(attributes.values)
        np.testing.assert_array_equal(whole, parts)

    def test_splits_on_what_tells_and_smooths(self):
        values = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0], [1.0, 1.0], [1.0, 2.0], [1.0, 3.0]])
        labels = values[:, 0] == 1
        attributes = Attributes(values=values, sizes=np.array([3, 0]))
        usable = np.array([[True, True], [False, True]])
        forest = grow(attributes, labels, usable)
        assert forest.levels[0].attribute.tolist() == [0, -1]
        new = np.array([[0, 0], [1, 0], [2, 0], [np.nan, 0]])
        expected = [[1 / 5, 4 / 5, 1 / 2, 1 / 2], [1 / 2] * 4]
        np.testing.assert_allclose(forest.scores(new), expected)

    def test_no_splits_that_do_not_lower_the_errors(self):
        values = np.repeat([[0.0], [1.0]], 10, axis=0)
        labels = np.array([True] * 9 + [False] + [True] * 6 + [False] * 4)
        attributes = Attributes(values=values, sizes=np.array([2]))
        scores = grow(attributes, labels, np.ones((1, 1), bool)).scores(values)
        np.testing.assert_allclose(scores, 16 / 22)
