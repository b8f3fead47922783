"""Granular bands: means and shares that a loop finds too."""

import math
from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.granular_roc import bands


class TestBands:
    QUESTION = bands.Question(method="clean", size=100, granularity=0.02, runs=40)

    def test_means_and_shares_are_those_of_a_loop(self):
        found = bands.answer(self.QUESTION)
        areas = [rl.granular_auc(labels, scores) for labels, scores in bands.samples(100, 40)]
        assert found.auc == pytest.approx(np.mean([one.auc for one in areas]), rel=1e-4)
        assert found.up_sd == pytest.approx(np.std([one.up for one in areas], ddof=1), rel=1e-4)
        assert found.lambda_ == pytest.approx(np.mean([one.lambda_ for one in areas]), rel=1e-4)
        inside = [one.low <= bands.TRUE_AUC <= one.up for one in areas]
        assert 0 < found.area_inside == np.mean(inside) < 1
        assert math.isnan(found.rank_2001)

    def test_a_wide_band_holds_everything_and_other_readings_have_none(self):
        wide = bands.answer(replace(self.QUESTION, granularity=2.0))
        assert (wide.curve_inside, wide.points_inside, wide.other_inside) == (1, 1, 1)
        other = bands.answer(replace(self.QUESTION, method="constant denominators"))
        assert math.isnan(other.curve_inside)
        assert math.isnan(other.other_inside)

    def test_the_heights_of_a_step(self):
        curve = rl.roc_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])  # up, right to 1/2, up, right
        half = np.flatnonzero(bands.RATES == 0.5)[0]
        assert bands.lowest(curve)[half] == 0.5
        assert bands.highest(curve)[half] == 1

    def test_recorded_bands_are_near_the_verified_ones(self):
        """SPEC 4.4; if a measure has changed: python -m roclab_studies granular_bands --again."""
        rows = {
            row.method: row
            for row in STUDIES["granular_bands"].recorded()
            if (row.size, row.granularity) == (2000, 0.02)
        }
        published, clean = rows["published"], rows["clean"]
        assert (published.above, published.below) == pytest.approx((0.0198, -0.0298), abs=2e-4)
        assert (clean.above, clean.below) == pytest.approx((0.0214, -0.0225), abs=2e-4)
        assert published.lambda_ == pytest.approx(0.9364, abs=3e-4)
        assert rows["low as printed"].lambda_ > 1
