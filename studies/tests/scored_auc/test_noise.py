"""Noise that changes the preferred model: counts, and recorded shares."""

import math

import numpy as np
import pytest

from roclab_studies.catalogue import STUDIES
from roclab_studies.scored_auc import (
    noise,
    noise_tables,
    published,
)


class TestNoise:
    @pytest.mark.parametrize(("reading", "k"), [("half", 0.1), ("both", 0.5), ("up", 1.0)])
    def test_shares_are_those_of_the_specification(self, reading, k):
        question = noise.Question(reading=reading, k=k, runs=4_000)
        found = noise_tables.deviations(noise.answer(question))
        assert len(found) == 4
        assert np.abs(found).max() < 4

    def test_so_are_all_recorded_ones(self):
        rows = STUDIES["scored_noise"].recorded()
        known = [row for row in rows if (row.reading, row.k) in published.FIRST]
        assert len(known) == 18
        assert np.abs([noise_tables.deviations(row) for row in known]).max() < 4

    def test_difference_of_paired_runs(self):
        rng = np.random.default_rng(3)
        scored = rng.random(5_000) < 0.2
        other = np.where(rng.random(5_000) < 0.8, scored, rng.random(5_000) < 0.3)
        counts = dict.fromkeys(noise.Answer.__annotations__, 0) | {
            "auc_only": int((other & ~scored).sum()),
            "not_auc": int((scored & ~other).sum()),
        }
        row = noise.Answer(reading="up", k=0.1, runs=5_000, **counts)
        mean, half = noise_tables.difference(row, "auc")
        each = other.astype(float) - scored
        assert mean == pytest.approx(each.mean())
        assert half == pytest.approx(1.959964 * each.std() / math.sqrt(5_000))

    def test_counts_agree_with_one_another(self):
        found = noise.answer(noise.Question(reading="up", k=0.3, runs=500))
        for name in ("auc", "brier", "accuracy"):
            only, without = getattr(found, f"{name}_only"), getattr(found, f"not_{name}")
            assert getattr(found, name) - only == found.scored - without >= 0
            assert 0 < getattr(found, f"{name}_reversed") <= getattr(found, name)

    def test_without_noise_nothing_changes_and_one_swap_less_is_better(self):
        rng = np.random.default_rng(1)
        before, after = noise.signs(rng, 50, low=-1, high=1, k=0)
        assert all((before[name] == after[name]).all() for name in noise.MEASURES)
        assert (before["accuracy"] == 1).all()

    def test_asks_each_question_once(self):
        asked = noise.questions()
        assert len(set(asked)) == len(asked) == 3 * 15
