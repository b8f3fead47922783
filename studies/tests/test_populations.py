"""Populations have the AUC that they claim."""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr

import roclab as rl
from roclab_studies.populations import CUTS, FAMILIES, Population, labels_of, ordinal_auc


class TestPopulation:
    @pytest.mark.parametrize("auc", [0.5, 0.6, 0.8, 0.95, 0.99])
    def test_five_levels_have_the_auc_exactly(self, auc):
        shift = Population(family="ordinal", auc=auc).shift
        cuts = np.array([-math.inf, *(CUTS + shift / 2), math.inf])
        pos, neg = (
            ndtr(cuts[1:] - shift) - ndtr(cuts[:-1] - shift),
            ndtr(cuts[1:]) - ndtr(cuts[:-1]),
        )
        by_pairs = sum(
            pos[i] * neg[j] * ((i > j) + (i == j) / 2)
            for i, j in itertools.product(range(5), repeat=2)
        )
        assert by_pairs == pytest.approx(auc, abs=1e-12)
        assert ordinal_auc(shift) == pytest.approx(auc, abs=1e-12)

    @pytest.mark.parametrize(("family", "spread"), [("equal", 1.0), ("wide", 2.0)])
    @pytest.mark.parametrize("auc", [0.6, 0.8, 0.95, 0.99])
    def test_normal_scores_have_the_auc_exactly(self, family, spread, auc):
        shift = Population(family=family, auc=auc).shift
        density = 1 / math.sqrt(2 * math.pi)
        won, _ = quad(lambda z: ndtr(spread * z + shift) * density * math.exp(-z * z / 2), -12, 12)
        assert won == pytest.approx(auc, abs=1e-9)

    @pytest.mark.parametrize("family", FAMILIES)
    def test_scores_follow_it(self, family):
        labels = labels_of(20_000, 20_000)
        noise = np.random.default_rng(3).standard_normal(len(labels))
        scores = Population(family=family, auc=0.8).scores(noise, labels)
        interval = rl.auc_interval(labels, scores, method="delong", confidence_level=0.9999)
        assert interval.low < 0.8 < interval.high
        assert len(np.unique(scores)) == (5 if family == "ordinal" else len(labels))
        ratio = scores[labels].std() / scores[~labels].std()
        assert ratio == pytest.approx(2 if family == "wide" else 1, abs=0.05)
